
#include <array>
#include <vector>

#include <lanecull/light_grid.h>
#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "api/modes.hpp"
#include "frame/world.hpp"
#include "support/culling.hpp"
#include "view/prepared_view.hpp"

/// A frame. The culling pass: memory, planning, preparing, culling, and what it says of a frame; reserve() alone takes
/// memory. And its lights in cells.
namespace modes {
namespace {

using lanecull::Casters;
using lanecull::CullPass;
using lanecull::PassFrame;

/// A camera, a directional light of two cascades, a point light and a spot. It is made once, under the usual modes.
frame_tests::Made& made() {
    static frame_tests::Made frame;
    if (frame.cameras.empty()) {
        frame.add_camera({}, 2);
        frame.add_point_light({1, 2, -8}, 20).filter_texels = 2.5;
        frame.add_spot({1, 2, -8}, 20, {0, -1, -0.5});
        frame.cameras[0].options.margin = 0.1;
    }
    return frame;
}

/// Calls call() with odd numbers in the frame.
template <class Call>
void with_odd_frame(const Call& call) {
    lanecull::PassCamera& camera = made().cameras[0];
    lanecull::PassDirectionalLight& light = made().directional_lights[0];
    with_odd(camera.clip_from_world, call), with_odd(camera.clip_space.origin, call);
    with_odd(light.directional_light.toward, call), with_odd(light.map.up, call);
    for (lanecull::PassPointLight& point_light : made().point_lights) {
        with_odd(point_light.at, call);
        for (double* number : {&point_light.range, &point_light.near_depth, &point_light.filter_texels}) {
            with_odd(std::span(number, 1), call);
        }
    }
    lanecull::PassSpotLight& spot = made().spots[0];
    with_odd(spot.forward, call), with_odd(spot.up, call);
    for (double* number : {&camera.options.margin, &light.near_depth, &light.far_depth, &light.logarithmic,
                           &light.filter_texels, &spot.tan_x, &spot.tan_y}) {
        with_odd(std::span(number, 1), call);
    }
}

/// Objects, in batches and in a scene.
struct Inputs {
    OddScene objects;
    lanecull::Scene scene;

    Inputs() {
        std::vector<lanecull::Handle> handles(objects.count);
        expect_ok(scene.add(objects.batches, handles));
    }
};
const Inputs& inputs() { return only<Inputs>(); }
const std::vector<lanecull::Batch>& batches() { return inputs().objects.batches; }

void add_plan(Answer& answer, const CullPass& pass) {
    answer.add(pass.view_count(), pass.maps());
    if (pass.view_count() > 0) answer.add(pass.cascades(0));
}
void add_views(Answer& answer, const CullPass& pass) {
    for (std::size_t v = 0; v < pass.view_count(); ++v) {
        answer.add(pass.view(v).prepared());
        if (pass.view(v).prepared()) answer.add(contents_of(pass.view(v)));
    }
}

/// With memory for both kinds of objects.
CullPass reserved() {
    CullPass pass;
    expect_ok(pass.reserve(made().limits(), batches()));
    expect_ok(pass.reserve(made().limits(), inputs().scene));
    return pass;
}

/// Frames with odd numbers are planned around a box, which culls nothing.
constexpr lanecull::WorldBox box = {{-3, -2, -9}, {4, 5, 2}};

/// Calls `call(pass, frame)` once, with a frame that has been planned and prepared.
template <class Call>
void with_prepared(const Call& call) {
    CullPass pass = reserved();
    expect_ok(pass.plan(made().frame(), batches()));
    expect_ok(pass.prepare());
    call(pass, made().frame());
}

const Registered reserve_for_batches("lanecull_reserve_pass", takes_memory, [](Answer& answer) {
    CullPass pass;
    answer.add(pass.reserve(made().limits(), batches()));
});
const Registered reserve_for_scene("lanecull_reserve_pass", again | takes_memory, [](Answer& answer) {
    CullPass pass;
    answer.add(pass.reserve(made().limits(), inputs().scene));
});

template <class Objects>
void plan(Answer& answer, const Objects& objects) {
    with_prepared([&](CullPass& pass, const PassFrame& frame) {
        answer.add_without_memory([&] { return pass.plan(frame, objects, {.runner = foreign_runner()}); });
        add_plan(answer, pass);
    });
}
const Registered plan_batches("lanecull_plan_pass", by_sets | takes_memory,
                              [](Answer& answer) { plan(answer, batches()); });
const Registered plan_scene("lanecull_plan_pass", by_sets | again | takes_memory,
                            [](Answer& answer) { plan(answer, inputs().scene); });

const Registered plan_around("lanecull_plan_pass_in_box", takes_memory, [](Answer& answer) {
    CullPass pass = reserved();
    with_odd_frame([&] {
        answer.add_without_memory([&] { return pass.plan(made().frame(), box, foreign_runner()); });
        add_plan(answer, pass);
    });
});

const Registered prepare("lanecull_prepare_pass", takes_memory, [](Answer& answer) {
    CullPass pass = reserved();
    with_odd_frame([&] {
        if (!pass.plan(made().frame(), box)) return;
        for (const Casters casters : {Casters::frustum, Casters::volume}) {
            answer.add_without_memory([&] { return pass.prepare(casters, foreign_runner()); });
            add_views(answer, pass);
        }
    });
});

/// Calls `cull(outputs)` with outputs of bits and adds the bits; and with too few outputs.
template <class Cull>
void add_bits(Answer& answer, std::size_t words, const Cull& cull) {
    const std::size_t views = lanecull::view_count(made().frame());
    std::vector<std::vector<std::uint64_t>> bits(views, std::vector<std::uint64_t>(words));
    std::vector<lanecull::Output> outputs(views);
    for (std::size_t v = 0; v < views; ++v) outputs[v].visible = bits[v];
    answer.add_without_memory([&] { return cull(std::span(outputs)); });
    answer.add(bits);
    answer.add_without_memory([&] { return cull(std::span(outputs).first(views - 1)); });
}

template <class Objects>
void cull(Answer& answer, const Objects& objects) {
    with_prepared([&](CullPass& pass, const PassFrame&) {
        add_bits(answer, lanecull::visibility_words(objects), [&](std::span<lanecull::Output> outputs) {
            return pass.cull(objects, outputs, {.runner = foreign_runner()});
        });
    });
}
const Registered cull_batches("lanecull_cull_pass_views", by_sets | takes_memory,
                              [](Answer& answer) { cull(answer, batches()); });
const Registered cull_scene("lanecull_cull_pass_views", by_sets | again | takes_memory,
                            [](Answer& answer) { cull(answer, inputs().scene); });

template <class Objects>
void run(Answer& answer, const Objects& objects) {
    with_prepared([&](CullPass& pass, const PassFrame& frame) {
        add_bits(answer, lanecull::visibility_words(objects), [&](std::span<lanecull::Output> outputs) {
            return pass.run(frame, objects, outputs, Casters::volume, {.runner = foreign_runner()});
        });
    });
}
const Registered run_batches("lanecull_run_pass", by_sets | takes_memory,
                             [](Answer& answer) { run(answer, batches()); });
const Registered run_scene("lanecull_run_pass", by_sets | again | takes_memory,
                           [](Answer& answer) { run(answer, inputs().scene); });

const Registered count_views("lanecull_frame_view_count",
                             [](Answer& answer) { answer.add(lanecull::view_count(made().frame())); });

/// What a prepared frame says of itself.
template <auto look>
void look_at(Answer& answer) {
    with_prepared(
        [&](const CullPass& pass, const PassFrame&) { answer.add_without_memory([&] { return look(pass); }); });
}
using P = const CullPass&;
const Registered looks[] = {
    {"lanecull_pass_view_count", takes_memory, look_at<[](P pass) { return pass.view_count(); }>},
    {"lanecull_pass_maps", takes_memory, look_at<[](P pass) { return pass.maps(); }>},
    {"lanecull_pass_map_count", takes_memory, look_at<[](P pass) { return pass.maps().size(); }>},
    {"lanecull_pass_cascades", takes_memory, look_at<[](P pass) { return pass.cascades(0); }>},
    {"lanecull_pass_cascade_count", takes_memory, look_at<[](P pass) { return pass.cascades(0).size(); }>},
    {"lanecull_pass_first_cascade_view", takes_memory, look_at<[](P pass) { return pass.first_cascade_view(0); }>},
    {"lanecull_pass_first_point_light_view", takes_memory,
     look_at<[](P pass) { return pass.first_point_light_view(1); }>}};

/// What a frame's cull says of the walls that it chose from.
template <auto look>
void look_at_chosen(Answer& answer) {
    static constexpr lanecull::SolidBox walls[] = {{{-15, -15, -31}, {15, 15, -30}}, {{-40, -9, -52}, {-20, 9, -50}}};
    const lanecull::PassOccluders from{.solids = {.boxes = walls}};
    PassFrame frame = made().frame();
    frame.occluders = &from;
    lanecull::PassLimits limits = made().limits();
    limits.solids = 2;
    CullPass pass;
    expect_ok(pass.reserve(limits, batches()));
    std::vector<lanecull::Output> outputs(lanecull::view_count(frame));
    expect_ok(pass.run(frame, batches(), outputs));
    answer.add_without_memory([&] { return look(pass); });
}
const Registered chosen[] = {
    {"lanecull_pass_chosen_solids", takes_memory, look_at_chosen<[](P pass) { return pass.chosen_solids(0); }>},
    {"lanecull_pass_chosen_solid_count", takes_memory,
     look_at_chosen<[](P pass) { return pass.chosen_solids(0).size(); }>}};

const Registered view("lanecull_pass_view", takes_memory, [](Answer& answer) {
    with_prepared([&](const CullPass& pass, const PassFrame&) { add_views(answer, pass); });
});

// Lights in cells of a view.

struct LightNumbers {
    std::array<double, 16> matrix = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
    std::array<double, 4> boundaries = {0.1, 1, 5, 40};
    std::array<float, 4> ball = {0.5f, -0.25f, -3, 2};
    std::array<float, 8> spot = {1, 2, -8, 6, 0.25f, -1, 0.5f, 0.4f};
};

const Registered assign_lights("lanecull_assign_lights", by_sets, [](Answer& answer) {
    static LightNumbers numbers;
    static std::vector<std::byte> scratch(lanecull::light_scratch_bytes(4, 3, 3, 2));
    const auto call = [&] {
        const std::array<float, 4>& b = numbers.ball;
        const std::array<float, 8>& s = numbers.spot;
        lanecull::LightGrid grid;
        grid.clip_from_world = numbers.matrix.data();
        grid.tiles_x = 4, grid.tiles_y = 3;
        grid.boundaries = numbers.boundaries;
        lanecull::Lights lights;
        lights.balls = {&b[0], &b[1], &b[2], &b[3], 1};
        lights.spots = {&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], 1};
        std::array<std::uint32_t, 37> offsets{};
        std::array<std::uint32_t, 72> indices{};
        lanecull::LightLists lists;
        lists.offsets = offsets, lists.indices = indices;
        answer.add_without_memory([&] { return lanecull::assign_lights(grid, lights, lists, scratch); });
        answer.add(offsets, indices, lists.entry_count);
    };
    with_odd(numbers.matrix, call), with_odd(numbers.boundaries, call);
    with_odd(numbers.ball, call), with_odd(numbers.spot, call);
});

const Registered cull_lights("lanecull_cull_lights", by_sets, [](Answer& answer) {
    static LightNumbers numbers;
    static std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, 2));
    static lanecull::WorldBox cell{{-2, -2, -5}, {2, 1, -1}};
    const auto call = [&] {
        const std::array<float, 4>& b = numbers.ball;
        const std::array<float, 8>& s = numbers.spot;
        lanecull::LightGrid grid;
        grid.clip_from_world = numbers.matrix.data();
        lanecull::Lights lights;
        lights.balls = {&b[0], &b[1], &b[2], &b[3], 1};
        lights.spots = {&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], 1};
        std::array<std::uint64_t, 1> visible{};
        answer.add_without_memory([&] { return lanecull::cull_lights(grid, lights, {&cell}, visible, scratch); });
        answer.add(visible);
    };
    with_odd(numbers.matrix, call), with_odd(cell.lower, call);
    with_odd(numbers.ball, call), with_odd(numbers.spot, call);
});

}  // namespace
}  // namespace modes
