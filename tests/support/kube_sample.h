// Inline YAML read into objects and pod templates; keeps everything alive that the views point into.
#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "rules/document/document.h"
#include "rules/document/json_pointer.h"
#include "rules/kube/object_view.h"

namespace gpulint::test {

class Sample {
 public:
  explicit Sample(std::string yaml, AcceleratorTable table = {}) : accelerators(std::move(table)), source_("sample.yaml", std::move(yaml)) {
    documents_ = read_manifest(source_, ReadOptions{});
    for (const Document& document : documents_.list) {
      CHECK_MESSAGE(document.state != DocumentState::invalid, document.problem);
      for (ObjectView& object : objects_in(document, accelerators)) objects.push_back(std::make_unique<ObjectView>(std::move(object)));
    }
    for (const auto& object : objects)
      for (PodTemplate& pod : pod_templates(*object, accelerators)) pods.push_back(std::move(pod));
  }
  Sample(const Sample&) = delete;
  Sample& operator=(const Sample&) = delete;

  const Node& root() const { return *documents_.list.front().root; }
  /// The first template; the test stops when there is none.
  const PodTemplate& pod() const {
    REQUIRE(!pods.empty());
    return pods.front();
  }
  const Container& container() const {
    REQUIRE(!pod().containers.empty());
    return pod().containers.front();
  }
  /// Where a node stands, from the document's root.
  std::string pointer(const Node* node) const { return node ? JsonPointer::to(place_of(*node), root()).text() : "(none)"; }

  AcceleratorTable accelerators;
  std::vector<std::unique_ptr<ObjectView>> objects;
  std::vector<PodTemplate> pods;

 private:
  Source source_;
  Documents documents_;
};

inline std::string state_name(FieldState state) {
  constexpr const char* kNames[] = {"absent", "null", "unknown", "invalid", "known"};
  return kNames[static_cast<int>(state)];
}

/// `pointer role container[resource=quantity,...]` for each template: what a test of the kinds table compares.
inline std::string summary(const Sample& sample) {
  std::string text;
  for (const PodTemplate& pod : sample.pods) {
    text += sample.pointer(pod.spec);
    if (!pod.role.empty()) text += " role=" + pod.role;
    if (pod.partial) text += " partial";
    pod.for_each_container([&](const Container& container) {
      text += " " + container.label();
      for (const Ask& ask : container.asks)
        text += " " + std::string(ask.resource) + "=" + (ask.quantity.known() ? ask.quantity.value.text() : state_name(ask.quantity.state));
      if (container.asks_by_claim) text += " claim";
    });
    text += "\n";
  }
  return text;
}

}  // namespace gpulint::test
