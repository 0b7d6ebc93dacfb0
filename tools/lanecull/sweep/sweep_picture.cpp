
#include <cmath>

#include "picture/plan.hpp"
#include "picture/volume.hpp"
#include "support/text.hpp"
#include "sweep/sweep.hpp"

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
    std::vector<std::uint64_t> highest(sweep.counts.size() / directions);
    for (std::uint64_t view = 0; view < sweep.counts.size(); ++view) {
        std::uint64_t& most = highest[view / directions];
        most = std::max(most, sweep.count(sweep.ranked, view));
    }
    return highest;
}

/// A disc at each viewpoint of a list, the highest counts on top.
void draw_discs(Image& image, const Sweep& sweep, const HeatMap& map) {
    std::vector<std::uint64_t> order(sweep.counts.size());
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    std::ranges::stable_sort(order, {}, [&](std::uint64_t view) { return sweep.count(sweep.ranked, view); });
    const float radius = std::clamp(400 / std::sqrt(static_cast<float>(order.size())), 1.5F, 9.0F);
    for (const std::uint64_t view : order) {
        const glm::vec2 at = map.plan().pixel(sweep.plan.views.camera(view).eye);
        if (radius > 3) image.disc(at, radius + 1, picture_color::ink);
        image.disc(at, radius, map.ink(view));
    }
}

/// A numbered disc at a camera, and its two sides.
void draw_pin(Image& image, const Camera& camera, const std::string& number, const Plan& plan) {
    const glm::vec2 at = plan.pixel(camera.eye);
    const std::array<glm::dvec3, 8> corners = camera.corners();
    for (const std::size_t side : {std::size_t{4}, std::size_t{5}}) {
        const glm::vec2 way = plan.pixel(corners[side]) - at;
        if (!(glm::length(way) > 1)) continue;
        image.rimmed_line({at, at + std::min(60.0F, glm::length(way)) * glm::normalize(way)}, 2.2F, picture_color::ink);
    }
    image.disc(at, 12, picture_color::paper);
    image.disc(at, 10.5F, picture_color::ink);
    const float width = image.width(15, number, Image::Weight::bold);
    image.text(15, at + glm::vec2(-0.5F * width, 4.5F), number, picture_color::paper, Image::Weight::bold);
}

}  // namespace

std::string draw_sweep_map(const Sweep& sweep) {
    const ViewSet& views = sweep.plan.views;
    const HeatMap map(sweep.scene, bounds_of(sweep), grid_of(views), highest_of_places(sweep));
    Image image = map.draw();
    if (!views.is_grid()) draw_discs(image, sweep, map);
    for (std::size_t k = sweep.worst.size(); k-- > 0;) {
        const Camera camera = views.camera(sweep.worst[k]).bounded(glm::length(sweep.scene.bounds().size()));
        draw_pin(image, camera, std::to_string(k + 1), map.plan());
    }
    map.legend("lanecull sweep: " + sweep.scene.name,
               fmt::format("{}, {}", counted(sweep.counts.size(), "view"), views.is_grid() ? "grid" : "list"),
               sweep.worst.empty() ? "" : "the worst views, by number", sweep.ranked.phrase)
        .draw(image);
    return std::move(image).file();
}

}  // namespace lanecull::program
