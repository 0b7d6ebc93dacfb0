#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/flat.hpp>

#include "flat/figures.hpp"
#include "prove/trial.hpp"
#include "support/random.hpp"

/// The same for figures of the plane: families of views and figures, each cull checked by its certificate, some figures
/// by the exact oracle.
namespace prove {

struct FigureSetting {
    flat_tests::TestView view;
    lanecull::flat::Polygon polygon;                       ///< that all instances share
    std::vector<std::vector<flat_tests::Object>> objects;  ///< [kind]
    bool invalid = false;                                  ///< every figure has a number that is none
};

/// None where the library refuses the view.
using MakeFigures = std::optional<FigureSetting> (*)(Random& random, std::size_t objects);

/// One view's figures through every set, by the methods that there are.
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
