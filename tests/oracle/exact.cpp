#include "oracle/exact.hpp"

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace exact {

Rational rational(double number) {
    if (!std::isfinite(number)) throw std::domain_error("exact: a number is not finite");
    return number;
}

Point point(double x, double y, double z) { return {rational(x), rational(y), rational(z)}; }

Vec<double> to_double(const Point& p) {
    const auto nearest = [](const Rational& number) { return mpq_get_d(number.backend().data()); };
    return {nearest(p.x), nearest(p.y), nearest(p.z)};
}

Point in_doubles(const Point& way) {
    const Rational most = std::max({Rational(abs(way.x)), Rational(abs(way.y)), Rational(abs(way.z))});
    const Vec<double> rounded = to_double(Rational(1 / most) * way);
    return point(rounded.x, rounded.y, rounded.z);
}

namespace {

using Integer = boost::multiprecision::mpz_int;

/// 2^exponent.
Rational power(long exponent) {
    const Integer whole = Integer(1) << static_cast<unsigned long>(std::abs(exponent));
    return exponent < 0 ? Rational(1) / Rational(whole) : Rational(whole);
}

}  // namespace

Rational shortened(const Rational& number) {
    if (number == 0) return 0;
    const Integer over = denominator(number), whole = abs(Integer(numerator(number)));
    const long shift = 72 - (static_cast<long>(msb(whole)) - static_cast<long>(msb(over)));
    const Rational enlarged = abs(number) * power(shift);
    const Integer part = Integer(numerator(enlarged)) / Integer(denominator(enlarged));
    const Rational cut = Rational(part) * power(-shift);
    return number < 0 ? Rational(-cut) : cut;
}

/// The integer root of numerator times denominator, shifted so that it has 72 bits or more; over the denominator.
Rational root_up(const Rational& square) {
    if (square <= 0) return 0;
    const Integer over = denominator(square), product = Integer(numerator(square)) * over;
    const auto bits = static_cast<long>(msb(product));
    const long shift = bits < 144 ? (145 - bits) / 2 + 1 : 0;
    const Integer root = sqrt(Integer(product << (2 * static_cast<unsigned long>(shift)))) + 1;
    // Few bits, so that sums and products stay short.
    const auto length = static_cast<long>(msb(root));
    const unsigned long dropped = length > 72 ? static_cast<unsigned long>(length - 72) : 0;
    const Integer few = ((root >> dropped) + (dropped > 0 ? 1 : 0)) << dropped;
    return Rational(few) / Rational(Integer(over << static_cast<unsigned long>(shift)));
}

namespace {

/// More steps than any search takes.
constexpr int step_limit = 1000;

bool finite(const Vec<double>& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

/// One question: the search in doubles, the search in rationals, and the proofs.
class Decision {
public:
    Decision(const Solid& solid, const Volume& volume, const Rational& grow);

    [[nodiscard]] Answer answer() const;
    [[nodiscard]] bool proves_apart(const Point& direction) const;

private:
    /// The nearest point in doubles, and the corral it stands for: hints.
    [[nodiscard]] Nearest<double> guess() const;
    /// The guess's point of the solid, if it lies in the volume: what is deep inside needs no nearest points.
    [[nodiscard]] std::optional<Answer> prove_inside(const Nearest<double>& guess) const;
    [[nodiscard]] std::optional<Answer> prove_visible(const Nearest<Rational>& nearest) const;

    const Solid& solid_;
    const Volume& volume_;
    std::vector<Vec<double>> rounded_solid_;
    Generators<Rational> generators_;
    Rational square_;  ///< of the radii's sum
};

Decision::Decision(const Solid& solid, const Volume& volume, const Rational& grow)
    : solid_(solid), volume_(volume), generators_{solid.points, volume.points_, volume.rays_} {
    if (solid.points.empty()) throw std::invalid_argument("exact: a solid without points");
    if (solid.radius < 0 || grow < 0) throw std::domain_error("exact: a radius is negative");
    const Rational reach = solid.radius + volume.margin_ + grow;
    square_ = reach * reach;
    for (const Point& s : solid.points) rounded_solid_.push_back(to_double(s - volume.reference_));
}

Nearest<double> Decision::guess() const {
    Nearest<double> nearest({rounded_solid_, volume_.rounded_points_, volume_.rounded_rays_}, {});
    for (int step = 0; step < step_limit; ++step) {
        const std::optional<Generator> generator = nearest.better();
        if (!generator || !nearest.take(*generator)) break;
    }
    return nearest;
}

std::optional<Answer> Decision::prove_inside(const Nearest<double>& guess) const {
    Point inside;
    Rational sum = 0;
    for (std::size_t k = 0; k < guess.corral().size(); ++k) {
        if (guess.corral()[k].is_ray || !(guess.factors()[k] >= 0)) continue;
        const Rational factor = rational(guess.factors()[k]);
        sum += factor;
        inside = inside + factor * generators_.solid[guess.corral()[k].solid];
    }
    if (sum == 0) return std::nullopt;
    inside = Rational(1 / sum) * inside;
    if (!volume_.contains(inside)) return std::nullopt;
    return Answer{Verdict::visible, inside, inside, {}};
}

bool Decision::proves_apart(const Point& direction) const {
    const Rational top = highest(solid_, direction);
    const std::optional<Rational> lowest = volume_.lowest(direction);
    if (!lowest || *lowest <= top) return false;
    const Rational gap = *lowest - top;
    return gap * gap > square_ * dot(direction, direction);
}

std::optional<Answer> Decision::prove_visible(const Nearest<Rational>& nearest) const {
    Answer answer{Verdict::visible, {}, {}, {}};
    Rational sum = 0;
    for (std::size_t k = 0; k < nearest.corral().size(); ++k) {
        const Generator& generator = nearest.corral()[k];
        const Rational& factor = nearest.factors()[k];
        if (factor < 0) return std::nullopt;
        if (generator.is_ray) {
            answer.to = answer.to + factor * generators_.rays[generator.volume];
            continue;
        }
        sum += factor;
        answer.from = answer.from + factor * generators_.solid[generator.solid];
        answer.to = answer.to + factor * generators_.volume[generator.volume];
    }
    const Point way = answer.to - answer.from;
    if (sum != 1 || dot(way, way) > square_) return std::nullopt;
    return answer;
}

Answer Decision::answer() const {
    if (volume_.empty()) return {Verdict::apart, {}, {}, {}};
    const Nearest<double> hint = guess();
    if (finite(hint.point())) {
        const Point direction = point(-hint.point().x, -hint.point().y, -hint.point().z);
        if (proves_apart(direction)) return {Verdict::apart, {}, {}, direction};
        if (const std::optional<Answer> visible = prove_inside(hint)) return *visible;
    }
    Nearest<Rational> nearest(generators_, {});
    for (int step = 0; step < step_limit; ++step) {
        if (dot(nearest.point(), nearest.point()) <= square_) {
            if (const std::optional<Answer> visible = prove_visible(nearest)) return *visible;
            break;
        }
        bool nearer = false;
        for (const Generator& generator : hint.corral()) nearer = nearest.take(generator) || nearer;
        if (nearer) continue;
        const std::optional<Generator> generator = nearest.better();
        if (generator && nearest.take(*generator)) continue;
        const Point direction = Rational(-1) * nearest.point();
        if (proves_apart(direction)) return {Verdict::apart, {}, {}, direction};
        break;
    }
    return {};
}

Answer decide(const Solid& solid, const Volume& volume, const Rational& grow) {
    if (solid.ovals.empty() || volume.empty()) return Decision(solid, volume, grow).answer();
    const Decision whole(solid, volume, grow);
    Solid within{solid.points, solid.radius};
    constexpr int most_vertices = 100;
    for (int step = 0; step < most_vertices; ++step) {
        Answer answer = Decision(within, volume, grow).answer();
        if (answer.verdict != Verdict::apart || whole.proves_apart(answer.direction)) return answer;
        if (!add_farthest(solid.ovals, in_doubles(answer.direction), within.points)) break;
    }
    return {};
}

namespace {

Rational at(const HalfSpace& f, const Point& p) { return dot(f.normal, p) + f.offset; }

/// The slope of f on the way back to the eye.
Rational towards(const HalfSpace& f, const Point& way) { return dot(f.normal, way); }

/// Clips p + t way, 0 <= t <= most (endless without), by the facets.
bool way_meets(const Point& p, const Point& way, const std::optional<Rational>& most, const HalfSpaces& facets) {
    Rational enter = 0;
    std::optional<Rational> leave = most;
    for (const HalfSpace& f : facets) {
        const Rational value = at(f, p), slope = towards(f, way);
        if (slope == 0) {
            if (value < 0) return false;
            continue;
        }
        const Rational t = -value / slope;
        if (slope > 0 && t > enter) enter = t;
        if (slope < 0 && (!leave || t < *leave)) leave = t;
    }
    return !leave || enter <= *leave;
}

/// Facets' values at an eye, or for parallel sight what they grow by on the way back.
std::vector<Rational> values_at(const HalfSpaces& facets, const Sight& sight, std::size_t place) {
    std::vector<Rational> values;
    for (const HalfSpace& f : facets) {
        values.push_back(sight.eyes.empty() ? Rational(-dot(f.normal, sight.direction)) : at(f, sight.eyes[place]));
    }
    return values;
}

/// Adds what is hidden from one place. False if the place is inside.
bool add_hidden(const HalfSpaces& facets, const std::vector<Rational>& value, HalfSpaces& hidden) {
    bool faces_any = false;
    for (std::size_t i = 0; i < facets.size(); ++i) {
        if (value[i] >= 0) continue;
        faces_any = true;
        hidden.push_back(facets[i]);
        for (std::size_t j = 0; j < facets.size(); ++j) {
            if (value[j] < 0) continue;
            hidden.push_back({value[j] * facets[i].normal - value[i] * facets[j].normal,
                              value[j] * facets[i].offset - value[i] * facets[j].offset});
        }
    }
    return faces_any;
}

}  // namespace

HalfSpaces facets_of_box(const float min[3], const float max[3]) {
    HalfSpaces facets;
    for (std::size_t k = 0; k < 3; ++k) {
        const Point axis{k == 0 ? 1 : 0, k == 1 ? 1 : 0, k == 2 ? 1 : 0};
        facets.push_back({axis, -rational(min[k])});
        facets.push_back({Rational(-1) * axis, rational(max[k])});
    }
    return facets;
}

HalfSpaces facets_of_oriented_box(const float centre[3], const float half[3], const float axes[9]) {
    const auto vector = [](const float* v) { return point(v[0], v[1], v[2]); };
    Point edge[3];
    for (std::size_t k = 0; k < 3; ++k) edge[k] = rational(half[k]) * vector(axes + 3 * k);
    const Point c = vector(centre);
    HalfSpaces facets;
    for (std::size_t k = 0; k < 3; ++k) {
        Point normal = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
        if (dot(normal, edge[k]) < 0) normal = Rational(-1) * normal;
        const Rational reach = dot(normal, edge[k]), place = dot(normal, c);
        facets.push_back({normal, reach - place});
        facets.push_back({Rational(-1) * normal, reach + place});
    }
    return facets;
}

HalfSpaces sides_of_hull(std::span<const Point> points, std::span<const Point> rays) {
    HalfSpaces sides;
    const std::size_t count = points.size() + rays.size();
    const auto height = [&](const HalfSpace& f, std::size_t i) {
        return i < points.size() ? at(f, points[i]) : dot(f.normal, rays[i - points.size()]);
    };
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
        const auto along = [&](std::size_t i) {
            return i < points.size() ? points[i] - points[a] : rays[i - points.size()];
        };
        HalfSpace f{cross(along(b), along(c)), 0};
        f.offset = -dot(f.normal, points[a]);
        bool above = false, below = false;
        for (std::size_t i = 0; i < count && !(above && below); ++i) {
            const Rational value = height(f, i);
            above = above || value > 0, below = below || value < 0;
        }
        const auto has_all = [&](const HalfSpace& g) {
            return height(g, a) == 0 && height(g, b) == 0 && height(g, c) == 0;
        };
        if (f.normal == Point{} || (above && below) || std::ranges::any_of(sides, has_all)) return;
        if (!below) sides.push_back(f);
        if (!above) sides.push_back({Rational(-1) * f.normal, -f.offset});
    };
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            for (std::size_t c = b + 1; c < count; ++c) add(a, b, c);
        }
    }
    return sides;
}

HalfSpaces facets_of_hull(std::span<const Point> points) {
    HalfSpaces facets = sides_of_hull(points, {});
    return facets.size() > 2 ? facets : HalfSpaces{};
}

bool is_hidden(const Point& p, const Sight& sight, const HalfSpaces& facets) {
    if (sight.eyes.empty()) return way_meets(p, Rational(-1) * sight.direction, std::nullopt, facets);
    for (const Point& eye : sight.eyes) {
        if (!way_meets(p, eye - p, Rational(1), facets)) return false;
    }
    return true;
}

std::optional<HalfSpaces> hidden_by(const HalfSpaces& facets, const Sight& sight) {
    HalfSpaces hidden;
    for (std::size_t place = 0; place == 0 || place < sight.eyes.size(); ++place) {
        if (!add_hidden(facets, values_at(facets, sight, place), hidden)) return std::nullopt;
    }
    return hidden;
}

bool contain(const HalfSpaces& half_spaces, const Solid& solid, const Rational& grow) {
    const Rational radius = solid.radius + grow;
    for (const HalfSpace& f : half_spaces) {
        const Rational lowest = f.offset - highest(solid, Rational(-1) * f.normal);
        if (lowest < 0 || lowest * lowest < radius * radius * dot(f.normal, f.normal)) return false;
    }
    return true;
}

}  // namespace exact
