#pragma once

/// Objects on their way from a batch into a scene.

#include <cstdint>
#include <tuple>
#include <variant>

#include <lanecull/status.hpp>

#include "scene/array.hpp"
#include "scene/columns.hpp"
#include "scene/contents.hpp"

namespace lanecull {

/// A batch as columns, with what the batch lacks: bounding spheres, and the scene's numbers of its hulls.
class Source {
public:
    Source(const Batch& batch, HullTable& hulls) noexcept : batch_(batch), hulls_(hulls) {}

    /// Fails only for lack of memory.
    [[nodiscard]] Status prepare() noexcept {
        if (batch_.count() == 0) return {};
        if (lacks_bounds(batch_)) {
            if (Status status = find_bounds(); !status) return status;
        }
        const float* const bounds[4] = {bounds_[0].data(), bounds_[1].data(), bounds_[2].data(), bounds_[3].data()};
        columns_ = columns_of(batch_, bounds);
        return std::visit(
            [&]<class Shapes>(const Shapes& s) {
                if constexpr (SharesHulls<Shapes>) return find_hulls(s);
                return Status();
            },
            batch_.shapes);
    }

    /// The batch's columns. Columns::read() gives hulls the scene's numbers.
    [[nodiscard]] const Columns& columns() const noexcept { return columns_; }

private:
    [[nodiscard]] Status find_bounds() noexcept {
        return std::visit(
            [&]<class Shapes>(const Shapes& s) {
                using L = std::tuple_element_t<0, typename KindTraits<Shapes>::Layouts>;
                if constexpr (has_bounds<L>) {
                    for (const Column<Shapes>& c : L::columns) {
                        if (c.bound == c.not_a_bound) continue;
                        if (!bounds_[c.bound].resize_unset(s.count)) return no_memory();
                    }
                    return KindTraits<Shapes>::find_bounds(
                        s, {bounds_[0].data(), bounds_[1].data(), bounds_[2].data(), bounds_[3].data()});
                }
                return Status();
            },
            batch_.shapes);
    }

    template <class Instances>
    [[nodiscard]] Status find_hulls(const Instances& instances) noexcept {
        if (!numbers_.resize_unset(instances.hull_count)) return no_memory();
        for (std::uint32_t h = 0; h < instances.hull_count; ++h) {
            numbers_[h] = hulls_.number_of(instances.hulls[h]);
            if (numbers_[h] == no_node) return no_memory();
        }
        columns_.hull_names = numbers_.data();
        // A batch of one hull may have no column of hulls. A scene's object must have one.
        if (!columns_.has(hull_column)) {
            columns_.first[hull_column] = reinterpret_cast<const std::byte*>(&zero_);
            columns_.stride[hull_column] = 0;
        }
        return {};
    }

    const Batch& batch_;
    HullTable& hulls_;
    Columns columns_;
    Array<float> bounds_[4];
    Array<std::uint32_t> numbers_;
    const std::uint32_t zero_ = 0;
};

}  // namespace lanecull
