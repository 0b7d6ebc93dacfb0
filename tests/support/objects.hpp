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
};

inline constexpr Kind all_kinds[] = {Kind::sphere,  Kind::box,  Kind::centered_box,  Kind::oriented_box,
                                     Kind::capsule, Kind::hull, Kind::quaternion_box};

[[nodiscard]] const char* kind_name(Kind kind);

/// How many floats one object has in each of the kind's arrays, in the order of the batch's members: 1 for a stream,
/// more for records. Bounding streams are not included.
[[nodiscard]] std::span<const std::size_t> array_widths(Kind kind);

/// The number of floats of one object: the sum of array_widths().
[[nodiscard]] std::size_t field_count(Kind kind);

struct Object {
    std::array<float, 15> fields{};  ///< the first field_count() are used, in the order of the arrays
    std::uint32_t hull = 0;          ///< for hulls: index of the vertex set

    // Attributes. These defaults have no effect.
    float margin = 0;
    std::array<float, 3> sweep{};
    std::uint32_t flags = 0;
    std::uint32_t layers = ~std::uint32_t{0};
    float max_distance = std::numeric_limits<float>::infinity();
    float min_projected_size = 0;
};

/// The object translated. Each position is rounded to floats.
[[nodiscard]] Object moved(Kind kind, const Object& object, const std::array<double, 3>& by);

using Vertices = std::vector<std::array<float, 3>>;

/// The vertex sets that hull instances refer to.
using HullSet = std::vector<Vertices>;

/// The shape without margin and sweep (shape_of) and with them (solid_of).
[[nodiscard]] oracle::Solid shape_of(Kind kind, const Object& object, const HullSet& hulls);
[[nodiscard]] oracle::Solid solid_of(Kind kind, const Object& object, const HullSet& hulls);

/// All numbers of the object in hexadecimal, which is enough to repeat a failure.
[[nodiscard]] std::string describe(Kind kind, const Object& object, const HullSet& hulls);

/// The attribute streams that a batch has.
struct Streams {
    bool margin = false, sweep = false, flags = false, layers = false, max_distance = false, min_projected_size = false;

    static constexpr Streams all() { return {true, true, true, true, true, true}; }
};

struct Format {
    bool bounds = true;             ///< oriented boxes and hulls have bounding streams
    std::size_t stride_floats = 0;  ///< from one record to the next. 0: packed, and passed as 0
    std::uint32_t first_index = 0;
    Streams streams = {};
};

/// The objects as a batch over arrays in `memory`. The memory must outlive the batch.
[[nodiscard]] lanecull::Batch make_batch(Kind kind, std::span<const Object> objects, const HullSet& hulls,
                                         Memory& memory, const Format& format = {});
