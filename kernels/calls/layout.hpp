#pragma once

/// What a layout is made of. Each kind of batch.h has a header in this folder with all that scalar code knows of it,
/// in two parts. A layout says which columns hold the kind's numbers, and how to make boxes from them; oriented boxes
/// have two layouts. The kind's KindTraits lists its layouts, and has what concerns whole batches.

#include <lanecull/batch.h>
#include <lanecull/types.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>

#include "calls/check.hpp"
#include "cull/kernel_work.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Completes the certificates of spheres that the kernel culled by their distance from the volume
/// (cull/volume_distance.hpp). For these the kernel notes only the reason. certify_balls() computes the vector from the
/// centre to the volume's nearest point, in doubles and from the record itself; the volume is cut at the ball's deepest
/// point.
void certify_balls(const Spheres& spheres, const PreparedView& view, const RangeTask& task);

/// Completes the certificates of boxes along the axes that the kernel culled by a direction that separates them from
/// the volume (cull/box_axes.hpp). For these the kernel notes only the reason. certify_boxes() finds the direction
/// along which the box is farthest outside, in doubles and from the record itself.
void certify_boxes(const Boxes& boxes, const PreparedView& view, const RangeTask& task);
void certify_boxes(const CenteredBoxes& boxes, const PreparedView& view, const RangeTask& task);

/// A column of a kind's objects. A stream is one number wide, records are several.
template <class Shapes>
struct Column {
    const char* name;     ///< the member's, for messages
    std::uint32_t width;  ///< numbers of an object
    /// The member. One is not null.
    const float* Shapes::*stream = nullptr;
    const std::uint32_t* Shapes::*numbers = nullptr;  ///< optional
    Records Shapes::*records = nullptr;
    /// 0 to 3: the stream is x, y, z or radius of a bounding sphere. Batches need not have it; if one does not, scenes
    /// compute it.
    std::uint32_t bound = not_a_bound;
    /// Or one of these, of kinds with transforms: a stream of local boxes, one an object; transforms of rows_3x4
    /// without positions. Batches may have others, which scenes rewrite.
    const float* Boxes::*local = nullptr;
    Transforms Shapes::*transforms = nullptr;

    static constexpr std::uint32_t not_a_bound = 4;
};

template <class Shapes>
constexpr Column<Shapes> stream(const char* name, const float* Shapes::*member) {
    return {name, 1, member};
}
template <class Shapes>
constexpr Column<Shapes> bound_stream(const char* name, const float* Shapes::*member, std::uint32_t bound) {
    return {name, 1, member, nullptr, nullptr, bound};
}
template <class Shapes>
constexpr Column<Shapes> numbers(const char* name, const std::uint32_t* Shapes::*member) {
    return {name, 1, nullptr, member};
}
template <class Shapes>
constexpr Column<Shapes> records(const char* name, Records Shapes::*member, std::uint32_t width) {
    return {name, width, nullptr, nullptr, member};
}
template <class Shapes>
constexpr Column<Shapes> local_stream(const char* name, const float* Boxes::*member) {
    return {name, 1, nullptr, nullptr, nullptr, Column<Shapes>::not_a_bound, member};
}
template <class Shapes>
constexpr Column<Shapes> transforms(const char* name, Transforms Shapes::*member) {
    return {name, 12, nullptr, nullptr, nullptr, Column<Shapes>::not_a_bound, nullptr, member};
}

/// Whether the columns that a batch must have are there, and records meet the contract of batch.h.
template <class Shapes>
Status check_columns(const Shapes& s, std::span<const Column<Shapes>> columns) noexcept {
    for (const Column<Shapes>& c : columns) {
        if (c.records != nullptr) {
            if (Status status = check_records(s.*c.records, c.width, c.name); !status) return status;
        } else if (c.stream != nullptr && c.bound == Column<Shapes>::not_a_bound) {
            if (Status status = check_streams({{s.*c.stream, c.name}}); !status) return status;
        }
    }
    return {};
}

/// Where a point of an object is stored: coordinate j is number `number` + j `number_step` of column `column` + j
/// `column_step`. An object is moved by adding to its points.
struct Point {
    std::uint32_t column, column_step, number, number_step;
};
/// A point in three streams, from `column` on.
constexpr Point point_in_streams(std::uint32_t column) { return {column, 1, 0, 0}; }
/// A point in a record.
constexpr Point point_in_record(std::uint32_t column, std::uint32_t number, std::uint32_t step) {
    return {column, 0, number, step};
}

/// What most layouts have. Each layout has besides:
///   Shapes                    the kind
///   columns[]                 its columns, at most 7 (most_shape_columns in scene/columns.hpp)
///   points[]                  where its points stand
///   bool place(read, box)     fits a WideBox around an object; false: it is invalid. `read` is object_box.hpp's reader
///   void gather(from)         fills a tile for levels of detail: `from` is the Gatherer of scene/lod.cpp
struct LayoutDefaults {
    /// Whether the first six columns are the object's smallest and largest coordinates, and so its box.
    static constexpr bool is_own_box = false;
    /// Whether bounding spheres must be computed again when objects are moved.
    static constexpr bool moves_spheres = false;
};

/// What most kinds have. A kind with bounding spheres has besides:
///   Status find_bounds(shapes, bounds)  writes those that a batch does not have
template <class First, class... Others>
struct KindDefaults {
    using Shapes = typename First::Shapes;
    using Layouts = std::tuple<First, Others...>;

    /// Whether culling an object may take many times as long as loading it from memory.
    static constexpr bool are_expensive = false;

    /// Which of its layouts a batch has.
    static std::size_t layout_of(const Shapes&) noexcept { return 0; }
    /// Whether a batch with at least one object meets the contract of batch.h.
    static Status check(const Shapes& s) noexcept { return check_columns<Shapes>(s, First::columns); }
    /// Completes the certificates of objects that were decided by a closed form.
    static void certify(const Shapes&, const PreparedView&, const RangeTask&) noexcept {}
};

/// For example KindTraits<Capsules>. Each kind's header defines its own, derived from KindDefaults.
template <class Shapes>
struct KindTraits;

/// Whether the kind's objects have bounding spheres, or parts of them, that batches need not have.
template <class Layout>
constexpr bool has_bounds = std::any_of(std::begin(Layout::columns), std::end(Layout::columns),
                                        [](const auto& c) { return c.bound != c.not_a_bound; });

/// Kinds whose objects have transforms, and those whose objects are local boxes under them.
template <class Shapes>
concept HasTransforms = requires(Shapes s) {
    s.transforms.layout;
};
template <class Shapes>
concept HasLocalBoxes = HasTransforms<Shapes> && requires(Shapes s) {
    s.local.boxes;
};

/// Kinds whose objects name one of several hulls.
template <class Shapes>
concept SharesHulls = requires(Shapes s) {
    s.hulls;
    s.hull_count;
    s.hull_index;
};

}  // namespace lanecull
