#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/flat.hpp>
#include <lanecull/status.hpp>

#include "flat/oracle.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"

/// Figures and views as the tests of the plane keep them, and where they put them.
namespace flat_tests {

enum class Kind { circle, box, oriented_box, capsule, polygon };
inline constexpr Kind all_kinds[] = {Kind::circle, Kind::box, Kind::oriented_box, Kind::capsule, Kind::polygon};

[[nodiscard]] const char* kind_name(Kind kind);
[[nodiscard]] std::size_t field_count(Kind kind);

/// The streams' numbers in the order of the batch's members.
struct Object {
    std::array<float, 6> fields{};
};

[[nodiscard]] flat_oracle::Figure figure_of(Kind kind, const Object& object, const lanecull::flat::Polygon& polygon);
[[nodiscard]] std::string describe(Kind kind, const Object& object);

/// Over arrays in `memory`; `polygon` must live as long.
[[nodiscard]] lanecull::flat::Batch make_batch(Kind kind, const std::vector<Object>& objects,
                                               const lanecull::flat::Polygon& polygon, Memory& memory,
                                               std::uint32_t first_index = 0);

enum class ViewKind { rectangle, turned, triangle, polygon };
inline constexpr ViewKind all_views[] = {ViewKind::rectangle, ViewKind::turned, ViewKind::triangle, ViewKind::polygon};

struct TestView {
    lanecull::flat::View view;
    flat_oracle::Figure figure;
    double size = 1;  ///< some length of it
    std::string text;
};

/// Of a rectangle its least and largest corner; of a turned one centre, half-extents and axis; else x and y of each
/// corner.
[[nodiscard]] lanecull::Status prepare(ViewKind kind, const std::vector<double>& numbers, lanecull::flat::View& view);
/// The same of finite numbers; `view` is not prepared where the library refuses it.
[[nodiscard]] TestView make_view(ViewKind kind, const std::vector<double>& numbers, double size);
/// Of any size, anywhere, and of any proportions.
[[nodiscard]] TestView random_view(Random& random, ViewKind kind);
/// About (x, y), with half-extents about `size` and `other`.
[[nodiscard]] TestView random_view(Random& random, ViewKind kind, double x, double y, double size, double other);
[[nodiscard]] lanecull::flat::Polygon random_polygon(Random& random);

/// Around the view; across or beside an edge or a corner of it, by a few ulps or by more.
[[nodiscard]] Object random_object(Random& random, Kind kind, const TestView& view,
                                   const lanecull::flat::Polygon& polygon);
/// What is left between it and the view, or the depth of what they share.
enum class Gap { any, ulps };
[[nodiscard]] Object random_object(Random& random, Kind kind, const TestView& view,
                                   const lanecull::flat::Polygon& polygon, double size, Gap allowed);
[[nodiscard]] std::vector<Object> random_objects(Random& random, Kind kind, const TestView& view,
                                                 const lanecull::flat::Polygon& polygon, std::size_t count);

/// What cull() may keep: an object that is apart by no more than this, four bounds (kernels/flat/README.md).
[[nodiscard]] double tolerance(Kind kind, const Object& object, const TestView& view,
                               const lanecull::flat::Polygon& polygon);

}  // namespace flat_tests
