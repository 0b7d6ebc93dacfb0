#include "picture/picture_occlusion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

constexpr int taps = 14;
constexpr int pattern = 4;  // pixels; the turns of the spiral repeat after so many, and the blur removes them
constexpr float strength = 2.2F;

/// Points of a spiral in the unit disc, at each of the pattern's turns.
using Spiral = std::array<glm::vec2, taps>;

std::array<Spiral, pattern * pattern> spirals() {
    std::array<Spiral, pattern * pattern> all;
    for (std::size_t turn = 0; turn < all.size(); ++turn) {
        for (int tap = 0; tap < taps; ++tap) {
            const float fraction = (static_cast<float>(tap) + 0.5F) / taps;
            const float angle =
                glm::two_pi<float>() * (static_cast<float>(turn) / static_cast<float>(all.size()) + 5 * fraction);
            all[turn][static_cast<std::size_t>(tap)] = fraction * glm::vec2(std::cos(angle), std::sin(angle));
        }
    }
    return all;
}

class SkyLight {
public:
    SkyLight(const Canvas& canvas, float reach)
        : canvas_(canvas), reach_(reach), size_(canvas.projection().size / pixel_side) {}

    [[nodiscard]] std::vector<float> compute() const {
        std::vector<float> raw(static_cast<std::size_t>(size_.x) * static_cast<std::size_t>(size_.y));
        std::vector<float> smooth(raw.size());
        for_each_pixel([&](int x, int y) { raw[index(x, y)] = estimate(x, y); });
        for_each_pixel([&](int x, int y) { smooth[index(x, y)] = blurred(raw, x, y); });
        return smooth;
    }

private:
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
    [[nodiscard]] glm::vec3 position(int x, int y, float depth) const {
        return depth * canvas_.projection().ray((glm::vec2(x, y) + 0.5F) * static_cast<float>(pixel_side));
    }

    /// Neighbours above the surface's own plane take light away, the more the steeper and nearer they are.
    [[nodiscard]] float estimate(int x, int y) const {
        const Sample& here = sample(x, y);
        if (here.surface.material == Material::sky) return 1;
        const float depth = 1 / here.inverse_depth;
        const glm::vec3 p = position(x, y, depth), n = unpack_normal(here.normal);
        const float pixels = reach_ * canvas_.projection().focal / (depth * static_cast<float>(pixel_side));
        const float radius = std::clamp(pixels, 2.0F, 48.0F);
        const float within = reach_ * radius / pixels;
        const auto turn = static_cast<std::size_t>(x % pattern + y % pattern * pattern) * 7 % spirals_.size();
        float taken = 0;
        for (const glm::vec2& tap : spirals_[turn]) {
            const int tap_x = static_cast<int>(static_cast<float>(x) + 0.5F + radius * tap.x);
            const int tap_y = static_cast<int>(static_cast<float>(y) + 0.5F + radius * tap.y);
            if (tap_x < 0 || tap_y < 0 || tap_x >= size_.x || tap_y >= size_.y) continue;
            const Sample& there = sample(tap_x, tap_y);
            if (there.surface.material == Material::sky) continue;
            const glm::vec3 v = position(tap_x, tap_y, 1 / there.inverse_depth) - p;
            const float square = glm::dot(v, v);
            const float rise = glm::dot(v, n) - 0.02F * within;
            if (rise > 0) taken += rise / std::sqrt(square) * std::max(0.0F, 1 - square / (within * within));
        }
        return std::clamp(1 - strength * taken / taps, 0.0F, 1.0F);
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
    std::array<Spiral, pattern* pattern> spirals_ = spirals();
};

}  // namespace

std::vector<float> sky_light(const Canvas& canvas, float reach) { return SkyLight(canvas, reach).compute(); }

}  // namespace lanecull::program
