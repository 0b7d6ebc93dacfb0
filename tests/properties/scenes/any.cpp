#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/shadow.h>

#include "oracle/exact_objects.hpp"
#include "properties/any.hpp"
#include "properties/scenes/scenes.hpp"
#include "support/damaged_file.hpp"
#include "support/files.hpp"

/// Scenes of any numbers under any sequence of edits and culls, and files that no scene wrote.

namespace properties {
namespace {

using lanecull::Handle;
using lanecull::Method;
using lanecull::Scene;
using lanecull::View;

std::size_t below(Random& random, std::size_t n) { return static_cast<std::size_t>(random.below(static_cast<int>(n))); }

/// A few are read; the others are these again, moved.
std::vector<Object> any_objects(Random& random, Kind kind, std::size_t count, std::size_t hulls,
                                const Streams& streams) {
    std::vector<Object> objects;
    for (std::size_t i = 0; i < count; ++i) {
        if (i < 8) {
            objects.push_back(read_object(random, kind, hulls));
            read_attributes(random, streams, objects.back());
        } else {
            const auto k = static_cast<double>(i);
            objects.push_back(moved(kind, objects[i % 8], {k, -k, 0.5 * k}));
        }
    }
    return objects;
}

class AnyScene {
public:
    explicit AnyScene(Trial& trial)
        : trial_(trial),
          random_(trial.random),
          arguments_(random_),
          is_view_(arguments_.prepare(view_).ok()),
          shadow_(read_hulls(random_, true)),
          streams_(random_.chance(0.5) ? read_streams(random_) : Streams{}),
          editing_(
              random_, shadow_,
              [this](Kind kind, std::size_t count) {
                  return any_objects(random_, kind, count, shadow_.hulls().size(), streams_);
              },
              [this] {
                  return Shadow::How{
                      .streams = streams_,
                      .mobility = random_.chance(0.5) ? lanecull::Mobility::moving : lanecull::Mobility::fixed};
              }) {
        if (is_view_ && arguments_.moderate()) exact_view_.emplace(arguments_);
    }

    void run() {
        ++trial_.at(is_view_ ? Tally::trials : Tally::refused);
        if (!is_view_) return;
        for (int n = 2 + random_.below(15); n > 0 && !trial_.stopped(); --n) {
            random_.below(8) == 0 ? break_a_rule() : editing_.edit();
            if (random_.below(4) == 0) compare();
        }
        compare();
    }

private:
    /// Names that are none or given twice, counts that differ, origins that are too far: nothing changes.
    void break_a_rule() {
        const int rule = random_.below(4);
        std::vector<Handle> handles = shadow_.some(random_, 1 + below(random_, 12));
        const bool twice = !handles.empty() && rule != 1 && random_.chance(0.5);  // moves may be given twice
        handles.push_back(twice ? handles[0] : static_cast<Handle>(shadow_.all().size()));
        const std::vector<float> by(handles.size(), 1);
        const std::vector<Object> objects(handles.size());
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(Kind::sphere, objects, shadow_.hulls(), memory);
        const bool refused = shadow_.refuses([&](Scene& scene) {
            switch (rule) {
                case 0:
                    return scene.remove(handles);
                case 1:
                    return scene.move(handles, by.data(), by.data(), by.data());
                case 2:
                    return random_.chance(0.5) ? scene.place(handles, batch) : scene.replace(handles, batch);
                default: {
                    lanecull::AddOptions far;
                    far.origin[below(random_, 3)] = random_.chance(0.5) ? 1.1e12 : std::nan("");
                    return scene.add({&batch, 1}, handles, far);
                }
            }
        });
        if (refused) return;
        trial_.fail(Tally::untold, "what breaks a rule is taken", [&] {
            return "rule " + std::to_string(rule) + ", " + std::to_string(handles.size()) + " names, the last " +
                   std::to_string(handles.back()) + " of " + std::to_string(shadow_.all().size());
        });
    }

    void compare() {
        editing_.finish(0.06);
        constexpr Method methods[] = {Method::automatic, Method::planes};
        check_flat(shadow_, view_, streams_, methods, trial_,
                   [this](const Shadow::There& there, Method method, Difference difference) {
                       return may_differ(there, method, difference);
                   });
    }

    /// Scenes may cull more of shapes that are not spheres or boxes along the axes, and of numbers beyond 2^60, if
    /// these are apart. Which blocks are tested together may tell of an object within the bound on rounding, and of one
    /// beyond 2^60.
    [[nodiscard]] bool may_differ(const Shadow::There& there, Method method, Difference difference) const {
        // Of objects or views whose numbers overflow, a verdict may depend on the company.
        if (difference == Difference::kept) return !exact_view_ || products_may_overflow(there.kind, there.object);
        if (difference == Difference::inside) return true;
        const auto& [has, kind, object, origin, command] = there;
        const auto ordinary = [](float number) { return std::fabs(number) <= 0x1p60f; };
        const bool same = difference == Difference::candidate
                              ? is_invalid(kind, object) || object.flags != 0
                              : std::ranges::all_of(std::span(object.fields).first(field_count(kind)), ordinary) &&
                                    (method == Method::planes || kind == Kind::sphere || kind == Kind::box ||
                                     kind == Kind::centered_box);
        // By extreme numbers of a view, such as an origin 2^89 away, a batch may keep what its block is apart by.
        if (same && (exact_view_ || difference == Difference::candidate)) return false;
        return !exact_view_ || !is_moderate(kind, object) ||
               !exact_view_->certainly_meets(exact_solid_of(kind, object, shadow_.hulls()));
    }
    [[nodiscard]] bool is_moderate(Kind kind, const Object& object) const {
        const auto all = [](const auto& numbers) { return std::ranges::all_of(numbers, moderate); };
        return all(std::span(object.fields).first(field_count(kind))) && all(object.sweep) && moderate(object.margin) &&
               std::ranges::all_of(shadow_.hulls()[object.hull], all);
    }

    Trial& trial_;
    Random& random_;
    const ViewArguments arguments_;
    View view_;
    bool is_view_;
    std::optional<ExactView> exact_view_;
    Shadow shadow_;
    /// Of all objects: with attributes of no effect a batch is culled by other stages, within the same bound.
    const Streams streams_;
    Editing editing_;
};

/// Parts left out, there twice, exchanged or called by another name, and numbers in them changed. The rest of the file
/// agrees with that, so that what is read of each part has to be checked.
void change_parts(Random& random, std::vector<std::byte>& file) {
    SceneParts parts(file);
    for (int n = 1 + random.below(4); n > 0 && !parts.all.empty(); --n) {
        const std::size_t p = below(random, parts.all.size());
        SceneParts::Part& part = parts.all[p];
        switch (random.below(7)) {
            case 0:
                parts.all.erase(parts.all.begin() + static_cast<std::ptrdiff_t>(p));
                break;
            case 1:
                parts.all.insert(parts.all.begin() + static_cast<std::ptrdiff_t>(p), SceneParts::Part(part));
                break;
            case 2:
                std::swap(part, parts.all[below(random, parts.all.size())]);
                break;
            case 3:
                (random.chance(0.5) ? part.a : part.b) = static_cast<std::uint32_t>(random.below(21));
                break;
            case 4:
                part.data.resize(below(random, 2 * part.data.size() + 1));
                break;
            default:
                if (part.data.size() < 4) break;
                part.set(4 * below(random, part.data.size() / 4),
                         static_cast<std::uint32_t>(random.chance(0.5) ? random.bits() : random.bits() % 301));
        }
    }
    file = parts.file();
}

/// A file that is read, damaged or forged, in place of a scene.
class FileTrial {
public:
    explicit FileTrial(Trial& trial) : trial_(trial), shadow_(read_hulls(trial.random, true)) {
        trial.at(Tally::trials) = 1;
        Random& random = trial.random;
        for (std::size_t n = 1 + below(random, 4); n > 0; --n) {
            const Kind kind = any_kind(random);
            const Streams streams = random.chance(0.5) ? read_streams(random) : Streams{};
            const std::size_t count =
                random.chance(0.5) ? 1 + below(random, 8) : 1 + below(random, 4 * trial.plan.objects);
            shadow_.add(kind, any_objects(random, kind, count, shadow_.hulls().size(), streams), {.streams = streams});
        }
        shadow_.remove(shadow_.some(random, 1 + below(random, 12)));
        shadow_.refit(lanecull::Refit::tight);
        while (!ViewArguments(random).prepare(view_)) continue;
    }

    void run() {
        Random& random = trial_.random;
        const std::vector<std::byte> good = SceneFile(shadow_.scene()).bytes();
        for (std::size_t n = 1 + trial_.plan.objects / 4; n > 0 && !trial_.stopped(); --n) {
            std::vector<std::byte> file = good;
            const int how = random.below(5);
            if (how < 2) {
                damage(random, file);
                if (how == 1) forge(file);
            } else if (how < 4) {
                change_parts(random, file);
            } else {
                SceneParts parts(file);
                parts.all.erase(parts.all.begin() + static_cast<std::ptrdiff_t>(below(random, parts.all.size())));
                file = parts.file();
            }
            load(file, how > 0 || file == good);
        }
    }

private:
    void fail(const std::string& what) {
        trial_.fail(Tally::untold, what, [] { return std::string(); });
    }

    /// What is refused leaves the scene as it was; what is read is a scene like any other.
    void load(const std::vector<std::byte>& file, bool may_be_read) {
        Scene scene;
        const float number = 1;
        const lanecull::Batch ball = lanecull::Spheres{&number, &number, &number, &number, 1};
        Handle handle{};
        if (!scene.add({&ball, 1}, {&handle, 1})) return fail("a ball is refused");
        const lanecull::Status status = Scene::load(std::span<const std::byte>(file), scene);
        trial_.at(Tally::cases) += may_be_read;
        if (!status) {
            std::uint32_t slot = 0;
            if (std::strlen(status.message()) < 6) fail("a refusal says nothing");
            if (scene.object_count() != 1 || !scene.slot_of(handle, slot)) fail("a refused file changes the scene");
            return;
        }
        if (!may_be_read) return fail("damage is not noticed");
        ++trial_.at(Tally::reached);
        std::uint64_t named = 0;
        for (std::uint64_t h = 0; h < scene.handle_limit(); ++h) {
            std::uint32_t slot = 0;
            named += scene.slot_of(static_cast<Handle>(h), slot).ok();
        }
        if (named != scene.object_count()) fail("objects that were read have no names");
        cull(scene, Method::automatic);
        while (!scene.rebuild_within(~std::uint64_t{0}).all_seen) continue;
        if (!scene.rebuild()) fail("a scene that was read is not rebuilt");
        cull(scene, Method::planes);
    }
    void cull(Scene& scene, Method method) {
        scene.refit();
        const std::string what = contradiction(scene, SceneCull(scene, view_, {.method = method}));
        if (!what.empty()) fail(what + ", of a scene that was read");
    }

    Trial& trial_;
    Shadow shadow_;
    View view_;
};

}  // namespace

void scenes_any(Trial& trial) {
    for (int n = trial.plan.objects < 100 ? 1 : 20; n > 0 && !trial.stopped(); --n) AnyScene(trial).run();
}
void scenes_files(Trial& trial) { FileTrial(trial).run(); }

}  // namespace properties
