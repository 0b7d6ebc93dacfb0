#pragma once

/// Reading solids roughly, in floats relative to the viewpoint's origin.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <lanecull/occluder.h>

#include "view/prepared_occluder.hpp"

namespace lanecull {

/// A box around a solid.
struct RoughBox {
    float center[3];
    float half[3];
};

/// A box along axes of its own: all center + d with |row[k] . d| <= 1, or center + sum of s_k edge[k], |s_k| <= 1.
struct OwnBox {
    float center[3];
    float edge[3][3] = {};
    float row[3][3] = {};

    explicit OwnBox(const RoughBox& box) : center{box.center[0], box.center[1], box.center[2]} {
        for (std::size_t k = 0; k < 3; ++k) {
            edge[k][k] = box.half[k];
            row[k][k] = 1 / box.half[k];
        }
    }
    OwnBox(const SolidOrientedBox& box, const float (&origin)[3]) {
        for (std::size_t k = 0; k < 3; ++k) {
            center[k] = box.center[k] - origin[k];
            for (std::size_t j = 0; j < 3; ++j) edge[k][j] = box.half_extents[k] * box.axes[k][j];
        }
        invert();
    }

private:
    /// The rows of the inverse of the matrix whose columns are the edges.
    void invert() {
        for (std::size_t k = 0; k < 3; ++k) {
            const float(&p)[3] = edge[(k + 1) % 3];
            const float(&q)[3] = edge[(k + 2) % 3];
            for (std::size_t j = 0; j < 3; ++j) {
                row[k][j] = p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3];
            }
        }
        const float volume = edge[0][0] * row[0][0] + edge[0][1] * row[0][1] + edge[0][2] * row[0][2];
        for (float(&one)[3] : row) {
            for (float& number : one) number /= volume;
        }
    }
};

/// The solids of a call by their numbers.
class RoughSolids {
public:
    RoughSolids(const SolidSet& solids, const PreparedViewpoint& from) : solids_(solids), origin_(from.origin) {}

    [[nodiscard]] std::size_t count() const { return solids_.count(); }

    [[nodiscard]] RoughBox box(std::size_t i) const {
        return i < solids_.boxes.size() ? box_of(solids_.boxes[i])
               : is_oriented(i)         ? box_of(oriented(i))
                                        : box_of(box_around(hull(i)));
    }
    /// As it is drawn in the picture: of a hull, the box along its own axes of its volume.
    [[nodiscard]] OwnBox own_box(std::size_t i) const {
        if (i < solids_.boxes.size()) return OwnBox(box(i));
        if (is_oriented(i)) return OwnBox(oriented(i), origin_);
        SolidOrientedBox like_hull = box_around(hull(i));
        for (float& half : like_hull.half_extents) half *= side_share(*hull(i).hull);
        return OwnBox(like_hull, origin_);
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
        RoughBox box;
        for (std::size_t k = 0; k < 3; ++k) {
            box.center[k] = 0.5F * (b.min[k] + b.max[k]) - origin_[k];
            box.half[k] = 0.5F * (b.max[k] - b.min[k]);
        }
        return box;
    }
    [[nodiscard]] RoughBox box_of(const SolidOrientedBox& b) const {
        const auto half = [&](std::size_t k) {
            return std::fabs(b.half_extents[0] * b.axes[0][k]) + std::fabs(b.half_extents[1] * b.axes[1][k]) +
                   std::fabs(b.half_extents[2] * b.axes[2][k]);
        };
        return {{b.center[0] - origin_[0], b.center[1] - origin_[1], b.center[2] - origin_[2]},
                {half(0), half(1), half(2)}};
    }

    const SolidSet& solids_;
    const float (&origin_)[3];
};

}  // namespace lanecull
