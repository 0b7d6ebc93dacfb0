/// c/shadow.h

#include <lanecull/c/shadow.h>

#include <algorithm>
#include <memory>
#include <new>

#include <lanecull/shadow.hpp>

#include "c/lists.hpp"
#include "c/options.hpp"
#include "c/shadows.hpp"
#include "c/view_options.hpp"

using namespace lanecull;

namespace lanecull::c {

Status take_map_options(const lanecull_sun_map_options& given, SunMapOptions& to) noexcept {
    if (Status status = check_struct(&given, "options"); !status) return status;
    std::copy_n(given.toward, 3, to.toward);
    const bool has_up = given.up[0] != 0 || given.up[1] != 0 || given.up[2] != 0;
    if (has_up) std::copy_n(given.up, 3, to.up);
    to.texels = or_default(given.texels, to.texels);
    to.stable = given.is_tight == 0;
    return {};
}

ShadowMap map_of(const lanecull_shadow_map& given) noexcept {
    ShadowMap map;
    std::copy_n(given.clip_from_world, 16, map.clip_from_world);
    std::copy_n(given.origin, 3, map.clip_space.origin);
    std::copy_n(same(given.sides), 4, map.sides);
    map.texel_size = given.texel_size;
    map.is_perspective = given.is_perspective != 0;
    return map;
}

void give_map(const ShadowMap& from, lanecull_shadow_map& to) noexcept {
    std::copy_n(from.clip_from_world, 16, to.clip_from_world);
    std::copy_n(from.clip_space.origin, 3, to.origin);
    std::copy_n(from.sides, 4, same(to.sides));
    to.texel_size = from.texel_size;
    to.is_perspective = from.is_perspective ? 1 : 0;
}

namespace {

/// 16 numbers that must be there.
struct Matrix {
    const double* numbers;

    [[nodiscard]] std::span<const double, 16> all() const { return std::span<const double, 16>(numbers, 16); }
};

Status take_bounds_options(std::uint32_t isa, const lanecull_runner* runner, WorldBoundsOptions& to) noexcept {
    if (Status status = take_isa(isa, "isa", to.isa); !status) return status;
    return take_runner(runner, to.runner);
}

/// call(slice), if `given` is one.
template <class Call>
Status with_slice(const lanecull_slice* given, const Call& call) noexcept {
    ClipSpace space;
    if (Status status = check_struct(given, "slice"); !status) return status;
    if (given->clip_from_world == nullptr) return Status::failure("slice.clip_from_world: must not be null");
    if (Status status = take_clip_space(given->clip_space, space); !status) return status;
    return call(Slice{Matrix{given->clip_from_world}.all(), space, given->near_depth, given->far_depth});
}

/// Options of many views, in the caller's memory.
class ManyOptions {
public:
    static std::size_t bytes(std::size_t count) noexcept {
        return count * (sizeof(TakenOptions) + sizeof(ViewOptions)) + alignof(TakenOptions);
    }

    Status take(const lanecull_view_options* options, std::size_t count, void* scratch, std::size_t size) noexcept {
        static_assert(sizeof(TakenOptions) % alignof(ViewOptions) == 0);
        if (scratch == nullptr || size < bytes(count)) {
            return Status::failure("scratch: has %zu bytes, needs %zu", scratch != nullptr ? size : 0, bytes(count));
        }
        const Row<const lanecull_view_options> given(options);
        if (Status status = given.check(count, "options"); !status) return status;
        if (options == nullptr) return {};
        auto* const taken =
            static_cast<TakenOptions*>(std::align(alignof(TakenOptions), count * sizeof(TakenOptions), scratch, size));
        auto* const all = reinterpret_cast<ViewOptions*>(taken + count);
        for (std::size_t i = 0; i < count; ++i) {
            auto* const one = new (taken + i) TakenOptions;
            if (Status status = one->take(&given[i]); !status) return status;
            new (all + i) ViewOptions(one->options);
        }
        all_ = {all, count};
        return {};
    }

    [[nodiscard]] std::span<const ViewOptions> all() const noexcept { return all_; }

private:
    std::span<const ViewOptions> all_;
};

/// make(map), whose result `to` receives.
template <class Make>
lanecull_status make_map(lanecull_shadow_map* to, lanecull_message* message, const Make& make) noexcept {
    if (to == nullptr) return report(Status::failure("map: must not be null"), message);
    ShadowMap map;
    const Status status = make(map);
    if (status) give_map(map, *to);
    return report(status, message);
}

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_visible_bounds(const lanecull_batches* batches, const uint64_t* visible, size_t visible_words,
                                        lanecull_world_box* bounds, uint32_t isa, const lanecull_runner* runner,
                                        lanecull_message* message) {
    if (batches == nullptr) return c::refuse_null("batches", message);
    WorldBoundsOptions how;
    std::span<const std::uint64_t> words;
    Status status = c::take_bounds_options(isa, runner, how);
    if (status) status = c::take(visible, visible_words, "visible", words);
    if (status && bounds == nullptr) status = Status::failure("bounds: must not be null");
    if (status) status = visible_bounds(batches->all(), words, *c::same(bounds), how);
    return c::report(status, message);
}

lanecull_status lanecull_split_depths(double near_depth, double far_depth, double logarithmic, double* depths,
                                      size_t count, lanecull_message* message) {
    std::span<double> to;
    Status status = c::take(depths, count, "depths", to);
    if (status) status = split_depths(near_depth, far_depth, logarithmic, to);
    return c::report(status, message);
}

lanecull_status lanecull_slice_bounds(const lanecull_batches* batches, const uint64_t* visible, size_t visible_words,
                                      const double* clip_from_world, const lanecull_clip_space* clip_space,
                                      const double* depths, size_t depth_count, lanecull_world_box* bounds,
                                      uint32_t isa, const lanecull_runner* runner, lanecull_message* message) {
    if (batches == nullptr) return c::refuse_null("batches", message);
    WorldBoundsOptions how;
    ClipSpace space;
    std::span<const std::uint64_t> words;
    std::span<const double> ends;
    std::span<WorldBox> boxes;
    Status status = c::take_bounds_options(isa, runner, how);
    if (status) status = c::take_clip_space(clip_space, space);
    if (status) status = c::take(visible, visible_words, "visible", words);
    if (status) status = c::take(depths, depth_count, "depths", ends);
    if (status) status = c::take(c::same(bounds), depth_count > 0 ? depth_count - 1 : 0, "bounds", boxes);
    if (status && clip_from_world == nullptr) status = Status::failure("clip_from_world: must not be null");
    if (status) {
        status = slice_bounds(batches->all(), words, c::Matrix{clip_from_world}.all(), space, ends, boxes, how);
    }
    return c::report(status, message);
}

lanecull_status lanecull_slice_planes(const lanecull_slice* slice, lanecull_plane* planes, lanecull_message* message) {
    if (planes == nullptr) return c::refuse_null("planes", message);
    return c::report(
        c::with_slice(slice,
                      [&](const Slice& taken) { return slice_planes(taken, std::span<Plane, 2>(c::same(planes), 2)); }),
        message);
}

lanecull_status lanecull_slice_corners(const lanecull_slice* slice, double* corners, lanecull_message* message) {
    if (corners == nullptr) return c::refuse_null("corners", message);
    return c::report(
        c::with_slice(slice,
                      [&](const Slice& taken) { return slice_corners(taken, std::span<double, 24>(corners, 24)); }),
        message);
}

lanecull_status lanecull_fit_sun_map(const lanecull_slice* slice, const lanecull_world_box* receivers,
                                     const lanecull_sun_map_options* options, lanecull_shadow_map* map,
                                     lanecull_message* message) {
    return c::make_map(map, message, [&](ShadowMap& made) {
        SunMapOptions how;
        Status status = c::check_struct(options, "options");
        if (status) status = c::take_map_options(*options, how);
        if (status && receivers == nullptr) status = Status::failure("receivers: must not be null");
        if (!status) return status;
        return c::with_slice(slice, [&](const Slice& s) { return fit_sun_map(s, *c::same(receivers), how, made); });
    });
}

lanecull_status lanecull_prepare_cascade_casters(lanecull_views* views, uint32_t i, const lanecull_slice* slice,
                                                 const lanecull_world_box* receivers,
                                                 const lanecull_view_options* options, lanecull_message* message) {
    c::TakenOptions taken;
    Status status = c::check_item(views, i, "views");
    if (status) status = taken.take(options);
    if (status && receivers == nullptr) status = Status::failure("receivers: must not be null");
    if (status) {
        status = c::with_slice(slice, [&](const Slice& s) {
            return prepare_cascade_casters(s, *c::same(receivers), taken.options, views->items[i]);
        });
    }
    return c::report(status, message);
}

size_t lanecull_caster_views_scratch_bytes(uint32_t view_count) { return c::ManyOptions::bytes(view_count); }

lanecull_status lanecull_prepare_caster_views(lanecull_views* views, uint32_t first_view, uint32_t view_count,
                                              const double* clip_from_world, const lanecull_clip_space* clip_space,
                                              const lanecull_view_options* options, void* scratch, size_t scratch_bytes,
                                              const lanecull_runner* runner, lanecull_message* message) {
    if (clip_from_world == nullptr) return c::refuse_null("clip_from_world", message);
    if (views == nullptr) return c::refuse_null("views", message);
    ClipSpace space;
    Runner who;
    c::ManyOptions taken;
    std::span<const View> chosen;
    Status status = c::take_items(views, first_view, view_count, "views", chosen);
    if (status) status = c::take_clip_space(clip_space, space);
    if (status) status = c::take_runner(runner, who);
    if (status) status = taken.take(options, view_count, scratch, scratch_bytes);
    if (status) {
        status = prepare_caster_views(c::Matrix{clip_from_world}.all(), space, taken.all(),
                                      views->all().subspan(first_view, view_count), who);
    }
    return c::report(status, message);
}

lanecull_status lanecull_prepare_covered(lanecull_views* views, uint32_t i, const lanecull_shadow_map* sun_map,
                                         double border, lanecull_message* message) {
    if (sun_map == nullptr) return c::refuse_null("sun_map", message);
    Status status = c::check_item(views, i, "views");
    if (status) status = prepare_covered(c::map_of(*sun_map), border, views->items[i]);
    return c::report(status, message);
}

lanecull_status lanecull_spot_map(const double* at, const double* forward, const double* up, double tan_x, double tan_y,
                                  double near_depth, double far_depth, uint32_t texels, lanecull_shadow_map* map,
                                  lanecull_message* message) {
    return c::make_map(map, message, [&](ShadowMap& made) {
        if (at == nullptr || forward == nullptr || up == nullptr) {
            return Status::failure("at, forward, up: must not be null");
        }
        return spot_map({at[0], at[1], at[2]}, {forward[0], forward[1], forward[2]}, {up[0], up[1], up[2]}, tan_x,
                        tan_y, near_depth, far_depth, texels, made);
    });
}

lanecull_status lanecull_cube_map_face(const double* at, uint32_t face, double near_depth, double far_depth,
                                       uint32_t texels, lanecull_shadow_map* map, lanecull_message* message) {
    return c::make_map(map, message, [&](ShadowMap& made) {
        if (at == nullptr) return Status::failure("at: must not be null");
        return cube_map_face({at[0], at[1], at[2]}, face, near_depth, far_depth, texels, made);
    });
}

lanecull_status lanecull_engine_map(const double* clip_from_world, const lanecull_clip_space* clip_space,
                                    uint32_t width, uint32_t height, lanecull_shadow_map* map,
                                    lanecull_message* message) {
    return c::make_map(map, message, [&](ShadowMap& made) {
        if (clip_from_world == nullptr) return Status::failure("clip_from_world: must not be null");
        ClipSpace space;
        if (Status status = c::take_clip_space(clip_space, space); !status) return status;
        return engine_map(c::Matrix{clip_from_world}.all(), space, width, height, made);
    });
}
