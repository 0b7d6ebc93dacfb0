#pragma once

#include <deque>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <lanecull/gjk.hpp>

#include "gjk/specimens.hpp"

/// The numbers that a shape is made of, for scaling it, for spoiling one of them, and for writing them down.
namespace prove::gjk_subject {

namespace gjk = lanecull::gjk;

/// What a number changes with when the shape is scaled.
enum class Unit { length, none };

/// Calls visit(number, unit) for each. A hull's points are the caller's and are left out.
template <class T, int N, class Visit>
void each_number(gjk::Vec<T, N>& v, Unit unit, const Visit& visit) {
    visit(v.x, unit);
    visit(v.y, unit);
    if constexpr (N == 3) visit(v.z, unit);
}
template <class T, int N, class Visit>
void each_number(gjk::Matrix<T, N>& m, const Visit& visit) {
    for (auto& column : m.column) each_number(column, Unit::none, visit);
}

template <class T, int N, class Visit>
void each_number(gjk::Hull<T, N>&, const Visit&) {}
template <class S, class Visit>
void each_number(S& s, const Visit& visit) {
    const auto lengths = [&](auto&... vectors) { (each_number(vectors, Unit::length, visit), ...); };
    if constexpr (requires { s.p; }) lengths(s.p);
    if constexpr (requires { s.center; }) lengths(s.center);
    if constexpr (requires { s.half; }) lengths(s.half);
    if constexpr (requires { s.base; }) lengths(s.base, s.apex);
    if constexpr (requires { s.way; }) lengths(s.way);
    if constexpr (requires { s.radius; }) visit(s.radius, Unit::length);
    if constexpr (requires { s.axes; }) each_number(s.axes, visit);
    if constexpr (requires { s.map; }) {
        each_number(s.map.linear, visit);
        lengths(s.map.translation);
    }
    if constexpr (requires { s.pose; }) {
        each_number(s.pose.rotation, visit);
        lengths(s.pose.translation);
    }
    if constexpr (requires { s.c; }) lengths(s.c);
    if constexpr (requires { s.a.x; }) lengths(s.a, s.b);
    if constexpr (requires { s.a.inside(); }) {
        each_number(s.a, visit);
        each_number(s.b, visit);
    }
    if constexpr (requires { s.shape; }) each_number(s.shape, visit);
    if constexpr (requires { s.specimen; }) {
        std::visit([&](auto& shape) { each_number(shape, visit); }, s.specimen);
    }
}

/// All of them, as they are in memory.
template <class S>
[[nodiscard]] std::string describe(const S& shape) {
    S copy(shape);
    std::string text;
    each_number(copy, [&](auto& number, Unit) { text += fmt::format(" {:a}", number); });
    if constexpr (requires { shape.specimen; }) text = fmt::format("kind {}:", shape.specimen.index()) + text;
    return text;
}

/// A copy, each of whose numbers is replaced by what `change` returns.
template <class T, int N>
class Changed {
public:
    template <class Change>
    [[nodiscard]] specimens::Any<T, N> operator()(const specimens::Any<T, N>& shape, const Change& change) {
        if (const auto* hull = std::get_if<gjk::Hull<T, N>>(&shape.specimen)) {
            auto& points = points_.emplace_back(hull->points().begin(), hull->points().end());
            for (auto& p : points) {
                each_number(p, Unit::length, [&](T& number, Unit unit) { number = change(number, unit); });
            }
            return {gjk::Hull<T, N>(points)};
        }
        specimens::Any<T, N> copy(shape);
        each_number(copy, [&](T& number, Unit unit) { number = change(number, unit); });
        return copy;
    }

private:
    std::deque<std::vector<gjk::Vec<T, N>>> points_;
};

}  // namespace prove::gjk_subject
