// The built-in data of AcceleratorTable. A new accelerator is a row in accelerator_data.cc; samples prove the patterns in the tests.
#pragma once
#include <span>
#include <string_view>

#include "rules/kube/accelerators.h"

namespace gpulint::accelerator_data {

struct ResourceName {
  std::string_view name;
  Vendor vendor;
  ResourceRole role;
};

/// An RE2 pattern that the whole text has to match.
struct ResourcePattern {
  std::string_view pattern;
  Vendor vendor;
  ResourceRole role;
  std::string_view sample;  ///< one name it matches
};

/// An exact key, or a prefix ending in `*`.
struct Label {
  std::string_view key;
  Vendor vendor;
};

struct LabelPattern {
  std::string_view pattern;
  Vendor vendor;
  std::string_view sample;
};

struct Variable {
  std::string_view name;
  Vendor vendor;
};

/// A pattern that the end of `registry/repository:tag` has to match, from a `/` on.
struct ImagePattern {
  std::string_view pattern;
  std::string_view sample;
};

extern constinit const std::span<const ResourceName> kResourceNames;
extern constinit const std::span<const ResourcePattern> kResourcePatterns;
extern constinit const std::span<const Label> kLabels;
extern constinit const std::span<const LabelPattern> kLabelPatterns;
extern constinit const std::span<const Variable> kVariables;
extern constinit const std::span<const ImagePattern> kGpuImages;
extern constinit const std::span<const ImagePattern> kInfrastructureImages;
extern constinit const std::span<const std::string_view> kWords;

}  // namespace gpulint::accelerator_data
