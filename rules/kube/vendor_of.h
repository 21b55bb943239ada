// Vendor of what a pod asks for, of the image it runs and of the nodes it selects, for rules about parts that do not belong together.
// Everything here says Vendor::none where the text does not tell.
#pragma once
#include <string_view>

#include "rules/kube/accelerators.h"
#include "rules/kube/container.h"
#include "rules/kube/pod_template.h"

namespace gpulint {

/// The one vendor whose devices are asked for; none where no device is, where devices of several vendors are, and beside a claim, which
/// does not tell.
Vendor vendor_asked(const Container& container);
Vendor vendor_asked(const PodTemplate& pod);

/// The vendor that an image is built for: the GPU images of the table are NVIDIA's, others say it as a word of their name (`rocm`, `gaudi`).
Vendor vendor_of_image(std::string_view image, const AcceleratorTable& accelerators);

/// The vendor whose nodes a requirement selects, by its key or by its value (`accelerator: nvidia-a100`).
Vendor vendor_of_nodes(const NodeRequirement& requirement, const AcceleratorTable& accelerators);

}  // namespace gpulint
