#pragma once

#include <cstdint>
#include <span>

#include "base/fixed_list.hpp"
#include "view/edges.hpp"

namespace lanecull {

/// A half-space, and what it is at a light: its value at a lamp, or the part of a sun's way along its normal. A light
/// on the outer side (below 0) sees that facet; of the volume that is joined with the light, or swept towards it, that
/// facet is none, or is moved.
struct FacetInLight {
    Double3 normal;
    double at_light = 0;
    bool seen = false;
};

/// The facets that a volume gains when it is joined with a lamp or swept towards a sun, and the edges that it has then.
/// Each edge between a facet that the light sees and one that it does not gives a facet along which light passes:
/// f_i (-f_j(light)) + f_j f_i(light), which is 0 at the light, and holds what f_i and f_j hold.
/// kernels/PROOF.md ("Planes of edges") has the reasons.
class LitFacets {
public:
    explicit LitFacets(bool wants_edges) : wants_edges_(wants_edges) {}

    [[nodiscard]] bool wants_edges() const { return wants_edges_; }
    /// `facets` are the volume's half-spaces, in the order of Generator::planes' bits. `moved`: what the light sees is
    /// moved by the sweep, instead of being gone. False, and there are no edges, if there are too many facets or edges,
    /// or facets are back to back.
    [[nodiscard]] bool find(std::span<const FacetInLight> facets, const Incidence& incidence, bool is_sun, bool moved);

    /// Inward, of length 1.
    [[nodiscard]] std::span<const Double3> normals() const { return normals_.all(); }
    /// None if they are not known, or not wanted.
    [[nodiscard]] std::span<const FacetPair> edges() const { return edges_.all(); }

private:
    void join(const FacetInLight& kept, const FacetInLight& seen, std::uint64_t on, bool moved);

    void add_edge(const Double3& a, const Double3& b) {
        if (wants_edges_) edges_.add(a, b);
    }

    EdgeList edges_;
    static constexpr std::uint32_t capacity = 64;
    FixedList<Double3, capacity> normals_;
    std::uint64_t on_[capacity];  ///< the generators that a new facet shares with the volume
    bool wants_edges_, complete_ = true;
};

}  // namespace lanecull
