/// Scenes under any sequence of edits, culls and files. Between edits every verdict is that of a flat batch of the same
/// objects; bits, lists and counts agree. A call that breaks a rule changes nothing. A forged file is refused, and the
/// scene stays as it was, or gives a scene that can be culled and edited.

#include <lanecull/scene.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "fuzz/check.hpp"
#include "fuzz/objects.hpp"
#include "fuzz/view_arguments.hpp"
#include "oracle/exact_objects.hpp"
#include "prove/scenes/shadow.hpp"
#include "support/culling.hpp"
#include "support/damaged_file.hpp"
#include "support/scene_file.hpp"

namespace {

using lanecull::Handle;
using lanecull::Method;
using lanecull::Scene;
using lanecull::View;
using prove::Shadow;
using Words = std::vector<std::uint64_t>;

bool has(const Words& words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// What a cull says of a scene, its lists checked against its bits.
struct SceneVerdicts {
    Words visible, inside;

    SceneVerdicts(const Scene& scene, const View& view, Method method, std::span<const std::uint64_t> candidates = {})
        : visible(lanecull::visibility_words(scene)), inside(visible.size()) {
        std::vector<Handle> handles(scene.object_count());
        std::vector<std::uint32_t> slots(handles.size());
        std::vector<lanecull::VisibleRun> runs(handles.size());
        std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
        lanecull::SceneOutput of_scene{.handles = handles};
        lanecull::Output output{.visible = visible,
                                .indices = slots,
                                .inside = inside,
                                .runs = runs,
                                .candidates = candidates,
                                .scene = &of_scene};
        const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch, {.method = method});
        check(status.ok(), "a scene is culled", status.message().text);
        std::uint64_t bits = 0, inside_bits = 0, in_runs = 0;
        for (const std::uint64_t word : visible) bits += static_cast<std::uint64_t>(std::popcount(word));
        for (std::size_t w = 0; w < inside.size(); ++w) inside_bits += (inside[w] & ~visible[w]) != 0;
        for (std::size_t r = 0; r < output.run_count && r < runs.size(); ++r) in_runs += runs[r].count;
        check(bits == output.visible_count && inside_bits == 0 && (runs.empty() || in_runs == bits),
              "bits, runs and counts of a scene agree");
        for (std::size_t i = 0; i < output.visible_count; ++i) {
            std::uint32_t slot = 0;
            check(scene.slot_of(handles[i], slot).ok() && slot == slots[i] && has(visible, slot),
                  "the lists of a scene are those of its bits");
        }
    }
};

class SceneFuzzer {
public:
    explicit SceneFuzzer(Input& input)
        : input_(input),
          arguments_(input),
          is_view_(arguments_.prepare(view_).ok()),
          shadow_(read_hulls(input, true)),
          streams_(input.flag() ? read_streams(input) : Streams{}) {
        if (is_view_ && arguments_.moderate()) exact_view_.emplace(arguments_);
    }

    void run() {
        if (!is_view_) return;
        for (std::uint32_t n = 2 + input_.up_to(14); n > 0; --n) {
            edit();
            if (input_.up_to(3) != 0) continue;
            bring_up_to_date();
            compare();
        }
        bring_up_to_date();
        compare();
        if (!input_.flag()) load_forged();
        if (input_.flag()) compare_candidates();
    }

private:
    void edit() {
        switch (input_.up_to(7)) {
            case 0:
            case 1:
            case 2: {
                const Kind kind = any_kind();
                const std::uint32_t count = input_.up_to(7) == 0 ? 100 + input_.up_to(200) : 1 + input_.up_to(7);
                return shadow_.add(kind, objects_of(kind, count), any_how());
            }
            case 3:
                return shadow_.remove(some());
            case 4: {
                const Kind kind = any_kind();
                const std::vector<Handle> handles = some();
                return shadow_.replace(handles, kind, objects_of(kind, handles.size()), any_how());
            }
            case 5:
                return input_.flag() ? place() : input_.flag() ? set_attributes() : move();
            case 6:
                return shadow_.rebuild();
            default:
                return break_a_rule();
        }
    }

    void bring_up_to_date() {
        if (input_.flag()) shadow_.improve();
        shadow_.refit(input_.flag() ? lanecull::Fit::tight : lanecull::Fit::grown);
        check(!shadow_.scene().stale(), "a scene is fit after refit()");
        if (input_.up_to(15) == 0) shadow_.save_and_load();
    }

    Kind any_kind() { return all_kinds[input_.up_to(std::size(all_kinds) - 1)]; }

    Shadow::How any_how() {
        return {.streams = streams_,
                .bounds = false,
                .mobility = input_.flag() ? lanecull::Mobility::moving : lanecull::Mobility::fixed};
    }

    /// A few are read; the others are these again, moved.
    std::vector<Object> objects_of(Kind kind, std::size_t count) {
        std::vector<Object> objects;
        for (std::size_t i = 0; i < count; ++i) {
            if (i < 8) {
                objects.push_back(read_object(input_, kind, shadow_.hulls().size()));
                read_attributes(input_, streams_, objects.back());
            } else {
                const auto k = static_cast<double>(i);
                objects.push_back(::moved(kind, objects[i % 8], {k, -k, 0.5 * k}));
            }
        }
        return objects;
    }

    std::vector<Handle> some() {
        std::vector<Handle> named;
        for (Handle h = 0; h < shadow_.all().size(); ++h) {
            if (shadow_.all()[h].has) named.push_back(h);
        }
        if (named.empty()) return {};
        const std::uint32_t first = input_.up_to(static_cast<std::uint32_t>(named.size() - 1));
        const std::size_t count = std::min<std::size_t>(named.size() - first, 1 + input_.up_to(11));
        return {named.begin() + first, named.begin() + static_cast<std::ptrdiff_t>(first + count)};
    }

    void move() {
        const std::vector<Handle> handles = some();
        std::vector<std::array<float, 3>> by(handles.size());
        for (auto& way : by) way = {input_.single(), input_.single(), input_.single()};
        shadow_.move(handles, by);
    }

    /// Objects of one kind, each to a place and size of its own.
    void place() {
        const std::vector<Handle> handles = some();
        if (handles.empty()) return;
        const Kind kind = shadow_.all()[handles[0]].kind;
        shadow_.place(handles, kind, objects_of(kind, handles.size()), input_.flag());
    }

    void set_attributes() {
        const std::vector<Handle> handles = some();
        shadow_.set_attributes(handles, objects_of(any_kind(), handles.size()), streams_);
    }

    /// Names that are none or given twice, counts that differ, origins that are too far.
    void break_a_rule() {
        const std::uint32_t rule = input_.up_to(3);
        std::vector<Handle> handles = some();
        const bool twice = !handles.empty() && rule != 1 && input_.flag();  // moves may be given twice
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
                    return input_.flag() ? scene.place(handles, batch) : scene.replace(handles, batch);
                default: {
                    lanecull::AddOptions far;
                    far.origin[input_.up_to(2)] = input_.flag() ? 1.1e12 : std::nan("");
                    return scene.add({&batch, 1}, handles, far);
                }
            }
        });
        check(refused, "what breaks a rule is refused",
              "rule " + std::to_string(rule) + ", " + std::to_string(handles.size()) + " names, the last " +
                  std::to_string(handles.back()) + " of " + std::to_string(shadow_.all().size()));
    }

    /// Each kind's objects as a flat batch.
    void compare() {
        const Scene& scene = shadow_.scene();
        const SceneVerdicts verdicts[] = {{scene, view_, Method::automatic}, {scene, view_, Method::planes}};
        std::map<Kind, std::vector<Handle>> of_kind;
        for (Handle h = 0; h < shadow_.all().size(); ++h) {
            std::uint32_t slot = 0;
            check(scene.slot_of(h, slot).ok() == shadow_.all()[h].has, "a scene's names are those of its objects");
            if (shadow_.all()[h].has) of_kind[shadow_.all()[h].kind].push_back(h);
        }
        for (const auto& [kind, handles] : of_kind) {
            std::vector<Object> objects;
            for (const Handle h : handles) objects.push_back(shadow_.all()[h].object);
            HeapMemory memory;
            const lanecull::Batch batch = make_batch(kind, objects, shadow_.hulls(), memory, {.streams = streams_});
            for (const Method method : {Method::automatic, Method::planes}) {
                const ViewResult flat = run_cull(batch, view_, {.method = method});
                const Words& visible = verdicts[method == Method::planes].visible;
                for (std::size_t i = 0; i < handles.size(); ++i) {
                    std::uint32_t slot = 0;
                    check(scene.slot_of(handles[i], slot).ok(), "an object has a slot");
                    compare(kind, objects[i], method, flat.visible(i), has(visible, slot));
                }
            }
        }
    }

    /// Some of the slots alone are asked about, those of no object among them.
    void compare_candidates() {
        const Scene& scene = shadow_.scene();
        const Words candidates = read_candidates(input_, lanecull::visibility_words(scene));
        for (const Method method : {Method::automatic, Method::planes}) {
            const SceneVerdicts all(scene, view_, method), some(scene, view_, method, candidates);
            for (Handle h = 0; h < shadow_.all().size(); ++h) {
                std::uint32_t slot = 0;
                if (!scene.slot_of(h, slot).ok()) continue;
                const Shadow::There& there = shadow_.all()[h];
                const bool asked = has(candidates, slot), here = has(some.visible, slot);
                check(asked || !here, "what is no candidate is culled");
                if (asked) compare_near(there.kind, there.object, method, has(all.visible, slot), here);
            }
        }
    }

    /// Which blocks are tested together may tell of an object within the bound on rounding.
    void compare_near(Kind kind, const Object& object, Method method, bool without, bool here) const {
        if (without == here) return;
        const std::string about = std::string(without ? "culled" : "kept") + " as a candidate by " +
                                  method_name(method) + "\n" + arguments_.describe() + "\n" +
                                  describe(kind, object, shadow_.hulls());
        const bool told = is_invalid(kind, object) || object.flags != 0;
        check(!told, "what needs no test is judged as without candidates", about);
        if (!exact_view_ || !is_moderate(kind, object)) return;
        check(!exact_view_->certainly_meets(exact_solid_of(kind, object, shadow_.hulls())),
              "what is in the view is visible among candidates", about);
    }

    /// The same; but scenes may cull more of shapes that are not spheres or boxes along the axes, and of numbers beyond
    /// 2^60, if these are apart.
    void compare(Kind kind, const Object& object, Method method, bool flat, bool here) const {
        if (flat == here) return;
        const bool same = is_ordinary(kind, object) && (method == Method::planes || kind == Kind::sphere ||
                                                        kind == Kind::box || kind == Kind::centered_box);
        const std::string about = std::string(flat ? "culled in the scene" : "culled alone") + " by " +
                                  method_name(method) + "\n" + arguments_.describe() + "\n" +
                                  describe(kind, object, shadow_.hulls());
        check(!same && flat, "a scene's verdicts are those of a flat batch", about);
        if (!exact_view_ || !is_moderate(kind, object)) return;
        check(!exact_view_->certainly_meets(exact_solid_of(kind, object, shadow_.hulls())),
              "what is in the view is visible in a scene", about);
    }

    static bool is_ordinary(Kind kind, const Object& object) {
        const auto ordinary = [](float number) { return std::fabs(number) <= 0x1p60f; };
        return std::ranges::all_of(std::span(object.fields).first(field_count(kind)), ordinary);
    }

    [[nodiscard]] bool is_moderate(Kind kind, const Object& object) const {
        const auto fields = std::span(object.fields).first(field_count(kind));
        const auto all = [](const auto& numbers) { return std::ranges::all_of(numbers, moderate); };
        return all(fields) && all(object.sweep) && moderate(object.margin) &&
               std::ranges::all_of(shadow_.hulls()[object.hull], all);
    }

    void change_bytes(std::vector<std::byte>& file);
    void change_parts(std::vector<std::byte>& file);
    void load_forged();
    void load(const std::vector<std::byte>& file) const;

    Input& input_;
    const ViewArguments arguments_;
    View view_;
    bool is_view_;
    std::optional<ExactView> exact_view_;
    Shadow shadow_;
    /// Of all objects: with attributes of no effect a batch is culled by other stages, within the same bound.
    const Streams streams_;
};

/// Some numbers changed, or cut off.
void SceneFuzzer::change_bytes(std::vector<std::byte>& file) {
    for (std::uint32_t n = 1 + input_.up_to(3); n > 0; --n) {
        // In the header and the table of sections, mostly.
        const std::size_t within = input_.flag() ? std::min<std::size_t>(file.size(), 2048) : file.size();
        const std::uint32_t at = input_.up_to(static_cast<std::uint32_t>(within - 1)), value = input_.bits();
        std::memcpy(&file[at], &value, std::min<std::size_t>(1 + input_.up_to(3), file.size() - at));
    }
    if (input_.up_to(7) == 0) file.resize(input_.up_to(static_cast<std::uint32_t>(file.size())));
    if (input_.up_to(7) != 0) forge(file);
}

/// Parts left out, there twice, exchanged or called by another name, and numbers in them changed. The rest of the file
/// agrees with that, so that what is read of each part has to be checked.
void SceneFuzzer::change_parts(std::vector<std::byte>& file) {
    SceneParts parts(file);
    for (std::uint32_t n = 1 + input_.up_to(3); n > 0 && !parts.all.empty(); --n) {
        const auto any = [&] { return input_.up_to(static_cast<std::uint32_t>(parts.all.size() - 1)); };
        const std::uint32_t p = any();
        SceneParts::Part& part = parts.all[p];
        switch (input_.up_to(5)) {
            case 0:
                parts.all.erase(parts.all.begin() + p);
                break;
            case 1:
                parts.all.insert(parts.all.begin() + p, SceneParts::Part(part));
                break;
            case 2:
                std::swap(part, parts.all[any()]);
                break;
            case 3:
                (input_.flag() ? part.a : part.b) = input_.up_to(20);
                break;
            case 4:
                part.data.resize(input_.up_to(static_cast<std::uint32_t>(2 * part.data.size())));
                break;
            default:
                if (part.data.size() < 4) break;
                part.set(4 * std::size_t{input_.up_to(static_cast<std::uint32_t>(part.data.size() / 4 - 1))},
                         input_.flag() ? input_.bits() : input_.up_to(300));
        }
    }
    file = parts.file();
}

/// Files of this scene: one that is changed, and one without each of its parts.
void SceneFuzzer::load_forged() {
    std::vector<std::byte> file = SceneFile(shadow_.scene()).bytes();
    const SceneParts parts(file);
    input_.flag() ? change_parts(file) : change_bytes(file);
    load(file);
    for (std::size_t p = 0; p < parts.all.size(); ++p) {
        SceneParts others = parts;
        others.all.erase(others.all.begin() + static_cast<std::ptrdiff_t>(p));
        load(others.file());
    }
}

/// In place of a scene that is empty.
void SceneFuzzer::load(const std::vector<std::byte>& file) const {
    Scene scene;
    const lanecull::Batch none = lanecull::Spheres{};
    check(scene.add({&none, 1}, {}).ok(), "nothing is added");
    const lanecull::Status status = Scene::load(std::span<const std::byte>(file), scene);
    if (!status.ok()) {
        check(status.message()[0] != 0 && scene.object_count() == 0, "a scene stays as it was");
        return;
    }
    scene.refit();
    static_cast<void>(SceneVerdicts(scene, view_, Method::automatic));
    while (!scene.improve(~std::uint64_t{0}).all_seen) continue;
    check(scene.rebuild().ok(), "a scene that was loaded is rebuilt");
    static_cast<void>(SceneVerdicts(scene, view_, Method::planes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    SceneFuzzer(input).run();
    return 0;
}
