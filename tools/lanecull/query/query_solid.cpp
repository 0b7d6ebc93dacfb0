#include "query/query_solid.hpp"

#include <cmath>
#include <cstddef>

#include "query/query_numbers.hpp"
#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_vertices = 65535;  ///< as views have it
/// Products of five of them stay finite.
constexpr double largest = 1e60;

double read_number(JsonValue value, const char* name) {
    if (!value.is_number()) fail("{} is to be a number", name);
    const double number = value.number();
    if (!(std::fabs(number) <= largest)) fail("{}: {} is beyond {}", name, number, largest);
    return number;
}

double read_size(JsonValue value, const char* name) {
    const double size = read_number(value, name);
    if (size < 0) fail("{} is not to be negative", name);
    return size;
}

}  // namespace

template <int N>
gjk::Vec<double, N> read_vector(JsonValue value, const char* name) {
    if (!value.is_array_of(N)) fail("{} is to be an array of {} numbers", name, N);
    if constexpr (N == 3) {
        return {read_number(value[0], name), read_number(value[1], name), read_number(value[2], name)};
    } else {
        return {read_number(value[0], name), read_number(value[1], name)};
    }
}
template gjk::Vec<double, 2> read_vector<2>(JsonValue, const char*);
template gjk::Vec<double, 3> read_vector<3>(JsonValue, const char*);

namespace {

template <int N>
gjk::Vec<double, N> read_sizes(JsonValue value, const char* name) {
    const gjk::Vec<double, N> sizes = read_vector<N>(value, name);
    for (const JsonValue size : value) (void)read_size(size, name);
    return sizes;
}

template <int N>
gjk::Matrix<double, N> read_axes(JsonValue value) {
    if (!value.is_array_of(N)) fail("axes is to be an array of {} axes", N);
    gjk::Matrix<double, N> axes;
    for (std::size_t k = 0; k < N; ++k) axes.column[k] = read_vector<N>(value[k], "axes");
    return axes;
}

template <int N>
gjk::Box<double, N> read_box(JsonValue shape) {
    if (!shape.contains("min") && !shape.contains("max")) {
        return {read_vector<N>(member(shape, "center"), "center"),
                read_sizes<N>(member(shape, "half_extents"), "half_extents")};
    }
    const auto low = read_vector<N>(member(shape, "min"), "min"), high = read_vector<N>(member(shape, "max"), "max");
    const auto size = high - low;
    bool ordered = size.x >= 0 && size.y >= 0;
    if constexpr (N == 3) ordered = ordered && size.z >= 0;
    if (!ordered) fail("min is not to be above max");
    return {0.5 * (low + high), 0.5 * size};
}

}  // namespace

int dimension_of_solid(JsonValue shape) {
    if (!shape.is_object()) fail("a and b are to be objects");
    for (const char* name : {"p", "a", "center", "base", "min", "max"}) {
        if (shape.contains(name) && shape[name].is_array()) return shape[name].size() == 2 ? 2 : 3;
    }
    if (!shape.contains("vertices")) return 3;
    const JsonValue vertices = shape["vertices"];
    if (!vertices.is_array() || vertices.empty()) return 3;
    return vertices[0].is_array_of(2) ? 2 : 3;
}

template <int N>
typename SolidCore<N>::Vector SolidCore<N>::support(const Vector& d) const {
    const Vector p = std::visit([&](const auto& shape) -> Vector { return shape.support(d); }, kind);
    return dot(d, sweep) > 0 ? p + sweep : p;
}

template <int N>
double SolidCore<N>::magnitude() const {
    return std::visit([](const auto& shape) { return shape.magnitude(); }, kind) + max_norm(sweep);
}

template <int N>
typename SolidCore<N>::Vector SolidCore<N>::inside() const {
    return std::visit([](const auto& shape) { return shape.inside(); }, kind) + 0.5 * sweep;
}

template <int N>
QuerySolid<N>::QuerySolid(JsonValue shape)
    : core_{read_kind(shape), shape.contains("sweep") ? read_vector<N>(shape["sweep"], "sweep") : Vector{}} {
    if (shape.contains("margin")) margin_ += read_size(shape["margin"], "margin");
}

/// A ball's radius becomes the margin.
template <int N>
typename SolidKinds<N>::Type QuerySolid<N>::read_kind(JsonValue shape) {
    if (!shape.is_object()) fail("a and b are to be objects");
    const JsonValue kind = member(shape, "kind");
    if (!kind.is_string()) fail("kind is to be a string");
    const auto point = [&](const char* name) { return read_vector<N>(member(shape, name), name); };
    const auto radius = [&] { return read_size(member(shape, "radius"), "radius"); };
    const auto sizes = [&] { return read_sizes<N>(member(shape, "half_extents"), "half_extents"); };
    if (kind == "point") return gjk::Point<double, N>{point("p")};
    if (kind == "segment") return gjk::Segment<double, N>{point("a"), point("b")};
    if (kind == "sphere") {
        margin_ = radius();
        return gjk::Point<double, N>{point("center")};
    }
    if (kind == "capsule") {
        margin_ = radius();
        return gjk::Segment<double, N>{point("a"), point("b")};
    }
    if (kind == "aabb") return read_box<N>(shape);
    if (kind == "obb")
        return gjk::OrientedBox<double, N>{point("center"), read_axes<N>(member(shape, "axes")), sizes()};
    if (kind == "ellipsoid") {
        const auto axes = shape.contains("axes") ? read_axes<N>(shape["axes"]) : gjk::identity<double, N>();
        return gjk::Ellipsoid<double, N>{point("center"), axes, sizes()};
    }
    if (kind == "hull") {
        const JsonValue vertices = member(shape, "vertices");
        if (!vertices.is_array()) fail("vertices is to be an array of points");
        if (vertices.empty() || vertices.size() > most_vertices) {
            fail("vertices: 1 to {} are allowed, not {}", most_vertices, vertices.size());
        }
        for (const JsonValue vertex : vertices) vertices_.push_back(read_vector<N>(vertex, "vertices"));
        return gjk::Hull<double, N>(vertices_);
    }
    if constexpr (N == 3) {
        if (kind == "cylinder") return gjk::Cylinder<double>{point("a"), point("b"), radius()};
        if (kind == "cone") return gjk::Cone<double>{point("base"), point("apex"), radius()};
    } else if (kind == "cylinder" || kind == "cone") {
        fail("kind: in the plane there is no {}", kind.text());
    }
    fail("kind: no shape is called {}", kind.dump().substr(0, 40));
}

template class QuerySolid<2>;
template class QuerySolid<3>;
template struct SolidCore<2>;
template struct SolidCore<3>;

}  // namespace lanecull::program
