/// The interface of the pass: memory, and the order of the steps.

#include <lanecull/cull_pass.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include "base/float_modes.hpp"
#include "shadow/cull_steps.hpp"
#include "shadow/pass_contents.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t most_of_anything = 65536;

Status no_pass_memory() { return Status::failure(StatusCode::out_of_memory, "pass: there is not enough memory"); }

Status check_limits(const PassLimits& limits) {
    if (limits.cameras < 1 || limits.cameras > most_of_anything) {
        return Status::failure("limits.cameras: 1 to %u, not %u", most_of_anything, limits.cameras);
    }
    if (limits.cascades > most_of_anything) {
        return Status::failure("limits.cascades: at most %u, not %u", most_of_anything, limits.cascades);
    }
    if (limits.lamps > most_of_anything) {
        return Status::failure("limits.lamps: at most %u, not %u", most_of_anything, limits.lamps);
    }
    return {};
}

/// Room for all that a frame within the limits may have. False: no memory.
bool reserve_frame(CullPass::Contents& pass, const PassLimits& limits) {
    const std::size_t cameras = limits.cameras, cascades = limits.cascades, lamps = limits.lamps;
    const std::size_t maps = cube_faces * lamps, wholes = lamps * cameras;
    return pass.first_cascade.reserve(cameras + 1) && pass.cascades.reserve(cascades) && pass.lamps.reserve(lamps) &&
           pass.maps.reserve(cascades + maps) && pass.views.reserve(cameras + cascades + wholes + maps) &&
           pass.lamp_of_whole.reserve(wholes) && pass.balls.reserve(lamps) &&
           pass.may_be_lit.reserve((lamps + 63) / 64) && pass.lights.reserve(lamps) && pass.options.reserve(lamps) &&
           pass.failed.resize(std::max({pass.failed.size(), cameras, cascades, lamps})) &&
           pass.outputs.resize(max_views);
}

/// Takes memory for frames within the limits over the objects.
Status reserve_for(CullPass::Contents& pass, const PassLimits& limits, const Objects& objects) {
    const PassLimits all = {std::max(limits.cameras, pass.limits.cameras),
                            std::max(limits.cascades, pass.limits.cascades), std::max(limits.lamps, pass.limits.lamps)};
    const std::size_t words = std::max(visibility_words(objects), pass.words);
    const std::size_t wholes = std::size_t{all.lamps} * all.cameras;
    const std::size_t bits = std::max<std::size_t>(all.cameras, wholes);
    const std::size_t most_views = all.cameras + all.cascades + wholes + cube_faces * std::size_t{all.lamps};
    const Batch balls = pass.balls.shapes(all.lamps);
    const std::size_t scratch =
        std::max(scratch_bytes(objects, std::min<std::size_t>(max_views, most_views)), scratch_bytes({&balls, 1}, 1));
    if (!reserve_frame(pass, all) || !pass.bits.reserve(bits * words) ||
        (scratch > pass.scratch.size() && !pass.scratch.resize_unset(scratch))) {
        return no_pass_memory();
    }
    pass.is_planned = pass.is_prepared = false;
    pass.limits = all;
    pass.words = words;
    return {};
}

/// Plans around receivers that find_receivers(calls) finds.
template <class Find>
Status plan_around(CullPass::Contents& pass, const PassFrame& frame, const Runner& runner, const Find& find) {
    pass.is_planned = pass.is_prepared = false;
    if (Status status = check_frame(pass, frame); !status) return status;
    lay_out(pass, frame);
    if (Status status = plan_cameras(pass, runner); !status) return status;
    if (Status status = find(); !status) return status;
    if (Status status = plan_maps(pass); !status) return status;
    pass.is_planned = true;
    return {};
}

constinit const View no_view;

}  // namespace

const View& CullPass::Contents::view(std::uint32_t v) const {
    if (!is_prepared) return no_view;
    if (v < roots()) return views[v];
    const std::uint32_t m = v - roots();
    const auto begins_later = [](std::uint32_t map, const LampMaps& lamp) { return map < lamp.first; };
    const LampMaps* after = std::upper_bound(lamps.begin(), lamps.end(), m, begins_later);
    const auto l = static_cast<std::uint32_t>(after - lamps.begin()) - 1;
    return is_lit(l) ? views[first_map_view() + m] : no_view;
}

std::size_t view_count(const PassFrame& frame) noexcept {
    std::size_t views = frame.cameras.size();
    for (const PassCamera& camera : frame.cameras) views += camera.sun != nullptr ? camera.sun->cascades : 0;
    for (const PassLamp& lamp : frame.lamps) views += lamp.spot != nullptr ? 1 : cube_faces;
    return views;
}

CullPass::CullPass() noexcept : contents_(new (std::nothrow) Contents) {}
CullPass::CullPass(CullPass&&) noexcept = default;
CullPass& CullPass::operator=(CullPass&&) noexcept = default;
CullPass::~CullPass() = default;

Status CullPass::reserve(const PassLimits& limits, const Objects& objects) noexcept {
    if (Status status = check_limits(limits); !status) return status;
    // Where the constructor found no memory for it.
    if (contents_ == nullptr) contents_ = new (std::nothrow) Contents;
    return contents_ != nullptr ? reserve_for(*contents_, limits, objects) : no_pass_memory();
}

Status CullPass::plan(const PassFrame& frame, const Objects& objects, const CullOptions& options) noexcept {
    const FloatModes modes;
    if (contents_ == nullptr) return no_pass_memory();
    const CullOptions how = {.method = options.method, .isa = options.isa, .runner = options.runner};
    return plan_around(*contents_, frame, how.runner, [&] {
        PassCalls calls(*contents_, objects, how);
        const Status status = calls.check();
        return status ? calls.find_receivers() : status;
    });
}

Status CullPass::plan(const PassFrame& frame, const WorldBox& receivers, const Runner& runner) noexcept {
    const FloatModes modes;
    if (contents_ == nullptr) return no_pass_memory();
    return plan_around(*contents_, frame, runner, [&] {
        for (Cascade& cascade : contents_->cascades) cascade.receivers = receivers;
        return Status();
    });
}

Status CullPass::prepare(Casters casters, const Runner& runner) noexcept {
    const FloatModes modes;
    if (contents_ == nullptr) return no_pass_memory();
    contents_->is_prepared = false;
    if (!contents_->is_planned) return Status::failure(StatusCode::not_ready, "pass: no frame has been planned");
    if (casters > Casters::volume) {
        return Status::failure("casters: %d is neither frustum nor volume", static_cast<int>(casters));
    }
    if (Status status = prepare_frame(*contents_, casters, runner); !status) return status;
    contents_->is_prepared = true;
    return {};
}

Status CullPass::cull(const Objects& objects, std::span<Output> outputs, const CullOptions& options) noexcept {
    if (contents_ == nullptr) return no_pass_memory();
    if (!contents_->is_prepared) return Status::failure(StatusCode::not_ready, "pass: no frame has been prepared");
    if (Status status = check_how(options); !status) return status;
    if (!options.view_masks.empty()) return Status::failure("options.view_masks: a pass has none");
    PassCalls calls(*contents_, objects, options);
    const Status status = calls.check();
    return status ? calls.cull_views(outputs) : status;
}

Status CullPass::run(const PassFrame& frame, const Objects& objects, std::span<Output> outputs, Casters casters,
                     const CullOptions& options) noexcept {
    if (Status status = plan(frame, objects, options); !status) return status;
    if (Status status = prepare(casters, options.runner); !status) return status;
    return cull(objects, outputs, options);
}

std::size_t CullPass::view_count() const noexcept {
    return contents_ != nullptr && contents_->is_planned ? contents_->roots() + contents_->lamp_maps() : 0;
}
std::span<const ShadowMap> CullPass::maps() const noexcept {
    if (view_count() == 0) return {};
    return {contents_->maps.data(), contents_->maps.size()};
}
std::span<const Cascade> CullPass::cascades(std::size_t camera) const noexcept {
    if (view_count() == 0) return {};
    const std::uint32_t first = contents_->first_cascade[camera];
    return {contents_->cascades.data() + first, contents_->first_cascade[camera + 1] - first};
}
std::size_t CullPass::first_cascade_view(std::size_t camera) const noexcept {
    return view_count() == 0 ? 0 : contents_->cameras() + contents_->first_cascade[camera];
}
std::size_t CullPass::first_lamp_view(std::size_t lamp) const noexcept {
    return view_count() == 0 ? 0 : contents_->roots() + contents_->lamps[lamp].first;
}
const View& CullPass::view(std::size_t v) const noexcept {
    return contents_ != nullptr ? contents_->view(static_cast<std::uint32_t>(v)) : no_view;
}

}  // namespace lanecull
