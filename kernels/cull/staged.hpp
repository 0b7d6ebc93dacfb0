#pragma once

/// Shapes in memory, between steps that several packets take one after the other. A packet's operations in a stage are
/// one chain of dependent operations, longer than processors look ahead. Step by step, the processor finds the next
/// packet's operations to begin with.

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// The numbers that support() reads, and the magnitude. They are written number by number, because gcc 12 stores a
/// whole shape twice.
template <class Shape>
struct StagedW {
    alignas(64) float number[Shape::lane_numbers + 1][lanes];

    /// Not by value, which would be a copy in memory (lanes/box.hpp). The shape stays as it is.
    LANE_INLINE void put(Shape& shape) {
        std::uint32_t at = 0;
        shape.visit_lanes([&](FloatW& value) LANE_LAMBDA { store(number[at++], value); });
        // What is not a shape gets an infinite magnitude instead: it is not sound either way.
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
