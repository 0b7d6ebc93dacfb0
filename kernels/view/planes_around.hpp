#pragma once

#include <cstddef>

#include "base/affine.hpp"
#include "base/fixed_list.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Half-spaces that hold a volume of casters.
class PlanesAround {
public:
    void add(const Affine& half_space);

    /// Whether the view will have less than all of them.
    [[nodiscard]] bool incomplete() const { return merged_ || overflowed_ || f_.size() > PreparedView::max_planes; }

    /// Whether there are more than stage 1 tests.
    [[nodiscard]] bool are_sorted() const { return f_.size() > PreparedView::stage_one_planes; }
    /// The planes into the view. Stage 1 tests the first six alone: each is the one that rejects most of the points
    /// around the volume, which lies between `low` and `high`, that those before leave. Fewer planes are not sorted,
    /// and these are not read.
    void put_into(PreparedView& view, const Interval3x3& rotation, const Double3& low, const Double3& high) const;

private:
    static constexpr std::uint32_t capacity = 64;
    void sort_by_rejection(const Double3& low, const Double3& high, std::size_t (&order)[capacity]) const;

    FixedList<Affine, capacity> f_;
    bool merged_ = false, overflowed_ = false;
};

}  // namespace lanecull
