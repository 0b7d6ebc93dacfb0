#include "light_cells.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "scene/random.hpp"
#include "support/error.hpp"

namespace lanecull::program {

std::vector<ShaderLight> shader_lights(const LightStreams& lights) {
    std::vector<ShaderLight> result;
    const auto color = [&] {
        Random random(result.size());
        const double warmth = random.unit(), strength = random.between(1.5, 3);
        return static_cast<float>(strength) * glm::vec4(1, 0.85 - 0.3 * warmth, 0.75 - 0.6 * warmth, 0);
    };
    const auto& ball = lights.ball;
    for (std::size_t i = 0; i < ball[0].size(); ++i) {
        result.push_back({{ball[0][i], ball[1][i], ball[2][i], ball[3][i]}, glm::vec4(0), color()});
    }
    const auto& spot = lights.spot;
    for (std::size_t i = 0; i < spot[0].size(); ++i) {
        const glm::dvec3 axis = glm::normalize(glm::dvec3(spot[4][i], spot[5][i], spot[6][i]));
        result.push_back({{spot[0][i], spot[1][i], spot[2][i], spot[3][i]}, {axis, spot[7][i]}, color()});
    }
    return result;
}

LightCells::LightCells(const LightStreams& lights)
    : memory_(cells + 1 + cells * lights.count()),
      scratch_(light_scratch_bytes(tiles_x, tiles_y, slices, lights.count())) {
    for (const auto* ranges : {&lights.ball[3], &lights.spot[3]}) {
        for (const float range : *ranges) longest_range_ = std::max(longest_range_, range);
    }
    const std::span<std::uint32_t> memory = memory_;
    assigned_.offsets = memory.first(cells + 1);
    assigned_.indices = memory.subspan(cells + 1);  // room for every light in every cell
    given_.grid.tiles_x = tiles_x;
    given_.grid.tiles_y = tiles_y;
    given_.grid.boundaries = depths_;
    given_.lights = lights.lights;
    given_.lists = &assigned_;
}

void LightCells::add_to(PassLimits& limits) const {
    limits.lights_in_cells = given_.lights.balls.count + given_.lights.spots.count;
    limits.light_scratch_bytes = scratch_.size();
}

const PassLightCells& LightCells::plan(const Camera& camera) {
    camera_ = camera;
    require(split_depths(camera.near, camera.far, 1, depths_));
    return given_;
}

void LightCells::assign(const PassCamera& camera, const LightOptions& options) {
    LightGrid grid = given_.grid;
    grid.clip_from_world = camera.clip_from_world;
    grid.clip_space = camera.clip_space;
    require(assign_lights(grid, given_.lights, assigned_, scratch_, options));
}

std::span<const std::uint32_t> LightCells::lists() const {
    return std::span(memory_).first(cells + 1 + assigned_.entry_count);
}

/// Shaders find the cell of a point, and how far inside of a light it is, in floats: for points that are less than 64
/// roundings of `reach` away. Matrix, eye, boundaries and light are rounded once each, and a product, sum, quotient or
/// root by 2.5 units in the last place, which makes less than 50. So a light that adds something to a point contains
/// all that is so near to it, and with that a point of the cell that is found, whose list has the light. Nor is it
/// culled, for the point is on something seen.
double LightCells::margin(const Camera& eye) const {
    const double corner = camera_.corner_distance();  // lengths across the view, and how far away a depth may be
    const double reach = corner * (corner * camera_.far + 2 * glm::distance(eye.eye, camera_.eye)) + longest_range_;
    return 0x1p-18 * reach;
}

void LightCells::write_to(FrameUniforms& uniforms, const Camera& eye) const {
    for (std::size_t k = 0; k < depths_.size(); ++k) {
        uniforms.depths[k / 4][static_cast<int>(k % 4)] = static_cast<float>(depths_[k]);
    }
    uniforms.grid = {tiles_x, tiles_y, slices, given_.lights.balls.count + given_.lights.spots.count};
    uniforms.night = {static_cast<float>(margin(eye)), 0.06F, 0, 0};
    uniforms.sky = {0.02F, 0.03F, 0.06F, 1};
}

void drop_light(std::vector<std::uint32_t>& lists, std::uint32_t light) {
    const std::size_t first = LightCells::cells + 1;
    std::uint32_t read = 0, kept = 0;
    for (std::size_t cell = 0; cell < LightCells::cells; ++cell) {
        const std::uint32_t end = lists[cell + 1];
        for (; read < end; ++read) {
            if (lists[first + read] != light) lists[first + kept++] = lists[first + read];
        }
        lists[cell + 1] = kept;
    }
    lists.resize(first + kept);
}

}  // namespace lanecull::program
