#pragma once

/// The last stage: GJK for whatever is listed; or nothing, where only planes are to be asked.

#include <cstdint>

#include <lanecull/certificate.hpp>
#include <lanecull/prepared_view.hpp>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "shapes/frames.hpp"
#include "stages/gjk_compaction.hpp"
#include "stages/gjk_packs.hpp"
#include "stages/undecided_list.hpp"
#include "volumes/support.hpp"

namespace lanecull {
namespace {

/// Stage 2. What is rare goes two packs at a time: with growth, polytopes, certificates; and kinds with a closed form,
/// which come here where the view has none, or where the caller asks for GJK alone.
template <class Range>
inline void separate_all(Range& range, Chunk& chunk, OpenList& list) {
    if constexpr (!Range::Growth::grows && !Range::is_measured) {
        if (!range.verdicts.noted()) {
            switch (range.view.volume) {
                case VolumeKind::frustum:
                    return separate_against<FrustumW>(range, chunk, list);
                case VolumeKind::edge_frustum:
                    return separate_against<EdgeFrustumW>(range, chunk, list);
                case VolumeKind::box:
                    return separate_against<OrthoBoxW>(range, chunk, list);
                default:
                    break;
            }
        }
    }
    FrameAxesW axes(range.view.frame);
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += 2 * lanes) {
        Pack first(list, at, waiting), second(list, at + lanes, waiting);
        separate_packs(range, chunk, first, range.load(axes, first.pick(chunk.first)), second,
                       range.load(axes, second.pick(chunk.first)));
    }
}

/// Everything that is still open stays visible, for want of another test.
template <class Range>
inline void keep_all(Range& range, const Chunk& chunk, OpenList& open) {
    const std::uint32_t waiting = open.take_all();
    range.verdicts.count(Reason::visible_planes) += waiting;
    if (!range.verdicts.noted()) return;
    for (std::uint32_t at = 0; at < waiting; at += lanes) {
        Pack pack(open, at, waiting);
        range.verdicts.note(chunk, pack, pack.active, Reason::visible_planes);
    }
}

}  // namespace
}  // namespace lanecull
