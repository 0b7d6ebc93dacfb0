#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"

/// Pairs that share a point exactly: all their numbers are integers times a power of two.
namespace properties::gjk_subject {
namespace {

/// With a core and a margin, which every second time is 0.
template <class T, int N>
using Grown = gjk::Rounded<specimens::Any<T, N>>;

/// Contains p * 2^e.
template <class T, int N>
Grown<T, N> with_margin(sharing::Maker<T, N>& maker, const gjk::Vec<T, N>& p, int e) {
    if (maker.chance(0.5)) return {maker.shape(p, e), 0};
    const T k = maker.some(16);
    return {maker.shape(p + maker.of_length_5(4 * k, -3 * k), e), 5 * k * maker.power(e)};
}

template <class T, int N>
gjk::Vec<T, N> point_of(sharing::Maker<T, N>& maker) {
    gjk::Vec<T, N> p = maker.vector(64);
    if (maker.chance(0.3)) p.x = 0;
    if (maker.chance(0.3)) p.y = 0;
    return p;
}

/// Of any length; some of them are no directions.
template <class T, int N>
gjk::Vec<T, N> first_direction(sharing::Maker<T, N>& maker) {
    constexpr T none[] = {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                          std::numeric_limits<T>::max()};
    gjk::Vec<T, N> d = maker.chance(0.5) ? maker.direction() : maker.power(maker.scale()) * maker.diagonal();
    if (maker.chance(0.1)) d.y = none[maker.below(3)];
    return d;
}

/// Of a tenth as many pairs, all kinds of questions at any scale.
constexpr auto touch = []<class T, int N>(const Trial& trial) {
    sharing::Maker<T, N> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const int e = maker.chance(0.5) ? maker.scale() : maker.below(21) - 10;
        const gjk::Vec<T, N> p = point_of(maker), way = maker.vector(64);
        const Grown<T, N> a = with_margin(maker, p, e), b = with_margin(maker, p, e);
        Meeting(trial, a, b).ask_all(first_direction(maker));
        for (int k = 0; k < 6; ++k) Meeting(trial, a, b).ask_from(first_direction(maker));
        const Grown<T, N> before = with_margin(maker, p - way, e);
        Meeting(trial, before, b).ask_cast(2 * maker.power(e) * way, T(0.5));
    }
};

template <class T>
specimens::Any<T, 3> on_an_axis(sharing::Maker<T, 3>& maker, const gjk::Vec<T, 3>& p, const gjk::Vec<T, 3>& way) {
    const T radius = maker.chance(0.2) ? T(0) : maker.some(64) * maker.power(maker.below(20) - 10);
    switch (maker.below(6)) {
        case 0:
            return {gjk::Cylinder<T>{p, p + way, radius}};
        case 1:
            return {gjk::Cone<T>{p, p + way, radius}};
        case 2:
            return {gjk::Cone<T>{p + way, p, radius}};
        case 3:
            return {gjk::SphericalSector<T>{p, p + way, radius}};
        case 4:
            return {gjk::Segment<T>{p, maker.chance(0.5) ? p : p + way}};
        default:
            return {gjk::Capsule<T>{p, p + way, 0}};
    }
}

/// Flat, straight and point shapes; cylinders and cones end to end on one axis, where directions leave only rounding
/// for their rims; zero radii.
constexpr auto degenerate = []<class T>(const Trial& trial) {
    sharing::Maker<T, 3> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> p = maker.chance(0.5) ? gjk::Vec<T, 3>{} : maker.diagonal();
        const gjk::Vec<T, 3> axis = maker.chance(0.8) ? maker.diagonal() : maker.vector(8);
        // Factors that share no bits: products of axis and direction are rounded.
        const auto factor = [&] { return static_cast<T>(trial.random.range(0.5, 8)); };
        const Grown<T, 3> a{on_an_axis(maker, p, factor() * axis), 0}, b{on_an_axis(maker, p, -factor() * axis), 0};
        Meeting(trial, a, b).ask_from(factor() * axis);
        Meeting(trial, a, b).ask_from({});
        Meeting(trial, a, b).ask_from(-factor() * axis);
    }
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> p = point_of(maker);
        gjk::Vec<T, 3> half = maker.sizes();
        for (T* size : {&half.x, &half.y, &half.z}) *size = maker.chance(0.5) ? T(0) : *size;
        const gjk::Vec<T, 3> corner{half.x, -half.y, half.z};
        const typename sharing::Maker<T, 3>::Split split = maker.split(0);
        const Grown<T, 3> box{{gjk::Box<T>{p + corner, half}}, 0};
        const Grown<T, 3> turned{{gjk::OrientedBox<T>{p - split.axes * corner, split.scaled, split.inner * half}}, 0};
        const Grown<T, 3> other = with_margin(maker, p, 0);
        Meeting(trial, box, turned).ask_all(maker.diagonal());
        Meeting(trial, turned, other).ask_all(maker.direction());
    }
};

/// Every radius is less than a margin's sum resolves: the sums' roundings add up.
template <int times, class S, class T>
auto grown(const S& shape, T radius) {
    if constexpr (times == 0)
        return shape;
    else
        return grown<times - 1>(gjk::Rounded<S>{shape, radius}, radius);
}

constexpr auto add_margins = []<class T>(const Trial& trial) {
    constexpr int times = 24;
    sharing::Maker<T, 3> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) && !trial.stopped(); ++i) {
        const T size = maker.some(15),
                radius = gjk::unit_roundoff<T> * static_cast<T>(maker.below(static_cast<int>(size) + 1));
        const auto ball = grown<times>(gjk::Sphere<T>{{}, size}, radius);
        gjk::Vec<T, 3> at{};
        // Rounded towards the ball.
        at.x = size + times * radius;
        while (at.x - size > times * radius) at.x = std::nextafter(at.x, T(0));
        const gjk::Rounded<gjk::Point<T>> point{{at}, 0};
        Meeting(trial, ball, point).ask_from({});
        Meeting(trial, ball, point).ask_penetration();
    }
};

// Maps of maps, with sizes split between both and the shape: directions and points overflow and underflow on the way.

template <class T, int N, class Any = specimens::Any<T, N>>
struct MappedKinds : specimens::KindList<gjk::Transformed<gjk::Transformed<Any>>,
                                         gjk::Transformed<gjk::Transformed<gjk::Sum<Any, Any>>>,
                                         gjk::Transformed<gjk::Transformed<gjk::Join<Any, Any>>>,
                                         gjk::Transformed<gjk::Transformed<gjk::Rounded<gjk::Swept<Any>>>>> {};
template <class T, int N>
using Mapped = specimens::OneOf<false, MappedKinds<T, N>>;

/// The sizes that a shape has before, between and after two maps.
struct Sizes {
    int inner, middle, outer;
};

template <class T, int N>
class MappedMaker {
public:
    using Maker = sharing::Maker<T, N>;
    using V = gjk::Vec<T, N>;
    using Any = specimens::Any<T, N>;

    explicit MappedMaker(Maker& maker) : maker_(maker) {}

    /// Contains p * 2^e.
    [[nodiscard]] Mapped<T, N> operator()(const V& p, int e) {
        const Sizes sizes = split(e);
        const V at = maker_.vector(64), way = maker_.vector(64);
        switch (maker_.below(4)) {
            case 0:
                return mapped(maker_.shape(at, sizes.inner), at, p, sizes);
            case 1:
                return mapped(gjk::Sum<Any, Any>{maker_.shape(at - way, sizes.inner), maker_.shape(way, sizes.inner)},
                              at, p, sizes);
            case 2:
                return mapped(gjk::Join<Any, Any>{maker_.shape(at, sizes.inner), maker_.shape(way, sizes.inner)}, at, p,
                              sizes);
            default: {
                const T s = maker_.power(sizes.inner);
                const gjk::Swept<Any> swept{maker_.shape(at - way, sizes.inner), s * way};
                return mapped(gjk::Rounded{swept, maker_.some(4) * s}, at, p, sizes);
            }
        }
    }

private:
    /// Every size, and what leads from one to the next, is a number.
    [[nodiscard]] Sizes split(int e) {
        const auto is_number = [](int k) { return k >= Maker::least_exponent && k <= Maker::most_exponent; };
        for (;;) {
            const Sizes sizes{maker_.scale(), maker_.scale(), e};
            if (is_number(sizes.outer - sizes.middle) && is_number(sizes.middle - sizes.inner)) return sizes;
        }
    }

    /// The shape contains `at` times its size.
    template <class S>
    [[nodiscard]] Mapped<T, N> mapped(const S& shape, const V& at, const V& p, const Sizes& sizes) {
        const V between = maker_.vector(64);
        const gjk::Matrix<T, N> first = maker_.split(0).axes, second = maker_.split(0).axes;
        const auto map = [&](const gjk::Matrix<T, N>& axes, int from, int to, const V& way) {
            gjk::Affine<T, N> made{axes, maker_.power(to) * way};
            for (V& column : made.linear.column) column = maker_.power(to - from) * column;
            return made;
        };
        return {
            gjk::Transformed<gjk::Transformed<S>>{{shape, map(first, sizes.inner, sizes.middle, between - first * at)},
                                                  map(second, sizes.middle, sizes.outer, p - second * between)}};
    }

    Maker& maker_;
};

constexpr auto map_twice = []<class T, int N>(const Trial& trial) {
    sharing::Maker<T, N> maker(trial.random);
    MappedMaker<T, N> mapped(maker);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const int e = maker.chance(0.5) ? maker.scale() : maker.below(200) - 100;
        const gjk::Vec<T, N> p = maker.vector(64);
        const Mapped<T, N> a = mapped(p, e), b = mapped(p, e);
        Meeting(trial, a, b).ask_all(maker.direction());
        Meeting(trial, a, b).ask_from(maker.diagonal());
    }
};

/// A triangle around the origin and a point above it. Bounds hold, and are close, from where squares underflow to
/// where they overflow.
constexpr auto bracket = []<class T>(const Trial& trial) {
    sharing::Maker<T, 3> maker(trial.random);
    constexpr int most = std::numeric_limits<T>::max_exponent - 30;
    for (int i = 0; i < pairs_of(trial) / 2 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> a = maker.vector(64), b = maker.vector(64), c = maker.vector(64);
        const int e = maker.below(2 * most) - most;
        const T s = maker.power(e), height = maker.some(64);
        const gjk::Triangle<T> triangle{
            {-64 * s - s * std::abs(a.x), -64 * s, 0}, {64 * s, -64 * s + s * b.y / 2, 0}, {s * c.x, 128 * s, 0}};
        const gjk::Point<T> point{{0, 0, height * s}};
        const Judge judge(trial, triangle, point);
        const auto found = gjk::distance(triangle, point);
        judge.expect(found.lower <= height * s && found.upper >= height * s, Tally::unproved,
                     "the distance is not between its bounds");
        judge.expect(found.verdict == Verdict::separated, Tally::untold, "not told apart");
        // Below that, bounds are as wide as what underflows.
        const bool is_tiny = e < std::numeric_limits<T>::min_exponent + 2 * std::numeric_limits<T>::digits;
        judge.expect(is_tiny || found.upper - found.lower <= (T(1e-4) * height + T(0.01)) * s, Tally::untold,
                     "bounds that are far from each other");
    }
};

// Of pairs that share a point: those of which that is found.
constexpr Rate told_together[] = {{Tally::reached, Tally::cases, 0.9}};

constexpr Family families[] = {{"gjk_touching", "gjk", in_all<touch>, told_together, true},
                               {"gjk_degenerate", "gjk", in_space<degenerate>, {}, true},
                               {"gjk_margins", "gjk", in_space<add_margins>, {}, true},
                               {"gjk_split", "gjk", in_all<map_twice>, {}, true},
                               {"gjk_bracketed", "gjk", in_space<bracket>}};

}  // namespace

std::span<const Family> touching_families() { return families; }

}  // namespace properties::gjk_subject
