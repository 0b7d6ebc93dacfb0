#pragma once

#include <cstdint>
#include <span>

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
    static constexpr std::uint32_t capacity = 64;

    /// `facets` are the volume's half-spaces, in the order of Generator::planes' bits. `moved`: what the light sees is
    /// moved by the sweep, instead of being gone. False, and there are no edges, if there are too many of them, or
    /// facets are back to back.
    [[nodiscard]] bool find(std::span<const FacetInLight> facets, const Incidence& incidence, bool is_sun, bool moved);

    /// Inward, of length 1.
    [[nodiscard]] std::span<const Double3> normals() const { return {normals_, count_}; }
    /// None if they are not known.
    [[nodiscard]] std::span<const FacetPair> edges() const { return edges_.all(); }

private:
    void join(const FacetInLight& kept, const FacetInLight& seen, std::uint64_t on, bool moved);

    EdgeList edges_;
    Double3 normals_[capacity];
    std::uint64_t on_[capacity];  ///< the generators that a new facet shares with the volume
    std::uint32_t count_ = 0;
    bool complete_ = true;
};

}  // namespace lanecull
