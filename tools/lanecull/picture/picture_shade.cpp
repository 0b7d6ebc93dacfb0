#include "picture/picture_shade.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <vector>

#include "picture/picture_occlusion.hpp"
#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

const glm::vec3 sun_light = glm::vec3(1.0F, 0.95F, 0.88F) * 0.72F;
const glm::vec3 sky_ambient = glm::vec3(0.90F, 0.95F, 1.0F) * 0.62F;
const glm::vec3 ground_ambient = glm::vec3(1.0F, 0.96F, 0.92F) * 0.36F;

/// A cheap hash of a sample's position, to [0, 1).
float noise(int x, int y, std::uint32_t salt) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9E3779B1U ^ static_cast<std::uint32_t>(y) * 0x85EBCA77U ^ salt;
    h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
    return static_cast<float>((h ^ (h >> 13)) & 0xFFFFFFU) * 0x1p-24F;
}

/// A box, as what hides points from an eye: in coordinates in which it reaches from -1 to 1.
struct Screen {
    glm::mat3 into;  ///< these coordinates
    glm::vec3 center, eye;

    /// Whether the way from the eye to p, a point in view space, meets the box.
    [[nodiscard]] bool hides(const glm::vec3& p) const {
        const glm::vec3 way = into * (p - center) - eye;
        float enters = 0, leaves = 1;
        for (int k = 0; k < 3; ++k) {
            const float a = (-1 - eye[k]) / way[k], b = (1 - eye[k]) / way[k];
            enters = std::max(enters, std::min(a, b));
            leaves = std::min(leaves, std::max(a, b));
        }
        return enters < leaves && leaves < 0.999F;
    }
};

class Shader {
public:
    Shader(const Canvas& canvas, const Setting& setting);
    [[nodiscard]] Image image() const;

private:
    [[nodiscard]] glm::vec3 pixel(int x, int y) const;
    [[nodiscard]] glm::vec3 shaded(int x, int y, float sky) const;
    [[nodiscard]] glm::vec3 lit(const Sample& sample, const glm::vec3& position, float sky, int x, int y) const;
    [[nodiscard]] float sunlight(const glm::vec3& position, const glm::vec3& normal, int x, int y) const;
    [[nodiscard]] bool is_hidden(const glm::vec3& position) const;
    [[nodiscard]] float grid_line(const glm::vec3& position) const;
    [[nodiscard]] glm::vec3 through_beam(const glm::vec3& behind, const glm::vec3& ray, float depth) const;
    [[nodiscard]] glm::vec3 background(int y) const;

    const Canvas& canvas_;
    const Setting& setting_;
    const Projection& view_;
    std::vector<float> sky_;
    std::array<glm::vec3, materials> albedo_;  // by material
    glm::vec3 up_, sun_, middle_;              // in view space
    glm::mat3 sun_from_view_{1};
    glm::vec3 sun_origin_{0};               // the eye in the sun's view space
    float shadow_texel_ = 0;                // size of one of the sun's samples at the middle
    std::array<glm::vec3, 2> level_axes_;   // two axes of the ground, in view space,
    std::array<double, 2> level_offset_{};  // and the eye's coordinates on them
    Beam beam_;                             // the volume
    std::vector<Screen> screens_;
};

Shader::Shader(const Canvas& canvas, const Setting& setting)
    : canvas_(canvas), setting_(setting), view_(canvas.projection()) {
    sky_ = sky_light(canvas, static_cast<float>(0.02 * setting.extent));
    albedo_ = {glm::vec3(0),
               color(0xE9E8E4),
               color(verdict_color::culled),
               color(verdict_color::visible),
               color(verdict_color::false_positive),
               color(verdict_color::hidden),
               section_shade * color(verdict_color::culled),
               section_shade * color(verdict_color::visible),
               section_shade * color(verdict_color::hidden)};
    const glm::dmat3& rotation = view_.view_from_world;
    up_ = rotation * setting.up;
    sun_ = rotation * setting.sun;
    middle_ = view_.view(setting.middle);
    if (setting.shadows) {
        const Projection& sun = setting.shadows->projection();
        sun_from_view_ = glm::mat3(sun.view_from_world * glm::transpose(rotation));
        sun_origin_ = sun.view(view_.eye);
        shadow_texel_ = sun.view(setting.middle).z / sun.focal;
    }
    const glm::dvec3 first = glm::normalize(
        glm::cross(setting.up, std::abs(setting.up.x) < 0.6 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 1, 0)));
    const std::array axes{first, glm::cross(setting.up, first)};
    for (std::size_t k = 0; k < 2; ++k) {
        level_axes_[k] = rotation * axes[k];
        level_offset_[k] = glm::dot(axes[k], view_.eye);
    }
    if (!setting.volume) return;
    beam_ = setting.volume->seen_by(view_);
    for (const BoxEdges& box : setting.occluders) {
        const glm::mat3 into(glm::inverse(rotation * box.half));
        const glm::vec3 center = view_.view(box.center);
        screens_.push_back({into, center, into * (view_.view(setting.eye) - center)});
    }
}

Image Shader::image() const {
    Image result(view_.size / pixel_side);
    in_parallel(result.size().y, [&](int y) {
        for (int x = 0; x < result.size().x; ++x) result.at(x, y) = pixel(x, y);
    });
    return result;
}

/// The mean of a pixel's samples; of the corner ones when all are of one face.
glm::vec3 Shader::pixel(int x, int y) const {
    const float sky = sky_[static_cast<std::size_t>(y) * static_cast<std::size_t>(view_.size.x / pixel_side) +
                           static_cast<std::size_t>(x)];
    const Sample& first = canvas_.at(x * pixel_side, y * pixel_side);
    bool one_face = true;
    for (int dy = 0; dy < pixel_side; ++dy) {
        for (int dx = 0; dx < pixel_side; ++dx) {
            const Sample& other = canvas_.at(x * pixel_side + dx, y * pixel_side + dy);
            one_face = one_face && other.normal == first.normal && other.surface.tint == first.surface.tint &&
                       other.surface.material == first.surface.material;
        }
    }
    const int step = one_face ? std::max(pixel_side - 1, 1) : 1;
    glm::vec3 sum(0);
    float count = 0;
    for (int dy = 0; dy < pixel_side; dy += step) {
        for (int dx = 0; dx < pixel_side; dx += step) {
            sum += shaded(x * pixel_side + dx, y * pixel_side + dy, sky);
            count += 1;
        }
    }
    return sum / count;
}

glm::vec3 Shader::shaded(int x, int y, float sky) const {
    const Sample& sample = canvas_.at(x, y);
    const glm::vec3 ray = view_.ray(glm::vec2(x, y) + 0.5F);
    const glm::vec3 air = background(y);
    if (sample.surface.material == Material::sky) {
        return through_beam(air, ray, std::numeric_limits<float>::infinity());
    }
    const float depth = 1 / sample.inverse_depth;
    const glm::vec3 position = depth * ray;
    const float away = std::max(0.0F, glm::distance(position, middle_) - static_cast<float>(setting_.extent));
    const float thickness = away / static_cast<float>(setting_.haze - setting_.extent);
    const float haze = 1 - std::exp2(-thickness * thickness);
    return through_beam(glm::mix(lit(sample, position, sky, x, y), air, haze), ray, depth);
}

glm::vec3 Shader::lit(const Sample& sample, const glm::vec3& position, float sky, int x, int y) const {
    const glm::vec3 normal = unpack_normal(sample.normal);
    glm::vec3 albedo = albedo_[static_cast<std::size_t>(sample.surface.material)];
    if (sample.surface.material == Material::ground) {
        albedo *= 1 - 0.13F * grid_line(position);
    } else {
        albedo *= 0.88F + 0.18F * static_cast<float>(sample.surface.tint) / 127;
    }
    if (is_hidden(position)) albedo *= glm::vec3(0.62F, 0.55F, 0.70F);
    const glm::vec3 ambient = glm::mix(ground_ambient, sky_ambient, 0.5F + 0.5F * glm::dot(normal, up_));
    const float facing = std::max(0.0F, glm::dot(normal, sun_));
    const float direct = facing > 0 ? facing * sunlight(position, normal, x, y) : 0;
    return albedo * (ambient * sky + sun_light * direct * (0.5F + 0.5F * sky));
}

/// 1 in the sun, 0 in shadow. The place looked up is moved off the surface, against self-shadowing, and at random by a
/// sample of the sun's, which makes soft edges of stairs.
float Shader::sunlight(const glm::vec3& position, const glm::vec3& normal, int x, int y) const {
    if (!setting_.shadows) return 1;
    const Projection& sun = setting_.shadows->projection();
    const glm::vec3 p = sun_from_view_ * (position + 2.5F * shadow_texel_ * normal) + sun_origin_;
    const glm::vec2 jitter(noise(x, y, 0), noise(x, y, 0x68E31DA4U));
    const glm::vec2 place = sun.sample(p) + 2.4F * (jitter - 0.5F);
    if (!(place.x >= 0 && place.y >= 0 && place.x < static_cast<float>(sun.size.x) &&
          place.y < static_cast<float>(sun.size.y))) {
        return 1;
    }
    const Sample& nearest = setting_.shadows->at(static_cast<int>(place.x), static_cast<int>(place.y));
    return nearest.inverse_depth * (p.z - shadow_texel_) > 1 ? 0.0F : 1.0F;
}

/// In the volume, or just below it as the ground is, and behind an occluder.
bool Shader::is_hidden(const glm::vec3& position) const {
    const auto slack = static_cast<float>(1e-3 * setting_.extent);
    for (const glm::vec4& plane : beam_.planes) {
        if (!screens_.empty() && glm::dot(glm::vec3(plane), position) + plane.w < -slack) return false;
    }
    return std::any_of(screens_.begin(), screens_.end(), [&](const Screen& s) { return s.hides(position); });
}

/// 1 on a line of the ground's grid; lines fade where they would be closer than some pixels.
float Shader::grid_line(const glm::vec3& position) const {
    if (!(setting_.grid > 0)) return 0;
    const double pixel = static_cast<double>(position.z / view_.focal) * pixel_side;
    const double half_width = 0.6 * pixel;
    bool on_line = false;
    for (std::size_t k = 0; k < 2; ++k) {
        const double place = level_offset_[k] + static_cast<double>(glm::dot(level_axes_[k], position));
        const double off = std::abs(place - setting_.grid * std::round(place / setting_.grid));
        on_line = on_line || off < half_width;
    }
    return on_line ? static_cast<float>(std::clamp(setting_.grid / pixel / 12 - 0.5, 0.0, 1.0)) : 0;
}

/// What is seen along a ray through the view volume, which glows a little with the length of the way through it, and
/// a little on each face.
glm::vec3 Shader::through_beam(const glm::vec3& behind, const glm::vec3& ray, float depth) const {
    if (beam_.planes.empty()) return behind;
    const auto [enters, leaves] = beam_.span(ray);
    const float end = std::min(leaves, depth);
    if (!(enters < end)) return behind;
    static const glm::vec3 glow = color(0xFFDD7A);
    const float way = (end - enters) * glm::length(ray) / static_cast<float>(setting_.extent);
    const bool through = leaves < 0.9999F * depth;
    const float opacity = (through ? 0.18F : 0.03F) + 0.05F * (1 - std::exp(-2 * way));
    return glm::mix(behind, glow, opacity);
}

glm::vec3 Shader::background(int y) const {
    static const glm::vec3 top = color(0xDCE5EE), bottom = color(0xF2F4F5);
    return glm::mix(top, bottom, static_cast<float>(y) / static_cast<float>(view_.size.y));
}

}  // namespace

Image shade(const Canvas& canvas, const Setting& setting) { return Shader(canvas, setting).image(); }

}  // namespace lanecull::program
