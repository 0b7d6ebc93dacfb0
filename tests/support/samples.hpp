#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/shadow.h>
#include <lanecull/view.h>

#include "oracle/exact.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"

/// Random views that are more than a matrix, each with its exact volume.

/// How to prepare a view, its exact volume, and where to place objects.
struct Sample {
    std::function<lanecull::Status(lanecull::View&, const lanecull::ViewOptions&)> prepare;
    std::vector<lanecull::Plane> clip_planes;
    std::optional<exact::Volume> volume;
    std::vector<Double3> anchors;  ///< near the volume's corners
    Double3 near_end{};
    double near_size = 0;
    bool takes_margin = true;  ///< a view prepared with a margin means `volume` widened by that margin
    std::string text;          ///< enough to repeat the sample
};

/// Views by eight corners: those of a bounded camera (in any order, some with all near corners in one point), or any
/// eight points.
[[nodiscard]] Sample corners_of_a_camera(Random& random);
[[nodiscard]] Sample any_corners(Random& random);
/// Views by planes: of cameras, of polytopes, and of unbounded volumes.
[[nodiscard]] Sample planes_of_a_camera(Random& random);
[[nodiscard]] Sample any_polytope(Random& random);
[[nodiscard]] Sample endless_planes(Random& random);
/// Matrices, without clip planes and with some, and stereo pairs.
[[nodiscard]] Sample plain_camera(Random& random);
[[nodiscard]] Sample clipped_camera(Random& random);
[[nodiscard]] Sample stereo_pair(Random& random);

/// The volume of what casts shadows into a camera's volume: the volume swept towards a directional light of some reach
/// or of unlimited reach; joined with a point light's position; or first cut to a spot's pyramid. The last function
/// takes views of all the kinds above, with any light.
[[nodiscard]] Sample directional_casters(Random& random);
[[nodiscard]] Sample endless_directional_casters(Random& random);
[[nodiscard]] Sample point_light_casters(Random& random);
[[nodiscard]] Sample spot_casters(Random& random);
[[nodiscard]] Sample casters_of_any_view(Random& random);

[[nodiscard]] std::string describe(std::span<const lanecull::Plane> planes);

/// Where the map's matrix brings the world's point p: x, y, z and w of clip space.
[[nodiscard]] std::array<double, 4> clip(const lanecull::ShadowMap& map, const Double3& p);

/// What numbers stand for of which 0 is the usual one.

[[nodiscard]] inline double reach_of(const lanecull::DirectionalLight& light) {
    return light.reach == 0 ? std::numeric_limits<double>::infinity() : light.reach;
}

[[nodiscard]] inline double range_of(const lanecull::PointLight& light) {
    return light.range == 0 ? std::numeric_limits<double>::infinity() : light.range;
}

/// PassDirectionalLight::filter_texels, PassPointLight::filter_texels.
[[nodiscard]] inline double filter_texels_of(double given) { return given == 0 ? 4.5 : given < 0 ? 0 : given; }
