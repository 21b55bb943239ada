// Questions about a pod template as a whole that several rules ask.
#pragma once
#include "rules/kube/pod_template.h"

namespace gpulint {

/// Whether other objects complete the template, so that what is missing in it may stand there: a patch (containers without an image), a serving
/// or training runtime, a configuration.
bool completed_elsewhere(const PodTemplate& pod);

/// Whether it is the first container in start order: for rules that run on containers, because partial templates count too, but speak once a pod.
bool is_first_container(const Container& container, const PodTemplate& pod);

}  // namespace gpulint
