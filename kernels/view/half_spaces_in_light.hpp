#pragma once

#include <cstddef>

#include "view/edges.hpp"
#include "view/lit_part.hpp"
#include "view/receivers.hpp"

namespace lanecull {

/// V's half-spaces, and what they are at the light.
class HalfSpacesInLight {
public:
    HalfSpacesInLight(const Receivers& receivers, const Light& light);

    /// Whether V's corners tell which half-spaces have facets, and which facets meet.
    [[nodiscard]] bool edges_known() const { return edges_known_; }
    [[nodiscard]] const Incidence& incidence() const { return incidence_; }
    /// Whether half-space k has a facet, or may. V is inside of the others, for certain.
    [[nodiscard]] bool touches(std::size_t k) const {
        return !edges_known_ || incidence_.on(static_cast<std::uint32_t>(k)) != 0;
    }
    /// The half-space's value at a lamp, or the part of a sun's way along its normal; of one that touches V.
    [[nodiscard]] Interval at_light(std::size_t k) const { return at_light_[k]; }
    /// Whether a lamp is in V, for certain. Then the volume of casters is V.
    [[nodiscard]] bool hold_lamp() const { return hold_lamp_; }

private:
    Incidence incidence_;
    bool edges_known_, hold_lamp_;
    Interval at_light_[PreparedView::max_planes + LightLimits::capacity];
};

}  // namespace lanecull
