#include "picture/observer.hpp"

#include <algorithm>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

namespace lanecull::program {

namespace {

/// The sample at a point's place on the canvas, if that is neither off it nor under a card.
const Sample* sample_at(const glm::vec3& view, const Canvas& canvas, std::span<const Rectangle> covered) {
    if (!(view.z > 0)) return nullptr;
    const Projection& projection = canvas.projection();
    const glm::vec2 at = projection.sample(view), size(projection.size);
    if (!(at.x >= 0 && at.y >= 0 && at.x < size.x && at.y < size.y)) return nullptr;
    const glm::vec2 share = at / size;
    const auto covers = [&](const Rectangle& card) {
        return share.x > card.lower.x && share.x < card.upper.x && share.y > card.lower.y && share.y < card.upper.y;
    };
    if (std::any_of(covered.begin(), covered.end(), covers)) return nullptr;
    return &canvas.at(static_cast<int>(at.x), static_cast<int>(at.y));
}

/// Nothing is before the place but ghosts, and what is nearer by some samples' width.
bool is_seen(const glm::dvec3& place, const Canvas& canvas, std::span<const Rectangle> covered) {
    const glm::vec3 view = canvas.projection().view(place);
    const Sample* sample = sample_at(view, canvas, covered);
    return sample &&
           (sample->surface.ghost || sample->inverse_depth * view.z * (1 - 4 / canvas.projection().focal) < 1);
}

/// One of the solid's main points shows it.
bool is_seen(const Solid& solid, const Canvas& canvas, std::span<const Rectangle> covered) {
    const glm::mat3 half = solid.half_edges();
    const auto shows = [&](const glm::vec3& off) {
        const glm::vec3 view = canvas.projection().view(solid.center + glm::dvec3(off));
        const Sample* sample = sample_at(view, canvas, covered);
        return sample && (sample->surface.material == Material::false_positive ||
                          sample->inverse_depth * (view.z - solid.bounding_radius()) < 1);
    };
    if (shows(glm::vec3(0))) return true;
    for (int k = 0; k < 3; ++k) {
        if (shows(0.8F * half[k]) || shows(-0.8F * half[k])) return true;
    }
    return false;
}

template <class Things>
double share_seen(const Things& things, const Canvas& canvas, std::span<const Rectangle> covered) {
    if (things.empty()) return 1;
    const auto count =
        std::count_if(things.begin(), things.end(), [&](const auto& t) { return is_seen(t, canvas, covered); });
    return static_cast<double>(count) / static_cast<double>(things.size());
}

/// The volume's part below a height; all of it if there is none.
Polyhedron below(const Polyhedron& volume, const glm::dvec3& up, double height) {
    Polyhedron lower = volume;
    lower.cut(-up, height);
    return lower.empty() ? volume : lower;
}

}  // namespace

Sight sight_of(const JudgedScene& scene, const Camera& camera, const Polyhedron& volume) {
    constexpr int rows = 36;
    const glm::ivec2 rays(std::clamp(rows * camera.aspect, 9.0, 144.0), rows);
    Canvas own(seen_through(camera, rays));
    const double before_eye = glm::distance(camera.eye, own.projection().eye);  // of an orthographic camera
    scene.draw(own, volume, JudgedScene::Show::all);
    Sight sight{{}, scene.false_positives()};
    const glm::dmat3 world_from_view = glm::transpose(own.projection().view_from_world);
    for (int y = 0; y < rays.y; ++y) {
        for (int x = 0; x < rays.x; ++x) {
            const Sample& sample = own.at(x, y);
            if (sample.surface.material == Material::sky) continue;
            const double depth = std::min(1 / double{sample.inverse_depth} - before_eye, camera.far);
            const glm::dvec3 ray(own.projection().ray(glm::vec2(x, y) + 0.5F));
            for (const double share : {0.3, 0.6, 0.98}) {
                const glm::dvec3 way = (before_eye + share * depth) * ray;
                sight.places.push_back(own.projection().eye + world_from_view * way);
            }
        }
    }
    return sight;
}

SightSeen seen_on(const Sight& sight, const Canvas& canvas, std::span<const Rectangle> covered) {
    return {share_seen(sight.places, canvas, covered), share_seen(sight.false_positives, canvas, covered)};
}

Section::Section(const Camera& camera, const glm::dvec3& up, const Polyhedron& volume)
    : up_(up), height_(glm::dot(up, camera.eye)), volume_(below(volume, up, height_)) {}

Cutaway Section::cut_by(const Projection& projection, bool ghosts) const {
    const glm::vec3 normal(projection.view_from_world * up_);
    return {{normal, static_cast<float>(glm::dot(up_, projection.eye) - height_)}, {}, ghosts};
}

Cutaway Section::seen_by(const Projection& projection) const {
    Cutaway cutaway = cut_by(projection, true);
    cutaway.volume = volume_.seen_by(projection);
    return cutaway;
}

}  // namespace lanecull::program
