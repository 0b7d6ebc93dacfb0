#include "picture/legend.hpp"

#include <array>

#include "support/text.hpp"

namespace lanecull::program {

namespace {

using picture_color::faint_ink;
using picture_color::ink;

constexpr float left_end = 28, top = 26, margin = 24, row_height = 36, bar_rows = 2;

std::string percentage(std::uint64_t part, std::uint64_t whole) {
    const double percent = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    if (percent == 0 || percent >= 0.05) return fmt::format("{:.1f} %", percent);
    return percent >= 0.0005 ? fmt::format("{:.3f} %", percent) : "< 0.001 %";
}

/// The text, its end replaced by dots where it is too long.
std::string fitted(const Image& image, float height, std::string text, Image::Weight weight, float width) {
    if (image.width(height, text, weight) <= width) return text;
    while (!text.empty() && image.width(height, text + "...", weight) > width) {
        do text.pop_back();
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U);
    }
    return text + "...";
}

}  // namespace

unsigned heat_color(double share) {
    constexpr std::array<unsigned, 6> stations{0x1B1F4B, 0x24507A, 0x2A7F83, 0x57AB6E, 0xB5CF57, 0xFFF3A1};
    const double at = (stations.size() - 1) * std::clamp(share, 0.0, 1.0);
    const auto k = std::min(static_cast<std::size_t>(at), stations.size() - 2);
    return rgb_of(
        glm::mix(light_of(stations[k]), light_of(stations[k + 1]), static_cast<float>(at - static_cast<double>(k))));
}

Rectangle Legend::card(float scale) const {
    const float height = 92 + row_height * (static_cast<float>(rows.size()) + (most.empty() ? 0 : bar_rows));
    return {scale * glm::vec2(left_end, top), scale * glm::vec2(right_end, top + height)};
}

void Legend::draw(Image& image, float scale) const {
    const Rectangle all = card(scale);
    image.fill({all.lower - 1.0F, all.upper + 1.0F}, 11 * scale, picture_color::frame, 0.5F);
    image.fill(all, 10 * scale, picture_color::paper, 0.93F);
    const float left = all.lower.x + margin * scale, right = all.upper.x - margin * scale;
    const auto write = [&](float height, float base, const std::string& words, unsigned tone, Image::Weight weight) {
        image.text(height * scale, {left, all.lower.y + base * scale},
                   fitted(image, height * scale, words, weight, right - left), tone, weight);
    };
    write(32, 44, title, ink, Image::Weight::bold);
    write(18, 72, caption, faint_ink, Image::Weight::regular);

    const float height = 20 * scale;
    glm::vec2 base(left, all.lower.y + 114 * scale);
    const auto ends_at = [&](float end, const std::string& words, unsigned tone, Image::Weight weight) {
        image.text(height, {end - image.width(height, words, weight), base.y}, words, tone, weight);
    };
    for (const LegendRow& row : rows) {
        const glm::vec2 middle = base + scale * glm::vec2(9, -6), reach(9 * scale, 0);
        if (row.count) {
            image.disc(middle, 9 * scale, row.tone);
            ends_at(right - 104 * scale, grouped(*row.count), ink, Image::Weight::bold);
            ends_at(right, percentage(*row.count, row.whole), faint_ink, Image::Weight::regular);
        } else {
            image.line({middle - reach, middle + reach}, 2.6F * scale, row.tone);
        }
        image.text(height, base + glm::vec2(30 * scale, 0), row.name, ink);
        base.y += row_height * scale;
    }
    if (most.empty()) return;
    for (float x = left; x < right; ++x) {
        image.fill({{x, base.y - 15 * scale}, {x + 1, base.y + 9 * scale}}, 0, heat_color((x - left) / (right - left)));
    }
    base.y += 34 * scale;
    image.text(height, base, least, ink);
    ends_at(right, most, ink, Image::Weight::regular);
}

}  // namespace lanecull::program
