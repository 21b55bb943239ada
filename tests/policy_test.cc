// The configuration: what every setting becomes, and what is said about a wrong one, where. Texts in testdata/config; the problems of
// <name>.yaml stand in <name>.expected as `line:column rule: message`.
#include "rules/engine/policy.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "rules/engine/engine.h"
#include "tests/support/golden.h"
#include "webhook/options.h"

namespace gpulint {
namespace {

namespace fs = std::filesystem;

std::vector<PolicyProblem> read(std::string text, Policy& policy) { return read_policy(Source(".gpulint.yaml", std::move(text)), policy); }

std::string listed(const std::vector<PolicyProblem>& problems) {
  std::string out;
  for (const PolicyProblem& p : problems) out += fmt::format("{}:{} {}: {}\n", p.position.line, p.position.column, p.rule, p.message);
  return out;
}

Policy good(std::string text) {
  Policy policy;
  const auto problems = read(text, policy);
  CHECK_MESSAGE(problems.empty(), text, "\n", listed(problems));
  return policy;
}

TEST_CASE("every setting") {
  const Policy policy = good(testing::read_file("testdata/config/full.yaml"));
  CHECK(policy.cluster.name() == "gke+kai+dra+taint:sku=gpu:NoSchedule+taint:dedicated:NoExecute");
  CHECK(policy.fail_on == Severity::warning);

  CHECK(policy.is_off(*find_rule("missing-runtime-class")));
  CHECK_FALSE(policy.is_off(*find_rule("zero-gpu-limit")));
  CHECK(policy.settings("zero-gpu-limit")->severity == Severity::error);
  CHECK(policy.settings("rollout-deadlock")->severity == Severity::info);
  CHECK(policy.settings("docker-gpus-flag")->severity == Severity::warning);
  CHECK(policy.settings("docker-gpus-flag")->parameters.at("programs") == std::vector<std::string>{"my-runner", "other"});
  CHECK(policy.settings("unused-suppression") == nullptr);

  REQUIRE(policy.ignore.size() == 2);
  CHECK(policy.ignore[0].rule == "privileged-gpu-container");
  CHECK(policy.ignore[0].paths == std::vector<std::string>{"clusters/lab/**", "*.debug.yaml"});
  CHECK(policy.ignore[0].reason == "debugging image");
  CHECK(policy.ignore[0].expires == "2027-03-01");
  CHECK(policy.ignore[1].paths.empty());
  CHECK(policy.ignore[1].expires.empty());

  CHECK(policy.baseline == "gpulint-baseline.json");
  CHECK(policy.exclude == std::vector<std::string>{"vendor/", "**/testdata/**"});
  CHECK_FALSE(policy.render.enabled);
  CHECK(policy.render.timeout == 90);
  REQUIRE(policy.render.charts.size() == 2);
  CHECK(policy.render.charts[0].paths == std::vector<std::string>{"charts/*"});
  CHECK(policy.render.charts[0].values == std::vector<std::string>{"env/prod.yaml", "env/gpu.yaml"});
  CHECK(policy.render.charts[1].paths == std::vector<std::string>{"charts/worker"});

  CHECK(policy.accelerators.resource("example.com/npu")->vendor == Vendor::other);
  CHECK(policy.accelerators.resource("example.com/npu")->role == ResourceRole::device);
  CHECK(policy.accelerators.resource("example.com/dcu-16gb")->vendor == Vendor::amd);
  CHECK(policy.accelerators.resource("example.com/dcu-16gb")->role == ResourceRole::shared);

  CHECK(policy.webhook.mode == Mode::enforce);
  CHECK(policy.webhook.mutate == std::vector<std::string>{"gpu-request-without-limit"});
  CHECK(policy.webhook.exempt_namespaces == std::vector<std::string>{"lab", "scratch"});
}

TEST_CASE("overrides, and where settings come from") {
  const Policy policy = good(testing::read_file("testdata/config/full.yaml"));
  REQUIRE(policy.overrides.size() == 2);
  CHECK(policy.overrides[0].paths == std::vector<std::string>{"clusters/aks/**", "edge"});
  CHECK(policy.overrides[0].cluster->name() == "aks+taint:sku=gpu:NoSchedule");
  CHECK(policy.overrides[0].rules.at("missing-runtime-class").on);
  CHECK(policy.overrides[0].rules.at("zero-gpu-limit").off);
  CHECK(policy.overrides[0].rules.at("docker-gpus-flag").parameters.at("programs") == std::vector<std::string>{"third"});
  CHECK(policy.overrides[1].cluster->name() == "k3s+dra");
  CHECK(policy.overrides[1].rules.empty());
  const std::map<std::string, std::string, std::less<>> expected{
      {"cluster", ".gpulint.yaml:2"}, {"fail-on", ".gpulint.yaml:8"}, {"rules.missing-runtime-class", ".gpulint.yaml:10"},
      {"rules.zero-gpu-limit", ".gpulint.yaml:11"}, {"rules.rollout-deadlock", ".gpulint.yaml:12"}, {"rules.docker-gpus-flag", ".gpulint.yaml:14"},
      {"rules.docker-gpus-flag.programs", ".gpulint.yaml:15"}, {"exclude", ".gpulint.yaml:27"}, {"render.enabled", ".gpulint.yaml:29"},
      {"render.timeout", ".gpulint.yaml:30"}, {"render.charts", ".gpulint.yaml:31"}, {"baseline", ".gpulint.yaml:34"},
      {"accelerators", ".gpulint.yaml:35"}, {"webhook.mode", ".gpulint.yaml:39"}, {"webhook.mutate", ".gpulint.yaml:40"}, {"webhook.exempt", ".gpulint.yaml:41"}};
  CHECK(policy.origins == expected);
  CHECK(policy.overrides[1].origin == ".gpulint.yaml:26, overrides[1]");
  CHECK(policy.ignore[1].place.range.start == Position{21, 5});
  CHECK(policy.ignore[1].place.pointer.text() == "/ignore/1");
}

TEST_CASE("problems are located and say what was meant") {
  std::size_t read_files = 0;
  for (const auto& entry : fs::directory_iterator("testdata/config")) {
    if (entry.path().extension() != ".yaml" || entry.path().stem() == "full") continue;
    Policy policy;
    const std::string problems = listed(read(testing::read_file(entry.path()), policy));
    CHECK_MESSAGE(!problems.empty(), entry.path().string(), ": no problem found");
    testing::check_golden(fs::path(entry.path()).replace_extension(".expected"), problems);
    ++read_files;
  }
  CHECK(read_files >= 10);
}

TEST_CASE("the webhook reads the same file, and what is for files matches no object") {
  WebhookOptions options;
  options.config_file = "testdata/config/full.yaml";
  std::string error;
  const std::shared_ptr<const Policy> policy = load_policy(options, error);
  REQUIRE_MESSAGE(policy, error);
  CHECK(policy->overrides.size() == 2);
  CHECK(policy->webhook.mode == Mode::enforce);
  CHECK_FALSE(policy->matches({"**", "AdmissionReview"}, "AdmissionReview"));
  CHECK(Policy().matches({"**"}, "AdmissionReview"));
}

TEST_CASE("short forms") {
  struct Row {
    std::string_view text, cluster;
  };
  constexpr Row kRows[] = {
      {"", "generic"},
      {"# nothing\n", "generic"},
      {"---\n", "generic"},
      {"cluster:\nrules:\n", "generic"},
      {"cluster: gke+dra\n", "gke+dra"},
      {"cluster: dra\n", "generic+dra"},
      {"cluster: generic+taint:sku=gpu:NoSchedule\n", "generic+taint:sku=gpu:NoSchedule"},
      {"cluster: {addons: hami}\n", "generic+hami"},
      {"{\"cluster\": {\"preset\": \"eks\"}}\n", "eks"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    CHECK(good(std::string(row.text)).cluster.name() == row.cluster);
  }
}

TEST_CASE("off in every way people write it") {
  for (const char* off : {"off", "false", "no", "\"off\"", "'off'", "OFF", "{severity: off}"}) {
    CAPTURE(off);
    CHECK(good(fmt::format("rules: {{zero-gpu-limit: {}}}\n", off)).is_off(*find_rule("zero-gpu-limit")));
  }
  for (const char* on : {"on", "true", "error", "\"info\"", "{severity: warning}"}) {
    CAPTURE(on);
    CHECK_FALSE(good(fmt::format("rules: {{zero-gpu-limit: {}}}\n", on)).is_off(*find_rule("zero-gpu-limit")));
  }
}

TEST_CASE("what the text does not mention stays as it is") {
  Policy policy;
  CHECK(read("cluster: eks\nfail-on: info\nrules: {zero-gpu-limit: off}\n", policy).empty());
  CHECK(read("rules: {rollout-deadlock: error}\n", policy).empty());
  CHECK(policy.cluster.name() == "eks");
  CHECK(policy.fail_on == Severity::info);
  CHECK(policy.is_off(*find_rule("zero-gpu-limit")));
  CHECK(policy.settings("rollout-deadlock")->severity == Severity::error);
  CHECK(read("rules: {zero-gpu-limit: warning}\n", policy).empty());
  CHECK_FALSE(policy.is_off(*find_rule("zero-gpu-limit")));
}

TEST_CASE("words of the prefilter follow the configuration") {
  const Policy plain, configured = good("accelerators: [{resource: example.com/npu}]\ncluster: generic+taint:Sku-X=gpu:NoSchedule\n");
  CHECK(plain.words().found_in("limits: {nvidia.com/gpu: 1}"));
  CHECK_FALSE(plain.words().found_in("limits: {example.com/npu: 1}"));
  CHECK(configured.words().found_in("limits: {example.com/npu: 1}"));
  CHECK(configured.words().found_in("tolerations: [{key: sku-x}]"));
  CHECK_FALSE(configured.words().found_in("image: nginx"));
}

TEST_CASE("no configuration text makes the reader fail") {
  const std::string full = testing::read_file("testdata/config/full.yaml");
  for (std::size_t size = 0; size < full.size(); size += 3) {
    Policy policy;
    for (const PolicyProblem& problem : read(full.substr(0, size), policy)) CHECK_FALSE(problem.message.empty());
  }
  for (const char* odd : {"\xff\xfe", "a: &a [*a]", "a: *b", "? {}", "- - - -", "cluster: !!binary AA==", "ignore: [[[]]]", "rules: {? [a] : b}"}) {
    Policy policy;
    CHECK_MESSAGE(!read(odd, policy).empty(), odd);
  }
}

}  // namespace
}  // namespace gpulint
