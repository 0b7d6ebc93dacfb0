#pragma once

#include <lanecull/cull.h>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "frame.hpp"
#include "frame_plan.hpp"
#include "renderer.hpp"
#include "scene/camera.hpp"
#include "scene/scene_solids.hpp"

/// What a culling camera decided, as colours and lines for a look from outside.
namespace lanecull::program {

/// R8G8B8A8 of what settled an object: reds, greys and violet are culled, greens and blues kept.
[[nodiscard]] std::uint32_t color_of(Reason reason);

/// One colour an object, for the last frame's camera and what hides objects from it.
void color_verdicts(std::span<const Batch> batches, const View& view, const FrameMaker& frames,
                    const CullOptions& options, std::span<std::uint32_t> colors);

/// The edges of the culling camera's volume, relative to `eye`.
void add_volume(const Camera& camera, const glm::dvec3& eye, std::vector<LineEnd>& lines);

/// The edges of the solid boxes that hide objects from it.
void add_boxes(std::span<const BoxEdges> boxes, const glm::dvec3& eye, std::vector<LineEnd>& lines);

/// Of each cascade the slice's edges, and its corners' ways towards the directional light; of the point light the ways
/// to it.
void add_caster_volumes(const FramePlan& plan, const glm::dvec3& eye, std::vector<LineEnd>& lines);

}  // namespace lanecull::program
