/// The interface of the pass: memory, and the order of the steps.

#include <lanecull/shadow.h>

#include <algorithm>
#include <new>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "shadow/cull_steps.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t most_of_anything = 65536;

Status check_limits(const PassLimits& limits) {
    if (Status status = check_cleared(limits, "limits"); !status) return status;
    if (limits.light_scratch_bytes > ~std::size_t{0} / 2) {
        return failure("limits.light_scratch_bytes: more than there can be");
    }
    if (limits.cameras > most_of_anything) {
        return failure("limits.cameras: 1 to %u, not %u", most_of_anything, limits.cameras);
    }
    if (limits.cascades > most_of_anything) {
        return failure("limits.cascades: at most %u, not %u", most_of_anything, limits.cascades);
    }
    if (limits.point_lights > most_of_anything) {
        return failure("limits.point_lights: at most %u, not %u", most_of_anything, limits.point_lights);
    }
    return {};
}

/// Room for all that a frame within the limits may have. False: no memory.
bool reserve_frame(PassContents& pass, const PassLimits& limits) {
    const std::size_t cameras = limits.cameras, cascades = limits.cascades, point_lights = limits.point_lights;
    const std::size_t maps = cube_faces * point_lights, wholes = point_lights * cameras, at_once = most_choices;
    return pass.first_cascade.reserve(cameras + 1) && pass.cascades.reserve(cascades) &&
           pass.point_lights.reserve(point_lights) && pass.maps.reserve(cascades + maps) &&
           pass.views.reserve(cameras + cascades + wholes + maps) && pass.light_of_whole.reserve(wholes) &&
           pass.balls.reserve(point_lights) && pass.may_be_lit.reserve((point_lights + 63) / 64) &&
           pass.lights.reserve(point_lights) && pass.options.reserve(point_lights) &&
           pass.failed.resize(std::max({pass.failed.size(), cameras, cascades, point_lights, at_once})) &&
           pass.outputs.resize(max_views);
}

/// How many views a frame may have, as callers count them.
std::size_t view_count(const PassLimits& limits) {
    return std::size_t{limits.cameras} + limits.cascades + cube_faces * std::size_t{limits.point_lights};
}
std::size_t choices_at_once(const PassLimits& limits) { return std::min<std::size_t>(view_count(limits), max_views); }

/// The same for choosing occluders.
bool reserve_choices(PassContents& pass, const PassLimits& limits) {
    const std::size_t views = view_count(limits);
    if (!pass.chosen_counts.resize(std::max(views, pass.chosen_counts.size()))) return false;
    if (limits.solids == 0) return true;
    const std::size_t scratch = most_choices * choose_scratch_bytes(limits.solids), at_once = choices_at_once(limits);
    return pass.chosen.resize(std::max(views * max_occluders, pass.chosen.size())) &&
           pass.occluders.resize(std::max(at_once * max_occluders, pass.occluders.size())) &&
           pass.solids.resize(limits.solids, std::max(at_once, pass.solids.outputs.size())) &&
           (scratch <= pass.choose_scratch.size() || pass.choose_scratch.resize_unset(scratch));
}

/// The same for lights in cells.
bool reserve_lights(PassContents& pass, const PassLimits& limits) {
    if (limits.lights_in_cells == 0) return true;
    return pass.light_occluders.resize(max_occluders) &&
           pass.visible_lights.resize(
               std::max((limits.lights_in_cells + std::size_t{63}) / 64, pass.visible_lights.size()));
}

/// Takes memory for frames within the limits over the objects.
Status reserve_for(PassContents& pass, const PassLimits& limits, const Objects& objects) {
    const PassLimits all = {std::max(limits.cameras, pass.limits.cameras),
                            std::max(limits.cascades, pass.limits.cascades),
                            std::max(limits.point_lights, pass.limits.point_lights),
                            std::max(limits.solids, pass.limits.solids),
                            std::max(limits.ordered_views, pass.limits.ordered_views),
                            std::max(limits.lights_in_cells, pass.limits.lights_in_cells),
                            std::max(limits.light_scratch_bytes, pass.limits.light_scratch_bytes)};
    const std::size_t words = std::max(visibility_words(objects), pass.words);
    const std::size_t wholes = std::size_t{all.point_lights} * all.cameras;
    const std::size_t bits = std::max<std::size_t>(all.cameras, wholes + (all.lights_in_cells != 0 ? all.cameras : 0));
    const std::size_t most_views = all.cameras + all.cascades + wholes + cube_faces * std::size_t{all.point_lights};
    const Batch balls = pass.balls.shapes(all.point_lights), solids = pass.solids.shapes(all.solids);
    const std::size_t ordered = order_bytes(objects, std::min<std::size_t>(max_views, all.ordered_views));
    const std::size_t scratch = std::max(
        {scratch_bytes(objects, std::min<std::size_t>(max_views, most_views)) + ordered, scratch_bytes({&balls, 1}, 1),
         scratch_bytes({&solids, 1}, choices_at_once(all)), static_cast<std::size_t>(all.light_scratch_bytes)});
    if (!reserve_frame(pass, all) || !reserve_choices(pass, all) || !reserve_lights(pass, all) ||
        !pass.bits.reserve(bits * words) || (scratch > pass.scratch.size() && !pass.scratch.resize_unset(scratch))) {
        return failure(StatusCode::out_of_memory, "pass: there is not enough memory");
    }
    pass.is_planned = pass.is_prepared = false;
    pass.limits = all;
    pass.words = words;
    return {};
}

/// Plans around receivers that find_receivers(calls) finds.
template <class Find>
Status plan_around(PassContents& pass, const PassFrame& frame, const Runner& runner, const Find& find) {
    pass.is_planned = pass.is_prepared = false;
    if (Status status = check_frame(pass, frame); !status) return status;
    lay_out(pass, frame);
    if (Status status = plan_cameras(pass, runner); !status) return status;
    if (Status status = find(); !status) return status;
    if (Status status = plan_maps(pass); !status) return status;
    pass.is_planned = true;
    return {};
}

constinit const View no_view = {};

bool is_planned(const PassContents* pass) { return pass != nullptr && pass->is_planned; }
bool has_camera(const PassContents* pass, std::size_t camera) { return is_planned(pass) && camera < pass->cameras(); }

}  // namespace

const View& PassContents::view(std::uint32_t v) const {
    if (!is_prepared) return no_view;
    if (v < roots()) return views[v];
    const std::uint32_t m = v - roots();
    return is_lit(light_of_map(m)) ? views[first_map_view() + m] : no_view;
}

std::uint32_t PassContents::light_of_map(std::uint32_t m) const {
    const auto begins_later = [](std::uint32_t map, const PointLightMaps& light) { return map < light.first; };
    const PointLightMaps* after = std::upper_bound(point_lights.begin(), point_lights.end(), m, begins_later);
    return static_cast<std::uint32_t>(after - point_lights.begin()) - 1;
}

}  // namespace lanecull

using namespace lanecull;

size_t lanecull_frame_view_count(const lanecull_pass_frame* frame) noexcept {
    if (frame == nullptr || !is_backed(frame->cameras) || !is_backed(frame->point_lights)) return 0;
    std::size_t views = frame->cameras.size();
    for (const PassCamera& camera : frame->cameras) views += cascade_count(camera);
    for (const PassPointLight& light : frame->point_lights) views += light.spot != nullptr ? 1 : cube_faces;
    return views;
}

lanecull_cull_pass* lanecull_create_pass(void) noexcept { return new (std::nothrow) lanecull_cull_pass; }

void lanecull_destroy_pass(lanecull_cull_pass* pass) noexcept { delete pass; }

lanecull_status lanecull_reserve_pass(lanecull_cull_pass* pass, const lanecull_pass_limits* limits,
                                      const lanecull_objects* objects) noexcept {
    if (Status made = check_made(pass, "pass"); !made) return made;
    PassLimits most = or_usual(limits);
    if (most.cameras == 0) most.cameras = 1;
    Status status = check_limits(most);
    if (status) status = check_not_null(objects, "objects");
    return status ? reserve_for(*pass, most, *objects) : status;
}

lanecull_status lanecull_plan_pass(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                   const lanecull_objects* objects, const lanecull_cull_options* options) noexcept {
    const FloatModes modes;
    Status given = check_made(pass, "pass");
    if (given) given = check_not_null(frame, "frame");
    if (given) given = check_not_null(objects, "objects");
    if (!given) return given;
    CullOptions how = or_usual(options);
    how.view_masks = {};
    return plan_around(*pass, *frame, how.runner, [&] {
        PassCalls calls(*pass, *objects, how);
        Status status = check_how(how);
        if (status) status = calls.check();
        return status ? calls.find_receivers() : status;
    });
}

lanecull_status lanecull_plan_pass_in_box(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                          const lanecull_world_box* receivers, const lanecull_runner* runner) noexcept {
    const FloatModes modes;
    Status given = check_made(pass, "pass");
    if (given) given = check_not_null(frame, "frame");
    if (given) given = check_not_null(receivers, "receivers");
    if (!given) return given;
    return plan_around(*pass, *frame, or_usual(runner), [&] {
        for (Cascade& cascade : pass->cascades) cascade.receivers = *receivers;
        return Status();
    });
}

lanecull_status lanecull_prepare_pass(lanecull_cull_pass* pass, lanecull_casters casters,
                                      const lanecull_runner* runner) noexcept {
    const FloatModes modes;
    if (Status made = check_made(pass, "pass"); !made) return made;
    pass->is_prepared = false;
    if (!pass->is_planned) return failure(StatusCode::not_ready, "pass: no frame has been planned");
    if (Status status = check_enum(casters, Casters::frustum, "casters"); !status) return status;
    if (Status status = prepare_frame(*pass, casters, or_usual(runner)); !status) return status;
    pass->is_prepared = true;
    return {};
}

lanecull_status lanecull_cull_pass_views(lanecull_cull_pass* pass, const lanecull_objects* objects,
                                         const lanecull_cull_options* options, lanecull_output* outputs,
                                         size_t output_count) noexcept {
    if (Status made = check_made(pass, "pass"); !made) return made;
    if (!pass->is_prepared) return failure(StatusCode::not_ready, "pass: no frame has been prepared");
    const CullOptions& how = or_usual(options);
    const Span<Output> to = {outputs, output_count};
    Status status = check_not_null(objects, "objects");
    if (status) status = check_how(how);
    if (status) status = check_span(to, "outputs");
    if (!status) return status;
    if (!how.view_masks.empty()) return failure("options.view_masks: a pass has none");
    PassCalls calls(*pass, *objects, how);
    status = calls.check();
    return status ? calls.cull_views(to) : status;
}

lanecull_status lanecull_run_pass(lanecull_cull_pass* pass, const lanecull_pass_frame* frame,
                                  const lanecull_objects* objects, lanecull_casters casters,
                                  const lanecull_cull_options* options, lanecull_output* outputs,
                                  size_t output_count) noexcept {
    Status status = lanecull_plan_pass(pass, frame, objects, options);
    if (status) status = lanecull_prepare_pass(pass, casters, &or_usual(options).runner);
    return status ? lanecull_cull_pass_views(pass, objects, options, outputs, output_count) : status;
}

size_t lanecull_pass_view_count(const lanecull_cull_pass* pass) noexcept {
    return is_planned(pass) ? pass->roots() + pass->point_light_maps() : 0;
}

const lanecull_shadow_map* lanecull_pass_maps(const lanecull_cull_pass* pass) noexcept {
    return is_planned(pass) ? pass->maps.data() : nullptr;
}
size_t lanecull_pass_map_count(const lanecull_cull_pass* pass) noexcept {
    return is_planned(pass) ? pass->maps.size() : 0;
}

const lanecull_cascade* lanecull_pass_cascades(const lanecull_cull_pass* pass, size_t camera) noexcept {
    return has_camera(pass, camera) ? pass->cascades.data() + pass->first_cascade[camera] : nullptr;
}
size_t lanecull_pass_cascade_count(const lanecull_cull_pass* pass, size_t camera) noexcept {
    return has_camera(pass, camera) ? pass->first_cascade[camera + 1] - pass->first_cascade[camera] : 0;
}
size_t lanecull_pass_first_cascade_view(const lanecull_cull_pass* pass, size_t camera) noexcept {
    return has_camera(pass, camera) ? pass->cameras() + pass->first_cascade[camera] : 0;
}

size_t lanecull_pass_first_point_light_view(const lanecull_cull_pass* pass, size_t light) noexcept {
    return is_planned(pass) && light < pass->point_lights.size() ? pass->roots() + pass->point_lights[light].first : 0;
}

const uint32_t* lanecull_pass_chosen_solids(const lanecull_cull_pass* pass, size_t v) noexcept {
    return lanecull_pass_chosen_solid_count(pass, v) != 0 ? pass->chosen.data() + v * max_occluders : nullptr;
}
size_t lanecull_pass_chosen_solid_count(const lanecull_cull_pass* pass, size_t v) noexcept {
    return v < lanecull_pass_view_count(pass) ? pass->chosen_counts[v] : 0;
}

const lanecull_view* lanecull_pass_view(const lanecull_cull_pass* pass, size_t v) noexcept {
    return v < lanecull_pass_view_count(pass) ? &pass->view(static_cast<std::uint32_t>(v)) : &no_view;
}
