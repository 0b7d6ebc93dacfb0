#include "picture/picture_legend.hpp"

#include <cstddef>
#include <glm/vec2.hpp>

#include <fmt/core.h>

#include "support/grouped.hpp"

namespace lanecull::program {

namespace {

constexpr float left_end = 28, top = 26, inner = 24, row_height = 36;

std::string percentage(std::uint64_t part, std::uint64_t whole) {
    const double percent = whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    if (percent == 0 || percent >= 0.05) return fmt::format("{:.1f} %", percent);
    return percent >= 0.0005 ? fmt::format("{:.3f} %", percent) : "< 0.001 %";
}

/// The text, its end replaced by dots where it is too long.
std::string fitted(const Font& font, float height, std::string text, float width) {
    if (font.width(height, text) <= width) return text;
    while (!text.empty() && font.width(height, text + "...") > width) {
        do text.pop_back();
        while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U);
    }
    return text + "...";
}

}  // namespace

Rectangle Legend::card(float height, float scale) {
    const glm::vec2 corner = glm::vec2(left_end, top) * scale;
    return {corner, corner + glm::vec2(right_end - left_end, height) * scale};
}

Legend::Legend(Image& image, float height, float scale)
    : image_(image),
      scale_(scale),
      base_(left_end * scale + inner * scale, top * scale + 114 * scale),
      width_((right_end - left_end) * scale - 2 * inner * scale) {
    const Rectangle all = card(height, scale);
    image_.fill({all.lower - 1.0F, all.upper + 1.0F}, 11 * scale, color(0x8A97A3), 0.5F);
    image_.fill(all, 10 * scale, color(picture_color::paper), 0.93F);
}

void Legend::heading(const std::string& title, const std::string& caption) {
    const auto row = [&](const Font& font, float height, float base, const std::string& text, unsigned tone) {
        image_.text(font, height * scale_, {base_.x, top * scale_ + base * scale_},
                    fitted(font, height * scale_, text, width_), color(tone));
    };
    row(bold_, 32, 44, title, picture_color::ink);
    row(regular_, 18, 72, caption, picture_color::faint_ink);
}

void Legend::objects(unsigned swatch, const char* name, std::uint64_t count, std::uint64_t whole) {
    const float height = 20 * scale_;
    const auto right_aligned = [&](const Font& font, float right, const std::string& text, unsigned tone) {
        image_.text(font, height, base_ + glm::vec2(right - font.width(height, text), 0), text, color(tone));
    };
    image_.disc(base_ + glm::vec2(9, -6) * scale_, 9 * scale_, color(swatch));
    image_.text(regular_, height, base_ + glm::vec2(30 * scale_, 0), name, color(picture_color::ink));
    right_aligned(bold_, width_ - 104 * scale_, grouped(count), picture_color::ink);
    right_aligned(regular_, width_, percentage(count, whole), picture_color::faint_ink);
    base_ += glm::vec2(0, row_height * scale_);
}

void Legend::line(unsigned tone, const char* name) {
    const glm::vec2 middle = base_ - glm::vec2(0, 6 * scale_);
    image_.line(middle, middle + glm::vec2(18 * scale_, 0), 2.6F * scale_, color(tone));
    image_.text(regular_, 20 * scale_, base_ + glm::vec2(30 * scale_, 0), name, color(picture_color::ink));
    base_ += glm::vec2(0, row_height * scale_);
}

}  // namespace lanecull::program
