#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <lanecull/flat.h>
#include <lanecull/library.h>

#include "flat/figures.hpp"
#include "properties/trial.hpp"
#include "support/random.hpp"

namespace properties {

struct FigureSetting {
    flat_tests::TestView view;
    lanecull::flat::Polygon polygon;                       ///< shared by all instances
    std::vector<std::vector<flat_tests::Object>> objects;  ///< [kind]
    bool moderate_alone = false;                           ///< rationals decide what has moderate numbers alone
};

/// Returns none if the library refuses the view.
using MakeFigures = std::optional<FigureSetting> (*)(Random& random, std::size_t objects);

/// Runs one view's shapes through cull() on every instruction set, by every 2D method. Each cull is verified by its
/// certificate, and the exact oracle decides some of the shapes. What is no shape stays visible.
void run_setting(const FigureSetting& setting, Trial& trial);

void figure_outputs(Trial& trial);  ///< all outputs of a call agree
void figure_corners(Trial& trial);  ///< hulls of points have no more corners than there is room for

}  // namespace properties
