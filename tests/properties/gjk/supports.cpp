#include <cmath>

#include "properties/gjk/claims.hpp"
#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"

/// Support points fall short of the shape's height by no more than `roundings` and magnitude() say, of which every
/// proof is made; and they are points of the shape. Heights are computed in 50 digits from the shapes' definitions.
namespace properties::gjk_subject {
namespace {

/// |d|_max in [1, 2).
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

private:
    /// Shapes that are too large are never told apart.
    void check(int roundings, T magnitude, const V& point, const Real& height, const V& d) const {
        if (!(magnitude < std::numeric_limits<T>::max() / 64)) return;
        ++trial_.at(Tally::verdicts);
        ++trial_.at(Tally::culled_gjk);
        const Real size = gjk::sum_norm(d), u = gjk::unit_roundoff<T>;
        const Real underflow = Real(8) * std::numeric_limits<T>::min() * size;
        const Real missing = height - reference::along(point, reference::exact(d));
        const auto describe_all = [&] {
            V direction = d;
            std::string text = "shape " + describe(shape_) + "\n  direction";
            each_number(direction, Unit::none, [&](T& number, Unit) { text += text_of(number); });
            const Real of_u = missing / (u * magnitude * size);
            return text + "\n  short by" + text_of(of_u.template convert_to<double>()) + " u of the magnitude, " +
                   std::to_string(roundings) + " allowed";
        };
        ++trial_.at(Tally::cases);
        trial_.at(Tally::reached) += 32 * missing > roundings * u * magnitude * size;
        if (missing > roundings * u * magnitude * size + underflow) {
            trial_.fail(Tally::unproved, "the support point falls short", describe_all);
        } else if (-missing > 64 * u * magnitude * size + underflow) {
            trial_.fail(Tally::unproved, "the support point is beyond the shape", describe_all);
        }
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
        const specimens::Any<T, N> made{ordinary_(random_.below(specimens::kinds<T, N>), far * ordinary_.direction())};
        if (random_.chance(0.5)) return made;
        const int most = std::numeric_limits<T>::max_exponent * 3 / 4;
        const T s = std::ldexp(T(1), random_.below(2 * most) - most);
        return changed_(made, [&](T number, Unit unit) { return unit == Unit::none ? number : s * number; });
    }

    template <class S>
    [[nodiscard]] S piece() {
        for (;;) {
            const auto made = ordinary_(random_.below(specimens::kinds<T, N>), ordinary_.vector(2));
            if (const S* shape = std::get_if<S>(&made)) return *shape;
        }
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
            if (k == 0) support.expect_moved(d, ordinary_.vector(8), static_cast<T>(random_.unit()));
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

/// Cylinders and cones on diagonals, and directions along them.
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
        Support(trial, cone).expect_along(d);
    }
}

/// Directions of all sorts: any, along axes, nearly along axes or across something, very short and very long.
template <class T, int N>
gjk::Vec<T, N> some_direction(Random& random, specimens::Maker<T, N>& maker) {
    gjk::Vec<T, N> d = maker.direction();
    if (random.chance(0.3)) {
        d.x = random.chance(0.5) ? T(0) : d.x * static_cast<T>(random.log_range(1e-9, 1));
        d.y = random.chance(0.5) ? T(0) : d.y * static_cast<T>(random.log_range(1e-9, 1));
    }
    if (gjk::is_zero(d)) return maker.direction();
    return static_cast<T>(random.chance(0.5) ? 1 : random.log_range(1e-12, 1e12)) * d;
}

/// What a shape says about itself holds. Its support points, that of no direction, and inside() are nowhere beyond it;
/// core and margin make up the shape; nothing is larger than magnitude().
template <class S, class V>
const char* broken_of(const S& shape, const V& d, const V& other) {
    const Real size = gjk::magnitude(shape), slack = 64 * gjk::unit_roundoff<gjk::ScalarOf<S>> * size;
    const reference::Direction along = reference::exact(d), across = reference::exact(other);
    const V p = shape.support(d);
    for (const reference::Direction& way : {along, across}) {
        for (const V& point : {p, V(shape.support({})), V(gjk::inside(shape))}) {
            if (reference::beyond(shape, point, way) > slack) return "a point is beyond the shape";
        }
    }
    if (gjk::max_norm(p) > size + slack) return "a support point is larger than the magnitude";
    const Real whole = reference::height(gjk::core(shape), across) + gjk::margin(shape) * reference::length(across);
    return abs(Real(whole - reference::height(shape, across))) > slack * reference::length(across)
               ? "core and margin do not make up the shape"
               : nullptr;
}

template <class T, int N>
void ask_about_shapes(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, N> maker(random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const specimens::Any<T, N> any{maker(i % specimens::kinds<T, N>, maker.vector(random.chance(0.5) ? 0 : 10))};
        const auto ask = [&](const auto& shape) {
            const auto d = some_direction<T, N>(random, maker), other = some_direction<T, N>(random, maker);
            const char* broken = broken_of(shape, d, other);
            Judge(trial, any, any).expect(broken == nullptr, Tally::unproved, broken);
        };
        for (int k = 0; k < 4; ++k) std::visit(ask, any.specimen);
    }
}

}  // namespace

void run_supports(Trial& trial) {
    for_each_number([&]<class T, int N>() { SupportTrial<T, N>(trial).run(); });
    ask_along_axes<float>(trial);
    ask_along_axes<double>(trial);
}

void run_shapes(Trial& trial) {
    for_each_number([&]<class T, int N>() { ask_about_shapes<T, N>(trial); });
}

}  // namespace properties::gjk_subject
