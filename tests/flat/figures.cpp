#include "flat/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include "flat/prepared_view.hpp"
#include "support/written.hpp"

namespace flat_tests {
namespace {

using exact::rational;
using exact::Rational;
using flat_oracle::Figure;
using flat_oracle::Points;
namespace flat = lanecull::flat;

struct Way {
    double x, y;
};

Way direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

flat_oracle::Point point(double x, double y) { return {rational(x), rational(y)}; }

/// centre + turn * p, exactly.
flat_oracle::Point placed(const Object& o, const Rational& x, const Rational& y) {
    const Rational turn_x = rational(o.fields[2]), turn_y = rational(o.fields[3]);
    return {rational(o.fields[0]) + turn_x * x - turn_y * y, rational(o.fields[1]) + turn_y * x + turn_x * y};
}

double as_double(const Rational& number) { return number.convert_to<double>(); }

/// How far it reaches along a direction from its origin.
double reach(const Figure& figure, Way way) {
    double farthest = -HUGE_VAL;
    for (const flat_oracle::Point& p : figure.corners) {
        farthest = std::fmax(farthest, way.x * as_double(p.x) + way.y * as_double(p.y));
    }
    return farthest + as_double(figure.radius);
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

void move(Kind kind, Object& o, double x, double y) {
    const auto add = [&](std::size_t k) {
        o.fields[k] = static_cast<float>(static_cast<double>(o.fields[k]) + x);
        o.fields[k + 1] = static_cast<float>(static_cast<double>(o.fields[k + 1]) + y);
    };
    add(0);
    if (kind == Kind::box || kind == Kind::capsule) add(2);
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

Figure figure_of(Kind kind, const Object& o, const flat::Polygon& polygon) {
    const auto& f = o.fields;
    switch (kind) {
        case Kind::circle:
            return {{point(f[0], f[1])}, rational(f[2])};
        case Kind::box:
            return flat_oracle::hull({point(f[0], f[1]), point(f[2], f[1]), point(f[2], f[3]), point(f[0], f[3])});
        case Kind::oriented_box: {
            const Rational x = rational(f[4]), y = rational(f[5]);
            return flat_oracle::hull({placed(o, -x, -y), placed(o, x, -y), placed(o, x, y), placed(o, -x, y)});
        }
        case Kind::capsule:
            return flat_oracle::hull({point(f[0], f[1]), point(f[2], f[3])}, rational(f[4]));
        case Kind::polygon: {
            Points points;
            for (std::uint32_t k = 0; k < polygon.count; ++k) {
                points.push_back(placed(o, rational(polygon.x[k]), rational(polygon.y[k])));
            }
            return flat_oracle::hull(std::move(points));
        }
    }
    return {};
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

lanecull::Status prepare(ViewKind kind, const std::vector<double>& numbers, flat::View& view) {
    const double* n = numbers.data();
    if (kind == ViewKind::rectangle) return flat::prepare_view(flat::Rectangle{n[0], n[1], n[2], n[3]}, view);
    if (kind == ViewKind::turned) {
        return flat::prepare_view(flat::TurnedRectangle{n[0], n[1], n[2], n[3], n[4], n[5]}, view);
    }
    return flat::prepare_view_from_points(numbers, view);
}

TestView make_view(ViewKind kind, const std::vector<double>& numbers, double size) {
    TestView made;
    made.kind = kind;
    made.size = size;
    made.text = std::to_string(static_cast<int>(kind)) + written(numbers);
    if (!prepare(kind, numbers, made.view)) return made;
    const double* n = numbers.data();
    Points corners;
    if (kind == ViewKind::rectangle) {
        for (const double x : {n[0], n[2]}) {
            for (const double y : {n[1], n[3]}) corners.push_back(point(x, y));
        }
    } else if (kind == ViewKind::turned) {
        const Rational axis_x = rational(n[4]), axis_y = rational(n[5]);
        for (const double s : {-n[2], n[2]}) {
            for (const double t : {-n[3], n[3]}) {
                const Rational along = rational(s), up = rational(t);
                corners.push_back(
                    {rational(n[0]) + along * axis_x - up * axis_y, rational(n[1]) + along * axis_y + up * axis_x});
            }
        }
    } else {
        for (std::size_t i = 0; i < numbers.size(); i += 2) corners.push_back(point(numbers[i], numbers[i + 1]));
    }
    made.figure = flat_oracle::hull(std::move(corners));
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
    const flat_oracle::Points& corners = view.figure.corners;
    Object object = object_at_origin(random, kind, size);
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(corners.size())));
    const flat_oracle::Point &a = corners[at], &b = corners[(at + 1) % corners.size()];
    const flat_oracle::Point& before = corners[(at + corners.size() - 1) % corners.size()];
    const auto outward = [](const flat_oracle::Point& from, const flat_oracle::Point& to) -> Way {
        const double x = as_double(to.y - from.y), y = as_double(from.x - to.x), length = std::hypot(x, y);
        return {x / length, y / length};
    };
    const Way of_edge = outward(a, b), of_other = outward(before, a);
    const double along = random.chance(0.5) ? 0 : random.unit();  // at the corner, or on the edge
    const double turn = along > 0 || random.chance(0.2) ? 0 : random.unit();
    Way way = {of_edge.x + turn * (of_other.x - of_edge.x), of_edge.y + turn * (of_other.y - of_edge.y)};
    const double length = std::hypot(way.x, way.y);
    way = {way.x / length, way.y / length};
    const double x = as_double(a.x) + along * as_double(b.x - a.x), y = as_double(a.y) + along * as_double(b.y - a.y);
    double gap = 0;
    if (random.chance(0.3)) gap = view.size * random.range(-2, 2);
    if (random.chance(0.4)) gap = random.sign() * (size + view.size) * random.log_range(1e-8, 1e-2);
    if (allowed == Gap::ulps || random.chance(0.3))
        gap = random.range(-8, 8) * 0x1p-24 * (std::fabs(x) + std::fabs(y) + size);
    const double out = reach(figure_of(kind, object, polygon), {-way.x, -way.y}) + gap;
    move(kind, object, x + out * way.x, y + out * way.y);
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
