#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/exact_objects.hpp"
#include "properties/family.hpp"
#include "properties/occluders/setting.hpp"
#include "properties/views/placing.hpp"

namespace properties {
namespace {

Camera any_camera(Random& random) {
    return random_camera(random, all_projections[random.below(std::size(all_projections))]);
}

/// To where rounding a place to floats matters.
void move_away(Random& random, double least, double most, Camera& camera) {
    camera.single = false;
    for (std::size_t k = 0; k < 3; ++k) {
        const double away = random.sign() * random.log_range(least, most);
        camera.clip_space.origin[k] += away;
        camera.eye[k] += away;
    }
}

/// The solids, make_solids(eye), that the library takes, and what they hide. None if it takes none.
template <class MakeSolids>
std::optional<HidingSetting> setting_of(Random& random, const Camera& camera, std::optional<TestViewpoint> from,
                                        const MakeSolids& make_solids) {
    HidingSetting setting;
    if (!from) return std::nullopt;
    const std::vector<TestSolid> solids = make_solids(from->eye);
    setting.view = view_of_all();
    if (random.chance(0.5) && !camera.prepare(setting.view)) return std::nullopt;
    setting.text = from->text;
    for (const TestSolid& solid : solids) {
        lanecull::Occluder occluder;
        if (solid.prepare(from->viewpoint, occluder) != lanecull::OccluderRefusal::none) continue;
        const std::optional<exact::HalfSpaces> hidden = hidden_by(solid.facets, from->sight);
        // An eye inside hides everything, if it is not refused: then the oracle fails.
        setting.hidden.push_back(hidden ? *hidden : exact::HalfSpaces{exact::half_space(0, 0, 0, -1)});
        const std::optional<exact::HalfSpaces> well = solid.left ? hidden_by(*solid.left, from->sight) : std::nullopt;
        setting.well_hidden.push_back(well ? *well : setting.hidden.back());
        setting.occluders.push_back(occluder);
        setting.solids.push_back(solid);
        setting.text += "\n  " + solid.text;
    }
    if (setting.occluders.empty()) return std::nullopt;
    setting.from = std::move(*from);
    setting.hulls = random_hulls(random, 4);
    return setting;
}

/// Objects that touch what a solid hides, from inside or outside, or lie well in it.
class Hiding {
public:
    /// The boundaries are those that the library found: they are as few as can be, and no proof depends on them.
    explicit Hiding(const HidingSetting& setting) : setting_(setting) {
        for (const lanecull::Occluder& occluder : setting.occluders) {
            const lanecull::PreparedOccluder& found = contents_of(occluder);
            exact::HalfSpaces half_spaces;
            for (std::uint32_t k = 0; k < found.count; ++k) {
                const float* n = found.normal[k];
                exact::HalfSpace f = exact::half_space(n[0], n[1], n[2], found.offset[k]);
                f.offset -= dot(f.normal, exact::point(found.origin[0], found.origin[1], found.origin[2]));
                half_spaces.push_back(f);
            }
            // Far from the origin, half-spaces that are rounded inward may have no point in common.
            const exact::Volume volume(half_spaces);
            if (!volume.points().empty()) boundaries_.emplace_back(volume);
        }
    }
    [[nodiscard]] bool any() const { return !boundaries_.empty(); }

    [[nodiscard]] Object object(Random& random, Kind kind) const {
        const Boundary& boundary = boundaries_[random.bits() % boundaries_.size()];
        Boundary::Spot spot = boundary.spot(random);
        const double away = length(spot.at - setting_.from.eye);
        const double size = (random.chance(0.5) ? boundary.size() : away) * random.log_range(1e-5, 0.3);
        Object object = object_at(random, kind, spot.at, size, setting_.hulls);
        if (setting_.grown) grow(random, kind, setting_.hulls, {.margin = true, .sweep = true}, object);
        if (random.chance(0.75)) spot.outward = -1 * spot.outward;
        const double off = random.chance(0.3) ? size * random.log_range(1e-3, 3)
                                              : grazing(random, away + size) * (random.chance(0.3) ? 64 : 1);
        return touching(kind, object, setting_.hulls, spot, off);
    }

    /// Objects side by side, moved together until the box around them touches what a solid hides, from inside or
    /// nearly.
    [[nodiscard]] std::vector<Object> cluster(Random& random, Kind kind, std::size_t count) const {
        const Boundary::Spot spot = boundaries_[random.bits() % boundaries_.size()].spot(random);
        const double away = length(spot.at - setting_.from.eye), spread = away * random.log_range(1e-6, 1e-2);
        std::vector<Object> objects;
        Double3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -1 * low;
        while (objects.size() < count) {
            const Double3 at = spot.at + spread * random.unit() * random_direction(random);
            Object& object =
                objects.emplace_back(object_at(random, kind, at, spread * random.log_range(1e-3, 0.1), setting_.hulls));
            if (random.chance(0.02)) object.flags = lanecull::object_disabled;
            if (random.chance(0.002)) object.flags = lanecull::object_always_visible;
            for (std::size_t k = 0; k < 3; ++k) {
                Double3 axis{};
                axis[k] = 1;
                high[k] = std::max(high[k], support(kind, object, setting_.hulls, axis)[k]);
                low[k] = std::min(low[k], support(kind, object, setting_.hulls, -1 * axis)[k]);
            }
        }
        double farthest = 0;  // of the box's corners, outward
        for (std::size_t k = 0; k < 3; ++k) farthest += std::max(spot.outward[k] * low[k], spot.outward[k] * high[k]);
        const double off = std::fabs(grazing(random, away)) * (random.chance(0.5) ? 16 : 1);
        const double by = dot(spot.outward, spot.at) - off - farthest;
        for (Object& object : objects) object = moved(kind, object, by * spot.outward);
        return objects;
    }

private:
    const HidingSetting& setting_;
    std::vector<Boundary> boundaries_;
};

/// Objects of each kind, as make(kind, how many are missing) makes them, a few at a time.
template <class Make>
void fill(HidingSetting& setting, std::size_t count, const Make& make) {
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = setting.objects.emplace_back();
        while (objects.size() < count) {
            const std::vector<Object> more = make(kind, count - objects.size());
            objects.insert(objects.end(), more.begin(), more.end());
        }
    }
}

/// Objects about what the solids hide.
template <class MakeSolids>
std::optional<HidingSetting> hiding_setting(Random& random, const Camera& camera, std::optional<TestViewpoint> from,
                                            std::size_t count, const MakeSolids& make_solids) {
    std::optional<HidingSetting> setting = setting_of(random, camera, std::move(from), make_solids);
    if (!setting) return setting;
    setting->grown = random.chance(0.2);
    const Hiding hiding(*setting);
    if (!hiding.any()) return std::nullopt;
    fill(*setting, count, [&](Kind kind, std::size_t) {
        Object object = hiding.object(random, kind);
        if (random.chance(0.1)) object.flags = lanecull::object_disabled;
        if (random.chance(0.01)) object.flags = lanecull::object_always_visible;
        return std::vector{object};
    });
    return setting;
}

/// Among solids of all forms, or of one.
std::optional<HidingSetting> among(Random& random, const Camera& camera, std::optional<TestViewpoint> from,
                                   std::size_t count, int most = 5, std::optional<SolidForm> form = {}) {
    return hiding_setting(random, camera, std::move(from), count, [&](const Double3& eye) {
        return random_solids(random, camera, eye, 1 + static_cast<std::size_t>(random.below(most)), form);
    });
}

// The families.

std::optional<HidingSetting> hidden(Random& random, std::size_t count) {
    const Camera camera = any_camera(random);
    return among(random, camera, viewpoint_of(camera), count);
}

std::optional<HidingSetting> hidden_from_cells(Random& random, std::size_t count) {
    const Camera camera = any_camera(random);
    return among(random, camera, cell_about(random, camera, camera.depth[0] * random.log_range(1e-6, 30)), count);
}

std::optional<HidingSetting> hidden_far_away(Random& random, std::size_t count) {
    Camera camera = any_camera(random);
    move_away(random, 1e4, 1e7, camera);
    return among(random, camera, viewpoint_of(camera), count);
}

/// Solids as wide as they are far, and wider, seen along their facets.
std::optional<HidingSetting> hidden_by_walls(Random& random, std::size_t count) {
    const Camera camera = any_camera(random);
    return hiding_setting(random, camera, viewpoint_of(camera), count, [&](const Double3& eye) {
        std::vector<TestSolid> solids;
        for (int n = 1 + random.below(3); n > 0; --n) {
            const double away = camera.size_at(camera.depth[0]) * random.log_range(1, 1e4);
            solids.push_back(random_solid(random, random_form(random), camera.eye + away * random_direction(random),
                                          std::fabs(away) * random.log_range(1, 1e3), eye));
        }
        return solids;
    });
}

/// Hulls by their vertices, and boxes under transforms.
std::optional<HidingSetting> hidden_by_placed(Random& random, std::size_t count) {
    Camera camera = any_camera(random);
    const SolidForm form = random.chance(0.4)   ? SolidForm::placed
                           : random.chance(0.3) ? SolidForm::hull
                                                : SolidForm::spoilt_hull;
    if (form == SolidForm::placed || random.chance(0.5)) move_away(random, 1e2, 1e6, camera);
    const bool by_cell = random.chance(0.3);
    auto from =
        by_cell ? cell_about(random, camera, camera.depth[0] * random.log_range(1e-3, 30)) : viewpoint_of(camera);
    return among(random, camera, std::move(from), count, 3, form);
}

/// Clusters that one block of a scene holds each. The box around a cluster touches what a solid hides.
std::optional<HidingSetting> hidden_scenes(Random& random, std::size_t count) {
    const Camera camera = any_camera(random);
    std::optional<HidingSetting> setting = setting_of(random, camera, viewpoint_of(camera), [&](const Double3& eye) {
        return random_solids(random, camera, eye, 3);
    });
    if (!setting) return setting;
    setting->view = view_of_all();  // blocks that other planes cross are tested with their neighbours
    setting->cluster = 128;
    const Hiding hiding(*setting);
    if (!hiding.any()) return std::nullopt;
    fill(*setting, count, [&](Kind kind, std::size_t missing) {
        return hiding.cluster(random, kind, std::min(setting->cluster, missing));
    });
    return setting;
}

/// Objects anywhere behind solids of one form, each decided exactly. What is hidden with 2^-14 of the coordinates to
/// spare is culled.
std::optional<HidingSetting> hidden_behind(Random& random, std::size_t count) {
    const Camera camera = any_camera(random);
    auto from = random.chance(0.2) ? cell_about(random, camera, 3 * std::fabs(camera.depth[0])) : viewpoint_of(camera);
    const SolidForm form = all_forms[random.below(std::size(all_forms))];
    std::optional<HidingSetting> setting = setting_of(random, camera, std::move(from), [&](const Double3& eye) {
        return random_solids(random, camera, eye, 6, form);
    });
    if (!setting) return setting;
    setting->view = view_of_all();
    setting->grown = true;
    setting->ask_all = true;
    fill(*setting, std::max<std::size_t>(count / 12, 1), [&](Kind kind, std::size_t) {
        const TestSolid& solid = setting->solids[random.bits() % setting->solids.size()];
        const Double3 at = place_behind(random, solid.drawn, setting->from.eye);
        const double size = length(at - setting->from.eye) * random.log_range(1e-5, 0.05);
        Object object = object_at(random, kind, at, size, setting->hulls);
        if (random.chance(0.2)) grow(random, kind, setting->hulls, {.margin = true, .sweep = true}, object);
        return std::vector{object};
    });
    return setting;
}

/// Of any solids, those that can hide; of any objects, those that are hidden.
constexpr Rate any_rates[] = {{Tally::reached, Tally::cases, 0.05, 0.9, 100},
                              {Tally::culled_occluded, Tally::verdicts, 0.001}};
/// Of solids, those that are chosen.
constexpr Rate choice_rates[] = {{Tally::reached, Tally::cases, 0.005, 0.5}};
constexpr Rate behind_rates[] = {{Tally::kept_14, Tally::apart_14, 0, 0.001},
                                 {Tally::apart_14, Tally::oracle_objects, 0.1},
                                 {Tally::oracle_visible, Tally::oracle_objects, 0.1}};
/// Of clusters, those of which a block is hidden whole.
constexpr Rate scene_rates[] = {{Tally::reached, Tally::cases, 0.1}};
/// Of capsules and cylinders, those that are not refused. Of hulls, those that can hide; of points that are well
/// hidden, those that are kept: cylinders and ellipsoids around 1e-18, whose squares underflow (lanes/oval.hpp,
/// least_square).
constexpr Rate capsule_rates[] = {{Tally::reached, Tally::cases, 0.7, 1, 300}};
constexpr Rate cylinder_rates[] = {{Tally::reached, Tally::cases, 0.4, 0.9, 300}};
constexpr Rate inscribed_rates[] = {{Tally::reached, Tally::cases, 0.97, 1, 100},
                                    {Tally::kept_14, Tally::apart_14, 0, 0.01, 300},
                                    {Tally::culled_occluded, Tally::verdicts, 0.1, 0.9}};

template <auto make>
constexpr Family hiding(const char* name, std::span<const Rate> rates = {}) {
    Family family = family_of<make>(name, "occluders");
    family.rates = rates;
    return family;
}

constexpr Family all_families[] = {
    hiding<hidden>("hidden"),
    hiding<hidden_from_cells>("hidden_from_cells"),
    hiding<hidden_far_away>("hidden_far_away"),
    hiding<hidden_by_walls>("hidden_by_walls"),
    hiding<hidden_by_placed>("hidden_by_placed"),
    hiding<hidden_scenes>("hidden_scenes", scene_rates),
    hiding<hidden_behind>("hidden_behind", behind_rates),
    {"hidden_any", "occluders", run_cases<hide_any>, any_rates, true},
    {"chosen_any", "occluders", run_cases<choose_any>, choice_rates, true},
    {"inscribed", "occluders", run_cases<hide_by_inscribed>, inscribed_rates},
    {"inscribed_capsules", "occluders", run_cases<inscribe_capsules>, capsule_rates},
    {"inscribed_cylinders", "occluders", run_cases<inscribe_cylinders>, cylinder_rates},
};

}  // namespace

std::span<const Family> occluder_families() { return all_families; }

}  // namespace properties
