#pragma once

#include <lanecull/language.hpp>

namespace lanecull {

/// A half-space in world coordinates: the points p with normal . p + offset >= 0. The normal's length does not matter.
struct Plane {
    double normal[3] = {0, 0, 0};
    double offset = 0;
};

}  // namespace lanecull
