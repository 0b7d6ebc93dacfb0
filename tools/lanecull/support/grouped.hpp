#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lanecull::program {

/// "1234567.8" -> "1,234,567.8". Counts are written so; numbers that an option takes are not, to be copied.
[[nodiscard]] inline std::string grouped(std::string number) {
    const std::size_t sign = number.starts_with('-') ? 1 : 0;
    std::size_t end = std::min(number.find('.'), number.size());
    for (; end > sign + 3; end -= 3) number.insert(end - 3, 1, ',');
    return number;
}
[[nodiscard]] inline std::string grouped(std::uint64_t number) { return grouped(std::to_string(number)); }
/// With so many decimals.
[[nodiscard]] inline std::string grouped(double number, int decimals) {
    return grouped(fmt::format("{:.{}f}", number, decimals));
}
/// "1 object", "1,234 objects"; "2 meshes".
[[nodiscard]] inline std::string counted(std::uint64_t number, const std::string& one, const std::string& many) {
    return grouped(number) + ' ' + (number == 1 ? one : many);
}
[[nodiscard]] inline std::string counted(std::uint64_t number, const std::string& thing) {
    return counted(number, thing, thing + 's');
}

}  // namespace lanecull::program
