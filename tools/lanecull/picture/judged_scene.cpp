#include "picture/judged_scene.hpp"

#include <cmath>

namespace lanecull::program {

namespace {

using glm::dvec3;
using glm::vec3;

/// Whether the solid's box contains the point.
bool contains(const Solid& solid, const dvec3& point) {
    const glm::dmat3 half(solid.half_edges());
    if (!(std::abs(glm::determinant(half)) > 0)) return false;
    const dvec3 s = glm::inverse(half) * (point - solid.center);
    return std::max({std::abs(s.x), std::abs(s.y), std::abs(s.z)}) <= 1;
}

/// Whether the solid would hide everything: it is around the eye, or around most of what is to be seen, points whose
/// largest distance is `extent`.
bool is_shell(const Solid& solid, const dvec3& eye, std::span<const dvec3> seen, double extent) {
    const auto bound = static_cast<double>(solid.bounding_radius());
    if (glm::distance(solid.center, eye) < bound && contains(solid, eye)) return true;
    if (bound < 0.25 * extent) return false;
    const auto inside = std::ranges::count_if(seen, [&](const dvec3& p) { return contains(solid, p); });
    return 4 * inside >= 3 * static_cast<std::ptrdiff_t>(seen.size());
}

/// Calls `is_such` with the solid's middle and points at shares of its half-edges.
bool any_main_point(const Solid& solid, double share, const auto& is_such) {
    if (is_such(solid.center)) return true;
    const glm::dmat3 half(solid.half_edges());
    for (int k = 0; k < 3; ++k) {
        if (is_such(solid.center + share * half[k]) || is_such(solid.center - share * half[k])) return true;
    }
    return false;
}

template <class Things>
double share_of(const Things& things, const auto& is_such) {
    if (things.empty()) return 1;
    return static_cast<double>(std::ranges::count_if(things, is_such)) / static_cast<double>(things.size());
}

}  // namespace

JudgedScene::JudgedScene(const Scene& scene, std::span<const std::uint64_t> visible_bits,
                         std::span<const std::uint64_t> kept_by_planes, std::span<const std::uint64_t> visible_without)
    : scene_(scene),
      shapes_(scene),
      visible_(visible_bits),
      kept_by_planes_(kept_by_planes),
      visible_without_(visible_without) {
    std::size_t first_bit = 0;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const std::size_t count = object_count(scene.groups[g].arrays);
        first_bit_.push_back(first_bit);
        first_bit += (count + 63) / 64 * 64;
        counts_.objects += count;
        for (std::size_t i = 0; i < count; ++i) {
            const Ink found = verdict(g, i);
            counts_.visible += found == visible;
            counts_.hidden += found == hidden;
            if (found != false_positive) continue;
            ++counts_.false_positives;
            if (const Solid object = shapes_.at(g, i); object.finite()) false_positives_.push_back(object);
        }
    }
}

Ink JudgedScene::verdict(std::size_t group, std::size_t index) const {
    const std::size_t bit = first_bit_[group] + index;
    if (has_bit(visible_, bit)) return visible;
    if (!visible_without_.empty() && has_bit(visible_without_, bit)) return hidden;
    return has_bit(kept_by_planes_, bit) ? false_positive : culled;
}

void JudgedScene::draw(Canvas& canvas, const Polyhedron& volume, Show show) const {
    const Projection& projection = canvas.projection();
    const std::vector<dvec3> corners = volume.corners();
    double extent = 0;
    for (const dvec3& corner : corners) extent = std::max(extent, glm::distance(corner, corners[0]));
    const Beam beam = volume.seen_by(projection);
    const auto has_volume_behind = [&](const dvec3& point) {
        const auto [enters, leaves] = beam.span(projection.view(point), 1);
        return enters < leaves;
    };
    shapes_.draw(canvas, [&](std::size_t g, std::size_t i, const Solid& solid) -> Surface {
        const Ink found = verdict(g, i);
        if (show == Show::visible && found != visible) return {};
        if (is_shell(solid, projection.eye, corners, extent)) return {};
        const bool whole = show == Show::all_and_volume;
        const bool ghost = whole && found == culled && any_main_point(solid, 1, has_volume_behind);
        return {.ink = found, .ghost = ghost, .important = whole && found == false_positive};
    });
}

Section::Section(const Camera& camera, const dvec3& scene_up) : up(scene_up), height(glm::dot(scene_up, camera.eye)) {}

Cutaway Section::seen_by(const Projection& projection, const Polyhedron* volume) const {
    Cutaway cutaway{{vec3(projection.view_from_world * up), glm::dot(up, projection.eye) - height}};
    if (volume == nullptr) return cutaway;
    Polyhedron below = *volume;
    below.cut(-up, height);
    cutaway.volume = (below.empty() ? *volume : below).seen_by(projection);
    return cutaway;
}

Sight::Sight(const JudgedScene& scene, const Camera& camera, const Polyhedron& volume)
    : false_positives(scene.false_positives()) {
    constexpr int rows = 36;
    const glm::ivec2 rays(std::clamp(rows * camera.aspect, 9.0, 144.0), rows);
    Canvas own(seen_through(camera, rays));
    const Projection& projection = own.projection();
    const double before_eye = glm::distance(camera.eye, projection.eye);  // of an orthographic camera
    scene.draw(own, volume, JudgedScene::Show::all);
    const glm::dmat3 world_from_view = glm::transpose(projection.view_from_world);
    for (int y = 0; y < rays.y; ++y) {
        for (int x = 0; x < rays.x; ++x) {
            const Sample& sample = own.at(x, y);
            if (sample.surface.ink == nothing) continue;
            const double depth = std::min(1 / double{sample.inverse_depth} - before_eye, camera.far);
            const dvec3 ray = world_from_view * dvec3(projection.ray(glm::vec2(x, y) + 0.5F));
            for (const double share : {0.3, 0.6, 0.98}) {
                places.push_back(projection.eye + (before_eye + share * depth) * ray);
            }
        }
    }
}

Sight::Seen Sight::seen_on(const Canvas& canvas, std::span<const Rectangle> covered) const {
    const Projection& projection = canvas.projection();
    // Whether a point is in the picture, under no card, and shows there by what `shows` says of its depth and sample.
    const auto is_seen = [&](const dvec3& point, const auto& shows) {
        const vec3 view = projection.view(point);
        const glm::vec2 at = projection.sample(view), share = at / glm::vec2(projection.size);
        if (!(view.z > 0 && share.x >= 0 && share.y >= 0 && share.x < 1 && share.y < 1)) return false;
        const auto covers = [&](const Rectangle& card) {
            return share.x > card.lower.x && share.x < card.upper.x && share.y > card.lower.y && share.y < card.upper.y;
        };
        return std::ranges::none_of(covered, covers) && shows(view.z, canvas.at(at));
    };
    // Nothing is before the place but ghosts, and what is nearer by some samples' width.
    const auto place_shows = [&](float depth, const Sample& sample) {
        return sample.surface.ghost || sample.inverse_depth * depth * (1 - 4 / projection.focal) < 1;
    };
    const auto solid_is_seen = [&](const Solid& solid) {
        const float reach = solid.bounding_radius();
        return any_main_point(solid, 0.8, [&](const dvec3& point) {
            return is_seen(point, [&](float depth, const Sample& sample) {
                return sample.surface.ink == false_positive || sample.inverse_depth * (depth - reach) < 1;
            });
        });
    };
    return {share_of(places, [&](const dvec3& place) { return is_seen(place, place_shows); }),
            share_of(false_positives, solid_is_seen)};
}

}  // namespace lanecull::program
