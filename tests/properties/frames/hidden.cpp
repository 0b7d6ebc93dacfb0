#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "frame/reference.hpp"
#include "properties/family.hpp"

/// Frames whose pass chooses occluders by itself: what a view loses by them is hidden from the view's own eye or light.
/// The lines of sight are those of geometry, not of the library's viewpoints.
namespace properties {
namespace {

using namespace frame_tests;
using lanecull::CullPass;
using lanecull::SolidBox;

constexpr std::uint32_t objects_of_kind = 300;

/// Walls all about, of which a view sees some as large.
std::vector<SolidBox> random_walls(Random& random) {
    std::vector<SolidBox> walls(static_cast<std::size_t>(1 + random.below(200)));
    for (SolidBox& wall : walls) {
        for (std::size_t k = 0; k < 3; ++k) {
            const double middle = random.range(-120, 120), half = random.log_range(0.2, 40);
            wall.min[k] = static_cast<float>(middle - half), wall.max[k] = static_cast<float>(middle + half);
        }
    }
    return walls;
}

/// Whether the segment meets the box, which rounding may have moved by less than `doubt`.
bool meets(const SolidBox& box, const Double3& from, const Double3& to) {
    constexpr double doubt = 1e-4;
    double enters = 0, leaves = 1;
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = static_cast<double>(box.min[k]) - doubt, high = static_cast<double>(box.max[k]) + doubt;
        const double way = to[k] - from[k];
        if (way == 0) {
            if (from[k] < low || from[k] > high) return false;
            continue;
        }
        const double a = (low - from[k]) / way, b = (high - from[k]) / way;
        enters = std::max(enters, std::min(a, b)), leaves = std::min(leaves, std::max(a, b));
    }
    return enters <= leaves;
}

/// Where sight of a view begins, or the way to a light that is infinitely far.
struct Source {
    bool is_direction;
    Double3 at;

    [[nodiscard]] Double3 end_of(const Double3& point) const { return is_direction ? point + 10'000 * at : at; }
};

class HiddenTrial {
public:
    explicit HiddenTrial(Trial& trial)
        : trial_(trial), world_(objects_of_kind, trial.random.bits()), walls_(random_walls(trial.random)) {
        fill(made_, trial.random);
        for (int l = 0; l < 4; ++l) {
            const Double3 at = made_.looking[0].point(trial.random.range(-1, 1), trial.random.range(-1, 1), 30);
            made_.add_point_light(at, 80);
        }
    }

    void run() {
        trial_.at(Tally::trials) = 1;
        from_.solids.boxes = walls_;
        from_.max_occluders = static_cast<std::uint32_t>(trial_.random.below(65));
        PassFrame frame = made_.frame();
        lanecull::PassLimits limits = made_.limits();
        limits.solids = static_cast<std::uint32_t>(walls_.size());
        for (const lanecull::Isa isa : trial_.plan.isas) {
            for (const lanecull::Casters casters : {lanecull::Casters::volume, lanecull::Casters::frustum}) {
                if (trial_.stopped()) return;
                CullPass pass;
                require(pass.reserve(limits, world_.batches));
                FlatLists plain(world_, view_count(frame)), left(world_, view_count(frame));
                frame.occluders = nullptr;
                require(pass.run(frame, world_.batches, plain.outputs, casters, {.isa = isa}));
                frame.occluders = &from_;
                require(pass.run(frame, world_.batches, left.outputs, casters, {.isa = isa}));
                for (std::size_t v = 0; v < left.views.size(); ++v) check(pass, v, plain.views[v], left.views[v]);
            }
        }
    }

private:
    [[nodiscard]] Source source_of(const CullPass& pass, std::size_t v) const {
        if (v < made_.cameras.size()) return {false, made_.looking[v].eye};
        for (std::size_t c = 0; c < made_.cameras.size(); ++c) {
            if (v - pass.first_cascade_view(c) >= pass.cascades(c).size()) continue;
            const double* toward = made_.cameras[c].directional_light->directional_light.toward;
            return {true, {toward[0], toward[1], toward[2]}};
        }
        std::size_t l = made_.point_lights.size() - 1;
        while (pass.first_point_light_view(l) > v) --l;
        const double* at = made_.point_lights[l].at;
        return {false, {at[0], at[1], at[2]}};
    }

    /// Points of a ball's surface, or of the boxes of the second batch their corners.
    [[nodiscard]] std::vector<Double3> points_of(std::uint32_t batch, std::uint32_t i) const {
        std::vector<Double3> points;
        for (std::uint32_t n = 0; n < 16; ++n) {
            if (batch == 0) {
                const Double3 center = {double{world_.x[i]}, double{world_.y[i]}, double{world_.z[i]}};
                points.push_back(center + double{world_.half[i]} * random_direction(trial_.random));
            } else if (n < 8) {
                Double3 corner{};
                for (std::size_t k = 0; k < 3; ++k)
                    corner[k] = double{((n >> k & 1) != 0 ? world_.high : world_.low)[k][i]};
                points.push_back(corner);
            }
        }
        return points;
    }

    void check(const CullPass& pass, std::size_t v, const FlatLists::One& plain, const FlatLists::One& left) const {
        const auto chosen = pass.chosen_solids(v);
        const Source source = pass.view(v).prepared() ? source_of(pass, v) : Source{};
        trial_.answers.add_words(left.visible);
        for (std::uint32_t batch = 0; batch < 2; ++batch) {
            for (std::uint32_t i = 0; i < objects_of_kind; ++i) {
                const std::size_t bit = batch * world_.words_of_batch() * 64 + i;
                if (!has(plain.visible, bit)) continue;
                ++trial_.at(Tally::verdicts), ++trial_.at(Tally::cases);
                if (has(left.visible, bit)) continue;
                ++trial_.at(Tally::culled_occluded), ++trial_.at(Tally::reached);
                const std::vector<Double3> points = points_of(batch, i);
                const bool is_hidden = std::ranges::any_of(chosen, [&](std::uint32_t wall) {
                    return std::ranges::all_of(
                        points, [&](const Double3& p) { return meets(walls_[wall], p, source.end_of(p)); });
                });
                if (is_hidden) continue;
                trial_.fail(Tally::false_culls, "no chosen wall hides it", [&] {
                    return "view " + std::to_string(v) + ", batch " + std::to_string(batch) + ", object " +
                           std::to_string(i);
                });
            }
        }
    }

    Trial& trial_;
    World world_;
    std::vector<SolidBox> walls_;
    Made made_;
    lanecull::PassOccluders from_;
};

}  // namespace

void frames_hidden(Trial& trial) { HiddenTrial(trial).run(); }

}  // namespace properties
