#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "view/double_description.hpp"
#include "view/edges.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// If a plane separates boxes along the world's axes from a volume, one of three kinds does: a plane of the volume; a
/// side of the box around the volume; or a plane that runs along one of the box's edges and through one of the
/// volume's. The last goes through the volume's silhouette as seen along an axis. describe_outlines() fills in the
/// view's silhouettes from the volume's corners and rays, which are functions of p - c. It leaves them unknown if the
/// corners are not known well, or make too many.
///
/// Where the edges are known, only they are tested; without any, every two corners are. Nobody reads the silhouettes
/// of a view with a margin: its objects have margins, and no closed form decides these.
void describe_outlines(std::span<const Generator> generators, std::span<const FacetPair> edges, PreparedView& view);

/// Calls visit(normal, offset) for a view's silhouettes and for the sides of the box around it, which boxes along the
/// axes are tested against (cull/box_axes.hpp). Does nothing if they are not known.
template <class View, class Visit>
void for_each_outline(View& view, const Visit& visit) {
    if (view.outlines_known == 0) return;
    std::uint32_t k = 0;
    for (std::uint32_t group = 0; group < 12; ++group) {
        const std::uint32_t axis = group / 4;
        for (; k < view.outline_end[group]; ++k) {
            double n[3] = {};
            n[(axis + 1) % 3] = view.exact_outline[k][0];
            n[(axis + 2) % 3] = view.exact_outline[k][1];
            visit(n, view.outline[k][2]);
        }
    }
    for (std::uint32_t j = 0; j < 3; ++j) {
        double n[3] = {};
        n[j] = 1;
        visit(n, view.bounds[0][j]);
        n[j] = -1;
        visit(n, view.bounds[1][j]);
    }
}

/// Sorts the view's planes by the corner of a box that lies farthest on their inner side.
inline void sort_planes(PreparedView& view) {
    std::uint32_t count = 0, of_corner[8] = {};  // planes, a bit each
    for (std::uint32_t k = 0; k < view.plane_count; ++k) {
        const float(&n)[3] = view.normal[k];
        of_corner[(n[0] > 0 ? 1u : 0u) | (n[1] > 0 ? 2u : 0u) | (n[2] > 0 ? 4u : 0u)] |= 1u << k;
    }
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        for (std::uint32_t rest = of_corner[corner]; rest != 0; rest &= rest - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
            const float(&n)[3] = view.normal[k];
            for (std::size_t j = 0; j < 3; ++j) view.corner_plane[count][j] = std::fabs(n[j]);
            view.corner_plane[count++][3] = view.offset[k];
        }
        view.corner_end[corner] = count;
    }
}

/// Fills in the side slabs that stage 1 tests balls against (cull/sphere_slabs.hpp), from a perspective volume's
/// slopes and depths. Leaves them unknown if they would not decide enough. cull/PROOF.md, "Stage 1: balls against
/// side slabs", has the reasons.
void describe_sides(PreparedView& view);

/// Fills in the numbers for balls' distances.
void describe_distances(PreparedView& view);

}  // namespace lanecull
