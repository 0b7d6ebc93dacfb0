#pragma once

#include <lanecull/solids.h>

#include <cstddef>
#include <cstdint>

#include "base/memory.hpp"

namespace lanecull::solids {

constexpr std::size_t dimensions = 3;

/// lo <= p <= hi with lo < hi along each axis: all of it is filled. Comparisons of floats are exact, so whatever is
/// decided by them alone holds for real numbers. There is no -0 among them, so that equal boxes are equal bytes.
struct Solid {
    float lo[dimensions], hi[dimensions];
};

inline bool contains(const Solid& outer, const Solid& inner) {
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (!(outer.lo[k] <= inner.lo[k] && inner.hi[k] <= outer.hi[k])) return false;
    }
    return true;
}

/// Whether they share more than a boundary.
inline bool overlap(const Solid& a, const Solid& b) {
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (!(a.lo[k] < b.hi[k] && b.lo[k] < a.hi[k])) return false;
    }
    return true;
}

/// Half the surface, rounded. For choices, not for proofs.
inline double area(const Solid& s) {
    double size[dimensions];
    for (std::size_t k = 0; k < dimensions; ++k) {
        size[k] = static_cast<double>(s.hi[k]) - static_cast<double>(s.lo[k]);
    }
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

/// Larger ones first. A total order: solids that compare equal are equal.
inline bool is_larger(const Solid& a, const Solid& b) {
    const double of_a = area(a), of_b = area(b);
    if (of_a != of_b) return of_a > of_b;
    for (std::size_t k = 0; k < dimensions; ++k) {
        if (a.lo[k] != b.lo[k]) return a.lo[k] < b.lo[k];
        if (a.hi[k] != b.hi[k]) return a.hi[k] < b.hi[k];
    }
    return false;
}

}  // namespace lanecull::solids

/// Boxes, and who covers them.
struct lanecull_solid_boxes : lanecull::Allocated {
    lanecull::Array<float> streams;              ///< min_x, min_y, min_z, max_x, max_y, max_z, one after the other
    lanecull::Array<std::uint64_t> first_owner;  ///< count + 1 of them, or none where there are no owners
    lanecull::Array<std::uint32_t> owners;
    std::uint32_t count = 0;

    [[nodiscard]] bool store(const lanecull::Array<lanecull::solids::Solid>& boxes) noexcept;
};
