
#include <bit>

#include "cull/flat_cull.hpp"
#include "picture/judged_scene.hpp"
#include "picture/legend.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr double border = 24, longest = 1600;
constexpr unsigned background = 0xF3F5F7, outside = 0x9AA6B2, kept = 0x2F7FD1, inside = 0x0B4C92, window = 0xE8590C;

/// World coordinates to pixels, y up. The map is at the right of the card or below it, where it is larger, and the
/// picture as large as that needs.
class Map {
public:
    Map(const FlatBoxes& boxes, const glm::dvec2& card) {
        const glm::dvec2 low{std::ranges::min(boxes.min_x), std::ranges::min(boxes.min_y)};
        const glm::dvec2 high{std::ranges::max(boxes.max_x), std::ranges::max(boxes.max_y)};
        const glm::dvec2 extent = glm::max(high - low, 1e-6 * std::max({high.x - low.x, high.y - low.y, 1e-30}));
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

/// Those of one verdict: faint insides, so that what overlaps shows, and edges.
void draw_boxes(Image& image, const Map& map, const FlatMeasurement& m, bool are_visible) {
    const FlatBoxes& b = m.boxes;
    for (std::size_t i = 0; i < b.min_x.size(); ++i) {
        if (has_bit(m.visible, i) != are_visible) continue;
        const unsigned ink = !are_visible ? outside : has_bit(m.inside, i) ? inside : kept;
        const glm::vec2 from = map.pixel(double{b.min_x[i]}, double{b.max_y[i]});
        const glm::vec2 to = map.pixel(double{b.max_x[i]}, double{b.min_y[i]});
        image.fill({from, glm::max(to, from + 0.7F)}, 0, ink, are_visible ? 0.28F : 0.12F);
        image.line({from, {to.x, from.y}, to, {from.x, to.y}, from}, are_visible ? 1.0F : 0.6F, ink,
                   are_visible ? 0.8F : 0.5F);
    }
}

void draw_window(Image& image, const Map& map, const flat::TurnedRectangle& w) {
    const auto corner = [&](double s, double t) {
        const double along = s * w.half_x, up = t * w.half_y;
        return map.pixel(w.x + along * w.axis_x - up * w.axis_y, w.y + along * w.axis_y + up * w.axis_x);
    };
    image.line({corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)}, 3, window);
}

}  // namespace

std::string draw_flat_picture(const FlatMeasurement& m) {
    std::uint64_t whole = 0;
    for (const std::uint64_t word : m.inside) whole += static_cast<std::uint64_t>(std::popcount(word));
    const std::uint64_t all = m.counts.objects();
    const Legend legend{m.name,
                        fmt::format("{} boxes of the plane", grouped(all)),
                        {{inside, "wholly inside", whole, all},
                         {kept, "across its edge", m.counts.visible() - whole, all},
                         {outside, "culled", m.counts.culled(), all}}};
    const Map map(m.boxes, legend.card().upper);
    Image image(map.size(), background);
    draw_boxes(image, map, m, false);
    draw_boxes(image, map, m, true);
    draw_window(image, map, m.window);
    legend.draw(image);
    return std::move(image).file();
}

}  // namespace lanecull::program
