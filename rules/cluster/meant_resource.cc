#include "rules/cluster/meant_resource.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>

#include "rules/cluster/closest_word.h"
#include "rules/kube/accelerator_data.h"

namespace gpulint {
namespace {

struct Alias {
  std::string_view name, meant;
};

// Names of former days, and names without a domain.
constexpr Alias kAliases[] = {
    {"alpha.kubernetes.io/nvidia-gpu", "nvidia.com/gpu"}, {"nvidia-gpu", "nvidia.com/gpu"},  {"gpu", "nvidia.com/gpu"}, {"gpus", "nvidia.com/gpu"},
    {"intel.com/gpu", "gpu.intel.com/i915"},
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string digits_of(std::string_view text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c >= '0' && c <= '9'; });
  return digits;
}

/// `nvdia.com`, `nvidia.io` or `nvidia` for `nvidia.com`.
bool is_slip_of_domain(std::string_view domain, std::string_view known) {
  if (edit_distance(domain, known) <= 2) return true;
  const std::string_view company = known.substr(0, known.find('.'));
  const std::string_view rest = domain.starts_with(company) ? domain.substr(company.size()) : domain;
  return company != "gpu" && domain.starts_with(company) && (rest.empty() || (rest.front() == '.' && rest.rfind('.') == 0));
}

/// A name with a letter in front (`vgpu`) or other digits (`gpu0`) is one of its own.
bool is_slip_of_name(std::string_view name, std::string_view known) {
  if (name == known) return true;
  if (name.empty() || name.front() != known.front() || digits_of(name) != digits_of(known)) return false;
  return edit_distance(name, known) <= (known.size() <= 4 ? 1u : 2u);
}

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

std::optional<std::string> meant_resource(std::string_view name) {
  for (std::string_view prefix : {"requests.", "limits."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  const std::string wanted = lower(name);
  for (const Alias& alias : kAliases)
    if (alias.name == wanted) return std::string(alias.meant);
  const std::size_t slash = wanted.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::string_view domain = std::string_view(wanted).substr(0, slash), local = std::string_view(wanted).substr(slash + 1);
  std::optional<std::string> closest;
  std::size_t smallest = std::string::npos;
  for (const accelerator_data::ResourceName& known : accelerator_data::kResourceNames) {
    const std::string row = lower(known.name);
    const std::size_t split = row.find('/');
    if (!is_slip_of_domain(domain, std::string_view(row).substr(0, split)) || !is_slip_of_name(local, std::string_view(row).substr(split + 1))) continue;
    const std::size_t distance = edit_distance(wanted, row);
    if (distance < smallest) {
      smallest = distance;
      closest = std::string(known.name);
    }
  }
  return closest;
}

// NVIDIA Multi-Instance GPU user guide: profiles have 1, 2, 3, 4 or 7 compute slices. The device plugin writes `+me` as `.me`.
bool is_wrong_mig_name(std::string_view name) {
  constexpr std::string_view kBeginning = "nvidia.com/mig";
  const std::string folded = lower(name);
  if (!folded.starts_with(kBeginning) || (folded.size() > kBeginning.size() && is_letter(folded[kBeginning.size()]))) return false;
  static const RE2 profile(R"(nvidia\.com/mig-[12347]g\.\d+gb(\.[a-z.-]+)*)", RE2::Quiet);
  return !RE2::FullMatch(re2::StringPiece(name.data(), name.size()), profile);
}

}  // namespace gpulint
