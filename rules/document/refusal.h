// What both readers do before they read: refuse text in another encoding, and leave alone what cannot matter.
#pragma once
#include <string_view>

#include "rules/document/document.h"

namespace gpulint {

Documents make_documents(const Source& source);

/// UTF-16, UTF-32 and binary input become one invalid document.
bool refuse(const Source& source, Documents& documents);

/// Whether a word of the filter stands in the text, or an escape that could spell one. Without a filter everything matters.
bool may_matter(std::string_view text, const WordFilter* words);

}  // namespace gpulint
