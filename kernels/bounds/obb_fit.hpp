#pragma once

/// Axes for an oriented box around a few points. The first guess comes from triangles between points that are far apart
/// (Larsson and Kallberg, Fast Computation of Tight-Fitting Oriented Bounding Boxes, 2011); each side of a triangle
/// gives one frame. Then the box is turned about one of its own axes after the other, each time to the smallest
/// rectangle around its shadow.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "base/affine.hpp"

namespace lanecull {

/// Three orthonormal axes, right-handed.
struct BoxFrame {
    Double3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

/// A frame whose first axis is along `along` and whose third is as near to `up` as possible. Neither may be 0, nor may
/// they be parallel.
inline BoxFrame frame_of(const Double3& along, const Double3& up) noexcept {
    const Double3 u = normalized(along);
    const Double3 w = normalized(cross(u, normalized(cross(normalized(up), u))));
    return {{u, cross(w, u), w}};
}

class ExtremePoints {
public:
    static constexpr std::size_t capacity = 48;

    void add(const Double3& p) {
        point_[count_++] = p;
        size_ = std::max({size_, std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
    }

    /// The volume of the points' box, with each side made a little longer. Boxes of flat or straight sets have no
    /// volume; so the one with the smallest face or side is the best of them.
    [[nodiscard]] double measure(const BoxFrame& frame) const {
        double product = 1;
        for (const Double3& axis : frame.axis) {
            double lowest = dot(axis, point_[0]), highest = lowest;
            for (std::size_t i = 1; i < count_; ++i) {
                const double at = dot(axis, point_[i]);
                lowest = std::min(lowest, at);
                highest = std::max(highest, at);
            }
            product *= highest - lowest + 1e-6 * size_;
        }
        return product;
    }

    /// The best of the frames along the sides of triangles. These are a base triangle and the sides of the two
    /// tetrahedra over and under it. The base's corners are the two points farthest apart and the point farthest from
    /// their line.
    [[nodiscard]] BoxFrame best_frame() const {
        Best best(*this);
        std::size_t a = 0, b = 0;
        double longest = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double squared = length_squared(point_[i] - point_[j]);
                if (squared > longest) longest = squared, a = i, b = j;
            }
        }
        if (longest == 0) return best.frame;
        const Double3 side = point_[b] - point_[a];
        const std::size_t c =
            highest([&](const Double3& p) { return length_squared(cross(side, p - point_[a])) / longest; });
        const Double3 normal = cross(side, point_[c] - point_[a]);
        if (length_squared(normal) <= parallel * longest * longest) {
            const double x = std::fabs(side.x), y = std::fabs(side.y), z = std::fabs(side.z);
            const bool along_x = x <= y && x <= z, along_y = !along_x && y <= z;
            // The axis that the side is farthest from: never parallel to it, nor nearly.
            return frame_of(side, {along_x ? 1.0 : 0.0, along_y ? 1.0 : 0.0, along_x || along_y ? 0.0 : 1.0});
        }
        best.try_triangle(point_[a], point_[b], point_[c]);
        const std::size_t apexes[2] = {highest([&](const Double3& p) { return dot(normal, p); }),
                                       highest([&](const Double3& p) { return -dot(normal, p); })};
        for (const std::size_t apex : apexes) {
            best.try_triangle(point_[a], point_[b], point_[apex]);
            best.try_triangle(point_[b], point_[c], point_[apex]);
            best.try_triangle(point_[c], point_[a], point_[apex]);
        }
        return best.frame;
    }

    /// Turns the frame about its axes, one after the other, as long as that makes the box smaller.
    [[nodiscard]] BoxFrame improved(const BoxFrame& frame) const {
        constexpr int most_sweeps = 4;
        Best best(*this);
        best.try_frame(frame);
        for (int sweep = 0; sweep < most_sweeps; ++sweep) {
            const double before = best.measure;
            for (std::size_t k = 0; k < 3; ++k) try_turns(best.frame, k, best);
            if (!(best.measure < before * (1 - 1e-6))) break;
        }
        return best.frame;
    }

private:
    static constexpr double parallel = 1e-14;  // squared sine

    /// The best frame so far.
    struct Best {
        const ExtremePoints& points;
        BoxFrame frame = {};
        double measure = points.measure(frame);

        explicit Best(const ExtremePoints& all) : points(all) {}
        void try_frame(const BoxFrame& candidate) {
            const double candidate_measure = points.measure(candidate);
            if (candidate_measure < measure) measure = candidate_measure, frame = candidate;
        }
        void try_triangle(const Double3& a, const Double3& b, const Double3& c) {
            const Double3 sides[3] = {b - a, c - b, a - c};
            const Double3 normal = cross(sides[0], sides[1]);
            const double longest =
                std::max({length_squared(sides[0]), length_squared(sides[1]), length_squared(sides[2])});
            if (!(length_squared(normal) > parallel * longest * longest)) return;
            for (const Double3& side : sides) {
                if (length_squared(side) > parallel * longest) try_frame(frame_of(side, normal));
            }
        }
    };

    template <class Height>
    [[nodiscard]] std::size_t highest(Height height) const {
        std::size_t best = 0;
        for (std::size_t i = 1; i < count_; ++i) {
            if (height(point_[i]) > height(point_[best])) best = i;
        }
        return best;
    }

    struct Double2 {
        double x, y;
    };
    /// Twice the area of a triangle, positive if counter-clockwise.
    static double area(Double2 a, Double2 b, Double2 c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    }

    /// Tries every turn about axis k that lays a side of the box along a side of the points' shadow. The smallest
    /// rectangle around the shadow is among these.
    void try_turns(const BoxFrame frame, std::size_t k, Best& best) const {
        const Double3 &up = frame.axis[k], &u = frame.axis[(k + 1) % 3], &v = frame.axis[(k + 2) % 3];
        std::array<Double2, capacity> shadow;
        for (std::size_t i = 0; i < count_; ++i) shadow[i] = {dot(u, point_[i]), dot(v, point_[i])};
        std::sort(shadow.begin(), shadow.begin() + count_,
                  [](Double2 a, Double2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
        // The shadow's hull: its lower chain from left to right, then its upper one back.
        std::array<Double2, 2 * capacity> hull;
        std::size_t n = 0;
        const auto extend = [&](Double2 p, std::size_t start) {
            while (n >= start + 2 && area(hull[n - 2], hull[n - 1], p) <= 0) --n;
            hull[n++] = p;
        };
        for (std::size_t i = 0; i < count_; ++i) extend(shadow[i], 0);
        const std::size_t rightmost = n - 1;
        for (std::size_t i = count_ - 1; i-- > 0;) extend(shadow[i], rightmost);
        for (std::size_t i = 0; i + 1 < n; ++i) {
            const Double2 side{hull[i + 1].x - hull[i].x, hull[i + 1].y - hull[i].y};
            const Double3 along = u * side.x + v * side.y;
            if (length_squared(along) > parallel * size_ * size_) best.try_frame(frame_of(along, up));
        }
    }

    std::array<Double3, capacity> point_;
    std::size_t count_ = 0;
    double size_ = 0;
};

}  // namespace lanecull
