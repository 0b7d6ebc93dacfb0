#pragma once

/// Shapes in memory, between steps that several packets take one after the other. A packet's way through a stage is a
/// chain of dependent operations, and longer than processors look ahead: step by step, they find the next packet's to
/// begin with.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// What support() looks at and a magnitude, written number by number: gcc 12 stores a whole shape twice.
template <class Shape>
struct StagedW {
    alignas(64) float number[Shape::lane_numbers + 1][lanes];

    LANE_INLINE void put(Shape shape) {
        std::uint32_t at = 0;
        shape.visit_lanes([&](FloatW& value) LANE_LAMBDA { store(number[at++], value); });
        // What is no shape has no magnitude, either: neither is sound.
        store(number[at], select(shape.valid, shape.magnitude, FloatW(__builtin_inff())));
    }
    LANE_INLINE Shape get() const {
        Shape shape;
        std::uint32_t at = 0;
        shape.visit_lanes([&](FloatW& value) LANE_LAMBDA { value = load(number[at++]); });
        shape.magnitude = load(number[at]);
        shape.valid = mask_of(all_lanes);
        return shape;
    }
};

}  // namespace
}  // namespace lanecull
