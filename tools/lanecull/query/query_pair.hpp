#pragma once

#include <lanecull/gjk.hpp>
#include <variant>

#include "query/given_shape.hpp"

/// Questions about two shapes, in doubles.
namespace lanecull::program {

/// What a shape is without its sweep and margin. A sphere is a point, a capsule a segment.
template <int N>
struct SolidKinds {
    using Type = std::variant<gjk::Point<double, N>, gjk::Segment<double, N>, gjk::Box<double, N>,
                              gjk::OrientedBox<double, N>, gjk::Ellipsoid<double, N>, gjk::Hull<double, N>>;
};
template <>
struct SolidKinds<3> {
    using Type = std::variant<gjk::Point<double>, gjk::Segment<double>, gjk::Box<double>, gjk::OrientedBox<double>,
                              gjk::Ellipsoid<double>, gjk::Hull<double>, gjk::Cylinder<double>, gjk::Cone<double>,
                              gjk::SphericalSector<double>>;
};

/// One of them and its sweep, as <lanecull/gjk.hpp> wants it. A hull refers to vertices that are elsewhere.
template <int N>
struct SolidCore {
    using Vector = gjk::Vec<double, N>;
    typename SolidKinds<N>::Type kind;
    Vector sweep{};

    static constexpr int roundings = gjk::roundings<gjk::Swept<gjk::Cone<double>>>;  // no kind has more
    [[nodiscard]] Vector support(const Vector& d) const {
        const Vector p = std::visit([&](const auto& shape) -> Vector { return shape.support(d); }, kind);
        return dot(d, sweep) > 0 ? p + sweep : p;
    }
    [[nodiscard]] double magnitude() const {
        return std::visit([](const auto& shape) { return shape.magnitude(); }, kind) + max_norm(sweep);
    }
    [[nodiscard]] Vector inside() const {
        return std::visit([](const auto& shape) { return shape.inside(); }, kind) + 0.5 * sweep;
    }
};

/// A shape of the question, whatever its kind. Copies refer to the same vertices.
template <int N>
class QuerySolid {
public:
    using Vector = gjk::Vec<double, N>;
    QuerySolid(SolidCore<N> core, double margin) : core_(std::move(core)), margin_(margin) {}

    static constexpr int roundings = gjk::roundings<gjk::Rounded<SolidCore<N>>>;
    [[nodiscard]] Vector support(const Vector& d) const { return core_.support(d) + margin_ * gjk::unit(d); }
    [[nodiscard]] double magnitude() const { return core_.magnitude() + margin_; }
    [[nodiscard]] Vector inside() const { return core_.inside(); }
    [[nodiscard]] const SolidCore<N>& core() const { return core_; }
    [[nodiscard]] double margin() const { return margin_; }

private:
    SolidCore<N> core_;
    double margin_;
};

/// The two shapes of a question. Fails, naming the shape and the member that is wrong.
template <int N>
struct SolidPair {
    explicit SolidPair(const Json& query);
    SolidPair(const SolidPair&) = delete;
    SolidPair& operator=(const SolidPair&) = delete;

    std::vector<gjk::Vec<double, N>> vertices_of_a, vertices_of_b;
    QuerySolid<N> a, b;

    /// As near as doubles go: nobody waits for one query. `watch`: what gjk::distance() tells of its steps.
    template <class... Watch>
    [[nodiscard]] auto distance(Watch&&... watch) const {
        return gjk::distance(a, b, {.max_steps = 1000, .relative = 1e-15}, watch...);
    }
};
extern template struct SolidPair<2>;
extern template struct SolidPair<3>;

/// How many numbers the points of both shapes have: 2, or 3.
[[nodiscard]] int dimension_of_pair(const Json& query);

[[nodiscard]] const char* pair_verdict(gjk::Verdict verdict);

/// Answers the question: "verdict", "distance", "closest" and, of those that intersect, "depth"; of one with a "motion"
/// "verdict", "time" and "closest".
void answer_pair(const Json& query, nlohmann::ordered_json& reply);

}  // namespace lanecull::program
