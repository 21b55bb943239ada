// Which accelerator a mistyped resource name was meant to be; and names that are their own and must be left alone.
#include "rules/cluster/meant_resource.h"

#include <doctest/doctest.h>

#include "rules/kube/accelerator_data.h"

namespace gpulint {
namespace {

TEST_CASE("slips") {
  struct Row {
    std::string_view name, meant;
  };
  constexpr Row kRows[] = {
      {"nvidia.com/gpus", "nvidia.com/gpu"},
      {"nvidia.com/GPU", "nvidia.com/gpu"},
      {"Nvidia.com/gpu", "nvidia.com/gpu"},
      {"nvidia/gpu", "nvidia.com/gpu"},
      {"nvidia.io/gpu", "nvidia.com/gpu"},
      {"nvdia.com/gpu", "nvidia.com/gpu"},
      {"nvidia.com/gpu-shared", "nvidia.com/gpu.shared"},
      {"nvidia.com/gpu_mem", "nvidia.com/gpumem"},
      {"requests.nvidia.com/gpu", "nvidia.com/gpu"},
      {"limits.amd.com/gpu", "amd.com/gpu"},
      {"alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"},
      {"gpu", "nvidia.com/gpu"},
      {"intel.com/gpu", "gpu.intel.com/i915"},
      {"habana.com/gaudi", "habana.ai/gaudi"},
      {"google/tpu", "google.com/tpu"},
      {"aws/neuron", "aws.amazon.com/neuron"},
      {"aws.amazon.com/neuroncores", "aws.amazon.com/neuroncore"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.name);
    CHECK(meant_resource(row.name).value_or("nothing") == row.meant);
  }
}

TEST_CASE("names of their own") {
  for (std::string_view name : {"nvidia.com/a100", "nvidia.com/gpu0", "nvidia.com/gpu-a100", "nvidia.com/sgpu", "nvidia.com/hostdev", "nvidia.com/GA102GL",
                                "example.com/gpu", "nvidia.example.com/gpu", "gpu.example.com/gpu", "rdma/ib", "cpu", "memory", "ephemeral-storage",
                                "hugepages-2Mi", "smarter-devices/fuse", "vpc.amazonaws.com/efa", "", "/", "nvidia.com/", "/gpu"}) {
    CAPTURE(name);
    CHECK(meant_resource(name).value_or("nothing") == "nothing");
  }
}

TEST_CASE("names of MIG slices") {
  for (std::string_view right : {"nvidia.com/mig-1g.5gb", "nvidia.com/mig-7g.141gb", "nvidia.com/mig-1g.10gb.me", "nvidia.com/mig-1g.5gb.me.all",
                                 "nvidia.com/mig-3g.20gb.shared", "nvidia.com/gpu", "nvidia.com/migration", "example.com/mig-9g.1gb"}) {
    CAPTURE(right);
    CHECK_FALSE(is_wrong_mig_name(right));
  }
  for (std::string_view wrong : {"nvidia.com/mig-1g5gb", "nvidia.com/mig-1g.5g", "nvidia.com/mig-1.5gb", "nvidia.com/mig_1g.5gb", "nvidia.com/MIG-1g.5gb",
                                 "nvidia.com/mig-5g.20gb", "nvidia.com/mig-1g.10gb+me", "nvidia.com/mig", "nvidia.com/mig-1g.5gb "}) {
    CAPTURE(wrong);
    CHECK(is_wrong_mig_name(wrong));
  }
}

TEST_CASE("no name of the table is wrong") {
  for (const auto& row : accelerator_data::kResourceNames) CHECK_FALSE(is_wrong_mig_name(row.name));
  for (const auto& row : accelerator_data::kResourcePatterns) CHECK_FALSE(is_wrong_mig_name(row.sample));
}

}  // namespace
}  // namespace gpulint
