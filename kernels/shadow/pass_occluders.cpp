/// The occluders that a pass chooses for its views by itself.

#include <algorithm>
#include <cmath>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "occluders/solid.hpp"
#include "occluders/solids_in_view.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t usual_occluders = 48;
/// What is drawn into maps shrinks by such a share of a texel: a safe choice (RasterMargin).
constexpr double texel_share = 0.0625;

/// The eye of view v, as a caller counts views. Fails where the view has none that occluders may be seen from.
Status find_viewpoint(const PassContents& pass, std::uint32_t v, Viewpoint& viewpoint) {
    const PassFrame& frame = pass.frame;
    if (v < pass.cameras()) {
        const PassCamera& camera = frame.cameras[v];
        return prepare_viewpoint(camera.clip_from_world, camera.clip_space, viewpoint, camera.options.clip_planes,
                                 frame.occluders->sight);
    }
    if (v < pass.roots()) {
        const std::uint32_t k = v - pass.cameras();
        const double(&toward)[3] = frame.cameras[pass.camera_of_cascade(k)].directional_light->directional_light.toward;
        const WorldBox& receivers = pass.cascades[k].receivers;
        double along[3], around[3];
        for (std::size_t i = 0; i < 3; ++i) {
            along[i] = -toward[i];
            const double middle = 0.5 * receivers.lower[i] + 0.5 * receivers.upper[i];
            around[i] = is_coordinate(middle) ? middle : 0;
        }
        return prepare_viewpoint_along(along, around, viewpoint);
    }
    const PassPointLight& light = frame.point_lights[pass.light_of_map(v - pass.roots())];
    double tan_x = 1, tan_y = 1;
    if (light.spot != nullptr && light.spot->tan_x != 0) tan_x = light.spot->tan_x;
    if (light.spot != nullptr && light.spot->tan_y != 0) tan_y = light.spot->tan_y;
    const double near_corner = light.near_depth * std::sqrt(1 + tan_x * tan_x + tan_y * tan_y) * (1 + 0x1p-40);
    return prepare_viewpoint_from_eyes(light.at, near_corner, viewpoint);
}

/// Finds which solids share a point with each of the views, so that a choice reads those alone.
Status find_seen_solids(PassContents& pass, std::span<const View> views, std::size_t words, const CullOptions& how) {
    const Batch boxes = pass.solids.shapes(pass.frame.occluders->solids.count());
    for (std::size_t i = 0; i < views.size(); ++i) {
        pass.solids.outputs[i] = {.visible = {pass.solids.bits.data() + i * words, words}};
    }
    return cull({&boxes, 1}, views, {pass.solids.outputs.data(), views.size()},
                {pass.scratch.data(), pass.scratch.size()}, {.isa = how.isa, .runner = how.runner});
}

}  // namespace

Status check_occluders(const PassContents& pass, const PassOccluders& given) {
    Status status = check_cleared(given, "frame.occluders");
    if (status) status = check_enum(given.sight, SightDirection::shrinking_depth, "frame.occluders->sight");
    if (!status) return status;
    if (Status sound = check_owned_solids(given.solids); !sound) return within(sound, "frame.occluders->");
    if (given.max_occluders > max_occluders) {
        return failure("frame.occluders->max_occluders: 1 to %zu, not %u", max_occluders, given.max_occluders);
    }
    if (!is_valid(given.raster)) return failure("frame.occluders->raster: a margin is not from 0 to 1e30");
    if (given.solids.count() <= pass.limits.solids) return {};
    return failure("frame.occluders->solids: %zu, but reserve() was for %u", given.solids.count(), pass.limits.solids);
}

void read_solids(PassContents& pass) {
    if (pass.frame.occluders == nullptr) return;
    const PreparedViewpoint world;
    const RoughSolids from(pass.frame.occluders->solids, world);
    PassSolids& to = pass.solids;
    float* const center[3] = {to.x.data(), to.y.data(), to.z.data()};
    float* const half[3] = {to.half_x.data(), to.half_y.data(), to.half_z.data()};
    for (std::size_t i = 0; i < from.count(); ++i) {
        const RoughBox box = from.box(i);
        for (std::size_t k = 0; k < 3; ++k) {
            center[k][i] = box.center[k];
            half[k][i] = box.half[k];
        }
    }
}

Status choose_occluders(PassContents& pass, std::uint32_t first, std::uint32_t count, const CullOptions& options) {
    const PassOccluders* const given = pass.frame.occluders;
    if (given == nullptr || given->solids.count() == 0) return {};
    if (given->are_for_cameras_alone != 0) count = std::min(count, pass.cameras() - std::min(first, pass.cameras()));
    if (count == 0) return {};
    const std::uint32_t most = given->max_occluders != 0 ? given->max_occluders : usual_occluders;
    const std::size_t scratch = choose_scratch_bytes(given->solids.count()), words = (given->solids.count() + 63) / 64;
    const std::uint32_t own = first < pass.roots() ? first : first - pass.roots() + pass.first_map_view();
    if (Status status = find_seen_solids(pass, pass.views_from(own, count), words, options); !status) return status;
    const auto choose = [&](std::uint32_t i, std::uint32_t task) -> Status {
        const std::uint32_t v = first + i;
        Viewpoint viewpoint;
        if (!pass.outputs[i].occluders.empty() || !find_viewpoint(pass, v, viewpoint)) return {};
        ChooseOptions how;
        how.raster = given->raster;
        how.candidates = {pass.solids.bits.data() + i * words, words};
        if (v >= pass.cameras()) how.raster = {texel_share * pass.maps[v - pass.cameras()].texel_size, 0, 0};
        const std::span<Occluder> chosen(pass.occluders.data() + i * max_occluders, most);
        const std::span<std::uint32_t> numbers(pass.chosen.data() + v * max_occluders, most);
        std::uint32_t& found = pass.chosen_counts[v];
        const Status status = choose_occluders(given->solids, pass.view(v), viewpoint, chosen, numbers,
                                               {pass.choose_scratch.data() + task * scratch, scratch}, found, how);
        pass.outputs[i].occluders = chosen.first(found);
        return status ? status : within(status, "frame.occluders->");
    };
    for (std::uint32_t begin = 0; begin < count; begin += most_choices) {
        const auto one = [&](std::uint32_t task) { return choose(begin + task, task); };
        const std::uint32_t tasks = std::min(most_choices, count - begin);
        if (Status status = run_tasks(tasks, pass.failed, one, options.runner); !status) return status;
    }
    return {};
}

}  // namespace lanecull
