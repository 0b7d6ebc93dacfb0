#pragma once

/// The facets of a hull of points and rays, as guesses in doubles. A polytope's edges, and what is made of them: which
/// facets a light or a direction parts, and the planes between.
/// view/PROOF.md has the reasons ("Planes of edges").

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/affine.hpp"
#include "base/fixed_list.hpp"
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

/// Which generators lie on which half-space's plane, or may, by Generator::planes.
class Incidence {
public:
    static constexpr std::uint32_t capacity = 32;  ///< bits of Generator::planes
    static_assert(Generators::capacity <= 64);

    explicit Incidence(std::span<const Generator> generators) : count_(generators.size()) {
        for (std::size_t i = 0; i < generators.size(); ++i) {
            for (std::uint32_t rest = generators[i].planes; rest != 0; rest &= rest - 1) {
                on_[std::countr_zero(rest)] |= std::uint64_t{1} << i;
            }
        }
    }

    /// A set of generators, by their bits.
    [[nodiscard]] std::uint64_t on(std::uint32_t plane) const { return on_[plane]; }
    /// Whether no plane has all generators on it. A flat volume lies in one of its own.
    [[nodiscard]] bool solid(std::size_t planes) const {
        if (count_ == 0) return false;
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - count_);
        return std::find(on_, on_ + planes, all) == on_ + planes;
    }
    /// Those that the two share, if they share an edge: two generators at least.
    [[nodiscard]] std::uint64_t edge(std::uint32_t a, std::uint32_t b) const {
        const std::uint64_t both = on_[a] & on_[b];
        return (both & (both - 1)) != 0 ? both : 0;
    }

private:
    std::size_t count_;
    std::uint64_t on_[capacity] = {};
};

/// An edge, by the inward normals of the two facets that meet in it.
struct FacetPair {
    Double3 a, b;
};

/// The edges of a polytope; a fixed array. Facets that are the same but for 2^-26 have no edge between them: a plane
/// along it would hold at most 2^-26 |p| less than theirs at p. Of facets that are back to back the normals do not show
/// where the edge runs.
class EdgeList {
public:
    void add(const Double3& a, const Double3& b) {
        if (!(length_squared(cross(a, b)) > 0x1p-52)) {
            complete_ = complete_ && dot(a, b) > 0;
            return;
        }
        complete_ = complete_ && pairs_.add({a, b});
    }
    /// All of them, or none.
    [[nodiscard]] std::span<const FacetPair> all() const { return pairs_.all().first(complete_ ? pairs_.size() : 0); }

private:
    FixedList<FacetPair, 128> pairs_;
    bool complete_ = true;
};

/// Adds the edges of a volume that is what half-spaces leave, normals of length 1 or so, by the generators that lie on
/// them: bit i of Generator::planes is half-space i. None if it is flat.
inline void add_edges(std::span<const Affine> half_spaces, std::span<const Generator> generators, EdgeList& edges) {
    const Incidence incidence(generators);
    if (!incidence.solid(half_spaces.size())) return;
    for (std::uint32_t i = 0; i < half_spaces.size(); ++i) {
        for (std::uint32_t j = i + 1; j < half_spaces.size(); ++j) {
            if (incidence.edge(i, j) == 0) continue;
            edges.add(middle(half_spaces[i].linear), middle(half_spaces[j].linear));
        }
    }
}

}  // namespace lanecull
