#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/exact_objects.hpp"
#include "properties/pairs/setting.hpp"

namespace properties {
namespace {

using Integers = std::array<int, 3>;
using Matrix = std::array<Integers, 3>;  ///< by columns

int dot(const Integers& a, const Integers& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Integers plus(const Integers& a, int factor, const Integers& b) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
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
constexpr int normal_length = 5;
constexpr Integers normals[] = {{5, 0, 0}, {0, 5, 0}, {0, 0, 5}, {3, 4, 0}, {0, 3, -4}, {-4, 0, 3}, {4, -3, 0}};

/// An object of integers times 2^e that has the point p 2^e on its boundary, and lies on the side of a plane through
/// it to which the normal points; of cylinders, cones and ellipsoids an end's middle, the apex, or the centre is that
/// point.
class Touching {
public:
    Touching(Random& random, int e, bool split, HullSet& hulls)
        : random_(random), e_(e), split_(split), hulls_(hulls) {}

    Object make(Kind kind, const Integers& p, const Integers& normal) {
        object_ = {};
        fill(kind);
        // To where its farthest point against the normal is p, which is exact.
        const exact::Solid solid = exact_solid_of(kind, object_, hulls_);
        const exact::Point n = exact::point(normal[0], normal[1], normal[2]);
        const auto height = [&](const exact::Point& at) -> exact::Rational { return dot(n, at); };
        // Of ovals the first point alone is one that floats hold.
        const auto points = std::span(solid.points).first(solid.ovals.empty() ? solid.points.size() : 1);
        const exact::Point lowest =
            std::ranges::min(points, {}, height) - exact::Rational(solid.radius / normal_length) * n;
        const exact::Point to = exact::rational(std::ldexp(1.0, e_)) * exact::point(p[0], p[1], p[2]);
        const exact::Vec<double> way = exact::to_double(to - lowest);
        return ::moved(kind, object_, {way.x, way.y, way.z});
    }

private:
    int some() { return random_.chance(0.15) ? 0 : 1 + random_.below(32); }
    int entry() { return random_.below(3) - 1; }
    Integers sizes() { return {some(), some(), some()}; }
    Integers any() { return {random_.below(65) - 32, random_.below(65) - 32, random_.below(65) - 32}; }
    /// With a normal it makes a ball that has an exact point on its boundary.
    int radius() { return normal_length * random_.below(9); }

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
    Matrix any_matrix() {
        if (random_.chance(0.5)) return turns[random_.below(std::size(turns))].matrix;
        Matrix m;
        for (Integers& column : m) column = {entry(), entry(), entry()};
        return m;
    }

    /// All but its place.
    void fill(Kind kind) {
        switch (kind) {
            case Kind::sphere:
                return put(3, radius(), e_);
            case Kind::capsule:
                put(3, any(), e_);
                return put(6, radius(), e_);
            case Kind::cylinder:
            case Kind::cone:
            case Kind::round_cone:
                put(3, any(), e_);
                if (object_.fields[3] == 0) put(3, 1, e_);
                return put(6, some(), e_);
            case Kind::box:
            case Kind::centered_box:
                return put(3, sizes(), e_);
            case Kind::oriented_box:
                return fill_axes(any_matrix(), outer_exponents());
            case Kind::quaternion_box:
            case Kind::ellipsoid: {
                const Turn& turn = turns[random_.below(std::size(turns))];
                const int length = random_.below(107) - 53;
                put(3, turn.vector, length);
                put(6, turn.w, length);
                return put(7, sizes(), e_);
            }
            case Kind::hull:
            case Kind::box_instance:
                return fill_transformed(kind, any_matrix(), outer_exponents());
        }
    }
    void fill_axes(const Matrix& axes, const Integers& exponents) {
        for (std::size_t j = 0; j < 3; ++j) {
            put(3 + 3 * j, axes[j], exponents[j]);
            put(12 + j, some(), e_ - exponents[j]);
        }
    }
    /// Vertices, or a local box, are anywhere near their origin.
    void fill_transformed(Kind kind, const Matrix& matrix, const Integers& exponents) {
        for (std::size_t j = 0; j < 3; ++j) {
            for (std::size_t row = 0; row < 3; ++row) put(4 * row + j, matrix[j][row], exponents[j]);
        }
        const auto local = [&](std::size_t j, int number) {
            return std::ldexp(static_cast<float>(number), e_ - exponents[j]);
        };
        const int count = kind == Kind::hull ? 1 + random_.below(random_.chance(0.2) ? 40 : 8) : 0;
        object_.hull = static_cast<std::uint32_t>(hulls_.size());
        if (count > 0) hulls_.emplace_back();
        for (int i = 0; i < count; ++i) {
            const Integers v = any();
            hulls_.back().push_back({local(0, v[0]), local(1, v[1]), local(2, v[2])});
        }
        if (kind == Kind::hull) return;
        const Integers low = any();
        for (std::size_t j = 0; j < 3; ++j) {
            object_.fields[12 + j] = local(j, low[j]);
            object_.fields[15 + j] = local(j, low[j] + some());
        }
    }

    Random& random_;
    int e_;
    bool split_;
    HullSet& hulls_;
    Object object_;
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
