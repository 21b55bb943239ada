#include "rules/kube/accelerators.h"

#include <re2/re2.h>

#include <algorithm>
#include <mutex>

#include "rules/kube/accelerator_data.h"
#include "rules/kube/image_reference.h"

namespace gpulint {
namespace {

constexpr std::string_view kVendorNames[] = {
    "no vendor", "NVIDIA", "AMD",     "Intel",        "Intel Gaudi",   "AWS Neuron", "Google TPU", "Huawei Ascend", "Cambricon",
    "Hygon",     "MetaX",  "Moore Threads", "Iluvatar", "Enflame", "Kunlunxin",  "Vastai",     "Biren",         "another vendor",
};
static_assert(std::size(kVendorNames) == static_cast<std::size_t>(Vendor::other) + 1);

/// A pattern that is compiled when it is first asked.
class LazyPattern {
 public:
  explicit LazyPattern(std::string text) : text_(std::move(text)) {}
  bool matches(std::string_view text) const {
    std::call_once(once_, [this] { compiled_ = std::make_unique<RE2>(text_, RE2::Quiet); });
    return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), *compiled_);
  }

 private:
  std::string text_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<RE2> compiled_;
};

/// A domain alone (`nvidia.com/`) is no name in it.
bool matches_key(std::string_view pattern, std::string_view key) {
  if (!pattern.ends_with('*')) return pattern == key;
  pattern.remove_suffix(1);
  return key.starts_with(pattern) && !(pattern == key && pattern.ends_with('/'));
}

/// All patterns of a table as one: an image is looked up against all of them at once.
std::string any_of(std::span<const accelerator_data::ImagePattern> patterns) {
  std::string all;
  for (const auto& row : patterns) all.append(all.empty() ? "" : "|").append("(?:").append(row.pattern).append(")");
  return "(?:.*/)?(?:" + all + ")";
}

/// Every image of the tables holds one of the words (accelerators_test proves it). Most images hold none, and a run that meets no
/// other never compiles the patterns, which takes longer than everything else about a small file.
bool holds_word(std::string_view image) {
  return std::any_of(accelerator_data::kWords.begin(), accelerator_data::kWords.end(),
                     [&](std::string_view word) { return image.find(word) != std::string_view::npos; });
}

}  // namespace

struct AcceleratorTable::Data {
  std::vector<accelerator_data::ResourceName> names;  // sorted
  std::vector<std::unique_ptr<LazyPattern>> resource_patterns, label_patterns;
  LazyPattern gpu_images{any_of(accelerator_data::kGpuImages)};
  LazyPattern infrastructure_images{any_of(accelerator_data::kInfrastructureImages)};

  Data() : names(accelerator_data::kResourceNames.begin(), accelerator_data::kResourceNames.end()) {
    std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    for (const auto& row : accelerator_data::kResourcePatterns)
      resource_patterns.push_back(std::make_unique<LazyPattern>(std::string(row.pattern)));
    for (const auto& row : accelerator_data::kLabelPatterns)
      label_patterns.push_back(std::make_unique<LazyPattern>(std::string(row.pattern)));
  }

  std::optional<Accelerator> exact(std::string_view name) const {
    const auto found = std::lower_bound(names.begin(), names.end(), name, [](const auto& row, std::string_view n) { return row.name < n; });
    if (found == names.end() || found->name != name) return std::nullopt;
    return Accelerator{found->vendor, found->role};
  }

  std::optional<Accelerator> pattern(std::string_view name) const {
    for (std::size_t i = 0; i < resource_patterns.size(); ++i) {
      const auto& row = accelerator_data::kResourcePatterns[i];
      // The patterns begin with a literal domain: a name of another one never reaches the pattern matcher.
      if (row.sample.substr(0, row.sample.find('/')) != name.substr(0, name.find('/'))) continue;
      if (resource_patterns[i]->matches(name)) return Accelerator{row.vendor, row.role};
    }
    return std::nullopt;
  }
};

std::string_view vendor_name(Vendor vendor) { return kVendorNames[static_cast<std::size_t>(vendor)]; }

bool asks_for_device(ResourceRole role) { return role != ResourceRole::modifier && role != ResourceRole::monitoring; }

// The built-in data never changes, so all tables share it.
AcceleratorTable::AcceleratorTable() {
  static const std::shared_ptr<const Data> data = std::make_shared<const Data>();
  builtin_ = data;
}
AcceleratorTable::~AcceleratorTable() = default;
AcceleratorTable::AcceleratorTable(const AcceleratorTable&) = default;
AcceleratorTable& AcceleratorTable::operator=(const AcceleratorTable&) = default;

void AcceleratorTable::add(AcceleratorEntry entry) { added_.push_back(std::move(entry)); }

std::optional<Accelerator> AcceleratorTable::resource(std::string_view name) const {
  for (const AcceleratorEntry& entry : added_)
    if (entry.resource == name) return entry.accelerator;
  const bool qualified = name.find('/') != std::string_view::npos;
  if (qualified)
    if (const auto found = builtin_->exact(name)) return found;
  for (const AcceleratorEntry& entry : added_)
    if (matches_key(entry.resource, name)) return entry.accelerator;
  return qualified ? builtin_->pattern(name) : std::nullopt;
}

std::optional<Vendor> AcceleratorTable::node_label(std::string_view key) const {
  for (const accelerator_data::Label& label : accelerator_data::kLabels)
    if (matches_key(label.key, key)) return label.vendor;
  if (!key.starts_with("feature.node.kubernetes.io/pci-")) return std::nullopt;
  for (std::size_t i = 0; i < builtin_->label_patterns.size(); ++i)
    if (builtin_->label_patterns[i]->matches(key)) return accelerator_data::kLabelPatterns[i].vendor;
  return std::nullopt;
}

std::optional<Vendor> AcceleratorTable::visibility_variable(std::string_view name) const {
  for (const accelerator_data::Variable& variable : accelerator_data::kVariables)
    if (variable.name == name) return variable.vendor;
  return std::nullopt;
}

bool AcceleratorTable::is_gpu_image(std::string_view image) const {
  return holds_word(image) && builtin_->gpu_images.matches(image.substr(0, image.find('@'))) && !is_infrastructure_image(image);
}

bool AcceleratorTable::is_infrastructure_image(std::string_view image) const {
  return holds_word(image) && builtin_->infrastructure_images.matches(image);
}

std::vector<std::string> AcceleratorTable::words() const {
  std::vector<std::string> words(accelerator_data::kWords.begin(), accelerator_data::kWords.end());
  for (const AcceleratorEntry& entry : added_) {
    std::string word = entry.resource;
    if (word.ends_with('*')) word.pop_back();
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c); });
    words.push_back(std::move(word));
  }
  return words;
}

bool is_extended_resource(std::string_view name) {
  return name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos && !name.starts_with("requests.");
}

}  // namespace gpulint
