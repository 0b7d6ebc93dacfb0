#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/library.h>
#include <lanecull/view.h>

#include "oracle/exact_objects.hpp"
#include "properties/trial.hpp"
#include "support/culling.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// What a point light lights: nothing beyond its range. `range` includes the view's margin.
struct Reach {
    exact::Point at;
    exact::Rational range;
    bool is_dark = false;  ///< all that is seen is beyond: nothing casts a shadow that can be seen

    /// Whether all of the solid, grown, is farther away, or nothing is lit.
    [[nodiscard]] bool excludes(const exact::Solid& solid, const exact::Rational& grown = 0) const {
        return is_dark || decide(solid, exact::Volume::hull({&at, 1}), range + grown).verdict == exact::Verdict::apart;
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
    double oracle_share = 1;                   ///< of the objects that the plan has decided in rationals
    std::optional<Reach> reach;  ///< of a ball, or a point light with a range: culled is also what lies beyond

    [[nodiscard]] bool is_apart(const exact::Solid& solid, const exact::Rational& by = 0) const {
        return decide(solid, volume, by).verdict == exact::Verdict::apart || (reach && reach->excludes(solid, by));
    }
};

/// Says of one of a batch's objects what is wrong with it, by which method on which set: for all_verdicts_of().
struct Complaint {
    const Trial& trial;
    std::function<std::string()> view;
    Kind kind;
    std::span<const Object> objects;
    const HullSet& hulls;

    /// `by` has a set and a method: Verdicts, or CullOptions.
    template <class By>
    void operator()(Tally::Count count, std::size_t i, const By& by, const std::string& what) const {
        trial.fail(
            count,
            what + ", object " + std::to_string(i) + " by " + lanecull::isa_name(by.isa) + " " + method_name(by.method),
            [&] { return "view " + view() + "\n  object " + describe(kind, objects[i], hulls); });
    }
};

/// Returns none if the library refuses the view.
using MakeSetting = std::optional<Setting> (*)(Random& random, std::size_t objects);

/// A case of any family of views or casters whose objects are valid.
[[nodiscard]] std::optional<Setting> any_setting(Random& random, std::size_t objects);

/// Runs one view's objects through cull(), by every method on every instruction set. Each cull is verified by its
/// certificate, and the exact oracle decides some of the objects.
void run_setting(const Setting& setting, Trial& trial);

}  // namespace properties
