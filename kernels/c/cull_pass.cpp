/// c/cull_pass.h

#include <lanecull/c/cull_pass.h>

#include <algorithm>

#include <lanecull/cull_pass.hpp>

#include "c/lists.hpp"
#include "c/options.hpp"
#include "c/outputs.hpp"
#include "c/scenes.hpp"
#include "c/shadows.hpp"
#include "c/view_options.hpp"

using namespace lanecull;

/// A pass, and a frame with its outputs as C++ has them.
struct lanecull_pass : Allocated {
    CullPass pass;
    Array<PassCamera> cameras;
    Array<PassSun> suns;
    Array<PassLamp> lamps;
    Array<PassSpot> spots;
    Array<Output> outputs;
    Array<Explanation> explanations;
    Array<SceneOutput> scene_outputs;
    PassFrame frame;
};

namespace lanecull::c {
namespace {

constexpr std::uint32_t most_reserved = 65'536;  // as CullPass::reserve() has it

Status no_memory() { return Status::failure(StatusCode::out_of_memory, "pass: there is not enough memory"); }

Status check_pass(const lanecull_pass* pass) {
    return pass != nullptr ? Status() : Status::failure("pass: must not be null");
}

/// reserve(limits), with memory for frames and outputs of C++.
template <class Reserve>
lanecull_status reserve(lanecull_pass* pass, const PassLimits& limits, lanecull_message* message,
                        const Reserve& what) noexcept {
    Status status = check_pass(pass);
    if (status && std::max({limits.cameras, limits.cascades, limits.lamps}) > most_reserved) {
        status = Status::failure("limits: more than %u of something", most_reserved);
    }
    if (status) {
        const std::uint64_t views = limits.cameras + std::uint64_t{limits.cascades} + 6 * std::uint64_t{limits.lamps};
        const bool reserved = pass->cameras.reserve(limits.cameras) && pass->suns.reserve(limits.cameras) &&
                              pass->lamps.reserve(limits.lamps) && pass->spots.reserve(limits.lamps) &&
                              pass->outputs.reserve(views) && pass->explanations.reserve(views) &&
                              pass->scene_outputs.reserve(views);
        status = reserved ? what(limits) : no_memory();
    }
    return report(status, message);
}

Status take_pass_sun(const lanecull_pass_sun& given, PassSun& to) {
    if (Status status = check_struct(&given, "frame.cameras.sun"); !status) return status;
    if (given.sun == nullptr) return Status::failure("frame.cameras.sun.sun: must not be null");
    if (Status status = take_sun(*given.sun, to.sun); !status) return status;
    lanecull_sun_map_options map = {
        sizeof map, {}, {given.up[0], given.up[1], given.up[2]}, given.texels, given.is_tight};
    to.near_depth = given.near_depth;
    to.far_depth = given.far_depth;
    to.cascades = or_default(given.cascades, to.cascades);
    to.logarithmic = given.logarithmic;
    to.filter_texels = or_default(given.filter_texels, to.filter_texels);
    if (given.layer_mask != nullptr) to.layer_mask = *given.layer_mask;
    return take_map_options(map, to.map);
}

Status take_camera(const lanecull_pass_camera& given, PassCamera& to, PassSun& sun) {
    if (given.clip_from_world == nullptr) return Status::failure("frame.cameras.clip_from_world: must not be null");
    std::copy_n(given.clip_from_world, 16, to.clip_from_world.begin());
    TakenOptions options;
    if (Status status = take_clip_space(given.clip_space, to.clip_space); !status) return status;
    if (Status status = options.take(given.options); !status) return status;
    if (options.options.sun != nullptr || options.options.lamp != nullptr) {
        return Status::failure("frame.cameras.options: must have no light");
    }
    to.options = options.options;
    if (given.sun == nullptr) return {};
    to.sun = &sun;
    return take_pass_sun(*given.sun, sun);
}

Status take_pass_lamp(const lanecull_pass_lamp& given, PassLamp& to, PassSpot& spot) {
    std::copy_n(given.at, 3, to.at);
    to.range = given.range;
    to.near_depth = given.near_depth;
    to.texels = or_default(given.texels, to.texels);
    to.filter_texels = or_default(given.filter_texels, to.filter_texels);
    if (given.layer_mask != nullptr) to.layer_mask = *given.layer_mask;
    if (given.is_spot != 0) {
        std::copy_n(given.forward, 3, spot.forward);
        std::copy_n(given.up, 3, spot.up);
        spot.tan_x = or_default(given.tan_x, 1.0);
        spot.tan_y = or_default(given.tan_y, 1.0);
        to.spot = &spot;
    }
    return take(given.cameras, given.camera_count, "frame.lamps.cameras", to.cameras);
}

/// Sets pass.frame, whose memory has been reserved.
Status take_frame(const lanecull_pass_frame* given, lanecull_pass& pass) {
    if (Status status = check_struct(given, "frame"); !status) return status;
    const Row<const lanecull_pass_camera> cameras(given->cameras);
    const Row<const lanecull_pass_lamp> lamps(given->lamps);
    if (given->camera_count > pass.cameras.capacity_bytes() / sizeof(PassCamera) ||
        given->lamp_count > pass.lamps.capacity_bytes() / sizeof(PassLamp)) {
        return Status::failure("frame: has more cameras or lamps than were reserved");
    }
    if (Status status = cameras.check(given->camera_count, "frame.cameras"); !status) return status;
    if (Status status = lamps.check(given->lamp_count, "frame.lamps"); !status) return status;
    const bool fits = pass.cameras.resize(given->camera_count) && pass.suns.resize(given->camera_count) &&
                      pass.lamps.resize(given->lamp_count) && pass.spots.resize(given->lamp_count);
    if (!fits) return no_memory();
    for (std::size_t i = 0; i < given->camera_count; ++i) {
        pass.cameras[i] = PassCamera();
        pass.suns[i] = PassSun();
        if (Status status = take_camera(cameras[i], pass.cameras[i], pass.suns[i]); !status) return status;
    }
    for (std::size_t i = 0; i < given->lamp_count; ++i) {
        pass.lamps[i] = PassLamp();
        pass.spots[i] = PassSpot();
        if (Status status = take_pass_lamp(lamps[i], pass.lamps[i], pass.spots[i]); !status) return status;
    }
    pass.frame = {{pass.cameras.data(), pass.cameras.size()}, {pass.lamps.data(), pass.lamps.size()}};
    return {};
}

/// Runs the frame over the objects.
template <class Given>
Status run(lanecull_pass& pass, const lanecull_pass_frame* frame, const Objects& objects, Given* outputs,
           std::size_t output_count, std::uint32_t casters, const lanecull_cull_options* options,
           const lanecull_runner* runner) {
    CullOptions how;
    const Row<Given> given(outputs);
    Status status = take_frame(frame, pass);
    if (status && casters > LANECULL_CASTERS_FRUSTUM)
        status = Status::failure("casters: there is no number %u", casters);
    if (status) status = take_options(options, how);
    if (status) status = take_runner(runner, how.runner);
    if (status && output_count > pass.outputs.capacity_bytes() / sizeof(Output)) {
        status = Status::failure("outputs: %zu are more than were reserved", output_count);
    }
    if (status) status = given.check(output_count, "outputs");
    if (status && !(pass.outputs.resize(output_count) && pass.explanations.resize(output_count) &&
                    pass.scene_outputs.resize(output_count))) {
        status = no_memory();
    }
    Fields fields;
    for (std::size_t v = 0; v < output_count && status; ++v) {
        take_output(given[v], fields, pass.outputs[v], pass.explanations[v], pass.scene_outputs[v]);
    }
    if (status) status = fields.status();
    const Casters of = casters == LANECULL_CASTERS_FRUSTUM ? Casters::frustum : Casters::volume;
    if (status) status = pass.pass.run(pass.frame, objects, {pass.outputs.data(), output_count}, of, how);
    for (std::size_t v = 0; v < output_count && status; ++v) give_results(pass.outputs[v], given[v]);
    return status;
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_create_pass(lanecull_pass** pass, lanecull_message* message) {
    if (pass == nullptr) return c::report(Status::failure("pass: must not be null"), message);
    auto* const made = new (std::nothrow) lanecull_pass;
    if (made == nullptr) return c::report(c::no_memory(), message);
    *pass = made;
    return c::report({}, message);
}

void lanecull_destroy_pass(lanecull_pass* pass) { delete pass; }

lanecull_status lanecull_reserve_pass(lanecull_pass* pass, uint32_t cameras, uint32_t cascades, uint32_t lamps,
                                      const lanecull_batches* batches, lanecull_message* message) {
    return c::reserve(pass, {cameras, cascades, lamps}, message, [&](const PassLimits& limits) {
        if (batches == nullptr) return Status::failure("batches: must not be null");
        return pass->pass.reserve(limits, batches->all());
    });
}

lanecull_status lanecull_reserve_pass_for_scene(lanecull_pass* pass, uint32_t cameras, uint32_t cascades,
                                                uint32_t lamps, const lanecull_scene* scene,
                                                lanecull_message* message) {
    return c::reserve(pass, {cameras, cascades, lamps}, message, [&](const PassLimits& limits) {
        Status status = c::check_scene(scene);
        return status ? pass->pass.reserve(limits, scene->scene) : status;
    });
}

lanecull_status lanecull_run_pass(lanecull_pass* pass, const lanecull_pass_frame* frame,
                                  const lanecull_batches* batches, lanecull_view_output* outputs, size_t output_count,
                                  uint32_t casters, const lanecull_cull_options* options, const lanecull_runner* runner,
                                  lanecull_message* message) {
    if (batches == nullptr) return c::refuse_null("batches", message);
    Status status = c::check_pass(pass);
    if (status) {
        status = c::run(*pass, frame, batches->all(), outputs, output_count, casters, options, runner);
    }
    return c::report(status, message);
}

lanecull_status lanecull_run_pass_on_scene(lanecull_pass* pass, const lanecull_pass_frame* frame,
                                           const lanecull_scene* scene, lanecull_scene_output* outputs,
                                           size_t output_count, uint32_t casters, const lanecull_cull_options* options,
                                           const lanecull_runner* runner, lanecull_message* message) {
    Status status = c::check_pass(pass);
    if (status) status = c::check_scene(scene);
    if (status) {
        status = c::run(*pass, frame, scene->scene, outputs, output_count, casters, options, runner);
    }
    return c::report(status, message);
}

size_t lanecull_pass_view_count(const lanecull_pass* pass) { return pass != nullptr ? pass->pass.view_count() : 0; }

lanecull_status lanecull_pass_map(const lanecull_pass* pass, size_t k, lanecull_shadow_map* map,
                                  lanecull_message* message) {
    if (map == nullptr) return c::refuse_null("map", message);
    Status status = c::check_pass(pass);
    if (status && k >= pass->pass.maps().size()) {
        status = Status::failure("k: %zu is none of the frame's %zu maps", k, pass->pass.maps().size());
    }
    if (status) c::give_map(pass->pass.maps()[k], *map);
    return c::report(status, message);
}
