// What a named cluster means, and how names, add-ons and taints are written.
#include "rules/cluster/cluster.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "rules/cluster/closest_word.h"

namespace gpulint {
namespace {

Cluster parsed(std::string_view text) {
  std::string error;
  auto cluster = Cluster::parse(text, error);
  REQUIRE_MESSAGE(cluster, text, ": ", error);
  return *cluster;
}

std::string_view word(Answer answer) { return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "unknown"; }

std::string_view word(Injection injection) {
  switch (injection) {
    case Injection::unknown: return "unknown";
    case Injection::envvar: return "envvar";
    case Injection::cdi: return "cdi";
    case Injection::own: break;
  }
  return "own";
}

TEST_CASE("what each preset means") {
  struct Row {
    std::string_view name, class_needed, injection, tolerations, only_those_classes;
  };
  constexpr Row kRows[] = {
      {"generic", "unknown", "unknown", "unknown", "unknown"},  {"gpu-operator", "no", "cdi", "unknown", "unknown"},
      {"gpu-operator-nri", "no", "cdi", "unknown", "yes"},      {"gpu-operator-legacy", "no", "envvar", "unknown", "unknown"},
      {"gke", "no", "own", "yes", "yes"},                       {"gke-autopilot", "no", "own", "yes", "yes"},
      {"eks", "no", "envvar", "yes", "yes"},                    {"aks", "no", "envvar", "unknown", "yes"},
      {"k3s", "yes", "envvar", "no", "unknown"},                {"containerd", "yes", "envvar", "no", "unknown"},
      {"docker", "no", "envvar", "no", "yes"},                  {"openshift", "no", "cdi", "unknown", "unknown"},
  };
  CHECK(presets().size() == std::size(kRows));
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    const Cluster cluster = parsed(row.name);
    CHECK(cluster.preset().name == row.name);
    CHECK(word(cluster.needs_runtime_class()) == row.class_needed);
    CHECK(word(cluster.injection()) == row.injection);
    CHECK(word(cluster.preset().adds_tolerations) == row.tolerations);
    CHECK(word(cluster.preset().has_only_those_classes) == row.only_those_classes);
    CHECK_FALSE(cluster.preset().description.empty());
    CHECK(cluster.is_generic() == (row.name == "generic"));
    CHECK(cluster.is_gke() == row.name.starts_with("gke"));
    CHECK(cluster.is_gpu_operator() == row.name.starts_with("gpu-operator"));
  }
}

TEST_CASE("shipped RuntimeClasses") {
  struct Row {
    std::string_view cluster, name;
    bool ships;
  };
  constexpr Row kRows[] = {
      {"gpu-operator", "nvidia", true},         {"gpu-operator", "nvidia-legacy", true}, {"gpu-operator-nri", "nvidia", false},
      {"gpu-operator-legacy", "nvidia", true},  {"gpu-operator-legacy", "nvidia-cdi", false}, {"k3s", "nvidia", true},
      {"k3s", "nvidia-experimental", true},     {"containerd", "nvidia", false},         {"gke", "nvidia", false},
      {"generic", "nvidia", false},             {"openshift", "nvidia", true},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.cluster);
    CAPTURE(row.name);
    CHECK(parsed(row.cluster).ships_runtime_class(row.name) == row.ships);
  }
}

TEST_CASE("names are read as they are written") {
  struct Row {
    std::string_view text, name;
  };
  constexpr Row kRows[] = {
      {"gke", "gke"},
      {"gke+dra", "gke+dra"},
      {"dra", "generic+dra"},
      {"dra+gke", "gke+dra"},
      {"kai+kai+eks", "eks+kai"},
      {"k3s+volcano+hami", "k3s+hami+volcano"},
      {"generic+taint:sku=gpu:NoSchedule", "generic+taint:sku=gpu:NoSchedule"},
      {"taint:dedicated:NoExecute", "generic+taint:dedicated:NoExecute"},
      {"aks+taint:example.com/gpu=a.b-c:PreferNoSchedule+taint:sku=gpu:NoSchedule",
       "aks+taint:example.com/gpu=a.b-c:PreferNoSchedule+taint:sku=gpu:NoSchedule"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.text);
    CHECK(parsed(row.text).name() == row.name);
    CHECK(parsed(parsed(row.text).name()).name() == row.name);
  }
  const Cluster tainted = parsed("generic+taint:sku=gpu:NoSchedule+taint:dedicated:NoExecute");
  REQUIRE(tainted.taints().size() == 2);
  CHECK(tainted.taints()[0].key == "sku");
  CHECK(tainted.taints()[0].value == "gpu");
  CHECK(tainted.taints()[0].effect == "NoSchedule");
  CHECK(tainted.taints()[1].value.empty());
}

TEST_CASE("what is wrong with a name, and what was meant") {
  struct Row {
    std::string_view text, error;
  };
  constexpr std::string_view kAll =
      "presets are generic, gpu-operator, gpu-operator-nri, gpu-operator-legacy, gke, gke-autopilot, eks, aks, k3s, containerd, docker, openshift";
  const std::string everything = fmt::format("{}; add-ons are hami, volcano, kai, dra", kAll);
  const std::string no_name = fmt::format("the cluster has no name; {}", kAll), other = fmt::format("unknown cluster \"minikube-x\"; {}", everything);
  const Row rows[] = {
      {"", no_name},
      {"minikube-x", other},
      {"gkee", "unknown cluster \"gkee\"; did you mean \"gke\"?"},
      {"GKE", "unknown cluster \"GKE\"; did you mean \"gke\"?"},
      {"gpu_operator", "unknown cluster \"gpu_operator\"; did you mean \"gpu-operator\"?"},
      {"gke+drah", "unknown cluster \"drah\"; did you mean \"dra\"?"},
      {"gke+", "cluster \"gke+\" has an empty part; write for example gke+dra"},
      {"gke+eks", "cluster \"gke+eks\" names two presets, \"gke\" and \"eks\"; one cluster has one"},
      {"gke+gke", "cluster \"gke+gke\" names two presets, \"gke\" and \"gke\"; one cluster has one"},
      {"taint:sku=gpu", "taint \"sku=gpu\" has no effect; write key=value:NoSchedule or key:NoSchedule"},
      {"taint:sku=gpu:NoShedule", "taint \"sku=gpu:NoShedule\" has the unknown effect \"NoShedule\"; did you mean \"NoSchedule\"?"},
      {"taint:sku=gpu:Deny", "taint \"sku=gpu:Deny\" has the unknown effect \"Deny\"; there are NoSchedule, PreferNoSchedule and NoExecute"},
      {"taint:=gpu:NoSchedule", "taint \"=gpu:NoSchedule\" is not of the form key=value:effect; keys and values hold letters, digits, '-', '_' and '.'"},
      {"taint:a b:NoSchedule", "taint \"a b:NoSchedule\" is not of the form key=value:effect; keys and values hold letters, digits, '-', '_' and '.'"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    std::string error;
    CHECK_FALSE(Cluster::parse(row.text, error).has_value());
    CHECK(error == row.error);
  }
}

TEST_CASE("add-ons that bring their own way make the RuntimeClass needless") {
  struct Row {
    std::string_view cluster, needed;
  };
  constexpr Row kRows[] = {{"k3s", "yes"}, {"k3s+dra", "no"}, {"k3s+kai", "no"}, {"k3s+hami", "no"}, {"k3s+volcano", "yes"}, {"dra", "no"}, {"volcano", "unknown"}};
  for (const Row& row : kRows) {
    CAPTURE(row.cluster);
    CHECK(word(parsed(row.cluster).needs_runtime_class()) == row.needed);
  }
}

TEST_CASE("the closest word is one that could be a slip") {
  const std::vector<std::string> words = {"missing-runtime-class", "missing-spread", "gke", "eks", "error", "off"};
  struct Row {
    std::string_view word, meant;
  };
  constexpr Row kRows[] = {{"mising-runtime-class", "missing-runtime-class"}, {"missing_runtime_class", "missing-runtime-class"},
                           {"Missing-Spread", "missing-spread"}, {"gek", "gke"}, {"abc", ""}, {"", ""}, {"eror", "error"},
                           {"on", ""}, {"runtime", ""}};
  for (const Row& row : kRows) {
    CAPTURE(row.word);
    CHECK(closest_word(row.word, words).value_or("") == row.meant);
  }
  CHECK_FALSE(closest_word(std::string(1'000'000, 'x'), words).has_value());
}

}  // namespace
}  // namespace gpulint
