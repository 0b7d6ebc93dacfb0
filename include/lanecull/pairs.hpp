#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace lanecull
