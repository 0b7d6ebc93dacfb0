#include "cull/flat_cull.hpp"

#include <cmath>
#include <lanecull/tbb.hpp>
#include <nlohmann/json.hpp>
#include <numbers>

#include "cull/reasons.hpp"
#include "picture/judged_scene.hpp"
#include "picture/legend.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr int passes = 25;

/// Upright windows are prepared as what they are: boxes are then compared with them exactly.
flat::View view_of(const flat::TurnedRectangle& window) {
    flat::View view;
    const double x = window.x, y = window.y, w = window.half_x, h = window.half_y;
    require(window.axis_y == 0 ? flat::prepare_view(flat::Rectangle{x - w, y - h, x + w, y + h}, view)
                               : flat::prepare_view(window, view));
    return view;
}

flat::TurnedRectangle window_of(const std::vector<double>& numbers, const FlatBoxes& boxes) {
    if (numbers.empty()) {
        const double left = static_cast<double>(std::ranges::min(boxes.min_x)),
                     right = static_cast<double>(std::ranges::max(boxes.max_x));
        const double low = static_cast<double>(std::ranges::min(boxes.min_y)),
                     high = static_cast<double>(std::ranges::max(boxes.max_y));
        return {(left + right) / 2, (low + high) / 2, (right - left) / 8, (high - low) / 8, 1, 0};
    }
    if (numbers.size() != 4 && numbers.size() != 5) {
        refuse("--window: x,y,width,height or x,y,width,height,degrees, not {} numbers", numbers.size());
    }
    for (const double number : numbers) check_number("--window", number, -1e15, 1e15);
    if (!(numbers[2] > 0 && numbers[3] > 0)) {
        refuse("--window: width and height are to be positive, not {} and {}", numbers[2], numbers[3]);
    }
    const double angle = numbers.size() == 5 ? numbers[4] * std::numbers::pi / 180 : 0;
    return {numbers[0], numbers[1], numbers[2] / 2, numbers[3] / 2, angle == 0 ? 1 : std::cos(angle), std::sin(angle)};
}

}  // namespace

flat::Batch FlatMeasurement::batch() const {
    return flat::Boxes{boxes.min_x.data(), boxes.min_y.data(), boxes.max_x.data(), boxes.max_y.data(),
                       static_cast<std::uint32_t>(boxes.min_x.size())};
}

FlatMeasurement measure_flat(const std::string& file, const FlatCullOptions& options) {
    FlatMeasurement result;
    result.name = std::filesystem::path(input_name(file)).filename().string();
    result.boxes = read_flat_box_list(file);
    result.window = window_of(options.window, result.boxes);
    result.isa = options.isa;
    std::optional<TbbRunner> parallel;
    if (options.threads != 1) result.threads = parallel.emplace(options.threads).threads();
    const flat::Batch batch = result.batch();
    const flat::View view = view_of(result.window);
    result.visible.resize(flat::visibility_words({&batch, 1}));
    result.inside.resize(result.visible.size());
    std::vector<std::byte> scratch(flat::scratch_bytes({&batch, 1}, 1));
    Explanation why;
    Output output{.visible = result.visible, .explanation = &why};
    CullOptions culling{.isa = options.isa};
    if (parallel) culling.runner = parallel->runner();
    std::vector<double> seconds;
    for (int pass = 0; pass <= passes; ++pass) {
        if (pass == passes) output.inside = result.inside;  // not what is timed
        const Clock::time_point start = Clock::now();
        require(flat::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, culling));
        if (pass < passes) seconds.push_back(seconds_since(start));
    }
    result.seconds = median(seconds);
    result.counts = why.counts;
    return result;
}

Report flat_report(const FlatMeasurement& m) {
    Report statistics;
    for (const ReasonWords& words : reason_words) statistics[words.key] = m.counts[words.reason];
    return {{"scene", m.name},      {"objects", m.counts.objects()},   {"isa", isa_name(m.isa)},
            {"threads", m.threads}, {"milliseconds", 1e3 * m.seconds}, {"statistics", statistics}};
}

std::string flat_table(const FlatMeasurement& m) {
    const flat::TurnedRectangle& w = m.window;
    const auto objects = static_cast<double>(m.counts.objects());
    const auto row = [&](const char* name, std::uint64_t count) -> std::vector<std::string> {
        return {name, grouped(count), percent(static_cast<double>(count), objects)};
    };
    return fmt::format(
               "{}: {} boxes of the plane\nview: {:g} by {:g} around ({:g}, {:g}), turned by {:g} degrees\n"
               "{}, {}: {:.3f} ms a cull, {:.2f} ns a box\n\n",
               m.name, grouped(m.counts.objects()), 2 * w.half_x, 2 * w.half_y, w.x, w.y,
               std::atan2(w.axis_y, w.axis_x) * 180 / std::numbers::pi, isa_name(m.isa),
               counted(static_cast<std::uint64_t>(m.threads), "thread"), 1e3 * m.seconds, 1e9 * m.seconds / objects) +
           table({row("visible", m.counts.visible()), row("  wholly inside", population(m.inside)),
                  row("culled", m.counts.culled())});
}

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
    const std::uint64_t all = m.counts.objects(), whole = population(m.inside);
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
