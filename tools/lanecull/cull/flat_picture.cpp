#include "cull/flat_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <vector>

#include "picture/picture_image.hpp"
#include "picture/picture_legend.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

constexpr double border = 24;
constexpr int card_rows = 3;
constexpr double longest = 1600;
constexpr unsigned paper = 0xF3F5F7, culled = 0x9AA6B2, kept = 0x2F7FD1, inside = 0x0B4C92, window = 0xE8590C;

/// World coordinates to pixels, y up. The map is at the right of the card or below it, where it is larger, and the
/// picture as large as that needs.
class Map {
public:
    explicit Map(const FlatBoxes& boxes) {
        const glm::dvec2 low{std::ranges::min(boxes.min_x), std::ranges::min(boxes.min_y)};
        const glm::dvec2 high{std::ranges::max(boxes.max_x), std::ranges::max(boxes.max_y)};
        const glm::dvec2 extent = glm::max(high - low, 1e-6 * std::max({high.x - low.x, high.y - low.y, 1e-30}));
        const glm::dvec2 card(Legend::card(Legend::height(card_rows), 1).upper);
        for (const glm::dvec2& corner : {glm::dvec2(card.x, 0), glm::dvec2(0, card.y)}) {
            const glm::dvec2 room = glm::dvec2(longest) - corner - 2.0 * border;
            const double scale = std::min(room.x / extent.x, room.y / extent.y);
            if (scale <= scale_) continue;
            scale_ = scale;
            const glm::dvec2 whole = glm::max(corner + scale * extent, card) + 2.0 * border;
            size_ = glm::ivec2(glm::ceil(whole));
            center_ = 0.5 * (corner + whole);
        }
        middle_ = 0.5 * (low + high);
    }
    [[nodiscard]] glm::ivec2 size() const { return size_; }
    [[nodiscard]] glm::vec2 pixel(double x, double y) const {
        return {center_ + scale_ * glm::dvec2(x - middle_.x, middle_.y - y)};
    }

private:
    double scale_ = 0;
    glm::dvec2 middle_{}, center_{};
    glm::ivec2 size_{};
};

bool has(const std::vector<std::uint64_t>& bits, std::size_t i) { return (bits[i / 64] >> i % 64 & 1) != 0; }

/// Those of one verdict: faint insides, so that what overlaps shows, and edges.
void draw_boxes(Image& image, const Map& map, const FlatMeasurement& m, bool visible) {
    const FlatBoxes& b = m.boxes;
    for (std::size_t i = 0; i < b.min_x.size(); ++i) {
        if (has(m.visible, i) != visible) continue;
        const unsigned ink = !visible ? culled : has(m.inside, i) ? inside : kept;
        const glm::vec2 from = map.pixel(static_cast<double>(b.min_x[i]), static_cast<double>(b.max_y[i]));
        const glm::vec2 to = map.pixel(static_cast<double>(b.max_x[i]), static_cast<double>(b.min_y[i]));
        image.fill({from, glm::max(to, from + 0.7F)}, 0, color(ink), visible ? 0.28F : 0.12F);
        const std::array<glm::vec2, 5> corners{from, {to.x, from.y}, to, {from.x, to.y}, from};
        for (std::size_t k = 0; k < 4; ++k) {
            image.line(corners[k], corners[k + 1], visible ? 1.0F : 0.6F, color(ink), visible ? 0.8F : 0.5F);
        }
    }
}

void draw_window(Image& image, const Map& map, const flat::TurnedRectangle& w) {
    const auto corner = [&](double s, double t) {
        const double along = s * w.half_x, up = t * w.half_y;
        return map.pixel(w.x + along * w.axis_x - up * w.axis_y, w.y + along * w.axis_y + up * w.axis_x);
    };
    const std::array<glm::vec2, 5> corners{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)};
    for (std::size_t k = 0; k < 4; ++k) image.line(corners[k], corners[k + 1], 3, color(window));
}

}  // namespace

std::string draw_flat_picture(const FlatMeasurement& m) {
    const Map map(m.boxes);
    Image image(map.size());
    image.fill({{0, 0}, glm::vec2(map.size())}, 0, color(paper));
    draw_boxes(image, map, m, false);
    draw_boxes(image, map, m, true);
    draw_window(image, map, m.window);
    Legend legend(image, Legend::height(card_rows), 1);
    legend.heading(m.name, fmt::format("{} boxes of the plane", grouped(m.counts.objects())));
    std::uint64_t whole = 0;
    for (const std::uint64_t word : m.inside) whole += static_cast<std::uint64_t>(std::popcount(word));
    legend.objects(inside, "wholly inside", whole, m.counts.objects());
    legend.objects(kept, "across its edge", m.counts.visible() - whole, m.counts.objects());
    legend.objects(culled, "culled", m.counts.culled(), m.counts.objects());
    return image.png();
}

}  // namespace lanecull::program
