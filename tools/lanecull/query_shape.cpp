#include "query_shape.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "error.hpp"
#include "query_numbers.hpp"

namespace lanecull::program {

namespace {

using nlohmann::json;

constexpr std::size_t most_vertices = 65535;  ///< as prepare_hull() has it

}  // namespace

QueryShape::QueryShape(const json& shape) {
    if (!shape.is_object()) fail("shape is to be an object");
    for (const char* name : {"sweep", "margin"}) {
        if (shape.contains(name)) fail("{}: not supported", name);
    }
    const json& kind = member(shape, "kind");
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
        fail("kind: {} is not supported", kind.get<std::string>());
    } else {
        fail("kind: no shape is called {}", kind.dump().substr(0, 40));
    }
}

void QueryShape::read_ball(const json& shape, const char* centre, const char* radius) {
    add_point(member(shape, centre), centre);
    add_size(radius == nullptr ? 0 : number(member(shape, radius), radius), "radius");
    const float* n = numbers_.data();
    batch_ = Spheres{n, n + 1, n + 2, n + 3, 1};
}

void QueryShape::read_capsule(const json& shape, const char* radius) {
    add_point(member(shape, "a"), "a");
    add_point(member(shape, "b"), "b");
    add_size(radius == nullptr ? 0 : number(member(shape, radius), radius), "radius");
    const float* n = numbers_.data();
    batch_ = Capsules{n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
}

void QueryShape::read_box(const json& shape) {
    if (shape.contains("min") || shape.contains("max")) {
        for (const double low : vector(member(shape, "min"), "min")) numbers_.push_back(at_most(low, "min"));
        for (const double high : vector(member(shape, "max"), "max")) numbers_.push_back(at_least(high, "max"));
        const float* n = numbers_.data();
        batch_ = Boxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
        return;
    }
    add_point(member(shape, "center"), "center");
    for (const double half : vector(member(shape, "half_extents"), "half_extents")) add_size(half, "half_extents");
    const float* n = numbers_.data();
    batch_ = CenteredBoxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
}

void QueryShape::read_oriented_box(const json& shape) {
    add_point(member(shape, "center"), "center");
    const json& axes = member(shape, "axes");
    if (!axes.is_array() || axes.size() != 3) fail("axes is to be an array of 3 axes");
    for (const json& axis : axes) add_point(axis, "axes");
    add_point(member(shape, "half_extents"), "half_extents");
    require_floats("an obb");
    const float* n = numbers_.data();
    batch_ = OrientedBoxes{.x = n, .y = n + 1, .z = n + 2, .axes = {n + 3}, .half_extents = {n + 12}, .count = 1};
}

void QueryShape::read_hull(const json& shape) {
    const json& vertices = member(shape, "vertices");
    if (!vertices.is_array()) fail("vertices is to be an array of points");
    if (vertices.empty() || vertices.size() > most_vertices) {
        fail("vertices: 1 to {} are allowed, not {}", most_vertices, vertices.size());
    }
    for (const json& vertex : vertices) add_point(vertex, "vertices");
    require_floats("a hull");
    const std::size_t count = vertices.size();
    const auto numbers_of_three = std::exchange(numbers_, std::vector<float>(3 * count));
    for (std::size_t i = 0; i < 3 * count; ++i) numbers_[i % 3 * count + i / 3] = numbers_of_three[i];
    const float* n = numbers_.data();
    require(prepare_hull(n, n + count, n + 2 * count, static_cast<std::uint32_t>(count), hull_));
    static constexpr float identity[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    batch_ = HullInstances{.transforms = {identity}, .hulls = &hull_, .hull_count = 1, .count = 1};
}

void QueryShape::add_point(const json& value, const char* name) {
    for (const double component : vector(value, name)) numbers_.push_back(nearest(component, name, moved_));
}

/// Of something around the points so far: larger by what they moved.
void QueryShape::add_size(double size, const char* name) {
    numbers_.push_back(at_least(size < 0 ? size : sum_above(size, moved_), name));
}

void QueryShape::require_floats(const char* kind) const {
    if (moved_ > 0) fail("shape: a number is no float, and {} cannot be enlarged to make up for that", kind);
}

}  // namespace lanecull::program
