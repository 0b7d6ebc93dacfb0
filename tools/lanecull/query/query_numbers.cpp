#include "query/query_numbers.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

constexpr float float_infinity = std::numeric_limits<float>::infinity();
constexpr double double_infinity = std::numeric_limits<double>::infinity();

float checked(float rounded, double value, const std::string& name) {
    if (!std::isfinite(rounded)) fail("{}: {} is beyond what a float holds", name, value);
    return rounded;
}

bool has_nine_digits_at_most(double value) {
    const std::string digits = fmt::format("{:.8e}", value);
    double same = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), same);
    return same == value;
}

}  // namespace

JsonValue member(JsonValue object, const char* name) {
    if (!object.contains(name)) fail("{} is missing", name);
    return object[name];
}

double number(JsonValue value, const std::string& name) {
    if (!value.is_number()) fail("{} is to be a number", name);
    const double written = value.number();
    const float rounded = static_cast<float>(written);
    if (static_cast<double>(rounded) == written) return written;
    return std::isfinite(rounded) && has_nine_digits_at_most(written) ? static_cast<double>(rounded) : written;
}

std::array<double, 3> vector(JsonValue value, const std::string& name) {
    if (!value.is_array_of(3)) fail("{} is to be an array of 3 numbers", name);
    return {number(value[0], name), number(value[1], name), number(value[2], name)};
}

float nearest(double value, const std::string& name, double& moved) {
    const float rounded = checked(static_cast<float>(value), value, name);
    moved = sum_above(moved, std::fabs(value - static_cast<double>(rounded)));  // the difference is exact
    return rounded;
}

float at_least(double value, const std::string& name) {
    float rounded = static_cast<float>(value);
    if (static_cast<double>(rounded) < value) rounded = std::nextafter(rounded, float_infinity);
    return checked(rounded, value, name);
}

float at_most(double value, const std::string& name) { return -at_least(-value, name); }

double sum_above(double a, double b) { return b == 0 ? a : std::nextafter(a + b, double_infinity); }

double product_above(double a, double b) { return a == 0 || b == 0 ? 0 : std::nextafter(a * b, double_infinity); }

}  // namespace lanecull::program
