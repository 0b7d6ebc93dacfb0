#pragma once

#include <lanecull/cull.h>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cull/occluder_choice.hpp"
#include "explain/object_extent.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

/// Why one object of a scene was kept or culled in one frame.
namespace lanecull::program {

/// Object and frame must be there.
struct ExplanationInput {
    Scene& scene;
    const CameraPath& path;
    std::uint64_t object;  ///< its index through all batches
    std::size_t frame;
    CullOptions culling;
    std::optional<OccluderSettings> occluders;
};

/// An object of a scene, and its number through all groups.
struct ExplainedWall {
    std::uint64_t object;
    std::size_t group;
    Bounds bounds;
};

struct Explanation {
    std::size_t group;                        ///< the object's, which is its batch
    std::uint32_t index;                      ///< in the group
    std::array<Certificate, 2> certificates;  ///< by each method, in the order of Method
    std::array<Extent, 6> distances;          ///< to Camera::planes(): inside is positive
    std::size_t occluders;                    ///< how many the frame has
    std::optional<ExplainedWall> wall;        ///< what hides the object, by the method asked for
};

/// Culls the object's batch as `lanecull cull` does, once by each method. Occluders are chosen frame by frame, up to
/// the one that is explained, for each choice follows from what the one before hid. Leaves objects that move posed as
/// in that frame.
[[nodiscard]] Explanation explain(const ExplanationInput& input);

/// How far object i reaches to either side of each of Camera::planes(): inside is positive.
[[nodiscard]] std::array<Extent, 6> distances_to_planes(const Arrays& arrays, std::uint32_t i, const Camera& camera);

/// What they are called.
inline constexpr std::array plane_names = {"left", "right", "bottom", "top", "near", "far"};

/// What `lanecull explain` prints.
[[nodiscard]] std::string explanation_text(const ExplanationInput& input, const Explanation& explanation);

}  // namespace lanecull::program
