#include "picture/shading.hpp"

#include <cmath>
#include <numbers>

#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

using glm::vec2;
using glm::vec3;

const vec3 sun_light = vec3(1.0F, 0.95F, 0.88F) * 0.72F;
const vec3 sky_ambient = vec3(0.90F, 0.95F, 1.0F) * 0.62F;
const vec3 ground_ambient = vec3(1.0F, 0.96F, 0.92F) * 0.36F;
const vec3 sky_above = light_of(0xDCE5EE), sky_below = light_of(0xF2F4F5), glow = light_of(0xFFDD7A);

/// A cheap hash of a sample's position, to [0, 1).
float noise(int x, int y, std::uint32_t salt) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x9E3779B1U ^ static_cast<std::uint32_t>(y) * 0x85EBCA77U ^ salt;
    h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
    return static_cast<float>((h ^ (h >> 13)) & 0xFFFFFFU) * 0x1p-24F;
}

/// How much of the sky each pixel sees, 0 to 1: neighbours nearer than `reach` that rise above its surface hide some.
class SkyLight {
public:
    SkyLight(const Canvas& canvas, float reach)
        : canvas_(canvas), reach_(reach), size_(canvas.projection().size / pixel_side) {
        for (std::size_t k = 0; k < spiral_.size(); ++k) {
            const float turn = static_cast<float>(k / taps) / (pattern * pattern);
            const float fraction = (static_cast<float>(k % taps) + 0.5F) / taps;
            const float angle = 2 * std::numbers::pi_v<float> * (turn + 5 * fraction);
            spiral_[k] = fraction * vec2(std::cos(angle), std::sin(angle));
        }
        std::vector<float> raw(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y));
        smooth_.resize(raw.size());
        for_each_pixel([&](int x, int y) { raw[index(x, y)] = estimate(x, y); });
        for_each_pixel([&](int x, int y) { smooth_[index(x, y)] = blurred(raw, x, y); });
    }
    [[nodiscard]] float at(int x, int y) const { return smooth_[index(x, y)]; }

private:
    static constexpr std::size_t taps = 14;
    static constexpr int pattern =
        4;  // pixels; the turns of the spiral repeat after so many, and the blur removes them

    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.x) + static_cast<std::size_t>(x);
    }
    [[nodiscard]] const Sample& sample(int x, int y) const {
        return canvas_.at(x * pixel_side + pixel_side / 2, y * pixel_side + pixel_side / 2);
    }
    void for_each_pixel(auto visit) const {
        in_parallel(size_.y, [&](int y) {
            for (int x = 0; x < size_.x; ++x) visit(x, y);
        });
    }
    [[nodiscard]] vec3 position(int x, int y) const {
        const vec2 middle = (vec2(x, y) + 0.5F) * static_cast<float>(pixel_side);
        return canvas_.projection().ray(middle) / sample(x, y).inverse_depth;
    }

    /// Taps on a spiral; neighbours take light away, the more the steeper and nearer they are.
    [[nodiscard]] float estimate(int x, int y) const {
        if (sample(x, y).surface.ink == 0) return 1;
        const vec3 p = position(x, y), normal = glm::normalize(vec3(sample(x, y).normal));
        const float pixels = reach_ * canvas_.projection().focal / (p.z * static_cast<float>(pixel_side));
        const float radius = std::clamp(pixels, 2.0F, 48.0F), within = reach_ * radius / pixels;
        const auto turn = static_cast<std::size_t>((x % pattern + y % pattern * pattern) * 7 % (pattern * pattern));
        float taken = 0;
        for (std::size_t tap = 0; tap < taps; ++tap) {
            const vec2 there = vec2(x, y) + 0.5F + radius * spiral_[taps * turn + tap];
            const glm::ivec2 at(glm::floor(there));
            if (at.x < 0 || at.y < 0 || at.x >= size_.x || at.y >= size_.y) continue;
            if (sample(at.x, at.y).surface.ink == 0) continue;
            const vec3 way = position(at.x, at.y) - p;
            const float square = glm::dot(way, way), rise = glm::dot(way, normal) - 0.02F * within;
            if (rise > 0) taken += rise / std::sqrt(square) * std::max(0.0F, 1 - square / (within * within));
        }
        return std::clamp(1 - 2.2F * taken / float{taps}, 0.0F, 1.0F);
    }

    /// Mean over one pattern, of pixels at about the same depth.
    [[nodiscard]] float blurred(const std::vector<float>& raw, int x, int y) const {
        const float own = sample(x, y).inverse_depth;
        float sum = 0, weight = 0;
        for (int dy = -pattern / 2; dy < pattern / 2; ++dy) {
            for (int dx = -pattern / 2; dx < pattern / 2; ++dx) {
                const int at_x = std::clamp(x + dx, 0, size_.x - 1), at_y = std::clamp(y + dy, 0, size_.y - 1);
                if (std::abs(sample(at_x, at_y).inverse_depth - own) > 0.02F * own) continue;
                sum += raw[index(at_x, at_y)];
                weight += 1;
            }
        }
        return sum / weight;  // the pixel itself always counts
    }

    const Canvas& canvas_;
    float reach_;
    glm::ivec2 size_;
    std::vector<float> smooth_;
    std::array<vec2, taps * pattern * pattern> spiral_;  // in the unit disc, at each of the pattern's turns
};

/// A box, as what hides points from an eye: in coordinates in which it reaches from -1 to 1.
struct Screen {
    glm::mat3 into;  ///< these coordinates
    vec3 center, eye;

    /// Whether the way from the eye to p, a point in view space, meets the box.
    [[nodiscard]] bool hides(const vec3& p) const {
        const vec3 way = into * (p - center) - eye, a = (-1.0F - eye) / way, b = (1.0F - eye) / way;
        float enters = 0, leaves = 1;
        for (int k = 0; k < 3; ++k) {
            enters = std::max(enters, std::min(a[k], b[k]));
            leaves = std::min(leaves, std::max(a[k], b[k]));
        }
        return enters < leaves && leaves < 0.999F;
    }
};

class Shader {
public:
    Shader(const Canvas& canvas, const Setting& setting)
        : canvas_(canvas),
          setting_(setting),
          view_(canvas.projection()),
          sky_(canvas, static_cast<float>(0.02 * setting.extent)) {
        albedo_.emplace_back(0);
        for (const unsigned ink : setting.inks) albedo_.push_back(light_of(ink));
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
            const vec3 center = view_.view(box.center);
            screens_.push_back({into, center, into * (view_.view(setting.eye) - center)});
        }
    }

    /// The mean of a pixel's samples; of the corner ones when all are of one face.

    [[nodiscard]] vec3 pixel(int x, int y) const {
        const glm::ivec2 first = pixel_side * glm::ivec2(x, y);
        const Sample& corner = canvas_.at(first.x, first.y);
        bool one_face = true;
        for (int k = 1; k < pixel_side * pixel_side; ++k) {
            const Sample& other = canvas_.at(first.x + k % pixel_side, first.y + k / pixel_side);
            one_face = one_face && other.normal == corner.normal && other.surface == corner.surface;
        }
        const int step = one_face ? pixel_side - 1 : 1;
        vec3 sum(0);
        float count = 0;
        for (int dy = 0; dy < pixel_side; dy += step) {
            for (int dx = 0; dx < pixel_side; dx += step) {
                sum += shaded(first.x + dx, first.y + dy, sky_.at(x, y));
                count += 1;
            }
        }
        return sum / count;
    }

private:
    [[nodiscard]] vec3 shaded(int x, int y, float sky) const {
        const Sample& sample = canvas_.at(x, y);
        const vec3 ray = view_.ray(vec2(x, y) + 0.5F);
        const float height = static_cast<float>(y) / static_cast<float>(view_.size.y);
        const vec3 air = glm::mix(sky_above, sky_below, height);
        if (sample.surface.ink == 0) return through_beam(air, ray, std::numeric_limits<float>::infinity());
        const float depth = 1 / sample.inverse_depth;
        const vec3 position = depth * ray;
        const float away = std::max(0.0F, glm::distance(position, middle_) - static_cast<float>(setting_.extent));
        const float thickness = away / static_cast<float>(setting_.haze - setting_.extent);
        const float haze = 1 - std::exp2(-thickness * thickness);
        return through_beam(glm::mix(lit(sample, position, sky, x, y), air, haze), ray, depth);
    }

    [[nodiscard]] vec3 lit(const Sample& sample, const vec3& position, float sky, int x, int y) const {
        const vec3 normal = glm::normalize(vec3(sample.normal));
        const Surface surface = sample.surface;
        vec3 albedo = albedo_[surface.ink] * (surface.section ? section_shade : 1);
        albedo *=
            surface.ink == 1 ? 1 - 0.13F * grid_line(position) : 0.88F + 0.18F * static_cast<float>(surface.tint) / 31;
        if (is_hidden(position)) albedo *= vec3(0.62F, 0.55F, 0.70F);
        const vec3 ambient = glm::mix(ground_ambient, sky_ambient, 0.5F + 0.5F * glm::dot(normal, up_));
        const float facing = std::max(0.0F, glm::dot(normal, sun_));
        const float direct = facing > 0 ? facing * sunlight(position, normal, x, y) : 0;
        return albedo * (ambient * sky + sun_light * direct * (0.5F + 0.5F * sky));
    }

    /// 1 in the sun, 0 in shadow. The place looked up is moved off the surface, against self-shadowing, and at random
    /// by a sample of the sun's, which makes soft edges of stairs.
    [[nodiscard]] float sunlight(const vec3& position, const vec3& normal, int x, int y) const {
        if (!setting_.shadows) return 1;
        const vec3 p = sun_from_view_ * (position + 2.5F * shadow_texel_ * normal) + sun_origin_;
        const vec2 jitter(noise(x, y, 0), noise(x, y, 0x68E31DA4U));
        const vec2 place = setting_.shadows->projection().sample(p) + 2.4F * (jitter - 0.5F);
        return setting_.shadows->at(place).inverse_depth * (p.z - shadow_texel_) > 1 ? 0.0F : 1.0F;
    }

    /// In the volume, or just below it as the ground is, and behind an occluder.
    [[nodiscard]] bool is_hidden(const vec3& position) const {
        if (screens_.empty()) return false;
        const auto slack = static_cast<float>(1e-3 * setting_.extent);
        const auto is_outside = [&](const glm::vec4& p) { return glm::dot(vec3(p), position) + p.w < -slack; };
        return std::ranges::none_of(beam_.planes, is_outside) &&
               std::ranges::any_of(screens_, [&](const Screen& s) { return s.hides(position); });
    }

    /// 1 on a line of the ground's grid; lines fade where they would be closer than some pixels.
    [[nodiscard]] float grid_line(const vec3& position) const {
        if (!(setting_.grid > 0)) return 0;
        const double pixel = static_cast<double>(position.z / view_.focal) * pixel_side;
        bool on_line = false;
        for (std::size_t k = 0; k < 2; ++k) {
            const double place = level_offset_[k] + static_cast<double>(glm::dot(level_axes_[k], position));
            on_line = on_line || std::abs(place - setting_.grid * std::round(place / setting_.grid)) < 0.6 * pixel;
        }
        return on_line ? static_cast<float>(std::clamp(setting_.grid / pixel / 12 - 0.5, 0.0, 1.0)) : 0;
    }

    /// What is seen along a ray through the view volume, which glows a little with the length of the way through it,
    /// and a little on each face.
    [[nodiscard]] vec3 through_beam(const vec3& behind, const vec3& ray, float depth) const {
        if (beam_.planes.empty()) return behind;
        const auto [enters, leaves] = beam_.span(ray);
        const float end = std::min(leaves, depth);
        if (!(enters < end)) return behind;
        const float way = (end - enters) * glm::length(ray) / static_cast<float>(setting_.extent);
        const bool through = leaves < 0.9999F * depth;
        return glm::mix(behind, glow, (through ? 0.18F : 0.03F) + 0.05F * (1 - std::exp(-2 * way)));
    }

    const Canvas& canvas_;
    const Setting& setting_;
    const Projection& view_;
    SkyLight sky_;
    std::vector<vec3> albedo_;  // by ink
    vec3 up_, sun_, middle_;    // in view space
    glm::mat3 sun_from_view_{1};
    vec3 sun_origin_{0};                    // the eye in the sun's view space
    float shadow_texel_ = 0;                // size of one of the sun's samples at the middle
    std::array<vec3, 2> level_axes_;        // two axes of the ground, in view space,
    std::array<double, 2> level_offset_{};  // and the eye's coordinates on them
    Beam beam_;                             // the volume
    std::vector<Screen> screens_;
};

}  // namespace

Image shade(const Canvas& canvas, const Setting& setting) {
    const Shader shader(canvas, setting);
    Image image(canvas.projection().size / pixel_side);
    image.paint([&](int x, int y) { return shader.pixel(x, y); });
    return image;
}

}  // namespace lanecull::program
