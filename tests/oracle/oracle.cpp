#include "oracle/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace oracle {
namespace {

/// Unit roundoff of long double, and a multiple of it that covers the few operations behind a slack: differences of
/// matrix rows, the row's normalisation, p - origin, a dot product, a convex combination of at most six points.
constexpr Real unit = std::numeric_limits<Real>::epsilon() / 2;
constexpr Real rounding_factor = 64 * unit;

constexpr int step_limit = 400;

/// x with rows[i] . x = rhs[i], by Cramer's rule: good enough for a reference point.
Vec solve(const Vec (&rows)[3], const Real (&rhs)[3]) {
    const Real determinant = dot(rows[0], cross(rows[1], rows[2]));
    const Vec sum =
        rhs[0] * cross(rows[1], rows[2]) + rhs[1] * cross(rows[2], rows[0]) + rhs[2] * cross(rows[0], rows[1]);
    return (1 / determinant) * sum;
}

}  // namespace

Solid::Solid(const solids::Solid<Terms>& made) {
    radius = made.radius.value;
    points.reserve(made.points.size());
    Real size = 0;
    const auto rounded = [&](const solids::Vec<Terms>& v) -> Vec {
        size = std::max({v.x.size, v.y.size, v.z.size});
        return {v.x.value, v.y.value, v.z.value};
    };
    for (const auto& p : made.points) {
        points.push_back(rounded(p));
        magnitude = std::max(magnitude, size);
    }
    for (const auto& oval : made.ovals) {
        solids::Oval<Real>& own = ovals.emplace_back();
        own.centre = rounded(oval.centre);
        Real sum = size;
        for (std::size_t k = 0; k < 3; ++k) own.axes[k] = rounded(oval.axes[k]), sum += size;
        own.cosine = oval.cosine.value, own.sine = oval.sine.value;
        magnitude = std::max(magnitude, sum);
    }
}

Volume::Volume(std::span<const double, 16> clip_from_world, const lanecull::ClipSpace& clip_space)
    : origin_{clip_space.origin[0], clip_space.origin[1], clip_space.origin[2]} {
    const auto clip = solids::clip_coordinates<Real>(clip_from_world, clip_space);
    for (const auto& [normal, offset] : solids::half_spaces(clip, clip_space.depth)) {
        const Real size = length(normal);
        if (size > 0) {
            half_spaces_.push_back({(1 / size) * normal, offset / size});
        } else if (offset < 0) {
            empty_ = true;
        }
    }
    const bool perspective = length(clip[3].normal) > 0,
               from_zero = clip_space.depth == lanecull::DepthRange::zero_to_one;
    const auto& third = clip[perspective ? 3 : 2];
    const Real middle = perspective || !from_zero ? 0 : clip[3].offset / 2;
    eye_ = origin_ + solve({clip[0].normal, clip[1].normal, third.normal},
                           {-clip[0].offset, -clip[1].offset, middle - third.offset});
}

Real Volume::slack(const HalfSpace& half_space, Vec p) const {
    return dot(half_space.normal, p - origin_) + half_space.offset;
}

/// Bounds the error of slack() at any point of the solid.
Real Volume::rounding(const HalfSpace& half_space, const Solid& solid, Real radius) const {
    const Real coordinates = 3 * (solid.magnitude + radius + largest_component(origin_));
    return rounding_factor * (coordinates + std::fabs(half_space.offset));
}

Real Volume::extent_from_eye(const Solid& solid) const {
    Real extent = 0;
    for (const Vec point : solid.points) extent = std::max(extent, largest_component(point - eye_));
    return extent + solid.radius;
}

/// The game: the solid's player mixes points x, the volume's player mixes rows i, the payoff is g_i(x) / scale_i. As a
/// linear program: maximise sum_k q_k, q >= 0, subject to sum_k (2 - g_i(x_k) / scale_i) q_k <= 1 for each row; the
/// scales keep the coefficients in [1, 3], so the all-slack basis is feasible and the optimum finite. Revised simplex:
/// the inverse of the basis, its primal solution q and its dual prices y.
class Game {
public:
    Game(const Volume& volume, const Solid& solid, Real radius);
    Answer play();

private:
    static constexpr std::size_t max_rows = 6;
    using Column = std::array<Real, max_rows>;
    struct Basic {
        bool is_point = false;  // else a slack column, of cost 0
        Vec point;
    };
    struct Extreme {
        Vec point;
        Real value = 0;  // of sum_i weight_i g_i there, exact to within `error`
        Real error = 0;
        Real slope = 0;  // length of sum_i weight_i n_i
    };

    [[nodiscard]] Column prices() const;
    [[nodiscard]] Extreme best_point(const Column& prices) const;
    [[nodiscard]] bool common_point() const;
    [[nodiscard]] Column point_column(Vec point) const;
    bool enter(const Column& column, const Basic& basic);

    const Volume& volume_;
    const Solid& solid_;
    Real radius_;
    std::size_t rows_;
    Column scale_{};
    Column error_{};
    std::array<Column, max_rows> inverse_{};
    Column solution_{};
    std::array<Basic, max_rows> basis_{};
};

Game::Game(const Volume& volume, const Solid& solid, Real radius)
    : volume_(volume), solid_(solid), radius_(radius), rows_(volume.half_spaces_.size()) {
    Real size = radius;
    for (const Vec point : solid.points) size = std::max(size, length(point - solid.points[0]) + radius);
    for (std::size_t i = 0; i < rows_; ++i) {
        const auto& half_space = volume.half_spaces_[i];
        error_[i] = volume.rounding(half_space, solid, radius);
        scale_[i] = std::fabs(volume.slack(half_space, solid.points[0])) + size + error_[i];
        inverse_[i][i] = 1;
        solution_[i] = 1;
    }
}

/// y = costs of the basis times its inverse.
Game::Column Game::prices() const {
    Column y{};
    for (std::size_t k = 0; k < rows_; ++k) {
        if (!basis_[k].is_point) continue;
        for (std::size_t i = 0; i < rows_; ++i) y[i] += inverse_[k][i];
    }
    return y;
}

/// The solid's point with the largest price-weighted sum of payoffs: the certificate's value, and the next column.
Game::Extreme Game::best_point(const Column& y) const {
    Vec direction;
    Real offset = 0, error = 0;
    for (std::size_t i = 0; i < rows_; ++i) {
        const Real weight = std::max<Real>(y[i], 0) / scale_[i];
        direction = direction + weight * volume_.half_spaces_[i].normal;
        offset += weight * volume_.half_spaces_[i].offset;
        error += weight * error_[i];
    }
    const Real slope = length(direction);
    Vec best = solid_.points[0];
    Real best_value = dot(direction, best - volume_.origin_);
    for (const Vec point : solid_.points) {
        const Real value = dot(direction, point - volume_.origin_);
        if (value > best_value) best = point, best_value = value;
    }
    for (const solids::Oval<Real>& oval : solid_.ovals) {
        const Vec point = solids::farthest(oval, direction);
        const Real value = dot(direction, point - volume_.origin_);
        if (value > best_value) best = point, best_value = value;
    }
    if (slope > 0) best = best + (radius_ * (1 - rounding_factor) / slope) * direction;
    return {best, best_value + offset + radius_ * slope, error, slope};
}

/// Is the mixture of points that the basis stands for inside every half-space, beyond doubt?
bool Game::common_point() const {
    Vec sum;
    Real weight = 0;
    for (std::size_t k = 0; k < rows_; ++k) {
        if (!basis_[k].is_point || !(solution_[k] > 0)) continue;
        sum = sum + solution_[k] * (basis_[k].point - solid_.points[0]);
        weight += solution_[k];
    }
    if (!(weight > 0)) return false;
    const Vec mixture = solid_.points[0] + (1 / weight) * sum;
    for (std::size_t i = 0; i < rows_; ++i) {
        if (!(volume_.slack(volume_.half_spaces_[i], mixture) > error_[i])) return false;
    }
    return true;
}

Game::Column Game::point_column(Vec point) const {
    Column column{};
    for (std::size_t i = 0; i < rows_; ++i) column[i] = 2 - volume_.slack(volume_.half_spaces_[i], point) / scale_[i];
    return column;
}

/// One simplex step. False when no row limits it, which only rounding can bring about.
bool Game::enter(const Column& column, const Basic& basic) {
    Column change{};
    std::size_t leaving = max_rows;
    for (std::size_t k = 0; k < rows_; ++k) {
        for (std::size_t i = 0; i < rows_; ++i) change[k] += inverse_[k][i] * column[i];
    }
    Real shortest = std::numeric_limits<Real>::infinity();
    for (std::size_t k = 0; k < rows_; ++k) {
        if (!(change[k] > 1e-15L)) continue;
        const Real ratio = std::max<Real>(solution_[k], 0) / change[k];
        if (ratio < shortest || (ratio == shortest && change[k] > change[leaving])) leaving = k, shortest = ratio;
    }
    if (leaving == max_rows) return false;
    for (Real& element : inverse_[leaving]) element /= change[leaving];
    solution_[leaving] /= change[leaving];
    for (std::size_t k = 0; k < rows_; ++k) {
        if (k == leaving) continue;
        for (std::size_t i = 0; i < rows_; ++i) inverse_[k][i] -= change[k] * inverse_[leaving][i];
        solution_[k] -= change[k] * solution_[leaving];
    }
    basis_[leaving] = basic;
    return true;
}

Answer Game::play() {
    for (int step = 0; step < step_limit; ++step) {
        const Column y = prices();
        const Extreme extreme = best_point(y);
        if (extreme.slope > 0 && extreme.value < -extreme.error) {
            return {Verdict::apart, (-extreme.value - extreme.error) / extreme.slope, step};
        }
        if (common_point()) return {Verdict::visible, 0, step};

        // Enter the most profitable column: that point, or the slack of a row with a negative price.
        const Column column = point_column(extreme.point);
        Real profit = 1;
        for (std::size_t i = 0; i < rows_; ++i) profit -= y[i] * column[i];
        std::size_t slack = max_rows;
        for (std::size_t i = 0; i < rows_; ++i) {
            if (-y[i] > profit) slack = i, profit = -y[i];
        }
        if (!(profit > 4 * unit)) return {Verdict::unclear, 0, step};
        Column identity{};
        if (slack < max_rows) identity[slack] = 1;
        if (!(slack < max_rows ? enter(identity, {}) : enter(column, {true, extreme.point}))) break;
    }
    return {Verdict::unclear, 0, step_limit};
}

Answer Volume::decide(const Solid& solid, Real grow) const {
    if (empty_) return {Verdict::apart, std::numeric_limits<Real>::infinity(), 0};
    return Game(*this, solid, solid.radius + grow).play();
}

}  // namespace oracle
