#include "support/scale.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

double test_scale() {
    static const double scale = [] {
        const char* text = std::getenv("LANECULL_TEST_SCALE");
        const double value = text == nullptr ? 1 : std::atof(text);
        if (!(value > 0))
            throw std::runtime_error("LANECULL_TEST_SCALE must be a positive number, not " + std::string(text));
        return value;
    }();
    return scale;
}

int scaled(int count) { return std::max(1, static_cast<int>(count * test_scale())); }
