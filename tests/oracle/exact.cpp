#include "oracle/exact.hpp"

#include <cmath>
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

private:
    /// The nearest point in doubles, and the corral it stands for: hints.
    [[nodiscard]] Nearest<double> guess() const;
    /// The guess's point of the solid, if it lies in the volume: what is deep inside needs no nearest points.
    [[nodiscard]] std::optional<Answer> prove_inside(const Nearest<double>& guess) const;
    [[nodiscard]] bool proves_apart(const Point& direction) const;
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
    Rational highest = dot(direction, solid_.points[0]);
    for (const Point& s : solid_.points) highest = std::max<Rational>(highest, dot(direction, s));
    const std::optional<Rational> lowest = volume_.lowest(direction);
    if (!lowest || *lowest <= highest) return false;
    const Rational gap = *lowest - highest;
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
    return Decision(solid, volume, grow).answer();
}

}  // namespace exact
