#pragma once

/// What receives shadows, and the light: what a volume of casters is made of.

#include <span>

#include <lanecull/view.hpp>

#include "base/affine.hpp"
#include "view/double_description.hpp"

namespace lanecull {

/// What is known of the part of V that the light reaches, as functions of p - c.
struct Receivers {
    std::span<const Affine> half_spaces;    ///< it lies in all of them
    bool half_spaces_suffice = false;       ///< and is all that does; bit i of Generator::planes is half-space i
    std::span<const Generator> generators;  ///< and lies in their hull; none: corners are not known
    Double3 forward;                        ///< the way on which it becomes wider
};

/// The way that V is swept by, or the lamp that it is joined with, as seen from c.
struct Light {
    bool is_sun = false;
    bool endless = false;  ///< the sun's reach
    Interval3 way = {};    ///< the sun's: all of it, or of length 1 or so where it is endless
    Interval3 at = {};     ///< the lamp's place

    [[nodiscard]] bool ends() const { return is_sun && !endless && largest_component(middle(way)) > 0; }
};

/// The one that the options have.
[[nodiscard]] Light light_of(const ViewOptions& options, const Interval3& c);

}  // namespace lanecull
