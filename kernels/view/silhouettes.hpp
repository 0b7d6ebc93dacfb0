#pragma once

#include <cmath>
#include <span>

#include <lanecull/prepared_view.hpp>

#include "view/double_description.hpp"

namespace lanecull {

/// What parts boxes along the world's axes from a volume is a plane of the volume's, a side of the box around it, or
/// goes along one of the box's edges and through one of the volume's: through the volume's outline as seen along an
/// axis. Fills the view's outlines from the volume's corners and rays, which are functions of p - c; leaves them
/// unknown where the corners are not known well, or make too many.
void describe_outlines(std::span<const Generator> generators, PreparedView& view);

/// Calls visit(normal, offset) for a view's outlines and for the sides of the box around it, of which boxes along the
/// axes are asked (stages/box_axes.hpp). Nothing where they are not known.
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

/// Sorts the view's planes by the corner that they look at.
inline void sort_planes(PreparedView& view) {
    std::uint32_t count = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        for (std::uint32_t k = 0; k < view.plane_count; ++k) {
            const float(&n)[3] = view.normal[k];
            if (((n[0] > 0 ? 1u : 0u) | (n[1] > 0 ? 2u : 0u) | (n[2] > 0 ? 4u : 0u)) != corner) continue;
            for (std::size_t j = 0; j < 3; ++j) view.corner_plane[count][j] = std::fabs(n[j]);
            view.corner_plane[count++][3] = view.offset[k];
        }
        view.corner_end[corner] = count;
    }
}

}  // namespace lanecull
