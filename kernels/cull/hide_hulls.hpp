#pragma once

/// Hull instances whose hulls' boxes no occluder hides: their vertices are asked. Before that, the mean vertex has to
/// be hidden, which is a point of the instance, so hulls that are in plain sight cost one point.

#include <cstdint>

#include <lanecull/certificate.hpp>

#include "base/rounding_bound.hpp"
#include "cull/chunk.hpp"
#include "cull/gjk_hulls.hpp"
#include "cull/hide.hpp"
#include "cull/packet.hpp"
#include "cull/undecided_list.hpp"
#include "lanes/frames.hpp"
#include "lanes/gather.hpp"
#include "lanes/hull.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"

namespace lanecull {
namespace {

/// Instances of hulls, in relative coordinates, that reach along normals as far as their vertices do.
struct VertexReachW : HullW {
    static LANE_INLINE float error_factor(const Frame&) { return error_per_magnitude(roundings::hull_reach); }

    template <class Axes>
    LANE_INLINE VertexReachW(const Axes& axes, const HullInstances& s, const GatheredObjects& gathered, PacketHulls& of)
        : HullW(axes, s, gathered, of) {
        valid = valid & finite();
    }

    LANE_INLINE FloatW reach(const Vec3W& n) const { return dot(n, support(world_axes, n) - center); }
};

/// Of the lanes `asked`, those whose points some occluder may hide. Claims nothing.
LANE_INLINE std::uint32_t perhaps_hidden(const HidingSolids& hiding, const Vec3W& point, std::uint32_t asked) {
    std::uint32_t found = 0;
    for (std::uint64_t rest = hiding.counting; rest != 0 && asked != 0; rest &= rest - 1) {
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

/// After drop_hidden(), which asks hulls' boxes.
template <class Range>
[[gnu::noinline]] Populations drop_hidden_hulls(Range& range, Chunk& chunk, UndecidedList& list) {
    const RelativeAxesW axes(range.hiding.frame);
    std::uint64_t asked[chunk_words];
    __builtin_memcpy(asked, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        const Packet packet = packets.next();
        const auto shape = range.load(axes, packet.gathered(chunk.first));
        const std::uint32_t sound_lanes = packet.active & bits(sound(shape));
        chunk.clear(asked, packet, packet.active & ~perhaps_hidden(range.hiding, shape.inner_point(), sound_lanes));
    }
    for (std::uint32_t word = list.collect(chunk, asked, 0); list.count > 0; word = list.collect(chunk, asked, word)) {
        HullPackets<Range> packets{range, chunk, list, list.take_all()};
        for (HullPacket of = packets.next(); of.hulls != nullptr; of = packets.next()) {
            const GatheredObjects objects = of.packet.gathered(chunk.first);
            const VertexReachW hull(axes, range.shapes, objects, *of.hulls);
            hide_packet(range, chunk, of.packet, range.expansion.expand(axes, hull, objects));
        }
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
