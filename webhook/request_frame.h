// RequestFrame: where one HTTP/1.1 request ends in the bytes of a connection, and which requests are refused before anything is judged.
// A request is parsed only when it is complete, so that a slow client holds some memory and never a thread. Bodies come with a
// Content-Length and uncompressed (client-go sends nothing else); what the HTTP library mishandles there never reaches it.
#pragma once
#include <cstddef>
#include <string_view>

namespace gpulint {

inline constexpr std::size_t kMaxHead = 64 * 1024;
/// An AdmissionReview can carry two objects of the API server's 3 MiB limit; controller-runtime uses the same figure.
inline constexpr std::size_t kMaxBody = 7 * 1024 * 1024;

class RequestFrame {
 public:
  enum class State : unsigned char { incomplete, complete, refused };

  /// Looks at all bytes received so far; they only ever grow.
  State advance(std::string_view bytes);

  bool started() const { return searched_ > 0; }
  std::size_t size() const { return size_; }  ///< of the whole request, once its head is complete
  int status() const { return status_; }      ///< of a refused one: 400, 411, 413, 415, 417 or 431
  std::string_view reason() const { return reason_; }

 private:
  State read_head(std::string_view head);
  State refuse(int status, std::string_view reason);

  std::size_t searched_ = 0, size_ = 0;
  int status_ = 0;
  std::string_view reason_;
};

}  // namespace gpulint
