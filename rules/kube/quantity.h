// Quantity: a resource.Quantity of the Kubernetes API, exact. "1000m" is 1, "4k" is 4000, "1Gi" is 1073741824.
// No floating point anywhere. Source: the API's Quantity grammar (k8s.io/apimachinery, api/resource) and what a real API server accepts.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpulint {

__extension__ typedef __int128 Int128;

class Quantity {
 public:
  Quantity() = default;
  explicit Quantity(std::int64_t whole) : nanos_(static_cast<Int128>(whole) * 1'000'000'000) {}

  /// Nothing when the text is no Quantity. Blanks at either end are accepted, as the API server does. Fractions finer than
  /// one nano are rounded up (away from zero), magnitudes above 2^63-1 are capped, both as the API does.
  static std::optional<Quantity> parse(std::string_view text);

  bool is_zero() const { return nanos_ == 0; }
  bool is_negative() const { return nanos_ < 0; }
  /// What the API demands of extended resources: the value in thousandths, rounded up, is a multiple of 1000.
  bool is_integer() const;
  /// The whole number where is_integer(), else rounded up.
  std::int64_t whole() const;
  /// Shortest plain decimal: "2", "0.5", "1073741824".
  std::string text() const;
  /// Written with a binary suffix (Ki ... Ei): `1Gi` GPUs is accepted by the API and pending for ever.
  bool has_binary_suffix() const { return binary_suffix_; }

  std::strong_ordering operator<=>(const Quantity& other) const { return nanos_ <=> other.nanos_; }
  bool operator==(const Quantity& other) const { return nanos_ == other.nanos_; }
  Quantity operator+(const Quantity& other) const;  ///< saturates

 private:
  Int128 nanos_ = 0;
  bool binary_suffix_ = false;
};

}  // namespace gpulint
