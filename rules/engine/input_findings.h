// Findings about the input itself: texts that cannot be read, unrendered templates, values of a wrong type. The rules they belong to
// (rules/checks) hold the metadata only; what is wrong is known here and in the reader.
#pragma once
#include <vector>

#include "rules/engine/context.h"
#include "rules/engine/engine.h"

namespace gpulint {

/// A document that kubectl would refuse: the finding, and the note that nothing in it was judged.
void report_unreadable(const Source& source, const Document& document, const Policy& policy, FileReport& report);

/// Unrendered documents of one file: one finding at the first of them, a note for each.
void report_unrendered(const Source& source, const std::vector<const Document*>& documents, const Policy& policy, FileReport& report);

/// Values of a built-in kind that have a type the API server refuses.
void report_wrong_types(const std::vector<WrongType>& wrong, Context& context);

/// A fault of this program while it judged a document: never silent, never passed on.
void report_fault(const Source& source, const Document& document, std::string_view what, const Policy& policy, FileReport& report);

}  // namespace gpulint
