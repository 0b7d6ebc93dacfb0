#include <algorithm>
#include <cmath>

#include "bounds/world_cases.hpp"
#include "oracle/exact.hpp"

namespace world_tests {
namespace {

using exact::Rational;

constexpr double u = 0x1p-24;

double wide(float x) { return static_cast<double>(x); }

/// A coordinate of a transformed box's corner in doubles: within `error` of the truth. `size`: the sizes of all terms.
/// Bit j of `corner`: the upper end of axis j.
struct Coordinate {
    double value, error, size;
};

/// Products of two floats are exact in doubles, and are at least 2^-298; a
/// position less an origin is rounded once.
Coordinate coordinate(const World& world, const WorldCase& of, std::size_t row, unsigned corner) {
    double sum = wide(of.translation[row]), size = std::fabs(sum);
    for (std::size_t j = 0; j < 3; ++j) {
        const double a = wide(of.linear[3 * row + j]);
        sum += a * wide((corner >> j & 1) != 0 ? of.upper[j] : of.lower[j]);
        size += std::fabs(a) * std::max(std::fabs(wide(of.lower[j])), std::fabs(wide(of.upper[j])));
    }
    if (world.has_positions) {
        const double relative = of.position[row] - world.origin[row];
        sum += relative;
        size += std::fabs(relative);
    }
    return {sum, 0x1p-50 * size, size};
}

Rational exact_coordinate(const World& world, const WorldCase& of, std::size_t row, unsigned corner) {
    using exact::rational;
    Rational sum = rational(wide(of.translation[row]));
    for (std::size_t j = 0; j < 3; ++j) {
        sum +=
            rational(wide(of.linear[3 * row + j])) * rational(wide((corner >> j & 1) != 0 ? of.upper[j] : of.lower[j]));
    }
    if (world.has_positions) sum += rational(of.position[row]) - rational(world.origin[row]);
    return sum;
}

/// The corner at which the coordinate is least; its complement has the greatest.
unsigned lowest_corner(const WorldCase& of, std::size_t row) {
    unsigned corner = 0;
    for (unsigned j = 0; j < 3; ++j) corner |= static_cast<unsigned>(of.linear[3 * row + j] < 0) << j;
    return corner;
}

bool exactly_in_ball(const World& world, const WorldCase& of, unsigned corner, const std::array<float, 4>& ball) {
    Rational square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const Rational d = exact_coordinate(world, of, k, corner) - exact::rational(wide(ball[k]));
        square += d * d;
    }
    const Rational radius = exact::rational(wide(ball[3]));
    return square <= radius * radius;
}

template <class Number>
using Three = std::array<Number, 3>;

template <class Number>
Number dot(const Three<Number>& a, const Three<Number>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
Three<Number> cross(const Three<Number>& a, const Three<Number>& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Axes of a box, times `scale`; and vectors by which a point's multiples of the axes are found: p = sum of s_k axis_k
/// has s_k = inverse_k . p / scale.
template <class Number>
struct Frame {
    Three<Three<Number>> axis, inverse;
    Number scale;

    template <class From>
    static Frame of(const OrientedBounds& bounds, std::size_t i, const From& from) {
        const float* const t = bounds.turned.data() + i * bounds.width();
        Frame f;
        if (bounds.by_axes) {
            for (std::size_t k = 0; k < 3; ++k) f.axis[k] = {from(t[3 * k]), from(t[3 * k + 1]), from(t[3 * k + 2])};
            for (std::size_t k = 0; k < 3; ++k) f.inverse[k] = cross<Number>(f.axis[(k + 1) % 3], f.axis[(k + 2) % 3]);
            f.scale = dot<Number>(f.axis[0], f.inverse[0]);
            return f;
        }
        const Number x = from(t[0]), y = from(t[1]), z = from(t[2]), w = from(t[3]), two = from(2.0f);
        f.scale = x * x + y * y + z * z + w * w;
        f.axis = {{{w * w + x * x - y * y - z * z, two * (x * y + w * z), two * (x * z - w * y)},
                   {two * (x * y - w * z), w * w + y * y - x * x - z * z, two * (y * z + w * x)},
                   {two * (x * z + w * y), two * (y * z - w * x), w * w + z * z - x * x - y * y}}};
        f.inverse = f.axis;  // at right angles, and as long as `scale`
        return f;
    }
};

/// Whether corner p lies in the box, in rationals.
bool exactly_holds(const World& world, const OrientedBounds& bounds, std::size_t i, unsigned corner) {
    const auto from = [](float x) { return exact::rational(wide(x)); };
    const auto frame = Frame<Rational>::of(bounds, i, from);
    Three<Rational> p;
    for (std::size_t r = 0; r < 3; ++r) {
        p[r] = exact_coordinate(world, world.cases[i], r, corner) - from(bounds.center[r][i]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const Rational at = dot<Rational>(frame.inverse[k], p), most = from(bounds.half[3 * i + k]) * frame.scale;
        if (at > most || -at > most) return false;
    }
    return frame.scale > 0;
}

}  // namespace

Judgement judge_box(const World& world, const WorldBounds& bounds, std::size_t i) {
    const WorldCase& of = world.cases[i];
    Judgement result{true, true, 0, false};
    double excess = 0, own = 0, terms = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const float lower = bounds.boxes[k][i], upper = bounds.boxes[3 + k][i];
        if (!std::isfinite(lower) || !std::isfinite(upper)) return {false, true, 0, false};
        const unsigned corner = lowest_corner(of, k);
        const Coordinate low = coordinate(world, of, k, corner), high = coordinate(world, of, k, 7 - corner);
        const double below = low.value - wide(lower), above = wide(upper) - high.value;
        if (!(below > low.error && above > high.error)) {
            result.needed_rationals = true;
            result.contains = result.contains &&
                              exact::rational(wide(lower)) <= exact_coordinate(world, of, k, corner) &&
                              exact::rational(wide(upper)) >= exact_coordinate(world, of, k, 7 - corner);
        }
        // What underflows is left aside.
        excess = std::max(excess, std::max(below, above) - 0x1p-124);
        result.padding = std::max(result.padding, (std::max(below, above) - 0x1p-124) / (u * low.size + 0x1p-160));
        own += std::max(std::fabs(low.value), std::fabs(high.value));
        terms += low.size;
    }
    if (terms < 1e36) result.own_padding = excess / (u * own + 0x1p-46 * terms + 0x1p-160);
    return result;
}

Judgement judge_sphere(const World& world, const WorldBounds& bounds, std::size_t i) {
    const WorldCase& of = world.cases[i];
    const std::array<float, 4> ball = {bounds.spheres[0][i], bounds.spheres[1][i], bounds.spheres[2][i],
                                       bounds.spheres[3][i]};
    for (const float number : ball) {
        if (!std::isfinite(number)) return {false, true, 0, false};
    }
    Judgement result{true, true, 0, false};
    double farthest = 0, sizes = 0;
    for (unsigned corner = 0; corner < 8; ++corner) {
        double offset[3], error = 0;
        sizes = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Coordinate c = coordinate(world, of, k, corner);
            offset[k] = c.value - wide(ball[k]);
            error += c.error + 0x1p-52 * std::fabs(offset[k]);
            sizes += c.size;
        }
        const double distance = std::hypot(offset[0], offset[1], offset[2]);
        farthest = std::max(farthest, distance);
        if (distance + error + 0x1p-50 * distance < wide(ball[3])) continue;
        result.needed_rationals = true;
        result.contains = result.contains && exactly_in_ball(world, of, corner, ball);
    }
    if (wide(ball[3]) < 0x1p-98) return result;
    const double rounding = 40 * u * sizes + 0x1p-140;
    result.padding = std::max(0.0, wide(ball[3]) - rounding) / std::max(farthest, rounding) - 1;
    return result;
}

Height height(const World& world, const lanecull::Plane& plane, std::size_t i) {
    Height most{-HUGE_VAL, 0};
    for (unsigned corner = 0; corner < 8; ++corner) {
        double sum = plane.offset, error = 0x1p-50 * std::fabs(plane.offset) + 0x1p-900;
        for (std::size_t k = 0; k < 3; ++k) {
            const Coordinate c = coordinate(world, world.cases[i], k, corner);
            const double n = plane.normal[k];
            sum += n * c.value;
            error += std::fabs(n) * (c.error + 0x1p-50 * c.size);
        }
        most = {std::max(most.value, sum), std::max(most.error, error)};
    }
    return most;
}

bool exactly_behind(const World& world, const lanecull::Plane& plane, std::size_t i) {
    for (unsigned corner = 0; corner < 8; ++corner) {
        Rational sum = exact::rational(plane.offset);
        for (std::size_t k = 0; k < 3; ++k) {
            sum += exact::rational(plane.normal[k]) * exact_coordinate(world, world.cases[i], k, corner);
        }
        if (sum >= 0) return false;
    }
    return true;
}

OrientedJudgement judge_oriented(const World& world, const OrientedBounds& bounds, std::size_t i) {
    const WorldCase& of = world.cases[i];
    OrientedJudgement result{true, true, true, true, 0, 0, false};
    if (!bounds.is_finite(i)) return {false, true, true, true, 0, 0, false};
    const auto frame = Frame<double>::of(bounds, i, wide);
    const double scale = frame.scale;
    result.is_turned = std::fabs(scale - 1) < 100 * u;
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l) {
            const double inner = dot<double>(frame.axis[k], frame.axis[l]) - (k == l ? 1.0 : 0.0);
            result.is_turned = result.is_turned && std::fabs(inner) < 200 * u;
        }
    }

    double sizes = 0, center_size = 0;
    for (std::size_t r = 0; r < 3; ++r) {
        sizes += coordinate(world, of, r, 0).size;
        center_size += std::fabs(wide(bounds.center[r][i]));
    }
    // Coordinates are off by 2^-50 of their terms. The frame's numbers, about 1 or less, are off by as much.
    const double error = 0x1p-47 * (sizes + center_size);
    for (unsigned corner = 0; corner < 8; ++corner) {
        Three<double> p;
        for (std::size_t r = 0; r < 3; ++r) p[r] = coordinate(world, of, r, corner).value - wide(bounds.center[r][i]);
        bool holds = result.is_turned;
        for (std::size_t k = 0; k < 3; ++k) {
            const double at = std::fabs(dot<double>(frame.inverse[k], p));
            holds = holds && at + error < wide(bounds.half[3 * i + k]) * scale * (1 - 0x1p-47);
        }
        if (holds) continue;
        result.needed_rationals = true;
        result.contains = result.contains && exactly_holds(world, bounds, i, corner);
    }

    double square = 0;
    for (unsigned corner = 0; corner < 4; ++corner) {
        Three<double> p{};
        for (std::size_t k = 0; k < 3; ++k) {
            const double s = wide(bounds.half[3 * i + k]) / (bounds.by_axes ? 1 : scale) * (corner >> k & 1 ? -1 : 1);
            for (std::size_t r = 0; r < 3; ++r) p[r] += s * frame.axis[k][r];
        }
        square = std::max(square, dot<double>(p, p));
    }
    const double farthest = std::sqrt(square), radius = wide(bounds.radius[i]);
    const bool is_tight = radius < 0x1p-98 || radius < farthest * (1 + 0x1p-17);
    result.in_ball = radius > farthest * (1 + 0x1p-40) && is_tight;

    const double unit = u * sizes + 0x1p-160, underflow = 0x1p-124;
    for (std::size_t k = 0; k < 3; ++k) {
        double width = 0, edge = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            const double h = (wide(of.upper[j]) - wide(of.lower[j])) / 2;
            const Three<double> column = {wide(of.linear[j]), wide(of.linear[3 + j]), wide(of.linear[6 + j])};
            width += std::fabs(dot<double>(frame.axis[k], column)) * h;
            if (j == k) edge = std::sqrt(dot<double>(column, column)) * h;
        }
        const double half = wide(bounds.half[3 * i + k]) - underflow;
        result.padding = std::max(result.padding, (half - width) / unit);
        result.beyond_edge = std::max(result.beyond_edge, (half - edge) / unit);
    }
    return result;
}

}  // namespace world_tests
