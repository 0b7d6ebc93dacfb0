#pragma once

#include <cstdio>
#include <string>

/// " a b c", in hexadecimal: enough to repeat the numbers.
template <class Numbers>
std::string written(const Numbers& numbers) {
    std::string text;
    for (const auto number : numbers) {
        char digits[40];
        std::snprintf(digits, sizeof digits, " %a", static_cast<double>(number));
        text += digits;
    }
    return text;
}
