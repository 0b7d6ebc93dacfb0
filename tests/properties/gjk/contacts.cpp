#include <algorithm>
#include <array>
#include <cmath>

#include <lanecull/gjk/contacts.hpp>

#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"

/// Contacts: what is on a floor stands on its corners; points of any polytopes lie on both, and the deepest is among
/// them.
namespace properties::gjk_subject {
namespace {

template <class T>
constexpr double precision = sizeof(T) == 4 ? 2e-4 : 1e-12;
/// Sides that are nearly in line meet in a place that is known less well.
template <class T>
constexpr double corner_precision = sizeof(T) == 4 ? 0.02 : 1e-8;

template <int N>
using Points = specimens::Points<double, N>;

template <class T, int N>
constexpr auto up_of() {
    if constexpr (N == 3)
        return &gjk::Vec<T, N>::z;
    else
        return &gjk::Vec<T, N>::y;
}

/// Boxes with corners at whole numbers, one on the other, a quarter deep or just touching: the corners of the rectangle
/// that they share.
constexpr auto stack_boxes = []<class T, int N>(const Trial& trial) {
    using V = gjk::Vec<T, N>;
    sharing::Numbers<T, N> numbers(trial.random);
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        const T scale = numbers.power(numbers.below(41) - 20), depth = numbers.chance(0.5) ? T(0) : T(0.25);
        const auto size = [&] { return T(2 + numbers.below(8)); };
        const V half_a = specimens::vector_of<T, N>(size), half_b = specimens::vector_of<T, N>(size);
        V low{}, high{}, center{};
        const auto share = [&](T a, T b, T& at, T& from, T& to) {
            at = numbers.integer(static_cast<int>(a + b) - 1);
            from = std::max(-a, at - b);
            to = std::min(a, at + b);
        };
        share(half_a.x, half_b.x, center.x, low.x, high.x);
        if constexpr (N == 3) share(half_a.y, half_b.y, center.y, low.y, high.y);
        const bool is_up = numbers.chance(0.5);
        constexpr T V::*up = up_of<T, N>();
        center.*up = (is_up ? 1 : -1) * (half_a.*up + half_b.*up - depth);
        const gjk::Box<T, N> a{{}, scale * half_a}, b{scale * center, scale * half_b};
        const Judge judge(trial, a, b);
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        const auto found = gjk::contacts(a, b);
        expect(found.count == found.most, "not as many contacts as there are corners");
        std::array<bool, 4> met{};
        for (const gjk::Contact<V>& contact : found) {
            const V at = 1 / scale * contact.a, beyond = 1 / scale * contact.b;
            const auto is = [&](T x, T y) { return std::abs(x - y) <= T(precision<T>); };
            bool corner = is(at.x, low.x) || is(at.x, high.x);
            std::size_t which = is(at.x, high.x);
            if constexpr (N == 3) {
                corner = corner && (is(at.y, low.y) || is(at.y, high.y));
                which += is(at.y, high.y) ? 2 : 0;
            }
            expect(corner && !met[which], "no corner of what they share, or the same one again");
            met[which] = true;
            const T side = is_up ? 1 : -1;
            expect(is(contact.distance / scale, -depth) && is(at.*up, side * half_a.*up) &&
                       is(beyond.*up, at.*up - side * depth),
                   "a contact at another depth");
        }
    }
};

double twice_area(const Points<2>& polygon) {
    double sum = 0;
    for (std::size_t i = 0; i < polygon.size(); ++i) sum += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
    return sum;
}

/// The hull's corners, anticlockwise (Andrew's chain).
Points<2> hull_of(Points<2> points) {
    std::sort(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.x < q.x; });
    Points<2> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t least = hull.size() + 1;
        for (const auto& p : points) {
            while (hull.size() > least && cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0) {
                hull.pop_back();
            }
            hull.push_back(p);
        }
        hull.pop_back();
        std::reverse(points.begin(), points.end());
    }
    return hull;
}

/// A hull that stands on some corners of one plane, in any place and turned in any way: the contacts are corners, and
/// span more than half of what all corners span.
constexpr auto stand = []<class T>(const Trial& trial) {
    Random& random = trial.random;
    specimens::Maker<T, 3> maker(random);
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) {
        const auto feet = static_cast<std::size_t>(3 + random.below(random.chance(0.1) ? 60 : 8));
        specimens::Points<T, 3> points(feet + 4);
        Points<2> corners;
        for (std::size_t k = 0; k < points.size(); ++k) {
            points[k] = maker.vector(1);
            points[k].z = k < feet ? T(0) : std::abs(points[k].z) + T(0.1);
            if (k < feet) corners.push_back({double{points[k].x}, double{points[k].y}});
        }
        const double area = twice_area(hull_of(corners));
        if (area < 0.05) continue;
        const gjk::Pose<T, 3> pose{maker.rotation(), maker.vector(5)};
        const gjk::Placed floor{gjk::Box<T>{{0, 0, -1}, {4, 4, 1}}, pose};
        const gjk::Placed standing{gjk::Hull<T>(points), pose};
        const Judge judge(trial, floor, standing);
        const auto found = gjk::contacts(floor, standing, {.tolerance = T(1e-4)});
        Points<2> chosen;
        bool on_corners = true;
        for (const auto& contact : found) {
            const auto at = gjk::cast<double>(transposed_times(pose.rotation, contact.b - pose.translation));
            chosen.push_back({at.x, at.y});
            on_corners = on_corners && std::fabs(at.z) < 1e-4 &&
                         std::any_of(corners.begin(), corners.end(),
                                     [&](const auto& p) { return length(p - chosen.back()) < corner_precision<T>; });
        }
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        expect(found.count >= 3 && on_corners, "not on corners");
        expect(std::fabs(twice_area(chosen)) > 0.5 * area, "contacts that span too little");
    }
};

/// Of any polytopes, rounded or not, that overlap, touch or nearly do: faces, edges and corners meet.
constexpr auto meet = []<class T, int N>(const Trial& trial) {
    using Hull = gjk::Hull<T, N>;
    using V = gjk::Vec<T, N>;
    Random& random = trial.random;
    for (int i = 0; i < pairs_of(trial) / 8 && !trial.stopped(); ++i) {
        specimens::Clouds<T, N> clouds(random, false);
        const double size = clouds.scale(), slack = 12 * precision<T> * size;
        const auto cloud_a = clouds.cloud(0), cloud_b = clouds.cloud(0.7);
        const auto radius = static_cast<T>(random.chance(0.7) ? 0 : size * random.range(0.1, 0.5));
        const gjk::Rounded<Hull> a{Hull(cloud_a), radius};
        const Hull b(cloud_b);
        // To where they touch, and a little farther or less far.
        const double off[] = {0, 1e-3 * size, -1e-3 * size, 0.05 * size, -0.05 * size};
        const auto before = gjk::signed_distance(a, b);
        const double move = off[random.below(5)] - double{before.distance};
        const V way = static_cast<T>(random.chance(0.3) && before.distance < 0 ? 0 : move) * before.direction;
        const gjk::Placed<Hull> moved{b, {gjk::identity<T, N>(), way}};
        const double tolerance = random.chance(0.5) ? 0 : random.log_range(1e-6, 0.1) * size;
        const specimens::Any<T, N> any_a{Hull(cloud_a)}, any_b{b};
        const Judge judge(trial, any_a, any_b);
        const auto expect = [&](bool holds, const char* what) { judge.expect(holds, Tally::untold, what); };
        const auto found = gjk::contacts(a, moved, {.tolerance = static_cast<T>(tolerance)});
        const auto nearest = gjk::signed_distance(a, moved);
        const auto distance = static_cast<double>(nearest.distance);
        const double known = slack + 2e-5 * std::max(0.0, -distance);
        ++trial.at(Tally::cases);
        trial.at(Tally::reached) += found.count > 1;
        trial.at(Tally::culled_gjk) += found.count == 0;
        if (std::fabs(distance - tolerance) > known) {
            expect((found.count > 0) == (distance < tolerance), "contacts of shapes that are apart, or none");
        }
        if (found.count == 0) continue;
        expect(std::fabs(double{found.contacts[0].distance} - distance) <= known, "the first is not the deepest");
        for (const gjk::Contact<V>& contact : found) {
            const auto apart = static_cast<double>(contact.distance);
            expect(apart >= distance - known && apart <= tolerance + known, "nearer than the nearest, or too far");
            expect(double{length(contact.b - contact.a - contact.distance * found.direction)} <= known,
                   "not beyond each other");
            const gjk::Point<T, N> on_a{contact.a}, on_b{contact.b};
            const double off_a = double{gjk::signed_distance(on_a, a).distance},
                         off_b = double{gjk::signed_distance(on_b, moved).distance};
            // Below a tilted face a rounded shape's point is inside.
            expect(off_a <= tolerance + known && off_b <= tolerance + known &&
                       off_a >= -tolerance - known - double{radius} && off_b >= -tolerance - known,
                   "a point is off its shape's surface");
        }
    }
};

/// Rods, rounded, that cross or lie side by side: one contact, or the two ends of what they share.
constexpr auto lay_rods = []<class T>(const Trial& trial) {
    specimens::Maker<T, 3> maker(trial.random);
    for (int i = 0; i < pairs_of(trial) / 16 && !trial.stopped(); ++i) {
        const gjk::Matrix<T, 3> axes = maker.rotation();
        const auto& [x, y, z] = axes.column;
        const auto from = static_cast<T>(trial.random.range(-1.5, 0.5));
        const gjk::Capsule<T> lying{-x, x, T(0.5)};
        const gjk::Capsule<T> beside{T(0.75) * z + from * x, T(0.75) * z + (from + T(1)) * x, T(0.5)};
        const gjk::Capsule<T> across{T(0.75) * z - y, T(0.75) * z + (T(1) + from) * y, T(0.5)};
        const auto together = gjk::contacts(lying, beside), crossing = gjk::contacts(lying, across);
        const double shared = std::min(1.0, double{from} + 1) - std::max(-1.0, double{from});
        Judge(trial, lying, beside)
            .expect(together.count == 2 &&
                        std::fabs(double{length(together.contacts[0].a - together.contacts[1].a)} - shared) < 1e-3,
                    Tally::untold, "rods side by side, and not both ends");
        if (from > T(-0.9)) {
            Judge(trial, lying, across)
                .expect(crossing.count == 1 && double{length(crossing.contacts[0].a - T(0.5) * z)} < 1e-3,
                        Tally::untold, "rods across each other, and not one contact");
        }
    }
};

constexpr Rate some[] = {{Tally::reached, Tally::cases, 0.2}, {Tally::culled_gjk, Tally::cases, 0.05, 0.5}};

constexpr Family families[] = {{"gjk_stacked", "gjk", in_all<stack_boxes>},
                               {"gjk_standing", "gjk", in_space<stand>},
                               {"gjk_contacts", "gjk", in_all<meet>, some, true},
                               {"gjk_rods", "gjk", in_space<lay_rods>}};

}  // namespace

std::span<const Family> contact_families() { return families; }

}  // namespace properties::gjk_subject
