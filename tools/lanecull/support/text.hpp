#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

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

/// A name from a file as it may be printed on a terminal: in one line and without control characters, for each of which
/// it has a question mark. Those of UTF-8 from 0x80 to 0x9F are among them.
[[nodiscard]] inline std::string printable(std::string_view name) {
    std::string text(name);
    std::ranges::replace_if(
        text, [](unsigned char c) { return c < 32 || c == 127; }, '?');
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        if (text[i] == '\xC2' && static_cast<unsigned char>(text[i + 1]) < 0xA0) text.replace(i, 2, "?");
    }
    return text;
}

}  // namespace lanecull::program
