#pragma once

/// Clears objects that an occluder hides: those that lie in all of its half-spaces (occluders/occluder.cpp) with more
/// than the bound to spare. It is the test of containment.hpp against another volume, in coordinates relative to the
/// viewpoint.

#include <cstddef>
#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/prepared_view.hpp>

#include "base/rounding_bound.hpp"
#include "calls/kernel_work.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "shapes/frames.hpp"
#include "stages/chunk.hpp"
#include "stages/packet.hpp"
#include "stages/refine.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// The occluders that count in a view. For each of them, the half-space that the last packet failed at: neighbours fail
/// at the same one, so it is asked first.
struct HidingSolids {
    static constexpr std::uint32_t most = 64;

    const PreparedOccluder* const occluders;
    const std::size_t stride;
    const std::uint64_t counting;
    std::uint8_t first[most];

    LANE_INLINE explicit HidingSolids(const RangeTask& task)
        : occluders(task.occluders), stride(task.occluder_stride), counting(task.counting) {
        if (any()) __builtin_memset(first, 0, sizeof first);
    }
    LANE_INLINE bool any() const { return counting != 0; }
    LANE_INLINE const PreparedOccluder& at(std::uint32_t k) const {
        return *reinterpret_cast<const PreparedOccluder*>(reinterpret_cast<const std::byte*>(occluders) + k * stride);
    }
    /// All occluders of a view are relative to the same place.
    LANE_INLINE Frame frame() const {
        Frame frame = world_axes;
        const float(&origin)[3] = at(0).origin;
        for (int k = 0; k < 3; ++k) frame.origin_hi[k] = origin[k];
        return frame;
    }
};

/// Set: the shape lies in half-space k, for certain. Its reach along the inner side is taken away, so `bound` covers
/// what it covers in refine().
template <class Shape>
LANE_INLINE MaskW lies_in(const PreparedOccluder& occluder, std::uint32_t k, const Shape& shape, FloatW bound) {
    const Vec3W n = broadcast3(occluder.normal[k]);
    const NormalW outward{-n, {abs(n.x), abs(n.y), abs(n.z)}};
    return dot_plus(n, shape.center, FloatW(occluder.offset[k])) - shape.reach(outward) > bound;
}

/// Of the lanes `asked`, those whose shapes lie in all half-spaces. `first` is where to begin, and is changed to the
/// half-space that no lane lies in.
template <class Shape>
LANE_INLINE std::uint32_t hidden_lanes(const PreparedOccluder& occluder, const Shape& shape, FloatW bound,
                                       std::uint32_t asked, std::uint8_t& first) {
    asked &= bits(lies_in(occluder, first, shape, bound));
    for (std::uint32_t k = 0; asked != 0 && k < occluder.count; ++k) {
        if (k == first) continue;
        asked &= bits(lies_in(occluder, k, shape, bound));
        if (asked == 0) first = static_cast<std::uint8_t>(k);
    }
    return asked;
}

/// Clears what is hidden among a packet's lanes `asked`, and notes by which solid. Returns the lanes.
template <class Range, class Shape>
LANE_INLINE std::uint32_t hide_packet(Range& range, const Chunk& chunk, const Packet& packet, const Shape& shape,
                                      std::uint32_t asked) {
    const FloatW bound = FloatW(Shape::error_factor(world_axes)) * shape.magnitude;
    asked &= bits(sound(shape) & (shape.magnitude < FloatW(inside_limit)));
    std::uint32_t hidden = 0;
    for (std::uint64_t rest = range.hiding.counting; rest != 0 && asked != 0; rest &= rest - 1) {
        const auto o = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t by_this = hidden_lanes(range.hiding.at(o), shape, bound, asked, range.hiding.first[o]);
        if (by_this != 0 && range.verdicts.noted()) range.verdicts.note_hidden(chunk, packet, by_this, o);
        hidden |= by_this;
        asked &= ~by_this;
    }
    return hidden;
}

/// Asks all objects that are visible so far.
template <class Range>
[[gnu::noinline]] Populations drop_hidden(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.hiding.frame());
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        Packet packet = packets.next();
        const std::uint32_t hidden =
            hide_packet(range, chunk, packet, range.load(axes, packet.gathered(chunk.first)), packet.active);
        chunk.clear(chunk.words, packet, hidden);
        range.verdicts.count(Reason::culled_occluded) += population(hidden);
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
