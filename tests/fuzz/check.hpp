#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

/// Aborts unless `holds`. libFuzzer then keeps the input.
inline void check(bool holds, const char* claim, const std::string& about = {}) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n%s\n", claim, about.c_str());
    std::abort();
}
