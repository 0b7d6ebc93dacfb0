#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/cull.hpp>

namespace lanecull {

/// What a range's kernel is asked, of solids or of figures, and where its answers go.
struct RangeTask {
    Method method;
    std::uint32_t first;        ///< multiple of 64
    std::uint32_t count;        ///< objects
    std::uint64_t* visible;     ///< caller's words for this range, written once; or null
    std::uint64_t* kept;        ///< scratch words for this range; or null
    std::uint64_t* inside;      ///< caller's words of what is wholly inside; or null
    Certificate* certificates;  ///< the range's own; or null
    Statistics* statistics;     ///< this range's own, overwritten
};

/// One range of one batch of solids against one view: what a kernel works on. It touches nothing else.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Spheres, Boxes, ... as the table's entry expects
    const Attributes* attributes;
    const PreparedView* view;
    /// Bit k: stage 1 is to ask plane k, of the first so many. Each object is known to lie on the inner side of others.
    std::uint32_t planes;
};
/// All that stage 1 may ask.
constexpr std::uint32_t all_planes(const PreparedView& view) {
    return (1u << (view.plane_count < PreparedView::stage_one_planes ? view.plane_count
                                                                     : PreparedView::stage_one_planes)) -
           1;
}

using RangeKernel = void(const RangeWork&);

/// Writes base + i for each set bit i, ascending, at most `capacity` of them, nothing beyond; returns how many bits are
/// set.
using IndexKernel = std::size_t(const std::uint64_t* words, std::size_t word_count, std::uint32_t base,
                                std::uint32_t* indices, std::size_t capacity);

/// Writes the commands of the set bits, ascending, at most `capacity`, `stride` bytes apart. Bit i is object first + i
/// of the batch.
using DrawKernel = void(const std::uint64_t* words, std::size_t word_count, const DrawTemplates& templates,
                        std::uint32_t first, std::byte* to, std::size_t stride, std::size_t capacity);

/// How many runs of set bits there are.
using CountRunsKernel = std::size_t(const std::uint64_t* words, std::size_t word_count);

/// Writes the runs of set bits, the first `capacity` of them; with `continued`, a run from bit 0 is not the range's
/// own. Bit i is index base + i.
using RunKernel = void(const std::uint64_t* words, std::size_t word_count, bool continued, std::uint32_t base,
                       VisibleRun* runs, std::size_t capacity);

/// Float k of record i to streams[k][i], where that is not null. The stride counts floats.
using UnpackKernel = void(const float* records, std::size_t stride, std::size_t floats, std::uint32_t count,
                          float* const* streams);

/// Some vertices: 1 to 2^24.
struct VertexStreams {
    const float *x, *y, *z;
    std::uint32_t count;
};
/// The vertex at which some function of it is greatest, the first of these; and the value there, as floats have it.
struct GreatestVertex {
    float value;
    std::uint32_t vertex;
};
/// Smallest and largest coordinates; false, and no particular ones, when one is not finite.
using ExtentKernel = bool(const VertexStreams&, float (&lower)[3], float (&upper)[3]);
/// By squared distance from hi + lo: dx dx + dy dy + dz dz with d = (p - hi) - lo, each operation rounded.
using FarthestKernel = GreatestVertex(const VertexStreams&, const float (&hi)[3], const float (&lo)[3]);
/// By direction . (p - origin), and by minus that.
using ExtremesKernel = void(const VertexStreams&, const float (&origin)[3], const float (&direction)[3],
                            GreatestVertex (&result)[2]);

/// 64 boxes against one view; a box with low > high has no bits.
struct NodeWork {
    const float* low[3];
    const float* high[3];
    const PreparedView* view;
    /// The plane that is asked first about each 16 boxes, and the last one that all of them, or of a packet of fewer,
    /// were behind. Any numbers will do, those of planes may save asking the others. Null: none.
    std::uint8_t* hints;
};
constexpr std::uint32_t hinted_nodes = 16;
struct NodeVerdicts {
    std::uint64_t outside;                                 ///< wholly behind one plane, proved
    std::uint64_t inside;                                  ///< wholly in the volume, proved
    std::uint64_t within[PreparedView::stage_one_planes];  ///< wholly on the inner side of plane k, proved
};
using NodeKernel = void(const NodeWork&, NodeVerdicts&);

}  // namespace lanecull
