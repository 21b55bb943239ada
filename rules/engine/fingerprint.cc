#include "rules/engine/fingerprint.h"

#include <fmt/core.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace gpulint {
namespace {

/// FNV-1a, 64 bits: stable across machines and versions of the standard library, which std::hash is not.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    mix(0x1f);  // a separator no name holds, so that ("ab", "c") is not ("a", "bc")
  }
  std::string hex() const { return fmt::format("{:016x}", state_); }

 private:
  void mix(unsigned char byte) {
    state_ ^= byte;
    state_ *= 0x100000001b3ULL;
  }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

/// The name of an element: its own, or that of the object it is (an item of a List).
std::string_view element_name(const Node& element) {
  const Node* name = element.find("name");
  if (!name) name = element.at("metadata", "name");
  return name && name->is_scalar() ? name->text : std::string_view{};
}

}  // namespace

std::string base_fingerprint(const Finding& finding, const Node* root) {
  Hash hash;
  hash.add(finding.rule ? finding.rule->id : std::string_view{});
  // The version is left out: moving an object from v1beta1 to v1 leaves its findings what they are.
  const std::string_view api(finding.object.api_version);
  hash.add(api.find('/') == std::string_view::npos ? std::string_view{} : api.substr(0, api.find('/')));
  hash.add(finding.object.kind);
  hash.add(finding.object.name_space);
  hash.add(finding.object.name);
  hash.add(finding.container);
  const Node* at = root;
  for (const std::string& token : finding.pointer.tokens()) {
    std::string_view step = token;
    const bool in_list = at && at->is_sequence();
    if (at) at = JsonPointer().append(token).resolve(*at);
    if (in_list && at && !element_name(*at).empty()) {
      hash.add("name");
      step = element_name(*at);
    }
    hash.add(step);
  }
  return hash.hex();
}

std::string fingerprint_of(std::span<const std::string> texts) {
  Hash hash;
  for (const std::string& text : texts) hash.add(text);
  return hash.hex();
}

void separate_equal_fingerprints(std::vector<Finding>& findings) {
  std::unordered_set<std::string> used;
  std::unordered_map<std::string, std::size_t> earlier;  // so that many equals do not each try all the numbers before theirs
  for (Finding& finding : findings) {
    const std::string base = finding.fingerprint;
    while (!used.insert(finding.fingerprint).second) {
      Hash hash;
      hash.add(base);
      hash.add(fmt::format("{}", ++earlier[base]));
      finding.fingerprint = hash.hex();
    }
  }
}

}  // namespace gpulint
