#pragma once

#include "cull/occluder_choice.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

/// Why objects of a scene were kept or culled in one frame.
namespace lanecull::program {

/// Object and frame must be there.
struct ExplanationInput {
    const Scene& scene;
    const CameraPath& path;
    std::uint64_t object;  ///< its index through all batches
    std::size_t frame;
    Isa isa;
    std::optional<OccluderSettings> occluders;
};

/// The object that hides another one, and its number through all groups.
struct ExplainedWall {
    std::uint64_t object;
    std::size_t group;
    Bounds bounds;
};

struct Extent {
    double low, high;
};

struct ObjectExplanation {
    ObjectPlace place;
    Certificate exact, planes;          ///< by cull() and by six planes alone
    std::array<Extent, 6> distances;    ///< to Camera::planes(): inside is positive
    std::size_t occluders;              ///< how many the frame has
    std::optional<ExplainedWall> wall;  ///< what hides the object
};

/// Culls the object's batch as `lanecull cull` does. Occluders are chosen frame by frame, up to the one that is
/// explained, for each choice follows from what the one before hid.
[[nodiscard]] ObjectExplanation explain(const ExplanationInput& input);

/// How far object i reaches to either side of each of Camera::planes(): inside is positive. In double precision, so as
/// good as exact beside the library's floats.
[[nodiscard]] std::array<Extent, 6> distances_to_planes(const Arrays& arrays, std::uint32_t i, const Camera& camera);
/// What they are called.
inline constexpr std::array plane_names = {"left", "right", "bottom", "top", "near", "far"};

/// The smallest box around object i.
[[nodiscard]] Bounds exact_bounds(const Arrays& arrays, std::size_t i);

/// What `lanecull explain` prints.
[[nodiscard]] std::string explanation_text(const ExplanationInput& input, const ObjectExplanation& explanation);

}  // namespace lanecull::program
