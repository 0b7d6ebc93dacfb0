#include "sweep/sweep_picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>
#include <span>
#include <vector>

#include "picture/heat.hpp"
#include "picture/picture.hpp"
#include "picture/picture_legend.hpp"
#include "picture/picture_volume.hpp"
#include "picture/plan.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"

namespace lanecull::program {
namespace {

using glm::dvec2;
using glm::dvec3;

constexpr unsigned background = 0xF8F8F6, roof = 0x3A4450, roof_on_paper = 0xB4B8BC;
constexpr float roof_opacity = 0.3F;

Bounds bounds_of(const Sweep& sweep) {
    Bounds bounds = main_bounds(sweep.scene);
    for (std::uint64_t v = 0; v < sweep.counts.size() && !sweep.plan.views.is_grid(); ++v) {
        bounds.add(sweep.plan.views.camera(v).eye);
    }
    return bounds;
}

class HeatMap {
public:
    explicit HeatMap(const Sweep& sweep)
        : sweep_(sweep), views_(sweep.plan.views), bounds_(bounds_of(sweep)), plan_(sweep.scene, bounds_) {
        plan_.show(bounds_.lower);
        plan_.show(bounds_.upper);
        above_ = plan_.projection();
        const std::uint64_t directions = views_.directions();
        for (std::uint64_t first = 0; first < sweep.counts.size(); first += directions) {
            std::uint64_t most = 0;
            for (std::uint64_t d = 0; d < directions; ++d) most = std::max(most, sweep.count(sweep.ranked, first + d));
            of_place_.push_back(most);
        }
        const auto [least, most] = std::minmax_element(of_place_.begin(), of_place_.end());
        least_ = *least, most_ = *most;
    }

    [[nodiscard]] Image draw() const {
        Image image = plan();
        if (!views_.is_grid()) discs(image);
        for (std::size_t k = sweep_.worst.size(); k-- > 0;) pin(image, k);
        words(image);
        return image;
    }

private:
    [[nodiscard]] glm::vec3 ink(std::uint64_t place) const {
        const std::uint64_t range = most_ - least_;
        return heat_color(range == 0 ? 1 : static_cast<double>(of_place_[place] - least_) / static_cast<double>(range));
    }

    /// The grid's colours, darker where objects are.
    [[nodiscard]] Image plan() const {
        Canvas canvas(above_);
        std::vector<Plan::Object> objects;
        for (std::uint32_t g = 0; g < sweep_.scene.groups.size(); ++g) {
            const Group& group = sweep_.scene.groups[g];
            for (std::uint32_t i = 0; !group.stand_in && i < object_count(group.arrays); ++i) {
                objects.push_back({g, i, {Material::culled, 0, 0}, 0.5F});
            }
        }
        plan_.draw(canvas, objects);
        Image image(Plan::size);
        const glm::vec3 dark = color(roof);
        for (int y = 0; y < Plan::size.y; ++y) {
            for (int x = 0; x < Plan::size.x; ++x) {
                image.at(x, y) = glm::mix(ground(glm::vec2(x, y) + 0.5F), dark, roof_opacity * covered(canvas, x, y));
            }
        }
        return image;
    }

    /// Which share of a pixel objects cover.
    [[nodiscard]] static float covered(const Canvas& canvas, int x, int y) {
        int count = 0;
        for (int j = 0; j < pixel_side; ++j) {
            for (int i = 0; i < pixel_side; ++i) {
                count += canvas.at(pixel_side * x + i, pixel_side * y + j).surface.material != Material::sky;
            }
        }
        return static_cast<float>(count) / float{pixel_side * pixel_side};
    }

    [[nodiscard]] glm::vec3 ground(const glm::vec2& pixel) const {
        if (!views_.is_grid()) return color(background);
        const dvec2 corner = plan_.plan(views_.corner());
        const glm::vec2 low = plan_.pixel(above_, corner);
        const glm::vec2 high = plan_.pixel(above_, corner + dvec2(glm::length(views_.sides()[0]) * views_.grid()[0],
                                                                  glm::length(views_.sides()[1]) * views_.grid()[1]));
        const glm::vec2 place = (pixel - low) / (high - low) * glm::vec2(views_.grid()[0], views_.grid()[1]);
        if (!(place.x >= 0 && place.y >= 0)) return color(background);
        const auto x = static_cast<std::uint64_t>(place.x), y = static_cast<std::uint64_t>(place.y);
        if (x >= views_.grid()[0] || y >= views_.grid()[1]) return color(background);
        return ink(x + views_.grid()[0] * y);
    }

    [[nodiscard]] glm::vec2 eye(std::uint64_t view) const {
        return plan_.pixel(above_, plan_.plan(views_.camera(view).eye));
    }

    /// Of a list, the highest counts on top.
    void discs(Image& image) const {
        std::vector<std::uint64_t> order(of_place_.size());
        std::iota(order.begin(), order.end(), std::uint64_t{0});
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return of_place_[a] < of_place_[b]; });
        const float radius = std::clamp(400 / std::sqrt(static_cast<float>(order.size())), 1.5F, 9.0F);
        for (const std::uint64_t view : order) {
            if (radius > 3) image.disc(eye(view), radius + 1, color(picture_color::ink));
            image.disc(eye(view), radius, ink(view));
        }
    }

    /// A numbered disc at one of the worst views, and its two sides.
    void pin(Image& image, std::size_t k) const {
        const Camera camera = views_.camera(sweep_.worst[k]);
        const glm::vec2 at = eye(sweep_.worst[k]);
        const std::array<dvec3, 8> corners = camera.corners();
        for (const std::size_t side : {std::size_t{4}, std::size_t{5}}) {
            const glm::vec2 way = plan_.pixel(above_, plan_.plan(corners[side])) - at;
            if (!(glm::length(way) > 1)) continue;
            const glm::vec2 end = at + std::min(60.0F, glm::length(way)) * glm::normalize(way);
            image.line(at, end, 4.5F, color(picture_color::paper), 0.8F);
            image.line(at, end, 2.2F, color(picture_color::ink));
        }
        image.disc(at, 12, color(picture_color::paper));
        image.disc(at, 10.5F, color(picture_color::ink));
        const std::string number = std::to_string(k + 1);
        const Font font{Font::Weight::bold};
        constexpr float height = 15;
        image.text(font, height, at + glm::vec2(-0.5F * font.width(height, number), 4.5F), number,
                   color(picture_color::paper));
    }

    void words(Image& image) const {
        Legend card(image, 262, 1);
        card.heading("lanecull sweep: " + sweep_.scene.name,
                     fmt::format("{}, {}", counted(sweep_.counts.size(), "view"), views_.is_grid() ? "grid" : "list"));
        card.line(roof_on_paper, "objects, seen from above");
        if (!sweep_.worst.empty()) card.line(picture_color::ink, "the worst views, by number");
        const Rectangle all = Legend::card(262, 1);
        draw_heat_bar(image, {{all.lower.x + 24, all.upper.y - 74}, {all.upper.x - 24, all.upper.y - 50}},
                      grouped(least_), fmt::format("{} {}", grouped(most_), sweep_.ranked.phrase));
    }

    const Sweep& sweep_;
    const ViewSet& views_;
    Bounds bounds_;
    Plan plan_;
    Projection above_;
    std::vector<std::uint64_t> of_place_;
    std::uint64_t least_ = 0, most_ = 0;
};

std::vector<std::uint64_t> visible_words(const Scene& scene, const Camera& camera, Method method, Isa isa) {
    const std::vector<Batch> batches = scene.batches();
    std::vector<std::uint64_t> bits(visibility_words(batches));
    std::vector<std::byte> scratch(scratch_bytes(batches, 1));
    ViewOutput output;
    output.visible = bits;
    const View view = camera.view();
    require(cull(batches, {&view, 1}, {&output, 1}, scratch, {.method = method, .isa = isa}));
    return bits;
}

}  // namespace

std::string draw_sweep_map(const Sweep& sweep) { return HeatMap(sweep).draw().png(); }

std::string draw_worst_view(const Sweep& sweep) {
    const std::uint64_t view = sweep.worst.front();
    const Camera camera = sweep.plan.views.camera(view);
    const Isa isa = sweep.plan.isa;
    const std::vector<std::uint64_t> exact = visible_words(sweep.scene, camera, Method::automatic, isa);
    const std::vector<std::uint64_t> planes = visible_words(sweep.scene, camera, Method::planes, isa);
    return draw_picture({sweep.scene, camera, exact, planes, {}, {}, fmt::format("view {}", view)});
}

}  // namespace lanecull::program
