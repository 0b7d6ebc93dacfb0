#include "flat/kind_list.hpp"
#include "flat/prepared_view.hpp"
#include "flat/work.hpp"

#include <cmath>
#include <limits>

#include "base/interval.hpp"

namespace lanecull::flat {
namespace {

struct Vec2 {
    double x, y;
};
Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
Vec2 turned(Vec2 z, Vec2 v) { return {z.x * v.x - z.y * v.y, z.y * v.x + z.x * v.y}; }

/// A 2D shape: the hull of points, in order around it, rounded by a radius.
struct Rounded {
    Vec2 points[Polygon::max_points];
    std::uint32_t count = 0;
    double radius = 0;
    bool along_axes = false;  // its points' coordinates are the record's numbers, unchanged

    void add(Vec2 point) { points[count++] = point; }
};

Vec2 pair(const float* x, const float* y, std::uint32_t i) {
    return {static_cast<double>(x[i]), static_cast<double>(y[i])};
}

Rounded figure(const Circles& s, std::uint32_t i) {
    Rounded made;
    made.add(pair(s.x, s.y, i));
    made.radius = static_cast<double>(s.radius[i]);
    return made;
}

Rounded figure(const Boxes& s, std::uint32_t i) {
    Rounded made;
    made.add(pair(s.min_x, s.min_y, i));
    made.add(pair(s.max_x, s.min_y, i));
    made.add(pair(s.max_x, s.max_y, i));
    made.add(pair(s.min_x, s.max_y, i));
    made.along_axes = true;
    return made;
}

Rounded figure(const OrientedBoxes& s, std::uint32_t i) {
    const Vec2 center = pair(s.x, s.y, i), axis = pair(s.axis_x, s.axis_y, i), half = pair(s.half_x, s.half_y, i);
    Rounded made;
    for (const Vec2 sign : {Vec2{-1, -1}, Vec2{1, -1}, Vec2{1, 1}, Vec2{-1, 1}}) {
        const Vec2 way = turned(axis, {sign.x * half.x, sign.y * half.y});
        made.add({center.x + way.x, center.y + way.y});
    }
    return made;
}

Rounded figure(const Capsules& s, std::uint32_t i) {
    Rounded made;
    made.add(pair(s.a_x, s.a_y, i));
    made.add(pair(s.b_x, s.b_y, i));
    made.radius = static_cast<double>(s.radius[i]);
    return made;
}

Rounded figure(const PolygonInstances& s, std::uint32_t i) {
    const Vec2 center = pair(s.x, s.y, i), turn = pair(s.turn_x, s.turn_y, i);
    Rounded made;
    for (std::uint32_t k = 0; k < s.polygon->count; ++k) {
        const Vec2 way = turned(turn, pair(s.polygon->x, s.polygon->y, k));
        made.add({center.x + way.x, center.y + way.y});
    }
    return made;
}

/// Tries directions and keeps the one with the largest gap.
class Search {
public:
    Search(const PreparedView& view, const Rounded& figure) : view_(view), figure_(figure) {
        for (std::uint32_t k = 0; k < figure.count; ++k) add_magnitude(figure.points[k]);
        for (std::uint32_t k = 0; k < view.vertex_count; ++k) add_magnitude(corner(k));
        magnitude_ += figure.radius;
    }

    void run() {
        for (const Vec2 axis : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
            try_out(axis, figure_.along_axes && view_.exact_error == 0);
        }
        for (std::uint32_t k = 0; k < view_.vertex_count; ++k) {
            const Vec2 edge = corner((k + 1) % view_.vertex_count) - corner(k);
            try_out({-edge.y, edge.x}, false);
        }
        for (std::uint32_t k = 0; k < figure_.count; ++k) {
            const Vec2 edge = figure_.points[(k + 1) % figure_.count] - figure_.points[k];
            try_out({edge.y, -edge.x}, false);
            for (std::uint32_t i = 0; i < view_.vertex_count; ++i) {
                try_out(corner(i) - figure_.points[k], false);
            }
        }
    }

    void write(Certificate& certificate) const {
        certificate.direction[0] = direction_.x;
        certificate.direction[1] = direction_.y;
        certificate.gap = gap_ > 0 ? float_down(gap_ * (1 - 0x1p-40)) : 0;
    }

private:
    [[nodiscard]] Vec2 corner(std::uint32_t k) const { return {view_.exact_vertex[k][0], view_.exact_vertex[k][1]}; }
    void add_magnitude(Vec2 p) { magnitude_ = std::fmax(magnitude_, std::fabs(p.x) + std::fabs(p.y)); }

    /// `exact`: neither the shape's points nor their components along w are rounded.
    void try_out(Vec2 w, bool exact) {
        const double size = std::hypot(w.x, w.y);
        if (!(size > 0)) return;
        w = {w.x / size, w.y / size};
        double highest = -HUGE_VAL, lowest = HUGE_VAL;
        for (std::uint32_t k = 0; k < figure_.count; ++k) highest = std::fmax(highest, dot(w, figure_.points[k]));
        for (std::uint32_t k = 0; k < view_.vertex_count; ++k) lowest = std::fmin(lowest, dot(w, corner(k)));
        const double error = exact ? 0 : 0x1p-48 * magnitude_ + 2 * view_.exact_error;
        const double gap = lowest - highest - figure_.radius - error;
        if (!(gap > gap_)) return;
        gap_ = gap;
        direction_ = w;
    }

    const PreparedView& view_;
    const Rounded& figure_;
    double magnitude_ = 0;
    double gap_ = -HUGE_VAL;
    Vec2 direction_ = {0, 0};
};

}  // namespace

void certify(const Batch& batch, const PreparedView& view, const RangeTask& task) {
    for (std::uint32_t i = 0; i < task.count; ++i) {
        Certificate& certificate = task.certificates[i];
        certificate.far_depth = std::numeric_limits<float>::infinity();  // 2D views have no depth
        if (!is_culled(certificate.reason)) continue;
        const Rounded rounded = visit(batch, [&](const auto& shapes) { return figure(shapes, task.first + i); });
        Search search(view, rounded);
        search.run();
        search.write(certificate);
    }
}

}  // namespace lanecull::flat
