#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/view.hpp>

#include "oracle/exact.hpp"
#include "support/double3.hpp"
#include "support/random.hpp"

/// Random views that are more than a matrix, each with what it means, exactly.

/// A view as it is asked for, what it means, and where objects are worth placing.
struct Sample {
    std::function<lanecull::Status(lanecull::View&, const lanecull::ViewOptions&)> prepare;
    std::vector<lanecull::Plane> clip_planes;
    std::optional<exact::Volume> volume;
    std::vector<Double3> anchors;  ///< about where its corners are
    Double3 near_end{};
    double near_size = 0;
    bool takes_margin = true;  ///< `volume` widened by a margin is what a view with it means
    std::string text;          ///< enough to repeat it
};

/// Any eight corners: of bounded cameras (in any order, some with the near corners in one point), or any points.
[[nodiscard]] Sample corners_of_a_camera(Random& random);
[[nodiscard]] Sample any_corners(Random& random);
/// Lists of planes: cameras', polytopes', and volumes without end.
[[nodiscard]] Sample planes_of_a_camera(Random& random);
[[nodiscard]] Sample any_polytope(Random& random);
[[nodiscard]] Sample endless_planes(Random& random);
/// Matrices with clip planes, and two eyes.
[[nodiscard]] Sample clipped_camera(Random& random);
[[nodiscard]] Sample stereo_pair(Random& random);

/// What casts shadows into a camera's volume: swept towards a sun of some reach or any, joined with a lamp, cut to a
/// spot's pyramid first; and into volumes of all the kinds above, by any light.
[[nodiscard]] Sample sun_casters(Random& random);
[[nodiscard]] Sample endless_sun_casters(Random& random);
[[nodiscard]] Sample lamp_casters(Random& random);
[[nodiscard]] Sample spot_casters(Random& random);
[[nodiscard]] Sample casters_of_any_view(Random& random);

[[nodiscard]] std::string describe(std::span<const lanecull::Plane> planes);
