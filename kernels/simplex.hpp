#pragma once

/// Which side of a simplex the origin is on.

namespace lanecull {
namespace {

/// A triangle a, p, q of a simplex whose newest point is a.
struct FaceW {
    Vec3W ap, aq, n;                 // sides, and ap x aq, or a multiple
    MaskW is_acd, is_adb, encloses;  // set: not a, b, c; none, because the tetrahedron encloses the origin
};

/// Of tetrahedra a, b, c, d, where has_face is set, the face at a that the origin is beyond; of two the first: choosing
/// saves 1-10 % of the steps and costs a fifth of each. Else the triangle a, b, c. b, c, d wind so that
/// (c - b) x (d - b) points towards the origin.
template <bool MayHaveFace>
LANE_INLINE FaceW face_beyond(const Vec3W& a, const Vec3W& b, const Vec3W& c, const Vec3W& d, MaskW has_face) {
    const FloatW zero(0.0f);
    const Vec3W ab = b - a, ac = c - a;
    // Normals by the side that lies opposite a: a is often far from the others, and the product of two long, nearly
    // parallel sides is noise.
    FaceW face{ab, ac, cross(ab, c - b), mask_of(0), mask_of(0), mask_of(0)};
    if constexpr (MayHaveFace) {
        // Three faces meet in a, their normals outward, given how b, c, d wind.
        const Vec3W ao = -a, ad = d - a, acd = cross(ac, d - c), adb = cross(ad, b - d);
        const MaskW inside_abc = has_face & ~(dot(face.n, ao) > zero);
        face.is_acd = inside_abc & (dot(acd, ao) > zero);
        face.is_adb = inside_abc & ~face.is_acd & (dot(adb, ao) > zero);
        face.encloses = inside_abc & ~face.is_acd & ~face.is_adb;
        face.ap = select(face.is_acd, ac, select(face.is_adb, ad, ab));
        face.aq = select(face.is_acd, ad, select(face.is_adb, ab, ac));
        face.n = select(face.is_acd, acd, select(face.is_adb, adb, face.n));
    }
    return face;
}

}  // namespace
}  // namespace lanecull
