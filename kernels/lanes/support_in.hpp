#pragma once

/// Support points for the lanes that need them.

#include <cstdint>

#include <lanecull/prepared_view.hpp>

#include "lanes/inline.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Each lane's point of the shape farthest along v, in the lanes `asked`; hulls look for it lane by lane. What the
/// other lanes get is nobody's.
template <class Shape>
LANE_INLINE Vec3W support_in(const Shape& shape, const Frame& frame, const Vec3W& v, std::uint32_t asked) {
    if constexpr (requires { shape.support(frame, v, asked); }) {
        return shape.support(frame, v, asked);
    } else {
        return shape.support(frame, v);
    }
}

}  // namespace
}  // namespace lanecull
