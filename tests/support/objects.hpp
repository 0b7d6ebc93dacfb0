#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lanecull/batch.hpp>

#include "oracle/oracle.hpp"
#include "support/memory.hpp"

/// Objects of every kind as the tests keep them: one after the other, all numbers of one in one array. make_batch()
/// lays them out as the library wants them, in whatever memory a test chooses.

enum class Kind {
    sphere,
    box,
    centered_box,
    oriented_box,
    capsule,
    hull,
    quaternion_box,  ///< oriented boxes whose orientation is a quaternion
};

inline constexpr Kind all_kinds[] = {Kind::sphere,  Kind::box,  Kind::centered_box,  Kind::oriented_box,
                                     Kind::capsule, Kind::hull, Kind::quaternion_box};

[[nodiscard]] const char* kind_name(Kind kind);

/// Widths of the kind's arrays of floats, in the order of the batch's members: 1 for a stream, more for records.
/// Bounding streams are not among them.
[[nodiscard]] std::span<const std::size_t> array_widths(Kind kind);

/// Floats of one object: the sum of array_widths().
[[nodiscard]] std::size_t field_count(Kind kind);

struct Object {
    std::array<float, 15> fields{};  ///< one array's after the other's; field_count() of them
    std::uint32_t hull = 0;          ///< hull: which of the vertex sets

    // Attributes. As they stand here they say nothing.
    float margin = 0;
    std::array<float, 3> sweep{};
    std::uint32_t flags = 0;
    std::uint32_t layers = ~std::uint32_t{0};
    float max_distance = std::numeric_limits<float>::infinity();
    float min_projected_size = 0;
};

/// The object moved, each position rounded to floats.
[[nodiscard]] Object moved(Kind kind, const Object& object, const std::array<double, 3>& by);

using Vertices = std::vector<std::array<float, 3>>;

/// The vertex sets that hull instances refer to.
using HullSet = std::vector<Vertices>;

/// The shape without margin and sweep, and with them.
[[nodiscard]] oracle::Solid shape_of(Kind kind, const Object& object, const HullSet& hulls);
[[nodiscard]] oracle::Solid solid_of(Kind kind, const Object& object, const HullSet& hulls);

/// All numbers of the object, in hexadecimal: enough to repeat a failure.
[[nodiscard]] std::string describe(Kind kind, const Object& object, const HullSet& hulls);

/// Which streams of attributes a batch has.
struct Streams {
    bool margin = false, sweep = false, flags = false, layers = false, max_distance = false, min_projected_size = false;

    static constexpr Streams all() { return {true, true, true, true, true, true}; }
};

struct Format {
    bool bounds = true;             ///< oriented boxes and hulls: with bounding streams
    std::size_t stride_floats = 0;  ///< from one record to the next; 0: packed, and so passed
    std::uint32_t first_index = 0;
    Streams streams = {};
};

/// The objects as a batch over arrays in `memory`, which must outlive it.
[[nodiscard]] lanecull::Batch make_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls,
                                         Memory& memory, const Format& format = {});
