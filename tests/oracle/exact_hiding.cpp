#include "oracle/exact_hiding.hpp"

namespace exact {
namespace {

Rational at(const HalfSpace& f, const Point& p) { return dot(f.normal, p) + f.offset; }

/// The slope of f on the way back to the eye.
Rational towards(const HalfSpace& f, const Point& way) { return dot(f.normal, way); }

/// Clips p + t way, 0 <= t <= most (endless without), by the facets.
bool way_meets(const Point& p, const Point& way, const std::optional<Rational>& most, const HalfSpaces& facets) {
    Rational enter = 0;
    std::optional<Rational> leave = most;
    for (const HalfSpace& f : facets) {
        const Rational value = at(f, p), slope = towards(f, way);
        if (slope == 0) {
            if (value < 0) return false;
            continue;
        }
        const Rational t = -value / slope;
        if (slope > 0 && t > enter) enter = t;
        if (slope < 0 && (!leave || t < *leave)) leave = t;
    }
    return !leave || enter <= *leave;
}

/// Facets' values at an eye, or for parallel sight what they grow by on the way back.
std::vector<Rational> values_at(const HalfSpaces& facets, const Sight& sight, std::size_t place) {
    std::vector<Rational> values;
    for (const HalfSpace& f : facets) {
        values.push_back(sight.eyes.empty() ? Rational(-dot(f.normal, sight.direction)) : at(f, sight.eyes[place]));
    }
    return values;
}

/// Adds what is hidden from one place. False if the place is inside.
bool add_hidden(const HalfSpaces& facets, const std::vector<Rational>& value, HalfSpaces& hidden) {
    bool faces_any = false;
    for (std::size_t i = 0; i < facets.size(); ++i) {
        if (value[i] >= 0) continue;
        faces_any = true;
        hidden.push_back(facets[i]);
        for (std::size_t j = 0; j < facets.size(); ++j) {
            if (value[j] < 0) continue;
            hidden.push_back({value[j] * facets[i].normal - value[i] * facets[j].normal,
                              value[j] * facets[i].offset - value[i] * facets[j].offset});
        }
    }
    return faces_any;
}

}  // namespace

HalfSpaces facets_of_box(const float min[3], const float max[3]) {
    HalfSpaces facets;
    for (std::size_t k = 0; k < 3; ++k) {
        const Point axis{k == 0 ? 1 : 0, k == 1 ? 1 : 0, k == 2 ? 1 : 0};
        facets.push_back({axis, -rational(min[k])});
        facets.push_back({Rational(-1) * axis, rational(max[k])});
    }
    return facets;
}

HalfSpaces facets_of_oriented_box(const float centre[3], const float half[3], const float axes[9]) {
    const auto vector = [](const float* v) { return point(v[0], v[1], v[2]); };
    Point edge[3];
    for (std::size_t k = 0; k < 3; ++k) edge[k] = rational(half[k]) * vector(axes + 3 * k);
    const Point c = vector(centre);
    HalfSpaces facets;
    for (std::size_t k = 0; k < 3; ++k) {
        Point normal = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
        if (dot(normal, edge[k]) < 0) normal = Rational(-1) * normal;
        const Rational reach = dot(normal, edge[k]), place = dot(normal, c);
        facets.push_back({normal, reach - place});
        facets.push_back({Rational(-1) * normal, reach + place});
    }
    return facets;
}

HalfSpaces facets_of_hull(std::span<const Point> points) {
    HalfSpaces facets;
    const auto add = [&](const Point& a, const Point& b, const Point& c) {
        HalfSpace f{cross(b - a, c - a), 0};
        f.offset = -dot(f.normal, a);
        bool above = false, below = false;
        for (const Point& p : points) {
            const Rational value = at(f, p);
            above = above || value > 0, below = below || value < 0;
            if (above && below) return;
        }
        for (const HalfSpace& g : facets) {
            if (at(g, a) == 0 && at(g, b) == 0 && at(g, c) == 0) return;
        }
        if (above || below) facets.push_back(above ? f : HalfSpace{Rational(-1) * f.normal, -f.offset});
    };
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = a + 1; b < points.size(); ++b) {
            for (std::size_t c = b + 1; c < points.size(); ++c) add(points[a], points[b], points[c]);
        }
    }
    return facets;
}

bool is_hidden(const Point& p, const Sight& sight, const HalfSpaces& facets) {
    if (sight.eyes.empty()) return way_meets(p, Rational(-1) * sight.direction, std::nullopt, facets);
    for (const Point& eye : sight.eyes) {
        if (!way_meets(p, eye - p, Rational(1), facets)) return false;
    }
    return true;
}

std::optional<HalfSpaces> hidden_by(const HalfSpaces& facets, const Sight& sight) {
    HalfSpaces hidden;
    for (std::size_t place = 0; place == 0 || place < sight.eyes.size(); ++place) {
        if (!add_hidden(facets, values_at(facets, sight, place), hidden)) return std::nullopt;
    }
    return hidden;
}

bool contain(const HalfSpaces& half_spaces, const Solid& solid, const Rational& grow) {
    const Rational radius = solid.radius + grow;
    for (const HalfSpace& f : half_spaces) {
        const Rational square = radius * radius * dot(f.normal, f.normal);
        for (const Point& p : solid.points) {
            const Rational value = at(f, p);
            if (value < 0 || value * value < square) return false;
        }
    }
    return true;
}

}  // namespace exact
