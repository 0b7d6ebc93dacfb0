#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lanecull/view.h>

#include "oracle/exact.hpp"
#include "prove/scenes/shadow.hpp"
#include "prove/trial.hpp"
#include "prove/views/setting.hpp"

namespace prove {

/// A view of scenes: its volume is in world coordinates.
struct Sight {
    const exact::Volume& volume;
    const lanecull::View& view;
    const std::string& text;
    const Reach* reach = nullptr;  ///< of a lamp with a range
};
/// Of the setting's view.
[[nodiscard]] inline Sight sight_of(const Setting& setting) {
    return {setting.volume, setting.view, setting.text, setting.reach ? &*setting.reach : nullptr};
}

/// Culls the scene by every method on every instruction set, and verifies what it says of each object: culled, it is
/// apart from the volume; inside, it lies in it; without a shape, it is visible. Its lists say the same, and every
/// object lies in the box of its block. The exact oracle decides some objects. Where there are candidates, all of this
/// holds for them, and others are culled.
void check_scene(const Shadow& shadow, const Sight& sight, Trial& trial,
                 std::span<const std::uint64_t> candidates = {});

/// Asks for the distances from the eye to all visible objects, and verifies that none is too large and no level of
/// detail too coarse. `eye` is a point in world coordinates; the view has the size scale `scale`.
void check_distances(const Shadow& shadow, const Sight& sight, const exact::Point& eye, double scale, Trial& trial);

/// Enough to repeat the object.
[[nodiscard]] std::string describe(const Shadow::There& there, const HullSet& hulls);

}  // namespace prove
