/// The options of a view. They are checked before a view is prepared and written into it afterwards. And what is read
/// of a view that is prepared.

#include "view/options.hpp"

#include <cmath>
#include <cstddef>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/interval.hpp"
#include "view/caster_volume.hpp"
#include "view/frame.hpp"
#include "view/planes.hpp"
#include "view/silhouettes.hpp"

namespace lanecull {

Status check_options(const ViewOptions& options) {
    constexpr std::size_t most = 10;
    if (!is_cleared(options)) return not_cleared("options.reserved");
    if (Status status = check_span(options.clip_planes, "options.clip_planes"); !status) return status;
    if (options.clip_planes.size() > most) {
        return failure("options.clip_planes: at most %zu, not %zu", most, options.clip_planes.size());
    }
    if (!(options.margin >= 0 && options.margin <= coordinate_limit)) {
        return failure("options.margin: %g is not a length from 0 to 1e30", options.margin);
    }
    if (!(options.size_scale >= 0 && options.size_scale <= 1e10)) {
        return failure("options.size_scale: %g is not from 0 to 1e10", options.size_scale);
    }
    for (int k = 0; options.eye != nullptr && k < 3; ++k) {
        if (!(std::fabs(options.eye[k]) <= coordinate_limit)) {
            return failure("options.eye: %g is not a finite coordinate up to 1e30", options.eye[k]);
        }
    }
    return check_lights(options);
}

Sight sight_along(const Affine& depth, const Interval3& c) {
    return {.from = {c.x, c.y, c.z},
            .axis = {depth.linear.x, depth.linear.y, depth.linear.z},
            .offset = depth.constant.mid(),
            .kind = Sight::along};
}

Sight sight_from(const double* place) { return {.from = {place[0], place[1], place[2]}, .kind = Sight::distance}; }

namespace {

Sight sight_of(const ViewOptions& options, const Sight& own) {
    if (options.directional_light != nullptr) {
        const double* const toward = options.directional_light->toward;
        return {.axis = {-toward[0], -toward[1], -toward[2]}, .kind = Sight::along};
    }
    if (options.point_light != nullptr) return sight_from(options.point_light->at);
    return own.kind == Sight::none && options.eye != nullptr ? sight_from(options.eye) : own;
}

}  // namespace

void finish(const ViewOptions& options, const Eye& own, PreparedView& view) {
    describe_sides(view);
    describe_distances(view);
    view.margin = float_up(options.margin);
    view.layer_mask = ~options.hidden_layers;
    Eye eye = own;
    if (options.eye != nullptr) {
        eye.known = true;
        eye.frame = Frame{};
        choose_origin({options.eye[0], options.eye[1], options.eye[2]}, eye.frame);
        eye.distance = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double hi = static_cast<double>(eye.frame.origin_hi[k]),
                         lo = static_cast<double>(eye.frame.origin_lo[k]);
            eye.distance = std::fmax(eye.distance, std::fabs((options.eye[k] - hi) - lo));
        }
    }
    if (options.size_scale > 0) eye.size_scale = options.size_scale;
    view.has_eye = eye.known;
    view.eye = eye.frame;
    view.eye_error = apex_error_of(eye.distance, eye.frame);
    view.size_by_distance = eye.size_by_distance;
    const bool scale_works = eye.size_scale >= 1e-10 && eye.size_scale <= 1e10 && (eye.known || !eye.size_by_distance);
    view.size_scale = scale_works ? float_up(eye.size_scale) : 0.0f;
    if (!std::isfinite(view.eye_error)) view.has_eye = 0;
    view.sight = sight_of(options, own.sight);
}

void take_eye(const PreparedView& from, PreparedView& view) {
    view.has_eye = from.has_eye;
    view.eye = from.eye;
    view.eye_error = from.eye_error;
    view.size_scale = from.size_scale;
    view.size_by_distance = from.size_by_distance;
}

void describe_nothing(PreparedView& view) {
    constexpr float behind = -1e38f;  // farther than the coordinates of a valid object add up to
    PreparedView nothing;
    nothing.frame = view.frame;
    nothing.of_casters = view.of_casters;
    nothing.margin = view.margin;
    nothing.layer_mask = view.layer_mask;
    nothing.sight = view.sight;
    take_eye(view, nothing);
    nothing.sees_nothing = 1;
    nothing.plane_count = 1;
    nothing.offset[0] = nothing.view_offset[0] = nothing.inner_offset[0] = behind;
    pad_planes(nothing);
    view = nothing;
}

}  // namespace lanecull

using namespace lanecull;

uint32_t lanecull_view_is_exact(const lanecull_view* view) noexcept {
    if (view == nullptr || !is_prepared(*view)) return 0;
    const PreparedView& contents = contents_of(*view);
    if (contents.sees_nothing != 0) return 1;
    const FloatModes modes;  // a range may be denormal
    return contents.volume != VolumeKind::planes_only && contents.light_range == 0 ? 1 : 0;
}

uint32_t lanecull_view_sees_nothing(const lanecull_view* view) noexcept {
    return view != nullptr && is_prepared(*view) && contents_of(*view).sees_nothing != 0 ? 1 : 0;
}
