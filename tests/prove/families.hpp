#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/view.hpp>

#include "exact_objects.hpp"

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

struct Family {
    const char* name;
    /// None where the library refuses the view.
    std::optional<Setting> (*make)(Random& random, std::size_t objects);
};

[[nodiscard]] std::span<const Family> families();

}  // namespace prove
