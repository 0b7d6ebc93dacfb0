#pragma once

/// Clears objects that an occluder hides: those that lie in all of its half-spaces (occluders/occluder.cpp) with more
/// than the bound to spare. It is the test of wholly_inside() (cull/refine.hpp) against another volume, in coordinates
/// relative to the viewpoint.

#include <lanecull/cull.h>
#include <lanecull/occluder.h>

#include <cstddef>
#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/gjk_hulls.hpp"
#include "cull/kernel_work.hpp"
#include "cull/refine.hpp"
#include "lanes/box.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/hull.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "view/prepared_occluder.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// The occluders that count in a view. For each of them, the half-space that the last packet failed at: neighbours fail
/// at the same one, so it is tested first.
struct HidingSolids {
    static constexpr std::uint32_t most = 64;

    const PreparedOccluder* const occluders;
    const std::size_t stride;
    Frame frame = world_axes;  // all occluders of a view are relative to the same place
    const float error;
    const std::uint64_t counting;
    const std::uint64_t* const of_word;  // [word of the range]: those that may hide its objects; or null: each may
    const std::uint32_t range_first;     // the range's first object
    std::uint32_t* const hidden;         // [occluder]: counts of what it hides; or null
    std::uint8_t first[most];

    LANE_INLINE explicit HidingSolids(const RangeTask& task, const std::uint64_t* counting_of_word = nullptr)
        : occluders(task.occluders),
          stride(task.occluder_stride),
          error(task.occluder_error),
          counting(task.counting),
          of_word(counting_of_word),
          range_first(task.first),
          hidden(task.hidden) {
        if (!any()) return;
        __builtin_memcpy(frame.origin_hi, task.occluder_origin, sizeof frame.origin_hi);
        __builtin_memset(first, 0, sizeof first);
    }
    LANE_INLINE bool any() const { return counting != 0; }
    LANE_INLINE const PreparedOccluder& at(std::uint32_t k) const {
        return *reinterpret_cast<const PreparedOccluder*>(reinterpret_cast<const std::byte*>(occluders) + k * stride);
    }

    /// The occluders that may hide objects of a packet.
    LANE_INLINE std::uint64_t counting_for(const Chunk& chunk, const Packet& packet) const {
        if (of_word == nullptr) return counting;
        const std::uint64_t* const of = of_word + (chunk.first - range_first) / 64;
        if (packet.neighbours) return of[packet.first_object / 64] | of[(packet.first_object + lanes - 1) / 64];
        alignas(64) std::int32_t objects[lanes];
        store(objects, packet.objects());
        std::uint64_t any = 0;
        for (std::uint32_t rest = packet.active; rest != 0; rest &= rest - 1) {
            any |= of[objects[__builtin_ctz(rest)] / 64];
        }
        return any;
    }
};

/// Set: the shape lies in half-space k, for certain. Its reach towards the outer side is taken away, so `bound` covers
/// what it covers in refine().
template <class Shape>
LANE_INLINE MaskW lies_in(const PreparedOccluder& occluder, std::uint32_t k, const Shape& shape, FloatW bound) {
    const Vec3W n = broadcast3(occluder.normal[k]);
    const NormalW inward{n, {abs(n.x), abs(n.y), abs(n.z)}};
    return dot_plus(n, shape.center, FloatW(occluder.offset[k])) - shape.reach_back(inward) > bound;
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

/// Balls around W objects. Where a centre is no farther inside of a half-space than `floor`, the occluder does not hide
/// the object; where it is farther than `far` inside of each, it does, in whatever direction the object reaches.
struct HidingBallsW {
    Vec3W center;
    FloatW floor, far;

    struct Answers {
        std::uint32_t hidden, near;  ///< near: neither is known
    };

    /// `first` as for shapes.
    LANE_INLINE Answers ask(const PreparedOccluder& occluder, std::uint32_t asked, std::uint8_t& first) const {
        const auto at = [&](std::uint32_t k) LANE_LAMBDA {
            return dot_plus(broadcast3(occluder.normal[k]), center, FloatW(occluder.offset[k]));
        };
        FloatW least = at(first);
        asked &= bits(least > floor);
        for (std::uint32_t k = 0; asked != 0 && k < occluder.count; ++k) {
            if (k == first) continue;
            const FloatW here = at(k);
            least = min(least, here);
            asked &= bits(here > floor);
            if (asked == 0) first = static_cast<std::uint8_t>(k);
        }
        const std::uint32_t hidden = asked & bits(least > far);
        return {hidden, asked & ~hidden};
    }
};

/// Set: the shape is one, and small enough for the bound to hold for it.
template <class Shape>
LANE_INLINE MaskW may_be_told_hidden(const Shape& shape) {
    return sound(shape) & (shape.magnitude < FloatW(inside_limit));
}

/// What a shape's place in a half-space may be off by, `clearance` times. error: what the occluders' origin is off by.
template <class Shape>
LANE_INLINE FloatW hiding_bound(const Shape& shape, float clearance, float error) {
    return FloatW(Shape::error_factor(world_axes) * clearance) * shape.magnitude + FloatW(error);
}

/// Clears those of a packet's objects that occluder `o` hides, and records it.
template <class Range>
LANE_INLINE void record_hidden(Range& range, Chunk& chunk, const Packet& packet, std::uint32_t hidden,
                               std::uint32_t o) {
    if (range.hiding.hidden != nullptr) range.hiding.hidden[o] += static_cast<std::uint32_t>(population(hidden));
    if (range.verdicts.noted()) range.verdicts.note_hidden(chunk, packet, hidden, o);
    chunk.clear(chunk.words, packet, hidden);
    range.verdicts.count(Reason::culled_occluded) += population(hidden);
}

/// Tests a packet's objects against the occluders whose bits are set.
template <class Range, class Shape>
LANE_INLINE void hide_packet(Range& range, Chunk& chunk, const Packet& packet, const Shape& shape,
                             std::uint64_t occluders) {
    HidingSolids& solids = range.hiding;
    const FloatW bound = hiding_bound(shape, 1, solids.error);
    std::uint32_t asked = packet.active & bits(may_be_told_hidden(shape));
    for (std::uint64_t rest = occluders; rest != 0 && asked != 0; rest &= rest - 1) {
        const auto o = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const std::uint32_t hidden = hidden_lanes(solids.at(o), shape, bound, asked, solids.first[o]);
        if (hidden == 0) continue;
        record_hidden(range, chunk, packet, hidden, o);
        asked &= ~hidden;
    }
}

/// The same by the balls that are stored beside the objects' records. Returns the lanes that they leave in doubt.
template <class Range>
LANE_INLINE std::uint32_t hide_balls(Range& range, Chunk& chunk, const Packet& packet, const RelativeAxesW& axes,
                                     std::uint64_t occluders) {
    using Kind = typename Range::Kind;
    HidingSolids& solids = range.hiding;
    const GatheredObjects objects = packet.gathered(chunk.first);
    const BallW ball = range.expansion.expand(Kind::ball(axes, range.shapes, objects), objects);
    const FloatW zero(0.0f), magnitude = one_norm(ball.center) + ball.radius;
    const FloatW bound = FloatW(error_per_magnitude(roundings::zonotope)) * magnitude + FloatW(solids.error);
    const FloatW far = ball.radius + (bound + bound);
    // A ball's centre that is no point of the object says less.
    const HidingBallsW balls{ball.center, Kind::has_ball_center ? zero : -far, far};
    const std::uint32_t sound = packet.active & bits((ball.radius >= zero) & (magnitude < FloatW(inside_limit)));
    std::uint32_t asked = sound, near = 0;
    for (std::uint64_t rest = occluders; rest != 0 && asked != 0; rest &= rest - 1) {
        const auto o = static_cast<std::uint32_t>(__builtin_ctzll(rest));
        const HidingBallsW::Answers told = balls.ask(solids.at(o), asked, solids.first[o]);
        near |= told.near;
        if (told.hidden == 0) continue;
        record_hidden(range, chunk, packet, told.hidden, o);
        asked &= ~told.hidden;
    }
    return (asked & near) | (packet.active & ~sound);
}

/// Tests all objects of a chunk that are visible so far. Records of objects whose balls decide are not read: they are
/// 50 bytes and more, from anywhere.
template <class Range>
[[gnu::noinline]] Populations drop_hidden(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.hiding.frame);
    // What is in view is mostly together, and then plain loads cost less than gathers.
    const auto together = [](const Chunk& of, const std::uint64_t* set, UndecidedList& listed)
                              LANE_LAMBDA { return Packets(of, set, listed, Packets::are_together(of, set)); };
    std::uint64_t asked[chunk_words];
    __builtin_memcpy(asked, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    if constexpr (Range::Kind::stores_ball) {
        for (Packets packets = together(chunk, chunk.words, list);
             Range::Kind::has_stage_one(range.shapes) && packets.more();) {
            const Packet packet = packets.next();
            const std::uint64_t occluders = range.hiding.counting_for(chunk, packet);
            const std::uint32_t in_doubt = occluders == 0 ? 0 : hide_balls(range, chunk, packet, axes, occluders);
            chunk.clear(asked, packet, packet.active & ~in_doubt);
        }
    }
    for (Packets packets = together(chunk, asked, list); packets.more();) {
        const Packet packet = packets.next();
        const std::uint64_t occluders = range.hiding.counting_for(chunk, packet);
        if (occluders == 0) continue;
        hide_packet(range, chunk, packet, range.load(axes, packet.gathered(chunk.first)), occluders);
    }
    return chunk.close_culled();
}

/// Instances of hulls, in relative coordinates, that reach along normals as far as their vertices do.
struct VertexReachW : HullW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull_reach); }

    template <class Axes>
    LANE_INLINE VertexReachW(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered, PacketHulls& of)
        : HullW(axes, s, gathered, of) {
        valid = valid & finite();
    }

    LANE_INLINE FloatW reach_back(const Vec3W& n) const { return dot(n, center - support(world_axes, -n)); }
};

/// Of the lanes `asked`, those whose points some occluder may hide. Claims nothing.
LANE_INLINE std::uint32_t perhaps_hidden(const HidingSolids& hiding, std::uint64_t occluders, const Vec3W& point,
                                         std::uint32_t asked) {
    std::uint32_t found = 0;
    for (std::uint64_t rest = occluders; rest != 0 && asked != 0; rest &= rest - 1) {
        const PreparedOccluder& occluder = hiding.at(static_cast<std::uint32_t>(__builtin_ctzll(rest)));
        std::uint32_t by_this = asked;
        for (std::uint32_t k = 0; by_this != 0 && k < occluder.count; ++k) {
            by_this &= bits(dot_plus(broadcast3(occluder.normal[k]), point, FloatW(occluder.offset[k])) > FloatW(0.0f));
        }
        found |= by_this;
        asked &= ~by_this;
    }
    return found;
}

/// After drop_hidden(), which tests hulls' boxes: tests the vertices of hull instances whose box no occluder hides.
/// Before that, the mean vertex has to be hidden, which is a point of the instance, so hulls that are in plain sight
/// cost one point.
template <class Range>
[[gnu::noinline]] Populations drop_hidden_hulls(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.hiding.frame);
    std::uint64_t asked[chunk_words];
    __builtin_memcpy(asked, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        const Packet packet = packets.next();
        const std::uint64_t occluders = range.hiding.counting_for(chunk, packet);
        const auto shape = range.load(axes, packet.gathered(chunk.first));
        const std::uint32_t sound_lanes = packet.active & bits(sound(shape));
        const std::uint32_t found = perhaps_hidden(range.hiding, occluders, shape.inner_point(), sound_lanes);
        chunk.clear(asked, packet, packet.active & ~found);
    }
    for (std::uint32_t word = list.collect(chunk, asked, 0); list.count > 0; word = list.collect(chunk, asked, word)) {
        for (HullPackets packets(range, chunk, list); packets.more();) {
            const HullPacket packet = packets.next();
            const GatheredObjects objects = packet.gathered(chunk.first);
            const VertexReachW hull(axes, range.shapes, objects, *packet.hulls);
            hide_packet(range, chunk, packet, range.expansion.expand(axes, hull, objects),
                        range.hiding.counting_for(chunk, packet));
        }
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
