#pragma once

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

/// The number of cases that the random tests run, relative to a release build. It is the environment variable
/// LANECULL_TEST_SCALE, which CMake sets to less for sanitizers and which anyone may set to more.
[[nodiscard]] inline double test_scale() {
    const char* text = std::getenv("LANECULL_TEST_SCALE");
    const double value = text == nullptr ? 1 : std::atof(text);
    if (!(value > 0))
        throw std::runtime_error("LANECULL_TEST_SCALE must be a positive number, not " + std::string(text));
    return value;
}

/// count * test_scale(), at least 1.
[[nodiscard]] inline int scaled(int count) { return std::max(1, static_cast<int>(count * test_scale())); }
