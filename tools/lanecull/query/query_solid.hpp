#pragma once

#include <lanecull/gjk.hpp>
#include <variant>
#include <vector>

#include "support/json.hpp"

namespace lanecull::program {

/// What a query's shape is without its sweep and margin. A sphere is a point, a capsule a segment.
template <int N>
struct SolidKinds;

template <>
struct SolidKinds<2> {
    using Type = std::variant<gjk::Point<double, 2>, gjk::Segment<double, 2>, gjk::Box<double, 2>,
                              gjk::OrientedBox<double, 2>, gjk::Ellipsoid<double, 2>, gjk::Hull<double, 2>>;
};

template <>
struct SolidKinds<3> {
    using Type = std::variant<gjk::Point<double>, gjk::Segment<double>, gjk::Box<double>, gjk::OrientedBox<double>,
                              gjk::Ellipsoid<double>, gjk::Cylinder<double>, gjk::Cone<double>, gjk::Hull<double>>;
};

/// One of them and its sweep, as <lanecull/gjk.hpp> wants it. Holds a reference to the hull's vertices.
template <int N>
struct SolidCore {
    using Vector = gjk::Vec<double, N>;
    typename SolidKinds<N>::Type kind;
    Vector sweep{};

    static constexpr int roundings = gjk::roundings<gjk::Swept<gjk::Cone<double>>>;  // no kind has more
    [[nodiscard]] Vector support(const Vector& d) const;
    [[nodiscard]] double magnitude() const;
    [[nodiscard]] Vector inside() const;
};

/// A shape of a query about two, whatever its kind, in doubles: numbers mean the nearest double however they are
/// written.
template <int N>
class QuerySolid {
public:
    using Vector = gjk::Vec<double, N>;

    /// Fails, naming the member that is wrong.
    explicit QuerySolid(JsonValue shape);
    QuerySolid(const QuerySolid&) = delete;
    QuerySolid& operator=(const QuerySolid&) = delete;

    static constexpr int roundings = gjk::roundings<gjk::Rounded<SolidCore<N>>>;
    [[nodiscard]] Vector support(const Vector& d) const { return core_.support(d) + margin_ * gjk::unit(d); }
    [[nodiscard]] double magnitude() const { return core_.magnitude() + margin_; }
    [[nodiscard]] Vector inside() const { return core_.inside(); }
    [[nodiscard]] const SolidCore<N>& core() const { return core_; }
    [[nodiscard]] double margin() const { return margin_; }

private:
    [[nodiscard]] typename SolidKinds<N>::Type read_kind(JsonValue shape);

    std::vector<Vector> vertices_;
    double margin_ = 0;
    SolidCore<N> core_;
};

/// An array of N numbers; fails with its name.
template <int N>
[[nodiscard]] gjk::Vec<double, N> read_vector(JsonValue value, const char* name);

/// How many numbers the shape's points have: 2, or 3. Fails when there is no telling.
[[nodiscard]] int dimension_of_solid(JsonValue shape);

extern template class QuerySolid<2>;
extern template class QuerySolid<3>;

}  // namespace lanecull::program
