#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/cull.hpp>

namespace lanecull {

/// What a kernel is to do with a range of solids or of 2D shapes, and where it writes the results.
struct RangeTask {
    Method method;
    std::uint32_t first;              ///< multiple of 64
    std::uint32_t count;              ///< objects
    const std::uint64_t* candidates;  ///< caller's words for this range: set bits are asked about; or null: all are
    /// The first of the view's occluders, `occluder_stride` bytes apart; or null.
    const PreparedOccluder* occluders;
    /// What the occluders' coordinates are relative to, in the batch's own: their origin less the batch's. It is off by
    /// at most `occluder_error`, summed over the axes.
    float occluder_origin[3];
    float occluder_error;
    std::size_t occluder_stride;
    std::uint64_t counting;     ///< bit k: occluder k hides objects in this view
    std::uint32_t* hidden;      ///< [occluder]: receives how many more objects it hides; or null
    std::uint64_t* visible;     ///< caller's words for this range, written once; or null
    std::uint64_t* kept;        ///< scratch words for this range; or null
    std::uint64_t* inside;      ///< caller's words of what is wholly inside; or null
    Certificate* certificates;  ///< the range's own; or null
    Statistics* statistics;     ///< this range's own, overwritten
};

/// One range of one batch of solids against one view: all that a kernel works on. It touches nothing else.
struct RangeWork : RangeTask {
    const void* shapes;  ///< the batch's Spheres, Boxes, ... as the table's entry expects
    const Attributes* attributes;
    const PreparedView* view;
    /// Bit k set: stage 1 tests plane k, one of the first PreparedView::stage_one_planes. Clear: each object is known
    /// to lie on the inner side of plane k. Planes beyond the first have no bit (cull/volume_planes.hpp).
    std::uint32_t planes;
};
/// The bits of those of the first stage_one_planes planes that the view has: RangeWork::planes where nothing is known.
constexpr std::uint32_t all_planes(const PreparedView& view) {
    return (1u << (view.plane_count < PreparedView::stage_one_planes ? view.plane_count
                                                                     : PreparedView::stage_one_planes)) -
           1;
}

using RangeKernel = void(const RangeWork&);

/// Writes base + i for each set bit i, ascending, at most `capacity` of them, and nothing beyond. Returns how many bits
/// are set.
using IndexKernel = std::size_t(const std::uint64_t* words, std::size_t word_count, std::uint32_t base,
                                std::uint32_t* indices, std::size_t capacity);

/// Where commands go: to `first`, and `stride` bytes on for each.
struct DrawsTo {
    std::byte* first;
    std::size_t stride;
    bool
        past_caches;  ///< where the set can: nothing of the list will be in the caches, so its lines are not read first
};

/// Writes the commands of the set bits, ascending, at most `capacity`. Bit i is object first + i of the batch.
using DrawKernel = void(const std::uint64_t* words, std::size_t word_count, const DrawTemplates& templates,
                        std::uint32_t first, const DrawsTo& to, std::size_t capacity);

/// Counts the runs of set bits.
using CountRunsKernel = std::size_t(const std::uint64_t* words, std::size_t word_count);

/// Writes the first `capacity` runs of set bits. Bit i is index base + i. `continued`: a run that begins at bit 0
/// belongs to the range before and is not written.
using RunKernel = void(const std::uint64_t* words, std::size_t word_count, bool continued, std::uint32_t base,
                       VisibleRun* runs, std::size_t capacity);

/// Writes float k of record i to streams[k][i], where streams[k] is not null. The stride counts floats.
using UnpackKernel = void(const float* records, std::size_t stride, std::size_t floats, std::uint32_t count,
                          float* const* streams);

/// 1 to 2^24 vertices.
struct VertexStreams {
    const float *x, *y, *z;
    std::uint32_t count;
};
/// The first vertex at which some function has its greatest value, and that value as floats compute it.
struct GreatestVertex {
    float value;
    std::uint32_t vertex;
};
/// Finds the smallest and the largest coordinates. False, with unspecified coordinates, if one is not finite.
using ExtentKernel = bool(const VertexStreams&, float (&lower)[3], float (&upper)[3]);
/// Finds the vertex with the greatest squared distance from hi + lo: dx dx + dy dy + dz dz with d = (p - hi) - lo, each
/// operation rounded.
using FarthestKernel = GreatestVertex(const VertexStreams&, const float (&hi)[3], const float (&lo)[3]);
/// Finds the vertex with the greatest direction . (p - origin), and the one with the greatest negative of that.
using ExtremesKernel = void(const VertexStreams&, const float (&origin)[3], const float (&direction)[3],
                            GreatestVertex (&result)[2]);

/// 64 boxes against one view; a box with low > high has no bits.
struct NodeWork {
    const float* low[3];
    const float* high[3];
    const PreparedView* view;
    /// One hint for every 16 boxes: the plane to test them against first. The kernel writes back the last plane that
    /// all of them were behind (or all of a packet of fewer). Hints change no verdict, so any numbers will do; good
    /// ones save testing the other planes. Null: no hints.
    std::uint8_t* hints;
};
constexpr std::uint32_t hinted_nodes = 16;
struct NodeVerdicts {
    std::uint64_t outside;                                 ///< wholly behind one plane, proved
    std::uint64_t inside;                                  ///< wholly in the volume, proved
    std::uint64_t within[PreparedView::stage_one_planes];  ///< wholly on the inner side of plane k, proved
};
using NodeKernel = void(const NodeWork&, NodeVerdicts&);

/// 64 boxes and a view's occluders, as RangeTask has them.
struct HiddenNodeWork : RangeTask {
    const float* low[3];
    const float* high[3];
    float margin;         ///< the view's
    std::uint64_t asked;  ///< bits of the boxes that are asked about
};
/// Which of 64 boxes occluders hide.
struct HiddenNodes {
    std::uint64_t hidden;  ///< bits of the boxes that one occluder hides, with the clearance that nodes have
    std::uint8_t by[64];   ///< of hidden boxes: which occluder does, the first of them
    /// Of the others that are asked about: bits of the occluders that may hide what is in the box.
    std::uint64_t perhaps[64];
};
using HiddenNodeKernel = void(const HiddenNodeWork&, HiddenNodes&);

}  // namespace lanecull
