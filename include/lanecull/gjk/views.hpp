#pragma once

#include <algorithm>
#include <span>

#include <lanecull/view.h>
#include <lanecull/gjk/detail/support.hpp>

/// View volumes as shapes, in doubles, for queries of one object at a time. Nothing of the culling library is linked;
/// of its headers only the types for matrices and planes are used.
///
/// Composites make the other kinds of views: a margin is Rounded(volume, margin), a stereo pair is Join(left, right),
/// eight corners are a Hull. A caster's shadow can be seen if the caster meets Swept(volume, reach * toward) for a
/// directional light, or Join(volume, Point(at)) for a point light.
namespace lanecull::gjk {

/// The intersection of half-spaces and a cube, as the hull of its vertices. The cube limits what the half-spaces do not
/// (an infinitely far plane). Nothing is lost if the cube contains the other shape.
class ViewVolume {
public:
    using Vector = Vec3<double>;
    static constexpr int most_planes = 16;
    static constexpr int roundings = 6;

    /// An empty volume. support() must not be called; `count() == 0` says so.
    ViewVolume() = default;

    /// Made of 1 to 16 half-spaces, as prepare_view_from_planes() takes them, and the cube |p - center|_max <= reach.
    /// Takes at most a millisecond. The volume has no vertices if it is empty, if its planes are too close to parallel
    /// to decide, for other counts of half-spaces, for numbers that are not finite, and for reach <= 0.
    explicit ViewVolume(std::span<const Plane> planes, const Vector& center, double reach) {
        if (planes.empty() || planes.size() > most_planes || !(reach > 0 && reach < 1e30)) return;
        center_ = center;
        for (const Plane& plane : planes) add(plane);
        for (int axis = 0; axis < 3; ++axis) {
            for (const double side : {-1.0, 1.0}) {
                Side cube;
                (axis == 0 ? cube.normal.x : axis == 1 ? cube.normal.y : cube.normal.z) = side;
                cube.offset = reach;
                sides_[side_count_++] = cube;
            }
        }
        for (int i = 0; i < side_count_; ++i)
            for (int j = i + 1; j < side_count_; ++j)
                for (int k = j + 1; k < side_count_; ++k) meet(sides_[i], sides_[j], sides_[k], reach);
        if (unclear_) count_ = 0;
    }

    /// Made of a clip matrix, as prepare_view() reads it.
    explicit ViewVolume(std::span<const double, 16> clip_from_world, const ClipSpace& clip_space, const Vector& center,
                        double reach)
        : ViewVolume(Planes(clip_from_world, clip_space).planes, center, reach) {}

    [[nodiscard]] int count() const noexcept { return count_; }
    /// How far a vertex may be from the point where its planes meet exactly; some 10^-14 of the reach for usual
    /// cameras. A shape is proved apart from the volume if it is proved apart from Rounded(volume, error()).
    [[nodiscard]] double error() const noexcept { return error_; }
    [[nodiscard]] std::span<const Vector> vertices() const noexcept { return {vertices_, std::size_t(count_)}; }

    [[nodiscard]] Vector support(const Vector& d) const noexcept {
        int best = 0;
        double farthest = dot(d, vertices_[0]);
        for (int i = 1; i < count_; ++i) {
            const double value = dot(d, vertices_[i]);
            best = value > farthest ? i : best;
            farthest = value > farthest ? value : farthest;
        }
        return vertices_[best];
    }
    [[nodiscard]] double magnitude() const noexcept {
        double most = 0;
        for (const Vector& vertex : vertices()) most = std::max(most, max_norm(vertex));
        return most;
    }
    [[nodiscard]] Vector inside() const noexcept {
        Vector sum{};
        for (const Vector& vertex : vertices()) sum += 1.0 / count_ * vertex;
        return sum;
    }

private:
    /// normal . (p - center) + offset >= 0; |normal| is 1.
    struct Side {
        Vector normal{};
        double offset = 0;
    };

    struct Planes {
        /// -w <= x <= w, -w <= y <= w, 0 or -w <= z <= w.
        Planes(std::span<const double, 16> m, const ClipSpace& space) {
            const auto element = [&](std::size_t row, std::size_t column) {
                return space.layout == MatrixLayout::column_major ? m[4 * column + row] : m[4 * row + column];
            };
            for (std::size_t i = 0; i < 6; ++i) {
                const double sign = i % 2 == 0 ? 1 : -1;
                const bool from_zero = i == 4 && space.depth == DepthRange::zero_to_one;
                double sum[4];
                for (std::size_t k = 0; k < 4; ++k) {
                    sum[k] = (from_zero ? 0 : element(3, k)) + sign * element(i / 2, k);
                }
                Plane& plane = planes[i];
                plane.offset = sum[3];
                for (std::size_t k = 0; k < 3; ++k) {
                    plane.normal[k] = sum[k];
                    plane.offset -= sum[k] * space.origin[k];
                }
            }
        }
        Plane planes[6];
    };

    void add(const Plane& plane) {
        const Vector normal{plane.normal[0], plane.normal[1], plane.normal[2]};
        const double size = length(normal);
        // An infinitely far plane: no limit.
        if (size == 0 && plane.offset >= 0) return;
        sides_[side_count_++] = {(1 / size) * normal, (dot(normal, center_) + plane.offset) / size};
    }

    void meet(const Side& a, const Side& b, const Side& c, double reach) {
        const Vector bc = cross(b.normal, c.normal), ca = cross(c.normal, a.normal), ab = cross(a.normal, b.normal);
        const double volume = dot(a.normal, bc), size = volume < 0 ? -volume : volume;
        const Vector p = (-1 / volume) * (a.offset * bc + b.offset * ca + c.offset * ab);
        if (!(size > 1e-9)) {
            // The planes are parallel, or meet too far away to matter; or it is not known where they meet.
            if (max_norm(p) <= 2 * reach) unclear_ = true;
            return;
        }
        // The offsets are off by some u of the numbers that they are made of, and the vertex by that divided by the
        // volume.
        const double slack = 64 * unit_roundoff<double> * (reach + max_norm(p) + max_norm(center_)) / size;
        for (int i = 0; i < side_count_; ++i) {
            if (!(dot(sides_[i].normal, p) + sides_[i].offset >= -slack)) return;
        }
        error_ = std::max(error_, slack);
        for (const Vector& vertex : vertices()) {
            if (max_norm(center_ + p - vertex) <= slack) return;
        }
        if (count_ == most_vertices)
            unclear_ = true;
        else
            vertices_[count_++] = center_ + p;
    }

    static constexpr int most_sides = most_planes + 6,
                         most_vertices = 2 * most_sides;  // no polytope has more than 2 sides - 4
    Vector center_{};
    Side sides_[most_sides];
    int side_count_ = 0;
    Vector vertices_[most_vertices];
    int count_ = 0;
    double error_ = 0;
    bool unclear_ = false;
};

}  // namespace lanecull::gjk
