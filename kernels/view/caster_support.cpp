#include "view/caster_support.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/interval.hpp"
#include "view/frame.hpp"
#include "view/polytope_support.hpp"

namespace lanecull {
namespace {

/// A sun's way in view space. Polytopes alone are swept. Where depth does not grow along an endless way, nothing would
/// limit it.
struct Sweep {
    Interval3 way;
    double size;    ///< 0: the volume is not swept
    float inverse;  ///< how much of the way a unit of depth takes, at most; 0: depth does not grow
    bool works;

    Sweep(const Light& light, const Interval3x3& rotation)
        : way(rotation * light.way), size(way.largest()), inverse(0), works(way.finite() && size <= coordinate_limit) {
        const double deeper = way.in_z().lo;
        if (deeper > 0.01 * size) inverse = float_up(1 / deeper * (1 + 0x1p-40));
        if (!(inverse < HUGE_VALF)) inverse = 0;
        works = works && !(light.endless && size > 0 && inverse == 0);
    }

    void describe(const Light& light, PreparedView& view) const {
        if (size == 0) return;
        view.is_swept = 1;
        view.sweep[0] = static_cast<float>(way.x);
        view.sweep[1] = static_cast<float>(way.y);
        view.sweep[2] = static_cast<float>(way.z);
        view.sweep_limit = light.endless ? HUGE_VALF : 1.0f;
        view.sweep_magnitude = float_up(size * (1 + 0x1p-20));
        view.sweep_inverse = inverse;
        if (inverse > 0) return;
        const double back = std::max(0.0, -way.in_z().lo);
        view.near_depth = float_down(next_down(static_cast<double>(view.near_depth) - back));
    }
};

}  // namespace

void describe_caster_support(const Receivers& receivers, const HalfSpacesInLight& in_light, const Light& light,
                             const Interval3x3& rotation, PreparedView& view) {
    const auto describe = [&](std::span<const Generator> generators) {
        return receivers.half_spaces_suffice ? describe_if_known_well(generators, rotation, view)
                                             : describe_polytope(generators, rotation, view);
    };
    if (light.is_sun) {
        const Sweep sweep(light, rotation);
        if (sweep.works && describe(receivers.generators)) sweep.describe(light, view);
        return;
    }
    if (in_light.hold_lamp()) {
        describe(receivers.generators);
        return;
    }
    Generators joined(receivers.generators);
    if (joined.add({light.at, 1.0, 0})) describe(joined.all());
}

}  // namespace lanecull
