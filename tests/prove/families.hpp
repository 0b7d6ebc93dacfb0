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

/// Families of views and objects at which culling is likeliest to go wrong, each from a seed.
namespace prove {

/// A view and what it is, and objects of every kind.
struct Setting {
    exact::Volume volume;
    lanecull::View view;
    std::string text;  ///< of the view: enough to repeat it
    HullSet hulls;
    std::vector<std::vector<Object>> objects;  ///< [kind]
    bool grown = false;                        ///< objects have margins and sweeps
    bool invalid = false;                      ///< every object has a number that is none: all must stay visible
};

struct FigureSetting;

/// Of solids or of figures: one of the two is null. None where the library refuses the view.
struct Family {
    const char* name;
    std::optional<Setting> (*make)(Random& random, std::size_t objects);
    std::optional<FigureSetting> (*make_figures)(Random& random, std::size_t objects) = nullptr;
};

[[nodiscard]] std::span<const Family> families();

}  // namespace prove
