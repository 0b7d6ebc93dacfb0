#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "prove/candidates.hpp"
#include "prove/family.hpp"
#include "prove/scenes/objects.hpp"
#include "prove/scenes/scene_trial.hpp"
#include "prove/views/setting.hpp"

/// Families of scenes. The views, and objects that touch them, are those of the families of views.

namespace prove {
namespace {

using lanecull::Fit;
using lanecull::Handle;
using lanecull::Mobility;
using lanecull::View;
using How = Shadow::How;

/// Objects of each kind in a scene. A few blocks, and enough that large objects get a store of their own.
constexpr std::size_t objects_of_a_kind = 600;

Kind any_kind(Random& random) { return all_kinds[random.below(static_cast<int>(std::size(all_kinds)))]; }

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
    shadow.refit(random.chance(0.5) ? Fit::tight : Fit::grown);
}

Shadow scene_of(Random& random, const Setting& setting) {
    Shadow shadow(setting.hulls);
    const std::size_t most = random.chance(0.5) ? objects_of_a_kind : 100;
    for (const Kind kind : all_kinds) {
        const std::vector<Object>& objects = objects_of(setting, kind);
        add(random, shadow, kind, std::span(objects).first(std::min(most, objects.size())),
            any_how(random, setting.grown));
    }
    return shadow;
}

void scenes(Trial& trial) {
    with_setting(trial, objects_of_a_kind, [&](const Setting& setting, const Sight& sight) {
        check_scene(scene_of(trial.random, setting), sight, trial);
    });
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
        shadow.refit(Fit::tight);
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
            shadow.refit(Fit::tight);
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
    shadow.refit(Fit::tight);
}

void scenes_inside(Trial& trial) {
    with_setting(trial, 0, [&](const Setting& setting, const Sight& sight) {
        Shadow shadow(setting.hulls);
        add_inside(trial.random, setting, shadow);
        check_scene(shadow, sight, trial);
    });
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

/// Any edit of some objects. New ones are those of the setting.
class Editing {
public:
    Editing(Random& random, const Setting& setting, Shadow& shadow)
        : random_(random), setting_(setting), shadow_(shadow) {}

    void edit() {
        const std::size_t count = 1 + random_.bits() % (random_.chance(0.3) ? 300 : 10);
        const Kind kind = any_kind(random_);
        const std::vector<Handle> handles = shadow_.some(random_, count);
        switch (random_.below(8)) {
            case 0:
                return shadow_.add(kind, some_objects(kind, count), any_how());
            case 7:
                return shadow_.set_attributes(handles, some_objects(kind, handles.size()), any_how().streams);
            case 1:
                return shadow_.remove(handles);
            case 2:
                return shadow_.replace(handles, kind, some_objects(kind, handles.size()), any_how());
            case 3:
                return shadow_.rebuild();
            case 4:
                return shadow_.place(shadow_.some(random_, 8 * count), kind, some_objects(kind, 8 * count),
                                     random_.chance(0.5));
            default:
                return move(handles);
        }
    }

    /// What has to be done before a cull, and what may be.
    void finish() {
        if (random_.chance(0.5)) shadow_.improve();
        shadow_.refit(random_.chance(0.5) ? Fit::tight : Fit::grown);
        if (random_.chance(0.3)) shadow_.save_and_load();
    }

private:
    How any_how() {
        How how = prove::any_how(random_, setting_.grown);
        how.streams.flags = random_.chance(0.2);
        return how;
    }

    std::vector<Object> some_objects(Kind kind, std::size_t count) {
        const std::vector<Object>& objects = objects_of(setting_, kind);
        std::vector<Object> result;
        while (result.size() < count) {
            result.push_back(objects[random_.bits() % objects.size()]);
            if (random_.chance(0.02)) result.back() = spoilt(random_, kind, result.back(), {});
            if (random_.chance(0.1)) result.back().flags = static_cast<std::uint32_t>(random_.below(4));
        }
        return result;
    }

    /// By a little, or to where another object is.
    void move(const std::vector<Handle>& handles) {
        std::vector<std::array<float, 3>> by;
        for (std::size_t i = 0; i < handles.size(); ++i) {
            const Shadow::There& there = shadow_.all()[handles[i]];
            const Shadow::There& other = shadow_.all()[handles[random_.bits() % handles.size()]];
            const double share = random_.chance(0.3) ? 1 : random_.log_range(0x1p-24, 1);
            std::array<float, 3>& way = by.emplace_back();
            for (std::size_t j = 0; j < 3; ++j) {
                const auto place = [&](const Shadow::There& of) {
                    return static_cast<double>(of.object.fields[place_field(of.kind, j)]);
                };
                way[j] = static_cast<float>(share * (place(other) - place(there)));
            }
        }
        shadow_.move(handles, by);
    }

    Random& random_;
    const Setting& setting_;
    Shadow& shadow_;
};

void scenes_edited(Trial& trial) {
    with_setting(trial, objects_of_a_kind, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        Shadow shadow = scene_of(random, setting);
        Editing editing(random, setting, shadow);
        for (int frame = 0; frame < 3; ++frame) {
            for (int edit = 1 + random.below(6); edit-- > 0;) editing.edit();
            editing.finish();
            check_scene(shadow, sight, trial);
            if (trial.stopped()) return;
        }
    });
}

/// Scenes, edited or not, whose objects are asked about in part. Some have blocks that are inside.
void scenes_candidates(Trial& trial) {
    with_setting(trial, objects_of_a_kind, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        Shadow shadow = scene_of(random, setting);
        if (random.chance(0.5)) add_inside(random, setting, shadow);
        Editing editing(random, setting, shadow);
        for (int edit = random.below(4); edit-- > 0;) editing.edit();
        editing.finish();
        check_scene(shadow, sight, trial, any_candidates(random, lanecull::visibility_words(shadow.scene())));
    });
}

/// Objects that are none among others, before and after edits and a file.
void scenes_none(Trial& trial) {
    with_setting(trial, 128, [&](const Setting& setting, const Sight& sight) {
        Random& random = trial.random;
        Shadow shadow(setting.hulls);
        const double rare = random.chance(0.5) ? 1 : 0.05;
        const auto spoil = [&](Kind kind, const Streams& streams) {
            std::vector<Object> objects = objects_of(setting, kind);
            for (Object& object : objects) {
                // Mostly where blocks are outside.
                if (random.chance(0.5)) object = moved(kind, object, 1e6 * random_direction(random));
                if (random.chance(rare)) object = spoilt(random, kind, object, streams);
            }
            return objects;
        };
        for (const Kind kind : all_kinds) {
            const How how = any_how(random, random.chance(0.3));
            shadow.add(kind, spoil(kind, how.streams), how);
        }
        shadow.refit(Fit::tight);
        check_scene(shadow, sight, trial);
        for (const Kind kind : all_kinds) {
            const How how = any_how(random, random.chance(0.3));
            shadow.replace(shadow.some(random, 128), kind, spoil(kind, how.streams), how);
        }
        if (random.chance(0.5)) shadow.improve();
        if (random.chance(0.3)) shadow.rebuild();
        shadow.refit(random.chance(0.5) ? Fit::tight : Fit::grown);
        if (random.chance(0.5)) shadow.save_and_load();
        check_scene(shadow, sight, trial);
    });
}

/// A view from an eye that sees everything up to `reach`.
struct View360 {
    exact::Volume volume;
    View view;
    std::string text;
};
std::optional<View360> view_from(const Double3& eye, double scale, double reach) {
    std::array<double, 24> corners{};
    std::vector<exact::Point> points;
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t j = 0; j < 3; ++j) corners[3 * c + j] = (c >> j & 1) != 0 ? reach : -reach;
        points.push_back(exact::point(corners[3 * c], corners[3 * c + 1], corners[3 * c + 2]));
    }
    View view;
    if (!lanecull::prepare_view_from_corners(corners, view, {.eye = eye.data(), .size_scale = scale})) return {};
    char text[160];
    std::snprintf(text, sizeof text, "from %a %a %a, scale %a, to %a", eye[0], eye[1], eye[2], scale, reach);
    return View360{exact::Volume::hull(points), view, text};
}

/// Balls at distances that are whole numbers times 2^e, exactly: (3 k, 4 k, 0) is 5 k from 0.
std::vector<Object> whole_balls(Random& random, int exponent, std::size_t count) {
    std::vector<Object> objects(count);
    for (Object& object : objects) {
        const std::size_t axis = static_cast<std::size_t>(random.below(3));
        const int k = random.below(1 << 20), radius = random.below(5 * k + 1);
        object.fields[axis] = std::ldexp(static_cast<float>(3 * k), exponent);
        object.fields[(axis + 1) % 3] = std::ldexp(static_cast<float>(4 * k), exponent);
        object.fields[3] = std::ldexp(static_cast<float>(radius), exponent);
    }
    return objects;
}

void scenes_lod(Trial& trial) {
    Random& random = trial.random;
    Shadow shadow(random_hulls(random, 5));
    const double unit = random.chance(0.3) ? random.log_range(1e-36, 1e12) : 1;
    const double far = random.chance(0.3) ? 0 : random.log_range(1, 1e10);
    const Double3 eye = unit * (far * random_direction(random));
    for (const Kind kind : all_kinds) {
        for (int part = 0; part < 4; ++part) {
            How how = any_how(random, random.chance(0.3));
            if (random.chance(0.7)) how.origin = eye + unit * (random.log_range(1e-3, 1e8) * random_direction(random));
            for (double& coordinate : how.origin) coordinate = std::clamp(coordinate, -1e12, 1e12);
            std::vector<Object> objects;
            for (int i = 0; i < 50; ++i) {
                const double size = unit * random.log_range(1e-4, 1e3), away = size * random.log_range(0.1, 1e4);
                const Double3 place = eye + away * random_direction(random) - how.origin;
                objects.push_back(object_at(random, kind, place, size, shadow.hulls()));
                if (how.streams.margin) grow(random, kind, shadow.hulls(), how.streams, objects.back());
                if (random.chance(0.02)) objects.back() = spoilt(random, kind, objects.back(), how.streams);
            }
            shadow.add(kind, objects, how);
        }
    }
    if (far == 0) shadow.add(Kind::sphere, whole_balls(random, random.below(210) - 120, 200), {});
    shadow.refit(Fit::tight);
    const double scale = random.log_range(0.1, 10);
    const auto view = view_from(eye, scale, 1e29);
    trial.at(view ? Tally::trials : Tally::refused) = 1;
    if (!view) return;
    check_distances(shadow, {view->volume, view->view, view->text}, exact::point(eye[0], eye[1], eye[2]), scale, trial);
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
    shadow.refit(Fit::tight);
    check_scene(shadow, {volume, prepared.view, text}, part);
}

constexpr Family all_families[] = {{"scenes", "scenes", scenes},
                                   {"scenes_origins", "scenes", scenes_origins},
                                   {"scenes_touching", "scenes", scenes_touching},
                                   {"scenes_inside", "scenes", scenes_inside},
                                   {"scenes_extreme", "scenes", scenes_extreme},
                                   {"scenes_edited", "scenes", scenes_edited},
                                   {"scenes_candidates", "scenes", scenes_candidates},
                                   {"scenes_none", "scenes", scenes_none},
                                   {"scenes_lod", "scenes", scenes_lod},
                                   {"scenes_large", "scenes", scenes_large}};

}  // namespace

std::span<const Family> scene_families() { return all_families; }

}  // namespace prove
