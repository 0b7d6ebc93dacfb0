#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/flat.h>
#include <lanecull/types.h>

#include "oracle/exact.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

/// 2D shapes and views as the tests store them, and how the tests place them.
namespace flat_tests {

enum class Kind { circle, box, oriented_box, capsule, polygon };
inline constexpr Kind all_kinds[] = {Kind::circle, Kind::box, Kind::oriented_box, Kind::capsule, Kind::polygon};

[[nodiscard]] const char* kind_name(Kind kind);
[[nodiscard]] std::size_t field_count(Kind kind);
/// Whether the field is a radius or a half-extent.
[[nodiscard]] bool is_size(Kind kind, std::size_t field);

/// The numbers of one object, in the order of the batch's members.
struct Object {
    std::array<float, 6> fields{};
};

/// The object as a solid in the plane z = 0, for an oracle that computes with T.
template <class T>
[[nodiscard]] solids::Solid<T> figure_of(Kind kind, const Object& object, const lanecull::flat::Polygon& polygon) {
    const auto& f = object.fields;
    const float place[] = {f[0], f[1], 0}, other[] = {f[2], f[3], 0};
    switch (kind) {
        case Kind::circle:
            return solids::sphere<T>(place, f[2]);
        case Kind::box:
            return solids::box<T>(place, other);
        case Kind::oriented_box: {
            const float axes[] = {f[2], f[3], 0, -f[3], f[2], 0, 0, 0, 1}, half[] = {f[4], f[5], 0};
            return solids::oriented_box<T>(place, axes, half);
        }
        case Kind::capsule:
            return solids::capsule<T>(place, other, f[4]);
        case Kind::polygon:
            break;
    }
    const float transform[] = {f[2], -f[3], 0, f[0], f[3], f[2], 0, f[1], 0, 0, 0, 0};
    std::vector<std::array<float, 3>> vertices;
    for (std::uint32_t k = 0; k < polygon.count; ++k) vertices.push_back({polygon.x[k], polygon.y[k], 0});
    return solids::hull<T>(transform, vertices);
}
[[nodiscard]] std::string describe(Kind kind, const Object& object);

/// The objects as a batch over arrays in `memory`. The memory and `polygon` must outlive the batch.
[[nodiscard]] lanecull::flat::Batch make_batch(Kind kind, const std::vector<Object>& objects,
                                               const lanecull::flat::Polygon& polygon, Memory& memory,
                                               std::uint32_t first_index = 0);

enum class ViewKind { rectangle, turned, triangle, polygon };
inline constexpr ViewKind all_views[] = {ViewKind::rectangle, ViewKind::turned, ViewKind::triangle, ViewKind::polygon};

struct TestView {
    ViewKind kind = ViewKind::polygon;
    lanecull::flat::View view;
    std::vector<exact::Point> corners;  ///< in the plane z = 0, counter-clockwise, no three on a line
    double size = 1;                    ///< a typical length of the view
    std::string text;
};

/// numbers: a rectangle's least and largest corner; a turned rectangle's centre, half-extents and axis; for the other
/// kinds x and y of each corner. `view` is not prepared if the library refuses it.
[[nodiscard]] TestView make_view(ViewKind kind, const std::vector<double>& numbers, double size);
/// A view of any size and proportions, anywhere.
[[nodiscard]] TestView random_view(Random& random, ViewKind kind);
/// A view around (x, y) with half-extents of about `size` and `other`.
[[nodiscard]] TestView random_view(Random& random, ViewKind kind, double x, double y, double size, double other);
[[nodiscard]] lanecull::flat::Polygon random_polygon(Random& random);

/// An object around the view, or across or beside one of its edges or corners, by a few ulps or by more.
[[nodiscard]] Object random_object(Random& random, Kind kind, const TestView& view,
                                   const lanecull::flat::Polygon& polygon);
/// The gap between the object and the view, or the depth of their overlap.
enum class Gap { any, ulps };
[[nodiscard]] Object random_object(Random& random, Kind kind, const TestView& view,
                                   const lanecull::flat::Polygon& polygon, double size, Gap allowed);
[[nodiscard]] std::vector<Object> random_objects(Random& random, Kind kind, const TestView& view,
                                                 const lanecull::flat::Polygon& polygon, std::size_t count);

/// Four bounds (kernels/flat/README.md). cull() may keep an object that is apart by no more than this.
[[nodiscard]] double tolerance(Kind kind, const Object& object, const TestView& view,
                               const lanecull::flat::Polygon& polygon);

}  // namespace flat_tests
