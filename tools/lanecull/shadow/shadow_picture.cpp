#include <cmath>
#include <numbers>

#include "picture/plan.hpp"
#include "shadow/shadow.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
using glm::vec2;

/// What became of an object; distinguished by colour-blind eyes too.
enum Verdict : std::uint8_t { none, beside, rejected, kept, seen, verdicts };
constexpr std::array inks{0xDDE1E4U, 0xC48CB8U, 0xE8870EU, 0x1F6FB5U};
constexpr unsigned casters_color = 0xA34700, frustum_color = 0x7A2E6B, sun_color = 0xF2B90F;

Bounds bounds_of(const Scene& scene, const Camera& camera) {
    Bounds bounds = main_bounds(scene);
    if (bounds.empty()) bounds.add(camera.eye);
    return bounds;
}

class Map {
public:
    Map(const Scene& scene, const PickedLight& picked, CutawayChoice cutaway)
        : scene_(scene),
          picked_(picked),
          bounds_(bounds_of(scene, picked.camera)),
          plan_(scene, bounds_),
          volume_(shown_volume(picked.camera, bounds_, scene.up)) {
        judge();
        plan_.show(picked.camera.eye);
        for (const dvec3& point : picked.lamp ? light_volume() : volume_.corners()) plan_.show(point);
        if (cutaway == CutawayChoice::off) return;
        const JudgedScene visible_objects(scene, picked.receivers, picked.receivers, {});
        const Sight sight(visible_objects, picked.camera, volume_);
        if (cutaway == CutawayChoice::on || sight.seen_on(canvas(1)).is_enclosed())
            section_.emplace(picked.camera, scene.up);
    }

    [[nodiscard]] Image draw(const std::string& caption) const {
        Image image = plan_.paint(canvas(pixel_side), inks);
        outline(image, light_volume(), frustum_color);
        outline(image, caster_volume(), casters_color);
        outline(image, volume_.corners(), picture_color::ink);
        image.rimmed_disc(plan_.pixel(picked_.camera.eye), 6, picture_color::ink);
        if (!picked_.lamp) sun_arrow(image);
        legend(caption).draw(image);
        return image;
    }

private:
    [[nodiscard]] Verdict verdict(std::size_t group, std::size_t index) const {
        const std::size_t bit = first_bit_[group] + index;
        if (!has_bit(picked_.in_frustum, bit)) return beside;
        return !has_bit(picked_.kept, bit) ? rejected : has_bit(picked_.receivers, bit) ? seen : kept;
    }

    /// Counts verdicts. The map shows what light reaches by the objects' centres, so that no cable that leads far away
    /// makes the rest small.
    void judge() {
        std::size_t first_bit = 0;
        for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
            const Arrays& arrays = scene_.groups[g].arrays;
            const std::size_t count = object_count(arrays);
            first_bit_.push_back(first_bit);
            first_bit += (count + 63) / 64 * 64;
            for (std::size_t i = 0; i < count; ++i) {
                const Verdict found = verdict(g, i);
                ++counts_[found];
                if (found == beside) continue;
                const dvec3 center = object_bounds(arrays, i).center();
                if (glm::length(center) < 1e30) plan_.show(center);
            }
        }
    }

    /// The highest surface at each sample.
    [[nodiscard]] Canvas canvas(int samples_a_pixel) const {
        const Projection above = plan_.projection(samples_a_pixel);
        const auto surface = [&](std::size_t g, std::size_t i, const Solid&) {
            const Verdict found = verdict(g, i);
            return Surface{.ink = found, .important = found == kept};
        };
        return plan_.canvas(above, surface, section_ ? std::optional(section_->seen_by(above)) : std::nullopt);
    }

    void outline(Image& image, const std::vector<dvec3>& points, unsigned tone) const {
        std::vector<glm::dvec2> flat;
        for (const dvec3& point : points) flat.emplace_back(plan_.pixel(point));
        std::vector<vec2> rim;
        for (const glm::dvec2& corner : convex_rim(std::move(flat))) rim.emplace_back(corner);
        if (rim.empty()) return;
        rim.push_back(rim.front());
        image.rimmed_line(rim, 2.6F, tone);
    }

    /// What is lit and seen, and from there on to the light.
    [[nodiscard]] std::vector<dvec3> caster_volume() const {
        Polyhedron lit(picked_.camera);
        Bounds reach{};
        for (int k = 0; k < 3; ++k) {
            reach.lower[k] = picked_.lamp ? picked_.lamp->at[k] - picked_.lamp->range : picked_.lit.lower[k];
            reach.upper[k] = picked_.lamp ? picked_.lamp->at[k] + picked_.lamp->range : picked_.lit.upper[k];
            lit.cut_to(reach, k);
        }
        std::vector<dvec3> points = lit.corners();
        if (points.empty()) return points;
        if (picked_.lamp) {
            points.push_back(lamp());
            return points;
        }
        const double rise = glm::dot(toward(), scene_.up), most = 4 * glm::length(bounds_.size());
        const std::size_t count = points.size();
        for (std::size_t k = 0; k < count; ++k) {
            const double left = std::max(0.0, plan_.top() - glm::dot(scene_.up, points[k]));
            points.push_back(points[k] + (left < most * rise ? left / rise : most) * toward());
        }
        return points;
    }

    /// A lamp's ball; the box of the sun's map, extended towards the sun.
    [[nodiscard]] std::vector<dvec3> light_volume() const {
        if (picked_.lamp) {
            std::vector<dvec3> circle;
            for (int k = 0; k < 96; ++k) {
                const double angle = 2 * std::numbers::pi * k / 96;
                circle.push_back(lamp() + picked_.lamp->range *
                                              (std::cos(angle) * plan_.right() + std::sin(angle) * plan_.ahead()));
            }
            return circle;
        }
        glm::dmat4 clip;
        std::copy(picked_.map.clip_from_world, picked_.map.clip_from_world + 16, &clip[0][0]);
        const glm::dmat4 world_from_clip = glm::inverse(clip);
        const double* origin = picked_.map.clip_space.origin;
        std::array<dvec3, 8> corners;
        constexpr std::array<std::array<double, 2>, 4> sides{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
        for (std::size_t k = 0; k < 4; ++k) {
            const glm::dvec4 far = world_from_clip * glm::dvec4(sides[k][0], sides[k][1], 1, 1);
            corners[k] = dvec3(far) / far.w + dvec3(origin[0], origin[1], origin[2]);
            corners[k + 4] = corners[k] + (8 * glm::length(bounds_.size()) + 4 * picked_.camera.far) * toward();
        }
        Polyhedron box(corners);
        box.cut(scene_.up, -plan_.ground());
        box.cut(-scene_.up, plan_.top());
        return box.corners();
    }

    /// At the lower left: a disc where the sun stands, and an arrow along its light.
    void sun_arrow(Image& image) const {
        const dvec3 middle_of_map = plan_.shown().center();
        const vec2 step = plan_.pixel(middle_of_map + 0.1 * glm::length(plan_.shown().size()) * toward()) -
                          plan_.pixel(middle_of_map);
        const vec2 middle(288, 800);
        if (glm::length(step) < 1) return image.disc(middle, 18, sun_color);  // above us
        const vec2 way = glm::normalize(step), across(-way.y, way.x), sun = middle + 55.0F * way,
                   head = middle - 65.0F * way;
        const unsigned ink = picture_color::ink;
        image.line({sun, head}, 4, ink);
        image.line({head + 16.0F * way + 11.0F * across, head, head + 16.0F * way - 11.0F * across}, 4, ink);
        image.disc(sun, 20, ink);
        image.disc(sun, 17, sun_color);
    }

    [[nodiscard]] Legend legend(const std::string& caption) const {
        const bool is_lamp = picked_.lamp.has_value();
        const std::uint64_t in_frustum = counts_[seen] + counts_[kept] + counts_[rejected];
        const auto objects = [&](Verdict which, const char* name) {
            return LegendRow{inks[which - 1U], name, counts_[which], in_frustum};
        };
        Legend card{"lanecull shadow: " + scene_.name,
                    caption,
                    {objects(seen, "seen by the camera"),
                     objects(kept, "out of sight, shadow seen"),
                     objects(rejected, "shadow not seen: rejected"),
                     {inks[beside - 1], is_lamp ? "out of the lamp's range" : "not in the light's frustum"},
                     {picture_color::ink, is_lamp ? "the camera's view" : "the camera's slice"},
                     {casters_color, "casters of shadows that are seen"},
                     {frustum_color, is_lamp ? "the lamp's range" : "the light's frustum"}}};
        if (section_) card.rows.push_back({0x9B9EA0, "cut open at the camera's height"});
        return card;
    }

    [[nodiscard]] dvec3 toward() const { return {picked_.sun.toward[0], picked_.sun.toward[1], picked_.sun.toward[2]}; }
    [[nodiscard]] dvec3 lamp() const { return {picked_.lamp->at[0], picked_.lamp->at[1], picked_.lamp->at[2]}; }

    const Scene& scene_;
    const PickedLight& picked_;
    Bounds bounds_;  // of the scene, or the eye where there is nothing
    Plan plan_;
    Polyhedron volume_;               // what the camera sees
    std::optional<Section> section_;  // of a scene that is cut open
    std::vector<std::size_t> first_bit_;
    std::array<std::uint64_t, verdicts> counts_{};
};

}  // namespace

std::string draw_shadow_picture(const Scene& scene, const PickedLight& picked, const std::string& caption,
                                CutawayChoice cutaway) {
    return Map(scene, picked, cutaway).draw(caption).file();
}

}  // namespace lanecull::program
