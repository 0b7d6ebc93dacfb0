/// Views of what casts shadows into a camera's view: one, or those of many lights.

#include <algorithm>
#include <cstdint>

#include <lanecull/shadow.h>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "view/camera.hpp"
#include "view/frame.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t task_views = 8;

/// What the tasks read, and where they write.
struct ManyViews {
    const Camera& camera;
    std::span<const ViewOptions> options;
    std::span<View> views;

    void prepare(std::uint32_t task) const {
        const FloatModes modes;
        const std::size_t first = std::size_t{task} * task_views;
        for (std::size_t i = first; i < std::min(first + task_views, views.size()); ++i) {
            PreparedView prepared;
            // It has no reason left to fail: all options have been checked. Culls refuse a view that is not prepared,
            // in place of a stale one.
            const bool done = prepare_casters(camera, options[i], prepared).ok();
            if (done) {
                set_prepared(views[i], prepared);
            } else {
                views[i] = View();
            }
        }
    }
};

/// The same with options[index] in place of the options that the message begins with.
Status of_index(const Status& status, std::size_t index) { return renamed(status, "options", "options[%zu]", index); }

/// Checks all that preparing a view reads besides the camera.
Status check_light(const ViewOptions& options) {
    if (!casts_shadows(options)) return failure("options: one light, directional_light or point_light, is to be given");
    return LightLimits::check(options);
}

bool same_planes(std::span<const Plane> a, std::span<const Plane> b) {
    return a.size() == b.size() && (a.empty() || a.data() == b.data());
}

}  // namespace

Status prepare_casters(const Camera& camera, const ViewOptions& options, PreparedView& view) {
    view.frame = camera.frame;
    LitPart lit;
    if (Status status = lit.enclose(camera.half_spaces.all(), camera.corners.all(), options, camera.c); !status) {
        return status;
    }
    view.of_casters = 1;
    if (camera.sees_nothing) {
        describe_nothing(view);
    } else {
        describe_casters(lit, camera.forward, options, camera.c, view);
    }
    finish(options, camera.eye, view);
    return {};
}

namespace {

Status prepare_many(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space,
                    std::span<const ViewOptions> options, const Runner& runner, std::span<View> views) {
    if (views.size() != options.size()) {
        return failure("views: %zu of them, but %zu options", views.size(), options.size());
    }
    if (options.size() > max_caster_views) {
        return failure("options: at most %zu, not %zu", max_caster_views, options.size());
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (Status status = check_options(options[i]); !status) return of_index(status, i);
        if (!same_planes(options[i].clip_planes, options[0].clip_planes)) {
            return failure("options[%zu].clip_planes: not those of options[0]", i);
        }
    }
    if (options.empty()) return {};
    Camera camera;
    if (Status status = describe_camera(clip_from_world, clip_space, options[0], camera); !status) {
        return of_index(status, 0);
    }
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (Status status = check_light(options[i]); !status) return of_index(status, i);
    }
    const ManyViews many{camera, options, views};
    const auto tasks = static_cast<std::uint32_t>((views.size() + task_views - 1) / task_views);
    const auto run = [](void* self, std::uint32_t task) { static_cast<const ManyViews*>(self)->prepare(task); };
    runner(tasks, {run, const_cast<ManyViews*>(&many), "prepare casters"});
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_prepare_caster_views(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                              const lanecull_view_options* options, size_t option_count,
                                              const lanecull_runner* runner, lanecull_view* views,
                                              size_t view_count) noexcept {
    const FloatModes modes;
    const Span<const ViewOptions> of = {options, option_count};
    const Span<View> to = {views, view_count};
    if (Status status = check_not_null(clip_from_world, "clip_from_world"); !status) return status;
    if (Status status = check_span(of, "options"); !status) return status;
    if (Status status = check_span(to, "views"); !status) return status;
    return prepare_many(std::span<const double, 16>(clip_from_world, 16), or_usual(clip_space), of, or_usual(runner),
                        to);
}
