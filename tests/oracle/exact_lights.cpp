#include "oracle/exact_lights.hpp"

#include <cmath>
#include <optional>
#include <vector>

namespace exact {
namespace {

using Integer = boost::multiprecision::mpz_int;

/// No more than the square root.
Rational root_down(const Rational& square) {
    static const Rational share = Rational(1) - Rational(1) / Rational(std::ldexp(1.0, 60));
    return share * root_up(square);
}
Rational square(const Rational& x) { return x * x; }

HalfSpace combined(const Rational& s, const HalfSpace& a, const Rational& t, const HalfSpace& b) {
    return {s * a.normal + t * b.normal, s * a.offset + t * b.offset};
}
Rational at(const HalfSpace& f, const Point& p) { return dot(f.normal, p) + f.offset; }

/// w, x, y and z of world points.
std::array<HalfSpace, 4> clip_coordinates(const lanecull::LightGrid& grid) {
    auto rows =
        solids::clip_coordinates<Rational>(std::span<const double, 16>(grid.clip_from_world, 16), grid.clip_space);
    const auto& o = grid.clip_space.origin;
    for (HalfSpace& row : rows) row.offset -= dot(row.normal, point(o[0], o[1], o[2]));
    return rows;
}

/// The depth, times the length of its gradient.
HalfSpace depth_of(const lanecull::LightGrid& grid, const std::array<HalfSpace, 4>& clip) {
    const HalfSpace &z = clip[2], &w = clip[3];
    if (w.normal != Point{}) return w;
    if (grid.sight == lanecull::SightDirection::shrinking_depth) return combined(1, w, -1, z);
    return grid.clip_space.depth == lanecull::DepthRange::zero_to_one ? z : combined(1, z, 1, w);
}

/// The sides of tile (i, j).
HalfSpaces sides_of(const lanecull::LightGrid& grid, const std::array<HalfSpace, 4>& clip, std::size_t number) {
    const std::size_t tile[2] = {number % grid.tiles_x, number / grid.tiles_x % grid.tiles_y};
    const std::uint32_t tiles[2] = {grid.tiles_x, grid.tiles_y};
    HalfSpaces sides;
    for (std::size_t k = 0; k < 2; ++k) {
        const Rational n = tiles[k], low = 2 * Rational(tile[k]) - n, high = low + 2;
        sides.push_back(combined(n, clip[k], -low, clip[3]));
        sides.push_back(combined(high, clip[3], -n, clip[k]));
    }
    return sides;
}

/// The root, if it is rational.
std::optional<Rational> rational_root(const Rational& of) {
    const Integer over = denominator(of), whole = numerator(of), a = sqrt(whole), b = sqrt(over);
    if (a * a != whole || b * b != over) return std::nullopt;
    return Rational(a) / Rational(b);
}

/// The sides, and depths between two boundaries, moved outward or inward if the length of depth's gradient is not
/// rational.
Volume cut(HalfSpaces sides, const HalfSpace& depth, const Rational& length_square,
           const std::array<double, 2>& boundaries, bool is_outward) {
    const std::optional<Rational> length = rational_root(length_square);
    const Rational shorter = length ? *length : root_down(length_square);
    const Rational longer = length ? *length : root_up(length_square);
    const auto moved = [&](double boundary, bool up) {
        return rational(boundary) * ((boundary > 0) == up ? longer : shorter);
    };
    sides.push_back({depth.normal, depth.offset - moved(boundaries[0], !is_outward)});
    if (std::isfinite(boundaries[1]))
        sides.push_back({Rational(-1) * depth.normal, moved(boundaries[1], is_outward) - depth.offset});
    return Volume(sides);
}

}  // namespace

LightCell::LightCell(const lanecull::LightGrid& grid, std::size_t number)
    : LightCell(grid, clip_coordinates(grid), number) {}

LightCell::LightCell(const lanecull::LightGrid& grid, const std::array<HalfSpace, 4>& clip, std::size_t number)
    : sides_(sides_of(grid, clip, number)),
      depth_(depth_of(grid, clip)),
      square_(dot(depth_.normal, depth_.normal)),
      boundaries_{grid.boundaries[number / grid.tiles_x / grid.tiles_y],
                  grid.boundaries[number / grid.tiles_x / grid.tiles_y + 1]},
      around_(cut(sides_, depth_, square_, boundaries_, true)),
      within_(cut(sides_, depth_, square_, boundaries_, false)) {}

bool LightCell::contains(const Point& p) const {
    for (const HalfSpace& side : sides_) {
        if (at(side, p) < 0) return false;
    }
    // Signs first, then squares.
    const Rational depth = at(depth_, p);
    const auto is_beyond = [&](const Rational& a, const Rational& of) {  // a >= of |gradient|
        if ((a >= 0) != (of >= 0)) return a >= 0;
        return a >= 0 ? square(a) >= square(of) * square_ : square(a) <= square(of) * square_;
    };
    return is_beyond(depth, rational(boundaries_[0])) &&
           (!std::isfinite(boundaries_[1]) || is_beyond(-depth, rational(-boundaries_[1])));
}

bool Spot::contains(const Point& p) const {
    const Point q = p - apex;
    const Rational forward = dot(q, axis), of_axis = dot(axis, axis), size = dot(q, q);
    if (forward < 0 || size * of_axis > (1 + square(tangent)) * square(forward)) return false;
    return is_flat ? square(forward) <= square(range) * of_axis : size <= square(range);
}

Rational Spot::highest(const Point& w) const {
    const Rational forward = dot(w, axis), of_axis = dot(axis, axis), of_w = dot(w, w);
    const Rational across = of_w * of_axis - square(forward);  // squared, times |axis|^2, as `forward` is times |axis|
    if (!is_flat && forward > 0 && across <= square(tangent) * square(forward))
        return dot(w, apex) + range * root_up(of_w);
    const Rational most = forward + tangent * root_up(across);
    if (most <= 0) return dot(w, apex);
    const Rational end = is_flat ? of_axis : Rational(of_axis * (1 + square(tangent)));
    return dot(w, apex) + range * most / root_down(end);
}

Point Spot::farthest(const Point& w) const {
    const Rational forward = dot(w, axis), of_axis = dot(axis, axis), of_w = dot(w, w);
    const Point aside = of_axis * w - forward * axis;
    const Rational across = of_w * of_axis - square(forward);
    if (!is_flat && forward > 0 && across <= square(tangent) * square(forward))
        return apex + shortened(range / root_up(of_w)) * w;
    if (forward + tangent * root_up(across) <= 0) return apex;
    const Rational end = is_flat ? of_axis : Rational(of_axis * (1 + square(tangent)));
    const Rational share = shortened(range / root_up(end));
    const Point rim = apex + share * axis;
    if (across == 0) return rim;
    return rim + shortened(tangent * share * root_down(of_axis) / root_up(dot(aside, aside))) * aside;
}

Spot spot(const lanecull::Spots& spots, std::size_t number) {
    const std::size_t i = number;
    return {point(spots.x[i], spots.y[i], spots.z[i]), point(spots.axis_x[i], spots.axis_y[i], spots.axis_z[i]),
            rational(spots.range[i]), rational(spots.tangent[i]), spots.end == lanecull::SpotEnd::flat};
}

Verdict decide_ball(const Solid& ball, const LightCell& cell) {
    const Answer outer = decide(ball, cell.around());
    if (outer.verdict != Verdict::visible || cell.contains(outer.to)) return outer.verdict;
    return decide(ball, cell.within()).verdict == Verdict::visible ? Verdict::visible : Verdict::unclear;
}

namespace {

/// Of points of the spotlight there are more and more, until some share a point with the volume, or the direction that
/// parts them from it parts the spotlight as well.
Answer search(const Spot& spot, const Volume& volume) {
    Solid points{{spot.apex, spot.farthest(spot.axis)}};
    constexpr int most_points = 100;
    for (int step = 0; step < most_points; ++step) {
        const Answer answer = decide(points, volume);
        if (answer.verdict != Verdict::apart || volume.empty()) return answer;
        // Rounded, it may lead into a volume that has no end.
        const Point way = in_doubles(answer.direction);
        for (const Point& direction : {way, answer.direction}) {
            const std::optional<Rational> lowest = volume.lowest(direction);
            if (lowest && spot.highest(direction) < *lowest) return {Verdict::apart, {}, {}, direction};
        }
        const Point farther = spot.farthest(way);
        if (dot(way, farther) <= solids::highest(points, way)) break;
        points.points.push_back(farther);
    }
    return {};
}

}  // namespace

Verdict decide_spot(const Spot& spot, const LightCell& cell) {
    const Answer outer = search(spot, cell.around());
    if (outer.verdict != Verdict::visible) return outer.verdict;
    if (spot.contains(outer.from) && cell.contains(outer.from)) return Verdict::visible;
    const Answer inner = search(spot, cell.within());
    return inner.verdict == Verdict::visible && spot.contains(inner.from) && cell.contains(inner.from)
               ? Verdict::visible
               : Verdict::unclear;
}

}  // namespace exact
