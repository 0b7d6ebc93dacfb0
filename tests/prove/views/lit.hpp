#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/view.h>

#include "prove/views/setting.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"

/// Lights of every kind, and settings of what casts shadows by them.
namespace prove {

struct Light {
    std::optional<lanecull::Sun> sun;  ///< or a lamp
    std::optional<lanecull::Lamp> lamp;
    std::vector<lanecull::Plane> sides;  ///< the lamp's

    /// They refer to this light.
    [[nodiscard]] lanecull::ViewOptions options(std::span<const lanecull::Plane> clip_planes, double margin);
    /// What the light stays in: its sides, and the cube around its range. The margin widens both; with sides it is 0.
    [[nodiscard]] exact::HalfSpaces limits(double margin) const;
    [[nodiscard]] std::optional<Reach> reach(double margin) const;
    /// The volume of what casts shadows into `lit`.
    [[nodiscard]] exact::Volume casters(const exact::Volume& lit) const;
    /// From a lit point to the lamp, or as far towards the sun as casters stand; no farther than some `size`.
    [[nodiscard]] Double3 way_from(const Double3& lit, double size) const;
    [[nodiscard]] std::string describe() const;
};

/// A sun of some reach, an endless one, a lamp, one with a range, or a spot. It lights `seen`, or nearly; it stands at
/// a distance of about `size`, in the plane of an axis, along an axis or anywhere.
[[nodiscard]] Light any_light(Random& random, const Double3& seen, double size);

/// What casts shadows into `seen`, as the view has it. Half of the objects stand between the light and a point that it
/// lights, most of these halfway; the others touch the volume.
[[nodiscard]] std::optional<Setting> fill_casters(Random& random, const exact::Volume& lit, const Light& light,
                                                  double margin, const lanecull::View& view, const std::string& text,
                                                  std::size_t count);

}  // namespace prove
