#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <variant>

#include <lanecull/gjk.hpp>

/// What the GJK playground shows: gjk::distance() of two shapes in floats, step by step. The page writes seven numbers
/// a shape into input(), calls solve() and reads output(). solve.js has the same layout.

namespace {

namespace gjk = lanecull::gjk;

enum class Kind { ball, capsule, box, polytope, ellipsoid, cylinder, cone };

/// The page's numbers for a shape: kind, centre, turn about z and then about x in radians, size.
struct Asked {
    Kind kind;
    std::array<double, 3> center;
    double turn, tilt, size;
};

constexpr std::size_t numbers_of_shape = 7, most_steps = 64;
constexpr std::size_t numbers_of_step = 1 + 3 + 3 + 4 * 6, numbers_of_answer = 19;
double asked[2 * numbers_of_shape];
double answered[numbers_of_answer + most_steps * numbers_of_step];

Asked shape_at(std::size_t which) {
    const double* n = asked + which * numbers_of_shape;
    return {static_cast<Kind>(static_cast<int>(n[0])), {n[1], n[2], n[3]}, n[4], n[5], n[6]};
}

template <int N>
gjk::Vec<float, N> vector(double x, double y, double z) {
    if constexpr (N == 2) {
        return {static_cast<float>(x), static_cast<float>(y)};
    } else {
        return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    }
}

/// Turned about z, then tilted about x.
template <int N>
gjk::Matrix<float, N> axes_of(const Asked& of) {
    const double c = std::cos(of.turn), s = std::sin(of.turn), d = std::cos(of.tilt), t = std::sin(of.tilt);
    gjk::Matrix<float, N> axes;
    axes.column[0] = vector<N>(c, N == 2 ? s : s * d, s * t);
    axes.column[1] = vector<N>(-s, N == 2 ? c : c * d, c * t);
    if constexpr (N == 3) axes.column[2] = vector<N>(0, -t, d);
    return axes;
}

template <int N>
struct Cores;
template <>
struct Cores<2> {
    using Of = std::variant<gjk::Point<float, 2>, gjk::Segment<float, 2>, gjk::OrientedBox<float, 2>,
                            gjk::Hull<float, 2>, gjk::Ellipsoid<float, 2>>;
};
template <>
struct Cores<3> {
    using Of = std::variant<gjk::Point<float, 3>, gjk::Segment<float, 3>, gjk::OrientedBox<float, 3>,
                            gjk::Hull<float, 3>, gjk::Ellipsoid<float, 3>, gjk::Cylinder<float>, gjk::Cone<float>>;
};

/// Any of the shapes without its margin. A shape by its support mapping is all that the library needs.
template <int N>
struct Core {
    using Vector = gjk::Vec<float, N>;
    static constexpr int roundings = 32;  // the most that any of them has
    typename Cores<N>::Of of;

    [[nodiscard]] Vector support(const Vector& d) const {
        return std::visit([&](const auto& shape) -> Vector { return shape.support(d); }, of);
    }
    [[nodiscard]] float magnitude() const {
        return std::visit([](const auto& shape) { return gjk::magnitude(shape); }, of);
    }
    [[nodiscard]] Vector inside() const {
        return std::visit([](const auto& shape) -> Vector { return gjk::inside(shape); }, of);
    }
};

constexpr std::size_t corners = 6;  // of a polytope

/// A shape and the corners that its hull is of: it stays where it is made.
template <int N>
class Any {
public:
    using Vector = gjk::Vec<float, N>;
    static constexpr int roundings = Core<N>::roundings + 8;

    explicit Any(const Asked& of) : core_{gjk::Point<float, N>{}} {
        const Vector center = vector<N>(of.center[0], of.center[1], of.center[2]);
        const gjk::Matrix<float, N> axes = axes_of<N>(of);
        const auto size = static_cast<float>(of.size);
        const Vector along = size * axes.column[0];
        switch (of.kind) {
            case Kind::ball:
                core_.of = gjk::Point<float, N>{center};
                margin_ = size;
                break;
            case Kind::capsule:
                core_.of = gjk::Segment<float, N>{center - along, center + along};
                margin_ = 0.5F * size;
                break;
            case Kind::box:
                core_.of = gjk::OrientedBox<float, N>{center, axes, vector<N>(of.size, 0.7 * of.size, 0.5 * of.size)};
                break;
            case Kind::polytope:
                place_corners(center, axes, of.size);
                core_.of.template emplace<gjk::Hull<float, N>>(std::span<const Vector>(corners_));
                break;
            case Kind::ellipsoid:
                core_.of = gjk::Ellipsoid<float, N>{center, axes, vector<N>(of.size, 0.6 * of.size, 0.4 * of.size)};
                break;
            case Kind::cylinder:
                if constexpr (N == 3) core_.of = gjk::Cylinder<float>{center - along, center + along, 0.6F * size};
                break;
            case Kind::cone:
                if constexpr (N == 3) core_.of = gjk::Cone<float>{center - 0.5F * along, center + along, 0.8F * size};
                break;
        }
    }
    Any(const Any&) = delete;
    Any& operator=(const Any&) = delete;

    [[nodiscard]] const Core<N>& core() const { return core_; }
    [[nodiscard]] float margin() const { return margin_; }
    [[nodiscard]] Vector support(const Vector& d) const { return core_.support(d) + margin_ * gjk::unit(d); }
    [[nodiscard]] float magnitude() const { return core_.magnitude() + margin_; }
    [[nodiscard]] Vector inside() const { return core_.inside(); }

private:
    /// In the plane a pentagon, with one corner twice; in space two pyramids over a square.
    void place_corners(const Vector& center, const gjk::Matrix<float, N>& axes, double size) {
        for (std::size_t k = 0; k < corners; ++k) {
            const std::size_t around = N == 2 ? 5 : 4;
            const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(around);
            const bool tip = N == 3 && k >= around;
            corners_[k] = center + axes * (tip ? vector<N>(0, 0, k == around ? size : -1.4 * size)
                                               : vector<N>(size * std::cos(angle), size * std::sin(angle), 0));
        }
    }

    Core<N> core_;
    float margin_ = 0;
    std::array<Vector, corners> corners_{};
};

template <int N>
void write(double* to, const gjk::Vec<float, N>& v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = 0;
    if constexpr (N == 3) to[2] = v.z;
}

/// The answer's numbers, then each step's: its corners' count, the direction, the point nearest to the origin, and for
/// each of four corners the points of both shapes.
template <int N>
void answer() {
    using Vector = gjk::Vec<float, N>;
    const Any<N> a(shape_at(0)), b(shape_at(1));
    const gjk::MinkowskiDifference pair(a.core(), b.core());
    std::size_t steps = 0;
    const auto found = gjk::distance(a, b, {.max_steps = int{most_steps}},
                                     [&](const gjk::Simplex<Vector>& simplex, const Vector& direction) {
                                         double* step = answered + numbers_of_answer + numbers_of_step * steps++;
                                         step[0] = simplex.count;
                                         write<N>(step + 1, direction);
                                         write<N>(step + 4, pair.unscaled(1) * gjk::nearest_on(simplex).v);
                                         for (int k = 0; k < simplex.count; ++k) {
                                             write<N>(step + 7 + 6 * k, simplex.points[k].a);
                                             write<N>(step + 10 + 6 * k, simplex.points[k].b);
                                         }
                                     });
    // Along the direction that proves them separated, else along the last step's.
    const double* last = answered + numbers_of_answer + numbers_of_step * (steps - 1);
    const bool parts = !gjk::is_zero(found.direction);
    const Vector way = gjk::unit(parts || steps == 0 ? found.direction : vector<N>(last[1], last[2], last[3]));
    answered[0] = static_cast<double>(found.verdict);
    answered[1] = static_cast<double>(steps);
    answered[2] = found.distance;
    answered[3] = found.lower;
    answered[4] = found.upper;
    answered[5] = a.margin() + b.margin();
    // By how much the heights along `way` may be wrong.
    answered[6] = pair.unscaled(pair.tolerance() * gjk::sum_norm(way));
    write<N>(answered + 7, way);
    write<N>(answered + 10, found.a);
    write<N>(answered + 13, found.b);
    write<N>(answered + 16, pair.unscaled(1) * pair.support(way).w);
}

template <int N>
void write_support(int which, const gjk::Vec<float, N>& d) {
    const Any<N> a(shape_at(0)), b(shape_at(1));
    if (which == 0) write<N>(answered, a.support(d));
    if (which == 1) write<N>(answered, b.support(d));
    if (which == 2) write<N>(answered, a.core().support(d) - b.core().support(-d));
}

}  // namespace

extern "C" {
double* input();
double* output();
void solve(int dimension);
void support(int dimension, int which, double x, double y, double z);
}

double* input() { return asked; }
double* output() { return answered; }

/// Answers for the input's shapes, in 2 or 3 dimensions.
void solve(int dimension) { dimension == 2 ? answer<2>() : answer<3>(); }

/// Writes into output() the point of shape 0 or 1, or (2) of the difference of their cores, farthest along (x, y, z).
void support(int dimension, int which, double x, double y, double z) {
    if (dimension == 2) {
        write_support<2>(which, vector<2>(x, y, z));
    } else {
        write_support<3>(which, vector<3>(x, y, z));
    }
}
