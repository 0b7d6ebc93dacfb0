#pragma once

/// Clears objects that are beyond their own limits of distance and size, or beyond a lamp's range (eye_limits.hpp).

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/chunk.hpp"
#include "cull/eye_limits.hpp"
#include "cull/packet.hpp"
#include "cull/undecided_list.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Clears the bits of objects that are too far away, too near or too small. Not inlined, like the next one, because it
/// is rare.
template <class Range>
[[gnu::noinline]] Populations drop_distant(Range& range, Chunk& chunk, UndecidedList& list) {
    FrameAxesW axes(range.view.eye);
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        Packet packet = packets.next();
        GatheredObjects gathered = packet.gathered(chunk.first);
        BeyondLimitsW beyond =
            beyond_limits(range.view, range.load(axes, gathered), EyeLimitsW(range.attributes, gathered));
        const std::uint32_t far = bits(beyond.far) & packet.active, near = bits(beyond.near) & packet.active & ~far,
                            small = bits(beyond.small) & packet.active & ~(far | near);
        chunk.clear(chunk.words, packet, far | near | small);
        range.verdicts.record(chunk, packet, far, Reason::culled_distance);
        range.verdicts.record(chunk, packet, near, Reason::culled_near);
        range.verdicts.record(chunk, packet, small, Reason::culled_size);
    }
    return chunk.close_culled();
}

/// The same for objects that the view's lamp does not reach.
template <class Range>
[[gnu::noinline]] Populations drop_beyond_light(Range& range, Chunk& chunk, UndecidedList& list) {
    FrameAxesW axes(range.view.light);
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        Packet packet = packets.next();
        SeenFromW seen(range.view.light, range.view.light_error, range.load(axes, packet.gathered(chunk.first)));
        const std::uint32_t far = bits(seen.wholly_beyond(FloatW(range.view.light_range))) & packet.active;
        chunk.clear(chunk.words, packet, far);
        range.verdicts.record(chunk, packet, far, Reason::culled_distance);
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
