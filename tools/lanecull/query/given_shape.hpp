#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>

/// Shapes and numbers as a query gives them. Everything fails naming the member that is wrong.
namespace lanecull::program {

using Json = nlohmann::json;

[[nodiscard]] inline bool is_array_of(const Json& value, std::size_t count) {
    return value.is_array() && value.size() == count;
}

/// The member of that name.
[[nodiscard]] const Json& member(const Json& object, const char* name);

/// What is written with at most nine significant digits means the nearest float, because nine are what it takes to tell
/// all floats apart; what is longer means the nearest double.
[[nodiscard]] double number(const Json& value, const std::string& name);
/// The nearest double, of which products of five stay finite.
[[nodiscard]] double bounded_number(const Json& value, const std::string& name);

using ReadNumber = double (*)(const Json& value, const std::string& name);

[[noreturn]] void throw_no_vector(const std::string& name, std::size_t count);

/// An array of N numbers.
template <std::size_t N>
[[nodiscard]] std::array<double, N> vector(const Json& value, const std::string& name, ReadNumber read = number) {
    if (!is_array_of(value, N)) throw_no_vector(name, N);
    std::array<double, N> numbers;
    for (std::size_t k = 0; k < N; ++k) numbers[k] = read(value[k], name);
    return numbers;
}

/// What kinds a question may be about, bit by bit.
enum class ShapeUse : unsigned { view = 1, plane = 2, occluder = 4, pair = 8, flat_pair = 16 };

/// A shape's members, of whatever kind it is.
template <std::size_t N>
struct GivenShape {
    using Vector = std::array<double, N>;
    std::string kind;
    std::vector<Vector> points;  ///< of a hull its vertices; of a box its corners or its centre; else p, a, b, ...
    std::array<const char*, 2> names{};  ///< of the points
    bool is_round = false;               ///< a cone's base
    double radius = 0;
    Vector half_extents{};
    std::optional<std::array<Vector, N>> axes = {};
    std::optional<Vector> sweep = {};
    double margin = 0;

    [[nodiscard]] bool by_corners() const { return kind == "aabb" && points.size() == 2; }

    GivenShape(const Json& shape, ShapeUse use);
};

extern template struct GivenShape<2>;
extern template struct GivenShape<3>;

}  // namespace lanecull::program
