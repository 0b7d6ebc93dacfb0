#pragma once

/// Reading solids roughly, in floats relative to the viewpoint's origin, and which of them are in a view.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <lanecull/occluder.h>

#include "occluders/samples.hpp"
#include "view/prepared_occluder.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// A box around a solid.
struct RoughBox {
    float center[3];
    float half[3];
};

/// Boxes side by side. Loops over all of them, filled or not, have no branches, so that compilers make vectors of them.
struct RoughBoxes {
    static constexpr std::size_t most = 16;

    float center[3][most] = {};
    float half[3][most] = {};
    std::uint32_t index[most] = {};  ///< the solid's number
    std::size_t count = 0;

    [[nodiscard]] bool is_full() const { return count == most; }
    void add(std::size_t solid, const RoughBox& box) {
        for (std::size_t k = 0; k < 3; ++k) {
            center[k][count] = box.center[k];
            half[k][count] = box.half[k];
        }
        index[count++] = static_cast<std::uint32_t>(solid);
    }
};

/// The solids of a call by their numbers.
class RoughSolids {
public:
    RoughSolids(const SolidSet& solids, const PreparedViewpoint& from)
        : solids_(solids), x_(from.origin[0]), y_(from.origin[1]), z_(from.origin[2]) {}

    [[nodiscard]] std::size_t count() const { return solids_.count(); }

    [[nodiscard]] RoughBox box(std::size_t i) const {
        return i < solids_.boxes.size() ? box_of(solids_.boxes[i])
               : is_oriented(i)         ? box_of(oriented(i))
                                        : box_of(box_around(hull(i)));
    }
    [[nodiscard]] RoughSolid solid(std::size_t i) const {
        const RoughBox box = this->box(i);
        RoughSolid solid = {{box.center[0], box.center[1], box.center[2]}, {}, i < solids_.boxes.size()};
        if (solid.is_aligned) {
            for (std::size_t k = 0; k < 3; ++k) solid.row[k][k] = 1 / box.half[k];
        } else if (is_oriented(i)) {
            invert(oriented(i), solid.row);
        } else {
            SolidOrientedBox like_hull = box_around(hull(i));
            for (float& half : like_hull.half_extents) half *= side_share(*hull(i).hull);
            invert(like_hull, solid.row);
        }
        return solid;
    }
    [[nodiscard]] bool is_oriented(std::size_t i) const {
        return i - solids_.boxes.size() < solids_.oriented_boxes.size();
    }
    [[nodiscard]] const SolidOrientedBox& oriented(std::size_t i) const {
        return solids_.oriented_boxes[i - solids_.boxes.size()];
    }
    [[nodiscard]] const SolidHullInstance& hull(std::size_t i) const {
        return solids_.hulls[i - solids_.boxes.size() - solids_.oriented_boxes.size()];
    }

private:
    /// The box that a hull is drawn in, where it is placed. Of a null hull nothing is a number.
    [[nodiscard]] static SolidOrientedBox box_around(const SolidHullInstance& given) {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        if (given.hull == nullptr) return {{none, none, none}, {none, none, none}};
        const BoxBounds& drawn = given.hull->drawn;
        SolidOrientedBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.center[k] = given.transform[4 * k + 3];
            box.half_extents[k] = 0.5F * (drawn.upper[k] - drawn.lower[k]);
            for (std::size_t j = 0; j < 3; ++j) {
                box.center[k] += given.transform[4 * k + j] * (0.5F * (drawn.lower[j] + drawn.upper[j]));
                box.axes[k][j] = given.transform[4 * j + k];
            }
        }
        return box;
    }
    /// The cube root of a hull's share of the box that it is drawn in.
    [[nodiscard]] static float side_share(const SolidHull& hull) {
        const std::uint32_t triangles = std::min(hull.triangle_count, SolidHull::max_triangles);
        float volume = 0, of_box = 6;  // six times
        for (std::uint32_t t = 0; t < triangles; ++t) {
            float from_first[3][3];
            for (std::size_t v = 0; v < 3; ++v) {
                const std::uint32_t corner = std::min<std::uint32_t>(hull.triangle[t][v], SolidHull::max_corners - 1);
                for (std::size_t k = 0; k < 3; ++k) from_first[v][k] = hull.corner[corner][k] - hull.corner[0][k];
            }
            const float(&a)[3] = from_first[0], (&b)[3] = from_first[1], (&c)[3] = from_first[2];
            volume += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
        }
        for (std::size_t k = 0; k < 3; ++k) of_box *= hull.drawn.upper[k] - hull.drawn.lower[k];
        return std::cbrt(volume / of_box);
    }

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
    /// Of each box: about its solid angle, squared; about its area, squared, if sight is parallel. It hides nothing
    /// where this is 0 or NaN, as it is for coordinates beyond 1e12, whose products no float holds.
    void find_squared_sizes(const RoughBoxes& boxes, float (&squared)[RoughBoxes::most]) const {
        float area[RoughBoxes::most] = {}, square[RoughBoxes::most] = {};
        for (std::size_t k = 0; k < 3; ++k) {
            const float *const center = boxes.center[k], *const across = boxes.half[(k + 1) % 3];
            const float* const along = boxes.half[(k + 2) % 3];
            const float eye = eye_[k], of_center = parallel_ ? 0 : 1, of_eye = parallel_ ? 1 : -1;
            for (std::size_t i = 0; i < RoughBoxes::most; ++i) {
                const float way = of_center * center[i] + of_eye * eye;
                area[i] += std::fabs(way) * (across[i] * along[i]);
                square[i] += way * way;
            }
        }
        for (std::size_t i = 0; i < RoughBoxes::most; ++i) {
            const float inverse = 1 / square[i];
            const float share = area[i] * inverse;
            squared[i] = share * share * inverse;
        }
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
            offset_[i] = view.offset[i] + view.margin;
            for (std::size_t k = 0; k < 3; ++k) {
                normal_[i][k] = view.normal[i][k];
                offset_[i] += view.normal[i][k] * (from.origin[k] - view.frame.origin_hi[k]);
            }
        }
    }
    /// Makes 0 of the sizes of boxes that are outside of a plane.
    void clear_outside(const RoughBoxes& boxes, float (&size)[RoughBoxes::most]) const {
        const float *const x = boxes.center[0], *const y = boxes.center[1], *const z = boxes.center[2];
        const float *const a = boxes.half[0], *const b = boxes.half[1], *const c = boxes.half[2];
        for (std::uint32_t p = 0; p < count_; ++p) {
            const float(&n)[3] = normal_[p];
            const float size_x = std::fabs(n[0]), size_y = std::fabs(n[1]), size_z = std::fabs(n[2]);
            const float offset = offset_[p];
            for (std::size_t i = 0; i < RoughBoxes::most; ++i) {
                const float at_center = (n[0] * x[i] + n[1] * y[i]) + (n[2] * z[i] + offset);
                const float reach = (size_x * a[i] + size_y * b[i]) + size_z * c[i];
                size[i] = at_center + reach >= 0 ? size[i] : 0;
            }
        }
    }

private:
    float normal_[PreparedView::max_planes][3] = {};
    float offset_[PreparedView::max_planes] = {};
    const std::uint32_t count_;
};

}  // namespace lanecull
