// The presets as a table for people: what each answers about RuntimeClasses and devices. Made from the presets themselves.
#pragma once
#include <string>

namespace gpulint {

/// Columns aligned with blanks, for a terminal.
std::string preset_table();
std::string preset_table_markdown();

}  // namespace gpulint
