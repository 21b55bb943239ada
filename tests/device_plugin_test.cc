// Which pod templates run NVIDIA's device plugin, what its settings are, and how its versions compare.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "rules/kube/device_plugin.h"
#include "tests/support/kube_sample.h"

namespace gpulint {
namespace {

TEST_CASE("versions compare as the plugin was released") {
  struct Row {
    const char *older, *newer;
  };
  const Row rows[] = {
      {"1.0.0-beta6", "v0.6.0"},      // the betas came before every 0.x
      {"1.0.0-beta", "1.0.0-beta.1"}, // both are as old as can be: equal is not newer
      {"v0.13.0", "v0.14.0"},     {"v0.9.0", "v0.14.0"},        {"v0.14.0-rc.1", "v0.14.0"},
      {"v0.14.5-ubi8", "v0.15.0"}, {"v0.15.0-rc.2", "v0.15.0"}, {"v0.13.9", "v0.14.0-rc.1"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.older);
    CAPTURE(row.newer);
    const auto older = PluginVersion::parse(row.older), newer = PluginVersion::parse(row.newer);
    REQUIRE(older.has_value());
    REQUIRE(newer.has_value());
    CHECK_FALSE(newer->older_than(*older));
    if (!newer->beta) CHECK(older->older_than(*newer));
  }
  for (const char* tag : {"", "latest", "devel", "v", "nightly-2026"}) {
    CAPTURE(tag);
    CHECK_FALSE(PluginVersion::parse(tag).has_value());
  }
}

std::string daemon_set(const std::string& image, const std::string& container, const std::string& folder) {
  return "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: plugin}\nspec:\n  template:\n    spec:\n      containers:\n      - name: plugin\n        image: \"" + image +
         "\"\n" + container + "        volumeMounts: [{name: d, mountPath: " + folder + "}]\n      volumes: [{name: d, hostPath: {path: " + folder + "}}]\n";
}

TEST_CASE("the plugin is known by its image and what it does") {
  struct Row {
    const char *image, *container, *folder;
    bool plugin;
  };
  const Row rows[] = {
      {"nvcr.io/nvidia/k8s-device-plugin:v0.17.0", "", "/var/lib/kubelet/device-plugins", true},
      {"nvcr.io/nvidia/k8s-device-plugin:v0.17.0", "        command: [nvidia-device-plugin]\n", "/etc/nvidia", true},
      {"nvcr.io/nvidia/k8s-device-plugin:v0.17.0", "        command: [gpu-feature-discovery]\n", "/etc/features.d", false},
      {"projecthami/hami:v2.5.0", "", "/var/lib/kubelet/device-plugins", true},
      {"rocm/k8s-device-plugin:1.25.2", "", "/var/lib/kubelet/device-plugins", false},
      {"FILLED BY THE OPERATOR", "", "/var/lib/kubelet/device-plugins", false},
      {"example/app:1", "", "/var/lib/kubelet/device-plugins", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.image);
    CAPTURE(row.container);
    const test::Sample sample(daemon_set(row.image, row.container, row.folder));
    CHECK(device_plugin_in(sample.pod()).has_value() == row.plugin);
  }
}

TEST_CASE("an option of the command line wins over the variable") {
  struct Row {
    const char *container, *value;
    bool known;
  };
  const Row rows[] = {
      {"", "", false},
      {"        env: [{name: MIG_STRATEGY, value: mixed}]\n", "mixed", true},
      {"        args: [--mig-strategy=single]\n        env: [{name: MIG_STRATEGY, value: mixed}]\n", "single", true},
      {"        args: [--mig-strategy, none]\n", "none", true},
      {"        args: [--mig-strategy]\n", "true", true},
      {"        env: [{name: MIG_STRATEGY, valueFrom: {configMapKeyRef: {name: c, key: k}}}]\n", "", false},
  };
  for (const Row& row : rows) {
    CAPTURE(row.container);
    const test::Sample sample(daemon_set("nvcr.io/nvidia/k8s-device-plugin:v0.17.0", row.container, std::string(kDevicePluginFolder)));
    const auto plugin = device_plugin_in(sample.pod());
    REQUIRE(plugin.has_value());
    const PluginSetting setting = plugin->setting("--mig-strategy", "MIG_STRATEGY");
    CHECK(setting.value == row.value);
    CHECK(setting.known == row.known);
  }
}

}  // namespace
}  // namespace gpulint
