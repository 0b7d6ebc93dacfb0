#pragma once

#include <optional>
#include <span>
#include <vector>

#include "properties/bounds/bounds.hpp"
#include "support/objects.hpp"

/// Objects that are hard to bound, and how far they reach.
namespace properties {

/// Which numbers objects have.
enum class Numbers {
    moderate,  ///< 10^-3 to 10^3, none below 2^-30 but 0, so that 2^k times each is exact for |k| <= 60
    any,  ///< sizes of 10^-45 to 10^37, split between two factors by up to 2^+-126; quaternions of any valid length
    unchecked,  ///< any floats, also those that make no object; objects with one number that none has among them
};

/// A few hulls of up to 12 vertices. Where numbers may be any, some are as large or small as an instance's transform
/// makes up for.
[[nodiscard]] HullSet random_hull_set(Random& random, Numbers numbers);
/// A valid object unless its numbers are unchecked, perhaps with a margin and a sweep.
[[nodiscard]] Object random_shape(Random& random, Kind kind, Numbers numbers, const HullSet& hulls);

/// A trial of objects, some of which are instances of a few hulls.
class ShapesTrial : public BoundsTrial {
public:
    ShapesTrial(Trial& trial, Numbers numbers)
        : BoundsTrial(trial), numbers_(numbers), hulls_(random_hull_set(trial.random, numbers)) {}

protected:
    [[nodiscard]] Object draw(Kind kind) const { return random_shape(random(), kind, numbers_, hulls_); }

    Numbers numbers_;
    HullSet hulls_;
};

/// A number of an object's fields becomes one that no object has, or a pair of them, or its margin or sweep. A hull may
/// be one that is not there, unless `hull_count` is 0.
void break_one(Random& random, Kind kind, Object& object, std::size_t hull_count);
/// Whether numbers make an object, whatever their size; none if a quaternion's length is so near to its limits that
/// rounding decides.
[[nodiscard]] std::optional<bool> is_object(Kind kind, const Object& object, std::size_t hull_count);

/// What bounding_radii() or bounding_spheres() finds of a batch; those of boxes are around the boxes' centres. Empty if
/// they fail, or if the kind has neither.
[[nodiscard]] std::vector<lanecull::SphereBounds> spheres_of(const lanecull::Batch& batch);
[[nodiscard]] constexpr bool has_spheres(Kind kind) {
    return has_transform(kind) || kind == Kind::oriented_box || kind == Kind::quaternion_box;
}
/// The objects' shapes, margins and sweeps; oriented boxes and instances have no bounds.
[[nodiscard]] lanecull::Batch unbounded_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls,
                                              Memory& memory);

/// A camera that looks along an axis of the world, or against it (sign -1), so that planes of equal depth have the
/// numbers of their depths. Clip coordinates x, y and w are the two axes after that and the depth; column by column.
[[nodiscard]] std::array<double, 16> axis_camera(std::size_t axis, float sign);

/// Corner `corner` of 8 of an oriented box, from its centre. The axes are 9 floats, then there are 3 half-extents.
template <class Exactly>
[[nodiscard]] std::array<NumberOf<Exactly>, 3> corner_offset(const float* axes, const float* half, int corner,
                                                             Exactly exactly) {
    std::array<NumberOf<Exactly>, 3> offset{exactly(0.0), exactly(0.0), exactly(0.0)};
    for (std::size_t m = 0; m < 3; ++m) {
        for (std::size_t j = 0; j < 3; ++j) {
            const auto reach = exactly(half[m]) * exactly(axes[3 * m + j]);
            offset[j] = (corner >> m & 1) != 0 ? offset[j] + reach : offset[j] - reach;
        }
    }
    return offset;
}

/// Coordinate `row` of a vertex placed by a 3x4 transform.
template <class Exactly>
[[nodiscard]] NumberOf<Exactly> placed(const float* transform, std::size_t row, const Vertex& vertex, Exactly exactly) {
    NumberOf<Exactly> sum = exactly(transform[4 * row + 3]);
    for (std::size_t k = 0; k < 3; ++k) sum = sum + exactly(transform[4 * row + k]) * exactly(vertex[k]);
    return sum;
}

/// A side of a box: coordinate k times `sign` is at most `end`.
struct Side {
    std::size_t k;
    float sign;  ///< 1 or -1
    double end;
    double origin[2] = {0, 0};  ///< added to the object's coordinate k
};

/// What beyond() is multiplied by: |q|^2, a cylinder's or cone's |b - a|^2, or 1.
template <class Exactly>
[[nodiscard]] NumberOf<Exactly> factor_of(Kind kind, const Object& object, Exactly exactly) {
    const float* f = object.fields.data();
    if (has_quaternion(kind)) return square_of(f + 3, exactly);
    if (!has_axis(kind)) return exactly(1.0);
    const auto along = [&](std::size_t k) { return exactly(f[3 + k]) - exactly(f[k]); };
    return square(along(0)) + square(along(1)) + square(along(2));
}

/// x plus the root of y >= 0; in rationals a number of its sign.
[[nodiscard]] inline Estimate plus_root(const Estimate& x, const Estimate& y) {
    const double root = std::sqrt(std::fmax(y.value, 0)), least = std::sqrt(std::fmax(y.value - y.error, 0));
    const double most = std::sqrt(std::fmax(y.value, 0) + y.error) * (1 + 0x1p-51);
    return x + Estimate{root, std::max(most - root, root * (1 + 0x1p-51) - least) + Estimate::smallest};
}
[[nodiscard]] inline exact::Rational plus_root(const exact::Rational& x, const exact::Rational& y) {
    return x >= 0 ? exact::Rational(x + y) : exact::Rational(y - x * x);
}

/// About: where it decides which of two points reaches farther, either will do.
[[nodiscard]] inline bool is_positive(const Estimate& x) { return x.value > 0; }
[[nodiscard]] inline bool is_positive(const exact::Rational& x) { return x > 0; }

[[nodiscard]] inline Estimate larger(const Estimate& x, const Estimate& y) {
    return {std::max(x.value, y.value), std::max(x.error, y.error)};
}
[[nodiscard]] inline exact::Rational larger(const exact::Rational& x, const exact::Rational& y) {
    return std::max(x, y);
}

/// How far a part of the object, with its margin and sweep, lies beyond a side, times factor_of(). For hulls and box
/// instances the part is one vertex, otherwise it is all of the object.
template <class Exactly>
[[nodiscard]] NumberOf<Exactly> beyond(const Side& side, Kind kind, const Object& object, const Vertex& vertex,
                                       Exactly exactly) {
    const float* f = object.fields.data();
    const std::size_t k = side.k;
    const auto signed_ = [&](float coordinate) { return exactly(side.sign * coordinate); };
    const double sign = static_cast<double>(side.sign);
    const auto grown = exactly(object.margin) + exactly(std::fmax(side.sign * object.sweep[k], 0.0f)) -
                       exactly(side.end) + exactly(sign * side.origin[0]) + exactly(sign * side.origin[1]);
    switch (kind) {
        case Kind::sphere:
            return grown + signed_(f[k]) + exactly(f[3]);
        case Kind::box:
            return grown + signed_(f[side.sign > 0 ? 3 + k : k]);
        case Kind::centered_box:
            return grown + signed_(f[k]) + exactly(f[3 + k]);
        case Kind::capsule:
            return grown + exactly(std::fmax(side.sign * f[k], side.sign * f[3 + k])) + exactly(f[6]);
        case Kind::hull:
        case Kind::box_instance: {
            const auto at = placed(f, k, vertex, exactly);
            return side.sign > 0 ? grown + at : grown - at;
        }
        case Kind::oriented_box: {
            auto reach = grown + signed_(f[k]);
            for (std::size_t m = 0; m < 3; ++m) reach = reach + exactly(f[12 + m]) * abs(exactly(f[3 + 3 * m + k]));
            return reach;
        }
        case Kind::quaternion_box: {
            auto reach = (grown + signed_(f[k])) * square_of(f + 3, exactly);
            const auto row = rotation_row(f + 3, k, exactly);
            for (std::size_t m = 0; m < 3; ++m) reach = reach + exactly(f[7 + m]) * abs(row[m]);
            return reach;
        }
        case Kind::ellipsoid: {
            const auto row = rotation_row(f + 3, k, exactly);
            auto sum = exactly(0.0);
            for (std::size_t m = 0; m < 3; ++m) sum = sum + square(exactly(f[7 + m]) * row[m]);
            return plus_root((grown + signed_(f[k])) * factor_of(kind, object, exactly), sum);
        }
        case Kind::cylinder:
        case Kind::cone:
        case Kind::round_cone: {
            const auto length = factor_of(kind, object, exactly);
            const auto along = [&](std::size_t j) { return exactly(f[3 + j % 3]) - exactly(f[j % 3]); };
            const auto across = square(along(k + 1)) + square(along(k + 2));
            const auto rim = square(exactly(f[6])) * (across * length);
            const auto apex = (grown + signed_(f[k])) * length, base = (grown + signed_(f[3 + k])) * length;
            const auto along_side = exactly(side.sign) * along(k);
            if (kind == Kind::round_cone && is_positive(along_side) &&
                is_positive(square(exactly(f[6]) * along_side) - across * length)) {
                return plus_root(apex, (length + square(exactly(f[6]))) * square(length));
            }
            return larger(is_cone(kind) ? apex : plus_root(apex, rim), plus_root(base, rim));
        }
    }
    return grown;
}

/// The square of the distance of one of the object's points from a centre: of a vertex under a transform, otherwise of
/// a corner of a box, whose own centre counts.
template <class Exactly>
[[nodiscard]] NumberOf<Exactly> squared_distance(const float* center, Kind kind, const Object& object,
                                                 const Vertex& vertex, int corner, Exactly exactly) {
    const float* f = object.fields.data();
    std::array<NumberOf<Exactly>, 3> p;
    if (kind == Kind::quaternion_box) {
        p = {exactly(f[7]), exactly(f[8]), exactly(f[9])};
    } else if (kind == Kind::oriented_box) {
        p = corner_offset(f + 3, f + 12, corner, exactly);
    } else {
        for (std::size_t k = 0; k < 3; ++k) p[k] = placed(f, k, vertex, exactly) - exactly(center[k]);
    }
    return square(p[0]) + square(p[1]) + square(p[2]);
}

/// The points that a kind with transforms is the hull of, before they are transformed; for other kinds one of no
/// meaning.
[[nodiscard]] Vertices points_of(Kind kind, const Object& object, const HullSet& hulls);
/// How far the object reaches beyond a side, about. The error is at least 2^-53 of the sizes of all terms.
[[nodiscard]] Estimate farthest(const Side& side, Kind kind, const Object& object, const HullSet& hulls);
/// Whether some point of the object is beyond the side.
[[nodiscard]] bool reaches_beyond(const Side& side, Kind kind, const Object& object, const HullSet& hulls,
                                  Judge& judge);
/// Whether the sphere contains an oriented box or an instance, without margin and sweep. Spheres around boxes have the
/// box's centre.
[[nodiscard]] bool contains(const lanecull::SphereBounds& sphere, Kind kind, const Object& object, const HullSet& hulls,
                            Judge& judge);

}  // namespace properties
