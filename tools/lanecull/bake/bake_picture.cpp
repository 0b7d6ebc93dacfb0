#include "bake/bake_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <utility>
#include <vector>

#include "picture/heat_map.hpp"
#include "picture/picture_legend.hpp"
#include "picture/picture_shade.hpp"
#include "picture/picture_volume.hpp"
#include "picture/plan.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

/// What is drawn of an object; the surface's tint.
enum Shown : std::uint8_t { hidden, seen, wall, shown_kinds };
constexpr std::array<unsigned, shown_kinds> swatches{verdict_color::culled, verdict_color::visible,
                                                     verdict_color::false_positive};
constexpr unsigned background = 0xF8F8F6;

int axis_of(const dvec3& direction) {
    const dvec3 size = glm::abs(direction);
    return size.x > 0.5 ? 0 : size.y > 0.5 ? 1 : 2;
}

dvec3 corner_of(const CellGrid& grid, const std::array<std::uint32_t, 3>& place) {
    dvec3 point;
    for (int k = 0; k < 3; ++k) point[k] = grid.lower[k] + place[static_cast<std::size_t>(k)] * grid.size[k];
    return point;
}

Bounds bounds_of(const CellGrid& grid) {
    return {corner_of(grid, {0, 0, 0}), corner_of(grid, {grid.count[0], grid.count[1], grid.count[2]})};
}

/// The cells' columns on the plan: its first axis is the scene's axis `right`, its second `ahead`.
class Columns {
public:
    Columns(const Scene& scene, const CellGrid& grid) : grid_(grid) {
        const dvec3 right(scene.up.z, scene.up.x, scene.up.y), ahead = glm::cross(scene.up, right);
        right_ = axis_of(right), ahead_ = axis_of(ahead), up_ = axis_of(scene.up);
        heat_.corner = corner_of(grid, {0, 0, 0});
        heat_.sides = {grid.size[right_] * right, grid.size[ahead_] * ahead};
        heat_.count = {grid.count[right_], grid.count[ahead_]};
    }

    [[nodiscard]] const HeatGrid& heat() const { return heat_; }
    [[nodiscard]] std::uint64_t column(std::uint64_t cell) const {
        const std::uint64_t place[3] = {cell % grid_.count[0], cell / grid_.count[0] % grid_.count[1],
                                        cell / grid_.count[0] / grid_.count[1]};
        return place[right_] + std::uint64_t{heat_.count[0]} * place[ahead_];
    }
    [[nodiscard]] std::uint32_t floors() const { return grid_.count[up_]; }

private:
    const CellGrid& grid_;
    HeatGrid heat_;
    int right_ = 0, ahead_ = 1, up_ = 2;
};

void outline(Image& image, const Plan& plan, const Projection& above, const Bounds& cell) {
    const glm::vec2 a = plan.pixel(above, plan.plan(cell.lower)), b = plan.pixel(above, plan.plan(cell.upper));
    const glm::vec2 middle = 0.5F * (a + b), half = glm::max(0.5F * glm::abs(b - a), glm::vec2(4));
    const std::array<glm::vec2, 4> corners{middle - half, middle + half * glm::vec2(1, -1), middle + half,
                                           middle + half * glm::vec2(-1, 1)};
    for (std::size_t k = 0; k < 4; ++k) {
        image.line(corners[k], corners[(k + 1) % 4], 6, color(picture_color::paper), 0.9F);
    }
    for (std::size_t k = 0; k < 4; ++k) image.line(corners[k], corners[(k + 1) % 4], 3, color(picture_color::ink));
}

bool bit(std::span<const std::uint64_t> words, std::uint64_t i) { return (words[i / 64] >> i % 64 & 1U) != 0; }

Bounds bounds_of_cell(const CellGrid& grid, std::uint64_t cell) {
    const std::uint64_t row = cell / grid.count[0];
    const std::array<std::uint32_t, 3> place{static_cast<std::uint32_t>(cell % grid.count[0]),
                                             static_cast<std::uint32_t>(row % grid.count[1]),
                                             static_cast<std::uint32_t>(row / grid.count[1])};
    return {corner_of(grid, place), corner_of(grid, {place[0] + 1, place[1] + 1, place[2] + 1})};
}

struct ShownObjects {
    std::vector<Plan::Object> objects;
    std::array<std::uint64_t, shown_kinds> counts{};  ///< walls are counted as hidden or seen, too
};

/// The picture's objects. `plan` is to show walls, and what is seen of less than `large`: no cable that leads far away
/// makes the rest small.
ShownObjects objects_of(const BakedCellPicture& input, double large, Plan& plan) {
    ShownObjects all;
    std::uint64_t number = 0;
    for (std::uint32_t g = 0; g < input.scene.groups.size(); ++g) {
        const Group& group = input.scene.groups[g];
        for (std::uint32_t i = 0; i < object_count(group.arrays); ++i, ++number) {
            const bool is_seen = bit(input.visible, number), is_wall = bit(input.hiding, number);
            const Shown shown = is_wall ? wall : is_seen ? seen : hidden;
            ++all.counts[is_seen ? seen : hidden];
            all.counts[wall] += is_wall;
            if (const Bounds around = object_bounds(group.arrays, i);
                is_wall || (is_seen && glm::length(around.size()) < large)) {
                plan.show(around.lower);
                plan.show(around.upper);
            }
            if (group.stand_in) continue;
            const Surface surface{Material::visible, static_cast<std::uint8_t>(shown & 127U), 0};
            all.objects.push_back({g, i, surface, shown == wall ? 0 : 0.5F});
        }
    }
    return all;
}

/// The canvas in the colours of what is shown.
Image inked(const Canvas& canvas) {
    Image image(Plan::size);
    for (int y = 0; y < pixel_side * Plan::size.y; ++y) {
        for (int x = 0; x < pixel_side * Plan::size.x; ++x) {
            const Surface surface = canvas.at(x, y).surface;
            const unsigned ink = surface.material == Material::sky ? background : swatches[surface.tint];
            image.at(x / pixel_side, y / pixel_side) += color(ink) / float{pixel_side * pixel_side};
        }
    }
    return image;
}

}  // namespace

std::string draw_bake_map(const Scene& scene, const Visibility& visibility) {
    const CellGrid grid = visibility.grid();
    const Columns columns(scene, grid);
    std::vector<std::uint64_t> most(std::size_t{columns.heat().count[0]} * columns.heat().count[1]);
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        std::uint64_t& value = most[columns.column(cell)];
        value = std::max(value, visibility.visible_count(cell));
    }
    const HeatMap map(scene, bounds_of(grid), columns.heat(), std::move(most));
    Image image = map.draw();
    map.words(image, "lanecull bake: " + scene.name,
              fmt::format("{} x {} x {} cells of {:g} x {:g} x {:g}", grid.count[0], grid.count[1], grid.count[2],
                          grid.size[0], grid.size[1], grid.size[2]),
              "", "objects may be seen");
    return image.png();
}

std::string draw_baked_cell(const BakedCellPicture& input) {
    const Bounds cell = bounds_of_cell(input.grid, input.cell);
    Bounds bounds = main_bounds(input.scene);
    bounds.add(cell);
    Plan plan(input.scene, bounds);
    plan.show(cell.lower);
    plan.show(cell.upper);
    const ShownObjects shown = objects_of(input, 0.2 * glm::length(bounds.size()), plan);
    const Projection above = plan.projection();
    Canvas canvas(above);
    plan.draw(canvas, shown.objects);
    Image image = inked(canvas);
    outline(image, plan, above, cell);
    Legend card(image, Legend::height(4), 1);
    card.heading("lanecull bake: " + input.scene.name, fmt::format("cell {}", input.cell));
    const auto [n_hidden, n_seen, n_walls] = shown.counts;
    card.objects(swatches[seen], "may be seen from the cell", n_seen, n_seen + n_hidden);
    card.objects(swatches[hidden], "hidden from all of it", n_hidden, n_seen + n_hidden);
    card.objects(swatches[wall], "walls that hide", n_walls, n_seen + n_hidden);
    card.line(picture_color::ink, "the cell");
    return image.png();
}

}  // namespace lanecull::program
