#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "oracle/solids.hpp"

namespace exact {

using solids::cross;
using solids::dot;
using solids::Vec;

/// A solid, the hull of points, and a volume, the hull of points plus all sums of rays.
template <class T>
struct Generators {
    std::span<const Vec<T>> solid, volume, rays;
};

/// A generator of the Minkowski difference { s - p : s in the solid, p in the volume }: a difference of two points, or
/// a ray.
struct Generator {
    bool is_ray = false;
    std::size_t solid = 0;   ///< index of the point; for differences only
    std::size_t volume = 0;  ///< index of the point or ray
};

/// Finds the point of the Minkowski difference that is nearest to the origin, by Wolfe's method. It keeps a few
/// generators, the corral, and the point x of their affine hull that is nearest to the origin; all factors of x are >
/// 0. A generator on the origin's side of the plane through x perpendicular to x brings x nearer. It enters the corral,
/// and generators whose factors would become negative leave. With rationals x gets nearer in every step, no corral
/// recurs, and the search ends at the nearest point. With doubles it ends at a good guess.
template <class T>
class Nearest {
public:
    /// Starts at one difference of points.
    Nearest(const Generators<T>& generators, const Generator& first)
        : generators_(generators), corral_{first}, factors_{T(1)}, point_(vector(first)) {}

    [[nodiscard]] const Vec<T>& point() const { return point_; }
    [[nodiscard]] const std::vector<Generator>& corral() const { return corral_; }
    [[nodiscard]] const std::vector<T>& factors() const { return factors_; }

    /// Adds the generator to the corral if that brings the point nearer. Returns whether it did.
    bool take(const Generator& generator) {
        const T before = dot(point_, point_);
        if (!(dot(point_, vector(generator)) < (generator.is_ray ? T(0) : before))) return false;
        corral_.push_back(generator);
        factors_.push_back(T(0));
        for (;;) {
            const std::optional<std::vector<T>> best = nearest_combination();
            if (!best) return false;
            const std::optional<std::size_t> leaves = walk_towards(*best);
            if (!leaves) break;
            corral_.erase(corral_.begin() + static_cast<std::ptrdiff_t>(*leaves));
            factors_.erase(factors_.begin() + static_cast<std::ptrdiff_t>(*leaves));
        }
        point_ = combination();
        return dot(point_, point_) < before;
    }

    /// The generator farthest on the origin's side of that plane. None: the point is the nearest.
    [[nodiscard]] std::optional<Generator> better() const {
        Generator best;
        T lowest = dot(point_, generators_.solid[0]), highest = dot(point_, generators_.volume[0]), steepest = T(0);
        for (std::size_t i = 1; i < generators_.solid.size(); ++i) {
            const T value = dot(point_, generators_.solid[i]);
            if (value < lowest) lowest = value, best.solid = i;
        }
        for (std::size_t i = 1; i < generators_.volume.size(); ++i) {
            const T value = dot(point_, generators_.volume[i]);
            if (value > highest) highest = value, best.volume = i;
        }
        if (lowest - highest < dot(point_, point_)) return best;
        for (std::size_t i = 0; i < generators_.rays.size(); ++i) {
            const T value = -dot(point_, generators_.rays[i]);
            if (value < steepest) steepest = value, best = {true, 0, i};
        }
        if (best.is_ray) return best;
        return std::nullopt;
    }

private:
    [[nodiscard]] Vec<T> vector(const Generator& generator) const {
        if (generator.is_ray) return T(-1) * generators_.rays[generator.volume];
        return generators_.solid[generator.solid] - generators_.volume[generator.volume];
    }

    [[nodiscard]] Vec<T> combination() const {
        Vec<T> sum;
        for (std::size_t k = 0; k < corral_.size(); ++k) sum = sum + factors_[k] * vector(corral_[k]);
        return sum;
    }

    /// The factors of the point of the corral's affine hull that is nearest to the origin. The hull is spanned from a
    /// base, the first generator that is no ray, by the rays and by the other generators' differences from the base.
    /// None if these are linearly dependent, which only rounding can cause.
    [[nodiscard]] std::optional<std::vector<T>> nearest_combination() const {
        std::size_t base = 0;
        while (corral_[base].is_ray) ++base;
        const Vec<T> start = vector(corral_[base]);
        std::array<Vec<T>, 3> u;
        std::size_t count = 0;
        for (std::size_t k = 0; k < corral_.size(); ++k) {
            if (k == base) continue;
            if (count == u.size()) return std::nullopt;
            u[count++] = corral_[k].is_ray ? vector(corral_[k]) : vector(corral_[k]) - start;
        }
        const std::optional<std::array<T, 3>> along = project(start, u, count);
        if (!along) return std::nullopt;
        std::vector<T> result(corral_.size());
        result[base] = T(1);
        for (std::size_t k = 0, i = 0; k < corral_.size(); ++k) {
            if (k == base) continue;
            result[k] = (*along)[i++];
            if (!corral_[k].is_ray) result[base] = result[base] - result[k];
        }
        return result;
    }

    /// The a for which start + sum a_i u_i is nearest to the origin.
    [[nodiscard]] static std::optional<std::array<T, 3>> project(const Vec<T>& start, const std::array<Vec<T>, 3>& u,
                                                                 std::size_t count) {
        std::array<T, 3> a{};
        if (count == 0) return a;
        if (count == 1) {
            const T size = dot(u[0], u[0]);
            if (size == T(0)) return std::nullopt;
            a[0] = -dot(start, u[0]) / size;
            return a;
        }
        const Vec<T> n = cross(u[0], u[1]);
        // With two vectors the plane's normal replaces the third, for the result is a multiple of that normal.
        const Vec<T>& third = count == 2 ? n : u[2];
        const T size = dot(n, third);
        if (size == T(0)) return std::nullopt;
        a[0] = -dot(start, cross(u[1], third)) / size;
        a[1] = -dot(start, cross(third, u[0])) / size;
        if (count == 3) a[2] = -dot(start, n) / size;
        return a;
    }

    /// Moves the factors towards `best` until one would become negative, and returns that one's index. None: all of
    /// `best` are > 0 and the factors are now `best`.
    std::optional<std::size_t> walk_towards(const std::vector<T>& best) {
        std::optional<std::size_t> first;
        T way = T(1);
        for (std::size_t k = 0; k < best.size(); ++k) {
            if (best[k] > T(0)) continue;
            const T share = factors_[k] > T(0) ? factors_[k] / (factors_[k] - best[k]) : T(0);
            if (!first || share < way) first = k, way = share;
        }
        for (std::size_t k = 0; k < best.size(); ++k) factors_[k] = factors_[k] + way * (best[k] - factors_[k]);
        return first;
    }

    Generators<T> generators_;
    std::vector<Generator> corral_;
    std::vector<T> factors_;
    Vec<T> point_;
};

}  // namespace exact
