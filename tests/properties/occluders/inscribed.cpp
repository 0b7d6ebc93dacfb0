#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

#include <lanecull/cull.h>
#include <lanecull/solids.h>

#include "properties/occluders/setting.hpp"
#include "support/random.hpp"

namespace properties {
namespace {

using lanecull::OccluderRefusal;
using lanecull::SolidHull;

/// Vertices in a cube or on a ball, of any size and place.
struct Cloud {
    double size, away;
    Vertices vertices;

    explicit Cloud(Random& random)
        : size(random.log_range(1e-20, 1e20)), away(random.chance(0.5) ? 0 : size * random.log_range(1, 1e4)) {
        vertices.resize(static_cast<std::size_t>(4 + random.below(60)));
        const bool is_ball = random.chance(0.7);
        for (auto& vertex : vertices) {
            const Double3 at = is_ball ? random_direction(random)
                                       : Double3{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
            for (std::size_t k = 0; k < 3; ++k) vertex[k] = static_cast<float>(away + size * at[k]);
        }
    }
    [[nodiscard]] std::string text() const {
        std::string all = "vertices";
        for (const auto& vertex : vertices) all += written(vertex) + ",";
        return all;
    }
};

std::string what_is_wrong(const Vertices& vertices, const SolidHull& hull) {
    if (hull.corner_count > SolidHull::max_corners || hull.triangle_count != 2 * hull.corner_count - 4) {
        return "counts of corners and triangles that make no polytope";
    }
    const std::set<std::array<float, 3>> given(vertices.begin(), vertices.end());
    for (const auto& corner : TestHull{hull, {}}.corners()) {
        if (!given.contains(corner)) return "a corner that is no vertex";
    }
    for (const auto& vertex : vertices) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (vertex[k] < hull.drawn.lower[k] || vertex[k] > hull.drawn.upper[k]) return "drawn beyond its box";
        }
    }
    return {};
}

/// Facets, moved inward by so much.
exact::HalfSpaces moved(exact::HalfSpaces facets, double by) {
    for (exact::HalfSpace& f : facets) {
        const exact::Vec<double> n = exact::to_double(f.normal);
        f.offset -= exact::rational(by * std::hypot(n.x, n.y, n.z));
    }
    return facets;
}

Double3 in_doubles(const std::array<float, 3>& p) {
    return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// On a way from the eye through the polytope, or beside it.
Double3 place_through(Random& random, const Vertices& corners, double size, const Double3& eye) {
    Double3 at{};
    for (int n = 0; n < 3; ++n) at = at + 1.0 / 3 * in_doubles(corners[random.bits() % corners.size()]);
    const Double3 way = at + size * random.unit() * random_direction(random) - eye;
    return eye + random.log_range(0.9, 5) * way;
}

/// An eye outside of the cloud, whose near planes come close to it.
TestViewpoint viewpoint_beside(Random& random, const Cloud& cloud) {
    const double nearest = cloud.size * random.log_range(0.1, 100);
    const Double3 middle = {cloud.away, cloud.away, cloud.away};
    TestViewpoint from;
    from.eye = middle + (nearest + 1.8 * cloud.size) * random_direction(random);
    from.sight.eyes = {exact::point(from.eye[0], from.eye[1], from.eye[2])};
    if (!lanecull::prepare_viewpoint_from_eyes(from.eye, 0.5 * nearest, from.viewpoint)) {
        throw std::runtime_error("no viewpoint");
    }
    return from;
}

}  // namespace

void hide_by_inscribed(Trial& trial) {
    Random& random = trial.random;
    const Cloud cloud(random);
    TestHull hull{{}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    if (!inscribe(cloud.vertices, hull.hull)) return;  // they lie in a plane
    const auto text = [&] { return cloud.text(); };
    const std::string wrong = what_is_wrong(cloud.vertices, hull.hull);
    if (!wrong.empty()) {
        trial.fail(Tally::unproved, wrong, text);
        return;
    }
    HidingSetting setting;
    setting.view = view_of_all();
    setting.from = viewpoint_beside(random, cloud);
    setting.text = cloud.text() + "\n  eye" + written(setting.from.eye);
    const lanecull::Viewpoint& from = setting.from.viewpoint;
    const Double3 eye = setting.from.eye;
    lanecull::Occluder& occluder = setting.occluders.emplace_back();
    const OccluderRefusal refusal = prepare(hull, from, occluder);
    if (refusal != OccluderRefusal::none && refusal != OccluderRefusal::too_thin) {
        trial.fail(Tally::untold, std::string("refused: ") + name_of(refusal), text);
    }
    ++trial.at(Tally::cases);
    if (refusal != OccluderRefusal::none) return;
    ++trial.at(Tally::reached);
    const Vertices corners = hull.corners();
    double farthest = 0;
    for (const auto& corner : corners) farthest = std::max(farthest, length(in_doubles(corner) - eye));
    const double margin = random.chance(0.5) ? 0 : random.log_range(1e-4, 0.1) * cloud.size / farthest;
    if (margin > 0 && prepare(hull, from, occluder, {.raster = {.per_distance = margin}}) != OccluderRefusal::none)
        return;
    setting.solids = {{hull, {}, moved(facets_of(hull), margin * farthest * (1 - 1e-12)), "the polytope"}};
    setting.hidden = {hidden_by(setting.solids[0].facets, setting.from.sight).value()};
    setting.well_hidden = setting.hidden;
    if (margin > 0) setting.well_hidden = {{exact::half_space(0, 0, 0, -1)}};  // nothing, for certain
    setting.hulls = random_hulls(random, 1);  // of one vertex: rationals would take long
    setting.ask_all = true;
    for (const Kind kind : all_kinds) {
        const Double3 at = place_through(random, corners, cloud.size, eye);
        const double size = cloud.size * random.log_range(1e-5, 0.05);
        setting.objects.push_back({object_at(random, kind, at, size, setting.hulls)});
    }
    run_setting(setting, trial);
}

namespace {

/// An axis and a radius of any size, at any place.
struct TestAxis {
    float a[3], b[3], radius;
    double size, away, length;

    explicit TestAxis(Random& random) : size(random.log_range(1e-44, 1e20)) {
        away = random.chance(0.5) ? 0 : size * random.log_range(1, 1e8);
        length = random.chance(0.2) ? 0 : size * random.log_range(1e-4, 1e4);
        const Double3 at = away * random_direction(random), way = length * random_direction(random);
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = static_cast<float>(at[k]);
            b[k] = static_cast<float>(at[k] + way[k]);
        }
        radius = static_cast<float>(size);
    }
    /// Whether floats around it are fine beside a length.
    [[nodiscard]] bool is_fine_beside(double of) const { return size > 1e-30 && of > 0x1p-16 * (away + length + size); }
    [[nodiscard]] std::string text() const {
        return "a" + written(a) + "\n  b" + written(b) + "\n  radius " + written(std::array{radius});
    }
    [[nodiscard]] exact::Point from_a(const float (&p)[3]) const {
        return exact::point(p[0], p[1], p[2]) - exact::point(a[0], a[1], a[2]);
    }
    [[nodiscard]] exact::Rational square_radius() const { return exact::rational(radius) * exact::rational(radius); }
};

/// A capsule, or a ball.
struct TestCapsule : TestAxis {
    static constexpr double least_share = 0.55;
    static constexpr auto inscribe = lanecull::inscribe_capsule;
    using TestAxis::TestAxis;
    /// Whether it is not to be refused.
    [[nodiscard]] bool is_fine() const { return is_fine_beside(size); }
    /// Decided in rationals, by the segment's nearest point.
    [[nodiscard]] bool contains(const float (&p)[3]) const {
        using exact::Rational;
        const exact::Point from = from_a(p), way = from_a(b);
        const Rational square = dot(way, way);
        const Rational share = square == 0 ? Rational(0) : Rational(dot(from, way) / square);
        const exact::Point apart = from - std::clamp(share, Rational(0), Rational(1)) * way;
        return dot(apart, apart) <= square_radius();
    }
    [[nodiscard]] bool lies_in(const lanecull::BoxBounds& box) const {
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float end : {a[k], b[k]}) {
                if (exact::rational(end) - exact::rational(radius) < exact::rational(box.lower[k])) return false;
                if (exact::rational(end) + exact::rational(radius) > exact::rational(box.upper[k])) return false;
            }
        }
        return true;
    }
    [[nodiscard]] double volume() const { return 3.14159265 * size * size * (length + 4.0 / 3 * size); }
};

struct TestCylinder : TestAxis {
    static constexpr double least_share = 0.84;
    static constexpr auto inscribe = lanecull::inscribe_cylinder;
    using TestAxis::TestAxis;
    [[nodiscard]] bool is_fine() const { return is_fine_beside(size) && is_fine_beside(length); }
    [[nodiscard]] bool contains(const float (&p)[3]) const {
        const exact::Point from = from_a(p), way = from_a(b), aside = cross(from, way);
        const exact::Rational depth = dot(from, way), square = dot(way, way);
        return depth >= 0 && depth <= square && dot(aside, aside) <= square_radius() * square;
    }
    /// An end reaches radius sqrt(1 - n_k^2) along coordinate k, where n is the axis' direction.
    [[nodiscard]] bool lies_in(const lanecull::BoxBounds& box) const {
        const exact::Point way = from_a(b);
        const exact::Rational square = dot(way, way), along[3] = {way.x, way.y, way.z};
        for (std::size_t k = 0; k < 3; ++k) {
            const exact::Rational reach = square_radius() * (square - along[k] * along[k]);
            for (const float end : {a[k], b[k]}) {
                const exact::Rational below = exact::rational(end) - exact::rational(box.lower[k]);
                const exact::Rational above = exact::rational(box.upper[k]) - exact::rational(end);
                if (below < 0 || above < 0) return false;
                if (below * below * square < reach || above * above * square < reach) return false;
            }
        }
        return true;
    }
    [[nodiscard]] double volume() const { return 3.14159265 * size * size * length; }
};

double volume_of(const SolidHull& hull) {
    const auto corner = [&](std::uint8_t c) {
        Double3 from_first{};
        for (std::size_t k = 0; k < 3; ++k) {
            from_first[k] = static_cast<double>(hull.corner[c][k]) - static_cast<double>(hull.corner[0][k]);
        }
        return from_first;
    };
    double sum = 0;
    for (std::uint32_t t = 0; t < hull.triangle_count; ++t) {
        const auto& at = hull.triangle[t];
        sum += dot(corner(at[0]), cross(corner(at[1]), corner(at[2]))) / 6;
    }
    return sum;
}

template <class Shape>
void inscribe_round(Trial& trial) {
    const Shape shape(trial.random);
    const auto fail = [&](const char* why) { trial.fail(Tally::unproved, why, [&] { return shape.text(); }); };
    ++trial.at(Tally::cases);
    SolidHull hull;
    if (const lanecull::Status status = Shape::inscribe(shape.a, shape.b, shape.radius, hull); !status) {
        if (shape.is_fine()) fail(status.message().text);
        return;
    }
    ++trial.at(Tally::reached);
    for (std::uint32_t c = 0; c < hull.corner_count; ++c) {
        if (!shape.contains(hull.corner[c])) return fail("a corner is outside of the shape");
    }
    if (!shape.lies_in(hull.drawn)) return fail("the shape is drawn beyond its box");
    if (!shape.is_fine()) return;
    if (volume_of(hull) < Shape::least_share * shape.volume()) return fail("much of the shape is left out");
    lanecull::Viewpoint from;
    lanecull::Occluder occluder;
    const double way[3] = {0, 0, 1}, middle[3] = {shape.a[0], shape.a[1], shape.a[2]};
    if (!lanecull::prepare_viewpoint_along(way, middle, from)) return fail("no viewpoint");
    const lanecull::SolidHullInstance placed{&hull, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    const OccluderRefusal refusal = prepare_occluder(placed, from, occluder);
    if (refusal != OccluderRefusal::none && refusal != OccluderRefusal::too_thin) fail(name_of(refusal));
}

}  // namespace

void inscribe_capsules(Trial& trial) { inscribe_round<TestCapsule>(trial); }
void inscribe_cylinders(Trial& trial) { inscribe_round<TestCylinder>(trial); }

}  // namespace properties
