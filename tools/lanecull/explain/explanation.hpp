#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lanecull/cull.hpp>
#include <string>

#include "explain/object_extent.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

/// Why one object of a scene was kept or culled in one frame.
namespace lanecull::program {

/// Object and frame must be there.
struct ExplanationInput {
    const Scene& scene;
    const CameraPath& path;
    std::uint64_t object;  ///< its index through all batches
    std::size_t frame;
    Options culling;
};

struct Explanation {
    std::size_t group;                        ///< the object's, which is its batch
    std::uint32_t index;                      ///< in the group
    std::array<Certificate, 3> certificates;  ///< by each method, in the order of Method
    std::array<Extent, 6> distances;          ///< to Camera::planes(): inside is positive
};

/// Culls the object's batch as `lanecull cull` does, once by each method.
[[nodiscard]] Explanation explain(const ExplanationInput& input);

/// What `lanecull explain` prints.
[[nodiscard]] std::string explanation_text(const ExplanationInput& input, const Explanation& explanation);

}  // namespace lanecull::program
