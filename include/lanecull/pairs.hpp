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

/// Pairs of objects, one pair a lane: what a broad phase leaves. Are they apart, how far, and when does a moving one
/// first touch the other? (<lanecull/gjk.hpp> asks about one pair at a time, of shapes of any kind.)
///
/// What holds for all three:
///  - `a` and `b` are the shapes of a batch (batch.hpp): any kind, the same or different, also the same arrays. They
///    may have up to 2^31 - 1 objects. Bounding spheres and radii are not looked at.
///  - Pair i is object pairs.a[i] of `a` and object pairs.b[i] of `b`. A pair with an index out of range, or with an
///    invalid object (batch.hpp), is *invalid*: never said to be apart. Nor is a pair whose coordinates, relative to
///    each other, add up to more than 1e37.
///  - What is said of a pair is proved, all rounding accounted for (kernels/pairs/README.md): a direction in which the
///    two are apart by more than the error bound, which is some 20 units of 2^-24 of the sum of the coordinates,
///    relative to each other: of sizes and distance, not of the place in the world.
///  - Results do not depend on the runner or its threads, byte for byte, nor on the caller's floating-point modes. Sets
///    of instructions may differ within the error bound.
///  - Outputs must not overlap anything else that the call reads or writes. They are only written.
///  - No call allocates. One fails before anything is written when an argument breaks its rule. Thread-safe.
///
/// GJK on W pairs at a time. Pairs of all kinds may stand in any order.
namespace lanecull {

/// `count` pairs; pair i is at byte i * stride_bytes from `a` and from `b`. Two arrays, or one of structs:
/// {&p[0].first, &p[0].second, n, sizeof(p[0])}.
struct PairIndices {
    const std::uint32_t* a = nullptr;
    const std::uint32_t* b = nullptr;
    std::size_t count = 0;
    std::size_t stride_bytes = sizeof(std::uint32_t);  ///< a multiple of 4 up to 65,536
};

struct PairOptions {
    Isa isa = Isa::automatic;
};

/// Bit i % 64 of word i / 64 is set when the two of pair i are proved to share no point; bits beyond the last pair are
/// 0. separated: exactly (pairs.count + 63) / 64 words.
LANECULL_API Status separate_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                                   std::span<std::uint64_t> separated, const PairOptions& options = {},
                                   const Runner& runner = serial_runner()) noexcept;

/// Where distances go: streams of pairs.count floats, any of them null, the points all or none.
struct PairDistances {
    /// Never above the distance. 0 where the two are not proved to be apart.
    float* lower = nullptr;
    /// Never below it. Infinite for invalid pairs, and where a number overflows.
    float* upper = nullptr;
    /// A point of each, nearest to each other up to what the bounds leave open; in world coordinates, which rounds them
    /// once more. Of pairs that are not apart: points in or near what they share. NaN for invalid pairs.
    float* a_x = nullptr;
    float* a_y = nullptr;
    float* a_z = nullptr;
    float* b_x = nullptr;
    float* b_y = nullptr;
    float* b_z = nullptr;
};

struct PairDistanceOptions : PairOptions {
    /// Who only wants to know distances up to this, >= 0: a pair whose `lower` is above it is left there, with `upper`
    /// and points that are right but may be far from the best.
    float limit = std::numeric_limits<float>::infinity();
    /// >= 0. The bounds come as near to each other as this share of the distance (between the cores of what is round:
    /// centres and segments), and what rounding leaves, some 1e-5 of the pair's size.
    float relative = 1e-6f;
};

/// How far the two of each pair are apart, and where they are nearest.
LANECULL_API Status pair_distances(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                                   const PairDistances& distances, const PairDistanceOptions& options = {},
                                   const Runner& runner = serial_runner()) noexcept;

/// By how much object a of each pair moves, as b sees it (its motion less b's): three streams of pairs.count floats. A
/// motion with a NaN or infinite number makes the pair invalid.
struct PairMotions {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* z = nullptr;
};

/// Where casts go: streams of pairs.count floats, or null. Times are shares of the motion, 0 to 1.
///
///  - No contact: `earliest` is infinite. Proved.
///  - Contact: the first is between `earliest` and `latest`. Proved is that there is none before `earliest`; at
///  `latest`
///    the two share a point, up to rounding.
///  - Undecided: `earliest` is finite and `latest` infinite. They touch barely, or not quite, or the cap on steps was
///    reached; or the pair is invalid, `earliest` is then 0.
struct PairCasts {
    float* earliest = nullptr;
    float* latest = nullptr;
};

struct PairCastOptions : PairOptions {
    /// > 0. How far `latest` may be behind `earliest`; up to 64 times as far where shapes graze, or where rounding is
    /// more than that.
    float width = 1e-4f;
};

/// When object a of each pair, on its straight way, first touches b.
LANECULL_API Status cast_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                               const PairMotions& motions, const PairCasts& casts, const PairCastOptions& options = {},
                               const Runner& runner = serial_runner()) noexcept;

}  // namespace lanecull
