// NVIDIA_VISIBLE_DEVICES as the container runtime reads it, CUDA_VISIBLE_DEVICES as the CUDA driver does.
#include "rules/kube/visible_devices.h"

#include <doctest/doctest.h>

#include <string>

using namespace gpulint;

namespace {

/// `0 1 stopped`: the indices, and what else was found.
std::string shown(const CudaVisibleDevices& devices) {
  std::string text;
  for (const std::int64_t index : devices.indices) text += std::to_string(index) + " ";
  if (devices.by_uuid) text += "uuid ";
  if (devices.duplicates) text += "duplicates ";
  if (devices.stopped) text += "stopped ";
  if (devices.hides_all()) text += "hides all ";
  return text.substr(0, text.empty() ? 0 : text.size() - 1);
}

struct Row {
  const char* value;
  const char* expected;
};

}  // namespace

TEST_CASE("CUDA_VISIBLE_DEVICES") {
  constexpr Row kRows[] = {
      {"0", "0"},
      {"0,1", "0 1"},
      {" 1 , 0 ", "1 0"},
      {"1gpu2,2ampere", "1 2"},
      {"+1", "1"},
      {"0-3", "0"},
      {"", "stopped hides all"},
      {"-1", "stopped hides all"},
      {"NoDevFiles", "stopped hides all"},
      {"all", "stopped hides all"},
      {"none", "stopped hides all"},
      {"0,-1,1", "0 stopped"},
      {"0,,1", "0 stopped"},
      {"0,x,1", "0 stopped"},
      {"0,x,0", "0 stopped"},
      {"0,1,0", "0 1 duplicates hides all"},
      {"0,00", "0 duplicates hides all"},
      {"99999999999999999999", "9223372036854775807"},
      {"GPU-8932f937", "uuid"},
      {"GPU-8932f937,GPU-46451220", "uuid"},
      {"GPU-8932f937,GPU-8932f937", "uuid duplicates hides all"},
      {"GPU-8932f937,1", "uuid stopped"},
      {"MIG-4f4f9b30-0d31-5a3b-8d0f-2f3f0d3c4c4c", "uuid"},
      {"0,GPU-8932f937", "0 stopped"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.value);
    CHECK(shown(CudaVisibleDevices::parse(row.value)) == row.expected);
  }
}

TEST_CASE("which values of NVIDIA_VISIBLE_DEVICES bring devices") {
  for (const char* value : {"all", "0", "0,1", "GPU-8932f937", "MIG-4f4f9b30", "0:1", "all,none"}) CHECK_MESSAGE(shows_nvidia_devices(value), value);
  for (const char* value : {"", "void", "none", "all,void", "none,all", " void ", ","}) CHECK_MESSAGE(!shows_nvidia_devices(value), value);
}

TEST_CASE("which values of NVIDIA_VISIBLE_DEVICES name a device beyond the first two") {
  for (const char* value : {"all", "2", "0,2", "7", "0,all", "0, 5"}) CHECK_MESSAGE(names_devices_beyond(value, 2), value);
  for (const char* value : {"0", "1", "0,1", "none", "void", "", "GPU-8932f937", "0:3", "MIG-4f4f9b30"}) CHECK_MESSAGE(!names_devices_beyond(value, 2), value);
}
