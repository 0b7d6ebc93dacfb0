#include <algorithm>
#include <array>
#include <cmath>

#include "properties/pairs/setting.hpp"

namespace properties {
namespace {

using Integers = std::array<int, 3>;
using Matrix = std::array<Integers, 3>;  ///< by columns

int dot(const Integers& a, const Integers& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Integers plus(const Integers& a, int factor, const Integers& b) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Integers times(const Matrix& m, const Integers& v) {
    Integers sum{};
    for (std::size_t k = 0; k < 3; ++k) sum = plus(sum, v[k], m[k]);
    return sum;
}

/// Rotations whose matrices have entries 0, 1 and -1 only, and their quaternions.
struct Turn {
    Integers vector;
    int w;
    Matrix matrix;
};
constexpr Turn turns[] = {
    {{0, 0, 0}, 1, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},   {{1, 0, 0}, 0, {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}},
    {{1, 0, 0}, 1, {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}},  {{0, 1, 0}, 1, {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}}},
    {{0, 0, 1}, -1, {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}}, {{1, 1, 1}, 1, {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}},
    {{1, 1, 1}, -1, {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}},  {{1, -1, 1}, 1, {{{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}}},
};

/// Normals of whole length. Balls whose centres lie along one from a point contain that point exactly.
constexpr Integers normals[] = {{5, 0, 0}, {0, 5, 0}, {0, 0, 5}, {3, 4, 0}, {0, 3, -4}, {-4, 0, 3}, {4, -3, 0}};

/// An object of integers times 2^e that has the point p 2^e on its boundary, and lies on the side of a plane through
/// it to which the normal points. Some objects leave the normal out of account.
class Touching {
public:
    Touching(Random& random, int e, bool split, HullSet& hulls)
        : random_(random), e_(e), split_(split), hulls_(hulls) {}

    Object make(Kind kind, const Integers& p, const Integers& normal) {
        object_ = {};
        p_ = p;
        normal_ = normal;
        constexpr void (Touching::*makers[])() = {&Touching::make_sphere,         &Touching::make_box,
                                                  &Touching::make_centered_box,   &Touching::make_oriented_box,
                                                  &Touching::make_capsule,        &Touching::make_hull,
                                                  &Touching::make_quaternion_box, &Touching::make_box_instance};
        static_assert(std::size(makers) == std::size(all_kinds));
        (this->*makers[static_cast<std::size_t>(kind)])();
        return object_;
    }

private:
    int some() { return random_.chance(0.15) ? 0 : 1 + random_.below(32); }
    int entry() { return random_.below(3) - 1; }
    Integers any() { return {random_.below(65) - 32, random_.below(65) - 32, random_.below(65) - 32}; }

    void put(std::size_t field, int number, int exponent) {
        object_.fields[field] = std::ldexp(static_cast<float>(number), exponent);
    }
    void put(std::size_t field, const Integers& numbers, int exponent) {
        for (std::size_t k = 0; k < 3; ++k) put(field + k, numbers[k], exponent);
    }
    /// The part of 2^e that each column, or axis, has; what it is multiplied by has the rest.
    Integers outer_exponents() {
        Integers exponents{};
        if (!split_) return exponents;
        const bool alike = random_.chance(0.3), squares = random_.chance(0.5);
        for (std::size_t j = 0; j < 3; ++j) {
            int k = random_.below(277) - 149;
            // Relative to the pair, the column's square over- or underflows, or is moderate.
            if (squares) k = e_ + (random_.below(3) - 1) * (55 + random_.below(72));
            if (alike && j > 0) k = exponents[0];
            const bool possible = k >= -149 && k <= 127 && e_ - k >= -149 && e_ - k <= 115;
            exponents[j] = possible ? k : 0;
        }
        return exponents;
    }
    /// The centre of a box with these half-axes that has a corner at p and is on the normal's side of it.
    Integers center(const Matrix& axes, const Integers& half) {
        Integers at = p_;
        for (std::size_t k = 0; k < 3; ++k) {
            const int along = dot(normal_, axes[k]);
            const int sign = along != 0 ? (along > 0 ? 1 : -1) : (random_.chance(0.5) ? 1 : -1);
            at = plus(at, sign * half[k], axes[k]);
        }
        return at;
    }
    Matrix any_matrix() {
        if (random_.chance(0.5)) return turns[random_.below(std::size(turns))].matrix;
        Matrix m;
        for (Integers& column : m) column = {entry(), entry(), entry()};
        return m;
    }

    void make_sphere() {
        const int k = random_.below(9);
        put(0, plus(p_, k, normal_), e_);
        put(3, 5 * k, e_);
    }
    void make_capsule() {
        const int k = random_.below(9);
        const Integers end = plus(p_, k, normal_), way = any();
        const Integers other = plus(end, dot(way, normal_) < 0 ? -1 : 1, way);
        const bool first = random_.chance(0.5);
        put(0, first ? end : other, e_);
        put(3, first ? other : end, e_);
        put(6, 5 * k, e_);
    }
    void make_box() {
        for (std::size_t k = 0; k < 3; ++k) {
            const int below = normal_[k] > 0 ? 0 : some(), above = normal_[k] < 0 ? 0 : some();
            put(k, p_[k] - below, e_);
            put(3 + k, p_[k] + above, e_);
        }
    }
    void make_centered_box() {
        const Integers half = {some(), some(), some()};
        put(0, center({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, half), e_);
        put(3, half, e_);
    }
    void make_oriented_box() {
        const Matrix axes = any_matrix();
        const Integers half = {some(), some(), some()};
        const Integers exponents = outer_exponents();
        put(0, center(axes, half), e_);
        for (std::size_t j = 0; j < 3; ++j) {
            put(3 + 3 * j, axes[j], exponents[j]);
            put(12 + j, half[j], e_ - exponents[j]);
        }
    }
    void make_quaternion_box() {
        const Turn& turn = turns[random_.below(std::size(turns))];
        const Integers half = {some(), some(), some()};
        const int length = random_.below(107) - 53;
        put(0, center(turn.matrix, half), e_);
        put(3, turn.vector, length);
        put(6, turn.w, length);
        put(7, half, e_);
    }
    void make_hull() {
        const Matrix matrix = any_matrix();
        const Integers q = any();
        const Integers exponents = outer_exponents();
        const auto vertex = [&](const Integers& v) {
            std::array<float, 3> result{};
            for (std::size_t j = 0; j < 3; ++j) result[j] = std::ldexp(static_cast<float>(v[j]), e_ - exponents[j]);
            return result;
        };
        Vertices& vertices = hulls_.emplace_back();
        vertices.push_back(vertex(q));
        for (int i = random_.below(random_.chance(0.2) ? 40 : 8); i > 0; --i) {
            const Integers way = plus(any(), -1, q);
            vertices.push_back(vertex(plus(q, dot(times(matrix, way), normal_) < 0 ? -1 : 1, way)));
        }
        std::swap(vertices.front(),
                  vertices[static_cast<std::size_t>(random_.below(static_cast<int>(vertices.size())))]);
        put_transform(matrix, exponents, q);
        object_.hull = static_cast<std::uint32_t>(hulls_.size() - 1);
    }
    /// The transform that takes q to p.
    void put_transform(const Matrix& matrix, const Integers& exponents, const Integers& q) {
        const Integers translation = plus(p_, -1, times(matrix, q));
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t j = 0; j < 3; ++j) put(4 * row + j, matrix[j][row], exponents[j]);
            put(4 * row + 3, translation[row], e_);
        }
    }
    /// Each side of the local box leads from q to the normal's side of it.
    void make_box_instance() {
        const Matrix matrix = any_matrix();
        const Integers q = any(), exponents = outer_exponents();
        put_transform(matrix, exponents, q);
        for (std::size_t j = 0; j < 3; ++j) {
            const int side = dot(normal_, matrix[j]) < 0 ? -some() : some();
            put(12 + j, std::min(q[j], q[j] + side), e_ - exponents[j]);
            put(15 + j, std::max(q[j], q[j] + side), e_ - exponents[j]);
        }
    }

    Random& random_;
    int e_;
    bool split_;
    HullSet& hulls_;
    Object object_;
    Integers p_{}, normal_{};
};

PairOfObjects touching_pair(Random& random, const PairSetting& setting, bool split, HullSet& hulls) {
    const int e = random.below(250) - 149;
    Integers normal = normals[random.below(std::size(normals))], p{}, way{};
    const int far = random.chance(0.2) ? 1 << 20 : 32;
    for (int& coordinate : p) coordinate = random.below(2 * far + 1) - far;
    // They meet after 1, 1/2 or 1/4 of the motion, or at once.
    const int part = random.below(4);
    for (int& component : way) component = random.below(17) - 8;
    if (dot(way, normal) > 0) way = plus({}, -1, way);
    const Integers start = part == 0 ? p : plus(p, -1, way);

    PairOfObjects pair;
    Touching touching(random, e, split, hulls);
    pair.a = touching.make(setting.kind_a, start, normal);
    if (!random.chance(0.1)) normal = plus({}, -1, normal);
    pair.b = touching.make(setting.kind_b, p, normal);
    const int whole = part == 0 ? 1 : 1 << (part - 1);
    for (std::size_t k = 0; k < 3; ++k) pair.motion[k] = std::ldexp(static_cast<float>(whole * way[k]), e);
    pair.contact = part == 0 ? 0 : 1 / static_cast<float>(whole);
    return pair;
}

}  // namespace

PairSetting touching_pairs(Random& random, Kind a, Kind b, std::size_t count, bool split) {
    PairSetting setting{a, b, {{{0, 0, 0}}}, {}};
    for (std::size_t i = 0; i < count; ++i) {
        setting.pairs.push_back(touching_pair(random, setting, split, setting.hulls));
    }
    return setting;
}

}  // namespace properties
