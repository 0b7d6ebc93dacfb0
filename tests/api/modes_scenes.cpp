#include "api/modes_calls.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "api/modes_objects.hpp"
#include "support/culling.hpp"
#include "support/scene_file.hpp"

/// Ordered scenes: edits, culls and files.
namespace modes {
namespace {

using lanecull::Handle;
using lanecull::Scene;
using lanecull::Status;

struct Inputs {
    OddScene objects;
    std::vector<Handle> handles;        ///< of the scene's objects
    std::vector<std::byte> file;        ///< the scene
    std::vector<std::byte> moved_file;  ///< the same after some edits, not refitted
    std::vector<float> steps;           ///< one for each object, of any size
    std::vector<lanecull::View> views;

    Inputs() {
        std::size_t count = 0;
        for (const lanecull::Batch& batch : objects.batches) count += batch.count();
        handles.resize(count);
        Scene scene;
        expect(scene.add(objects.batches, handles, {.origin = {0.1, -0.2, 0.3}}));
        scene.refit();
        file = SceneFile(scene).bytes();

        Random random(4);
        for (std::size_t i = 0; i < count; ++i) {
            const bool odd = random.chance(0.1);
            steps.push_back(odd ? odd_floats()[i % odd_floats().size()] : static_cast<float>(random.range(-1, 1)));
        }
        expect(scene.move(handles, steps.data(), steps.data(), steps.data()));
        moved_file = SceneFile(scene).bytes();

        views.push_back(objects.camera.view);
        for (const Projection projection : {Projection::infinite, Projection::opengl}) {
            views.push_back(random_prepared_camera(random, projection).view);
        }
    }
    static void expect(const Status& status) {
        if (!status) throw std::runtime_error(status.message());
    }
};

const Inputs& inputs() {
    static const Inputs all;
    return all;
}

Scene loaded(const std::vector<std::byte>& file) {
    Scene scene;
    Inputs::expect(Scene::load(file, scene, foreign_runner()));
    return scene;
}

void add_blocks(Answer& answer, const Scene& scene) {
    answer.add(scene.object_count());
    for (std::uint32_t i = 0; i < scene.block_count(); ++i) answer.add(scene.block(i));
    answer.add(scene.cost());
}

/// The visible slots, and the blocks.
void add_contents(Answer& answer, Scene& scene) {
    scene.refit(lanecull::Refit::tight, foreign_runner());
    add_blocks(answer, scene);
    std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = words};
    answer.add(lanecull::cull(scene, {inputs().views.data(), 1}, {&output, 1}, scratch, {.runner = foreign_runner()}));
    answer.add(words);
}

void add(Answer& answer) {
    const Inputs& in = inputs();
    std::vector<Handle> handles(in.handles.size());
    Scene whole;
    answer.add(whole.add(in.objects.batches, handles, {}, foreign_runner()));
    add_contents(answer, whole);

    struct Numbers {
        double origin[3] = {1e9 + 0.1, -0.0, 0.3};
    } numbers;
    const std::span<Handle> few = std::span(handles).first(in.objects.batches[0].count());
    with_odd_doubles(numbers, [&] {
        Scene scene;
        // Twice, for the second objects go into the first one's blocks if the origins are the same.
        for (int i = 0; i < 2; ++i) {
            const lanecull::AddOptions options{.mobility = lanecull::Mobility::moving,
                                               .origin = {numbers.origin[0], numbers.origin[1], numbers.origin[2]}};
            answer.add(scene.add({in.objects.batches.data(), 1}, few, options, foreign_runner()));
            numbers.origin[1] = 0;
        }
        numbers.origin[1] = -0.0;
        add_contents(answer, scene);
    });
}

void remove(Answer& answer) {
    Scene scene = loaded(inputs().file);
    answer.add(scene.remove({inputs().handles.data(), 500}));
    add_contents(answer, scene);
}

void replace(Answer& answer) {
    const Inputs& in = inputs();
    Scene scene = loaded(in.file);
    for (std::size_t first = 0; first < 150; first += 50) {
        // By objects of all kinds in turn.
        for (const lanecull::Batch& batch : in.objects.batches) {
            const std::span<const Handle> handles = std::span(in.handles).subspan(first, batch.count());
            answer.add(scene.replace(handles, batch));
            add_blocks(answer, scene);
        }
    }
    add_contents(answer, scene);
}

/// Objects of all kinds in turn.
void place(Answer& answer) {
    const Inputs& in = inputs();
    Scene scene = loaded(in.file);
    for (const lanecull::Batch& batch : in.objects.batches) {
        const std::span<const Handle> handles = std::span(in.handles).first(batch.count());
        answer.add(scene.replace(handles, batch));
        answer.add(scene.place(handles, batch, foreign_runner()));
        scene.refit(lanecull::Refit::grown, foreign_runner());
        add_blocks(answer, scene);
    }
    add_contents(answer, scene);
}

/// Of objects of all kinds, each attribute in turn.
void set_attributes(Answer& answer) {
    const Inputs& in = inputs();
    Scene scene = loaded(in.file);
    const float* const steps = in.steps.data();
    const lanecull::Attributes all[] = {{.margin = steps},
                                        {.sweep_x = steps, .sweep_y = steps, .sweep_z = steps},
                                        {.flags = in.handles.data()},
                                        {.layers = in.handles.data()},
                                        {.max_distance = steps},
                                        {.min_projected_size = steps},
                                        {.min_distance = steps}};
    for (const lanecull::Attributes& attributes : all) {
        answer.add(scene.set_attributes(in.handles, attributes));
        add_blocks(answer, scene);
    }
    add_contents(answer, scene);
}

void move(Answer& answer) {
    const Inputs& in = inputs();
    Scene scene = loaded(in.file);
    answer.add(scene.move(in.handles, in.steps.data(), in.steps.data(), in.steps.data()));
    add_blocks(answer, scene);
    add_contents(answer, scene);
}

void refit(Answer& answer) {
    for (const lanecull::Refit fit : {lanecull::Refit::tight, lanecull::Refit::grown}) {
        Scene scene = loaded(inputs().moved_file);
        scene.refit(fit, foreign_runner());
        add_blocks(answer, scene);
    }
}

void rebuild_within(Answer& answer) {
    Scene scene = loaded(inputs().moved_file);
    const lanecull::PartialRebuild done = scene.rebuild_within(~std::uint64_t{0});
    answer.add(done.blocks), answer.add(done.objects);
    add_contents(answer, scene);
}

void rebuild(Answer& answer) {
    Scene scene = loaded(inputs().moved_file);
    answer.add(scene.rebuild(foreign_runner()));
    add_contents(answer, scene);
}

/// A function that only looks at the scene.
template <auto function>
void look(Answer& answer) {
    for (const std::vector<std::byte>* file : {&inputs().file, &inputs().moved_file}) {
        const Scene scene = loaded(*file);
        answer.add((scene.*function)());
    }
}

void block(Answer& answer) {
    const Scene scene = loaded(inputs().moved_file);
    for (std::uint32_t i = 0; i < scene.block_count(); ++i) answer.add(scene.block(i));
}

void slot_of(Answer& answer) {
    const Scene scene = loaded(inputs().file);
    for (const Handle handle : inputs().handles) {
        std::uint32_t slot = 0;
        answer.add(scene.slot_of(handle, slot));
        answer.add(slot);
    }
}

void visibility_words(Answer& answer) {
    for (const std::vector<std::byte>* file : {&inputs().file, &inputs().moved_file}) {
        answer.add(lanecull::visibility_words(loaded(*file)));
    }
}
void scratch_bytes(Answer& answer) { answer.add(lanecull::scratch_bytes(loaded(inputs().file), 3)); }

/// Every output of each view.
void add_cull(Answer& answer, const Scene& scene, std::span<const float> thresholds, float hysteresis,
              lanecull::Method method) {
    const std::vector<lanecull::View>& views = inputs().views;
    struct Lists {
        std::vector<std::uint64_t> visible, inside;
        std::vector<Handle> handles;
        std::vector<std::uint32_t> slots;
        std::vector<lanecull::VisibleRun> runs;
        std::vector<float> distances;
        std::vector<std::uint8_t> levels, latest, hints;
        std::vector<lanecull::BlockOutcome> outcomes;
    };
    const auto objects = static_cast<std::size_t>(scene.object_count());
    std::vector<Lists> lists(views.size());
    std::vector<lanecull::Output> outputs(views.size());
    std::vector<lanecull::SceneOutput> of_scene(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
        Lists& to = lists[v];
        to.visible.resize(lanecull::visibility_words(scene)), to.inside.resize(lanecull::visibility_words(scene));
        to.handles.resize(objects), to.slots.resize(objects), to.runs.resize(objects);
        to.distances.resize(objects), to.levels.resize(objects);
        to.latest.assign(static_cast<std::size_t>(scene.handle_limit()), lanecull::no_lod);
        to.hints.resize(scene.hint_bytes()), to.outcomes.resize(scene.block_count());
        of_scene[v] = {.handles = to.handles,
                       .lod = {.distances = to.distances,
                               .levels = to.levels,
                               .thresholds = thresholds,
                               .hysteresis = hysteresis,
                               .latest = to.latest},
                       .block_outcomes = to.outcomes,
                       .hints = to.hints};
        outputs[v] = {.visible = to.visible,
                      .indices = to.slots,
                      .inside = to.inside,
                      .runs = to.runs,
                      .scene = &of_scene[v],
                      .explanation = &whys[v]};
    }
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, views.size()));
    lanecull::CullOptions options;
    options.method = method;
    options.runner = foreign_runner();
    // Twice: the second time there are hints and levels.
    for (int i = 0; i < 2; ++i) answer.add(lanecull::cull(scene, views, outputs, scratch, options));
    for (std::size_t v = 0; v < views.size(); ++v) {
        const Lists& to = lists[v];
        answer.add(to.visible), answer.add(to.inside), answer.add(to.handles), answer.add(to.slots);
        answer.add(to.runs), answer.add(to.distances), answer.add(to.levels), answer.add(to.latest);
        answer.add(to.hints), answer.add(to.outcomes);
        answer.add(whys[v].counts), answer.add(of_scene[v].inside_objects);
    }
}

void cull(Answer& answer) {
    const Scene scene = loaded(inputs().file);
    float numbers[] = {0.3f, 0.01f, 1e-4f, 0.25f};
    const std::span<const float> thresholds = std::span(numbers).first(3);
    for (const lanecull::Method method : all_methods) add_cull(answer, scene, thresholds, numbers[3], method);
    with_odd(std::span<float>(numbers), odd_floats(),
             [&] { add_cull(answer, scene, thresholds, numbers[3], lanecull::Method::planes); });
}

void visible_bounds(Answer& answer) {
    const Scene scene = loaded(inputs().file);
    std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
    for (const Handle handle : inputs().handles) {
        std::uint32_t slot = 0;
        Inputs::expect(scene.slot_of(handle, slot));
        if (handle % 3 == 0) visible[slot / 64] |= std::uint64_t{1} << slot % 64;
        if (handle % 97 != 0) continue;
        lanecull::WorldBox box;
        answer.add(lanecull::visible_bounds(scene, visible, box, {.runner = foreign_runner()}));
        answer.add(box);
    }
}

void slice_bounds(Answer& answer) {
    const Scene scene = loaded(inputs().file);
    struct Numbers {
        double matrix[16] = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
        double origin[3] = {0.5, -2, 3}, depths[4] = {0.5, 2, 5, 90};
    } numbers;
    std::vector<std::uint64_t> held(lanecull::visibility_words(scene), ~std::uint64_t{0});
    for (std::uint32_t i = 0; i < scene.block_count(); ++i) {  // no bits of vacant slots
        const lanecull::SceneBlock of = scene.block(i);
        for (std::uint32_t s = of.objects; s < 128; ++s) {
            held[(of.first_slot + s) / 64] &= ~(std::uint64_t{1} << (of.first_slot + s) % 64);
        }
    }
    with_odd_doubles(numbers, [&] {
        lanecull::WorldBox boxes[3];
        const lanecull::ClipSpace space{lanecull::MatrixLayout::column_major,
                                        lanecull::DepthRange::zero_to_one,
                                        {numbers.origin[0], numbers.origin[1], numbers.origin[2]}};
        const std::span<const double> depths = numbers.depths;
        answer.add(
            lanecull::slice_bounds(scene, held, numbers.matrix, space, depths, boxes, {.runner = foreign_runner()}));
        answer.add(std::span(boxes));
    });
}

void save(Answer& answer) { answer.add(SceneFile(loaded(inputs().moved_file)).bytes()); }

void load_from_memory(Answer& answer) {
    std::vector<std::byte> file = inputs().moved_file;
    for (std::size_t at = 0; at < file.size(); at += 997) {
        const std::byte before = file[at];
        if (at > 0) file[at] = ~before;
        Scene scene;
        answer.add(Scene::load(file, scene, foreign_runner()));
        add_blocks(answer, scene);
        file[at] = before;
    }
}

void load_from_file(Answer& answer) {
    static const SceneFile file(loaded(inputs().file));
    Scene scene;
    answer.add(Scene::load(file.path(), scene, foreign_runner()));
    add_blocks(answer, scene);
}

}  // namespace

std::span<const PublicCall> scene_calls() {
    static constexpr bool by_sets = true, again = true;
    static constexpr PublicCall calls[] = {{"lanecull_scene_add", add, by_sets},
                                           {"lanecull_scene_remove", remove, by_sets},
                                           {"lanecull_scene_replace", replace, by_sets},
                                           {"lanecull_scene_place", place, by_sets},
                                           {"lanecull_scene_set_attributes", set_attributes, by_sets},
                                           {"lanecull_scene_move", move, by_sets},
                                           {"lanecull_scene_refit", refit, by_sets},
                                           {"lanecull_scene_rebuild_within", rebuild_within, by_sets},
                                           {"lanecull_scene_rebuild", rebuild, by_sets},
                                           {"lanecull_scene_is_stale", look<&Scene::stale>},
                                           {"lanecull_scene_cost", look<&Scene::cost>},
                                           {"lanecull_scene_object_count", look<&Scene::object_count>},
                                           {"lanecull_scene_handle_limit", look<&Scene::handle_limit>},
                                           {"lanecull_scene_slot_count", look<&Scene::slot_count>},
                                           {"lanecull_visibility_words", visibility_words, !by_sets, again},
                                           {"lanecull_scene_bytes", look<&Scene::bytes>},
                                           {"lanecull_scene_slot_of", slot_of},
                                           {"lanecull_scene_block_count", look<&Scene::block_count>},
                                           {"lanecull_scene_block_of", block},
                                           {"lanecull_scratch_bytes", scratch_bytes, !by_sets, again},
                                           {"lanecull_scene_hint_bytes", look<&Scene::hint_bytes>},
                                           {"lanecull_cull", cull, by_sets, again},
                                           {"lanecull_visible_bounds", visible_bounds, by_sets, again},
                                           {"lanecull_slice_bounds", slice_bounds, by_sets, again},
                                           {"lanecull_scene_save", save},
                                           {"lanecull_scene_load_from_memory", load_from_memory},
                                           {"lanecull_scene_load", load_from_file}};
    return calls;
}

}  // namespace modes
