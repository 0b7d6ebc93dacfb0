#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/flat.h>
#include <lanecull/library.h>

#include "flat/figures.hpp"
#include "prove/fingerprint.hpp"
#include "prove/trial.hpp"
#include "support/random.hpp"

namespace prove {

struct FigureSetting {
    flat_tests::TestView view;
    lanecull::flat::Polygon polygon;                       ///< shared by all instances
    std::vector<std::vector<flat_tests::Object>> objects;  ///< [kind]
    bool invalid = false;                                  ///< every shape has a number that is not finite
};

/// Returns none if the library refuses the view.
using MakeFigures = std::optional<FigureSetting> (*)(Random& random, std::size_t objects);

/// Runs one view's shapes through cull() on every instruction set, by every 2D method. Each cull is verified by its
/// certificate, and the exact oracle decides some of the shapes.
void run_setting(const FigureSetting& setting, Trial& trial);

}  // namespace prove
