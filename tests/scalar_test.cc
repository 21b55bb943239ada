// Scalar resolution, value by value. Every row was taken from kubectl (1.32 and 1.35 agree); with GPULINT_KUBECTL set they are asked again.
#include "rules/document/scalar.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "rules/document/document.h"
#include "tests/support/kubectl.h"

using namespace gpulint;
using nlohmann::json;

namespace {

struct Row {
  std::string_view yaml;
  std::string_view json;  ///< empty: rejected
  NodeKind kind = NodeKind::string;
};

constexpr auto kNull = NodeKind::null;
constexpr auto kBoolean = NodeKind::boolean;
constexpr auto kInteger = NodeKind::integer;
constexpr auto kReal = NodeKind::real;

constexpr Row kValues[] = {
    {"", "null", kNull}, {"~", "null", kNull}, {"null", "null", kNull}, {"Null", "null", kNull}, {"NULL", "null", kNull}, {"nuLL", "\"nuLL\""},
    {"y", "true", kBoolean}, {"Y", "true", kBoolean}, {"yes", "true", kBoolean}, {"Yes", "true", kBoolean}, {"YES", "true", kBoolean},
    {"on", "true", kBoolean}, {"On", "true", kBoolean}, {"ON", "true", kBoolean}, {"true", "true", kBoolean}, {"True", "true", kBoolean}, {"TRUE", "true", kBoolean},
    {"n", "false", kBoolean}, {"N", "false", kBoolean}, {"no", "false", kBoolean}, {"No", "false", kBoolean}, {"NO", "false", kBoolean},
    {"off", "false", kBoolean}, {"Off", "false", kBoolean}, {"OFF", "false", kBoolean}, {"false", "false", kBoolean}, {"False", "false", kBoolean}, {"FALSE", "false", kBoolean},
    {"yEs", "\"yEs\""}, {"oN", "\"oN\""}, {"tRUE", "\"tRUE\""}, {"yess", "\"yess\""}, {"'yes'", "\"yes\""}, {"\"on\"", "\"on\""},
    {"0", "0", kInteger}, {"8", "8", kInteger}, {"-1", "-1", kInteger}, {"+1", "1", kInteger}, {"-0", "0", kInteger},
    {"0644", "420", kInteger}, {"-0644", "-420", kInteger}, {"0o644", "420", kInteger}, {"0O17", "15", kInteger}, {"0777777777777777777777", "9223372036854775807", kInteger},
    {"0x2", "2", kInteger}, {"0X1F", "31", kInteger}, {"-0x1f", "-31", kInteger}, {"0x_ff", "255", kInteger}, {"0x", "\"0x\""}, {"0xg", "\"0xg\""},
    {"0b1", "1", kInteger}, {"0B11", "3", kInteger}, {"-0b11", "-3", kInteger}, {"+0b1", "1", kInteger}, {"0b2", "\"0b2\""}, {"0o8", "\"0o8\""},
    {"1_000", "1000", kInteger}, {"1__0", "10", kInteger}, {"1_", "1", kInteger}, {"_1", "\"_1\""}, {"'12'", "\"12\""},
    {"9223372036854775807", "9223372036854775807", kInteger}, {"-9223372036854775808", "-9223372036854775808", kInteger},
    {"9223372036854775808", "9223372036854776000", kReal}, {"18446744073709551615", "18446744073709552000", kReal},
    {"-9223372036854775809", "-9223372036854776000", kReal}, {"99999999999999999999", "100000000000000000000", kReal},
    {"0x8000000000000000", "9223372036854776000", kReal}, {"-0x8000000000000000", "-9223372036854775808", kInteger},
    {"08", "8", kInteger}, {"09.5", "9.5", kReal}, {"0_8", "8", kInteger},
    {"1e1", "10", kInteger}, {"1E+2", "100", kInteger}, {"12e03", "12000", kInteger}, {"3.0e2", "300", kInteger}, {"1e6", "1000000", kInteger},
    {"0.5", "0.5", kReal}, {".5", "0.5", kReal}, {"-.5", "-0.5", kReal}, {"+.5", "0.5", kReal}, {".5e3", "500", kInteger}, {"1.10", "1.1", kReal}, {"1_000.5", "1000.5", kReal},
    {"1.", "1", kInteger}, {"1.e2", "100", kInteger}, {"0.", "0", kInteger}, {"-0.0", "0", kInteger}, {"100.0", "100", kInteger},
    {"1e20", "100000000000000000000", kReal}, {"1e21", "1e+21", kReal}, {"6.02e23", "6.02e+23", kReal}, {"0.000001", "0.000001", kReal}, {"0.0000001", "1e-7", kReal}, {"1e-7", "1e-7", kReal},
    {"123456789.123", "123456789.123", kReal}, {"5e-324", "5e-324", kReal}, {"1e-400", "0", kInteger}, {"1e400", "\"1e400\""}, {"1.7976931348623159e308", "\"1.7976931348623159e308\""},
    {".", "\".\""}, {"._5", "\"._5\""}, {".5_0", "0.5", kReal}, {".5_0e1_0", "5000000000", kInteger}, {".5_", "\".5_\""}, {".5__0", "\".5__0\""}, {".1_e5", "\".1_e5\""}, {"+", "\"+\""}, {"1e", "\"1e\""}, {"1.2.3", "\"1.2.3\""}, {"4Gi", "\"4Gi\""}, {"100m", "\"100m\""},
    {".inf", ""}, {"-.INF", ""}, {"+.Inf", ""}, {".nan", ""}, {".infinity", "\".infinity\""},
    {"2020-01-01", "\"2020-01-01\""}, {"2020-01-01T00:00:00Z", "\"2020-01-01T00:00:00Z\""}, {"1:30", "\"1:30\""}, {"190:20:30", "\"190:20:30\""}, {"=", "\"=\""}, {"<<", "\"<<\""},
    {"!!str 12", "\"12\""}, {"!!str", "\"\""}, {"!!str null", "\"null\""}, {"! \"12\"", "\"12\""}, {"! 12", "\"12\""}, {"! yes", "\"yes\""}, {"&a ! 12", "\"12\""}, {"! &a 12", "\"12\""}, {"&a 12", "12", kInteger}, {"!", "\"\""}, {"!local 12", "\"12\""}, {"!!merge x", "\"x\""},
    {"!!int \"12\"", "12", kInteger}, {"!!int '0x1F'", "31", kInteger}, {"!!int x", ""}, {"!!int 1.5", ""}, {"!!int ''", ""}, {"!!int 2020-01-01", ""}, {"!<tag:yaml.org,2002:int> '3'", "3", kInteger},
    {"!!float 1", "1", kInteger}, {"!!float 1.5", "1.5", kReal}, {"!!float -3", "-3", kInteger}, {"!!float '1_0'", "10", kInteger}, {"!!float .inf", ""}, {"!!float 9223372036854775808", ""}, {"!!float -9223372036854775808", "-9223372036854776000", kReal}, {"!!float x", ""},
    {"!!bool yes", "true", kBoolean}, {"!!bool 'off'", "false", kBoolean}, {"!!bool 1", ""}, {"!!bool maybe", ""}, {"!!null ''", "null", kNull}, {"!!null x", ""},
    {"!!binary aGVsbG8=", "\"hello\""}, {"!!binary /w==", "\"\\uFFFD\""}, {"!!binary '?'", ""}, {"!!binary 'aGVs bG8='", ""}, {"!!binary aGk", ""}, {"!!binary ''", "\"\""}, {"!!binary 'a==='", ""},
    {"!!timestamp 2020-01-01", "\"2020-01-01\""}, {"!!timestamp x", ""}, {"!!timestamp 5", ""},
};

/// What a plain or tagged key is called.
constexpr Row kKeys[] = {
    {"a", "a"}, {"1", "1"}, {"0x10", "16"}, {"0b11", "3"}, {"yes", "true"}, {"Off", "false"}, {"'1'", "1"}, {"\"yes\"", "yes"}, {"''", ""}, {"2020-01-01", "2020-01-01"},
    {"1.50", "1.5"}, {".5", "0.5"}, {"3.0", "3"}, {"-0.0", "-0"}, {"1e3", "1000"}, {"1e5", "100000"}, {"100000.0", "100000"}, {"1e6", "1e+06"}, {"1234567.0", "1.234567e+06"},
    {"123456789.125", "1.2345679e+08"}, {"16777217.0", "1.6777216e+07"}, {"12345.678", "12345.678"}, {"0.0001234", "0.0001234"}, {"1e-5", "1e-05"}, {"1e21", "1e+21"}, {"1e39", ".inf"}, {"1e-50", "0"},
    {".nan", ".nan"}, {"-.inf", "-.inf"}, {"9223372036854775807", "9223372036854775807"},
    {"! \"12\"", "12"}, {"! 0x10", "0x10"}, {"!!str 12", "12"}, {"!!int '0x10'", "16"}, {"!!binary aGk=", "hi"}, {"!!float 1000000", "1e+06"}, {"&anchor b", "b"},
};

constexpr std::string_view kBadKeys[] = {"~", "null", "!!null ''", "18446744073709551615", "!!int x", "!!binary '?'"};

Documents read(const Source& source) { return read_yaml(source, {}); }

void check_with_kubectl(const std::string& manifest, const json& expected) {
  const auto answer = gpulint::testing::ask_kubectl(std::string(gpulint::testing::kObjectHead) + manifest);
  REQUIRE_MESSAGE(answer.accepted, answer.error);
  const json theirs = json::parse(answer.json).at("v");
  CHECK_MESSAGE(theirs == expected, json::diff(expected, theirs).dump());
}

void check_rejected_by_kubectl(const std::string& manifest) {
  CHECK_MESSAGE(!gpulint::testing::ask_kubectl(std::string(gpulint::testing::kObjectHead) + manifest).accepted, manifest);
}

}  // namespace

TEST_CASE("a scalar is what kubectl makes of it") {
  for (const Row& row : kValues) {
    const Source source("test", fmt::format("v: {}\n", row.yaml));
    const Documents documents = read(source);
    const Document& document = documents.list.at(0);
    if (row.json.empty()) {
      CHECK_MESSAGE(document.state == DocumentState::invalid, row.yaml, " must be rejected");
      continue;
    }
    REQUIRE_MESSAGE(document.state == DocumentState::parsed, row.yaml, ": ", document.problem);
    const Node& node = *document.root->first;
    CHECK_MESSAGE(json::parse(to_json(node)) == json::parse(row.json), row.yaml, ": ", to_json(node));
    CHECK_MESSAGE(node.kind == row.kind, row.yaml, ": kind ", static_cast<int>(node.kind));
    if (!node.is_string() && !node.is_null()) CHECK_MESSAGE(node.text == row.json, row.yaml);
  }
}

TEST_CASE("a key is text, as kubectl writes it") {
  for (const Row& row : kKeys) {
    const Source source("test", fmt::format("{}: x\n", row.yaml));
    const Documents documents = read(source);
    REQUIRE_MESSAGE(documents.list.at(0).root, row.yaml, ": ", documents.list[0].problem);
    CHECK_MESSAGE(documents.list[0].root->first->key == row.json, row.yaml, ": ", documents.list[0].root->first->key);
  }
  for (const std::string_view key : kBadKeys) {
    const Source source("test", fmt::format("{} : x\n", key));
    CHECK_MESSAGE(read(source).list.at(0).state == DocumentState::invalid, key, " must be rejected as a key");
  }
}

TEST_CASE("numbers of JSON keep their value and have one text") {
  constexpr Row rows[] = {{"0", "0", kInteger}, {"-12", "-12", kInteger}, {"1.0", "1", kInteger}, {"1e3", "1000", kInteger}, {"0.1e1", "1", kInteger}, {"1.10", "1.1", kReal},
      {"9223372036854775807", "9223372036854775807", kInteger}, {"12345678901234567890", "12345678901234567000", kReal}, {"1e21", "1e+21", kReal}, {"1e-7", "1e-7", kReal}};
  for (const Row& row : rows) {
    std::string buffer;
    const Scalar number = resolve_json_number(row.yaml, buffer);
    CHECK_MESSAGE(number.text == row.json, row.yaml, ": ", number.text);
    CHECK_MESSAGE(number.kind == row.kind, row.yaml);
  }
  std::string buffer;
  CHECK(resolve_json_number("1e400", buffer).problem == "the number is too large for a double");
}

TEST_CASE("kubectl still says what the tables say") {
  if (!gpulint::testing::has_kubectl()) return;
  std::string values = "v:\n", keys = "v:\n";
  json expected_values = json::object(), expected_keys = json::array();
  for (std::size_t i = 0; i < std::size(kValues); ++i) {
    const std::string name = fmt::format("n{}", i);
    if (kValues[i].json.empty()) check_rejected_by_kubectl(fmt::format("v: {}\n", kValues[i].yaml));
    else values += fmt::format("  {}: {}\n", name, kValues[i].yaml);
    if (!kValues[i].json.empty()) expected_values[name] = json::parse(kValues[i].json);
  }
  check_with_kubectl(values, expected_values);
  for (const Row& row : kKeys) {
    keys += fmt::format("- {}: x\n", row.yaml);
    expected_keys.push_back({{std::string(row.json), "x"}});
  }
  check_with_kubectl(keys, expected_keys);
  for (const std::string_view key : kBadKeys) check_rejected_by_kubectl(fmt::format("v:\n  {} : x\n", key));
}
