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
    Frame frame = world_axes;  // all occluders of a view are relative to the same place
    const float error;
    const std::uint64_t counting;
    std::uint32_t* const hidden;  // [occluder]: counts of what it hides; or null
    std::uint8_t first[most];

    LANE_INLINE explicit HidingSolids(const RangeTask& task)
        : occluders(task.occluders),
          stride(task.occluder_stride),
          error(task.occluder_error),
          counting(task.counting),
          hidden(task.hidden) {
        if (!any()) return;
        __builtin_memcpy(frame.origin_hi, task.occluder_origin, sizeof frame.origin_hi);
        __builtin_memset(first, 0, sizeof first);
    }
    LANE_INLINE bool any() const { return counting != 0; }
    LANE_INLINE const PreparedOccluder& at(std::uint32_t k) const {
        return *reinterpret_cast<const PreparedOccluder*>(reinterpret_cast<const std::byte*>(occluders) + k * stride);
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

/// Calls note(o, lanes) for each occluder o that hides lanes which none before it does. Returns all of them. An object
/// is hidden if it is so with `clearance` times its bound to spare.
template <class Shape, class Note>
LANE_INLINE std::uint32_t find_hidden(HidingSolids& solids, const Shape& shape, float clearance, std::uint32_t asked,
                                      const Note& note) {
    const FloatW bound = FloatW(Shape::error_factor(world_axes) * clearance) * shape.magnitude + FloatW(solids.error);
    asked &= bits(sound(shape) & (shape.magnitude < FloatW(inside_limit)));
    std::uint32_t hidden = 0;
    for (std::uint64_t rest = solids.counting; rest != 0 && asked != 0; rest &= rest - 1) {
        const auto o = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t by_this = hidden_lanes(solids.at(o), shape, bound, asked, solids.first[o]);
        if (by_this == 0) continue;
        note(o, by_this);
        hidden |= by_this;
        asked &= ~by_this;
    }
    return hidden;
}

/// Clears what is hidden of a packet's objects, and records by which solid.
template <class Range, class Shape>
LANE_INLINE void hide_packet(Range& range, Chunk& chunk, const Packet& packet, const Shape& shape) {
    HidingSolids& solids = range.hiding;
    const auto note = [&](std::uint32_t o, std::uint32_t by_this) LANE_LAMBDA {
        if (solids.hidden != nullptr) solids.hidden[o] += static_cast<std::uint32_t>(population(by_this));
        if (range.verdicts.noted()) range.verdicts.note_hidden(chunk, packet, by_this, o);
    };
    const std::uint32_t hidden = find_hidden(solids, shape, 1, packet.active, note);
    chunk.clear(chunk.words, packet, hidden);
    range.verdicts.count(Reason::culled_occluded) += population(hidden);
}

/// Asks all objects of a chunk that are visible so far.
template <class Range>
[[gnu::noinline]] Populations drop_hidden(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.hiding.frame);
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        const Packet packet = packets.next();
        hide_packet(range, chunk, packet, range.load(axes, packet.gathered(chunk.first)));
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
