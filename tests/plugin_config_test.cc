// Where the device plugin's configuration file is recognised, and where each of its keys belongs.
#include <doctest/doctest.h>

#include "rules/kube/plugin_config.h"
#include "tests/support/kube_sample.h"

namespace gpulint {
namespace {

TEST_CASE("a key at another place has a right place, an unknown one has none") {
  struct Row {
    const char *path, *key, *right;
  };
  const Row rows[] = {
      {"flags", "migStrategy", ""},
      {"", "migStrategy", "flags"},
      {"flags", "renameByDefault", "sharing.timeSlicing"},
      {"sharing.timeSlicing", "renameByDefault", ""},
      {"sharing.mps", "renameByDefault", ""},
      {"sharing", "failRequestsGreaterThanOne", "sharing.timeSlicing"},
      {"flags", "passDeviceSpecs", "flags.plugin"},
      {"flags.plugin", "passDeviceSpecs", ""},
      {"sharing.mps.resources", "replicas", ""},
      {"sharing.mps", "replicas", "sharing.timeSlicing.resources"},
      {"flags", "somethingNew", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    CAPTURE(row.key);
    CHECK(right_place_of_key(row.path, row.key) == row.right);
  }
}

TEST_CASE("configurations are found as files, in ConfigMaps and in values") {
  struct Row {
    const char* text;
    std::size_t found;
  };
  const Row rows[] = {
      {"version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n", 1},
      {"apiVersion: v1\nkind: ConfigMap\ndata:\n  any: |\n    version: v1\n    flags: {migStrategy: none}\n  b: |\n    version: v1\n    sharing: {}\n", 2},
      {"config:\n  map:\n    default: |\n      version: v1\n      flags: {migStrategy: none}\n", 1},
      {"version: v2\nflags: {migStrategy: none}\n", 0},
      {"version: v1\nsharing: off\n", 0},
      {"a: 'version: v1'\n", 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    const test::Sample sample(row.text);
    CHECK(plugin_configurations(sample.root()).size() == row.found);
  }
}

}  // namespace
}  // namespace gpulint
