#include <array>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "api/modes.hpp"
#include "support/culling.hpp"
#include "support/files.hpp"

/// Ordered scenes: edits, culls and files.
namespace modes {
namespace {

using lanecull::Handle;
using lanecull::Scene;

struct Inputs {
    OddScene objects;
    std::vector<Handle> handles;        ///< of the scene's objects
    std::vector<std::byte> file;        ///< the scene
    std::vector<std::byte> moved_file;  ///< the same after some edits, not refitted
    std::vector<float> steps;           ///< one for each object, of any size
    std::vector<lanecull::View> views;

    Inputs() {
        handles.resize(objects.count);
        Scene scene;
        expect_ok(scene.add(objects.batches, handles, {.origin = {0.1, -0.2, 0.3}}));
        scene.refit();
        file = SceneFile(scene).bytes();

        Random random(4);
        const std::span<const float> odd = odd_numbers(0.0f);
        for (std::size_t i = 0; i < objects.count; ++i) {
            steps.push_back(random.chance(0.1) ? odd[i % odd.size()] : static_cast<float>(random.range(-1, 1)));
        }
        expect_ok(scene.move(handles, steps.data(), steps.data(), steps.data()));
        moved_file = SceneFile(scene).bytes();

        views.push_back(objects.camera.view);
        for (const Projection projection : {Projection::infinite, Projection::opengl}) {
            views.push_back(random_prepared_camera(random, projection).view);
        }
    }
};

const Inputs& inputs() { return only<Inputs>(); }

Scene loaded(const std::vector<std::byte>& file) {
    Scene scene;
    expect_ok(Scene::load(file, scene, foreign_runner()));
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
    answer.add(lanecull::cull(scene, {inputs().views.data(), 1}, {&output, 1}, scratch, {.runner = foreign_runner()}),
               words);
}

// Edits.

/// Calls edit(scene), which may add to the answer as well, and adds what the scene has become.
template <class Edit>
void edited(Answer& answer, const std::vector<std::byte>& file, const Edit& edit) {
    Scene scene = loaded(file);
    edit(scene);
    add_contents(answer, scene);
}

/// By objects of all kinds in turn.
template <class Edit>
void each_batch(std::size_t first, const Edit& edit) {
    for (const lanecull::Batch& batch : inputs().objects.batches) {
        edit(std::span(inputs().handles).subspan(first, batch.count()), batch);
    }
}

const Registered add("lanecull_scene_add", by_sets | takes_memory, [](Answer& answer) {
    const Inputs& in = inputs();
    std::vector<Handle> handles(in.handles.size());
    Scene whole;
    answer.add(whole.add(in.objects.batches, handles, {}, foreign_runner()));
    add_contents(answer, whole);

    double origin[3] = {1e9 + 0.1, -0.0, 0.3};
    const std::span<Handle> few = std::span(handles).first(in.objects.batches[0].count());
    with_odd(origin, [&] {
        Scene scene;
        // Twice, for the second objects go into the first one's blocks if the origins are the same.
        for (const double y : {origin[1], 0.0}) {
            const lanecull::AddOptions options{.mobility = lanecull::Mobility::moving,
                                               .origin = {origin[0], y, origin[2]}};
            answer.add(scene.add({in.objects.batches.data(), 1}, few, options, foreign_runner()));
        }
        add_contents(answer, scene);
    });
});

const Registered remove_objects("lanecull_scene_remove", by_sets | takes_memory, [](Answer& answer) {
    edited(answer, inputs().file, [&](Scene& scene) { answer.add(scene.remove({inputs().handles.data(), 500})); });
});

const Registered replace("lanecull_scene_replace", by_sets | takes_memory, [](Answer& answer) {
    edited(answer, inputs().file, [&](Scene& scene) {
        for (const std::size_t first : {std::size_t{0}, std::size_t{50}, std::size_t{100}}) {
            each_batch(first, [&](auto handles, const lanecull::Batch& batch) {
                answer.add(scene.replace(handles, batch));
                add_blocks(answer, scene);
            });
        }
    });
});

const Registered place("lanecull_scene_place", by_sets | takes_memory, [](Answer& answer) {
    edited(answer, inputs().file, [&](Scene& scene) {
        each_batch(0, [&](auto handles, const lanecull::Batch& batch) {
            answer.add(scene.replace(handles, batch), scene.place(handles, batch, foreign_runner()));
            scene.refit(lanecull::Refit::grown, foreign_runner());
            add_blocks(answer, scene);
        });
    });
});

/// Of objects of all kinds, each attribute in turn.
const Registered set_attributes("lanecull_scene_set_attributes", by_sets | takes_memory, [](Answer& answer) {
    const Inputs& in = inputs();
    const float* const steps = in.steps.data();
    const lanecull::Attributes all[] = {{.margin = steps},
                                        {.sweep_x = steps, .sweep_y = steps, .sweep_z = steps},
                                        {.flags = in.handles.data()},
                                        {.layers = in.handles.data()},
                                        {.max_distance = steps},
                                        {.min_projected_size = steps},
                                        {.min_distance = steps}};
    edited(answer, in.file, [&](Scene& scene) {
        for (const lanecull::Attributes& attributes : all) {
            answer.add(scene.set_attributes(in.handles, attributes));
            add_blocks(answer, scene);
        }
    });
});

const Registered move("lanecull_scene_move", by_sets | takes_memory, [](Answer& answer) {
    const Inputs& in = inputs();
    const float* const steps = in.steps.data();
    edited(answer, in.file, [&](Scene& scene) {
        answer.add_without_memory([&] { return scene.move(in.handles, steps, steps, steps); });
        add_blocks(answer, scene);
    });
});

const Registered refit("lanecull_scene_refit", by_sets | takes_memory, [](Answer& answer) {
    for (const lanecull::Refit fit : {lanecull::Refit::tight, lanecull::Refit::grown}) {
        edited(answer, inputs().moved_file, [&](Scene& scene) {
            answer.add_without_memory([&] {
                scene.refit(fit, foreign_runner());
                return scene.stale();
            });
            add_blocks(answer, scene);
        });
    }
});

const Registered rebuild_within("lanecull_scene_rebuild_within", by_sets | takes_memory, [](Answer& answer) {
    edited(answer, inputs().moved_file, [&](Scene& scene) {
        const lanecull::PartialRebuild done = scene.rebuild_within(~std::uint64_t{0});
        answer.add(done.blocks, done.objects);
    });
});

const Registered rebuild("lanecull_scene_rebuild", by_sets | takes_memory, [](Answer& answer) {
    edited(answer, inputs().moved_file, [&](Scene& scene) { answer.add(scene.rebuild(foreign_runner())); });
});

// What a scene says of itself.

/// Calls look(scene) with both scenes.
template <auto look>
void look_at(Answer& answer) {
    for (const std::vector<std::byte>* file : {&inputs().file, &inputs().moved_file}) {
        const Scene scene = loaded(*file);
        answer.add_without_memory([&] { return look(scene); });
    }
}
using S = const Scene&;
const Registered looks[] = {
    {"lanecull_scene_is_stale", takes_memory, look_at<[](S scene) { return scene.stale(); }>},
    {"lanecull_scene_cost", takes_memory, look_at<[](S scene) { return scene.cost(); }>},
    {"lanecull_scene_object_count", takes_memory, look_at<[](S scene) { return scene.object_count(); }>},
    {"lanecull_scene_handle_limit", takes_memory, look_at<[](S scene) { return scene.handle_limit(); }>},
    {"lanecull_scene_slot_count", takes_memory, look_at<[](S scene) { return scene.slot_count(); }>},
    {"lanecull_scene_bytes", takes_memory, look_at<[](S scene) { return scene.bytes(); }>},
    {"lanecull_scene_block_count", takes_memory, look_at<[](S scene) { return scene.block_count(); }>},
    {"lanecull_scene_hint_bytes", takes_memory, look_at<[](S scene) { return scene.hint_bytes(); }>},
    {"lanecull_visibility_words", again | takes_memory, look_at<[](S s) { return lanecull::visibility_words(s); }>},
    {"lanecull_scratch_bytes", again | takes_memory, look_at<[](S s) { return lanecull::scratch_bytes(s, 3); }>},
    {"lanecull_order_bytes", again | takes_memory, look_at<[](S s) { return lanecull::order_bytes(s, 3); }>}};

const Registered block("lanecull_scene_block_of", takes_memory,
                       [](Answer& answer) { add_blocks(answer, loaded(inputs().moved_file)); });

const Registered slot_of("lanecull_scene_slot_of", takes_memory, [](Answer& answer) {
    const Scene scene = loaded(inputs().file);
    for (const Handle handle : inputs().handles) {
        std::uint32_t slot = 0;
        answer.add(scene.slot_of(handle, slot), slot);
    }
});

// Culls.

/// The outputs of one view.
struct SceneLists : Lists {
    std::vector<Handle> handles;
    std::vector<float> distances;
    std::vector<std::uint8_t> levels, latest, hints;
    std::vector<lanecull::BlockOutcome> outcomes;
    lanecull::SceneOutput of_scene;

    explicit SceneLists(const Scene& scene)
        : Lists(lanecull::visibility_words(scene), scene.object_count()),
          handles(scene.object_count()),
          distances(scene.object_count()),
          levels(scene.object_count()),
          latest(scene.handle_limit(), lanecull::no_lod),
          hints(scene.hint_bytes()),
          outcomes(scene.block_count()) {}

    [[nodiscard]] lanecull::Output output_by(std::span<const float> thresholds, float hysteresis) {
        of_scene.handles = handles;
        of_scene.lod = {.distances = distances,
                        .levels = levels,
                        .thresholds = thresholds,
                        .hysteresis = hysteresis,
                        .latest = latest};
        of_scene.block_outcomes = outcomes, of_scene.hints = hints;
        lanecull::Output all = output();
        all.scene = &of_scene;
        return all;
    }
};

const Registered cull("lanecull_cull", by_sets | again | takes_memory, [](Answer& answer) {
    const Scene scene = loaded(inputs().file);
    const std::vector<lanecull::View>& views = inputs().views;
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, views.size()));
    std::array<float, 4> numbers = {0.3f, 0.01f, 1e-4f, 0.25f};
    const auto cull_all = [&](lanecull::Method method, std::size_t count) {
        std::vector<SceneLists> lists(count, SceneLists(scene));
        std::vector<lanecull::Output> outputs;
        for (SceneLists& to : lists) outputs.push_back(to.output_by(std::span(numbers).first(3), numbers[3]));
        const lanecull::CullOptions options{.method = method, .runner = foreign_runner()};
        // Twice: the second time there are hints and levels.
        for (int i = 0; i < 2; ++i) {
            answer.add_without_memory(
                [&] { return lanecull::cull(scene, std::span(views).first(count), outputs, scratch, options); });
        }
        for (const SceneLists& to : lists) {
            to.add_to(answer);
            answer.add(to.handles, to.distances, to.levels, to.latest, to.hints, to.outcomes);
            answer.add(to.of_scene.inside_objects);
        }
    };
    for (const lanecull::Method method : all_methods) cull_all(method, views.size());
    with_odd(numbers, [&] { cull_all(lanecull::Method::planes, 1); });
});

/// Bits of all objects; none of vacant slots.
std::vector<std::uint64_t> bits_of_all(const Scene& scene) {
    std::vector<std::uint64_t> bits(lanecull::visibility_words(scene));
    for (const Handle handle : inputs().handles) {
        std::uint32_t slot = 0;
        expect_ok(scene.slot_of(handle, slot));
        bits[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    return bits;
}

const Registered visible_bounds("lanecull_visible_bounds", by_sets | again | takes_memory, [](Answer& answer) {
    const Scene scene = loaded(inputs().file);
    std::vector<std::uint64_t> visible = bits_of_all(scene);
    for (std::uint64_t& word : visible) {
        lanecull::WorldBox box;
        answer.add_without_memory(
            [&] { return lanecull::visible_bounds(scene, visible, box, {.runner = foreign_runner()}); });
        answer.add(box);
        word &= 0x1249249249249249;
    }
});

const Registered slice_bounds("lanecull_slice_bounds", by_sets | again | takes_memory, [](Answer& answer) {
    const Scene scene = loaded(inputs().file);
    std::vector<std::uint64_t> visible = bits_of_all(scene);
    std::array<double, 16> matrix = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
    lanecull::ClipSpace space{.origin = {0.5, -2, 3}};
    std::array<double, 4> depths = {0.5, 2, 5, 90};
    const auto add_bounds = [&] {
        lanecull::WorldBox boxes[3];
        answer.add_without_memory([&] {
            return lanecull::slice_bounds(scene, visible, matrix, space, depths, boxes, {.runner = foreign_runner()});
        });
        answer.add(boxes);
    };
    add_bounds();
    for (std::uint64_t& word : visible) word &= 0x8000000100000001;  // with odd numbers some objects of each kind
    with_odd(matrix, add_bounds);
    with_odd(space.origin, add_bounds);
    with_odd(depths, add_bounds);
});

// Files.

const Registered save("lanecull_scene_save", takes_memory,
                      [](Answer& answer) { answer.add(SceneFile(loaded(inputs().moved_file)).bytes()); });

const Registered load_from_memory("lanecull_scene_load_from_memory", takes_memory, [](Answer& answer) {
    std::vector<std::byte> file = inputs().moved_file;
    for (std::size_t at = 0; at < file.size(); at += 997) {
        const std::byte before = file[at];
        if (at > 0) file[at] = ~before;
        Scene scene;
        answer.add(Scene::load(file, scene, foreign_runner()));
        add_blocks(answer, scene);
        file[at] = before;
    }
});

const Registered load_from_file("lanecull_scene_load", takes_memory, [](Answer& answer) {
    static const SceneFile file(loaded(inputs().file));
    Scene scene;
    answer.add(Scene::load(file.path(), scene, foreign_runner()));
    add_blocks(answer, scene);
});

}  // namespace
}  // namespace modes
