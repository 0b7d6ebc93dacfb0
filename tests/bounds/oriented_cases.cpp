#include "bounds/oriented_cases.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bounds/world_coordinates.hpp"
#include "oracle/exact.hpp"

namespace world_tests {
namespace {

using exact::Rational;

constexpr double u = 0x1p-24;

double wide(float x) { return static_cast<double>(x); }

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

bool OrientedBounds::is_finite(std::size_t i) const {
    bool finite = std::isfinite(radius[i]);
    for (std::size_t k = 0; k < 3; ++k)
        finite = finite && std::isfinite(center[k][i]) && std::isfinite(half[3 * i + k]);
    return finite;
}

OrientedBounds oriented_bounds_of(const World& world, bool by_axes, lanecull::Isa isa, const lanecull::Runner& runner) {
    OrientedBounds made;
    made.by_axes = by_axes;
    const std::size_t count = world.cases.size();
    for (auto& stream : made.center) stream.resize(count);
    made.turned.resize(made.width() * count);
    made.half.resize(3 * count);
    made.radius.resize(count);
    lanecull::OrientedBoxStreams out{.x = made.center[0].data(),
                                     .y = made.center[1].data(),
                                     .z = made.center[2].data(),
                                     .half_extents = {made.half.data()},
                                     .bounding_radius = made.radius.data()};
    (by_axes ? out.axes : out.quaternions) = {made.turned.data()};
    const lanecull::Status status = lanecull::world_oriented_boxes(world.local(), world.transforms(), world.count(),
                                                                   out, {.isa = isa, .runner = runner});
    if (!status) throw std::runtime_error(status.message());
    return made;
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
