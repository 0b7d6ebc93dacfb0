#include "oracle/exact_objects.hpp"

namespace {

exact::Solid exact_shape_of(Kind kind, const Object& object, const HullSet& hulls) {
    const float* f = object.fields.data();
    switch (kind) {
        case Kind::sphere:
            return exact::sphere(f, f[3]);
        case Kind::box:
            return exact::box(f, f + 3);
        case Kind::centered_box:
            return exact::centered_box(f, f + 3);
        case Kind::oriented_box:
            return exact::oriented_box(f, f + 3, f + 12);
        case Kind::capsule:
            return exact::capsule(f, f + 3, f[6]);
        case Kind::hull:
            return exact::hull(f, hulls[object.hull]);
        case Kind::quaternion_box:
            return exact::rotated_box(f, f + 3, f + 7);
        case Kind::box_instance:
            return exact::hull(f, local_corners(object));
    }
    return {};
}

}  // namespace

exact::Solid exact_solid_of(Kind kind, const Object& object, const HullSet& hulls) {
    const float* v = object.sweep.data();
    return grown(swept(exact_shape_of(kind, object, hulls), exact::point(v[0], v[1], v[2])),
                 exact::rational(object.margin));
}

exact::HalfSpaces exact_half_spaces_of(const Camera& camera) {
    return exact::half_spaces(camera.matrix, camera.clip_space);
}

exact::Volume exact_eye_of(const Camera& camera) {
    const exact::HalfSpaces sides = exact_half_spaces_of(camera);
    exact::HalfSpaces both;
    for (std::size_t k = 0; k < 3; ++k) {
        both.push_back(sides[k]);
        both.push_back({exact::Rational(-1) * sides[k].normal, -sides[k].offset});
    }
    return exact::Volume(both);
}
