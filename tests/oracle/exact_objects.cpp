#include "oracle/exact_objects.hpp"

exact::Solid exact_solid_of(Kind kind, const Object& object, const HullSet& hulls) {
    return solids::solid_of<exact::Rational>(kind, object, hulls);
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
