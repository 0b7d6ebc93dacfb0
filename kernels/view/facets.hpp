#pragma once

/// The facets of a hull of points and rays, as guesses in doubles.

#include <span>

#include "view/double_description.hpp"

namespace lanecull {

/// Hulls of more generators are not searched.
inline constexpr std::uint32_t facet_generators = 24;

/// Looks at the plane through each triple of generators. If all other generators seem to lie on one side of it, calls
/// visit(inward normal of length 1); for a flat hull, which has two sides, with both normals. Some normals come several
/// times. False if these are not all the facets: the hull is flat, or has too many generators.
template <class Visit>
bool for_each_facet(std::span<const Generator> generators, const Visit& visit) {
    if (generators.size() > facet_generators) return false;
    bool solid = false;
    const std::size_t count = generators.size();
    double size = 0;
    for (const Generator& g : generators) size = std::fmax(size, g.is_ray() ? 0 : largest_component(middle(g.p)));
    for (std::size_t i = 0; i < count; ++i) {
        if (generators[i].is_ray()) continue;
        const Double3 corner = middle(generators[i].p);
        const auto from_corner = [&](std::size_t j) {
            const Double3 p = middle(generators[j].p);
            return generators[j].is_ray() ? p : p - corner;
        };
        for (std::size_t j = 0; j < count; ++j) {
            // The first point of a triple, in order, is its corner.
            if (j == i || (j < i && !generators[j].is_ray())) continue;
            for (std::size_t k = j + 1; k < count; ++k) {
                if (k == i || (k < i && !generators[k].is_ray())) continue;
                const Double3 a = from_corner(j), b = from_corner(k);
                const Double3 normal = cross(a, b);
                if (!(length(normal) > 1e-9 * length(a) * length(b))) continue;
                const Double3 n = normalized(normal);
                double low = 0, high = 0;
                for (std::size_t m = 0; m < count; ++m) {
                    const double along = dot(n, from_corner(m)) / (generators[m].is_ray() ? 1 : size);
                    low = std::fmin(low, along), high = std::fmax(high, along);
                }
                solid = solid || (low >= -1e-9) != (high <= 1e-9);
                if (low >= -1e-9) visit(n);
                if (high <= 1e-9) visit(n * -1);
            }
        }
    }
    return solid;
}

}  // namespace lanecull
