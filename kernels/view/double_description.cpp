/// From half-spaces to corners, by double description: start from three planes' corner and the three rays that leave
/// it, clip by one plane after the other. All with errors and in homogeneous coordinates, where points and rays are one
/// thing and a new corner is a sum of two old ones with positive factors: nothing is ill-conditioned, what is not known
/// well shows as a large error. A generator that may be outside stays; one that goes is outside for sure.

#include "view/double_description.hpp"

#include <algorithm>
#include <bit>

#include "base/fixed_list.hpp"

namespace lanecull {
namespace {

/// Three unit normals whose determinant is below make no corner to start from.
constexpr double least_determinant = 1e-9;

bool overlap(const Interval3& a, const Interval3& b) {
    const double reach = a.off + b.off;
    return !(std::fabs(a.x - b.x) > reach) && !(std::fabs(a.y - b.y) > reach) && !(std::fabs(a.z - b.z) > reach);
}
/// What holds both: from a's place it is as far to all of b as to b's place, and b's error more.
Interval3 join(const Interval3& a, const Interval3& b) {
    const Interval3 way(b.x - a.x, b.y - a.y, b.z - a.z);
    Interval3 both = a;
    both.off = larger(a.off, (way.largest() + b.off) * Near::raise);
    if (both.off > 0) both.off = both.off * Near::raise + both.largest() * (2 * Near::U);
    return both;
}

/// Rays get a largest component of 1: alike then means the same.
Interval3 ray_of(const Interval3& p) { return p * (1 / p.largest()); }

/// A half-space n . p + c >= 0 whose value at generators is needed. Let m be the largest component of p. By the
/// errors e of p and d of n the products are off by |n|_1 e + 3 (m + e) d, and by roundings by |n|_1 m times what
/// SumOfProducts counts.
class HalfSpace {
public:
    explicit HalfSpace(const Affine& f)
        : normal_(middle(f.linear)), one_norm_(f.linear.one_norm()), off_(3 * f.linear.off), constant_(f.constant) {}
    [[nodiscard]] Near at(const Generator& g) const {
        const double along = dot(normal_, middle(g.p)), size = g.p.largest();
        const double off = one_norm_ * (g.p.off + size * SumOfProducts::error) + off_ * (size + g.p.off) + underflow;
        if (g.is_ray()) return {along, off * Near::raise};
        const double sum = along + constant_.at;
        return {sum, (off + constant_.off + std::fabs(sum) * (2 * Near::U)) * Near::raise};
    }
    /// Whether a value at a generator is below 0 by more than its error and 2^-40 of the numbers that made it.
    [[nodiscard]] bool far_outside(const Generator& g, Near at) const {
        const double size = g.p.largest() + (g.is_ray() ? 0 : std::fabs(constant_.at));
        return at.at + at.off < -far * size;
    }

private:
    static constexpr double underflow = 0x1p-1000, far = 0x1p-40;

    Double3 normal_;
    double one_norm_, off_;
    Near constant_;
};

/// What the two ends of an edge make up of the point, or of the ray, where it passes f = 0.
struct Shares {
    double in, out;
    double moved;  ///< by how much of the way from end to end, or of the ray, that may be off
    bool exact;    ///< else the edge passes f = 0 there, or on the way from `in` to there
};

/// Whether numbers of two rays, off by `blur`, that make up `whole`, are known well enough to find a ray anew by.
bool known_as_rays_are(const Generator& in, const Generator& out, double blur, double whole) {
    const double reach = largest_component(middle(out.p) - middle(in.p));
    return blur <= 0.5 * whole && blur * reach <= 0x1p8 * (in.p.off + out.p.off) * whole;
}

/// Where W (see share()) is not known within 2^-38 of itself, or between rays more than 2^8 times worse than these are,
/// the plane is nearly parallel to the edge, or coincides with one that the edge lies in, and the crossing may be
/// anywhere. Then a point beyond it takes its place, like a generator that may be outside: with a' = a + e_a and
/// b' = b - e_b, which is above 0 as `out` is outside for certain, the share of `out` between alike is a' / (a' + b'),
/// that of a ray behind a point a' / b', and before one b' / a' or, where that is more, 2^40 b. Between alike f is
/// there no less than -(e_a + e_b); s along a ray, -3 (e_a + e_b) (1 + s) - 2^-40 s.
Shares share_beyond(const Generator& in, Near a, const Generator& out, Near b) {
    constexpr double shorter = 1 - 0x1p-48;
    const double most = (a.at + a.off) * Near::raise, least = (b.at - b.off) * shorter;
    if (in.is_ray() == out.is_ray()) {
        const double beyond = std::min(1.0, most / (most + least) + 4 * Near::U);
        return {1 - beyond, beyond, 0, false};
    }
    if (in.is_ray()) return {std::min(least / most * shorter, 0x1p40 * b.at), 1, 0, false};
    return {1, most / least * Near::raise, 0, false};
}

/// With f = a >= 0 at `in` and -b < 0 at `out`, the edge between them passes f = 0 at
///
///     (b in + a out) / W,    W = b w_in + a w_out, the weights w being 1 for points and 0 for rays;
///
/// between two rays W = a + b does as well, for a ray has no length. Let the values be off by e_a and e_b. Then a / W
/// is off by at most e = (e_a b + e_b a) / (W least W). Between two points or two rays b / W is off by as much the
/// other way; where one is a ray its share is off by e, and the point's is 1.
Shares share(const Generator& in, Near at_in, const Generator& out, Near at_out) {
    const double a = larger(at_in.at, 0), b = -at_out.at;  // a's error is no larger for that
    const bool rays = in.is_ray() && out.is_ray();
    const double of_in = rays ? 1 : in.weight, of_out = rays ? 1 : out.weight;
    const double whole = b * of_in + a * of_out, blur = at_out.off * of_in + at_in.off * of_out;
    const bool known = blur <= 0x1p-38 * whole || (rays && known_as_rays_are(in, out, blur, whole));
    if (!known) return share_beyond(in, {a, at_in.off}, out, {b, at_out.off});
    const double least = (whole - blur) * (1 - 0x1p-48);
    return {b / whole, a / whole, (at_in.off * b + at_out.off * a) / (whole * least), true};
}

/// Where the segment from `in` to `out` passes f = 0, or the ray from one along the other. With r, how far `in` and
/// `out` may be off, the place is off by
///
///     (b r_in + a r_out) / W + e l,    l being |out - in| + r_in + r_out, or of the ray its |p| + r alone,
///
/// and the roundings of shares, products and their sum: 4 U of what is added. So a corner between two that are close
/// together is close to both, however little is known of where the plane passes. False if it is beyond all numbers.
bool find_crossing(const Generator& in, const Generator& out, const Shares& shares, Generator& corner) {
    const bool alike = in.is_ray() == out.is_ray(), rays = alike && in.is_ray();
    const Interval3 &p = in.p, &q = out.p;
    const Interval3 way(q.x - p.x, q.y - p.y, q.z - p.z);
    const Interval3& ray = in.is_ray() ? p : q;
    const double reach = alike ? way.largest() * Near::raise + p.off + q.off : ray.magnitude();
    const double p_size = p.largest() * shares.in, q_size = q.largest() * shares.out;
    corner.p = {p.x * shares.in + q.x * shares.out, p.y * shares.in + q.y * shares.out,
                p.z * shares.in + q.z * shares.out};
    const double off =
        p.off * shares.in + q.off * shares.out + shares.moved * reach + (p_size + q_size) * (6 * Near::U);
    corner.p.off = off * Near::raise + 0x1p-1000;
    corner.weight = rays ? 0 : 1;
    corner.planes = in.planes & out.planes;
    corner.sure = in.sure & out.sure;
    if (rays) corner.p = ray_of(corner.p);
    return corner.p.finite();
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
    const Inverse inverse(normals);
    if (!inverse.exists()) return false;
    const std::uint32_t bit[3] = {1u << chosen[0], 1u << chosen[1], 1u << chosen[2]};
    const Interval3 corner = inverse.times(-a.constant, -b.constant, -c.constant);
    if (!corner.finite()) return false;
    bool fits = generators.add({corner, 1.0, bit[0] | bit[1] | bit[2], bit[0] | bit[1] | bit[2]});
    // Each ray runs along two planes, to the inner side of the third: a column of the inverse.
    for (int k = 0; k < 3; ++k) {
        const std::uint32_t along = bit[(k + 1) % 3] | bit[(k + 2) % 3];
        const Interval3 ray = ray_of(inverse.column(static_cast<std::size_t>(k)));
        fits = generators.add({ray, 0.0, along | plane_at_infinity, along}) && fits;
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
enum class HalfSpaceOrder { parallel_last, least_aligned_first };

std::uint32_t next_half_space(std::span<const Affine> half_spaces, std::uint32_t done, HalfSpaceOrder order) {
    std::uint32_t best = 0;
    double least = 2;
    for (std::uint32_t k = 0; k < half_spaces.size(); ++k) {
        if ((done >> k & 1) != 0) continue;
        const double aligned = alignment(half_spaces, k, done);
        const double rank = order == HalfSpaceOrder::parallel_last ? (aligned > 1 - 1e-3 ? 1 : 0) : aligned;
        if (rank < least) least = rank, best = k;
    }
    return best;
}

/// The one of `count` that is not done.
std::uint32_t last_half_space(std::uint32_t done, std::size_t count) {
    return static_cast<std::uint32_t>(std::countr_zero(~done & ((1u << count) - 1)));
}

/// The three of these planes whose normals make the largest determinant; false if there are none.
bool choose_three(std::span<const Affine> half_spaces, std::uint32_t of, std::uint32_t (&chosen)[3]) {
    double best = 0;
    for (std::uint32_t a = of; a != 0; a &= a - 1) {
        for (std::uint32_t b = a & (a - 1); b != 0; b &= b - 1) {
            for (std::uint32_t c = b & (b - 1); c != 0; c &= c - 1) {
                const auto i = static_cast<std::uint32_t>(std::countr_zero(a)),
                           j = static_cast<std::uint32_t>(std::countr_zero(b)),
                           k = static_cast<std::uint32_t>(std::countr_zero(c));
                const double determinant =
                    std::fabs(dot(middle(half_spaces[i].linear),
                                  cross(middle(half_spaces[j].linear), middle(half_spaces[k].linear))));
                if (!(determinant > best)) continue;
                best = determinant;
                chosen[0] = i, chosen[1] = j, chosen[2] = k;
            }
        }
    }
    return best > 0;
}

/// The two of these planes whose normals make the largest angle; false if there are none.
bool choose_two(std::span<const Affine> half_spaces, std::uint32_t of, std::uint32_t (&chosen)[2]) {
    double best = 0;
    for (std::uint32_t a = of; a != 0; a &= a - 1) {
        for (std::uint32_t b = a & (a - 1); b != 0; b &= b - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(a)),
                       j = static_cast<std::uint32_t>(std::countr_zero(b));
            const double size = length_squared(cross(middle(half_spaces[i].linear), middle(half_spaces[j].linear)));
            if (!(size > best)) continue;
            best = size;
            chosen[0] = i, chosen[1] = j;
        }
    }
    return best > 0;
}

/// Where planes that the point lies on meet.
bool find_point_anew(std::span<const Affine> half_spaces, const Generator& g, Interval3& met) {
    std::uint32_t chosen[3] = {};
    if (!choose_three(half_spaces, g.sure, chosen)) return false;
    const Affine &a = half_spaces[chosen[0]], &b = half_spaces[chosen[1]], &c = half_spaces[chosen[2]];
    const Inverse inverse(Interval3x3{{a.linear, b.linear, c.linear}});
    if (!inverse.exists()) return false;
    met = inverse.times(-a.constant, -b.constant, -c.constant);
    return true;
}

/// The line in which planes that the ray lies on meet, as long as the ray and the way that it goes. Of lengths of 1 the
/// product of the two is 1 or more, one way or the other; 2^-8 a component leaves no doubt which.
bool find_ray_anew(std::span<const Affine> half_spaces, const Generator& g, Interval3& met) {
    std::uint32_t chosen[2] = {};
    const double size = g.p.largest();
    if (!(g.p.off < 0x1p-8 * size) || !choose_two(half_spaces, g.sure, chosen)) return false;
    const Interval3 line = ray_of(cross(half_spaces[chosen[0]].linear, half_spaces[chosen[1]].linear));
    met = line * (dot(middle(line), middle(g.p)) < 0 ? -size : size);
    return true;
}

/// Points that were found by way of others far away are known badly, for an error counts for all three components; so
/// are rays after many clips, each of which makes the next one's error a few times as large. A point that lies on three
/// planes for certain is where these meet, and a ray on two goes the way that these meet in: it is found anew, and
/// taken if it is known better. `known_well`: relative to its size.
void find_anew(std::span<const Affine> half_spaces, Generators& generators, double known_well) {
    for (Generator& g : std::span(generators.data(), generators.size())) {
        if (!(g.p.off > known_well * g.p.largest())) continue;
        Interval3 met;
        const bool found = g.is_ray() ? find_ray_anew(half_spaces, g, met) : find_point_anew(half_spaces, g, met);
        if (found && met.finite() && met.off < g.p.off) g.p = met;
    }
}

/// The ray that leads from one point to another, but for 2^-30; null without one.
Generator* ray_towards(const Interval3& way, std::span<Generator> all) {
    const auto leads = [&](const Generator& g) {
        return g.is_ray() && largest_component(middle(way) - middle(g.p)) + way.off <= 0x1p-30;
    };
    const auto ray = std::find_if(all.begin(), all.end(), leads);
    return ray == all.end() ? nullptr : &*ray;
}

/// Leaves out points that a ray leads to, but for 2^-30, from the point nearest to 0: the ray holds the way there, too.
/// Where a volume has no end, points beyond crossings are so far away that all others would seem to be one.
void leave_to_rays(Generators& generators) {
    const std::span<Generator> all(generators.data(), generators.size());
    if (std::none_of(all.begin(), all.end(), [](const Generator& g) { return g.is_ray(); })) return;
    const auto distance = [](const Generator& g) { return g.is_ray() ? HUGE_VAL : g.p.largest(); };
    const Generator from = *std::min_element(
        all.begin(), all.end(), [&](const Generator& a, const Generator& b) { return distance(a) < distance(b); });
    const auto is_held = [&](const Generator& g) {
        if (g.is_ray() || from.is_ray()) return false;
        const Interval3 way = ray_of(g.p - from.p);
        Generator* const ray = ray_towards(way, all);
        if (ray == nullptr) return false;
        ray->p = join(ray->p, way);
        ray->planes |= g.planes;
        ray->sure = 0;
        return true;
    };
    std::uint64_t held = 0, bit = 1;
    for (const Generator& g : all) held |= is_held(g) ? bit : 0, bit <<= 1;
    std::uint32_t left = 0;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if ((held >> i & 1) == 0) all[left++] = all[i];
    }
    generators.keep_first(left);
}

Enclosed enclose_in_order(std::span<const Affine> half_spaces, const std::uint32_t (&chosen)[3], HalfSpaceOrder order,
                          Generators& generators) {
    generators.clear();
    if (!start(half_spaces, chosen, generators)) return Enclosed::unknown;
    std::uint32_t done = 1u << chosen[0] | 1u << chosen[1] | 1u << chosen[2];
    const std::size_t count = half_spaces.size();
    for (std::size_t rest = count - 3; rest > 0; --rest) {
        const std::uint32_t k = rest > 1 ? next_half_space(half_spaces, done, order) : last_half_space(done, count);
        const Enclosed enclosed = clip(half_spaces, k, generators);
        if (enclosed != Enclosed::whole) return enclosed;
        done |= 1u << k;
    }
    leave_to_rays(generators);
    find_anew(half_spaces, generators, 0x1p-44);
    return Enclosed::whole;
}

/// In any order: a half-space that leaves what is not known waits for others to clip first. Of a volume that is still
/// endless along its plane it may be unknown whether anything is left far away.
Enclosed enclose_in_rounds(std::span<const Affine> half_spaces, const std::uint32_t (&chosen)[3],
                           Generators& generators) {
    generators.clear();
    if (!start(half_spaces, chosen, generators)) return Enclosed::unknown;
    std::uint32_t waiting = ((1u << half_spaces.size()) - 1) & ~(1u << chosen[0] | 1u << chosen[1] | 1u << chosen[2]);
    for (std::uint32_t round = ~0u; waiting != round;) {
        round = waiting;
        for (std::uint32_t rest = round; rest != 0; rest &= rest - 1) {
            const auto k = static_cast<std::uint32_t>(std::countr_zero(rest));
            const Generators before = generators;
            const Enclosed enclosed = clip(half_spaces, k, generators);
            if (enclosed == Enclosed::empty) return enclosed;
            if (enclosed == Enclosed::unknown) generators = before;
            if (enclosed == Enclosed::whole) waiting &= ~(1u << k);
        }
    }
    if (waiting != 0) return Enclosed::unknown;
    find_anew(half_spaces, generators, 0x1p-44);
    return Enclosed::whole;
}

}  // namespace

bool add_generator(const Generator& generator, Generator* generators, std::uint32_t& count, std::uint32_t capacity) {
    for (std::uint32_t i = 0; i < count; ++i) {
        Generator& known = generators[i];
        if (known.is_ray() != generator.is_ray() || !overlap(known.p, generator.p)) continue;
        known.p = join(known.p, generator.p);
        known.planes |= generator.planes;
        known.sure &= generator.sure;
        return true;
    }
    if (count == capacity) return false;
    generators[count++] = generator;
    return true;
}

namespace {

/// What a half-space is at generators. Sets of these are bits.
class Cut {
public:
    Cut(const Affine& f, std::span<const Generator> generators)
        : count_(static_cast<std::uint32_t>(generators.size())),
          every_(generators.empty() ? 0 : ~std::uint64_t{0} >> (64 - generators.size())) {
        const HalfSpace half_space(f);
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Generator& g = generators[i];
            at_[i] = half_space.at(g);
            finite_ = finite_ && at_[i].finite();
            const std::uint64_t bit = std::uint64_t{1} << i;
            far_ |= half_space.far_outside(g, at_[i]) ? bit : 0;
            points_ |= g.is_ray() ? 0 : bit;
            note(i, g.is_ray());
        }
    }

    [[nodiscard]] bool finite() const { return finite_; }
    [[nodiscard]] Near at(std::uint32_t i) const { return at_[i]; }
    /// Outside for certain, rays by a little more than that.
    [[nodiscard]] std::uint64_t gone() const { return gone_; }
    [[nodiscard]] std::uint64_t kept() const { return every_ & ~gone_; }
    /// Not inside for certain.
    [[nodiscard]] std::uint64_t touching() const { return touching_; }

    /// A half-space that cuts off no more than 2^-40 of anything's coordinates, or than what is not known, is left out.
    /// So of half-spaces whose planes coincide one is used.
    [[nodiscard]] bool cuts(std::span<const Generator> generators) const {
        for (std::uint64_t rest = gone_; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (at_[i].at + 2 * at_[i].off < -no_cut * generators[i].p.largest()) return true;
        }
        return false;
    }
    /// All generators, or all points, are outside with room to spare.
    [[nodiscard]] bool leaves_nothing() const { return far_ == every_; }
    [[nodiscard]] bool leaves_no_point() const { return (points_ & ~far_) == 0; }
    /// What is left has no inside, or may have none: a flat volume, in which every two corners seem to share an edge.
    [[nodiscard]] bool leaves_none_inside() const { return kept() != 0 && (kept() & ~touching_) == 0; }
    /// Moves the half-space out, so that what it leaves is thicker than what is not known.
    void move_out(std::span<const Generator> generators) {
        double least = HUGE_VAL, off = 0;
        for (std::uint64_t rest = kept(); rest != 0; rest &= rest - 1) {
            const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (generators[i].is_ray()) continue;
            least = std::min(least, generators[i].p.largest());
            off = larger(off, at_[i].off);
        }
        if (off == 0) return;  // rays alone
        const double spare = thickness * least + 4 * off;
        gone_ = touching_ = 0;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (!generators[i].is_ray()) at_[i] = moved(at_[i], spare);
            note(i, generators[i].is_ray());
        }
    }

private:
    static constexpr double no_cut = 0x1p-40, thickness = 0x1p-34;
    static constexpr double parallel = 0x1p-45;  ///< a ray that is so little outside passes no plane at a place of note

    static Near moved(Near value, double by) {
        const double sum = value.at + by;
        return {sum, (value.off + std::fabs(sum) * (2 * Near::U)) * Near::raise};
    }
    void note(std::uint32_t i, bool ray) {
        const std::uint64_t bit = std::uint64_t{1} << i;
        gone_ |= at_[i].at + at_[i].off < (ray ? -parallel : 0) ? bit : 0;
        touching_ |= at_[i].at - at_[i].off > 0 ? 0 : bit;
    }

    std::uint32_t count_;
    std::uint64_t every_, gone_ = 0, touching_ = 0, far_ = 0, points_ = 0;
    bool finite_ = true;
    Near at_[Generators::capacity];
};

/// Adds a corner of a plane, which is a bit. Only generators of that plane can be the same; none before the `first` is
/// of it.
bool add_corner(const Generator& corner, std::uint32_t plane, Generator* all, std::uint32_t first,
                std::uint32_t& count) {
    for (std::uint32_t i = first; i < count; ++i) {
        Generator& known = all[i];
        if ((known.planes & plane) == 0 || known.is_ray() != corner.is_ray()) continue;
        if (!overlap(known.p, corner.p)) continue;
        known.p = join(known.p, corner.p);
        known.planes |= corner.planes;
        known.sure &= corner.sure;
        return true;
    }
    if (count == Generators::capacity) return false;
    all[count++] = corner;
    return true;
}

}  // namespace

Enclosed clip(std::span<const Affine> half_spaces, std::uint32_t index, Generators& generators) {
    if (generators.size() == 0) return Enclosed::empty;
    Generator* const all = generators.data();
    Cut cut(half_spaces[index], generators.all());
    if (!cut.finite()) return Enclosed::unknown;
    if (!cut.cuts(generators.all())) return Enclosed::whole;
    const bool flat = cut.leaves_none_inside();
    if (flat) {
        find_anew(half_spaces, generators, 0x1p-44);
        cut = Cut(half_spaces[index], generators.all());
        cut.move_out(generators.all());
    }
    const std::uint64_t kept = cut.kept(), touching = cut.touching();
    if (kept == 0) return cut.leaves_nothing() ? Enclosed::empty : Enclosed::unknown;
    const std::uint32_t plane = 1u << index;
    FixedList<Generator, Generators::capacity> corners;
    for (std::uint64_t outs = cut.gone(); outs != 0; outs &= outs - 1) {
        const auto out = static_cast<std::uint32_t>(std::countr_zero(outs));
        for (std::uint64_t ins = kept; ins != 0; ins &= ins - 1) {
            const auto in = static_cast<std::uint32_t>(std::countr_zero(ins));
            if (!share_two_planes(all[in], all[out])) continue;
            Generator corner;
            const Shares shares = share(all[in], cut.at(in), all[out], cut.at(out));
            if (!find_crossing(all[in], all[out], shares, corner)) return Enclosed::unknown;
            corner.planes |= plane;
            if (shares.exact && !flat) corner.sure |= plane;
            if (!corners.add(corner)) return Enclosed::unknown;
        }
    }
    std::uint32_t left = 0;
    bool any_point = false;
    for (std::uint64_t rest = kept; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
        all[left] = all[i];
        if ((touching >> i & 1) != 0) all[left].planes |= plane;
        any_point = any_point || !all[left].is_ray();
        ++left;
    }
    const std::uint32_t first = (touching & kept) == 0 ? left : 0;
    for (const Generator& corner : corners.all()) {
        any_point = any_point || !corner.is_ray();
        if (!add_corner(corner, plane, all, first, left)) return Enclosed::unknown;
    }
    generators.keep_first(left);
    if (any_point) return Enclosed::whole;
    return cut.leaves_no_point() ? Enclosed::empty : Enclosed::unknown;
}

bool clip_where_known(std::span<const Affine> half_spaces, std::uint32_t first, Generators& generators) {
    for (std::uint32_t k = first; k < half_spaces.size(); ++k) {
        const Generators before = generators;
        const Enclosed enclosed = clip(half_spaces, k, generators);
        if (enclosed == Enclosed::empty) return false;
        if (enclosed == Enclosed::unknown) generators = before;
    }
    return true;
}

Enclosed clip_all(std::span<const Affine> half_spaces, std::uint32_t first, std::uint32_t end, Generators& generators) {
    if (generators.size() == 0 || first == end) return Enclosed::whole;
    for (std::uint32_t k = first; k < end; ++k) {
        const Enclosed enclosed = clip(half_spaces, k, generators);
        if (enclosed != Enclosed::whole) return enclosed;
    }
    leave_to_rays(generators);
    find_anew(half_spaces, generators, 0x1p-36);
    return Enclosed::whole;
}

double extent(std::span<const Generator> generators) {
    bool any = false;
    Double3 low, high;
    for (const Generator& g : generators) {
        if (g.is_ray()) continue;
        const Double3 p = middle(g.p);
        low = any ? Double3{std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)} : p;
        high = any ? Double3{std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)} : p;
        any = true;
    }
    return largest_component(high - low);
}

double blur(std::span<const Generator> generators) {
    double widest = 0;
    for (const Generator& g : generators) widest = std::max(widest, g.is_ray() ? 0 : g.p.off);
    return widest;
}

Enclosed enclose(std::span<const Affine> half_spaces, Generators& generators) {
    std::uint32_t chosen[3];
    if (!choose_corner(half_spaces, chosen)) return Enclosed::unknown;
    for (const HalfSpaceOrder order : {HalfSpaceOrder::parallel_last, HalfSpaceOrder::least_aligned_first}) {
        const Enclosed enclosed = enclose_in_order(half_spaces, chosen, order, generators);
        if (enclosed != Enclosed::unknown) return enclosed;
    }
    return enclose_in_rounds(half_spaces, chosen, generators);
}

}  // namespace lanecull
