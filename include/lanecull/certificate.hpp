#pragma once

#include <cstdint>

namespace lanecull {

/// What settled an object. In the order of Statistics' counts.
enum class Reason : std::uint8_t {
    culled_plane,
    culled_gjk,
    culled_distance,
    culled_size,
    culled_disabled,
    culled_layer,
    visible_always,
    visible_inside,
    visible_vertex,
    visible_overlap,
    visible_touching,
    visible_cap,
    visible_planes,
    visible_invalid,
};

[[nodiscard]] constexpr bool is_culled(Reason reason) noexcept { return reason <= Reason::culled_layer; }

/// Why an object was kept or culled, and for one that is apart along a direction of its own (culled_gjk; where such is
/// measured without asking planes first, it may be behind one as well) the proof: every point of the object
/// lies lower along `direction` than every point of the view's volume that is no deeper than `far`; and no point of the
/// object is deeper. Depth is counted along the view's own axis from its own origin. Orthographic volumes are cut to
/// the object's depth, width and height alike.
struct Certificate {
    Reason reason = Reason::visible_invalid;
    std::uint8_t steps = 0;  ///< points of the Minkowski difference that GJK looked at; at an edge of the volume, 1
    float far = 0;           ///< of what was so culled, in world units. Infinite where the edge's planes alone say so
    /// Of what was so culled: the object is at least so far from the volume's part down to `far`, in world units.
    float gap = 0;
    double direction[3] = {};  ///< of what was so culled: world axes, of any length
};

}  // namespace lanecull
