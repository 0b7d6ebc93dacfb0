#pragma once

#include <lanecull/language.hpp>

#include <cstdint>

namespace lanecull {

/// What decided an object. In the order of Statistics' counts.
enum class Reason : std::uint8_t {
    culled_plane,
    culled_gjk,
    culled_distance,
    culled_near,
    culled_size,
    culled_disabled,
    culled_layer,
    culled_candidate,
    culled_occluded,
    visible_always,
    visible_inside,
    visible_vertex,
    visible_overlap,
    visible_touching,
    visible_cap,
    visible_planes,
    visible_invalid,
};

[[nodiscard]] constexpr bool is_culled(Reason reason) noexcept { return reason <= Reason::culled_occluded; }

/// Why an object was kept or culled. For an object that is apart along a direction of its own (culled_gjk) it is also
/// the proof: every point of the object lies lower along `direction` than every point of the view's volume that is no
/// deeper than `far_depth`; and no point of the object is deeper than `far_depth`. Depth is counted along the view's
/// own axis from its own origin. Orthographic volumes are cut to the object's depth, width and height alike.
///
/// An object with culled_gjk may also lie behind one plane: closed forms do not ask planes first. A view that sees
/// nothing (View::sees_nothing()) culls by culled_plane: its one half-space has no point. That this is so was proved
/// when the view was prepared; certificates do not repeat it.
///
/// For solids `far_depth`, `gap` and `direction` have a meaning with culled_gjk only; for 2D shapes see flat/cull.hpp.
struct Certificate {
    Reason reason = Reason::visible_invalid;
    std::uint8_t steps =
        0;  ///< points of the Minkowski difference that GJK looked at; 1 for a closed form or at an edge of the volume
    std::uint16_t occluder = 0;  ///< with culled_occluded: which of ViewOutput::occluders hides all of the object
    float far_depth = 0;         ///< in world units; infinite if planes alone prove it
    /// The object is at least this far from the volume's part down to `far_depth`, in world units.
    float gap = 0;
    double direction[3] = {};  ///< in world axes, of any length
};

}  // namespace lanecull
