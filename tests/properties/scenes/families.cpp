#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "properties/candidates.hpp"
#include "properties/family.hpp"
#include "properties/scenes/scenes.hpp"
#include "properties/views/setting.hpp"
#include "support/culling.hpp"

/// Families of scenes. The views, and objects that touch them, are those of the families of views.

namespace properties {
namespace {

using lanecull::Method;
using lanecull::Mobility;
using lanecull::Refit;
using lanecull::View;
using How = Shadow::How;

/// Objects of each kind in a scene. A few blocks, and enough that large objects get a store of their own.
constexpr std::size_t objects_of_a_kind = 600;

const std::vector<Object>& objects_of(const Setting& setting, Kind kind) {
    return setting.objects[static_cast<std::size_t>(kind)];
}

How any_how(Random& random, bool grown) {
    return {.streams = {.margin = grown, .sweep = grown},
            .bounds = random.chance(0.5),
            .mobility = random.chance(0.5) ? Mobility::fixed : Mobility::moving};
}

template <class Make>
void with_setting(Trial& trial, std::size_t objects, const Make& make) {
    const std::optional<Setting> setting = any_setting(trial.random, objects);
    if (!setting) {
        trial.at(Tally::refused) = 1;
        return;
    }
    trial.at(Tally::trials) = 1;
    make(*setting, sight_of(*setting));
}

/// Adds objects at once, or a part of them later.
void add(Random& random, Shadow& shadow, Kind kind, std::span<const Object> objects, const How& how) {
    const std::size_t first = random.chance(0.5) ? objects.size() : random.bits() % (objects.size() + 1);
    shadow.add(kind, objects.first(first), how);
    if (first < objects.size()) shadow.add(kind, objects.subspan(first), how);
    shadow.refit(random.chance(0.5) ? Refit::tight : Refit::grown);
}

/// Some scenes have objects far away, in blocks that are outside, and invalid ones among them, few or many.
Shadow scene_of(Random& random, const Setting& setting) {
    Shadow shadow(setting.hulls);
    const std::size_t most = random.chance(0.5) ? objects_of_a_kind : 100;
    const double far = random.chance(0.2) ? 0.5 : 0, spoilt_ones = random.chance(0.3) ? random.log_range(0.02, 1) : 0;
    for (const Kind kind : all_kinds) {
        const How how = any_how(random, setting.grown);
        std::vector<Object> objects = objects_of(setting, kind);
        objects.resize(std::min(most, objects.size()));
        for (Object& object : objects) {
            if (random.chance(far)) object = moved(kind, object, 1e6 * random_direction(random));
            if (random.chance(spoilt_ones)) object = spoilt(random, kind, object, how.streams);
        }
        add(random, shadow, kind, objects, how);
    }
    return shadow;
}

/// The same objects relative to origins of their own, a few to an origin.
void scenes_origins(Trial& trial) {
    with_setting(trial, 64, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        Shadow shadow(setting.hulls);
        for (const Kind kind : all_kinds) {
            const std::vector<Object>& objects = objects_of(setting, kind);
            for (std::size_t first = 0; first < objects.size();) {
                const std::size_t count = random.chance(0.5) ? 1 : 1 + random.bits() % 48;
                const Relative anchor = relative(random, kind, objects[first]);
                std::vector<Object> moved_objects;
                for (const Object& object : std::span(objects).subspan(first, std::min(count, objects.size() - first)))
                    moved_objects.push_back(moved(kind, object, Double3{} - anchor.origin));
                How how = any_how(random, setting.grown);
                how.origin = anchor.origin;
                shadow.add(kind, moved_objects, how);
                first += moved_objects.size();
            }
        }
        shadow.refit(Refit::tight);
        check_scene(shadow, sight, trial);
    });
}

/// Blocks whose boxes touch the volume from outside or from inside, or nearly.
void scenes_touching(Trial& trial) {
    with_setting(trial, 0, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        const Boundary boundary(setting.volume);
        for (const Kind kind : all_kinds) {
            Shadow shadow(setting.hulls);
            Boundary::Spot spot = boundary.spot(random);
            if (random.chance(0.5)) spot.outward = -1 * spot.outward;
            const double size = boundary.size() * random.log_range(1e-6, 1);
            const double off = random.sign() * (length(spot.at) + size) * random.log_range(0x1p-26, 0x1p-12);
            const std::vector<Object> objects = cluster(random, kind, setting.hulls, spot, size, off, 128);
            shadow.add(kind, objects, any_how(random, false));
            shadow.refit(Refit::tight);
            check_scene(shadow, sight, trial);
            if (trial.stopped()) return;
        }
    });
}

/// Adds three clusters of each kind within the volume, at a facet, edge or corner.
void add_inside(Random& random, const Setting& setting, Shadow& shadow) {
    const Boundary boundary(setting.volume);
    for (const Kind kind : all_kinds) {
        for (int n = 0; n < 3; ++n) {
            Boundary::Spot spot = boundary.spot(random);
            spot.outward = -1 * spot.outward;
            const double size = boundary.size() * random.log_range(1e-6, 0.1);
            const double off = (length(spot.at) + size) * random.log_range(0x1p-26, 0x1p-12);
            shadow.add(kind, cluster(random, kind, setting.hulls, spot, size, off, 128), any_how(random, false));
        }
    }
    shadow.refit(Refit::tight);
}

/// Numbers of extreme size, split between factors, within blocks of ordinary objects.
void scenes_extreme(Trial& trial) {
    std::optional<Setting> setting = any_setting(trial.random, 128);
    if (!setting) {
        trial.at(Tally::refused) = 1;
        return;
    }
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const int exponent = random.below(180) - 90;
    for (Vertices& vertices : setting->hulls) {
        for (auto& vertex : vertices) {
            for (float& coordinate : vertex) coordinate = std::ldexp(coordinate, exponent);
        }
    }
    for (const Kind kind : all_kinds) {
        for (Object& object : setting->objects[static_cast<std::size_t>(kind)]) {
            for (std::size_t k = 0; has_transform(kind) && k < 12; ++k) {
                if (k % 4 != 3) object.fields[k] = std::ldexp(object.fields[k], -exponent);
            }
            for (std::size_t k = 12; kind == Kind::box_instance && k < 18; ++k) {
                object.fields[k] = std::ldexp(object.fields[k], exponent);
            }
            if (random.chance(0.5)) object = extreme(random, kind, object);
        }
    }
    check_scene(scene_of(random, *setting), sight_of(*setting), trial);
}

/// Edits whose new objects are those of the setting. With `all_attributes` each may give some of all attributes that
/// the setting's objects have.
Editing editing_of(Random& random, const Setting& setting, Shadow& shadow, bool all_attributes = false) {
    const auto how = [&random, &setting, all_attributes] {
        How one = any_how(random, setting.grown);
        one.streams.flags = random.chance(0.2);
        for (bool Streams::*has : {&Streams::margin, &Streams::sweep, &Streams::layers, &Streams::max_distance,
                                   &Streams::min_projected_size, &Streams::min_distance}) {
            if (all_attributes) one.streams.*has = random.chance(0.25);
        }
        return one;
    };
    const auto make = [&random, &setting](Kind kind, std::size_t count) {
        const std::vector<Object>& objects = objects_of(setting, kind);
        std::vector<Object> result;
        while (result.size() < count) {
            result.push_back(objects[random.bits() % objects.size()]);
            if (random.chance(0.02)) result.back() = spoilt(random, kind, result.back(), {});
            if (random.chance(0.1)) result.back().flags = static_cast<std::uint32_t>(random.below(4));
        }
        return result;
    };
    return {random, shadow, make, how};
}

/// Three rounds of edits between culls. Some scenes have blocks that are inside, and some culls test some of the
/// objects.
void scenes(Trial& trial) {
    with_setting(trial, objects_of_a_kind, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        Shadow shadow = scene_of(random, setting);
        if (random.chance(0.5)) add_inside(random, setting, shadow);
        Editing editing = editing_of(random, setting, shadow);
        for (int frame = 0; frame < 4 && !trial.stopped(); ++frame) {
            for (int edit = frame == 0 ? 0 : 1 + random.below(6); edit-- > 0;) editing.edit();
            editing.finish();
            std::vector<std::uint64_t> candidates;
            if (random.chance(0.5)) candidates = any_candidates(random, lanecull::visibility_words(shadow.scene()));
            check_scene(shadow, sight, trial, candidates);
        }
    });
}

/// Objects all over a place some times as large as the view; more in its middle, and some where it is hard.
class Surroundings {
public:
    explicit Surroundings(Random& random, const exact::Volume& volume) : random_(random), boundary_(volume) {
        for (int n = 0; n < 4; ++n) middle_ = middle_ + 0.25 * boundary_.corner(random);
    }

    [[nodiscard]] Object object(Kind kind, const HullSet& hulls, const Streams& streams) const {
        const auto within = [&](double around, double smallest, double largest) {
            Double3 at = middle_;
            for (double& coordinate : at) coordinate += around * boundary_.size() * random_.range(-1, 1);
            return object_at(random_, kind, at, boundary_.size() * random_.log_range(smallest, largest), hulls);
        };
        if (random_.chance(0.02)) {
            const double size = boundary_.size() * random_.log_range(1e-6, 1e-2);
            return object_at(random_, kind, boundary_.spot(random_).at, size, hulls);
        }
        if (random_.chance(0.002)) return within(2, 1, 100);
        const Object object = random_.chance(0.3) ? within(0.1, 1e-5, 1e-3) : within(2, 1e-4, 1e-2);
        return random_.chance(0.001) ? spoilt(random_, kind, object, streams) : object;
    }

    [[nodiscard]] double size() const { return boundary_.size(); }

private:
    Random& random_;
    Boundary boundary_;
    Double3 middle_{};
};

PreparedCamera any_camera(Random& random) {
    return random_prepared_camera(random, all_projections[random.below(static_cast<int>(std::size(all_projections)))]);
}

/// A camera that sees some layers.
Setting layered_camera(Random& random, PreparedCamera prepared) {
    const Camera& camera = prepared.camera;
    lanecull::ViewOptions options;
    if (random.chance(0.3)) options.hidden_layers = random.chance(0.5) ? ~0u : ~5u;
    if (random.chance(0.3)) options.margin = 0.01 * camera.size_at(camera.depth[0]);
    if (const lanecull::Status status = camera.prepare(prepared.view, options); !status)
        throw std::runtime_error(status.message());
    return {.volume = exact::Volume(exact_half_spaces_of(camera)),
            .view = prepared.view,
            .text = camera.describe(),
            .hulls = random_hulls(random, 5),
            .objects = {},
            .reach = {}};
}

/// All attributes of a few objects, margins and sweeps of all.
void give_attributes(Random& random, Kind kind, const HullSet& hulls, const Streams& streams, Object& object) {
    grow(random, kind, hulls, streams, object);
    if (!random.chance(0.01)) return;
    mark(random, object);
    object.max_distance = static_cast<float>(random.log_range(0.01, 1e6));
    object.min_projected_size = static_cast<float>(random.log_range(1e-5, 0.1));
    object.min_distance = object.max_distance / 16;
}

/// Whether no point of the solid is in the view's volume, or lit by what it is lit by.
bool is_apart(const Setting& setting, const exact::Solid& solid) {
    return (setting.reach && setting.reach->excludes(solid)) ||
           decide(solid, setting.volume).verdict == exact::Verdict::apart;
}

/// Scenes of one kind, seen by a camera or any other view: both bits of every object are those of the flat batch.
void scenes_flat(Trial& trial) {
    Random& random = trial.random;
    for (const Kind kind : all_kinds) {
        const bool is_camera = random.chance(0.5);
        const std::optional<Setting> setting =
            is_camera ? layered_camera(random, any_camera(random)) : any_setting(random, 0);
        if (!setting) continue;
        trial.at(Tally::trials) = 1;
        const Surroundings around(random, setting->volume);
        Streams streams;
        if (random.chance(0.4)) {
            streams = {.margin = random.chance(0.5), .sweep = random.chance(0.5), .flags = random.chance(0.5)};
            streams.layers = random.chance(0.3);
            streams.max_distance = streams.min_projected_size = streams.min_distance = is_camera && streams.layers;
        }
        std::vector<Object> objects(static_cast<std::size_t>(
            random.log_range(300, std::max(301.0, 25 * static_cast<double>(trial.plan.objects)))));
        for (Object& object : objects) {
            object = around.object(kind, setting->hulls, streams);
            if (streams.margin || streams.sweep || streams.flags || streams.layers)
                give_attributes(random, kind, setting->hulls, streams, object);
        }
        Shadow shadow(setting->hulls);
        shadow.add(kind, objects,
                   {.streams = streams, .mobility = random.chance(0.5) ? Mobility::fixed : Mobility::moving});
        // By numbers so small that products underflow a batch may keep what its block is apart by.
        const auto may_differ = [&](const Shadow::There& there, Method, Difference difference) {
            return difference == Difference::culled && !is_none(there.kind, there.object) &&
                   is_apart(*setting, exact_solid_of(there.kind, there.object, shadow.hulls()));
        };
        check_flat(shadow, setting->view, streams, all_methods, trial, is_camera ? MayDiffer() : may_differ);
        if (trial.stopped()) return;
    }
}

/// Many frames of edits between culls: verdicts are those of flat batches of the objects that the scene should have,
/// and edits take no more memory with every frame.
void scenes_soak(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    PreparedCamera prepared = any_camera(random);
    Setting world = layered_camera(random, prepared);
    const Surroundings around(random, world.volume);
    Shadow shadow(world.hulls);
    for (const Kind kind : all_kinds) {
        std::vector<Object>& objects = world.objects.emplace_back(trial.plan.objects);
        for (Object& object : objects) {
            object = around.object(kind, world.hulls, {});
            give_attributes(random, kind, world.hulls, Streams::all(), object);
        }
        add(random, shadow, kind, std::span(objects).first(objects.size() / 2), any_how(random, false));
    }
    Editing editing = editing_of(random, world, shadow, true);
    constexpr Method methods[] = {Method::automatic};
    std::uint64_t moved = 0;
    for (int frame = 0; frame < 100 && !trial.stopped(); ++frame) {
        for (int edit = random.below(4); edit-- > 0;) editing.edit();
        if (random.chance(0.02)) shadow.rebuild();
        moved += editing.finish(0.05);
        if (frame % 10 != 0) continue;
        // clip = M (p - origin): moving the origin moves the camera.
        for (double& coordinate : prepared.camera.clip_space.origin)
            coordinate += 1.5 * around.size() * random.range(-1, 1);
        if (!prepared.camera.prepare(prepared.view)) continue;
        // With attributes of no effect a batch is culled by other stages, within the same bound.
        const auto may_differ = [&](const Shadow::There& there, Method, Difference difference) {
            if (difference == Difference::inside) return true;
            return difference != Difference::candidate &&
                   decide(exact_solid_of(there.kind, there.object, shadow.hulls()),
                          exact::Volume(exact_half_spaces_of(prepared.camera)))
                           .verdict == exact::Verdict::apart;
        };
        check_flat(shadow, prepared.view, Streams::all(), methods, trial, may_differ);
    }
    const std::uint64_t worn = shadow.scene().bytes();
    shadow.save_and_load();
    if (worn > 2 * shadow.scene().bytes() + 1'000'000)
        trial.fail(Tally::untold, "edits leave memory behind", [&] { return std::to_string(worn); });
    if (moved == 0 && !trial.stopped())
        trial.fail(Tally::untold, "no object gets into a better block", [] { return std::string(); });
}

/// A view at millimetres' detail, 10^7 from the world's origin, over objects whose origin is as far. The matrix stays;
/// the camera goes first among the objects, then far out with them. Every sum is exact.
void scenes_far(Trial& trial) {
    Random& random = trial.random;
    PreparedCamera near = random_prepared_camera(random, Projection::perspective);
    Camera far = near.camera;
    How how;
    for (std::size_t j = 0; j < 3; ++j) {
        const double place = near.camera.clip_space.origin[j] - near.camera.eye[j] + random.range(-4000, 4000);
        near.camera.clip_space.origin[j] = std::ldexp(std::round(std::ldexp(place, 24)), -24);
        how.origin[j] = 1024 * std::round(random.range(-1e4, 1e4));
        far.clip_space.origin[j] = near.camera.clip_space.origin[j] + how.origin[j];
    }
    View far_view;
    const bool is_view = near.camera.prepare(near.view).ok() && far.prepare(far_view).ok();
    trial.at(is_view ? Tally::trials : Tally::refused) = 1;
    if (!is_view) return;
    const exact::Vec<double> eye = exact::to_double(exact_eye_of(near.camera).points()[0]);
    near.camera.eye = {eye.x, eye.y, eye.z};
    const Surroundings around(random, exact::Volume(exact_half_spaces_of(near.camera)));
    Shadow shadow(random_hulls(random, 3));
    for (const Kind kind : all_kinds) {
        std::vector<Object> objects(trial.plan.objects / 2);
        for (std::size_t i = 0; i < objects.size(); ++i) {
            objects[i] = i % 2 == 0 ? around.object(kind, shadow.hulls(), {})
                                    : random_object(random, kind, near.camera,
                                                    i % 4 == 1 ? Placement::corner : Placement::facet, shadow.hulls());
        }
        shadow.add(kind, objects, how);
        HeapMemory memory;
        trial.at(Tally::cases) += run_cull(make_batch(kind, objects, shadow.hulls(), memory), near.view).visible_count;
    }
    shadow.refit(Refit::tight);
    trial.at(Tally::reached) += SceneCull(shadow.scene(), far_view).visible_count;
    check_scene(shadow, {exact::Volume(exact_half_spaces_of(far)), far_view, far.describe()}, trial);
}

/// Scenes of so many blocks that boxes above them come and go: 64 blocks have none, 4096 have one level of them. They
/// are added part by part, as levels must know what was there before.
void scenes_large(Trial& trial) {
    Random& random = trial.random;
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const exact::Volume volume(exact_half_spaces_of(prepared.camera));
    const std::string text = prepared.camera.describe();
    Plan plan = trial.plan;
    plan.isas.erase(plan.isas.begin(), plan.isas.end() - 1);
    Trial part{random, plan, trial.label, trial.tally, trial.failures, trial.answers};
    part.at(Tally::trials) = 1;
    Shadow shadow({});
    const double depth = 2 * prepared.camera.depth[0], size = prepared.camera.size_at(depth);
    const auto add_around = [&](const Double3& place, std::size_t count) {
        std::vector<Object> objects;
        while (objects.size() < count) {
            const Double3 at = place + size * random.unit() * random_direction(random);
            // About as large as one another: large ones would be kept apart.
            Object& object = objects.emplace_back();
            for (std::size_t j = 0; j < 3; ++j) object.fields[j] = static_cast<float>(at[j]);
            object.fields[3] = static_cast<float>(0.01 * size * random.range(0.5, 1));
        }
        shadow.add(Kind::sphere, objects, {});
    };
    // What the view sees comes first, and is in few blocks.
    const Double3 middle = prepared.camera.point(0, 0, depth);
    add_around(middle, 128 * (random.chance(0.7) ? 64 : 1 + random.bits() % 64));
    const std::size_t blocks = random.chance(0.3) ? 64 * 64 : 64;
    while (shadow.scene().block_count() <= blocks) {
        const std::size_t left = 128 * (blocks + 1 - shadow.scene().block_count());
        const auto part_of = static_cast<std::size_t>(random.log_range(600, static_cast<double>(left) + 600));
        const Double3 place = middle + size * random.log_range(3, 100) * random_direction(random);
        add_around(place, random.chance(0.5) ? left : std::min(part_of, left));
    }
    shadow.refit(Refit::tight);
    check_scene(shadow, {volume, prepared.view, text}, part);
}

constexpr Rate decided_by_blocks[] = {{Tally::reached, Tally::cases, 0.02, 0.95},
                                      {Tally::differing, Tally::pairs, 0, 0.001}};
constexpr Rate fewer_changes[] = {{Tally::reached, Tally::cases, 0.01, 0.5}};
constexpr Rate some_are_culled[] = {{Tally::culled_plane, Tally::verdicts, 0.05, 0.95}};
constexpr Rate some_are_read[] = {{Tally::reached, Tally::cases, 0.01, 0.8}};
constexpr Rate no_more_than_near_the_origin[] = {{Tally::reached, Tally::cases, 0.9, 1.05}};

constexpr Family all_families[] = {{"scenes", "scenes", scenes},
                                   {"scenes_origins", "scenes", scenes_origins},
                                   {"scenes_touching", "scenes", scenes_touching},
                                   {"scenes_extreme", "scenes", scenes_extreme},
                                   {"scenes_lod", "scenes", scenes_lod},
                                   {"scenes_large", "scenes", scenes_large},
                                   {"scenes_flat", "scenes", scenes_flat, decided_by_blocks},
                                   {"scenes_soak", "scenes", scenes_soak, decided_by_blocks},
                                   {"scenes_far", "scenes", scenes_far, no_more_than_near_the_origin},
                                   {"scenes_lod_views", "scenes", scenes_lod_views},
                                   {"scenes_latest", "scenes", scenes_latest, fewer_changes},
                                   {"scenes_any", "scenes", scenes_any, some_are_culled, true},
                                   {"scenes_files", "scenes", scenes_files, some_are_read, true}};

}  // namespace

std::span<const Family> scene_families() { return all_families; }

}  // namespace properties
