#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/pairs.hpp>

namespace lanecull::pairs {

/// In the order of Batch::Shapes.
enum class Kind : std::uint8_t { spheres, boxes, centered_boxes, oriented_boxes, capsules, hull_instances };

/// One of the two batches.
struct Side {
    Kind kind;
    std::uint32_t count;
    const void* shapes;  ///< Spheres, Boxes, ...
};

/// Pairs first .. first + count - 1 of a call, `first` a multiple of 64: what a kernel works on. It touches nothing
/// else.
struct PairRange {
    Side a, b;
    PairIndices indices;
    std::size_t first;
    std::uint32_t count;
};

struct SeparateWork : PairRange {
    std::uint64_t* separated;  ///< the call's own
};

struct DistanceWork : PairRange {
    PairDistances to;  ///< the call's own
    float limit, relative;
};
struct CastWork : PairRange {
    PairMotions motions;  ///< the call's own, and so
    PairCasts to;
    float width;
};

using SeparateKernel = void(const SeparateWork&);
using DistanceKernel = void(const DistanceWork&);
using CastKernel = void(const CastWork&);

}  // namespace lanecull::pairs
