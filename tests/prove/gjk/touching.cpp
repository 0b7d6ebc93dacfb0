#include "gjk/sharing.hpp"
#include "prove/gjk/families.hpp"
#include "prove/gjk/meeting.hpp"

/// Pairs that share a point exactly: all their numbers are integers times a power of two.
namespace prove::gjk_subject {
namespace {

/// With a core and a margin, which every second time is 0.
template <class T, int N>
using Grown = gjk::Rounded<specimens::Any<T, N>>;

/// A vector of length 5 k.
template <class T, int N>
gjk::Vec<T, N> of_whole_length(T k) {
    if constexpr (N == 3)
        return {0, 4 * k, -3 * k};
    else
        return {4 * k, -3 * k};
}

/// Contains p * 2^e.
template <class T, int N>
Grown<T, N> with_margin(sharing::Maker<T, N>& maker, const gjk::Vec<T, N>& p, int e) {
    if (maker.chance(0.5)) return {maker.shape(p, e), 0};
    const T k = maker.some(16);
    return {maker.shape(p + of_whole_length<T, N>(k), e), 5 * k * maker.power(e)};
}

template <class T, int N>
gjk::Vec<T, N> point_of(sharing::Maker<T, N>& maker) {
    gjk::Vec<T, N> p = maker.vector(64);
    if (maker.chance(0.3)) p.x = 0;
    if (maker.chance(0.3)) p.y = 0;
    return p;
}

/// Of a tenth as many pairs, all kinds of questions at any scale.
template <class T, int N>
void touch(const Trial& trial) {
    sharing::Maker<T, N> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const int e = maker.chance(0.5) ? maker.scale() : maker.below(21) - 10;
        const gjk::Vec<T, N> p = point_of(maker), way = maker.vector(64);
        const Grown<T, N> a = with_margin(maker, p, e), b = with_margin(maker, p, e);
        Meeting(trial, a, b).ask_all(maker.direction());
        const Grown<T, N> before = with_margin(maker, p - way, e);
        Meeting(trial, before, b).ask_cast(2 * maker.power(e) * way, T(0.5));
    }
}

/// First directions of all lengths; some of them are no directions.
template <class T, int N>
void begin_anywhere(const Trial& trial) {
    sharing::Maker<T, N> maker(trial.random);
    constexpr T none[] = {std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(),
                          std::numeric_limits<T>::max()};
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) {
        const gjk::Vec<T, N> p = point_of(maker);
        const Grown<T, N> a = with_margin(maker, p, 0), b = with_margin(maker, p, 0);
        for (int k = 0; k < 12; ++k) {
            gjk::Vec<T, N> d = maker.chance(0.5) ? maker.direction() : maker.power(maker.scale()) * maker.diagonal();
            if (maker.chance(0.1)) d.y = none[maker.below(3)];
            Meeting(trial, a, b).ask_intersect(d);
            Meeting(trial, a, b).ask_distance(d);
        }
    }
}

/// Flat, straight and point shapes; cylinders and cones end to end on one axis, where directions leave only rounding
/// for their rims; zero radii.
template <class T>
specimens::Any<T, 3> on_an_axis(sharing::Maker<T, 3>& maker, const gjk::Vec<T, 3>& p, const gjk::Vec<T, 3>& way) {
    const T radius = maker.chance(0.2) ? T(0) : maker.some(64) * maker.power(maker.below(20) - 10);
    switch (maker.below(5)) {
        case 0:
            return {gjk::Cylinder<T>{p, p + way, radius}};
        case 1:
            return {gjk::Cone<T>{p, p + way, radius}};
        case 2:
            return {gjk::Cone<T>{p + way, p, radius}};
        case 3:
            return {gjk::Segment<T>{p, maker.chance(0.5) ? p : p + way}};
        default:
            return {gjk::Capsule<T>{p, p + way, 0}};
    }
}

template <class T>
void meet_on_an_axis(const Trial& trial) {
    sharing::Maker<T, 3> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) / 4 && !trial.stopped(); ++i) {
        const gjk::Vec<T, 3> p = maker.chance(0.5) ? gjk::Vec<T, 3>{} : maker.diagonal();
        const gjk::Vec<T, 3> axis = maker.chance(0.8) ? maker.diagonal() : maker.vector(8);
        // Factors that share no bits: products of axis and direction are rounded.
        const auto factor = [&] { return static_cast<T>(trial.random.range(0.5, 8)); };
        const Grown<T, 3> a{on_an_axis(maker, p, factor() * axis), 0}, b{on_an_axis(maker, p, -factor() * axis), 0};
        Meeting(trial, a, b).ask_intersect(factor() * axis);
        Meeting(trial, a, b).ask_intersect({});
        Meeting(trial, a, b).ask_distance(-factor() * axis);
    }
}

template <class T>
void flatten(const Trial& trial) {
    sharing::Maker<T, 3> maker(trial.random);
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
}

/// Every radius is less than a margin's sum resolves: the sums' roundings add up.
template <int times, class S, class T>
auto grown(const S& shape, T radius) {
    if constexpr (times == 0)
        return shape;
    else
        return grown<times - 1>(gjk::Rounded<S>{shape, radius}, radius);
}

template <class T>
void add_margins(const Trial& trial) {
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
        Meeting(trial, ball, point).ask_intersect({});
        Meeting(trial, ball, point).ask_distance({});
    }
}

}  // namespace

void run_touching(Trial& trial) {
    touch<float, 3>(trial);
    touch<double, 3>(trial);
    touch<float, 2>(trial);
    touch<double, 2>(trial);
}

void run_directions(Trial& trial) {
    begin_anywhere<float, 3>(trial);
    begin_anywhere<double, 3>(trial);
    begin_anywhere<float, 2>(trial);
    begin_anywhere<double, 2>(trial);
}

void run_degenerate(Trial& trial) {
    meet_on_an_axis<float>(trial);
    meet_on_an_axis<double>(trial);
    flatten<float>(trial);
    flatten<double>(trial);
}

void run_margins(Trial& trial) {
    add_margins<float>(trial);
    add_margins<double>(trial);
}

}  // namespace prove::gjk_subject
