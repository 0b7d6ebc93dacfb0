#include "options/lens_options.hpp"

#include <limits>
#include <optional>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

void check(const char* option, std::optional<double> value, double low, double high) {
    if (value) check_number(option, *value, low, high);
}

}  // namespace

void add_lens_options(Command command, LensOptions& lens) {
    const auto number = [&](const char* name, std::optional<double>& value, const char* text) {
        command.option(name, value, text).type_name("X");
    };
    number("--fov", lens.fov_degrees, "Vertical field of view in degrees (50)");
    number("--aspect", lens.aspect, "Width over height (1.78)");
    number("--near", lens.near, "Distance of the near plane (far / 10000)");
    number(
        "--far", lens.far,
        "Distance of the far plane, or infinity (a fifth of the scene's diagonal, or what it takes to see something)");
}

void check_lens_options(const LensOptions& lens) {
    check("--fov", lens.fov_degrees, 0.01, 179);
    check("--aspect", lens.aspect, 0.01, 100);
    check("--near", lens.near, 1e-12, 1e15);
    if (lens.far != std::numeric_limits<double>::infinity()) check("--far", lens.far, 1e-12, 1e15);
    if (lens.near && lens.far && *lens.near >= *lens.far) {
        refuse("--near {} is to be less than --far {}", *lens.near, *lens.far);
    }
}

}  // namespace lanecull::program
