#pragma once

/// Reading solids roughly, in floats relative to the viewpoint's origin, and which of them are in a view.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include <lanecull/choose_occluders.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/prepared_view.hpp>

#include "occluders/samples.hpp"

namespace lanecull {

/// A box around a solid.
struct RoughBox {
    float center[3];
    float half[3];
};

/// The solids of a call by their numbers.
class RoughSolids {
public:
    RoughSolids(const SolidSet& solids, const PreparedViewpoint& from)
        : solids_(solids), x_(from.origin[0]), y_(from.origin[1]), z_(from.origin[2]) {}

    [[nodiscard]] std::size_t count() const { return solids_.boxes.size() + solids_.oriented_boxes.size(); }

    [[nodiscard]] RoughBox box(std::size_t i) const {
        return i < solids_.boxes.size() ? box_of(solids_.boxes[i]) : box_of(oriented(i));
    }
    [[nodiscard]] RoughSolid solid(std::size_t i) const {
        const RoughBox box = this->box(i);
        RoughSolid solid = {{box.center[0], box.center[1], box.center[2]}, {}, i < solids_.boxes.size()};
        if (solid.is_aligned) {
            for (std::size_t k = 0; k < 3; ++k) solid.row[k][k] = 1 / box.half[k];
        } else {
            invert(oriented(i), solid.row);
        }
        return solid;
    }
    [[nodiscard]] const SolidOrientedBox& oriented(std::size_t i) const {
        return solids_.oriented_boxes[i - solids_.boxes.size()];
    }

private:
    [[nodiscard]] RoughBox box_of(const SolidBox& b) const {
        return {
            {0.5F * (b.min[0] + b.max[0]) - x_, 0.5F * (b.min[1] + b.max[1]) - y_, 0.5F * (b.min[2] + b.max[2]) - z_},
            {0.5F * (b.max[0] - b.min[0]), 0.5F * (b.max[1] - b.min[1]), 0.5F * (b.max[2] - b.min[2])}};
    }
    [[nodiscard]] RoughBox box_of(const SolidOrientedBox& b) const {
        const auto half = [&](std::size_t k) {
            return std::fabs(b.half_extents[0] * b.axes[0][k]) + std::fabs(b.half_extents[1] * b.axes[1][k]) +
                   std::fabs(b.half_extents[2] * b.axes[2][k]);
        };
        return {{b.center[0] - x_, b.center[1] - y_, b.center[2] - z_}, {half(0), half(1), half(2)}};
    }
    /// The rows of the inverse of the matrix whose columns are the half edges.
    static void invert(const SolidOrientedBox& b, float (&row)[3][3]) {
        float n[3][3];
        for (std::size_t k = 0; k < 3; ++k) {
            const float(&p)[3] = b.axes[(k + 1) % 3];
            const float(&q)[3] = b.axes[(k + 2) % 3];
            for (std::size_t j = 0; j < 3; ++j) {
                n[k][j] = p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3];
            }
        }
        const float volume = b.axes[0][0] * n[0][0] + b.axes[0][1] * n[0][1] + b.axes[0][2] * n[0][2];
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t j = 0; j < 3; ++j) row[k][j] = n[k][j] / (volume * b.half_extents[k]);
        }
    }

    const SolidSet& solids_;
    const float x_, y_, z_;
};

/// Where lines of sight come from: the middle of all eyes, or the direction.
class RoughSight {
public:
    explicit RoughSight(const PreparedViewpoint& from) : parallel_(from.eye_count == 0) {
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = parallel_ ? from.direction[k][0] : 0;
            for (std::uint32_t c = 0; c < from.eye_count; ++c) sum += from.eye[c][k][0] / from.eye_count;
            eye_[k] = static_cast<float>(sum);
        }
    }
    [[nodiscard]] bool parallel() const { return parallel_; }
    /// Of a box: about its solid angle, squared; about its area, squared, if sight is parallel. 0 or NaN: it hides
    /// nothing. In doubles, for a product of six coordinates is beyond floats.
    [[nodiscard]] float squared_size_of(const RoughBox& box) const {
        double area = 0, square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const double way = static_cast<double>(parallel_ ? eye_[k] : box.center[k] - eye_[k]);
            area += std::fabs(way) * static_cast<double>(box.half[(k + 1) % 3]) *
                    static_cast<double>(box.half[(k + 2) % 3]);
            square += way * way;
        }
        return static_cast<float>(area * area / (square * square * square));
    }
    /// Where the line of sight to a place begins. reach: from any solid to another, at least.
    void begin(const float (&place)[3], float reach, float (&from)[3]) const {
        for (std::size_t k = 0; k < 3; ++k) from[k] = parallel_ ? place[k] - reach * eye_[k] : eye_[k];
    }

private:
    const bool parallel_;
    float eye_[3];  ///< or the direction
};

/// A view's planes, relative to the viewpoint's origin.
class RoughVolume {
public:
    RoughVolume(const PreparedView& view, const PreparedViewpoint& from) : count_(view.plane_count) {
        for (std::uint32_t i = 0; i < count_; ++i) {
            float offset = view.offset[i] + view.margin;
            for (std::size_t k = 0; k < 3; ++k) {
                plane_[i].normal[k] = view.normal[i][k];
                plane_[i].reach[k] = std::fabs(view.normal[i][k]);
                offset += view.normal[i][k] * (from.origin[k] - view.frame.origin_hi[k]);
            }
            plane_[i].offset = offset;
        }
    }
    /// Neighbours are outside of the same plane, so that one is asked first.
    [[nodiscard]] bool touches(const RoughBox& box) {
        if (!touches(box, first_)) return false;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (i == first_ || touches(box, i)) continue;
            first_ = i;
            return false;
        }
        return true;
    }

private:
    struct RoughPlane {
        float normal[3], reach[3];  ///< reach: |normal|
        float offset;
    };
    [[nodiscard]] bool touches(const RoughBox& box, std::uint32_t i) const {
        const float *const n = plane_[i].normal, *const r = plane_[i].reach;
        const float *const c = box.center, *const h = box.half;
        const float at_center = (n[0] * c[0] + n[1] * c[1]) + (n[2] * c[2] + plane_[i].offset);
        return at_center + ((r[0] * h[0] + r[1] * h[1]) + r[2] * h[2]) >= 0;
    }

    RoughPlane plane_[PreparedView::max_planes];
    const std::uint32_t count_;
    std::uint32_t first_ = 0;
};

}  // namespace lanecull
