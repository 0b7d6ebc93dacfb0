#pragma once

/// Hull instances that their boxes leave open: packs of neighbours on the list that share a hull, so that its vertices
/// can be broadcast. Lists keep the batch's order; a batch ordered by hull fills its packs.

namespace lanecull {
namespace {

/// Calls body(pack, shape) for each run of at most W entries of one hull. Those of no hull are counted as invalid.
template <class Range, class Body>
LANE_INLINE void for_each_run(Range& range, const Chunk& chunk, const OpenList& open, std::uint32_t waiting,
                              const Body& body) {
    const HullInstances& s = range.shapes;
    const auto hull_of = [&](std::uint32_t at) {
        const auto object = static_cast<std::uint32_t>(open.entry[at] & object_mask);
        return s.hull_index == nullptr ? 0 : s.hull_index[chunk.first + object];
    };
    for (std::uint32_t first = 0; first < waiting;) {
        const std::uint32_t hull = hull_of(first);
        std::uint32_t last = first + 1;
        while (last < waiting && last - first < lanes && hull_of(last) == hull) ++last;
        const Pack pack(open, first, last);
        if (hull >= s.hull_count) {
            range.statistics.visible_invalid += population(pack.active);
            first = last;
            continue;
        }
        body(pack, HullW(range.view, s, pack.pick(chunk.first), s.hulls[hull]));
        first = last;
    }
}

/// Of each lane's instance, how far its farthest vertex stays behind the plane: set where provably behind it.
LANE_INLINE MaskW behind_plane(const PreparedView& view, const HullW& shape, std::uint32_t plane) {
    const Vec3W n = broadcast3(view.view_normal[plane]);
    const FloatW distance = dot_plus(n, shape.support(view, n), FloatW(view.view_offset[plane]));
    const FloatW bound = FloatW(HullW::error_share(view) * view.view_normal_one_norm) * shape.magnitude;
    return (shape.magnitude < FloatW(magnitude_limit)) & (distance < -bound);
}

/// What refine() does for other kinds with the shape itself: with Method::planes each plane against the vertices, with
/// Method::automatic the vertex deepest behind the worst plane.
template <class Range>
void settle_by_vertices(Range& range, Chunk& chunk, OpenList& open) {
    if (range.method == Method::gjk) return;
    for_each_run(range, chunk, open, open.take_all(), [&](const Pack& pack, const HullW& shape) LANE_LAMBDA {
        std::uint32_t undecided = pack.active;
        if (range.method == Method::planes) {
            std::uint32_t outside = 0;
            for (std::uint32_t k = 0; k < range.view.plane_count; ++k) {
                outside |= bits(behind_plane(range.view, shape, k)) & pack.active;
            }
            chunk.clear(pack, outside);
            range.statistics.culled_plane += population(outside);
            undecided &= ~outside;
        } else {
            const Vec3W deepest = shape.support(range.view, plane_normals(range.view, pack.planes()));
            const MaskW inside = least_view_distance(range.view, deepest) >= FloatW(0.0f);
            range.statistics.visible_vertex += population(bits(inside) & pack.active);
            undecided &= ~bits(inside);
        }
        open.append_short(pack.entries, undecided);
    });
}

template <class Range>
void separate_runs(Range& range, Chunk& chunk, OpenList& open) {
    for_each_run(range, chunk, open, open.take_all(), [&](const Pack& pack, const HullW& shape) LANE_LAMBDA {
        SeparatedW separated[1];
        separate(range.view, {range.query_for(pack, shape)}, separated);
        range.record(chunk, pack, separated[0]);
    });
}

}  // namespace
}  // namespace lanecull
