// The grammar and rounding of the API's Quantity, and which values the API server takes for an extended resource.
#include "rules/kube/quantity.h"

#include <doctest/doctest.h>

#include <string>

using gpulint::Quantity;

namespace {

struct Accepted {
  std::string_view written;
  std::string_view text;
  bool integer;
  bool binary = false;
};

// Values computed with the API's own implementation (k8s.io/apimachinery, api/resource).
constexpr Accepted kAccepted[] = {
    {"0", "0", true},
    {"1", "1", true},
    {"+1", "1", true},
    {"-1", "-1", true},
    {"00010", "10", true},
    {" 1", "1", true},
    {"2\n", "2", true},
    {"1.0", "1", true},
    {"5.", "5", true},
    {".5", "0.5", false},
    {"-0.5", "-0.5", false},
    {"500m", "0.5", false},
    {"1000m", "1", true},
    {"1500m", "1.5", false},
    {"4k", "4000", true},
    {"3M", "3000000", true},
    {"1G", "1000000000", true},
    {"2T", "2000000000000", true},
    {"1P", "1000000000000000", true},
    {"1e0", "1", true},
    {"1E3", "1000", true},
    {"1e+3", "1000", true},
    {"1E+05", "100000", true},
    {"1e-3", "0.001", false},
    {"1u", "0.000001", false},
    {"1n", "0.000000001", false},
    {"0.1n", "0.000000001", false},
    {"1.5n", "0.000000002", false},
    {"-1e-10", "-0.000000001", false},
    {"1e-100", "0.000000001", false},
    {"1e-9999999999", "0.000000001", false},
    {"0.9999999999", "1", true},
    {"1Ki", "1024", true, true},
    {"1.5Gi", "1610612736", true, true},
    {"1Gi", "1073741824", true, true},
    {"0.3Ki", "307.2", false, true},
    {"1.000000000000000000000000000000000000001Gi", "1073741824.000000001", false, true},
    // An empty number is zero: the scanner of the API has it so.
    {".", "0", true},
    {"+", "0", true},
    {"k", "0", true},
    {"E", "0", true},
    // Thousandths beyond 64 bits overflow in the API's check: no integer. Magnitudes are capped at 2^63-1.
    {"99999999999999999", "99999999999999999", false},
    {"12345678901234567890", "9223372036854775807", false},
    {"99999999999999999999", "9223372036854775807", false},
    {"1e30", "9223372036854775807", false},
    {"1e9999999999", "9223372036854775807", false},
    {"-1e30", "-9223372036854775807", false},
    {"16Ei", "9223372036854775807", false, true},
    {"9223372036854775", "9223372036854775", true},
};

constexpr std::string_view kMalformed[] = {
    "", " ", "one", "true", "0x2", "1_0", "4K", "1i", "1mi", "1.1.M", "1+1.0M", "1e", "1e+", "1E5m", "1e3k", "1 Gi", "NaN", "Infinity", "--1", "1-", "$GPUS",
};

}  // namespace

TEST_CASE("a Quantity has the API's value") {
  for (const Accepted& row : kAccepted) {
    CAPTURE(row.written);
    const auto quantity = Quantity::parse(row.written);
    REQUIRE(quantity.has_value());
    CHECK(quantity->text() == row.text);
    CHECK(quantity->is_integer() == row.integer);
    CHECK(quantity->has_binary_suffix() == row.binary);
  }
}

TEST_CASE("what the API cannot parse is no Quantity") {
  for (std::string_view text : kMalformed) {
    CAPTURE(text);
    CHECK_FALSE(Quantity::parse(text).has_value());
  }
}

TEST_CASE("quantities compare by value, however they are written") {
  CHECK(*Quantity::parse("1000m") == *Quantity::parse("1"));
  CHECK(*Quantity::parse("4k") == *Quantity::parse("4e3"));
  CHECK(*Quantity::parse("1Ki") > *Quantity::parse("1k"));
  CHECK(*Quantity::parse("-1") < Quantity());
  CHECK(*Quantity::parse("0.0") == Quantity(0));
}

TEST_CASE("signs and zero") {
  CHECK(Quantity::parse("0")->is_zero());
  CHECK(Quantity::parse("-0")->is_zero());
  CHECK_FALSE(Quantity::parse("-0")->is_negative());
  CHECK(Quantity::parse("-1n")->is_negative());
}

TEST_CASE("whole numbers are rounded away from zero") {
  CHECK(Quantity::parse("1.5")->whole() == 2);
  CHECK(Quantity::parse("1n")->whole() == 1);
  CHECK(Quantity::parse("-1.5")->whole() == -2);
  CHECK(Quantity::parse("1e30")->whole() == INT64_MAX);
}

TEST_CASE("sums are exact and saturate") {
  CHECK((*Quantity::parse("0.1") + *Quantity::parse("0.2")).text() == "0.3");
  CHECK((*Quantity::parse("1e18") + *Quantity::parse("9e18")).text() == "9223372036854775807");
  CHECK((*Quantity::parse("-9e18") + *Quantity::parse("-9e18")).text() == "-9223372036854775807");
}

TEST_CASE("a number of any length is read") {
  const std::string zeros(10'000, '0');
  CHECK(Quantity::parse(zeros + "7")->text() == "7");
  CHECK(Quantity::parse("0." + zeros + "1")->text() == "0.000000001");
  CHECK(Quantity::parse("1" + zeros)->text() == "9223372036854775807");
}
