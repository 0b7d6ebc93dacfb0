#include "occluders/extend.hpp"

#include <algorithm>
#include <cstdint>

namespace lanecull::solids {
namespace {

/// Floats in their order as whole numbers: neighbours differ by 1.
std::int64_t number_of(float x) {
    const auto bits = __builtin_bit_cast(std::int32_t, x);
    return bits < 0 ? -std::int64_t{bits & 0x7fffffff} : std::int64_t{bits};
}
float float_of(std::int64_t number) {
    const auto bits = static_cast<std::uint32_t>(number < 0 ? -number : number);
    return __builtin_bit_cast(float, number < 0 ? bits | 0x80000000U : bits);
}

/// One face of a box, on its way outward.
class Face {
public:
    Face(const Solid& box, std::size_t axis, bool up) : box_(box), axis_(axis), up_(up) {}

    [[nodiscard]] float at() const { return up_ ? box_.hi[axis_] : box_.lo[axis_]; }
    [[nodiscard]] Solid moved_to(float to) const {
        Solid moved = box_;
        (up_ ? moved.hi : moved.lo)[axis_] = to;
        return moved;
    }
    /// How far towards `end` the face may go for this triangle, which it may not meet where it is.
    [[nodiscard]] float limit(const Triangle& triangle, float end) const {
        if (proved_apart(triangle, moved_to(end))) return end;
        std::int64_t good = number_of(at()), bad = number_of(end);
        while ((up_ ? bad - good : good - bad) > 1) {
            const std::int64_t middle = (good + bad) / 2;
            (proved_apart(triangle, moved_to(float_of(middle))) ? good : bad) = middle;
        }
        return float_of(good);
    }

private:
    const Solid& box_;
    std::size_t axis_;
    bool up_;
};

}  // namespace

void extend(const Array<Triangle>& triangles, Solid& box) {
    Solid bounds = box;
    for (const Triangle& t : triangles) {
        if (!proved_apart(t, box)) return;
        for (std::size_t k = 0; k < dimensions; ++k) {
            bounds.lo[k] = std::min(bounds.lo[k], t.low(k));
            bounds.hi[k] = std::max(bounds.hi[k], t.high(k));
        }
    }
    for (std::size_t k = 0; k < dimensions; ++k) {
        for (const bool up : {false, true}) {
            const Face face(box, k, up);
            float end = up ? bounds.hi[k] : bounds.lo[k];
            for (const Triangle& t : triangles) {
                if (end == face.at()) break;
                end = face.limit(t, end);
            }
            box = face.moved_to(end);
        }
    }
}

}  // namespace lanecull::solids
