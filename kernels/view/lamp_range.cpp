#include "view/lamp_range.hpp"

#include <cmath>
#include <cstddef>

#include <lanecull/light.hpp>

#include "base/interval.hpp"
#include "view/caster_depth.hpp"
#include "view/frame.hpp"

namespace lanecull {

double reach_of(const ViewOptions& options) { return next_up(options.lamp->range + options.margin); }

bool out_of_range(const Receivers& receivers, const HalfSpacesInLight& in_light, const ViewOptions& options,
                  const Interval3& at) {
    const double reach = reach_of(options);
    if (!std::isfinite(reach) || in_light.hold_lamp()) return false;
    const auto farther = [&](const Interval3& n, double distance) {
        return distance > reach * (length(middle(n)) * (1 + 0x1p-40));
    };
    bool may_be_inside = receivers.half_spaces_suffice;
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!in_light.touches(k) || in_light.at_light(k).hi >= 0) continue;
        if (farther(receivers.half_spaces[k].linear, -in_light.at_light(k).hi)) return true;
        may_be_inside = false;
    }
    if (may_be_inside || receivers.generators.empty()) return false;
    Double3 ways[Generators::capacity];
    std::size_t count = 0;
    for (const Generator& g : receivers.generators) {
        if (!g.is_ray()) ways[count++] = middle(g.p + -at);
    }
    const Interval3 n = exactly(nearest_to_zero({ways, count}, 0.999, reach));
    double least = HUGE_VAL;
    for (const Generator& g : receivers.generators) {
        const double along = dot(n, g.is_ray() ? g.p : g.p + -at).lo;
        least = g.is_ray() ? (along < 0 ? -HUGE_VAL : least) : std::fmin(least, along);
    }
    return farther(n, least);
}

void limit_range(const Lamp& lamp, PreparedView& view) {
    if (!(lamp.range <= coordinate_limit)) return;
    choose_origin({lamp.at[0], lamp.at[1], lamp.at[2]}, view.light);
    double off = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double hi = static_cast<double>(view.light.origin_hi[k]),
                     lo = static_cast<double>(view.light.origin_lo[k]);
        off = std::fmax(off, std::fabs((lamp.at[k] - hi) - lo));
    }
    view.light_error = apex_error_of(off, view.light);
    view.light_range = float_up(lamp.range);
}

}  // namespace lanecull
