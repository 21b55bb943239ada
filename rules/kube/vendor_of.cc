#include "rules/kube/vendor_of.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "rules/kube/placeholder.h"

namespace gpulint {
namespace {

struct VendorWord {
  std::string_view word;
  Vendor vendor;
};

// Values of labels: the vendor's name, or a family of devices that only it has.
constexpr VendorWord kLabelWords[] = {
    {"nvidia", Vendor::nvidia},      {"tesla", Vendor::nvidia},      {"amd", Vendor::amd},           {"radeon", Vendor::amd},
    {"instinct", Vendor::amd},       {"intel", Vendor::intel},       {"habana", Vendor::habana},     {"gaudi", Vendor::habana},
    {"inferentia", Vendor::neuron},  {"trainium", Vendor::neuron},   {"neuron", Vendor::neuron},     {"tpu", Vendor::tpu},
};

// Names of images: the software that only runs on that vendor's devices.
constexpr VendorWord kImageWords[] = {
    {"cuda", Vendor::nvidia},   {"rocm", Vendor::amd},     {"xpu", Vendor::intel},      {"gaudi", Vendor::habana},
    {"habana", Vendor::habana}, {"neuron", Vendor::neuron}, {"neuronx", Vendor::neuron}, {"tpu", Vendor::tpu},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether the word stands alone: `vllm-rocm:6.2` and `rocm6.2` hold `rocm`, `microcmd` does not.
bool holds_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

/// The one vendor named in the text; none where several are.
template <std::size_t size>
Vendor vendor_named(std::string_view text, const VendorWord (&words)[size]) {
  Vendor named = Vendor::none;
  for (const VendorWord& row : words) {
    if (!holds_word(text, row.word) || named == row.vendor) continue;
    if (named != Vendor::none) return Vendor::none;
    named = row.vendor;
  }
  return named;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// Adds a vendor to those seen so far: false once there are several.
bool agree(Vendor vendor, Vendor& seen) {
  if (seen == Vendor::none) seen = vendor;
  return seen == vendor;
}

}  // namespace

Vendor vendor_asked(const Container& container) {
  Vendor asked = Vendor::none;
  if (container.asks_by_claim) return asked;
  for (const Ask& ask : container.asks)
    if (ask.positive() && !agree(ask.accelerator.vendor, asked)) return Vendor::none;
  return asked;
}

Vendor vendor_asked(const PodTemplate& pod) {
  Vendor asked = Vendor::none;
  bool one = true;
  pod.for_each_container([&](const Container& container) {
    one = one && !container.asks_by_claim;
    for (const Ask& ask : container.asks) one = one && (!ask.positive() || agree(ask.accelerator.vendor, asked));
  });
  return one ? asked : Vendor::none;
}

Vendor vendor_of_image(std::string_view image, const AcceleratorTable& accelerators) {
  const Vendor named = vendor_named(lower_case(image), kImageWords);
  return named == Vendor::none && accelerators.is_gpu_image(image) ? Vendor::nvidia : named;
}

Vendor vendor_of_nodes(const NodeRequirement& requirement, const AcceleratorTable& accelerators) {
  if (requirement.operation != "In" && requirement.operation != "Exists" && requirement.operation != "Gt" && requirement.operation != "Lt")
    return Vendor::none;
  const auto says_nothing = [](std::string_view value) { return value.empty() || value == "false" || holds_placeholder(value); };
  if (std::any_of(requirement.values.begin(), requirement.values.end(), says_nothing)) return Vendor::none;
  const std::optional<Vendor> by_key = accelerators.node_label(requirement.key);
  if (!by_key || *by_key != Vendor::other) return by_key.value_or(Vendor::none);
  Vendor by_value = Vendor::none;
  for (std::string_view value : requirement.values)
    if (const Vendor named = vendor_named(lower_case(value), kLabelWords); named == Vendor::none || !agree(named, by_value)) return Vendor::none;
  return by_value;
}

}  // namespace gpulint
