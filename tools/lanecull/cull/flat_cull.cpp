#include "cull/flat_cull.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <lanecull/tbb.hpp>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <utility>

#include "cull/reasons.hpp"
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
        const auto start = std::chrono::steady_clock::now();
        require(flat::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, culling));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (pass < passes) seconds.push_back(took.count());
    }
    std::ranges::nth_element(seconds, seconds.begin() + passes / 2);
    result.seconds = seconds[passes / 2];
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
    std::uint64_t inside = 0;
    for (const std::uint64_t word : m.inside) inside += static_cast<std::uint64_t>(std::popcount(word));
    return fmt::format(
               "{}: {} boxes of the plane\nview: {:g} by {:g} around ({:g}, {:g}), turned by {:g} degrees\n"
               "{}, {}: {:.3f} ms a cull, {:.2f} ns a box\n\n",
               m.name, grouped(m.counts.objects()), 2 * w.half_x, 2 * w.half_y, w.x, w.y,
               std::atan2(w.axis_y, w.axis_x) * 180 / std::numbers::pi, isa_name(m.isa),
               counted(static_cast<std::uint64_t>(m.threads), "thread"), 1e3 * m.seconds, 1e9 * m.seconds / objects) +
           table(
               {row("visible", m.counts.visible()), row("  wholly inside", inside), row("culled", m.counts.culled())});
}

}  // namespace lanecull::program
