#include <fmt/core.h>

#include <cmath>

#include "bake/bake.hpp"
#include "picture/plan.hpp"
#include "picture/volume.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using glm::uvec3;

dvec3 corner_of(const CellGrid& grid, const uvec3& place) {
    dvec3 point;
    for (int k = 0; k < 3; ++k) point[k] = grid.lower[k] + place[k] * grid.size[k];
    return point;
}

uvec3 place_of(const CellGrid& grid, std::uint64_t cell) {
    const std::uint64_t row = cell / grid.count[0];
    return {cell % grid.count[0], row % grid.count[1], row / grid.count[1]};
}

/// Of the cells' columns on the plan the most that a cell has.
HeatMap heat_map(const Scene& scene, const Visibility& visibility) {
    const CellGrid grid = visibility.grid();
    const dvec3 right(scene.up.z, scene.up.x, scene.up.y), ahead = glm::cross(scene.up, right);
    const auto along = [&](const dvec3& axis) { return std::abs(axis.x) > 0.5 ? 0 : std::abs(axis.y) > 0.5 ? 1 : 2; };
    const int x = along(right), y = along(ahead);
    const HeatGrid heat{
        corner_of(grid, {0, 0, 0}), {grid.size[x] * right, grid.size[y] * ahead}, {grid.count[x], grid.count[y]}};
    std::vector<std::uint64_t> most(std::size_t{grid.count[x]} * grid.count[y]);
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        const uvec3 place = place_of(grid, cell);
        std::uint64_t& value = most[place[x] + std::size_t{grid.count[x]} * place[y]];
        value = std::max(value, visibility.visible_count(cell));
    }
    const Bounds bounds{heat.corner, corner_of(grid, {grid.count[0], grid.count[1], grid.count[2]})};
    return {scene, bounds, heat, std::move(most)};
}

}  // namespace

std::string draw_bake_map(const Scene& scene, const Visibility& visibility) {
    const CellGrid grid = visibility.grid();
    const HeatMap map = heat_map(scene, visibility);
    Image image = map.draw();
    const std::string caption = fmt::format("{} x {} x {} cells of {:g} x {:g} x {:g}", grid.count[0], grid.count[1],
                                            grid.count[2], grid.size[0], grid.size[1], grid.size[2]);
    map.legend("lanecull bake: " + scene.name, caption, "", "objects may be seen").draw(image);
    return std::move(image).file();
}

}  // namespace lanecull::program
