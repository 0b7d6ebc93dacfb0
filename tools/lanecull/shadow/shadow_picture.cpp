#include "shadow/shadow_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "picture/convex_rim.hpp"
#include "picture/picture_legend.hpp"
#include "picture/picture_scene.hpp"
#include "picture/picture_shade.hpp"
#include "picture/picture_volume.hpp"
#include "picture/plan.hpp"

namespace lanecull::program {
namespace {

using glm::dvec2;
using glm::dvec3;

constexpr std::size_t word_bits = 64;

/// What became of an object; told apart by colour-blind eyes too.
enum Verdict : std::uint8_t { beside, rejected, kept, seen, verdicts };
constexpr std::array<unsigned, verdicts> swatches{0xDDE1E4, 0xC48CB8, 0xE8870E, 0x1F6FB5};
constexpr unsigned background = 0xF8F8F6, casters_color = 0xA34700, frustum_color = 0x7A2E6B, sun_color = 0xF2B90F,
                   section_color = 0x9B9EA0;

/// Its verdict for a tint.
Plan::Object planned(std::size_t group, std::size_t index, Verdict verdict) {
    const Material material = verdict == kept ? Material::false_positive : Material::visible;
    return {static_cast<std::uint32_t>(group),
            static_cast<std::uint32_t>(index),
            {material, static_cast<std::uint8_t>(verdict & 127U), 0},
            verdict == kept ? 0 : 0.5F};
}

class Map {
public:
    Map(const Scene& scene, const PickedLight& picked, CutawayChoice cutaway);
    [[nodiscard]] Image draw(const std::string& caption) const;

private:
    void judge(const Scene& scene);
    void open(CutawayChoice cutaway, const Polyhedron& volume);
    [[nodiscard]] Canvas canvas(const Projection& above) const;
    [[nodiscard]] Image objects(const Projection& above) const;
    void outline(Image& image, const Projection& above, const std::vector<dvec3>& points, unsigned tone) const;
    [[nodiscard]] std::vector<dvec3> caster_volume() const;
    [[nodiscard]] std::vector<dvec3> light_volume() const;
    void sun_arrow(Image& image, const Projection& above) const;

    const Scene& scene_;
    const PickedLight& picked_;
    Bounds bounds_;  // of the scene
    Plan plan_;
    std::optional<Section> section_;  // of a scene that is cut open
    std::vector<Plan::Object> objects_;
    std::array<std::uint64_t, verdicts> counts_{};
};

/// A box around the scene, or the eye where there is nothing.
Bounds bounds_of(const Scene& scene, const Camera& camera) {
    Bounds bounds = main_bounds(scene);
    if (bounds.empty()) bounds.add(camera.eye);
    return bounds;
}

Map::Map(const Scene& scene, const PickedLight& picked, CutawayChoice cutaway)
    : scene_(scene), picked_(picked), bounds_(bounds_of(scene, picked.camera)), plan_(scene, bounds_) {
    // The objects' centres, so that no cable that leads far away makes the rest small; and the eye and what it sees.
    judge(scene);
    plan_.show(picked.camera.eye);
    const Polyhedron volume = shown_volume(picked.camera, bounds_, scene.up);
    for (const dvec3& point : picked.lamp ? light_volume() : volume.corners()) plan_.show(point);
    open(cutaway, volume);
}

/// Cuts the scene open, if it is to be.
void Map::open(CutawayChoice cutaway, const Polyhedron& volume) {
    if (cutaway == CutawayChoice::off) return;
    const JudgedScene visible(scene_, picked_.receivers, picked_.receivers, {});
    const Sight sight = sight_of(visible, picked_.camera, volume);
    if (cutaway == CutawayChoice::on || seen_on(sight, canvas(plan_.projection(1)), {}).is_enclosed()) {
        section_.emplace(picked_.camera, scene_.up, volume);
    }
}

void Map::judge(const Scene& scene) {
    std::size_t first_word = 0;
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const Group& group = scene.groups[g];
        const std::size_t count = object_count(group.arrays);
        for (std::size_t i = 0; i < count; ++i) {
            const auto bit = [&](const std::vector<std::uint64_t>& words) {
                return (words[first_word + i / word_bits] >> (i % word_bits) & 1) != 0;
            };
            Verdict verdict = beside;
            if (bit(picked_.in_frustum)) verdict = !bit(picked_.kept) ? rejected : bit(picked_.receivers) ? seen : kept;
            ++counts_[verdict];
            if (!group.stand_in) objects_.push_back(planned(g, i, verdict));
            if (verdict == beside) continue;
            const dvec3 center = object_bounds(group.arrays, i).center();
            if (glm::length(center) < 1e30) plan_.show(center);
        }
        first_word += (count + word_bits - 1) / word_bits;
    }
}

/// The highest surface at each sample, its verdict for a tint.
Canvas Map::canvas(const Projection& above) const {
    Canvas canvas(above);
    if (section_) canvas.cut_away(section_->cut_by(above, true));
    plan_.draw(canvas, objects_);
    return canvas;
}

Image Map::objects(const Projection& above) const {
    const Canvas canvas = this->canvas(above);
    std::array<glm::vec3, verdicts> inks;
    std::transform(swatches.begin(), swatches.end(), inks.begin(), color);
    const glm::vec3 paper = color(background);
    Image image(Plan::size);
    for (int y = 0; y < above.size.y; ++y) {
        for (int x = 0; x < above.size.x; ++x) {
            const Surface surface = canvas.at(x, y).surface;
            glm::vec3 ink = surface.material == Material::sky ? paper : inks[surface.tint];
            if (surface.material == Material::visible_section) ink *= section_shade;
            image.at(x / pixel_side, y / pixel_side) += ink / float{pixel_side * pixel_side};
        }
    }
    return image;
}

void Map::outline(Image& image, const Projection& above, const std::vector<dvec3>& points, unsigned tone) const {
    std::vector<dvec2> flat;
    for (const dvec3& point : points) flat.push_back(plan_.plan(point));
    const std::vector<dvec2> rim = convex_rim(std::move(flat));
    for (const bool halo : {true, false}) {
        for (std::size_t k = 0; k < rim.size(); ++k) {
            const glm::vec2 from = plan_.pixel(above, rim[k]), to = plan_.pixel(above, rim[(k + 1) % rim.size()]);
            if (halo)
                image.line(from, to, 5, color(picture_color::paper), 0.7F);
            else
                image.line(from, to, 2.6F, color(tone));
        }
    }
}

/// What is lit and seen, and from there on to the light.
std::vector<dvec3> Map::caster_volume() const {
    Polyhedron lit(picked_.camera);
    for (int k = 0; k < 3; ++k) {
        dvec3 axis(0);
        axis[k] = 1;
        const double low = picked_.lamp ? picked_.lamp->at[k] - picked_.lamp->range : picked_.lit.lower[k];
        const double high = picked_.lamp ? picked_.lamp->at[k] + picked_.lamp->range : picked_.lit.upper[k];
        if (std::isfinite(low) && !lit.empty()) lit.cut(axis, -low);
        if (std::isfinite(high) && !lit.empty()) lit.cut(-axis, high);
    }
    if (lit.empty()) return {};
    std::vector<dvec3> points = lit.corners();
    if (picked_.lamp) {
        points.emplace_back(picked_.lamp->at[0], picked_.lamp->at[1], picked_.lamp->at[2]);
        return points;
    }
    const dvec3 toward(picked_.sun.toward[0], picked_.sun.toward[1], picked_.sun.toward[2]);
    const double rise = glm::dot(toward, scene_.up), most = 4 * glm::length(bounds_.size());
    const std::size_t count = points.size();
    for (std::size_t k = 0; k < count; ++k) {
        const double left = std::max(0.0, plan_.top() - plan_.ground() - plan_.height(points[k]));
        points.push_back(points[k] + (left < most * rise ? left / rise : most) * toward);
    }
    return points;
}

/// A lamp's ball; the box of the sun's map, extended towards the sun.
std::vector<dvec3> Map::light_volume() const {
    if (picked_.lamp) {
        std::vector<dvec3> circle;
        const dvec3 at(picked_.lamp->at[0], picked_.lamp->at[1], picked_.lamp->at[2]);
        for (int k = 0; k < 96; ++k) {
            const double angle = 2 * std::numbers::pi * k / 96;
            circle.push_back(at +
                             picked_.lamp->range * (std::cos(angle) * plan_.right() + std::sin(angle) * plan_.ahead()));
        }
        return circle;
    }
    glm::dmat4 clip;
    std::copy(picked_.map.clip_from_world, picked_.map.clip_from_world + 16, &clip[0][0]);
    const glm::dmat4 world_from_clip = glm::inverse(clip);
    const double* origin = picked_.map.clip_space.origin;
    const dvec3 toward(picked_.sun.toward[0], picked_.sun.toward[1], picked_.sun.toward[2]);
    std::array<dvec3, 8> corners;
    constexpr std::array<std::array<double, 2>, 4> sides{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    for (std::size_t k = 0; k < 4; ++k) {
        const glm::dvec4 far = world_from_clip * glm::dvec4(sides[k][0], sides[k][1], 1, 1);
        corners[k] = dvec3(far) / far.w + dvec3(origin[0], origin[1], origin[2]);
        corners[k + 4] = corners[k] + (8 * glm::length(bounds_.size()) + 4 * picked_.camera.far) * toward;
    }
    Polyhedron box(corners);
    box.cut(scene_.up, -plan_.ground());
    if (!box.empty()) box.cut(-scene_.up, plan_.top());
    return box.empty() ? std::vector<dvec3>() : box.corners();
}

/// At the lower left: a disc where the sun stands, and an arrow along its light.
void Map::sun_arrow(Image& image, const Projection& above) const {
    const dvec3 toward(picked_.sun.toward[0], picked_.sun.toward[1], picked_.sun.toward[2]);
    const Bounds& shown = plan_.shown();
    const dvec2 middle_of_map = plan_.plan(shown.center());
    const glm::vec2 zero = plan_.pixel(above, middle_of_map);
    const glm::vec2 step = plan_.pixel(above, middle_of_map + 0.1 * glm::length(shown.size()) * plan_.plan(toward));
    const glm::vec2 middle(288, 800);
    if (glm::distance(step, zero) < 1) return image.disc(middle, 18, color(sun_color));  // above us
    const glm::vec2 way = glm::normalize(step - zero), across(-way.y, way.x);
    const glm::vec2 sun = middle + 55.0F * way, head = middle - 65.0F * way;
    const glm::vec3 ink = color(picture_color::ink);
    image.line(sun, head, 4, ink);
    image.line(head, head + 16.0F * way + 11.0F * across, 4, ink);
    image.line(head, head + 16.0F * way - 11.0F * across, 4, ink);
    image.disc(sun, 20, ink);
    image.disc(sun, 17, color(sun_color));
}

Image Map::draw(const std::string& caption) const {
    const Projection above = plan_.projection();
    Image image = objects(above);
    outline(image, above, light_volume(), frustum_color);
    outline(image, above, caster_volume(), casters_color);
    outline(image, above, shown_volume(picked_.camera, bounds_, scene_.up).corners(), picture_color::ink);
    const glm::vec2 eye = plan_.pixel(above, plan_.plan(picked_.camera.eye));
    image.disc(eye, 8.5F, color(picture_color::paper));
    image.disc(eye, 6, color(picture_color::ink));
    if (!picked_.lamp) sun_arrow(image, above);

    const std::uint64_t in_frustum = counts_[seen] + counts_[kept] + counts_[rejected];
    Legend card(image, 346 + (section_ ? 36 : 0), 1);
    card.heading("lanecull shadow: " + scene_.name, caption);
    card.objects(swatches[seen], "seen by the camera", counts_[seen], in_frustum);
    card.objects(swatches[kept], "out of sight, shadow seen", counts_[kept], in_frustum);
    card.objects(swatches[rejected], "shadow not seen: rejected", counts_[rejected], in_frustum);
    card.line(swatches[beside], picked_.lamp ? "out of the lamp's range" : "not in the light's frustum");
    card.line(picture_color::ink, picked_.lamp ? "the camera's view" : "the camera's slice");
    card.line(casters_color, "casters of shadows that are seen");
    card.line(frustum_color, picked_.lamp ? "the lamp's range" : "the light's frustum");
    if (section_) card.line(section_color, "cut open at the camera's height");
    return image;
}

}  // namespace

std::string draw_shadow_picture(const Scene& scene, const PickedLight& picked, const std::string& caption,
                                CutawayChoice cutaway) {
    return Map(scene, picked, cutaway).draw(caption).png();
}

}  // namespace lanecull::program
