#include "query/query_shape.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "query/query_numbers.hpp"
#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {

namespace {

constexpr std::size_t most_vertices = 65535;  ///< as prepare_hull() has it

}  // namespace

QueryShape::QueryShape(JsonValue shape) {
    if (!shape.is_object()) fail("shape is to be an object");
    const JsonValue kind = member(shape, "kind");
    if (!kind.is_string()) fail("kind is to be a string");
    if (kind == "point") {
        read_ball(shape, "p", nullptr);
    } else if (kind == "segment") {
        read_capsule(shape, nullptr);
    } else if (kind == "sphere") {
        read_ball(shape, "center", "radius");
    } else if (kind == "capsule") {
        read_capsule(shape, "radius");
    } else if (kind == "aabb") {
        read_box(shape);
    } else if (kind == "obb") {
        read_oriented_box(shape);
    } else if (kind == "hull") {
        read_hull(shape);
    } else if (kind == "cylinder" || kind == "cone" || kind == "ellipsoid") {
        fail("kind: {} is not supported", kind.text());
    } else {
        fail("kind: no shape is called {}", kind.dump().substr(0, 40));
    }
    read_expansion(shape);
}

void QueryShape::read_ball(JsonValue shape, const char* centre, const char* radius) {
    moved_ = add_point(vector(member(shape, centre), centre), centre);
    add_size(radius == nullptr ? 0 : number(member(shape, radius), radius), "radius");
    const float* n = numbers_.data();
    batch_ = Spheres{n, n + 1, n + 2, n + 3, 1};
}

void QueryShape::read_capsule(JsonValue shape, const char* radius) {
    const double a = add_point(vector(member(shape, "a"), "a"), "a");
    const double b = add_point(vector(member(shape, "b"), "b"), "b");
    moved_ = std::max(a, b);
    add_size(radius == nullptr ? 0 : number(member(shape, radius), radius), "radius");
    const float* n = numbers_.data();
    batch_ = Capsules{n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
}

void QueryShape::read_box(JsonValue shape) {
    if (shape.contains("min") || shape.contains("max")) {
        for (const double low : vector(member(shape, "min"), "min")) numbers_.push_back(at_most(low, "min"));
        for (const double high : vector(member(shape, "max"), "max")) numbers_.push_back(at_least(high, "max"));
        const float* n = numbers_.data();
        batch_ = Boxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
        return;
    }
    moved_ = add_point(vector(member(shape, "center"), "center"), "center");
    for (const double half : vector(member(shape, "half_extents"), "half_extents")) add_size(half, "half_extents");
    const float* n = numbers_.data();
    batch_ = CenteredBoxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
}

/// Of centre c, axes a and half-extents h, which become c', a' and h' as floats: a point c + sum of s h a, |s| <= 1, is
/// at most |c - c'| + sum of |h| |a - a'| + |h - h'| |a'| from the same mixture of the floats. |v| is at most |v|_1.
void QueryShape::read_oriented_box(JsonValue shape) {
    displaced_ = add_point(vector(member(shape, "center"), "center"), "center");
    const JsonValue axes = member(shape, "axes");
    if (!axes.is_array_of(3)) fail("axes is to be an array of 3 axes");
    std::array<double, 3> axis_moved{};
    for (std::size_t k = 0; k < 3; ++k) axis_moved[k] = add_point(vector(axes[k], "axes"), "axes");
    const std::array<double, 3> half = vector(member(shape, "half_extents"), "half_extents");
    for (std::size_t k = 0; k < 3; ++k) {
        double half_moved = 0, length = 0;
        numbers_.push_back(half[k] < 0 ? at_most(half[k], "half_extents")
                                       : nearest(half[k], "half_extents", half_moved));
        for (std::size_t i = 0; i < 3; ++i) length = sum_above(length, std::fabs(double{numbers_[3 + 3 * k + i]}));
        displaced_ = sum_above(displaced_, product_above(std::fabs(half[k]), axis_moved[k]));
        displaced_ = sum_above(displaced_, product_above(half_moved, length));
    }
    const float* n = numbers_.data();
    batch_ = OrientedBoxes{.x = n, .y = n + 1, .z = n + 2, .axes = {n + 3}, .half_extents = {n + 12}, .count = 1};
}

void QueryShape::read_hull(JsonValue shape) {
    const JsonValue vertices = member(shape, "vertices");
    if (!vertices.is_array()) fail("vertices is to be an array of points");
    if (vertices.empty() || vertices.size() > most_vertices) {
        fail("vertices: 1 to {} are allowed, not {}", most_vertices, vertices.size());
    }
    for (const JsonValue vertex : vertices) {
        displaced_ = std::max(displaced_, add_point(vector(vertex, "vertices"), "vertices"));
    }
    const std::size_t count = vertices.size();
    const auto numbers_of_three = std::exchange(numbers_, std::vector<float>(3 * count));
    place_hull(numbers_of_three);
    for (std::size_t i = 0; i < 3 * count; ++i) {
        numbers_[i % 3 * count + i / 3] = numbers_of_three[i] - transform_[i % 3 * 4 + 3];
    }
    const float* n = numbers_.data();
    require(prepare_hull(n, n + count, n + 2 * count, static_cast<std::uint32_t>(count), hull_));
    batch_ = HullInstances{.transforms = {.first = transform_.data(), .layout = TransformLayout::rows_3x4},
                           .hulls = &hull_,
                           .hull_count = 1,
                           .count = 1};
}

void QueryShape::place_hull(const std::vector<float>& vertices) {
    const auto exact = [&](std::size_t i) {
        const double a{vertices[i]}, b{vertices[i % 3]}, difference = a - b;
        return double{vertices[i] - vertices[i % 3]} == difference && difference + b == a && a - difference == b;
    };
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (!exact(i)) return;
    }
    for (std::size_t k = 0; k < 3; ++k) transform_[4 * k + 3] = vertices[k];
}

void QueryShape::read_expansion(JsonValue shape) {
    if (shape.contains("sweep")) {
        const std::array<double, 3> sweep = vector(shape["sweep"], "sweep");
        for (std::size_t k = 0; k < 3; ++k) sweep_[k] = nearest(sweep[k], "sweep", displaced_);
        batch_.attributes.sweep_x = &sweep_[0];
        batch_.attributes.sweep_y = &sweep_[1];
        batch_.attributes.sweep_z = &sweep_[2];
    }
    const double margin = shape.contains("margin") ? number(shape["margin"], "margin") : 0;
    margin_ = margin < 0 ? at_most(margin, "margin") : at_least(sum_above(margin, displaced_), "margin");
    if (margin_ != 0) batch_.attributes.margin = &margin_;
}

double QueryShape::add_point(const std::array<double, 3>& point, const char* name) {
    double moved = 0;
    for (const double component : point) numbers_.push_back(nearest(component, name, moved));
    return moved;
}

/// A negative size stays one, however small.
void QueryShape::add_size(double size, const char* name) {
    numbers_.push_back(size < 0 ? at_most(size, name) : at_least(sum_above(size, moved_), name));
}

}  // namespace lanecull::program
