#include "picture/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <variant>
#include <vector>

#include "picture/picture_legend.hpp"
#include "picture/solids.hpp"
#include "support/parallel.hpp"

namespace lanecull::program {
namespace {

using glm::dvec2;
using glm::dvec3;

constexpr int band_rows = 32;

struct Placement {
    Solid solid;
    Surface surface;
    float chance;
    int first_row, last_row;
};

}  // namespace

Plan::Plan(const Scene& scene, const Bounds& bounds)
    : scene_(scene), right_(scene.up.z, scene.up.x, scene.up.y), ahead_(glm::cross(scene.up, right_)), bounds_(bounds) {
    const double lower = glm::dot(scene.up, bounds_.lower), upper = glm::dot(scene.up, bounds_.upper);
    ground_ = std::min(lower, upper), top_ = std::max(lower, upper);
}

void Plan::show(const dvec3& point) { shown_.add(glm::clamp(point, bounds_.lower, bounds_.upper)); }

double Plan::height(const dvec3& point) const { return glm::dot(scene_.up, point) - ground_; }

dvec2 Plan::plan(const dvec3& point) const { return {glm::dot(right_, point), glm::dot(ahead_, point)}; }

glm::vec2 Plan::pixel(const Projection& above, const dvec2& plan) const {
    const dvec3 point = plan.x * right_ + plan.y * ahead_ + ground_ * scene_.up;
    return above.sample(above.view(point)) / static_cast<float>(pixel_side);
}

Projection Plan::projection(int samples_a_pixel) const {
    const dvec2 a = plan(shown_.lower), b = plan(shown_.upper);
    const dvec2 extent = glm::max(glm::abs(b - a), dvec2(1e-3 * (1 + glm::length(bounds_.size()))));
    const double distance = 100 * std::max({extent.x, extent.y, top_ - ground_});
    const dvec2 middle = 0.5 * (a + b);
    const dvec3 eye = middle.x * right_ + middle.y * ahead_ + (ground_ + distance) * scene_.up;
    Projection above = Projection::looking(eye, -scene_.up, ahead_, 0.01, samples_a_pixel * size);
    const float left = Legend::right_end, margin = 0.93F;
    const glm::vec2 room(static_cast<float>(size.x) - left, size.y);
    const double scale = std::min(room.x / extent.x, room.y / extent.y) * margin * samples_a_pixel;
    above.focal = static_cast<float>(scale * distance);
    above.center = static_cast<float>(samples_a_pixel) * (glm::vec2(left, 0) + 0.5F * room);
    return above;
}

void Plan::draw(Canvas& canvas, std::span<const Object> objects) const {
    const Projection& above = canvas.projection();
    std::vector<std::vector<SolidHull>> hulls;
    for (const Group& group : scene_.groups) {
        const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays);
        hulls.push_back(instances ? solid_hulls(*instances) : std::vector<SolidHull>());
    }
    std::vector<Placement> placed;
    const double largest = 0.75 * glm::length(bounds_.size());
    for (const Object& object : objects) {
        const Solid solid = solid_of(scene_.groups[object.group].arrays, hulls[object.group], object.index);
        const auto radius = static_cast<double>(solid.bounding_radius());
        if (!solid.finite() || radius > largest) continue;  // sky domes
        const glm::vec2 at = above.sample(above.view(solid.center));
        const float reach = 1.1F * above.focal * static_cast<float>(radius) / above.view(solid.center).z + 2;
        const int first = std::max(0, static_cast<int>(std::clamp(at.y - reach, -1e6F, 1e6F)));
        const int last = std::min(above.size.y, static_cast<int>(std::clamp(at.y + reach, -1e6F, 1e6F)) + 1);
        if (first < last) placed.push_back({solid, object.surface, object.chance, first, last});
    }
    in_parallel((above.size.y + band_rows - 1) / band_rows, [&](int band) {
        const Rows rows{band * band_rows, std::min((band + 1) * band_rows, above.size.y)};
        for (const Placement& p : placed) {
            if (p.first_row >= rows.last || p.last_row <= rows.first) continue;
            draw_solid(canvas, p.solid, p.surface, p.chance, rows);
        }
    });
}

}  // namespace lanecull::program
