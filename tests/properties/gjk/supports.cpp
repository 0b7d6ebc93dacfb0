#include <cmath>

#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"

/// Support points fall short of the shape's height by no more than `roundings` and magnitude() say, of which every
/// proof is made; and they are points of the shape. Heights are computed in 50 digits from the shapes' definitions.
/// What all families of gjk.hpp need of a shape of any kind is compiled here alone.
namespace specimens {

template struct OneOf<false, Kinds<float, 3>>;
template struct OneOf<false, Kinds<double, 3>>;
template struct OneOf<false, Kinds<float, 2>>;
template struct OneOf<false, Kinds<double, 2>>;

}  // namespace specimens

namespace reference {

template Real height(const specimens::Any<float, 3>&, const Direction&);
template Real height(const specimens::Any<double, 3>&, const Direction&);
template Real height(const specimens::Any<float, 2>&, const Direction&);
template Real height(const specimens::Any<double, 2>&, const Direction&);

}  // namespace reference

namespace properties::gjk_subject {

template void each_number(specimens::Any<float, 3>&, const Visit<float>&);
template void each_number(specimens::Any<double, 3>&, const Visit<double>&);
template void each_number(specimens::Any<float, 2>&, const Visit<float>&);
template void each_number(specimens::Any<double, 2>&, const Visit<double>&);

}  // namespace properties::gjk_subject

namespace properties::gjk_subject {
namespace {

/// Directions are of |d|_max in [1, 2).
template <class S>
class Support {
public:
    using V = gjk::VectorOf<S>;
    using T = gjk::ScalarOf<S>;

    Support(const Trial& trial, const S& shape) : trial_(trial), shape_(shape) {}

    void expect_along(const V& d) const {
        check(gjk::roundings<S>, shape_.magnitude(), shape_.support(d), reference::height(shape_, reference::exact(d)),
              d);
    }
    /// The same of the shape while it moves.
    void expect_moved(const V& d, const V& motion, T time) const {
        const gjk::Moved<S> moved{shape_, motion, time};
        const Real way = time * reference::along(motion, reference::exact(d));
        check(moved.roundings, moved.magnitude(), moved.support(d),
              reference::height(shape_, reference::exact(d)) + way, d);
    }
    /// What else the shape says about itself: the support point of no direction, and inside(), are nowhere beyond it;
    /// core and margin make up the shape.
    void expect_sound(const V& d) const {
        if (is_too_large(shape_.magnitude())) return;
        const reference::Direction along = reference::exact(d);
        const Real length = reference::length(along), slack = (64 * u * shape_.magnitude() + underflow) * length;
        for (const V& point : {V(shape_.support({})), V(gjk::inside(shape_)), V(shape_.support(-d))}) {
            const bool beyond = reference::along(point, along) > reference::height(shape_, along) + slack;
            if (beyond) trial_.fail(Tally::unproved, "a point is beyond the shape", [&] { return describe_all(d); });
        }
        if (gjk::max_norm(V(shape_.support(-d))) > (1 + 64 * u) * shape_.magnitude() + underflow) {
            trial_.fail(Tally::unproved, "a support point is larger than the magnitude",
                        [&] { return describe_all(-d); });
        }
        const Real whole = reference::height(gjk::core(shape_), along) + gjk::margin(shape_) * length;
        if (abs(Real(whole - reference::height(shape_, along))) > slack) {
            trial_.fail(Tally::unproved, "core and margin do not make up the shape", [&] { return describe_all(d); });
        }
    }

private:
    static constexpr T u = gjk::unit_roundoff<T>;
    static constexpr T underflow = 8 * std::numeric_limits<T>::min();

    /// Such shapes are never told apart.
    [[nodiscard]] static bool is_too_large(T magnitude) { return !(magnitude < std::numeric_limits<T>::max() / 64); }
    [[nodiscard]] std::string describe_all(V direction) const {
        std::string text = "shape " + describe(shape_) + "\n  direction";
        each_number(direction, Unit::none, [&](T& number, Unit) { text += text_of(number); });
        return text;
    }

    void check(int roundings, T magnitude, const V& point, const Real& height, const V& d) const {
        if (is_too_large(magnitude)) return;
        ++trial_.at(Tally::verdicts);
        ++trial_.at(Tally::culled_gjk);
        const Real size = gjk::sum_norm(d), unit = u * magnitude * size, lost = underflow * size;
        const Real missing = height - reference::along(point, reference::exact(d));
        ++trial_.at(Tally::cases);
        trial_.at(Tally::reached) += 32 * missing > roundings * unit;
        if (missing <= roundings * unit + lost && -missing <= 64 * unit + lost) return;
        trial_.fail(Tally::unproved,
                    missing > 0 ? "the support point falls short" : "the support point is beyond the shape", [&] {
                        return describe_all(d) + "\n  short by" +
                               text_of(Real(missing / unit).template convert_to<double>()) + " u of the magnitude, " +
                               std::to_string(roundings) + " allowed";
                    });
    }

    const Trial& trial_;
    const S& shape_;
};

template <class T, int N>
class SupportTrial {
public:
    using V = gjk::Vec<T, N>;

    explicit SupportTrial(const Trial& trial)
        : trial_(trial), random_(trial.random), ordinary_(random_), exact_(random_) {}

    void run() {
        for (int i = 0; i < static_cast<int>(trial_.plan.objects) / 8 && !trial_.stopped(); ++i) {
            const auto shape = specimen();
            std::visit([&](const auto& typed) { ask(typed); }, shape.specimen);
            ask_composites();
        }
    }

private:
    /// Ordinary, at any place and of any size; or of whole numbers at any scale, split between maps and shapes.
    [[nodiscard]] specimens::Any<T, N> specimen() {
        if (random_.chance(0.3)) return exact_.shape(exact_.vector(64), exact_.scale());
        const T far = static_cast<T>(random_.chance(0.5) ? 0 : random_.log_range(1, 1e4));
        const specimens::Any<T, N> made = ordinary_.any(far * ordinary_.direction());
        if (random_.chance(0.5)) return made;
        const int most = std::numeric_limits<T>::max_exponent * 3 / 4;
        const T s = std::ldexp(T(1), random_.below(2 * most) - most);
        return changed_(made, [&](T number, Unit unit) { return unit == Unit::none ? number : s * number; });
    }

    template <class S>
    [[nodiscard]] S piece() {
        return ordinary_.template make<S>(ordinary_.vector(2));
    }

    /// Composites of composites.
    void ask_composites() {
        using Box = gjk::OrientedBox<T, N>;
        using Ball = gjk::Sphere<T, N>;
        using Triangle = gjk::Triangle<T, N>;
        const auto map = [&] {
            const T s = std::ldexp(T(1), random_.below(80) - 40);
            gjk::Affine<T, N> made{{}, ordinary_.vector(2)};
            for (V& column : made.linear.column) column = s * ordinary_.vector(1);
            return made;
        };
        ask(gjk::Transformed<gjk::Transformed<Box>>{{piece<Box>(), map()}, map()});
        ask(gjk::Join<gjk::Swept<Triangle>, gjk::Rounded<Box>>{{piece<Triangle>(), ordinary_.vector(4)},
                                                               {piece<Box>(), ordinary_.size()}});
        ask(gjk::Placed<gjk::Negated<gjk::Sum<Ball, Triangle>>>{{{piece<Ball>(), piece<Triangle>()}},
                                                                {ordinary_.rotation(), ordinary_.vector(4)}});
    }

    template <class S>
    void ask(const S& shape) {
        const Support<S> support(trial_, shape);
        for (int k = 0; k < 4; ++k) {
            const V d = direction(shape);
            if (!(gjk::max_norm(d) >= 1)) continue;  // of denormal size
            support.expect_along(d);
            if (k > 0) continue;
            support.expect_moved(d, ordinary_.vector(8), static_cast<T>(random_.unit()));
            support.expect_sound(gjk::rescaled(ordinary_.direction()));
        }
    }

    /// Any; along an axis or a diagonal; with components of all sizes; across an edge, where several points are nearly
    /// as high.
    template <class S>
    [[nodiscard]] V direction(const S& shape) {
        const T length = static_cast<T>(random_.range(1, 2));
        switch (random_.below(4)) {
            case 0:
                return gjk::rescaled(length * ordinary_.direction());
            case 1:
                return gjk::rescaled(length * exact_.diagonal());
            case 2:
                return gjk::rescaled(exact_.direction());
            default: {
                const V edge = shape.support(ordinary_.direction()) - shape.support(ordinary_.direction());
                const V d = gjk::rescaled(across(gjk::rescaled(edge)));
                return gjk::is_zero(d) ? ordinary_.direction() : d;
            }
        }
    }
    [[nodiscard]] V across(const V& edge) {
        if constexpr (N == 3)
            return gjk::cross(edge, ordinary_.direction());
        else
            return gjk::perpendicular(edge);
    }

    const Trial& trial_;
    Random& random_;
    specimens::Maker<T, N> ordinary_;
    sharing::Maker<T, N> exact_;
    Changed<T, N> changed_;
};

constexpr auto ask_any = []<class T, int N>(const Trial& trial) { SupportTrial<T, N>(trial).run(); };

/// Cylinders, cones and sectors on diagonals, and directions along them, and along the way to a rim.
template <class T>
void ask_along_axes(const Trial& trial) {
    sharing::Maker<T, 3> maker(trial.random);
    for (int i = 0; i < static_cast<int>(trial.plan.objects) / 4 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> way = maker.chance(0.8) ? maker.diagonal() : maker.vector(8);
        const auto factor = [&] { return static_cast<T>(trial.random.range(0.5, 8)); };
        const gjk::Vec<T, 3> from = maker.chance(0.5) ? gjk::Vec<T, 3>{} : factor() * way, axis = factor() * way;
        const gjk::Vec<T, 3> d = gjk::rescaled(factor() * way);
        if (gjk::is_zero(d)) continue;
        const gjk::Cylinder<T> cylinder{from, from + axis, factor()};
        const gjk::Cone<T> cone{from + axis, from, factor()};
        Support(trial, cylinder).expect_along(d);
        const gjk::SphericalSector<T> sector{from + axis, from, factor()};
        Support(trial, cone).expect_along(d);
        Support(trial, sector).expect_along(d);
        const gjk::Vec<T, 3> aside = gjk::cross(way, gjk::rescaled(maker.direction()));
        Support(trial, sector).expect_along(gjk::rescaled(sector.support(aside) - sector.apex));
    }
}

void run_supports(Trial& trial) {
    in_all<ask_any>(trial);
    ask_along_axes<float>(trial);
    ask_along_axes<double>(trial);
}

// Of support points: those that fall short by a thirtieth of what is allowed.
constexpr Rate near_the_bound[] = {{Tally::reached, Tally::cases, 0.003}};

constexpr Family families[] = {{"gjk_supports", "gjk", run_supports, near_the_bound, true}};

}  // namespace

std::span<const Family> support_families() { return families; }

}  // namespace properties::gjk_subject
