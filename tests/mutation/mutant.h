// What an instrumented rule calls at each of its conditions (see mutate.py). In one run one condition is answered wrongly: the one whose
// number stands in the environment variable GPULINT_MUTANT.
#pragma once
#include <type_traits>

namespace gpulint::mutation {

bool answer(unsigned number, bool value);

/// Constants stay what they are: the compiler has to agree with itself.
constexpr bool at(unsigned number, bool value) { return std::is_constant_evaluated() ? value : answer(number, value); }

}  // namespace gpulint::mutation
