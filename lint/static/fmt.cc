// fmt's library of functions, compiled into a statically linked gpulint: Debian has it as a shared one only, and reading its code in every
// file (fmt's header-only mode) doubles the time to build. Instantiates what the headers of fmt 9 declare as compiled elsewhere.
#include <fmt/format-inl.h>

static_assert(FMT_VERSION >= 90000 && FMT_VERSION < 100000, "another fmt is used in header-only mode (CMakeLists.txt)");

FMT_BEGIN_NAMESPACE
namespace detail {
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
