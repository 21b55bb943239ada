// The JSON Schema of `.gpulint.yaml`, made of what the reader knows (configuration.h) and what rules say about their settings.
#pragma once
#include <string>

namespace gpulint {

/// Draft 7, which every editor's YAML support reads.
std::string configuration_schema();

}  // namespace gpulint
