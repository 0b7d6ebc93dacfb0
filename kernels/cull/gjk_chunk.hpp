#pragma once

/// The last stage: GJK for everything listed, or nothing for Method::planes.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "cull/chunk.hpp"
#include "cull/gjk_compaction.hpp"
#include "cull/gjk_packets.hpp"
#include "cull/kind_traits.hpp"
#include "cull/packet.hpp"
#include "cull/undecided_list.hpp"
#include "cull/volume_support.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Stage 2. Rare cases take the list two packets at a time, without compaction: expansion, polytopes, certificates.
template <class Range>
inline void separate_all(Range& range, Chunk& chunk, UndecidedList& list) {
    if constexpr (!Range::Expansion::expands) {
        if (!range.verdicts.noted() && is_asked_often(range.view)) {
            return separate_from_volume(range, chunk, list);
        }
    }
    FrameAxesW axes(range.view.frame);
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        Packet first = list.packet(at, waiting), second = list.packet(at + lanes, waiting);
        separate_packets(range, chunk, first, range.load(axes, first.gathered(chunk.first)), second,
                         range.load(axes, second.gathered(chunk.first)));
    }
}

/// For Method::planes: everything that is still undecided stays visible, because there is no other test.
template <class Range>
inline void keep_all(Range& range, const Chunk& chunk, UndecidedList& list) {
    const std::uint32_t waiting = list.take_all();
    range.verdicts.count(Reason::visible_planes) += waiting;
    if (!range.verdicts.noted()) return;
    for (std::uint32_t at = 0; at < waiting; at += lanes) {
        Packet packet = list.packet(at, waiting);
        range.verdicts.note(chunk, packet, packet.active, Reason::visible_planes);
    }
}

}  // namespace
}  // namespace lanecull
