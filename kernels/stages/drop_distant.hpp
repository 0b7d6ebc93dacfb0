#pragma once

/// Clears objects that are beyond their own limits of distance and size, or beyond a lamp's range (eye_limits.hpp).

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "shapes/frames.hpp"
#include "stages/chunk.hpp"
#include "stages/eye_limits.hpp"
#include "stages/packet.hpp"
#include "stages/undecided_list.hpp"

namespace lanecull {
namespace {

/// Clears the bits of objects that are too far away or too small. Not inlined, like the next one, because it is rare.
template <class Range>
[[gnu::noinline]] Populations drop_distant(Range& range, Chunk& chunk, UndecidedList& list) {
    const FloatW endless(__builtin_inff()), nothing(0.0f);
    FrameAxesW axes(range.view.eye);
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        Packet packet = packets.next();
        GatheredObjects gathered = packet.gathered(chunk.first);
        DistantW distant = too_distant(
            range.view, range.load(axes, gathered),
            range.attributes.max_distance != nullptr ? gathered(range.attributes.max_distance) : endless,
            range.attributes.min_projected_size != nullptr ? gathered(range.attributes.min_projected_size) : nothing);
        const std::uint32_t far = bits(distant.far) & packet.active, small = bits(distant.small) & packet.active & ~far;
        chunk.clear(chunk.words, packet, far | small);
        range.verdicts.record(chunk, packet, far, Reason::culled_distance);
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
        const std::uint32_t far = bits(seen.beyond(FloatW(range.view.light_range))) & packet.active;
        chunk.clear(chunk.words, packet, far);
        range.verdicts.record(chunk, packet, far, Reason::culled_distance);
    }
    return chunk.close_culled();
}

}  // namespace
}  // namespace lanecull
