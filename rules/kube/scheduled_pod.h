// Whether a Pod was read back from a cluster: its scheduler or its controller has filled in fields that an author leaves alone.
#pragma once
#include "rules/kube/object_view.h"

namespace gpulint {

/// A Pod with a status of the kubelet, or with an owner: its nodeName is the scheduler's.
bool was_scheduled(const ObjectView& object);

}  // namespace gpulint
