#pragma once

/// Spotlights of which a view may see the balls around them: those whose cones it sees nothing of are culled, by the
/// view's planes and by GJK.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/gjk.hpp"
#include "cull/refine.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/place.hpp"
#include "lights/shape.hpp"
#include "lights/work.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// W spotlights in a row, and what the view's planes say of them.
struct SeenSpotsW {
    LightShapeW shape;
    Vec3W start;          // the normal of the plane that they reach least far inside of
    std::uint32_t valid;  // a bit each
    std::uint32_t outside = 0;

    LANE_INLINE SeenSpotsW(const PreparedView& view, const LoadedW& spots, SpotEnd end)
        : shape(view.frame, spots.apex, spots.axis, FloatW(0.0f), spots.range, spots.tangent, end),
          valid(bits(spots.valid & (shape.magnitude < FloatW(magnitude_limit)))) {
        const FloatW bound =
            FloatW(LightShapeW::error_factor(view.frame) * view.view_normal_one_norm) * shape.magnitude;
        FloatW least(magnitude_limit);
        start = broadcast3(view.view_normal[0]);
        for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
            const ViewPlaneW plane(view, k);
            const FloatW distance = plane.distance(shape.support(plane.normal));
            start = select(distance < least, plane.normal, start);
            least = min(distance, least);
        });
        outside = valid & bits(least < -bound);
    }
    [[nodiscard]] LANE_INLINE QueryW<LightShapeW> query(std::uint32_t asked) const {
        return {shape, start, mask_of(asked & valid & ~outside)};
    }
};

/// Spotlights first to first + count - 1, at most 2 W of them, of which bits of `asked` are set. Returns the bits of
/// those that the view sees nothing of.
[[gnu::noinline]] std::uint64_t find_unseen(const SeenSpots& work, std::uint32_t first, std::uint32_t count,
                                            std::uint64_t asked) {
    const PreparedView& view = *work.view;
    const Spots& spots = *work.spots;
    const FrameAxesW axes(view.frame);
    const std::uint32_t n = count < lanes ? count : lanes, rest = count - n;
    const SeenSpotsW seen[2] = {
        {view, load_spots(spots, axes, first, n), spots.end},
        {view, load_spots(spots, axes, first + (rest > 0 ? n : 0), rest > 0 ? rest : n), spots.end}};
    const auto asked_0 = static_cast<std::uint32_t>(asked & all_lanes);
    const auto asked_1 = static_cast<std::uint32_t>(asked >> lanes & all_lanes);
    std::uint32_t unseen[2] = {seen[0].outside & asked_0, seen[1].outside & asked_1};
    const QueryW<LightShapeW> queries[2] = {seen[0].query(asked_0), seen[1].query(asked_1)};
    if (view.volume != VolumeKind::planes_only && any(queries[0].active | queries[1].active)) {
        SeparatedW separated[2];
        NotTraced* const untraced = nullptr;
        separate_from<AnyVolumeW>(view, queries[0], queries[1], separated, untraced);
        unseen[0] |= bits(separated[0].apart), unseen[1] |= bits(separated[1].apart);
    }
    return unseen[0] | std::uint64_t{unseen[1]} << lanes;
}

}  // namespace
}  // namespace lanecull
