#include "picture/heat_map.hpp"

#include <algorithm>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <utility>

#include "picture/heat.hpp"
#include "picture/picture_legend.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

using glm::dvec2;

constexpr unsigned background = 0xF8F8F6, roof = 0x3A4450, roof_on_paper = 0xB4B8BC;
constexpr float roof_opacity = 0.3F, card_height = 262;

std::vector<Plan::Object> all_objects(const Scene& scene) {
    std::vector<Plan::Object> objects;
    for (std::uint32_t g = 0; g < scene.groups.size(); ++g) {
        const Group& group = scene.groups[g];
        for (std::uint32_t i = 0; !group.stand_in && i < object_count(group.arrays); ++i) {
            objects.push_back({g, i, {Material::culled, 0, 0}, 0.5F});
        }
    }
    return objects;
}

}  // namespace

HeatMap::HeatMap(const Scene& scene, const Bounds& bounds, const HeatGrid& grid, std::vector<std::uint64_t> values)
    : scene_(scene), plan_(scene, bounds), grid_(grid), values_(std::move(values)) {
    plan_.show(bounds.lower);
    plan_.show(bounds.upper);
    above_ = plan_.projection();
    const auto [least, most] = std::minmax_element(values_.begin(), values_.end());
    least_ = *least, most_ = *most;
}

glm::vec3 HeatMap::ink(std::uint64_t place) const {
    const std::uint64_t range = most_ - least_;
    return heat_color(range == 0 ? 1 : static_cast<double>(values_[place] - least_) / static_cast<double>(range));
}

glm::vec2 HeatMap::pixel(const glm::dvec3& point) const { return plan_.pixel(above_, plan_.plan(point)); }

float covered_share(const Canvas& canvas, int x, int y) {
    int count = 0;
    for (int j = 0; j < pixel_side; ++j) {
        for (int i = 0; i < pixel_side; ++i) {
            count += canvas.at(pixel_side * x + i, pixel_side * y + j).surface.material != Material::sky;
        }
    }
    return static_cast<float>(count) / float{pixel_side * pixel_side};
}

Image HeatMap::draw() const {
    Canvas canvas(above_);
    plan_.draw(canvas, all_objects(scene_));
    Image image(Plan::size);
    const glm::vec3 dark = color(roof);
    for (int y = 0; y < Plan::size.y; ++y) {
        for (int x = 0; x < Plan::size.x; ++x) {
            const float opacity = roof_opacity * covered_share(canvas, x, y);
            image.at(x, y) = glm::mix(ground(glm::vec2(x, y) + 0.5F), dark, opacity);
        }
    }
    return image;
}

glm::vec3 HeatMap::ground(const glm::vec2& at) const {
    const auto [columns, rows] = grid_.count;
    const dvec2 corner = plan_.plan(grid_.corner);
    const dvec2 size(columns * glm::length(grid_.sides[0]), rows * glm::length(grid_.sides[1]));
    const glm::vec2 low = plan_.pixel(above_, corner), high = plan_.pixel(above_, corner + size);
    const glm::vec2 place = (at - low) / (high - low) * glm::vec2(columns, rows);
    if (!(place.x >= 0 && place.y >= 0)) return color(background);
    const auto x = static_cast<std::uint64_t>(place.x), y = static_cast<std::uint64_t>(place.y);
    return x < columns && y < rows ? ink(x + columns * y) : color(background);
}

void HeatMap::words(Image& image, const std::string& title, const std::string& caption, const std::string& line,
                    const std::string& what) const {
    Legend card(image, card_height, 1);
    card.heading(title, caption);
    card.line(roof_on_paper, "objects, seen from above");
    if (!line.empty()) card.line(picture_color::ink, line.c_str());
    const Rectangle all = Legend::card(card_height, 1);
    draw_heat_bar(image, {{all.lower.x + 24, all.upper.y - 74}, {all.upper.x - 24, all.upper.y - 50}}, grouped(least_),
                  grouped(most_) + ' ' + what);
}

}  // namespace lanecull::program
