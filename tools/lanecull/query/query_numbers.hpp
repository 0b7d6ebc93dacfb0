#pragma once

#include <array>
#include <string>

#include "support/json.hpp"

/// Numbers of a query. What is written with at most nine significant digits means the nearest float, because nine are
/// what it takes to tell all floats apart; what is longer means the nearest double. The library's shapes are floats, so
/// the latter are rounded, and how they moved is not forgotten. All fail naming the member that is wrong.
namespace lanecull::program {

/// The member of that name.
[[nodiscard]] JsonValue member(JsonValue object, const char* name);

/// As said above: a float, if it may be one.
[[nodiscard]] double number(JsonValue value, const std::string& name);
/// An array of 3 numbers.
[[nodiscard]] std::array<double, 3> vector(JsonValue value, const std::string& name);

/// The nearest float. Adds how far off it is to `moved`, rounded up.
[[nodiscard]] float nearest(double value, const std::string& name, double& moved);
/// The smallest float that is not less.
[[nodiscard]] float at_least(double value, const std::string& name);
/// The largest float that is not greater.
[[nodiscard]] float at_most(double value, const std::string& name);
/// a + b, b >= 0, or a little more.
[[nodiscard]] double sum_above(double a, double b);
/// a b, both >= 0, or a little more.
[[nodiscard]] double product_above(double a, double b);

}  // namespace lanecull::program
