#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <lanecull/batch.h>

#include "calls/every_layout.hpp"
#include "calls/kinds.hpp"
#include "oracle/oracle.hpp"
#include "support/memory.hpp"

/// Objects of every kind as the tests store them: each object has all of its numbers in one array. make_batch() lays
/// them out as the library wants them, in memory that the test chooses.

enum class Kind {
    sphere,
    box,
    centered_box,
    oriented_box,
    capsule,
    hull,
    quaternion_box,  ///< oriented boxes whose orientation is a quaternion
    box_instance,    ///< a transform by rows_3x4, then the local box's corners
    cylinder,        ///< as a capsule
    ellipsoid,       ///< as a box by quaternion
    cone,            ///< as a capsule; the first end is the apex
    round_cone,      ///< as a cone
};

inline constexpr Kind all_kinds[] = {Kind::sphere,   Kind::box,       Kind::centered_box,   Kind::oriented_box,
                                     Kind::capsule,  Kind::hull,      Kind::quaternion_box, Kind::box_instance,
                                     Kind::cylinder, Kind::ellipsoid, Kind::cone,           Kind::round_cone};

[[nodiscard]] const char* kind_name(Kind kind);

/// Whether the object's first 12 fields are a transform, row by row, with its place in fields 3, 7 and 11.
[[nodiscard]] constexpr bool has_transform(Kind kind) { return kind == Kind::hull || kind == Kind::box_instance; }
/// Whether its base is flat or round.
[[nodiscard]] constexpr bool is_cone(Kind kind) { return kind == Kind::cone || kind == Kind::round_cone; }
/// Whether it has discs across an axis, for which it needs one.
[[nodiscard]] constexpr bool has_axis(Kind kind) { return kind == Kind::cylinder || is_cone(kind); }
/// Whether its fields are two ends and a radius; a place, a quaternion and three lengths.
[[nodiscard]] constexpr bool has_ends(Kind kind) { return kind == Kind::capsule || has_axis(kind); }
[[nodiscard]] constexpr bool has_quaternion(Kind kind) {
    return kind == Kind::quaternion_box || kind == Kind::ellipsoid;
}
/// Whether it has two points that are its place, one after the other.
[[nodiscard]] constexpr bool has_two_places(Kind kind) { return kind == Kind::box || has_ends(kind); }
/// The field in which coordinate k of the object's place, or of a point of it, stands.
[[nodiscard]] constexpr std::size_t place_field(Kind kind, std::size_t k) {
    return has_transform(kind) ? 4 * k + 3 : k;
}
/// Where the lower corner of a box stands among the fields, and after it the upper one; none for other kinds.
[[nodiscard]] constexpr std::optional<std::size_t> corner_fields(Kind kind) {
    if (kind == Kind::box) return 0;
    return kind == Kind::box_instance ? std::optional<std::size_t>(12) : std::nullopt;
}

/// Fields of an object that may not be negative: from, to.
[[nodiscard]] std::pair<std::size_t, std::size_t> size_fields(Kind kind);

/// The number of floats of one object.
[[nodiscard]] std::size_t field_count(Kind kind);

struct Object {
    std::array<float, 18> fields{};  ///< the first field_count() are used, in the order of the arrays
    std::uint32_t hull = 0;          ///< for hulls: index of the vertex set

    // Attributes. These defaults have no effect.
    float margin = 0;
    std::array<float, 3> sweep{};
    std::uint32_t flags = 0;
    std::uint32_t layers = ~std::uint32_t{0};
    float max_distance = std::numeric_limits<float>::infinity();
    float min_projected_size = 0;
    float min_distance = 0;
};

/// Moves the end of a cylinder or cone without an axis, so that it has one.
void keep_axis(Kind kind, Object& object);

/// The object translated. Each position is rounded to floats.
[[nodiscard]] Object moved(Kind kind, const Object& object, const std::array<double, 3>& by);

using Vertices = std::vector<std::array<float, 3>>;

/// The vertex sets that hull instances refer to.
using HullSet = std::vector<Vertices>;

/// The eight corners of a box instance's local box. The object is their hull under its transform.
[[nodiscard]] Vertices local_corners(const Object& object);
/// The points that a kind with transforms is the hull of, before they are transformed.
[[nodiscard]] Vertices local_points(Kind kind, const Object& object, const HullSet& hulls);

/// The eight corners of the box around each vertex set: the distance and size of a hull are its box's.
[[nodiscard]] HullSet boxes_around(const HullSet& hulls);

/// The shape without margin and sweep (shape_of) and with them (solid_of).
[[nodiscard]] oracle::Solid shape_of(Kind kind, const Object& object, const HullSet& hulls);
[[nodiscard]] oracle::Solid solid_of(Kind kind, const Object& object, const HullSet& hulls);

/// Whether a number is beyond 2^60, where sums of products may overflow: one stage may still cull what another keeps,
/// so the verdict may depend on the company (cull.h, Output::candidates). No cull is wrong there either.
[[nodiscard]] bool products_may_overflow(Kind kind, const Object& object);

/// All numbers of the object in hexadecimal, which is enough to repeat a failure.
[[nodiscard]] std::string describe(Kind kind, const Object& object, const HullSet& hulls);

/// The attribute streams that a batch has.
struct Streams {
    bool margin = false, sweep = false, flags = false, layers = false, max_distance = false, min_projected_size = false,
         min_distance = false;

    static constexpr Streams all() { return {true, true, true, true, true, true, true}; }
};

/// The attributes of these streams, from one object to another.
void copy_attributes(const Object& from, const Streams& streams, Object& to);

struct Format {
    /// Oriented boxes and hulls have bounding streams. Box instances have transforms by rows_3x4 and a box each;
    /// without bounds they have transforms by columns_4x4 and boxes by index. Boxes are records where there is a
    /// stride.
    bool bounds = true;
    std::size_t stride_floats = 0;  ///< from one record to the next. 0: packed, and passed as 0
    std::uint32_t first_index = 0;
    Streams streams = {};
};

/// The objects as a batch over arrays in `memory`. The memory must outlive the batch.
[[nodiscard]] lanecull::Batch make_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls,
                                         Memory& memory, const Format& format = {});

/// Calls visit(column) for each column of the shapes.
template <class Shapes, class Visit>
void each_column(const Shapes& shapes, const Visit& visit) {
    using Traits = lanecull::KindTraits<Shapes>;
    using Layouts = typename Traits::Layouts;
    using First = std::tuple_element_t<0, Layouts>;
    using Last = std::tuple_element_t<std::tuple_size_v<Layouts> - 1, Layouts>;
    using Columns = std::span<const lanecull::Column<Shapes>>;
    for (const auto& column : Traits::layout_of(shapes) == 0 ? Columns(First::columns) : Columns(Last::columns)) {
        visit(column);
    }
}
