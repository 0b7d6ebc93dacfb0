#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/view.hpp>

#include "oracle/exact_objects.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Families of views and objects for which culling is most likely to go wrong. All are generated from a seed.
namespace prove {

/// A view, its exact volume, and objects of every kind.
struct Setting {
    exact::Volume volume;
    lanecull::View view;
    std::string text;  ///< describes the view, enough to repeat it
    HullSet hulls;
    std::vector<std::vector<Object>> objects;  ///< [kind]
    bool grown = false;                        ///< objects have margins and sweeps
    bool invalid = false;  ///< every object has a number that is not finite or too large: all must stay visible
};

struct FigureSetting;

/// A family of solids or of 2D shapes: one of the two functions is null. They return none if the library refuses the
/// view.
struct Family {
    const char* name;
    std::optional<Setting> (*make)(Random& random, std::size_t objects);
    std::optional<FigureSetting> (*make_figures)(Random& random, std::size_t objects) = nullptr;
};

[[nodiscard]] std::span<const Family> families();

}  // namespace prove
