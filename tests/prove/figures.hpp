#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/flat.hpp>

#include "flat/figures.hpp"
#include "prove/trial.hpp"
#include "support/random.hpp"

/// The prover for 2D shapes: families of views and shapes. Each cull is verified by its certificate, and the exact
/// oracle decides some of the shapes.
namespace prove {

struct FigureSetting {
    flat_tests::TestView view;
    lanecull::flat::Polygon polygon;                       ///< shared by all instances
    std::vector<std::vector<flat_tests::Object>> objects;  ///< [kind]
    bool invalid = false;                                  ///< every shape has a number that is not finite
};

/// Returns none if the library refuses the view.
using MakeFigures = std::optional<FigureSetting> (*)(Random& random, std::size_t objects);

/// Runs one view's shapes through cull() on every instruction set, by every 2D method.
void run_figures(const FigureSetting& setting, const Plan& plan, const std::string& label, Random& random, Tally& tally,
                 std::vector<std::string>& failures);

[[nodiscard]] std::optional<FigureSetting> figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> grazing_figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> turned_figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> thin_figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> far_figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> huge_figures(Random& random, std::size_t objects);
[[nodiscard]] std::optional<FigureSetting> not_finite_figures(Random& random, std::size_t objects);

}  // namespace prove
