#pragma once

#include <cstddef>

#include <lanecull/prepared_view.hpp>

#include "base/affine.hpp"

namespace lanecull {

/// Half-spaces that hold a volume of casters.
class PlanesAround {
public:
    static constexpr std::size_t capacity = 64;

    void add(const Affine& half_space);

    /// Whether the view will have less than all of them.
    [[nodiscard]] bool incomplete() const { return merged_ || overflowed_ || count_ > PreparedView::max_planes; }

    /// The planes into the view. Stage 1 looks at the first six alone: each is the one that rejects most of the points
    /// around the volume, which lies between `low` and `high`, that those before leave.
    void put_into(PreparedView& view, const Interval3x3& rotation, const Double3& low, const Double3& high) const;

private:
    void sort_by_rejection(const Double3& low, const Double3& high, std::size_t (&order)[capacity]) const;

    Affine f_[capacity];
    std::size_t count_ = 0;
    bool merged_ = false, overflowed_ = false;
};

}  // namespace lanecull
