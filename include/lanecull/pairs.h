#pragma once

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include <lanecull/types.h>

/// Pairs of objects, many at a time, as a broad phase leaves them. Are the two apart, how far, or how deep are they in
/// each other, and when does a moving one first touch the other? (In C++, <lanecull/gjk.hpp> is for one pair at a time,
/// of shapes of any kind.)
///
/// Rules of all five functions:
///  - `a` and `b` are batches (batch.h): of any kinds, equal or different; they may be the same batch. A batch's
///    shapes alone are read; attributes, bounding spheres and radii are not. Each may have up to 2^31 - 1 objects.
///  - Pair i is object pairs->a[i] of `a` and object pairs->b[i] of `b`. A pair is *invalid* if an index is out of
///    range, if an object is invalid (batch.h), or if the coordinates, relative to each other, add up to more than
///    1e37. An invalid pair is never reported apart.
///  - A pair reported apart is proved apart, with all rounding accounted for: there is a direction in which the two
///    are apart by more than the error bound. Floats in lanes decide nearly all pairs, by a bound of some 20 * 2^-24 of
///    the sum of the coordinates relative to each other. Doubles settle the other pairs, one at a time, by
///    <lanecull/gjk.hpp>; their bound is some 50 * 2^-53. So two objects that are apart by more than that are reported
///    apart, however large one of them is and wherever they are. A settled pair takes some 50 times as long
///    (benchmarks pair/open). There are few: more where objects rest on each other, or where one is some 1,000 times as
///    large as the motion.
///  - Results do not depend on the runner or its threads, byte for byte, nor on the caller's floating-point modes.
///    Instruction sets may differ within the error bound.
///  - Outputs must not overlap anything else that the call reads or writes. They are only written.
///  - No call allocates. A call fails before anything is written if an argument breaks its rule. Thread-safe.
///  - options, runner: null stands for all defaults, and for the calling thread.
///
/// Pairs may be in any order.

/// `count` pairs. The indices of pair i are at byte i * stride_bytes from `a` and from `b`. Either two arrays, or one
/// array of structs: {&p[0].first, &p[0].second, n, sizeof(p[0])}.
LANECULL_STRUCT(PairIndices, pair_indices) {
    const uint32_t* a LANECULL_0;
    const uint32_t* b LANECULL_0;
    size_t count LANECULL_0;
    size_t stride_bytes LANECULL_0;  ///< a multiple of 4 up to 65,536; 0: 4
};
LANECULL_LAYOUT(pair_indices, 32)

LANECULL_STRUCT(PairOptions, pair_options) {
    lanecull_isa isa LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(pair_options, 32)

/// Distances: streams of PairIndices::count floats. Any may be null; of the six coordinates either all or
/// none.
LANECULL_STRUCT(PairDistances, pair_distances) {
    /// Never above the distance. 0 for pairs that are not proved to be apart.
    float* lower LANECULL_0;
    /// Never below the distance. Infinite for invalid pairs, and where a number overflows.
    float* upper LANECULL_0;
    /// A point of each object, nearest to each other up to what lies between the bounds; in world coordinates, which
    /// rounds them once more. For pairs that are not apart: points in or near what the objects share. NaN for invalid
    /// pairs, and where a number overflows so that `upper` is infinite.
    float* a_x LANECULL_0;
    float* a_y LANECULL_0;
    float* a_z LANECULL_0;
    float* b_x LANECULL_0;
    float* b_y LANECULL_0;
    float* b_z LANECULL_0;
};
LANECULL_LAYOUT(pair_distances, 64)

LANECULL_STRUCT(PairDistanceOptions, pair_distance_options) {
    lanecull_isa isa LANECULL_0;
    /// > 0. For callers who only need distances up to this: a pair whose `lower` is above the limit is not refined
    /// further. Its `upper` and points are right, but may be far from the best. 0: no limit, as infinity. By the
    /// smallest float, signed distances are depths alone: of a pair that is apart no more is found than that it is.
    float limit LANECULL_0;
    /// > 0. The bounds differ by no more than this fraction of the distance or depth (for round shapes, of the distance
    /// between their centres and segments) plus what rounding leaves, some 1e-5 of the pair's size; of deep
    /// cylinders, cones and ellipsoids by up to 1/32 of the depth, if nearly all ways out are as short. 0: 1e-6.
    float relative LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(pair_distance_options, 48)

/// Signed distances: of two objects that are apart their distance, of others minus their depth, the length of the
/// shortest translation that separates them. Streams of PairIndices::count floats. Any may be null; of the direction
/// either all three or none, of the points all six or none.
///
/// Floats in lanes decide deep pairs of boxes, spheres and capsules, but for two capsules whose segments meet. Doubles
/// decide other deep pairs, one at a time, as gjk::penetration(); of curved slivers some 10^4 times as long as wide,
/// bounds may be wrong by more than the width, and points, those of contacts too, by the length.
LANECULL_STRUCT(PairSignedDistances, pair_signed_distances) {
    /// Never above the signed distance. Above 0: the two are proved to be apart. -Infinity for invalid pairs, and where
    /// a number overflows.
    float* lower LANECULL_0;
    /// Never below it. Below 0: the two share a point, and no translation shorter than -upper separates them. Infinite
    /// for invalid pairs, and where a number overflows.
    float* upper LANECULL_0;
    /// A unit vector from a to b along which the two are apart by `lower`, up to what rounding leaves: b moved by
    /// -lower along it touches a. It is the gradient of the signed distance by a translation of b. NaN as the points.
    float* direction_x LANECULL_0;
    float* direction_y LANECULL_0;
    float* direction_z LANECULL_0;
    /// A point of each object, the nearest or the deepest: b - a is the signed distance times the direction, up to what
    /// lies between the bounds. In world coordinates, which rounds them once more. NaN for invalid pairs, and where a
    /// number overflows.
    float* a_x LANECULL_0;
    float* a_y LANECULL_0;
    float* a_z LANECULL_0;
    float* b_x LANECULL_0;
    float* b_y LANECULL_0;
    float* b_z LANECULL_0;
};
LANECULL_LAYOUT(pair_signed_distances, 88)

/// Contacts: where two objects touch, overlap or are apart by no more than a tolerance, for contact solvers. Up to four
/// pairs of points whose area carries a resting box. The faces that face each other are clipped, as gjk::contacts()
/// does (gjk/contacts.hpp); pairs with a sphere, cylinder, cone or ellipsoid have one contact, the deepest.
///
/// Any stream may be null; of the direction either all three or none, of the points too. Floats in lanes clip boxes and
/// capsules; doubles find the contacts of hulls, of two capsules side by side and of slivers, one pair at a time.
LANECULL_STRUCT(PairContacts, pair_contacts) {
    /// PairIndices::count numbers: how many contacts the pair has. 0: `lower` is above the tolerance, so the two are
    /// proved to be apart by more; or the pair is invalid, or a number overflows (`lower` is -infinity). Pairs that are
    /// apart by more than the tolerance and what rounding leaves have none.
    uint32_t* counts LANECULL_0;
    /// PairIndices::count numbers each, as PairSignedDistances has them.
    float* lower LANECULL_0;
    float* upper LANECULL_0;
    float* direction_x LANECULL_0;  ///< NaN if there are no contacts
    float* direction_y LANECULL_0;
    float* direction_z LANECULL_0;
    /// 4 * PairIndices::count numbers each, contact k of pair i at 4 * i + k; NaN from k = counts[i] on. A point of
    /// object a, from which `distance` times the direction leads to one of b. Both lie on faces of the objects up to
    /// the tolerance and what rounding leaves: some 1e-5 of the pair's size, at most 2^-13. In world coordinates, which
    /// rounds them once more.
    float* a_x LANECULL_0;
    float* a_y LANECULL_0;
    float* a_z LANECULL_0;
    /// Negative where they overlap. The first contact is the deepest: its distance is between `lower` and `upper`. The
    /// others follow around the area that all span, which is as large as the clipped faces' corners allow.
    float* distance LANECULL_0;
};
LANECULL_LAYOUT(pair_contacts, 80)

LANECULL_STRUCT(PairContactOptions, pair_contact_options) {
    lanecull_isa isa LANECULL_0;
    /// At least 0, finite. Objects that are apart by this still have contacts, at the places that are.
    float tolerance LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(pair_contact_options, 32)

/// How object a of each pair moves relative to b (a's motion minus b's), and turns: streams of PairIndices::count
/// floats. A motion with a NaN or infinite number makes the pair invalid.
LANECULL_STRUCT(PairMotions, pair_motions) {
    const float* x LANECULL_0;
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    /// Or null, all six: nothing turns. Along the axis about which a turns, by the right hand's rule, as long as the
    /// angle in radians by the end of the motion. The centre, through which the axis goes, moves with a. b keeps its
    /// orientation. Doubles decide pairs that turn by more than 6.3, one at a time.
    const float* turn_x LANECULL_0;
    const float* turn_y LANECULL_0;
    const float* turn_z LANECULL_0;
    /// The centre at the motion's start, in world coordinates. Pairs that turn are also invalid if the coordinates,
    /// the motion's and the centre's relative to b add up to more than 1e36.
    const float* center_x LANECULL_0;
    const float* center_y LANECULL_0;
    const float* center_z LANECULL_0;
};
LANECULL_LAYOUT(pair_motions, 72)

/// Results of casts: streams of PairIndices::count floats, or null. Times are fractions of the motion, 0 to 1.
///
///  - No contact: `earliest` is infinite. This is proved.
///  - Contact: `earliest` <= first contact <= `latest`. It is proved that there is none before `earliest`, and that by
///    `latest` the two have shared a point, or come as near as the rounding of doubles: 2^-44 of the sum of all the
///    coordinates that a pair has (half-axes, radii, the way between the two, the motion, the centre), relative to a
///    point of it, and for each radian of a turn 2^-46 more.
///  - Undecided: `earliest` is finite and `latest` infinite. The objects barely touch or barely miss each other, or the
///    cap on steps was reached, or the pair is invalid; then `earliest` is 0.
LANECULL_STRUCT(PairCasts, pair_casts) {
    float* earliest LANECULL_0;
    float* latest LANECULL_0;
};
LANECULL_LAYOUT(pair_casts, 16)

LANECULL_STRUCT(PairCastOptions, pair_cast_options) {
    lanecull_isa isa LANECULL_0;
    /// > 0. How far `latest` may be after `earliest`; up to 64 times as far where shapes graze each other, or where
    /// rounding is more than that. 0: 1e-4.
    float width LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(pair_cast_options, 32)

LANECULL_C_BEGIN
/// Which pairs are apart. Bit i % 64 of word i / 64 is set when the objects of pair i are proved to share no point;
/// bits beyond the last pair are 0. separated: separated_words is exactly (pairs->count + 63) / 64.
LANECULL_API lanecull_status lanecull_separate_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                                     const lanecull_pair_indices* pairs,
                                                     const lanecull_pair_options* options,
                                                     const lanecull_runner* runner, uint64_t* separated,
                                                     size_t separated_words) LANECULL_NOEXCEPT;

/// How far the objects of each pair are apart, and where they are nearest.
LANECULL_API lanecull_status lanecull_measure_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                                    const lanecull_pair_indices* pairs,
                                                    const lanecull_pair_distance_options* options,
                                                    const lanecull_runner* runner,
                                                    const lanecull_pair_distances* distances) LANECULL_NOEXCEPT;

/// How far the objects of each pair are apart or how deep they are in each other, in which direction, and where.
LANECULL_API lanecull_status
lanecull_measure_signed_pairs(const lanecull_batch* a, const lanecull_batch* b, const lanecull_pair_indices* pairs,
                              const lanecull_pair_distance_options* options, const lanecull_runner* runner,
                              const lanecull_pair_signed_distances* distances) LANECULL_NOEXCEPT;

/// Where the objects of each pair touch: up to four contacts.
LANECULL_API lanecull_status lanecull_find_pair_contacts(const lanecull_batch* a, const lanecull_batch* b,
                                                         const lanecull_pair_indices* pairs,
                                                         const lanecull_pair_contact_options* options,
                                                         const lanecull_runner* runner,
                                                         const lanecull_pair_contacts* contacts) LANECULL_NOEXCEPT;

/// When object a of each pair, which moves in a straight line and may turn, first touches b.
LANECULL_API lanecull_status lanecull_cast_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                                 const lanecull_pair_indices* pairs,
                                                 const lanecull_pair_motions* motions,
                                                 const lanecull_pair_cast_options* options,
                                                 const lanecull_runner* runner,
                                                 const lanecull_pair_casts* casts) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline Status separate_pairs(const Batch& a, const Batch& b, const PairIndices& pairs,
                                           Span<uint64_t> separated, const PairOptions& options = {},
                                           const Runner& runner = {}) noexcept {
    return lanecull_separate_pairs(&a, &b, &pairs, &options, &runner, separated.items, separated.count);
}
[[nodiscard]] inline Status pair_distances(const Batch& a, const Batch& b, const PairIndices& pairs,
                                           const PairDistances& distances, const PairDistanceOptions& options = {},
                                           const Runner& runner = {}) noexcept {
    return lanecull_measure_pairs(&a, &b, &pairs, &options, &runner, &distances);
}
[[nodiscard]] inline Status signed_pair_distances(const Batch& a, const Batch& b, const PairIndices& pairs,
                                                  const PairSignedDistances& distances,
                                                  const PairDistanceOptions& options = {},
                                                  const Runner& runner = {}) noexcept {
    return lanecull_measure_signed_pairs(&a, &b, &pairs, &options, &runner, &distances);
}
[[nodiscard]] inline Status pair_contacts(const Batch& a, const Batch& b, const PairIndices& pairs,
                                          const PairContacts& contacts, const PairContactOptions& options = {},
                                          const Runner& runner = {}) noexcept {
    return lanecull_find_pair_contacts(&a, &b, &pairs, &options, &runner, &contacts);
}
[[nodiscard]] inline Status cast_pairs(const Batch& a, const Batch& b, const PairIndices& pairs,
                                       const PairMotions& motions, const PairCasts& casts,
                                       const PairCastOptions& options = {}, const Runner& runner = {}) noexcept {
    return lanecull_cast_pairs(&a, &b, &pairs, &motions, &options, &runner, &casts);
}
}  // namespace lanecull
#endif
