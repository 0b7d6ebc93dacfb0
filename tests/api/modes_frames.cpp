#include "api/modes_calls.hpp"

#include <array>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "api/modes_objects.hpp"
#include "support/culling.hpp"
#include "view/prepared_view.hpp"

/// The culling pass: memory, planning, preparing, culling, and what it says of a frame.
namespace modes {
namespace {

using lanecull::Casters;
using lanecull::CullPass;

/// The numbers of a frame.
struct Numbers {
    double matrix[16] = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
    double origin[3] = {0.5, -2, 3};
    double margin = 0.1;
    double toward[3] = {0.3, 1, -0.25}, up[3] = {0, 0.1, 1};
    double near_depth = 0.75, far_depth = 90, logarithmic = 0.7, filter_texels = 4.5;
    double at[3] = {1, 2, -8}, range = 20, point_light_near = 0.2, point_light_filter = 2.5;
    double forward[3] = {0, -1, -0.5}, spot_up[3] = {0, 0.1, 1}, tan_x = 0.7, tan_y = 0.9;
};

/// The frame that the numbers make: a camera, a directional light of two cascades, a point light and a spot.
struct Made {
    lanecull::PassDirectionalLight directional_light;
    lanecull::PassSpotLight spot;
    lanecull::PassCamera camera;
    std::array<lanecull::PassPointLight, 2> point_lights;

    explicit Made(const Numbers& n) {
        std::copy(n.matrix, n.matrix + 16, camera.clip_from_world);
        std::copy(n.origin, n.origin + 3, camera.clip_space.origin);
        camera.options.margin = n.margin;
        camera.directional_light = &directional_light;
        std::copy(n.toward, n.toward + 3, directional_light.directional_light.toward);
        std::copy(n.up, n.up + 3, directional_light.map.up);
        directional_light.near_depth = n.near_depth, directional_light.far_depth = n.far_depth,
        directional_light.logarithmic = n.logarithmic;
        directional_light.filter_texels = n.filter_texels;
        directional_light.cascades = 2;
        for (lanecull::PassPointLight& point_light : point_lights) {
            std::copy(n.at, n.at + 3, point_light.at);
            point_light.range = n.range, point_light.near_depth = n.point_light_near,
            point_light.filter_texels = n.point_light_filter;
        }
        std::copy(n.forward, n.forward + 3, spot.forward);
        std::copy(n.spot_up, n.spot_up + 3, spot.up);
        spot.tan_x = n.tan_x, spot.tan_y = n.tan_y;
        point_lights[1].spot = &spot;
    }
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;

    [[nodiscard]] lanecull::PassFrame frame() const { return {{&camera, 1}, point_lights}; }
};

constexpr lanecull::PassLimits limits = {1, 2, 2};
constexpr std::size_t views = 10;

/// Objects, in batches and in a scene.
struct Inputs {
    OddScene objects;
    lanecull::Scene scene;

    Inputs() {
        std::size_t count = 0;
        for (const lanecull::Batch& batch : objects.batches) count += batch.count();
        std::vector<lanecull::Handle> handles(count);
        if (!scene.add(objects.batches, handles)) throw std::runtime_error("modes_frames: no scene");
    }
};
const Inputs& inputs() {
    static const Inputs all;
    return all;
}

void add_plan(Answer& answer, const CullPass& pass) {
    answer.add(pass.view_count());
    answer.add(pass.maps());
    if (pass.view_count() > 0) answer.add(pass.cascades(0));
}
void add_views(Answer& answer, const CullPass& pass) {
    for (std::size_t v = 0; v < pass.view_count(); ++v) {
        answer.add(pass.view(v).prepared());
        if (pass.view(v).prepared()) answer.add(contents_of(pass.view(v)));
    }
}

/// Calls `call(pass, frame)` with odd numbers in the frame; the pass has memory for both kinds of objects.
template <class Call>
void with_odd_frames(const Call& call) {
    CullPass pass;
    if (!pass.reserve(limits, inputs().objects.batches) || !pass.reserve(limits, inputs().scene)) {
        throw std::runtime_error("modes_frames: no pass");
    }
    Numbers numbers;
    with_odd_doubles(numbers, [&] {
        const Made made(numbers);
        call(pass, made.frame());
    });
}

/// Calls `call(pass, frame)` once, with a frame that has been planned and prepared.
template <class Call>
void with_prepared(const Call& call) {
    CullPass pass;
    const Made made{Numbers()};
    const bool ready = pass.reserve(limits, inputs().objects.batches).ok() &&
                       pass.reserve(limits, inputs().scene).ok() &&
                       pass.plan(made.frame(), inputs().objects.batches).ok() && pass.prepare().ok();
    if (!ready) throw std::runtime_error("modes_frames: nothing prepared");
    call(pass, made.frame());
}

void reserve_for_batches(Answer& answer) {
    CullPass pass;
    answer.add(pass.reserve(limits, inputs().objects.batches));
}
void reserve_for_scene(Answer& answer) {
    CullPass pass;
    answer.add(pass.reserve(limits, inputs().scene));
}

// Odd frames are planned around a box, which culls nothing.

void plan_batches(Answer& answer) {
    with_prepared([&](CullPass& pass, const lanecull::PassFrame& frame) {
        answer.add(pass.plan(frame, inputs().objects.batches, {.runner = foreign_runner()}));
        add_plan(answer, pass);
    });
}
void plan_scene(Answer& answer) {
    with_prepared([&](CullPass& pass, const lanecull::PassFrame& frame) {
        answer.add(pass.plan(frame, inputs().scene, {.runner = foreign_runner()}));
        add_plan(answer, pass);
    });
}
void plan_around(Answer& answer) {
    const lanecull::WorldBox box{{-3, -2, -9}, {4, 5, 2}};
    with_odd_frames([&](CullPass& pass, const lanecull::PassFrame& frame) {
        answer.add(pass.plan(frame, box, foreign_runner()));
        add_plan(answer, pass);
    });
}

void prepare(Answer& answer) {
    const lanecull::WorldBox box{{-3, -2, -9}, {4, 5, 2}};
    with_odd_frames([&](CullPass& pass, const lanecull::PassFrame& frame) {
        if (!pass.plan(frame, box)) return;
        for (const Casters casters : {Casters::frustum, Casters::volume}) {
            answer.add(pass.prepare(casters, foreign_runner()));
            add_views(answer, pass);
        }
    });
}

/// Calls `cull(outputs)` with outputs of bits and adds the bits.
template <class Cull>
void add_bits(Answer& answer, std::size_t words, const Cull& cull) {
    std::vector<std::vector<std::uint64_t>> bits(views, std::vector<std::uint64_t>(words));
    std::vector<lanecull::Output> outputs(views);
    for (std::size_t v = 0; v < views; ++v) outputs[v].visible = bits[v];
    answer.add(cull(outputs));
    for (const auto& words_of_view : bits) answer.add(words_of_view);
}

void cull_batches(Answer& answer) {
    const auto& batches = inputs().objects.batches;
    with_prepared([&](CullPass& pass, const lanecull::PassFrame&) {
        add_bits(answer, lanecull::visibility_words(batches),
                 [&](auto& outputs) { return pass.cull(batches, outputs, {.runner = foreign_runner()}); });
    });
}
void cull_scene(Answer& answer) {
    with_prepared([&](CullPass& pass, const lanecull::PassFrame&) {
        add_bits(answer, lanecull::visibility_words(inputs().scene),
                 [&](auto& outputs) { return pass.cull(inputs().scene, outputs, {.runner = foreign_runner()}); });
    });
}
void run_batches(Answer& answer) {
    const auto& batches = inputs().objects.batches;
    with_prepared([&](CullPass& pass, const lanecull::PassFrame& frame) {
        add_bits(answer, lanecull::visibility_words(batches), [&](auto& outputs) {
            return pass.run(frame, batches, outputs, Casters::volume, {.runner = foreign_runner()});
        });
    });
}
void run_scene(Answer& answer) {
    with_prepared([&](CullPass& pass, const lanecull::PassFrame& frame) {
        add_bits(answer, lanecull::visibility_words(inputs().scene), [&](auto& outputs) {
            return pass.run(frame, inputs().scene, outputs, Casters::volume, {.runner = foreign_runner()});
        });
    });
}

void count_views(Answer& answer) { answer.add(lanecull::view_count(Made(Numbers()).frame())); }

/// A function that only looks at a prepared frame.
template <class Look>
void look(const Look& at) {
    with_prepared([&](const CullPass& pass, const lanecull::PassFrame&) { at(pass); });
}
void view_count(Answer& answer) {
    look([&](const CullPass& pass) { answer.add(pass.view_count()); });
}
void maps(Answer& answer) {
    look([&](const CullPass& pass) { answer.add(pass.maps()); });
}
void cascades(Answer& answer) {
    look([&](const CullPass& pass) { answer.add(pass.cascades(0)); });
}
void first_cascade_view(Answer& answer) {
    look([&](const CullPass& pass) { answer.add(pass.first_cascade_view(0)); });
}
void first_point_light_view(Answer& answer) {
    look([&](const CullPass& pass) { answer.add(pass.first_point_light_view(1)); });
}
void view(Answer& answer) {
    look([&](const CullPass& pass) { add_views(answer, pass); });
}

}  // namespace

std::span<const PublicCall> frame_calls() {
    static constexpr bool by_sets = true, again = true;
    static constexpr PublicCall calls[] = {{"lanecull_reserve_pass", reserve_for_batches},
                                           {"lanecull_reserve_pass", reserve_for_scene, !by_sets, again},
                                           {"lanecull_plan_pass", plan_batches, by_sets},
                                           {"lanecull_plan_pass", plan_scene, by_sets, again},
                                           {"lanecull_plan_pass_in_box", plan_around},
                                           {"lanecull_prepare_pass", prepare},
                                           {"lanecull_cull_pass_views", cull_batches, by_sets},
                                           {"lanecull_cull_pass_views", cull_scene, by_sets, again},
                                           {"lanecull_run_pass", run_batches, by_sets},
                                           {"lanecull_run_pass", run_scene, by_sets, again},
                                           {"lanecull_frame_view_count", count_views},
                                           {"lanecull_pass_view_count", view_count},
                                           {"lanecull_pass_maps", maps},
                                           {"lanecull_pass_map_count", maps},
                                           {"lanecull_pass_cascades", cascades},
                                           {"lanecull_pass_cascade_count", cascades},
                                           {"lanecull_pass_first_cascade_view", first_cascade_view},
                                           {"lanecull_pass_first_point_light_view", first_point_light_view},
                                           {"lanecull_pass_view", view}};
    return calls;
}

}  // namespace modes
