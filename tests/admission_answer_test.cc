// The words of an answer keep to what the API server carries, whatever the findings say.
#include "webhook/answer.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "tests/webhook/review.h"

namespace gpulint {
namespace {

using testing::Json;
using testing::response_of;
using testing::ReviewOf;
using testing::webhook_policy;

TEST_CASE("printable") {
  struct Row { std::string text, expected; };
  const Row rows[] = {
      {"plain", "plain"},
      {"a\nb\tc\x7f" "d", "a b c d"},
      {std::string("nul\0!", 5), "nul !"},
      {"\xC2\x85next", " next"},              // U+0085, a control character too
      {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x9A\x80"},
      {"\xC3", "?"},                          // cut off
      {"\x80\xBF", "??"},                     // continuation bytes alone
      {"\xC0\xAF", "??"},                     // overlong
      {"\xED\xA0\x80", "???"},                // a surrogate
      {"\xF5\x80\x80\x80", "????"},           // beyond U+10FFFF
  };
  for (const Row& row : rows) CHECK(printable(row.text) == row.expected);
}

TEST_CASE("cut splits no character and says that something is missing") {
  struct Row { std::string text; std::size_t limit; std::string expected; };
  const Row rows[] = {
      {"short", 5, "short"}, {"longer text", 9, "longer..."}, {"ab\xC3\xA9gh", 6, "ab\xC3\xA9gh"}, {"ab\xC3\xA9" "fghi", 6, "ab..."}, {"abcdef", 2, ".."}, {"", 0, ""},
  };
  for (const Row& row : rows) CHECK(cut(row.text, row.limit) == row.expected);
}

Finding finding(std::string message, std::string container) {
  static const Rule rule = [] { Rule named; named.id = "some-rule"; return named; }();
  Finding made;
  made.rule = &rule;
  made.message = std::move(message);
  made.container = std::move(container);
  made.pointer = JsonPointer("/spec/containers/0");
  return made;
}

TEST_CASE("a line names the container once, the place where there is room, and always the rule") {
  CHECK(finding_line(finding("asks for nothing", "main"), 256) == "container \"main\": asks for nothing (spec.containers[0]) [some-rule]");
  CHECK(finding_line(finding("container \"main\" asks for nothing", "main"), 256) == "container \"main\" asks for nothing (spec.containers[0]) [some-rule]");
  CHECK(finding_line(finding("a pod", ""), 256) == "a pod (spec.containers[0]) [some-rule]");
  std::string without_place = finding_line(finding(std::string(240, 'm'), ""), 256);
  CHECK(without_place == std::string(240, 'm') + " [some-rule]");
  std::string cut_line = finding_line(finding(std::string(1000, 'm'), ""), 256);
  CHECK(cut_line.size() == 256);
  CHECK(cut_line.ends_with("... [some-rule]"));
}

/// Containers whose names hold everything that a warning must not.
ReviewOf many(std::size_t count) {
  Json containers = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    containers.push_back(testing::container(fmt::format("Warning: c{}\n\x01\x7f{}", i, std::string(60, 'x')), testing::request_without_limit()));
  return {.object = testing::deployment(containers)};
}

Policy one_rule(Mode mode) { return testing::only({"gpu-request-without-limit"}, webhook_policy(mode)); }

TEST_CASE("warnings stay within the limits of the API server") {
  for (std::size_t count : {1u, 2u, 16u, 17u, 200u}) {
    CAPTURE(count);
    Json response = response_of(review(Endpoint::validate, many(count).text(), one_rule(Mode::warn)));
    std::size_t total = 0, shown = 0;
    for (const std::string line : response["warnings"]) {
      total += line.size();
      CHECK(line.size() <= kWarningBytes);
      CHECK_FALSE(line.starts_with("Warning:"));
      CHECK(std::none_of(line.begin(), line.end(), [](unsigned char c) { return std::iscntrl(c); }));
      if (line.ends_with(" [gpu-request-without-limit]")) ++shown;
    }
    CHECK(total <= kAllWarningsBytes);
    std::string last = response["warnings"].back();
    if (shown < count) CHECK_MESSAGE(last == fmt::format("gpulint: {} more, listed by `gpulint lint`", count - shown), last);
    if (shown < count) CHECK(response["auditAnnotations"].contains("gpu-request-without-limit"));
  }
}

TEST_CASE("a denial lists every error however many there are, one line each") {
  Json response = response_of(review(Endpoint::validate, many(200).text(), one_rule(Mode::enforce)));
  std::string message = response["status"]["message"];
  std::size_t lines = 0;
  for (std::size_t at = message.find('\n'); at != message.npos; ++lines) {
    std::size_t end = message.find('\n', at + 1);
    std::string line = message.substr(at + 1, end == message.npos ? end : end - at - 1);
    CHECK_MESSAGE(line.ends_with(" [gpu-request-without-limit]"), line);
    CHECK(line.size() <= kDenialLineBytes);
    at = end;
  }
  CHECK(lines == 200);
  CHECK(message.starts_with("200 problems"));
}

TEST_CASE("keys of audit annotations are qualified names") {
  Json response = response_of(review(Endpoint::validate, many(50).text(), webhook_policy(Mode::audit)));
  REQUIRE_FALSE(response["auditAnnotations"].empty());
  for (const auto& [key, value] : response["auditAnnotations"].items()) {
    CHECK(key.size() <= 63);
    CHECK(std::isalnum(static_cast<unsigned char>(key.front())));
    CHECK(std::isalnum(static_cast<unsigned char>(key.back())));
    CHECK(std::all_of(key.begin(), key.end(), [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; }));
    CHECK(std::string(value).size() <= kAnnotationBytes);
  }
}

}  // namespace
}  // namespace gpulint
