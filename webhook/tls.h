// Certificate files and the TLS context made of them. The files are read again when their bytes change (a mounted Secret is swapped by a
// symbolic link, so that file times say little); a new pair serves new connections, and one that does not fit together is not taken.
#pragma once
#include <openssl/ssl.h>

#include <memory>
#include <mutex>
#include <string>

namespace gpulint {

class Tls {
 public:
  /// Nothing, and `error` set, when a file cannot be read or the two do not belong together.
  static std::unique_ptr<Tls> open(std::string certificate_file, std::string key_file, std::string& error);
  ~Tls();
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  SSL_CTX* context() const { return context_.get(); }

  enum class Reload : unsigned char { unchanged, reloaded, failed };
  /// On `failed` the pair in use stays; `error` is set once for each broken state of the files, not at every look.
  Reload reload_if_changed(std::string& error);

 private:
  struct Pair;
  struct FreeContext { void operator()(SSL_CTX* context) const { SSL_CTX_free(context); } };

  Tls(std::string certificate_file, std::string key_file);
  static int choose_certificate(SSL* connection, void* self);

  std::string certificate_file_, key_file_;
  std::unique_ptr<SSL_CTX, FreeContext> context_;
  std::mutex mutex_;  ///< guards pair_
  std::shared_ptr<const Pair> pair_;
  std::string seen_;  ///< bytes of both files at the last look
};

/// What OpenSSL has to say about the last failure of this thread, for people.
std::string openssl_error();

/// The whole file; nothing, and `error` set, when it cannot be read.
bool read_file(const std::string& path, std::string& bytes, std::string& error);

}  // namespace gpulint
