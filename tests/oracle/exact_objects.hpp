#pragma once

#include "oracle/exact_objects.hpp"

#include "oracle/exact.hpp"
#include "oracle/solids.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"

/// The tests' objects as the solids of an oracle that computes with T.
namespace solids {

/// Without its margin and sweep.
template <class T>
[[nodiscard]] Solid<T> shape_of(Kind kind, const Object& object, const HullSet& hulls) {
    const float* f = object.fields.data();
    switch (kind) {
        case Kind::sphere:
            return sphere<T>(f, f[3]);
        case Kind::box:
            return box<T>(f, f + 3);
        case Kind::centered_box:
            return centered_box<T>(f, f + 3);
        case Kind::oriented_box:
            return oriented_box<T>(f, f + 3, f + 12);
        case Kind::capsule:
            return capsule<T>(f, f + 3, f[6]);
        case Kind::hull:
            return hull<T>(f, hulls[object.hull]);
        case Kind::quaternion_box:
            return rotated_box<T>(f, f + 3, f + 7);
        case Kind::box_instance:
            return hull<T>(f, local_corners(object));
        case Kind::cylinder:
            return cylinder<T>(f, f + 3, f[6]);
        case Kind::cone:
            return cone<T>(f, f + 3, f[6]);
        case Kind::round_cone:
            return round_cone<T>(f, f + 3, f[6]);
        case Kind::ellipsoid:
            return ellipsoid<T>(f, f + 3, f + 7);
    }
    return {};
}

template <class T>
[[nodiscard]] Solid<T> solid_of(Kind kind, const Object& object, const HullSet& hulls) {
    const Vec<T> sweep = vector<T>(object.sweep.data());
    return grown(swept(shape_of<T>(kind, object, hulls), sweep), number<T>(object.margin));
}

}  // namespace solids

// For the exact oracle.

/// The object with its margin and sweep.
[[nodiscard]] inline exact::Solid exact_solid_of(Kind kind, const Object& object, const HullSet& hulls) {
    return solids::solid_of<exact::Rational>(kind, object, hulls);
}

[[nodiscard]] inline exact::HalfSpaces exact_half_spaces_of(const Camera& camera) {
    return exact::half_spaces(camera.matrix, camera.clip_space);
}

/// The eye as a volume of one point: where the clip coordinates x, y and w are 0. Only perspective cameras have one.
[[nodiscard]] inline exact::Volume exact_eye_of(const Camera& camera) {
    const exact::HalfSpaces sides = exact_half_spaces_of(camera);
    exact::HalfSpaces both;
    for (std::size_t k = 0; k < 3; ++k) {
        both.push_back(sides[k]);
        both.push_back({exact::Rational(-1) * sides[k].normal, -sides[k].offset});
    }
    return exact::Volume(both);
}
