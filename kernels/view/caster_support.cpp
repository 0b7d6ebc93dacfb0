#include "view/caster_support.hpp"

#include <cmath>

#include "base/interval.hpp"
#include "view/frame.hpp"
#include "view/polytope_support.hpp"

namespace lanecull {
namespace {

/// Polytopes alone are swept. Where depth does not grow along an endless way, nothing would limit it.
bool describe_sweep(const Light& light, const Interval3x3& rotation, PreparedView& view) {
    const Interval3 way = {dot(rotation.row[0], light.way), dot(rotation.row[1], light.way),
                           dot(rotation.row[2], light.way)};
    const double size = largest_component(middle(way));
    if (!way.finite() || !(size <= coordinate_limit)) return false;
    if (size == 0) return true;
    const bool deepens = way.z.lo > 0.01 * size;
    if (light.endless && !deepens) return false;
    view.is_swept = 1;
    view.sweep[0] = static_cast<float>(way.x.mid());
    view.sweep[1] = static_cast<float>(way.y.mid());
    view.sweep[2] = static_cast<float>(way.z.mid());
    view.sweep_limit = light.endless ? HUGE_VALF : 1.0f;
    view.sweep_magnitude = float_up(size * (1 + 0x1p-20));
    view.sweep_inverse = deepens ? float_up(1 / way.z.lo * (1 + 0x1p-40)) : 0.0f;
    if (!(view.sweep_inverse < HUGE_VALF)) view.sweep_inverse = 0;
    if (light.endless && view.sweep_inverse == 0) return false;
    if (view.sweep_inverse == 0) {
        const double back = std::fmax(0, -way.z.lo);
        view.near_depth = float_down(next_down(static_cast<double>(view.near_depth) - back));
    }
    return true;
}

}  // namespace

void describe_caster_support(const Receivers& receivers, const Light& light, const Interval3x3& rotation,
                             PreparedView& view) {
    Generators joined;
    for (const Generator& g : receivers.generators) {
        if (!joined.add(g)) return;
    }
    if (!light.is_sun && !joined.add({light.at, 1.0, 0})) return;
    PreparedView described = view;
    if (receivers.half_spaces_suffice) {
        describe_if_known_well(joined.all(), rotation, described);
    } else if (!describe_polytope(joined.all(), rotation, described)) {
        return;
    }
    if (described.volume != VolumeKind::polytope) return;
    if (light.is_sun && !describe_sweep(light, rotation, described)) return;
    view = described;
}

}  // namespace lanecull
