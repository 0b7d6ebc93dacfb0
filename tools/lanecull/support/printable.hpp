#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace lanecull::program {

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
