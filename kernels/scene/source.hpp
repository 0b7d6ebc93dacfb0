#pragma once

/// Objects on their way from a batch into a scene.

#include <lanecull/types.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>

#include "base/failure.hpp"
#include "base/memory.hpp"
#include "base/transforms.hpp"
#include "calls/kinds.hpp"
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
        return visit(batch_, [&]<class Shapes>(const Shapes& s) {
            if constexpr (SharesHulls<Shapes>) {
                if (Status status = give_rows(s); !status) return status;
                return find_hulls(s);
            }
            if constexpr (HasLocalBoxes<Shapes>) return give_own_boxes(s);
            return Status();
        });
    }

    /// The batch's columns. Columns::read() gives hulls the scene's numbers.
    [[nodiscard]] const Columns& columns() const noexcept { return columns_; }

private:
    [[nodiscard]] Status find_bounds() noexcept {
        return visit(batch_, [&]<class Shapes>(const Shapes& s) {
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
        });
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

    /// Gives each instance a transform by rows. Those of an invalid one are NaN.
    [[nodiscard]] Status give_rows(const HullInstances& s) noexcept {
        if (s.transforms.layout == TransformLayout::rows_3x4) return {};
        if (!rows_.resize_unset(std::size_t{12} * s.count)) return no_memory();
        for (std::size_t i = 0; i < s.count; ++i) {
            float rows[12];
            const bool valid = rows_of(s.transforms, i, rows);
            for (std::size_t k = 0; k < 12; ++k) rows_[12 * i + k] = valid ? rows[k] : none;
        }
        columns_.first[HullLayout::transform_column] = reinterpret_cast<const std::byte*>(rows_.data());
        columns_.stride[HullLayout::transform_column] = 12 * sizeof(float);
        return {};
    }

    /// Gives each object a box and a transform of its own, by rows. Those of an invalid one are NaN.
    template <class Instances>
    [[nodiscard]] Status give_own_boxes(const Instances& s) noexcept {
        if (!rows_.resize_unset(std::size_t{12} * s.count)) return no_memory();
        for (Array<float>& side : own_) {
            if (!side.resize_unset(s.count)) return no_memory();
        }
        for (std::size_t i = 0; i < s.count; ++i) {
            float rows[12];
            LocalBox box;
            const bool valid = rows_of(s.transforms, i, rows) && read_local_box(s.local, i, box);
            for (std::size_t k = 0; k < 12; ++k) rows_[12 * i + k] = valid ? rows[k] : none;
            for (std::size_t k = 0; k < 3; ++k) {
                own_[k][i] = valid ? box.lower[k] : none;
                own_[3 + k][i] = valid ? box.upper[k] : none;
            }
        }
        Instances own{{rows_.data()}, {}, s.count};
        own.local.boxes = {own_[0].data(), own_[1].data(), own_[2].data(), own_[3].data(),
                           own_[4].data(), own_[5].data(), s.count};
        Batch all(own, batch_.attributes);
        all.draws = batch_.draws;
        const float* const no_bounds[4] = {};
        columns_ = columns_of(all, no_bounds);
        return {};
    }

    static constexpr float none = std::numeric_limits<float>::quiet_NaN();

    const Batch& batch_;
    HullTable& hulls_;
    Columns columns_;
    Array<float> bounds_[4];
    Array<float> rows_;    // of kinds with transforms
    Array<float> own_[6];  // of BoxInstances
    Array<std::uint32_t> numbers_;
    const std::uint32_t zero_ = 0;
};

/// Whether coordinates of a scene's objects may be relative to this point.
inline Status check_origin(const double (&origin)[3], const char* name) {
    constexpr double farthest = 1e12;
    for (int j = 0; j < 3; ++j) {
        if (std::fabs(origin[j]) <= farthest) continue;
        return failure("%s[%d]: must be finite and at most 1e12", lasting(name), j);
    }
    return {};
}

/// Whether a scene can store the batches' objects. Positions in doubles have no place in its columns.
inline Status check_storable(std::span<const Batch> batches) {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const bool has_positions = visit(batches[b], []<class Shapes>(const Shapes& s) {
            if constexpr (HasTransforms<Shapes>) return s.count > 0 && s.transforms.positions.first != nullptr;
            return false;
        });
        if (has_positions) {
            return failure(
                "batches[%zu].transforms.positions: must be null in a scene, whose origins are AddOptions::origin", b);
        }
    }
    return {};
}

}  // namespace lanecull
