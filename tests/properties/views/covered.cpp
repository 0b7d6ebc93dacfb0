#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/shadow.h>

#include "properties/scenes/walls.hpp"
#include "properties/views/casters.hpp"
#include "properties/views/filling.hpp"
#include "properties/views/lit.hpp"
#include "support/samples.hpp"
#include "support/written.hpp"

namespace properties {
namespace {

using lanecull::ShadowMap;
using lanecull::View;

constexpr lanecull::WorldBox everywhere = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};

/// A map of a slice of a camera, and the view of what it covers.
struct Map {
    ShadowMap map;
    double border = 0;
    View view;
    std::string text;
};

std::optional<Map> any_map(Random& random) {
    const Projection projection = random.chance(0.5) ? Projection::perspective : Projection::infinite;
    const Camera camera = random_camera(random, projection);
    const double near = camera.depth[0] * random.log_range(1, 10);
    const lanecull::Slice slice{camera.matrix, camera.clip_space, near, near * random.log_range(1.01, 100)};
    const Double3 toward = random_direction(random), up = random_direction(random);
    lanecull::DirectionalMapOptions options{{toward[0], toward[1], toward[2]}, {up[0], up[1], up[2]}};
    options.texels = 1u << (4 + random.below(9));
    options.is_tight = !random.chance(0.5);
    Map made;
    constexpr double borders[] = {0, 1, 2.5, 6};
    made.border = borders[random.below(4)];
    if (!lanecull::fit_directional_map(slice, everywhere, options, made.map)) return std::nullopt;
    if (!lanecull::prepare_covered(made.map, made.border, made.view)) return std::nullopt;
    made.text = "border " + std::to_string(made.border) + " texel" + written(std::array{made.map.texel_size}) +
                describe(made.map.sides);
    return made;
}

/// Between the sides, the border included: its width is a few units in the last place too large.
exact::Volume volume_of(const Map& made) {
    exact::HalfSpaces half_spaces;
    for (const lanecull::Plane& side : made.map.sides) {
        const double size = length({side.normal[0], side.normal[1], side.normal[2]}) * (1 + 0x1p-50);
        exact::HalfSpace h = half_space(side);
        h.offset -= exact::rational(made.border) * exact::rational(made.map.texel_size) * exact::rational(size);
        half_spaces.push_back(h);
    }
    return exact::Volume(half_spaces);
}

/// On one of the sides, the border left out, or on two; the way out is turned inward, so that objects touch from
/// inside.
Boundary::Spot spot_on_side(Random& random, const Map& made) {
    const auto normal = [&](std::size_t k) {
        const double* n = made.map.sides[k].normal;
        return Double3{n[0], n[1], n[2]};
    };
    const double away = made.border * made.map.texel_size;
    const Double3 axis[3] = {normal(0), normal(2), cross(normal(0), normal(2))};
    const std::size_t first = static_cast<std::size_t>(random.below(2));
    Boundary::Spot spot{{}, {}, axis[2]};
    for (std::size_t k = 0; k < 2; ++k) {
        const double low = away - made.map.sides[2 * k].offset, high = made.map.sides[2 * k + 1].offset - away;
        const bool on = k == first || random.chance(0.3), upper = random.chance(0.5);
        const double at = !on ? random.range(low, high) : upper ? high : low;
        spot.at = spot.at + at * axis[k];
        if (on) spot.outward = spot.outward + (upper ? -random.unit() : random.unit()) * axis[k];
    }
    spot.at = spot.at + random.range(-1, 1) * (length(spot.at) + 1) * axis[2];
    return spot;
}

Object any_object(Random& random, Kind kind, const HullSet& hulls, const Map& made, bool grown) {
    const Boundary::Spot spot = spot_on_side(random, made);
    const double width = made.map.sides[0].offset + made.map.sides[1].offset;
    const double size = std::fabs(width) * random.log_range(1e-4, 0.5);
    Object object = object_at(random, kind, spot.at, size, hulls);
    if (grown) grow(random, kind, hulls, {.margin = true, .sweep = true}, object);
    return touching(kind, object, hulls, spot, grazing(random, length(spot.at) + size));
}

std::vector<std::uint64_t> inside_words(const lanecull::Batch& batch, const View& view, lanecull::Isa isa) {
    std::vector<std::uint64_t> visible(lanecull::visibility_words({&batch, 1})), inside(visible.size());
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output{.visible = visible, .inside = inside};
    const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.isa = isa});
    if (!status) throw std::runtime_error(status.message());
    return inside;
}

}  // namespace

void covered(Trial& trial) {
    Random& random = trial.random;
    const std::optional<Map> made = any_map(random);
    trial.at(made ? Tally::trials : Tally::refused) = 1;
    if (!made) return;
    const exact::Volume volume = volume_of(*made);
    Walls walls(volume);
    Walls::Seen seen(walls, Double3{});
    const HullSet hulls = random_hulls(random, 4);
    const bool grown = random.chance(0.3);
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects;
        while (objects.size() < trial.plan.objects) {
            objects.push_back(any_object(random, kind, hulls, *made, grown));
        }
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind, objects, hulls, memory, {.streams = {.margin = grown, .sweep = grown}});
        std::vector<char> proved(objects.size(), 0);
        for (const lanecull::Isa isa : trial.plan.isas) {
            const std::vector<std::uint64_t> inside = inside_words(batch, made->view, isa);
            trial.answers.add_words(inside);
            trial.at(Tally::verdicts) += objects.size();
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if ((inside[i / 64] >> i % 64 & 1) == 0) continue;
                ++trial.at(Tally::culled_plane);
                const auto exactly = [&] { return exact_solid_of(kind, objects[i], hulls); };
                if (proved[i] != 0 || seen.inside(solid_of(kind, objects[i], hulls), exactly)) {
                    proved[i] = 1;
                    continue;
                }
                trial.fail(Tally::unproved, "not within the map's sides, yet called so",
                           [&] { return made->text + "\n  object " + ::describe(kind, objects[i], hulls); });
                if (trial.stopped()) return;
            }
        }
    }
    trial.at(Tally::exact_checks) = walls.exact_checks();
}

}  // namespace properties
