#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "oracle/exact_objects.hpp"
#include "properties/candidates.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

/// What is said to lie inside of a volume, of a camera or of a shadow map, does.
namespace properties {
namespace {

using lanecull::ShadowMap;
using lanecull::View;

/// In rationals, each object; and how many of those that lie inside are said to.
void check_inside(const Complaint& of, const Setting& setting) {
    const exact::HalfSpaces half_spaces(setting.volume.half_spaces().begin(), setting.volume.half_spaces().end());
    std::vector<bool> is_inside;
    for (const Object& object : of.objects) {
        is_inside.push_back(exact::contain(half_spaces, exact_solid_of(of.kind, object, of.hulls)));
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(of.kind, of.objects, of.hulls, memory,
                                             {.streams = {.margin = setting.grown, .sweep = setting.grown}});
    for (const lanecull::CullOptions& options : every_way(of.trial, all_methods)) {
        const CandidateAnswer answer(std::span(&batch, 1), setting.view, {}, options, false);
        of.trial.at(Tally::verdicts) += of.objects.size();
        of.trial.answers.all.add(answer.inside);
        for (std::size_t i = 0; i < of.objects.size(); ++i) {
            const bool is_said = has_bit(answer.inside, i);
            of.trial.at(Tally::culled_plane) += is_said;
            if (is_inside[i] && of.kind != Kind::hull) {
                ++of.trial.at(Tally::cases);
                of.trial.at(Tally::reached) += is_said;
            }
            if (!is_said || (is_inside[i] && has_bit(answer.visible, i))) continue;
            of(Tally::unproved, i, options, "called inside, and is not, or not visible");
        }
    }
}

void run_inside(const std::optional<Setting>& setting, Trial& trial) {
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    for (const Kind kind : all_kinds) {
        check_inside({trial, [&] { return setting->text; }, kind, setting->objects[static_cast<std::size_t>(kind)],
                      setting->hulls},
                     *setting);
        if (trial.stopped()) return;
    }
}

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

}  // namespace

void inside(Trial& trial) {
    Random& random = trial.random;
    const PreparedCamera prepared = random_prepared_camera(random);
    const Camera& camera = prepared.camera;
    std::optional<Setting> setting =
        setting_of(random, exact::Volume(exact_half_spaces_of(camera)), prepared.view, camera.describe());
    for (const Kind kind : all_kinds) {
        if (!setting) break;
        setting->objects.push_back(random_objects(random, kind, camera, trial.plan.objects / 4 + 1, setting->hulls));
    }
    run_inside(setting, trial);
}

void covered(Trial& trial) {
    Random& random = trial.random;
    std::optional<Setting> setting;
    if (const std::optional<Map> made = any_map(random)) {
        setting = setting_of(random, volume_of(*made), made->view, made->text);
    }
    if (setting) setting->grown = random.chance(0.3);
    // Half touch from inside, the way out turned inward; the others are anywhere between.
    const auto within = [](Random& r, const Setting& s, const Boundary& boundary, Kind kind) {
        Boundary::Spot spot = boundary.spot(r);
        spot.outward = -1 * spot.outward;
        if (r.chance(0.5)) {
            const Double3 at = spot.at + r.unit() * (boundary.corner(r) - spot.at);
            return object_at(r, kind, at, 0.2 * size_at(r, s, boundary, at), s.hulls);
        }
        return touching_at(r, s, boundary, kind, spot, [&](Object& object) {
            if (s.grown) grow(r, kind, s.hulls, {.margin = true, .sweep = true}, object);
        });
    };
    run_inside(fill(random, std::move(setting), trial.plan.objects / 4 + 1, within), trial);
}

}  // namespace properties
