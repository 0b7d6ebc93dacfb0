/// The lights in cells of a frame's cameras.

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "lights/check.hpp"
#include "lights/visible.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

LightGrid grid_of(const PassCamera& camera) {
    LightGrid grid = camera.light_cells->grid;
    grid.clip_from_world = camera.clip_from_world;
    grid.clip_space = camera.clip_space;
    return grid;
}

Status check_cells_of(const PassContents& pass, const PassCamera& camera) {
    const PassLightCells& given = *camera.light_cells;
    if (!is_cleared(given)) return not_cleared("reserved");
    if (Status status = check_not_null(given.lists, "lists"); !status) return status;
    if (Status status = check_span(given.visible, "visible"); !status) return status;
    const std::uint64_t count = count_of(given.lights);
    if (count > pass.limits.lights_in_cells) {
        return failure("lights: %zu, but reserve() was for %u (limits.lights_in_cells)",
                       static_cast<std::size_t>(count), pass.limits.lights_in_cells);
    }
    if (!given.visible.empty() && given.visible.size() != light_words(count)) {
        return failure("visible: must have %zu words or none, not %zu", light_words(count), given.visible.size());
    }
    const LightGrid grid = grid_of(camera);
    if (Status status = check_assignment(grid, given.lights, *given.lists, ~std::size_t{0}); !status) return status;
    const std::size_t needed =
        light_scratch_bytes(grid.tiles_x, grid.tiles_y, grid.boundaries.size() - 1, static_cast<std::size_t>(count));
    if (needed <= pass.limits.light_scratch_bytes) return {};
    return failure("grid: needs %zu bytes, but reserve() was for %zu (limits.light_scratch_bytes)", needed,
                   static_cast<std::size_t>(pass.limits.light_scratch_bytes));
}

}  // namespace

Status check_light_cells(const PassContents& pass, const PassFrame& frame) {
    for (std::size_t c = 0; c < frame.cameras.size(); ++c) {
        if (frame.cameras[c].light_cells == nullptr) continue;
        const LightGrid grid = grid_of(frame.cameras[c]);
        LightCells cells;
        Status status = check_cells_of(pass, frame.cameras[c]);
        if (!status) return within(status, "frame.cameras[%zu].light_cells->", c);
        status = prepare_light_cells(grid, cells);
        if (!status) return within(status, "frame.cameras[%zu].", c);
        status = check_first_depth(grid, cells);
        if (!status) return within(status, "frame.cameras[%zu].light_cells->", c);
    }
    return {};
}

Status assign_camera_lights(PassContents& pass, std::uint32_t c, const WorldBox& bounds,
                            std::span<const Occluder> occluders, const CullOptions& how) {
    const PassCamera& camera = pass.frame.cameras[c];
    const PassLightCells& given = *camera.light_cells;
    const LightGrid grid = grid_of(camera);
    const LightOptions options{.isa = how.isa, .runner = how.runner};
    const Scratch scratch(pass.scratch.data(), pass.scratch.size());
    Lights lights = given.lights;
    const Span<std::uint64_t> visible =
        given.visible.empty() ? Span(pass.visible_lights.data(), light_words(count_of(lights))) : given.visible;
    const SeenByCamera seen{.clip_from_world = camera.clip_from_world,
                            .clip_space = camera.clip_space,
                            .options = {.clip_planes = camera.options.clip_planes, .hidden_layers = grid.hidden_layers},
                            .box = bounds,
                            .occluders = occluders};
    Status status = cull_lights(lights, seen, options, visible, scratch);
    lights.visible = visible;
    if (status) status = assign_lights(grid, lights, *given.lists, scratch, options);
    return status;
}

}  // namespace lanecull
