/// From half-spaces to corners, by double description: start from three planes' corner and the three rays that leave
/// it, clip by one plane after the other. All in intervals and homogeneous coordinates, where points and rays are one
/// thing and a new corner is a sum of two old ones with positive factors: nothing is divided, nothing is
/// ill-conditioned, what is not known well shows as a wide interval. A generator that may be outside stays; one that
/// goes is outside for sure.

#include "view/double_description.hpp"

#include <algorithm>

namespace lanecull {
namespace {

/// Three unit normals whose determinant is below make no corner to start from.
constexpr double least_determinant = 1e-9;

bool overlap(Interval a, Interval b) { return a.lo <= b.hi && b.lo <= a.hi; }
bool overlap(const Interval3& a, const Interval3& b) {
    return overlap(a.x, b.x) && overlap(a.y, b.y) && overlap(a.z, b.z);
}
Interval join(Interval a, Interval b) { return {std::fmin(a.lo, b.lo), std::fmax(a.hi, b.hi)}; }
Interval3 join(const Interval3& a, const Interval3& b) { return {join(a.x, b.x), join(a.y, b.y), join(a.z, b.z)}; }

/// Points get weight 1, rays a largest component of 1: alike then means the same.
Generator normal_form(Generator g) {
    if (g.is_ray()) {
        g.p = g.p * (1 / largest_component(middle(g.p)));
    } else if (g.weight.lo > 0 && !(g.weight.lo == 1 && g.weight.hi == 1)) {
        g.p = {g.p.x / g.weight, g.p.y / g.weight, g.p.z / g.weight};
        g.weight = 1.0;
    }
    return g;
}

Interval value(const Affine& f, const Generator& g) {
    const Interval along = dot(f.linear, g.p);
    if (g.is_ray()) return along;
    return along + (g.weight.lo == 1 && g.weight.hi == 1 ? f.constant : f.constant * g.weight);
}

/// Where the segment from `in` to `out` passes f = 0.
Generator crossing(const Generator& in, Interval at_in, const Generator& out, Interval at_out) {
    const Interval keep = -at_out, reach = {std::fmax(at_in.lo, 0), std::fmax(at_in.hi, 0)};
    return {in.p * keep + out.p * reach, in.weight * keep + out.weight * reach, in.planes & out.planes};
}

bool share_two_planes(const Generator& a, const Generator& b) {
    const std::uint32_t both = a.planes & b.planes;
    return (both & (both - 1)) != 0;
}

/// The three half-spaces that make the best corner; false when none do.
bool choose_corner(std::span<const Affine> half_spaces, std::uint32_t (&chosen)[3]) {
    double best = least_determinant;
    const auto count = static_cast<std::uint32_t>(half_spaces.size());
    bool found = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t j = i + 1; j < count; ++j) {
            const Double3 line = cross(middle(half_spaces[i].linear), middle(half_spaces[j].linear));
            for (std::uint32_t k = j + 1; k < count; ++k) {
                const double determinant = std::fabs(dot(line, middle(half_spaces[k].linear)));
                if (!(determinant > best)) continue;
                best = determinant;
                chosen[0] = i, chosen[1] = j, chosen[2] = k;
                found = true;
            }
        }
    }
    return found;
}

bool start(std::span<const Affine> half_spaces, const std::uint32_t (&chosen)[3], Generators& generators) {
    const Affine& a = half_spaces[chosen[0]];
    const Affine& b = half_spaces[chosen[1]];
    const Affine& c = half_spaces[chosen[2]];
    const Interval3x3 normals = {{a.linear, b.linear, c.linear}};
    const Interval3x3 along = cofactors(normals);
    const Interval turn = dot(normals.row[0], along.row[0]);
    if (turn.contains_zero()) return false;
    const std::uint32_t bit[3] = {1u << chosen[0], 1u << chosen[1], 1u << chosen[2]};
    const Interval3 corner = Inverse(normals).times({-a.constant, -b.constant, -c.constant});
    if (!corner.finite()) return false;
    bool fits = generators.add({corner, 1.0, bit[0] | bit[1] | bit[2]});
    // Each ray runs along two planes, to the inner side of the third.
    for (int k = 0; k < 3; ++k) {
        const Interval3 ray = turn.lo > 0 ? along.row[k] : -along.row[k];
        fits = generators.add(normal_form({ray, 0.0, bit[(k + 1) % 3] | bit[(k + 2) % 3] | plane_at_infinity})) && fits;
    }
    return fits;
}

/// The greatest |cosine| between the half-space's normal and those of the ones that are done.
double alignment(std::span<const Affine> half_spaces, std::uint32_t k, std::uint32_t done) {
    double greatest = 0;
    for (std::uint32_t j = 0; j < half_spaces.size(); ++j) {
        if ((done >> j & 1) == 0) continue;
        greatest = std::fmax(greatest, std::fabs(dot(middle(half_spaces[j].linear), middle(half_spaces[k].linear))));
    }
    return greatest;
}

/// Which half-space to clip by next: planes nearly parallel to others come late. While the volume is still endless
/// along them they make corners that are too far away to be known. Neither order is best for all volumes.
enum class Order { parallel_last, least_aligned_first };

std::uint32_t next_half_space(std::span<const Affine> half_spaces, std::uint32_t done, Order order) {
    std::uint32_t best = 0;
    double least = 2;
    for (std::uint32_t k = 0; k < half_spaces.size(); ++k) {
        if ((done >> k & 1) != 0) continue;
        const double aligned = alignment(half_spaces, k, done);
        const double rank = order == Order::parallel_last ? (aligned > 1 - 1e-3 ? 1 : 0) : aligned;
        if (rank < least) least = rank, best = k;
    }
    return best;
}

Enclosed enclose_in_order(std::span<const Affine> half_spaces, const std::uint32_t (&chosen)[3], Order order,
                          Generators& generators) {
    generators.clear();
    if (!start(half_spaces, chosen, generators)) return Enclosed::unknown;
    std::uint32_t done = 1u << chosen[0] | 1u << chosen[1] | 1u << chosen[2];
    for (std::size_t rest = half_spaces.size() - 3; rest > 0; --rest) {
        const std::uint32_t k = next_half_space(half_spaces, done, order);
        const Enclosed enclosed = clip(half_spaces[k], k, generators);
        if (enclosed != Enclosed::whole) return enclosed;
        done |= 1u << k;
    }
    return Enclosed::whole;
}

}  // namespace

bool add_generator(const Generator& generator, Generator* generators, std::uint32_t& count, std::uint32_t capacity) {
    for (std::uint32_t i = 0; i < count; ++i) {
        Generator& known = generators[i];
        if (known.is_ray() != generator.is_ray() || !overlap(known.p, generator.p)) continue;
        known.p = join(known.p, generator.p);
        known.planes |= generator.planes;
        return true;
    }
    if (count == capacity) return false;
    generators[count++] = generator;
    return true;
}

Enclosed clip(const Affine& half_space, std::uint32_t index, Generators& generators) {
    Interval at[Generators::capacity];
    bool all_inside = true;
    for (std::size_t i = 0; i < generators.size(); ++i) {
        at[i] = value(half_space, generators.all()[i]);
        if (!(at[i].lo <= at[i].hi)) return Enclosed::unknown;  // NaN
        all_inside = all_inside && at[i].lo > 0;
    }
    const auto is_point = [](const Generator& g) { return !g.is_ray(); };
    if (all_inside && std::any_of(generators.all().begin(), generators.all().end(), is_point)) return Enclosed::whole;
    const Generators before = generators;
    const std::span<const Generator> old = before.all();
    const std::uint32_t bit = 1u << index;
    bool any_point = false, any_left = false;
    generators.clear();
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (at[i].hi < 0) continue;
        Generator kept = old[i];
        if (!(at[i].lo > 0)) kept.planes |= bit;
        any_left = true;
        any_point = any_point || !kept.is_ray();
        if (!generators.add(kept)) return Enclosed::unknown;
    }
    if (!any_left) return Enclosed::empty;
    for (std::size_t i = 0; i < old.size(); ++i) {
        for (std::size_t j = 0; j < old.size() && at[i].hi >= 0; ++j) {
            if (!(at[j].hi < 0) || !share_two_planes(old[i], old[j])) continue;
            Generator corner = crossing(old[i], at[i], old[j], at[j]);
            // From infinity to a point the weight may start at 0: such a corner could be anywhere.
            if (!corner.is_ray() && !(corner.weight.lo > 0)) return Enclosed::unknown;
            corner.planes |= bit;
            corner = normal_form(corner);
            if (!corner.p.finite()) return Enclosed::unknown;
            any_point = any_point || !corner.is_ray();
            if (!generators.add(corner)) return Enclosed::unknown;
        }
    }
    return any_point ? Enclosed::whole : Enclosed::empty;
}

Enclosed clip_all(std::span<const Affine> half_spaces, std::uint32_t first, Generators& generators) {
    if (generators.size() == 0) return Enclosed::whole;
    for (const Affine& f : half_spaces) {
        const Enclosed enclosed = clip(f, first++, generators);
        if (enclosed != Enclosed::whole) return enclosed;
    }
    return Enclosed::whole;
}

double extent(std::span<const Generator> generators) {
    const Generator* first = nullptr;
    Interval3 all{};
    for (const Generator& g : generators) {
        if (g.is_ray()) continue;
        const Double3 m = middle(g.p);
        const Interval3 point = {m.x, m.y, m.z};
        all = first == nullptr ? point : join(all, point);
        first = &g;
    }
    return std::fmax(std::fmax(all.x.hi - all.x.lo, all.y.hi - all.y.lo), all.z.hi - all.z.lo);
}

double blur(std::span<const Generator> generators) {
    const auto half = [](Interval a) { return std::fmax(a.hi - a.mid(), a.mid() - a.lo); };
    double widest = 0;
    for (const Generator& g : generators) {
        if (!g.is_ray()) widest = std::fmax(widest, std::fmax(std::fmax(half(g.p.x), half(g.p.y)), half(g.p.z)));
    }
    return widest;
}

Enclosed enclose(std::span<const Affine> half_spaces, Generators& generators) {
    std::uint32_t chosen[3];
    if (!choose_corner(half_spaces, chosen)) return Enclosed::unknown;
    for (const Order order : {Order::parallel_last, Order::least_aligned_first}) {
        const Enclosed enclosed = enclose_in_order(half_spaces, chosen, order, generators);
        if (enclosed != Enclosed::unknown) return enclosed;
    }
    return Enclosed::unknown;
}

}  // namespace lanecull
