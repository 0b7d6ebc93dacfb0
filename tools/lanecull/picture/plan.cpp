#include "picture/plan.hpp"

#include <cmath>

#include "support/text.hpp"

namespace lanecull::program {

using glm::dvec3;
using glm::vec2;
using glm::vec3;

namespace {

constexpr glm::ivec2 picture_size{1600, 900};

}  // namespace

Plan::Plan(const Scene& scene, const Bounds& bounds)
    : scene_(scene), right_(scene.up.z, scene.up.x, scene.up.y), ahead_(glm::cross(scene.up, right_)), bounds_(bounds) {
    const double lower = glm::dot(scene.up, bounds_.lower), upper = glm::dot(scene.up, bounds_.upper);
    ground_ = std::min(lower, upper), top_ = std::max(lower, upper);
}

void Plan::show(const dvec3& point) { shown_.add(glm::clamp(point, bounds_.lower, bounds_.upper)); }

void Plan::show(const Bounds& bounds) {
    show(bounds.lower);
    show(bounds.upper);
}

vec2 Plan::pixel(const dvec3& point) const {
    const Projection above = projection(1);
    return above.sample(above.view(point + (ground_ - glm::dot(scene_.up, point)) * scene_.up));
}

Projection Plan::projection(int samples_a_pixel) const {
    const dvec3 size = shown_.size();
    const double least = 1e-3 * (1 + glm::length(bounds_.size()));
    const double across = std::max(std::abs(glm::dot(right_, size)), least);
    const double down = std::max(std::abs(glm::dot(ahead_, size)), least);
    const double distance = 100 * std::max({across, down, top_ - ground_});
    const dvec3 middle = shown_.center(), up = scene_.up;
    const dvec3 eye = middle + (ground_ + distance - glm::dot(up, middle)) * up;
    Projection above = Projection::looking(eye, -up, ahead_, 0.01, samples_a_pixel * picture_size);
    const vec2 corner(Legend::right_end, 0), room = vec2(picture_size) - corner;
    const double scale = 0.93 * std::min(room.x / across, room.y / down) * samples_a_pixel;
    above.focal = static_cast<float>(scale * distance);
    above.center = static_cast<float>(samples_a_pixel) * (corner + 0.5F * room);
    return above;
}

Canvas Plan::canvas(const Projection& above, const SceneSolidShapes::SurfaceOf& surface_of,
                    std::optional<Cutaway> cutaway) const {
    Canvas canvas(above, std::move(cutaway));
    const double largest = 0.75 * glm::length(bounds_.size());
    SceneSolidShapes(scene_).draw(canvas, [&](std::size_t g, std::size_t i, const Solid& solid) -> Surface {
        if (static_cast<double>(solid.bounding_radius()) > largest) return {};
        return surface_of(g, i, solid);
    });
    return canvas;
}

Image Plan::paint(const Canvas& canvas, const LightOf& light_of_surface) const {
    Image image(picture_size);
    image.paint([&](int x, int y) {
        vec3 sum(0);
        for (int k = 0; k < pixel_side * pixel_side; ++k) {
            const Sample& sample = canvas.at(pixel_side * x + k % pixel_side, pixel_side * y + k / pixel_side);
            sum += light_of_surface(sample.surface, vec2(x, y) + 0.5F);
        }
        return sum / static_cast<float>(pixel_side * pixel_side);
    });
    return image;
}

Image Plan::paint(const Canvas& canvas, std::span<const unsigned> inks) const {
    std::vector<vec3> lights{light_of(background)};
    for (const unsigned ink : inks) lights.push_back(light_of(ink));
    return paint(canvas, [&](Surface surface, const vec2&) {
        return lights[surface.ink] * (surface.section ? section_shade : 1);
    });
}

HeatMap::HeatMap(const Scene& scene, const Bounds& bounds, const HeatGrid& grid, std::vector<std::uint64_t> values)
    : plan_(scene, bounds), grid_(grid), values_(std::move(values)) {
    plan_.show(bounds);
    const auto [least, most] = std::ranges::minmax(values_);
    least_ = least, most_ = most;
}

unsigned HeatMap::ink(std::uint64_t place) const {
    const std::uint64_t range = most_ - least_;
    return heat_color(range == 0 ? 1 : static_cast<double>(values_[place] - least_) / static_cast<double>(range));
}

Image HeatMap::draw() const {
    const Canvas canvas = plan_.canvas(plan_.projection(), [](auto&&...) { return Surface{.ink = 1}; });
    const std::uint32_t columns = grid_.count[0], rows = grid_.count[1];
    const vec2 low = plan_.pixel(grid_.corner);
    const vec2 high = plan_.pixel(grid_.corner + static_cast<double>(columns) * grid_.sides[0] +
                                  static_cast<double>(rows) * grid_.sides[1]);
    std::vector<vec3> lights;
    for (std::uint64_t k = 0; k < std::uint64_t{columns} * rows; ++k) lights.push_back(light_of(ink(k)));
    const vec3 paper = light_of(Plan::background), roof = light_of(0x3A4450);
    const auto light_at = [&](const vec2& pixel) {
        const vec2 place = (pixel - low) / (high - low) * vec2(columns, rows);
        if (!(place.x >= 0 && place.y >= 0)) return paper;
        const auto x = static_cast<std::uint64_t>(place.x), y = static_cast<std::uint64_t>(place.y);
        return x < columns && y < rows ? lights[x + columns * y] : paper;
    };
    return plan_.paint(canvas, [&](Surface surface, const vec2& pixel) {
        return glm::mix(light_at(pixel), roof, surface.ink == 0 ? 0 : 0.3F);
    });
}

Legend HeatMap::legend(const std::string& title, const std::string& caption, const std::string& line,
                       const std::string& what) const {
    Legend card{title, caption, {{0xB4B8BC, "objects, seen from above"}}, grouped(least_), grouped(most_) + ' ' + what};
    if (!line.empty()) card.rows.push_back({picture_color::ink, line});
    return card;
}

}  // namespace lanecull::program
