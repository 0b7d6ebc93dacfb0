#pragma once

/// The rounding-error bound, as sums of named terms. cull/PROOF.md derives it under the same names. Every term
/// counts roundings; each of them is worth at most u = 2^-24 of the magnitude G.

namespace lanecull {
namespace {

namespace roundings {
constexpr int relative = 1;        // q = p - hi
constexpr int origin = 2;          // (p - hi) - lo
constexpr int average = 1;         // (lo + hi) / 2, (b - a) / 2
constexpr int scale = 1;           // half-extent times axis
constexpr int rotate = 3;          // R q, R axis
constexpr int choose_axis = 6;     // sign of v . axis: a wrong one costs twice the dot's own error
constexpr int sum_axes = 3;        // centre + up to three axes
constexpr int sum_ball = 1;        // + r v / |v|
constexpr int normalise = 7;       // r v / |v|: dot, scaled radius, quotient
constexpr int ellipsoid = 14;      // the same through R and its transpose, where R is not orthonormal
constexpr int choose_depth = 4;    // near or far, by the sign of v . edge
constexpr int choose_edge = 8;     // best of four edges
constexpr int choose_point = 6;    // lowest of the near, or far, points: each v . p off by 3
constexpr int choose_far = 8;      // near points alone, or with far ones: values off by 5 and 3
constexpr int polytope_point = 5;  // coordinates as floats, enclosed within one more; 1 - s; two products, their sum
constexpr int sweep_point = 3;     // a volume's sweep as floats, enclosed within one more; times how far it goes
constexpr int sum_sweep = 1;       // added to the volume's point
constexpr int volume_point = 2;    // depth times slope, an edge's slope being itself rounded
constexpr int difference = 1;      // a = support(object) - support(volume)
constexpr int dot = 3;             // a . v
constexpr int choose_vertex = 12;  // best of the hull's vertices, by (B^T v) . x
constexpr int place_vertex = 3;    // B x + b
constexpr int normal = 1;          // a plane's normal as floats
constexpr int plane_dot = 4;       // normal . q + offset
constexpr int place_box = 5;       // a transformed box's centre: twice the local one 1, A c 3, + t; t with a position
constexpr int reach = 4;           // |normal . axis| summed and added
constexpr int quaternion = 10;     // an entry of q's matrix: numerator 4, |q|^2 4, its reciprocal, their product
constexpr int sum_growth = 2;      // + sweep + margin
constexpr int choose_sweep = 3;    // moved by the sweep or not, by the sign of v . sweep
constexpr int grow_plane = 2;      // margin + max(0, normal . sweep), added to the shape's reach
constexpr int cut_edges = 4;       // fraction of the far plane's depths, times them
constexpr int ball_moved = 8;      // length of y's error, of |q|_2: q by relative, R q by sqrt(3) plane_dot
constexpr int ball_sides = 2;      // |x| - tan z, where its product is rounded as well; sqrt(2) of them
constexpr int measured_ball = 24;  // their sum, at most, in views whose balls are measured
constexpr float ball_depth = 5.5;  // of the nearest point, in units of |y| / sqrt(1 + tan_x^2 + tan_y^2)
constexpr int ball_side = 16;  // t z - |x - m z|: both dots with q's and coefficients' roundings 6, t 1, fms 2; slack
constexpr int box_side = ball_side + 2;  // a box's centre, or a capsule's, as a sum of its ends, in both dots
/// The bound of stage 1 if objects are not expanded. It is more than what stage 1 needs, so that no later test
/// accepts what stage 1 would cull. So stage 1 may be left out where it would leave most objects undecided, if its
/// planes are tested at last.
constexpr int early = 72;
constexpr int slack = 1;  // G's own roundings, and products of errors: see cull/PROOF.md

constexpr int largest(int a, int b) { return a > b ? a : b; }

constexpr int after_support = difference + dot;
constexpr int center = origin + average + rotate + sum_axes + sum_ball + after_support;
constexpr int axis = scale + rotate + choose_axis + sum_axes + sum_ball + after_support;
constexpr int ball = normalise + sum_ball + after_support;
constexpr int volume = largest(choose_depth, choose_edge) + volume_point + after_support;
constexpr int hull_linear = rotate + choose_vertex + place_vertex + after_support;
constexpr int hull_offset = origin + rotate + place_vertex + after_support;

constexpr int zonotope = largest(largest(center, axis), largest(ball, volume)) + slack;
constexpr int skewed_ball = zonotope + ellipsoid;
/// A margin is a ball. A sweep passes fewer roundings than an axis: choose_sweep takes the place of scale and
/// choose_axis.
static_assert(rotate + choose_sweep + sum_growth + after_support <= axis);
constexpr int hull = largest(largest(hull_linear, hull_offset), volume) + slack;
/// The box around a hull's vertices, placed and tested against a plane in view space, needs less than the vertices do.
static_assert(origin + average + scale + rotate + place_vertex + normal + plane_dot + reach + slack <= hull);
/// How far a hull's vertices reach along a half-space's normal n, in relative coordinates, with |n| <= 1: n . c +
/// offset + n . (p - c), with c the mean vertex and p the lowest one, both as computed. So p alone may be wrong, by
/// choose_vertex, place_vertex and relative of |n|_1 <= sqrt(3) each. The two dots are plane_dot, their sum 1, and the
/// second, of numbers up to 2 G, 2 (difference + dot); n as floats is normal.
constexpr int hull_reach = 2 * hull;
static_assert(hull_reach >= 1.7321 * (choose_vertex + place_vertex + relative) + plane_dot + 1 +
                                2 * (difference + dot) + normal + slack);
constexpr int polytope = choose_point + choose_far + polytope_point + after_support + slack;
/// A polytope that is swept. The sweep itself passes fewer roundings.
constexpr int swept_polytope = polytope + sum_sweep;
static_assert(choose_sweep + sweep_point + sum_sweep + after_support + slack <= swept_polytope);
/// The upper bound of an object's depth: its coordinates, their sum, and the cut that is made with this depth.
constexpr int depth = origin + average + rotate + scale + rotate + sum_axes + sum_ball + cut_edges + slack;
/// Stage 1 in relative coordinates: no rotation, no support point.
constexpr int plane = relative + normal + plane_dot + reach + average + slack;
/// An object that is outside by `early` as computed is truly outside by `early` less this test's own error. That must
/// leave every later test its own bound and its own error. (For boxes given by their ends, G in later tests may be
/// twice the G here. Planes, which later stages test again, are off by less than `plane`.)
static_assert(early >= plane + 2 * zonotope && early >= ball_side + 2 * measured_ball);
static_assert(early >= box_side + 2 * zonotope + plane);
/// The error of a capsule's ends counts in its axis as well, which is its only one.
constexpr int capsule_axis = origin + average + rotate + choose_axis + 1 + sum_ball + after_support;
static_assert(capsule_axis + slack <= zonotope);
/// Stage 1 of expanded objects.
constexpr int grown_plane = plane + grow_plane;
/// The weight with which G counts the axes of a box by quaternion, as these pass `quaternion` roundings more.
constexpr float quaternion_weight = static_cast<float>(zonotope + quaternion) / static_cast<float>(zonotope);
/// The same for boxes under transforms, for which half-extents pass `average` more than those of oriented boxes. It
/// covers what their centres pass more, too: by place_box in place of origin and average.
constexpr float instance_weight = static_cast<float>(zonotope + average) / static_cast<float>(zonotope);
/// An ellipse's or ellipsoid's point along v: an axis' roundings, with `normalise` more for the factors of its axes, of
/// which each is (v . axis) / |(v . axis_1, v . axis_2, ...)|. A factor that is wrong loses twice the dot's own error.
constexpr int oval = axis + normalise;
/// The two axes of a cylinder's ends: unit vectors across b - a.
constexpr int across = 20;
/// The weights with which G counts such axes, by how they are made.
constexpr float ellipsoid_weight = static_cast<float>(oval + quaternion + slack) / static_cast<float>(zonotope);
constexpr float cylinder_weight = static_cast<float>(oval + across + slack) / static_cast<float>(zonotope);
/// A cone's support point is the apex or the disc's. Which one is decided by a value that is off by both dot products,
/// 3 each and of the axis twice that, which `choose_axis` has, and of the disc's axes by 9 more for the length.
constexpr int choose_end = 3 + 9;
constexpr float cone_weight = static_cast<float>(oval + choose_end + across + slack) / static_cast<float>(zonotope);
/// A cone with a round base: the middle of its axis, its axes and how they are made; the factors of its point; which of
/// apex and rim it is on. |t| <= 1 together, so three axes count sqrt(3) times, here 2.
constexpr int sector_axes = 40;
constexpr int sector_factors = 19;
constexpr int choose_part = 22;
constexpr int sector = sector_axes + sector_factors + choose_part +
                       2 * (rotate + choose_axis + sum_axes + sum_ball + after_support) + slack;
/// The weight with which G counts the ball's radius, as its axes are no longer than sqrt(3) times that in the 1-norm.
constexpr float sector_weight = 1.7321f * static_cast<float>(sector) / static_cast<float>(zonotope);
/// Their reach along a plane's normal passes less: scale, normal, a dot product, sum of squares and root, a sum.
static_assert(scale + across + normal + dot + normalise + sum_ball <= oval + across);
/// Positions in doubles pass `position` roundings, up to three more than other places, of any count that there is.
constexpr int position = origin + 2;
constexpr float position_weight = 1.25f;
/// Points that are placed in doubles pass so many roundings of 2^-53 on the way: a position less its origin 1, six
/// sums. (A product passes fewer: the middle of two corners 1, the product 1, three sums.) Of their terms' sizes
/// doubles_share counts as magnitude, which is multiplied by 6 u at least.
constexpr int doubles = 1 + 6;
constexpr double doubles_share = 0x1p-26;
static_assert(4 * doubles * 0x1p-53 <= 6 * 0x1p-24 * doubles_share);
static_assert(place_box + rotate + place_vertex + after_support <= hull_linear);
static_assert(place_box + rotate + sum_axes + sum_ball + after_support <= axis);
static_assert(place_box + normal + plane_dot + reach + slack <= zonotope);
/// Lights in cells of a view (lights/PROOF.md): a ball's place, the ball around a spotlight, and the closed form, all
/// as a growth of the radius; a tangent's angle; a place across a row, and GJK's support points.
constexpr int light_ball = 96;
constexpr int light_tangent = 128;
constexpr int light_across = 16;
constexpr int spot_ball = 24;
constexpr int spot_axis = 8;  // d / |d|: square 3, root 2, quotient 1; slack
constexpr int light_support = origin + rotate + spot_axis + 2 * rotate + choose_axis + ellipsoid + volume + slack;
static_assert(light_ball >= 2 * (origin + rotate) + 64 + spot_ball / 3);
}  // namespace roundings

constexpr float unit_roundoff = 0x1p-24f;

/// K u. The bound that a lane needs is K u G |v|_1, plus what the view adds.
constexpr float error_per_magnitude(int count) { return static_cast<float>(count) * unit_roundoff * (1 + 0x1p-16f); }

/// A part of every plane's offset. As normals are at most 1 long, it covers all products that underflow.
constexpr float underflow_guard = 1e-30f;
/// Beyond this magnitude an intermediate result might overflow, so such objects are never culled.
constexpr float magnitude_limit = 1e37f;
/// Views leave out planes that are farther away than coordinate_limit (1e30), so only objects that are smaller than
/// this can be proved inside.
constexpr float inside_limit = 1e29f;

}  // namespace
}  // namespace lanecull
