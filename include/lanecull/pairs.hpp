#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>

/// Pairs of objects, many at a time, as a broad phase leaves them. Are the two apart, how far, and when does a moving
/// one first touch the other? (<lanecull/gjk.hpp> is for one pair at a time, of shapes of any kind.)
///
/// What holds for all three functions:
///  - `a` and `b` are the shapes of a batch (batch.hpp): of any kinds, equal or different; they may be the same arrays.
///    Each may have up to 2^31 - 1 objects. Bounding spheres and radii are not looked at.
///  - Pair i is object pairs.a[i] of `a` and object pairs.b[i] of `b`. A pair is *invalid* if an index is out of range,
///    if an object is invalid (batch.hpp), or if the coordinates, relative to each other, add up to more than 1e37. An
///    invalid pair is never reported apart.
///  - What is reported apart is proved apart, with all rounding accounted for: there is a direction in which the two
///    are apart by more than the error bound. Floats in lanes decide nearly all pairs, by a bound of some 20 * 2^-24 of
///    the sum of the coordinates relative to each other. What they leave open doubles settle, one pair at a time, by
///    <lanecull/gjk.hpp>; their bound is some 50 * 2^-53. So two objects that are apart by more than that are reported
///    apart, however large one of them is and wherever they are. A settled pair of boxes takes 0.5 to 0.7 us
///    (benchmarks pair/open); hulls take longer, by the number of their vertices. Of 10^6 random pairs of oriented
///    boxes 21 are settled by separate_pairs(), none by pair_distances(), and of their contacts 4 in 100 by
///    cast_pairs(); more where objects rest on each other, or where one is some 1,000 times as large as the motion.
///  - Results do not depend on the runner or its threads, byte for byte, nor on the caller's floating-point modes.
///    Instruction sets may differ within the error bound.
///  - Outputs must not overlap anything else that the call reads or writes. They are only written.
///  - No call allocates. A call fails before anything is written if an argument breaks its rule. Thread-safe.
///
/// Pairs may be in any order.
namespace lanecull {

/// `count` pairs. The indices of pair i are at byte i * stride_bytes from `a` and from `b`. Either two arrays, or one
/// array of structs: {&p[0].first, &p[0].second, n, sizeof(p[0])}.
struct PairIndices {
    const std::uint32_t* a = nullptr;
    const std::uint32_t* b = nullptr;
    std::size_t count = 0;
    std::size_t stride_bytes = sizeof(std::uint32_t);  ///< a multiple of 4 up to 65,536
};

struct PairOptions {
    Isa isa = Isa::automatic;
};

/// Which pairs are apart. Bit i % 64 of word i / 64 is set when the objects of pair i are proved to share no point;
/// bits beyond the last pair are 0. separated: exactly (pairs.count + 63) / 64 words.
LANECULL_API Status separate_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                                   std::span<std::uint64_t> separated, const PairOptions& options = {},
                                   const Runner& runner = {}) noexcept;

/// Where distances go: streams of pairs.count floats. Any may be null; of the six coordinates either all or none.
struct PairDistances {
    /// Never above the distance. 0 for pairs that are not proved to be apart.
    float* lower = nullptr;
    /// Never below the distance. Infinite for invalid pairs, and where a number overflows.
    float* upper = nullptr;
    /// A point of each object, nearest to each other up to what lies between the bounds; in world coordinates, which
    /// rounds them once more. For pairs that are not apart: points in or near what the objects share. NaN for invalid
    /// pairs, and where a number overflows so that `upper` is infinite.
    float* a_x = nullptr;
    float* a_y = nullptr;
    float* a_z = nullptr;
    float* b_x = nullptr;
    float* b_y = nullptr;
    float* b_z = nullptr;
};

struct PairDistanceOptions : PairOptions {
    /// >= 0. For callers who only need distances up to this: a pair whose `lower` is above the limit is not refined
    /// further. Its `upper` and points are right, but may be far from the best.
    float limit = std::numeric_limits<float>::infinity();
    /// >= 0. The bounds differ by no more than this fraction of the distance (for round shapes, of the distance between
    /// their centres and segments) plus what rounding leaves, some 1e-5 of the pair's size.
    float relative = 1e-6f;
};

/// How far the objects of each pair are apart, and where they are nearest.
LANECULL_API Status pair_distances(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                                   const PairDistances& distances, const PairDistanceOptions& options = {},
                                   const Runner& runner = {}) noexcept;

/// How object a of each pair moves relative to b (a's motion minus b's): three streams of pairs.count floats. A motion
/// with a NaN or infinite number makes the pair invalid.
struct PairMotions {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
};

/// Where casts go: streams of pairs.count floats, or null. Times are fractions of the motion, 0 to 1.
///
///  - No contact: `earliest` is infinite. This is proved.
///  - Contact: `earliest` <= first contact <= `latest`. It is proved that there is none before `earliest`, and that by
///    `latest` the two have shared a point, or come as near as the rounding of doubles: 2^-44 of the sum of all the
///    coordinates that a pair has (half-axes, radii, the way between the two, the motion), relative to a point of it.
///  - Undecided: `earliest` is finite and `latest` infinite. The objects barely touch or barely miss each other, or the
///    cap on steps was reached, or the pair is invalid; then `earliest` is 0.
struct PairCasts {
    float* earliest = nullptr;
    float* latest = nullptr;
};

struct PairCastOptions : PairOptions {
    /// > 0. How far `latest` may be after `earliest`; up to 64 times as far where shapes graze each other, or where
    /// rounding is more than that.
    float width = 1e-4f;
};

/// When object a of each pair, moving in a straight line, first touches b.
LANECULL_API Status cast_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                               const PairMotions& motions, const PairCasts& casts, const PairCastOptions& options = {},
                               const Runner& runner = {}) noexcept;

}  // namespace lanecull
