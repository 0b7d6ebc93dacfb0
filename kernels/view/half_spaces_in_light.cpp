#include "view/half_spaces_in_light.hpp"

namespace lanecull {
namespace {

/// Of corners, relative to the volume's extent. Where it is more, edges tell less than any three corners do.
constexpr double most_blur = 0x1p-30;

}  // namespace

HalfSpacesInLight::HalfSpacesInLight(const Receivers& receivers, const Light& light)
    : incidence_(receivers.generators),
      edges_known_(receivers.half_spaces_suffice && incidence_.solid(receivers.half_spaces.size()) &&
                   blur(receivers.generators) <= most_blur * extent(receivers.generators)),
      hold_lamp_(receivers.half_spaces_suffice && !light.is_sun) {
    for (std::size_t k = 0; k < receivers.half_spaces.size(); ++k) {
        if (!touches(k)) continue;
        const Affine& f = receivers.half_spaces[k];
        at_light_[k] = light.is_sun ? dot(f.linear, light.way) : f.at(light.at);
        hold_lamp_ = hold_lamp_ && at_light_[k].lo >= 0;
    }
}

}  // namespace lanecull
