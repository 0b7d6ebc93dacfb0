#include "sweep/sweep_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>
#include <span>
#include <vector>

#include "picture/heat_map.hpp"
#include "picture/picture.hpp"
#include "picture/picture_legend.hpp"
#include "picture/picture_volume.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

Bounds bounds_of(const Sweep& sweep) {
    Bounds bounds = main_bounds(sweep.scene);
    for (std::uint64_t v = 0; v < sweep.counts.size() && !sweep.plan.views.is_grid(); ++v) {
        bounds.add(sweep.plan.views.camera(v).eye);
    }
    return bounds;
}

HeatGrid grid_of(const ViewSet& views) {
    if (!views.is_grid()) return {};
    return {views.corner(), views.sides(), views.grid()};
}

/// The highest count of each viewpoint.
std::vector<std::uint64_t> highest_of_places(const Sweep& sweep) {
    const std::uint64_t directions = sweep.plan.views.directions();
    std::vector<std::uint64_t> highest;
    for (std::uint64_t first = 0; first < sweep.counts.size(); first += directions) {
        std::uint64_t most = 0;
        for (std::uint64_t d = 0; d < directions; ++d) most = std::max(most, sweep.count(sweep.ranked, first + d));
        highest.push_back(most);
    }
    return highest;
}

/// A disc at each viewpoint of a list, the highest counts on top.
void draw_discs(Image& image, const Sweep& sweep, const HeatMap& map) {
    std::vector<std::uint64_t> order(sweep.counts.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
        return sweep.count(sweep.ranked, a) < sweep.count(sweep.ranked, b);
    });
    const float radius = std::clamp(400 / std::sqrt(static_cast<float>(order.size())), 1.5F, 9.0F);
    for (const std::uint64_t view : order) {
        const glm::vec2 at = map.pixel(sweep.plan.views.camera(view).eye);
        if (radius > 3) image.disc(at, radius + 1, color(picture_color::ink));
        image.disc(at, radius, map.ink(view));
    }
}

/// A numbered disc at a camera, and its two sides.
void draw_pin(Image& image, const Camera& camera, const std::string& number, const HeatMap& map) {
    const glm::vec2 at = map.pixel(camera.eye);
    const std::array<glm::dvec3, 8> corners = camera.corners();
    for (const std::size_t side : {std::size_t{4}, std::size_t{5}}) {
        const glm::vec2 way = map.pixel(corners[side]) - at;
        if (!(glm::length(way) > 1)) continue;
        const glm::vec2 end = at + std::min(60.0F, glm::length(way)) * glm::normalize(way);
        image.line(at, end, 4.5F, color(picture_color::paper), 0.8F);
        image.line(at, end, 2.2F, color(picture_color::ink));
    }
    image.disc(at, 12, color(picture_color::paper));
    image.disc(at, 10.5F, color(picture_color::ink));
    const Font font{Font::Weight::bold};
    constexpr float height = 15;
    image.text(font, height, at + glm::vec2(-0.5F * font.width(height, number), 4.5F), number,
               color(picture_color::paper));
}

std::vector<std::uint64_t> visible_words(const Scene& scene, const Camera& camera, Method method, Isa isa) {
    const std::vector<Batch> batches = scene.batches();
    std::vector<std::uint64_t> bits(visibility_words(batches));
    std::vector<std::byte> scratch(scratch_bytes(batches, 1));
    Output output;
    output.visible = bits;
    const View view = camera.view();
    require(cull(batches, {&view, 1}, {&output, 1}, scratch, {.method = method, .isa = isa}));
    return bits;
}

}  // namespace

std::string draw_sweep_map(const Sweep& sweep) {
    const ViewSet& views = sweep.plan.views;
    const HeatMap map(sweep.scene, bounds_of(sweep), grid_of(views), highest_of_places(sweep));
    Image image = map.draw();
    if (!views.is_grid()) draw_discs(image, sweep, map);
    for (std::size_t k = sweep.worst.size(); k-- > 0;) {
        const Camera camera = views.camera(sweep.worst[k]).bounded(glm::length(sweep.scene.bounds().size()));
        draw_pin(image, camera, std::to_string(k + 1), map);
    }
    map.words(image, "lanecull sweep: " + sweep.scene.name,
              fmt::format("{}, {}", counted(sweep.counts.size(), "view"), views.is_grid() ? "grid" : "list"),
              sweep.worst.empty() ? "" : "the worst views, by number", sweep.ranked.phrase);
    return image.png();
}

std::string draw_worst_view(const Sweep& sweep) {
    const std::uint64_t view = sweep.worst.front();
    const Camera camera = sweep.plan.views.camera(view);
    const Isa isa = sweep.plan.isa;
    const std::vector<std::uint64_t> exact = visible_words(sweep.scene, camera, Method::automatic, isa);
    const std::vector<std::uint64_t> planes = visible_words(sweep.scene, camera, Method::planes, isa);
    return draw_picture({sweep.scene, camera, exact, planes, {}, {}, fmt::format("view {}", view)});
}

}  // namespace lanecull::program
