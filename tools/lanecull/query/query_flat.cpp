#include "query/query_flat.hpp"

#include <lanecull/flat.h>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "query/query_numbers.hpp"
#include "support/error.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

std::array<double, 2> pair(JsonValue object, const char* name) {
    const JsonValue value = member(object, name);
    if (!value.is_array_of(2)) fail("{} is to be an array of 2 numbers", name);
    return {number(value[0], name), number(value[1], name)};
}

std::vector<double> points(JsonValue object, const char* name) {
    const JsonValue value = member(object, name);
    if (!value.is_array()) fail("{} is to be an array of points", name);
    std::vector<double> numbers;
    for (const JsonValue point : value) {
        if (!point.is_array_of(2)) fail("{} is to have points of 2 numbers", name);
        for (const JsonValue component : point) numbers.push_back(number(component, name));
    }
    return numbers;
}

flat::View read_rectangle(JsonValue rectangle) {
    flat::View view;
    if (!rectangle.is_object()) fail("rectangle is to be an object");
    if (rectangle.contains("min") || rectangle.contains("max")) {
        const auto min = pair(rectangle, "min"), max = pair(rectangle, "max");
        require(flat::prepare_view(flat::Rectangle{min[0], min[1], max[0], max[1]}, view));
        return view;
    }
    const auto center = pair(rectangle, "center"), half = pair(rectangle, "half_extents"),
               axis = pair(rectangle, "axis");
    require(flat::prepare_view(flat::TurnedRectangle{center[0], center[1], half[0], half[1], axis[0], axis[1]}, view));
    return view;
}

flat::View read_view(JsonValue view) {
    if (view.contains("rectangle") && view.contains("polygon")) fail("a view is a rectangle or a polygon, not both");
    if (view.contains("rectangle")) return read_rectangle(view["rectangle"]);
    flat::View prepared;
    require(flat::prepare_view_from_points(points(view, "polygon"), prepared));
    return prepared;
}

/// A 2D shape as a batch of one, over memory of its own. A shape with a number that is no float becomes a larger one
/// that contains it.
class FlatShape {
public:
    explicit FlatShape(JsonValue shape) {
        if (!shape.is_object()) fail("shape is to be an object");
        const JsonValue kind = member(shape, "kind");
        for (const char* name : {"sweep", "margin"}) {
            if (shape.contains(name)) fail("{} is not supported in the plane", name);
        }
        if (kind == "point") {
            read_circle(shape, "p", false);
        } else if (kind == "segment") {
            read_capsule(shape, false);
        } else if (kind == "sphere") {
            read_circle(shape, "center", true);
        } else if (kind == "capsule") {
            read_capsule(shape, true);
        } else if (kind == "aabb") {
            read_box(shape);
        } else if (kind == "obb") {
            read_oriented_box(shape);
        } else if (kind == "hull") {
            read_polygon(shape);
        } else {
            fail("kind: no shape of the plane is called {}", kind.dump().substr(0, 40));
        }
    }
    FlatShape(const FlatShape&) = delete;
    FlatShape& operator=(const FlatShape&) = delete;

    [[nodiscard]] const flat::Batch& batch() const { return batch_; }

private:
    void add_point(const std::array<double, 2>& point, const char* name) {
        for (const double component : point) numbers_.push_back(nearest(component, name, moved_));
    }
    /// Larger by what the points moved; a negative size stays one.
    void add_size(double size, const char* name) {
        numbers_.push_back(size < 0 ? at_most(size, name) : at_least(sum_above(size, moved_), name));
    }
    void read_circle(JsonValue shape, const char* center, bool has_radius) {
        add_point(pair(shape, center), center);
        add_size(has_radius ? number(member(shape, "radius"), "radius") : 0, "radius");
        const float* n = numbers_.data();
        batch_ = flat::Circles{n, n + 1, n + 2, 1};
    }
    void read_capsule(JsonValue shape, bool has_radius) {
        add_point(pair(shape, "a"), "a");
        add_point(pair(shape, "b"), "b");
        add_size(has_radius ? number(member(shape, "radius"), "radius") : 0, "radius");
        const float* n = numbers_.data();
        batch_ = flat::Capsules{n, n + 1, n + 2, n + 3, n + 4, 1};
    }
    void read_box(JsonValue shape) {
        if (!shape.contains("min") && !shape.contains("max")) return read_oriented_box(shape);
        for (const double low : pair(shape, "min")) numbers_.push_back(at_most(low, "min"));
        for (const double high : pair(shape, "max")) numbers_.push_back(at_least(high, "max"));
        const float* n = numbers_.data();
        batch_ = flat::Boxes{n, n + 1, n + 2, n + 3, 1};
    }
    /// With axes a, b that become the floats a', b' (b' being a' turned left): half-extents larger by all that moved,
    /// over the length of a', which at most halves.
    void read_oriented_box(JsonValue shape) {
        const std::array<double, 2> half = pair(shape, "half_extents");
        const std::array<double, 2> axis = shape.contains("axis") ? pair(shape, "axis") : std::array<double, 2>{1, 0};
        add_point(pair(shape, "center"), "center");
        double axis_moved = 0;
        for (const double component : axis) numbers_.push_back(nearest(component, "axis", axis_moved));
        moved_ = sum_above(moved_, product_above(axis_moved, std::fabs(half[0]) + 2 * std::fabs(half[1])));
        const double length = std::hypot(double{numbers_[2]}, double{numbers_[3]});
        if (moved_ > 0 && !(length > 1e-6)) fail("axis: too short for numbers that no float holds");
        if (moved_ > 0) moved_ = product_above(moved_, 1.001 / length);
        for (const double size : half) add_size(size, "half_extents");
        const float* n = numbers_.data();
        batch_ = flat::OrientedBoxes{n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
    }
    void read_polygon(JsonValue shape) {
        const std::vector<double> vertices = points(shape, "vertices");
        const std::size_t count = vertices.size() / 2;
        numbers_.resize(2 * count);
        for (std::size_t i = 0; i < 2 * count; ++i) {
            numbers_[i % 2 * count + i / 2] = nearest(vertices[i], "vertices", moved_);
        }
        if (moved_ > 0) fail("vertices: in the plane they are to be floats");
        require(flat::prepare_polygon(numbers_.data(), numbers_.data() + count, static_cast<std::uint32_t>(count),
                                      polygon_));
        static constexpr float nothing = 0, one = 1;
        batch_ = flat::PolygonInstances{&nothing, &nothing, &one, &nothing, &polygon_, 1};
    }

    std::vector<float> numbers_;  ///< what the batch reads
    flat::Polygon polygon_;
    flat::Batch batch_ = flat::Circles{};
    double moved_ = 0;  ///< no point of the shape is farther than this from what the numbers so far stand for
};

}  // namespace

bool is_flat_view(JsonValue view) {
    return view.is_object() && (view.contains("rectangle") || view.contains("polygon"));
}

Counts cull_flat_query(JsonValue query, const CullOptions& options) {
    for (const char* name : {"light", "occluders"}) {
        if (query.contains(name)) fail("{} is not supported in the plane", name);
    }
    const flat::View view = read_view(query["view"]);
    const FlatShape shape(member(query, "shape"));
    Explanation why;
    Output output{.explanation = &why};
    std::vector<std::byte> scratch(flat::scratch_bytes({&shape.batch(), 1}, 1));
    require(flat::cull({&shape.batch(), 1}, {&view, 1}, {&output, 1}, scratch, options));
    return why.counts;
}

}  // namespace lanecull::program
