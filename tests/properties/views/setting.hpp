#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/library.h>
#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "properties/fingerprint.hpp"
#include "properties/trial.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// What a point light lights: nothing beyond its range. `range` includes the view's margin.
struct Reach {
    exact::Point at;
    exact::Rational range;
    bool is_dark = false;  ///< all that is seen is beyond: nothing casts a shadow that can be seen

    /// Whether all of the solid is farther away, or nothing is lit.
    [[nodiscard]] bool excludes(const exact::Solid& solid) const {
        return is_dark || decide(solid, exact::Volume::hull({&at, 1}), range).verdict == exact::Verdict::apart;
    }
};

/// A view, its exact volume, and objects of every kind.
struct Setting {
    exact::Volume volume;
    lanecull::View view;
    std::string text;  ///< describes the view, enough to repeat it
    HullSet hulls;
    std::vector<std::vector<Object>> objects;  ///< [kind]
    bool grown = false;                        ///< objects have margins and sweeps
    bool tells_by_place = false;               ///< what has a transform is culled where it is apart by some bounds, too
    bool invalid = false;        ///< every object has a number that is not finite or too large: all must stay visible
    std::optional<Reach> reach;  ///< of a view by a point light with a range: culled is also what lies beyond
};

/// Returns none if the library refuses the view.
using MakeSetting = std::optional<Setting> (*)(Random& random, std::size_t objects);

/// A case of any family of views or casters whose objects are valid.
[[nodiscard]] std::optional<Setting> any_setting(Random& random, std::size_t objects);

/// Runs one view's objects through cull(), by every method on every instruction set. Each cull is verified by its
/// certificate, and the exact oracle decides some of the objects.
void run_setting(const Setting& setting, Trial& trial);

}  // namespace properties
