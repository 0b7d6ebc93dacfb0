#pragma once

/// Planes that a light lies behind: which tiles of each row a spotlight reaches, or a ball whose tangents from the eye
/// are too short for the closed form; W lights at a time.
///
/// Whatever n is, n . p <= h(n) for all points p of a light, h being its support function. In a row p is z (m, s, 1),
/// and z and s are known to lie between two numbers each, so n bounds m = x / z. That is true of every n, so n need not
/// be exact; h(n) alone is computed with a bound. The row's least and greatest m are attained where few of its planes
/// hold the point, and the light's normals there are the n that bound m best (lights/PROOF.md): where it touches planes
/// through the eye and the y axis; planes through the eye and a point of a plane between rows; planes along the y axis
/// at a boundary's depth; and where it ends on the lines in which boundaries meet planes between rows. In the same way,
/// with x and y exchanged, planes along the x axis bound the rows of a slice.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/grid.hpp"
#include "lights/slopes.hpp"

namespace lanecull {
namespace {

/// What W lights that share a packet are.
enum class Body : std::uint8_t { ball, round, flat };

constexpr float longest = 1e15f;  ///< longer normals bound nothing: their squares might overflow
constexpr float touch_share = 8;  ///< a plane through the eye that touches a light has a reach of fewer error bounds
constexpr float eye_tilt = 4;     ///< of planes through the eye, in error bounds
/// What h is off by: the place; along the axis and across it; the frame's skew, 2^-20; h / z.
static_assert(roundings::light_ball >= roundings::origin + roundings::rotate + roundings::dot +
                                           4 * (roundings::spot_axis + roundings::rotate) + 24 + 16 + 3);

/// A plane that lights lie behind. One on the right says m <= reach / z - across s + base, one on the left says that of
/// -m. A plane that says nothing has a great base.
struct CutW {
    FloatW reach, across, base;

    /// The bound at s = 0, for depths between those of two inverses.
    LANE_INLINE FloatW at(FloatW inverse_near, FloatW inverse_far) const {
        return max(reach * inverse_near, reach * inverse_far) + base;
    }
};

/// A plane on the right, and one on the left.
struct CutsW {
    CutW right, left;

    LANE_INLINE void narrow(SlopesW& slopes, FloatW inverse_near, FloatW inverse_far) const {
        slopes.high = min(right.at(inverse_near, inverse_far), slopes.high);
        slopes.low = max(-left.at(inverse_near, inverse_far), slopes.low);
    }
    /// Of planes along an axis: as if they said more, by a share of their normals' sizes.
    LANE_INLINE void narrow_more(SlopesW& slopes, FloatW inverse_near, FloatW inverse_far, FloatW share) const {
        const FloatW one(1.0f);
        slopes.high = min(right.at(inverse_near, inverse_far) - share * (one + abs(right.base)), slopes.high);
        slopes.low = max(share * (one + abs(left.base)) - left.at(inverse_near, inverse_far), slopes.low);
    }
};

/// What a plane through the eye says: m <= reach / z + base, or so of -m.
struct LimitW {
    FloatW reach = 0.0f, base = beyond_all;

    LANE_INLINE FloatW at(FloatW inverse_near, FloatW inverse_far) const {
        return max(reach * inverse_near, reach * inverse_far) + base;
    }
    /// Takes another one if it says more at this depth and beyond.
    LANE_INLINE void take(FloatW reach_, FloatW base_, FloatW inverse) {
        const FloatW zero(0.0f);
        const MaskW better = fma(max(reach_, zero), inverse, base_) < fma(max(reach, zero), inverse, base);
        reach = select(better, reach_, reach), base = select(better, base_, base);
    }
};
struct LimitsW {
    LimitW right, left;

    /// `base` has what the planes say of s.
    LANE_INLINE void take(const CutsW& cuts, FloatW right_base, FloatW left_base, FloatW inverse) {
        right.take(cuts.right.reach, right_base, inverse), left.take(cuts.left.reach, left_base, inverse);
    }
    LANE_INLINE void narrow(SlopesW& slopes, FloatW inverse_near, FloatW inverse_far) const {
        slopes.high = min(right.at(inverse_near, inverse_far), slopes.high);
        slopes.low = max(-left.at(inverse_near, inverse_far), slopes.low);
    }
};

/// The planes through the eye that say most at the first depth that counts.
struct EyePlanesW {
    FloatW inverse, error;  // of that depth; ConesW::error
    LimitsW first;
    /// What those that touch the light would say without rounding, at any depth.
    SlopesW touching = all_slopes();

    LANE_INLINE EyePlanesW(FloatW inverse_, FloatW error_) : inverse(inverse_), error(error_) {}

    LANE_INLINE void take(const CutsW& cuts, FloatW right_base, FloatW left_base) {
        first.take(cuts, right_base, left_base, inverse);
        touch(cuts, right_base, left_base);
    }
    LANE_INLINE void take(const CutsW& cuts) { take(cuts, cuts.right.base, cuts.left.base); }
    LANE_INLINE void touch(const CutsW& cuts, FloatW right_base, FloatW left_base) {
        touching.high = min(touching.high, exact(cuts.right, right_base));
        touching.low = max(touching.low, -exact(cuts.left, left_base));
    }

private:
    LANE_INLINE FloatW exact(const CutW& cut, FloatW base) const {
        const FloatW slack = error * (FloatW(1.0f) + abs(cut.across) + abs(cut.base));
        return select(cut.reach <= FloatW(touch_share) * slack, base - FloatW(eye_tilt) * slack, FloatW(beyond_all));
    }
};

/// W lights in view coordinates, which a power of two in each lane has scaled to sizes of about 1.
struct ConesW {
    Vec3W apex, axis;  // of a ball: its centre; any axis
    FloatW range, range_inverse, tangent, cosine, sine;
    FloatW end, rim;  // how far along the axis the rim is, and its radius
    FloatW error;     // h(n) is off by less than this times |n|_1
    float largest;    // of the slopes s
    Body body;

    /// In view coordinates; a ball has neither axis nor tangent. Multiplies all sizes by `scale`.
    LANE_INLINE ConesW(const LightCells& cells, Body body_, const Vec3W& apex_, const Vec3W& axis_, FloatW range_,
                       FloatW tangent_, FloatW magnitude, FloatW scale)
        : apex(apex_ * scale), axis(axis_), range(range_ * scale), tangent(tangent_), body(body_) {
        const FloatW one(1.0f), share(error_per_magnitude(roundings::light_ball) + cells.cell_error);
        range_inverse = one / range;
        cosine = one / sqrt(fma(tangent, tangent, one)), sine = tangent * cosine;
        end = body == Body::round ? range * cosine : range, rim = end * tangent;
        error = fma(share, magnitude, FloatW(cells.view.apex_error)) * scale;
        largest = cells.y.largest;
    }
    LANE_INLINE ConesW turned() const {
        ConesW other = *this;
        other.apex = {apex.y, apex.x, apex.z}, other.axis = {axis.y, axis.x, axis.z};
        return other;
    }
    LANE_INLINE Vec3W center() const { return plus_times(apex, axis, end); }

    /// h(n), but for its error.
    LANE_INLINE FloatW farthest(const Vec3W& n) const {
        const FloatW place = dot(n, apex), zero(0.0f);
        if (body == Body::ball) return fma(range, sqrt(dot(n, n)), place);
        const FloatW along = dot(n, axis);
        Vec3W across = plus_times(n, axis, -along);
        const FloatW square = dot(across, across), size = sqrt(square);
        FloatW out = fma(rim, size, along * end);
        if (body == Body::round) {
            out = select(size < tangent * along, range * sqrt(fma(along, along, square)), out);
        }
        return place + max(out, zero);
    }
    /// Points of the round end: n is its normal there.
    LANE_INLINE MaskW is_on_end(const Vec3W& n) const {
        if (body == Body::ball) return mask_of(all_lanes);
        if (body == Body::flat) return mask_of(0);
        const FloatW along = dot(n, axis);
        return along >= cosine * sqrt(dot(n, n));
    }

    /// n, scaled so that n.x is 1 or -1.
    static LANE_INLINE Vec3W unit_across(const Vec3W& n) {
        const FloatW one(1.0f), inverse = one / abs(n.x);
        return {flip(one, n.x), n.y * inverse, n.z * inverse};
    }
    /// The plane with normal n = (+-1, across, deep), of which h is `farthest_`, where it counts.
    LANE_INLINE CutW cut(const Vec3W& n, FloatW farthest_, MaskW counts) const {
        const FloatW size = one_norm(n), zero(0.0f), aside = abs(n.y) * FloatW(largest) + abs(n.z);
        const MaskW sound = counts & (size < FloatW(longest));
        const FloatW slack = fma(FloatW(8 * unit_roundoff), aside, FloatW(underflow_guard));
        return {select(sound, fma(error, size, farthest_), zero), select(sound, n.y, zero),
                select(sound, slack - n.z, FloatW(beyond_all))};
    }
    /// Planes of which the first is on the right, the second on the left.
    LANE_INLINE CutsW cuts(const Vec3W& right, const Vec3W& left) const {
        Vec3W a = unit_across(right), b = unit_across(left);
        return {cut(a, farthest(a), right.x > FloatW(0.0f)), cut(b, farthest(b), left.x < FloatW(0.0f))};
    }
    /// One plane, on the side that its normal says.
    LANE_INLINE CutsW cuts(const Vec3W& n) const { return on_its_side(unit_across(n)); }

    /// The same of planes through the eye. Their distance from the eye is known less well than slices are near. So they
    /// are tilted away from the lights: they go by the eye, and touch the lights farther on.
    LANE_INLINE CutsW cuts_by_eye(const Vec3W& right, const Vec3W& left) const {
        Vec3W a = tilted(unit_across(right)), b = tilted(unit_across(left));
        return {cut(a, farthest(a), right.x > FloatW(0.0f)), cut(b, farthest(b), left.x < FloatW(0.0f))};
    }
    LANE_INLINE CutsW cuts_by_eye(const Vec3W& n) const { return on_its_side(tilted(unit_across(n))); }

    LANE_INLINE CutsW on_its_side(const Vec3W& n) const {
        const FloatW zero(0.0f), big(beyond_all);
        const CutW found = cut(n, farthest(n), mask_of(all_lanes));
        const MaskW right = n.x > zero, left = n.x < zero;
        return {{select(right, found.reach, zero), select(right, found.across, zero), select(right, found.base, big)},
                {select(left, found.reach, zero), select(left, found.across, zero), select(left, found.base, big)}};
    }
    LANE_INLINE Vec3W tilted(const Vec3W& n) const { return {n.x, n.y, n.z - FloatW(eye_tilt) * error * one_norm(n)}; }

    /// Where a ball's surface, or a rim, touches planes through the eye and the y axis: two normals.
    /// They are zeros of the form k = c c^T - radius^2 m, of which the determinant is -root^2. `inside` is in the
    /// light: the eye may be in the rim's plane, where c does not say which normal is which.
    LANE_INLINE void take_touching(FloatW k_xx, FloatW k_xz, FloatW k_zz, FloatW root, const Vec3W& inside,
                                   EyePlanesW& limits) const {
        const FloatW zero(0.0f), q = k_xz + flip(root, k_xz);
        const Vec3W normals[2] = {{k_zz, zero, -q}, {q, zero, -k_xx}};
        for (const Vec3W& n : normals) {
            limits.take(cuts_by_eye(flip(n, -fma(n.x, inside.x, n.z * inside.z))));
        }
    }
    /// Planes through the eye and the y axis that the lights lie behind.
    LANE_INLINE EyePlanesW seen_along_y(FloatW first_inverse) const {
        EyePlanesW limits(first_inverse, error);
        if (body != Body::flat) {
            const FloatW square = range * range, root = range * sqrt(fma(apex.x, apex.x, fms(apex.z, apex.z, square)));
            take_touching(fms(apex.x, apex.x, square), apex.x * apex.z, fms(apex.z, apex.z, square), root, apex,
                          limits);
        }
        if (body == Body::ball) return limits;
        Vec3W c = center();
        const FloatW zero(0.0f), square = rim * rim, beside = axis.y * axis.y, m_xz = -axis.x * axis.z;
        const FloatW m_xx = fma(axis.z, axis.z, beside), m_zz = fma(axis.x, axis.x, beside);
        const FloatW size = c.x * c.x * m_zz - FloatW(2.0f) * c.x * c.z * m_xz + c.z * c.z * m_xx;
        take_touching(fms(c.x, c.x, square * m_xx), fms(c.x, c.z, square * m_xz), fms(c.z, c.z, square * m_zz),
                      rim * sqrt(max(size - square * beside, zero)), c + apex, limits);
        const FloatW one(1.0f), slope = apex.x / apex.z;
        limits.take(cuts_by_eye({one, zero, -slope}, {-one, zero, slope}));
        return limits;
    }
    /// Planes along the y axis that touch a cone's side.
    LANE_INLINE void along_y(CutsW (&found)[2]) const {
        const FloatW zero(0.0f), w = sqrt(fma(axis.x, axis.x, fms(axis.z, axis.z, sine * sine)));
        const FloatW x = -sine * axis.x, z = -sine * axis.z;
        found[0] = cuts({fma(-w, axis.z, x), zero, fma(w, axis.x, z)});
        found[1] = cuts({fma(w, axis.z, x), zero, fma(-w, axis.x, z)});
    }
    /// Planes along the y axis that touch the rim, or the round end, at a depth.
    LANE_INLINE CutsW at_depth(FloatW depth) const {
        const FloatW zero(0.0f), one(1.0f), deep = depth - apex.z;
        const FloatW across = sqrt(fms(range, range, deep * deep));
        Vec3W right = {across, zero, deep}, left = {-across, zero, deep};
        if (body != Body::ball) {
            const FloatW m_xz = -axis.x * axis.z, m_zz = fma(axis.x, axis.x, axis.y * axis.y), off = depth - center().z;
            const FloatW w = off * abs(axis.y) / sqrt(fms(m_zz, rim * rim, off * off));
            const Vec3W of_rim[2] = {{one, zero, (w - m_xz) / m_zz}, {-one, zero, (w + m_xz) / m_zz}};
            right = select(is_on_end(right), right, of_rim[0]), left = select(is_on_end(left), left, of_rim[1]);
        }
        return cuts(right, left);
    }
    /// Planes through the eye that touch a cone's side.
    LANE_INLINE void through_eye(CutsW (&found)[2]) const {
        Vec3W e = apex * (FloatW(1.0f) / sqrt(dot(apex, apex)));
        Vec3W away = plus_times(axis, e, -dot(e, axis)), aside = cross(e, axis), back = away * -sine;
        const FloatW root = sqrt(dot(away, away) - sine * sine);
        for (std::uint32_t i = 0; i < 2; ++i) {
            Vec3W n = plus_times(back, aside, i == 0 ? root : -root);
            found[i] = cuts_by_eye(plus_times(n, e, -dot(n, e)));  // which takes away most of the roundings that count
        }
    }
};

/// The circle in which planes through the eye touch a rim, or a ball.
struct OutlineW {
    Vec3W center, axis;  // axis at length 1
    FloatW radius;

    static LANE_INLINE OutlineW of_rim(const ConesW& cones) { return {cones.center(), cones.axis, cones.rim}; }
    static LANE_INLINE OutlineW of_ball(const ConesW& cones) {
        const FloatW square = dot(cones.apex, cones.apex), inverse = FloatW(1.0f) / sqrt(square);
        const FloatW tangent = sqrt(square - cones.range * cones.range) * inverse;
        return {cones.apex * (tangent * tangent), cones.apex * inverse, cones.range * tangent};
    }

    /// The two unit vectors from the centre to the circle's points in the plane y = s z.
    LANE_INLINE void meet(FloatW s, Vec3W (&to)[2]) const {
        const FloatW one(1.0f), zero(0.0f), away = center.y - s * center.z, lean = axis.y - s * axis.z;
        Vec3W along = plus_times({zero, one, -s}, axis, -lean);
        const FloatW square = dot(along, along), reach = radius * radius * square;
        Vec3W aside = cross(axis, along);
        const FloatW back = -away / (radius * square), root = sqrt((reach - away * away) / (reach * square));
        to[0] = plus_times(along * back, aside, root), to[1] = plus_times(along * back, aside, -root);
    }
    /// The normals of the planes through the eye that touch a rim there.
    LANE_INLINE void normals_of_rim(FloatW s, Vec3W (&normals)[2]) const {
        meet(s, normals);
        for (Vec3W& n : normals) {
            Vec3W to = n, touching = cross(plus_times(center, to, radius), cross(axis, to));
            n = flip(touching, dot(touching, to));
        }
        put_right_first(normals);
    }
    /// The same of a ball whose outline this is.
    LANE_INLINE void normals_of_ball(const ConesW& cones, FloatW s, Vec3W (&normals)[2]) const {
        meet(s, normals);
        for (Vec3W& n : normals) n = plus_times(center - cones.apex, n, radius);
        put_right_first(normals);
    }

private:
    static LANE_INLINE void put_right_first(Vec3W (&normals)[2]) {
        const MaskW ordered = normals[0].x > normals[1].x;
        Vec3W right = select(ordered, normals[0], normals[1]), left = select(ordered, normals[1], normals[0]);
        normals[0] = right, normals[1] = left;
    }
};

/// The planes that bound the lights at lines along x, which the planes of boundaries and between rows meet in.
struct LinesW {
    FloatW square, curve, inverse;  // of the cosine; of the quadratic form along x

    LANE_INLINE explicit LinesW(const ConesW& cones) : square(cones.cosine * cones.cosine) {
        const FloatW lean = cones.axis.x * cones.axis.x, tiny = FloatW(1e-4f) * (square + lean);
        curve = fms(cones.cosine, -cones.cosine, -lean);
        inverse = FloatW(1.0f) / select(abs(curve) < tiny, flip(tiny, curve), curve);
    }

    /// At (y, z), in lanes whose lights cross the line.
    LANE_INLINE CutsW cuts(const ConesW& cones, FloatW y, FloatW z, MaskW crosses) const {
        const FloatW w_y = y - cones.apex.y, w_z = z - cones.apex.z, off = fma(w_y, w_y, w_z * w_z);
        FloatW end(0.0f);
        if (cones.body != Body::flat) end = sqrt(fms(cones.range, cones.range, off));
        if (cones.body == Body::ball)
            return {of_end(cones, {end, w_y, w_z}, crosses), of_end(cones, {-end, w_y, w_z}, crosses)};
        const FloatW k = fma(w_y, cones.axis.y, w_z * cones.axis.z), along = cones.axis.x * k;
        const FloatW root = cones.cosine * sqrt(fma(k, k, off * curve));
        // Where the line is nearly along the side, one root is far away, and the other one known without `inverse`.
        const FloatW sum = -(along + flip(root, along)), one = sum * inverse, other = fms(k, k, square * off) / sum;
        const MaskW first = sum < FloatW(0.0f);
        const FloatW right = select(first, one, other), left = select(first, other, one);
        CutsW found = {of_side(cones, {right, w_y, w_z}, fma(right, cones.axis.x, k), FloatW(1.0f), crosses),
                       of_side(cones, {left, w_y, w_z}, fma(left, cones.axis.x, k), FloatW(-1.0f), crosses)};
        if (cones.body == Body::flat) return found;
        const FloatW least = cones.cosine * cones.range, lean = cones.axis.x * end;
        const CutsW of_ends = {of_end(cones, {end, w_y, w_z}, crosses), of_end(cones, {-end, w_y, w_z}, crosses)};
        return {either_of(k + lean >= least, of_ends.right, found.right),
                either_of(k - lean >= least, of_ends.left, found.left)};
    }

private:
    static LANE_INLINE CutW either_of(MaskW which, const CutW& a, const CutW& b) {
        return {select(which, a.reach, b.reach), select(which, a.across, b.across), select(which, a.base, b.base)};
    }
    /// w, from the apex, is on the round end. |n| is at most (|n|^2 / length + length) / 2, and about `length`.
    static LANE_INLINE CutW of_end(const ConesW& cones, const Vec3W& w, MaskW crosses) {
        const FloatW half(0.5f), size = abs(w.x), inverse = FloatW(1.0f) / size, length = cones.range * inverse;
        Vec3W n = {flip(FloatW(1.0f), w.x), w.y * inverse, w.z * inverse};
        const FloatW most = half * fma(dot(n, n), size * cones.range_inverse, length);
        return cones.cut(n, fma(cones.range, most, dot(n, cones.apex)), crosses);
    }
    /// w is on the cone's side, `along` its axis. As n . axis <= 0, h is that of the apex or of the rim, of which the
    /// distance from the axis along n is found as above.
    static LANE_INLINE CutW of_side(const ConesW& cones, const Vec3W& w, FloatW along, FloatW side, MaskW crosses) {
        Vec3W across = plus_times(w, cones.axis, -along);
        const FloatW zero(0.0f), half(0.5f), length = sqrt(dot(across, across));
        Vec3W normal = plus_times(across, cones.axis, -cones.tangent * length);
        const FloatW size = abs(normal.x), share = FloatW(1.0f) / (length * size), inverse = share * length;
        Vec3W n = {side, normal.y * inverse, normal.z * inverse};
        const FloatW back = dot(n, cones.axis);
        across = plus_times(n, cones.axis, -back);
        const FloatW most = half * fma(dot(across, across), size * size * share, length * inverse);
        const FloatW out = cones.end * fma(cones.tangent, most, back);
        return cones.cut(n, dot(n, cones.apex) + abs(out), crosses & (back <= zero) & (normal.x * side > zero));
    }
};

}  // namespace
}  // namespace lanecull
