#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Aborts unless `holds`. libFuzzer then keeps the input.
inline void check(bool holds, const char* claim, const std::string& about = {}) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n%s\n", claim, about.c_str());
    std::abort();
}

/// Of an error of a file's reader. What is finite may still be too large for the library, which names no file.
inline void check_names(std::string_view message, std::string_view file) {
    check(message.starts_with(file) || message.find("hull") != std::string_view::npos ||
              message.find("bounding") != std::string_view::npos,
          "an error names the file", std::string(message));
}
