#include "flat/figures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "flat/prepared_view.hpp"
#include "support/random.hpp"

namespace flat_tests {
namespace {

using exact::Point;
using exact::rational;
using Way = exact::Vec<double>;  ///< a vector of the plane
namespace flat = lanecull::flat;

Way direction(double angle) { return {std::cos(angle), std::sin(angle), 0}; }

/// The corners of the convex hull, counter-clockwise.
std::vector<Point> hull(std::vector<Point> points) {
    std::ranges::sort(points, [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    points.erase(std::unique(points.begin(), points.end()), points.end());
    if (points.size() < 3) return points;
    std::vector<Point> chain;
    const auto turns_left = [&](const Point& to) {
        return cross(chain.back() - chain[chain.size() - 2], to - chain.back()).z > 0;
    };
    for (int way = 0; way < 2; ++way) {
        const std::size_t start = chain.size();
        for (const Point& p : points) {
            while (chain.size() >= start + 2 && !turns_left(p)) chain.pop_back();
            chain.push_back(p);
        }
        chain.pop_back();
        std::ranges::reverse(points);
    }
    return chain;
}

/// At the origin, some `size` large; degenerate now and then.
Object object_at_origin(Random& random, Kind kind, double size) {
    const auto number = [&](double x) { return static_cast<float>(x); };
    const auto extent = [&] { return random.chance(0.15) ? 0 : size * random.log_range(1e-4, 1); };
    const Way axis = direction(random.chance(0.2) ? 0 : random.range(0, 2 * std::numbers::pi));
    switch (kind) {
        case Kind::circle:
            return {{0, 0, number(extent())}};
        case Kind::box: {
            const double x = extent(), y = extent();
            return {{number(-x), number(-y), number(x), number(y)}};
        }
        case Kind::oriented_box: {
            const double scale = random.chance(0.7) ? 1 : random.log_range(1e-3, 1e3);
            const auto half = [&] { return std::fmin(extent() / scale, std::numeric_limits<float>::max()); };
            const double x = half(), y = half();
            return {{0, 0, number(scale * axis.x), number(scale * axis.y), number(x), number(y)}};
        }
        case Kind::capsule: {
            const double length = extent();
            return {{number(-length * axis.x), number(-length * axis.y), number(length * axis.x),
                     number(length * axis.y), number(extent())}};
        }
        case Kind::polygon: {
            const double scale = extent();
            return {{0, 0, number(scale * axis.x), number(scale * axis.y)}};
        }
    }
    return {};
}

void move(Kind kind, Object& o, const Way& by) {
    const auto add = [&](std::size_t k) {
        o.fields[k] = static_cast<float>(static_cast<double>(o.fields[k]) + by.x);
        o.fields[k + 1] = static_cast<float>(static_cast<double>(o.fields[k + 1]) + by.y);
    };
    add(0);
    if (kind == Kind::box || kind == Kind::capsule) add(2);
}

lanecull::Status prepare(ViewKind kind, const std::vector<double>& numbers, flat::View& view) {
    const double* n = numbers.data();
    if (kind == ViewKind::rectangle) return flat::prepare_view(flat::Rectangle{n[0], n[1], n[2], n[3]}, view);
    if (kind == ViewKind::turned) {
        return flat::prepare_view(flat::TurnedRectangle{n[0], n[1], n[2], n[3], n[4], n[5]}, view);
    }
    return flat::prepare_view_from_points(numbers, view);
}

}  // namespace

const char* kind_name(Kind kind) {
    constexpr const char* names[] = {"circle", "box", "oriented_box", "capsule", "polygon"};
    return names[static_cast<int>(kind)];
}

std::size_t field_count(Kind kind) {
    constexpr std::size_t counts[] = {3, 4, 6, 5, 4};
    return counts[static_cast<int>(kind)];
}

bool is_size(Kind kind, std::size_t field) {
    return (kind == Kind::circle && field == 2) || (kind == Kind::capsule && field == 4) ||
           (kind == Kind::oriented_box && field >= 4);
}

std::string describe(Kind kind, const Object& object) {
    return kind_name(kind) + written(std::span(object.fields).first(field_count(kind)));
}

flat::Batch make_batch(Kind kind, const std::vector<Object>& objects, const flat::Polygon& polygon, Memory& memory,
                       std::uint32_t first_index) {
    const float* streams[6] = {};
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        float* stream = memory.array<float>(objects.size());
        for (std::size_t i = 0; i < objects.size(); ++i) stream[i] = objects[i].fields[k];
        streams[k] = stream;
    }
    const auto& [a, b, c, d, e, f] = streams;
    const auto count = static_cast<std::uint32_t>(objects.size());
    switch (kind) {
        case Kind::circle:
            return {flat::Circles{a, b, c, count}, first_index};
        case Kind::box:
            return {flat::Boxes{a, b, c, d, count}, first_index};
        case Kind::oriented_box:
            return {flat::OrientedBoxes{a, b, c, d, e, f, count}, first_index};
        case Kind::capsule:
            return {flat::Capsules{a, b, c, d, e, count}, first_index};
        case Kind::polygon:
            break;
    }
    return {flat::PolygonInstances{a, b, c, d, &polygon, count}, first_index};
}

TestView make_view(ViewKind kind, const std::vector<double>& numbers, double size) {
    TestView made;
    made.kind = kind;
    made.size = size;
    made.text = std::to_string(static_cast<int>(kind)) + written(numbers);
    if (!prepare(kind, numbers, made.view)) return made;
    const auto& n = numbers;
    std::vector<Point> points;
    if (kind == ViewKind::rectangle) {
        points = {exact::point(n[0], n[1], 0), exact::point(n[2], n[1], 0), exact::point(n[0], n[3], 0),
                  exact::point(n[2], n[3], 0)};
    } else if (kind == ViewKind::turned) {
        const Point center = exact::point(n[0], n[1], 0);
        const Point along = rational(n[2]) * exact::point(n[4], n[5], 0);
        const Point up = rational(n[3]) * exact::point(-n[5], n[4], 0);
        points = {center + along + up, center + along - up, center - along + up, center - along - up};
    } else {
        for (std::size_t i = 0; i < n.size(); i += 2) points.push_back(exact::point(n[i], n[i + 1], 0));
    }
    made.corners = hull(std::move(points));
    return made;
}

TestView random_view(Random& random, ViewKind kind) {
    const double size = random.chance(0.5) ? random.range(1, 100) : random.log_range(1e-15, 1e24);
    const double far = random.chance(0.5) ? 0 : size * random.log_range(1, 1e5);
    const double x = random.range(-far, far), y = random.range(-far, far);
    const double other = size * (random.chance(0.7) ? random.range(0.3, 1) : random.log_range(1e-4, 1));
    TestView view = random_view(random, kind, x, y, size, other);
    EXPECT_TRUE(view.view.prepared()) << view.text;
    return view;
}

TestView random_view(Random& random, ViewKind kind, double x, double y, double size, double other) {
    if (kind == ViewKind::rectangle) {
        std::vector<double> numbers = {x - size, y - other, x + size, y + other};
        if (random.chance(0.5)) {
            for (double& number : numbers) number = static_cast<double>(static_cast<float>(number));
        }
        if (numbers[0] < numbers[2] && numbers[1] < numbers[3]) return make_view(kind, numbers, size);
        return make_view(kind, {-1, -2, 3, 4}, 1);
    }
    const Way axis = direction(random.range(0, 2 * std::numbers::pi));
    if (kind == ViewKind::turned) {
        const double scale = random.chance(0.7) ? 1 : random.log_range(1e-3, 1e3);
        return make_view(kind, {x, y, size / scale, other / scale, scale * axis.x, scale * axis.y}, size);
    }
    const int corners = kind == ViewKind::triangle ? 3 : 4 + random.below(13);
    std::vector<double> numbers;
    for (int k = 0; k < corners; ++k) {
        const Way way = direction(2 * std::numbers::pi * (k + random.range(-0.4, 0.4)) / corners);
        numbers.push_back(x + axis.x * size * way.x - axis.y * other * way.y);
        numbers.push_back(y + axis.y * size * way.x + axis.x * other * way.y);
    }
    return make_view(kind, numbers, size);
}

flat::Polygon random_polygon(Random& random) {
    float x[flat::Polygon::max_points], y[flat::Polygon::max_points];
    const int count = random.chance(0.2) ? 1 + random.below(2) : 3 + random.below(10);
    const double flatness = random.chance(0.7) ? random.range(0.3, 1) : random.log_range(1e-4, 1);
    const double off = random.chance(0.7) ? 0 : random.range(-3, 3);
    for (int k = 0; k < count; ++k) {
        const Way way = direction(2 * std::numbers::pi * (k + random.range(-0.4, 0.4)) / count);
        x[k] = static_cast<float>(way.x + off);
        y[k] = static_cast<float>(flatness * way.y);
    }
    flat::Polygon polygon;
    const lanecull::Status status = flat::prepare_polygon(x, y, static_cast<std::uint32_t>(count), polygon);
    EXPECT_TRUE(status.ok()) << status.message();
    return polygon;
}

Object random_object(Random& random, Kind kind, const TestView& view, const flat::Polygon& polygon) {
    const double size = view.size * (random.chance(0.5) ? random.log_range(0.01, 1) : random.log_range(1e-6, 1e3));
    return random_object(random, kind, view, polygon, size, Gap::any);
}

Object random_object(Random& random, Kind kind, const TestView& view, const flat::Polygon& polygon, double size,
                     Gap allowed) {
    Object object = object_at_origin(random, kind, size);
    const std::size_t count = view.corners.size();
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(count)));
    const Point& corner = view.corners[at];
    const Way to_next = exact::to_double(view.corners[(at + 1) % count] - corner);
    const Way from_last = exact::to_double(corner - view.corners[(at + count - 1) % count]);
    const auto outward = [](const Way& edge) { return Way(1 / length(edge) * Way{edge.y, -edge.x, 0}); };
    const double along = random.chance(0.5) ? 0 : random.unit();  // at the corner, or on the edge
    const double turn = along > 0 || random.chance(0.2) ? 0 : random.unit();
    Way way = outward(to_next) + turn * (outward(from_last) - outward(to_next));
    way = 1 / length(way) * way;
    const Way place = exact::to_double(corner) + along * to_next;
    double gap = 0;
    if (random.chance(0.3)) gap = view.size * random.range(-2, 2);
    if (random.chance(0.4)) gap = random.sign() * (size + view.size) * random.log_range(1e-8, 1e-2);
    if (allowed == Gap::ulps || random.chance(0.3))
        gap = random.range(-8, 8) * 0x1p-24 * (std::fabs(place.x) + std::fabs(place.y) + size);
    const auto figure = figure_of<double>(kind, object, polygon);
    double reach = -HUGE_VAL;  // against the way
    for (const Way& p : figure.points) reach = std::fmax(reach, -dot(way, p));
    move(kind, object, place + (reach + figure.radius + gap) * way);
    return object;
}

std::vector<Object> random_objects(Random& random, Kind kind, const TestView& view, const flat::Polygon& polygon,
                                   std::size_t count) {
    std::vector<Object> objects;
    while (objects.size() < count) objects.push_back(random_object(random, kind, view, polygon));
    return objects;
}

double tolerance(Kind kind, const Object& object, const TestView& view, const flat::Polygon& polygon) {
    const flat::PreparedView& prepared_view = contents_of(view.view);
    const auto& f = object.fields;
    const auto size = [](float x, float y) {
        return std::fabs(static_cast<double>(x)) + std::fabs(static_cast<double>(y));
    };
    const auto relative = [&](std::size_t k) {
        return size(f[k] - prepared_view.origin[0], f[k + 1] - prepared_view.origin[1]);
    };
    double magnitude = 0;  // a box is cut to the view's
    if (kind != Kind::box) magnitude = relative(0);
    if (kind == Kind::circle) magnitude += static_cast<double>(f[2]);
    if (kind == Kind::capsule) magnitude += relative(2) + static_cast<double>(f[4]);
    if (kind == Kind::oriented_box) magnitude += size(f[2], f[3]) * size(f[4], f[5]);
    if (kind == Kind::polygon) magnitude += size(f[2], f[3]) * static_cast<double>(polygon.magnitude);
    return 4 * 9 * 0x1p-24 * (magnitude + static_cast<double>(prepared_view.magnitude)) + 1e-29;
}

}  // namespace flat_tests
