#include "rules/kube/scheduled_pod.h"

namespace gpulint {

bool was_scheduled(const ObjectView& object) {
  if (!object.is("", "Pod")) return false;
  const Node* status = object.root->find("status");
  const Node* owners = object.root->at("metadata", "ownerReferences");
  return (status && (status->find("startTime") || status->find("hostIP") || status->find("conditions"))) || (owners && owners->size > 0);
}

}  // namespace gpulint
