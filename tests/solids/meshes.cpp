#include "solids/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "oracle/exact.hpp"
#include "support/random.hpp"

namespace meshes {

lanecull::TriangleMesh Mesh::view() const {
    const float* const v = vertices.empty() ? nullptr : vertices[0].data();
    return {{v, v + 1, v + 2, static_cast<std::uint32_t>(vertices.size()), sizeof(Corner)},
            triangles.empty() ? nullptr : triangles[0].data(),
            static_cast<std::uint32_t>(triangles.size())};
}

void Mesh::add(const Mesh& other) {
    const auto base = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const Index3& t : other.triangles) triangles.push_back({base + t[0], base + t[1], base + t[2]});
}

Mesh Mesh::flipped() const {
    Mesh mesh = *this;
    for (Index3& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

Mesh Mesh::mapped(const std::function<std::array<double, 3>(double, double, double)>& map) const {
    Mesh mesh = *this;
    for (Corner& v : mesh.vertices) {
        const auto to = map(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]));
        for (std::size_t k = 0; k < 3; ++k) v[k] = static_cast<float>(to[k]);
    }
    return mesh;
}

std::string Mesh::describe() const {
    std::string text;
    for (const Index3& t : triangles) {
        for (const std::uint32_t index : t) {
            if (index >= vertices.size()) {
                text += " no vertex";
                continue;
            }
            text += written(vertices[index]);
        }
        text += '\n';
    }
    return text;
}

Mesh surface_of(const std::array<std::vector<float>, 3>& lines, const Solidity& is_solid) {
    Mesh mesh;
    const auto cells = [&](std::size_t k) { return static_cast<int>(lines[k].size()) - 1; };
    const auto solid = [&](std::array<int, 3> c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (c[k] < 0 || c[k] >= cells(k)) return false;
        }
        return is_solid(c[0], c[1], c[2]);
    };
    const auto add_face = [&](std::array<int, 3> c, std::size_t k, int up) {
        const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
        const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
        constexpr int square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        for (const auto& at : square) {
            std::array<int, 3> line = c;
            line[k] += up, line[u] += at[0], line[v] += at[1];
            Corner corner;
            for (std::size_t a = 0; a < 3; ++a) corner[a] = lines[a][static_cast<std::size_t>(line[a])];
            mesh.vertices.push_back(corner);
        }
        const std::uint32_t second = base + (up == 1 ? 1 : 3), last = base + (up == 1 ? 3 : 1);
        mesh.triangles.insert(mesh.triangles.end(), {{base, second, base + 2}, {base, base + 2, last}});
    };
    for (int c = 0; c < cells(0) * cells(1) * cells(2); ++c) {
        const std::array<int, 3> cell = {c % cells(0), c / cells(0) % cells(1), c / (cells(0) * cells(1))};
        for (std::size_t side = 0; side < 6 && solid(cell); ++side) {
            const int up = static_cast<int>(side % 2);
            std::array<int, 3> beside = cell;
            beside[side / 2] += 2 * up - 1;
            if (!solid(beside)) add_face(cell, side / 2, up);
        }
    }
    return mesh;
}

Mesh box(const Corner& lo, const Corner& hi) {
    return surface_of({{{lo[0], hi[0]}, {lo[1], hi[1]}, {lo[2], hi[2]}}}, [](int, int, int) { return true; });
}

namespace {

/// A line about the z axis: its distance from there and its height by an angle. Closed, or with poles.
Mesh turned_surface(int around, int along, bool has_poles,
                    const std::function<std::pair<double, double>(double)>& line) {
    Mesh mesh;
    const double turn = 2 * std::acos(-1.0);
    const int rows = has_poles ? along + 1 : along;
    const auto index = [&](int a, int b) {
        const int row = has_poles ? b : b % along;
        const int column = has_poles && (b == 0 || b == along) ? 0 : a % around;
        return static_cast<std::uint32_t>(row * around + column);
    };
    for (int b = 0; b < rows; ++b) {
        const auto [r, z] = line(turn * b / along);
        for (int a = 0; a < around; ++a) {
            const double x = r * std::cos(turn * a / around), y = r * std::sin(turn * a / around);
            mesh.vertices.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
        }
    }
    for (int b = 0; b < along; ++b) {
        for (int a = 0; a < around; ++a) {
            const std::uint32_t corner[4] = {index(a, b), index(a + 1, b), index(a + 1, b + 1), index(a, b + 1)};
            if (corner[0] != corner[1]) mesh.triangles.push_back({corner[0], corner[1], corner[2]});
            if (corner[2] != corner[3]) mesh.triangles.push_back({corner[0], corner[2], corner[3]});
        }
    }
    return mesh;
}

}  // namespace

Mesh sphere(double radius, int around, int along) {
    return turned_surface(around, along, true,
                          [&](double b) { return std::pair(radius * std::sin(b / 2), -radius * std::cos(b / 2)); });
}

Mesh torus(double radius, double tube, int around, int along) {
    return turned_surface(around, along, false,
                          [&](double b) { return std::pair(radius + tube * std::cos(b), tube * std::sin(b)); });
}

Mesh l_prism() {
    return surface_of({{{0.1f, 3.3f, 10.7f}, {-2.5f, 1.9f, 8.2f}, {0, 3.7f}}},
                      [](int i, int j, int) { return i == 0 || j == 0; });
}

/// Lines bound walls 0.4 thick, around rooms. Storeys have floors of 0.3; the courtyard is open to the sky.
Mesh house() {
    const std::vector<float> plan = {0, 0.4f, 5.1f, 5.5f, 13.2f, 13.6f, 18.3f, 18.7f};
    return surface_of({plan, plan, {0, 0.3f, 3.1f, 3.4f, 6.2f, 6.5f}}, [](int i, int j, int k) {
        const bool in_courtyard = i == 3 && j == 3;
        if (in_courtyard) return k == 0;
        return i % 2 == 0 || j % 2 == 0 || k % 2 == 0;
    });
}

namespace {

Mesh random_rectilinear(Random& random) {
    std::array<std::vector<float>, 3> lines;
    for (auto& axis : lines) {
        float line = static_cast<float>(random.range(-4, 4));
        const int n = 2 + random.below(3);
        for (int i = 0; i < n; ++i) {
            axis.push_back(line);
            line += static_cast<float>(random.chance(0.2) ? random.range(0.05, 0.2) : random.range(0.5, 4));
        }
    }
    const double filled = random.range(0.4, 1);
    std::vector<bool> solid;
    for (int c = 0; c < 27; ++c) solid.push_back(random.chance(filled));
    solid[0] = true;
    return surface_of(lines, [&](int i, int j, int k) { return solid[static_cast<std::size_t>(9 * i + 3 * j + k)]; });
}

Mesh random_round(Random& random) {
    const int around = 3 + random.below(10), along = 3 + random.below(8);
    const Mesh mesh = random.chance(0.5) ? sphere(random.range(1, 4), around, along)
                                         : torus(random.range(2, 4), random.range(0.3, 1.5), around, along);
    const double rough = random.chance(0.5) ? 0 : random.range(0, 0.4);
    return mesh.mapped([&](double x, double y, double z) {
        return std::array{x * (1 + random.range(-rough, rough)), y * (1 + random.range(-rough, rough)),
                          z + random.range(-rough, rough)};
    });
}

Mesh turned(const Mesh& mesh, Random& random) {
    const double a = random.range(0, 7), b = random.chance(0.3) ? 0 : random.range(0, 7);
    return mesh.mapped([&](double x, double y, double z) {
        const double u = std::cos(a) * x - std::sin(a) * y, v = std::sin(a) * x + std::cos(a) * y;
        return std::array{u, std::cos(b) * v - std::sin(b) * z, std::sin(b) * v + std::cos(b) * z};
    });
}

Mesh random_simple(Random& random) {
    const int kind = random.below(3);
    if (kind == 0) return random_round(random);
    const Mesh mesh = random_rectilinear(random);
    return kind == 1 ? mesh : turned(mesh, random);
}

/// A mesh and its mirror image enclose as much, the other way round. A box of less than 2^-60 of that is left.
Mesh random_balanced(Random& random) {
    Mesh all = random_simple(random).mapped([](double x, double y, double z) { return std::array{x + 64, y, z}; });
    all.add(all.mapped([](double x, double y, double z) { return std::array{-x, y, z}; }));
    const auto size = static_cast<float>(random.log_range(0x1p-40, 0x1p-20));
    const Mesh decides = box({0, 0, 0}, {size, size, size});
    all.add(random.chance(0.5) ? decides : decides.flipped());
    return all;
}

Mesh random_several(Random& random) {
    Mesh all;
    const int count = 2 + random.below(2);
    for (int i = 0; i < count; ++i) {
        const double size = random.range(0.2, 1.5), step = random.chance(0.3) ? 0 : random.range(0, 4);
        const Mesh one = random_simple(random).mapped([&](double x, double y, double z) {
            return std::array{size * x + step, size * y - step, size * z};
        });
        all.add(random.chance(0.3) ? one.flipped() : one);
    }
    if (random.chance(0.3)) {
        const auto x = static_cast<float>(random.range(1, 3));
        all.add(box({0, 0, 0}, {x, 2, 2}));
        all.add(box({x, 0, 0}, {4, 2, 2}));
    }
    return all;
}

}  // namespace

Mesh random_mesh(Random& random, Family family) {
    switch (family) {
        case Family::simple:
            return random_simple(random);
        case Family::several:
            return random_several(random);
        case Family::thin: {
            const double x = random.log_range(1e-6, 1), y = random.chance(0.5) ? 1 : random.log_range(1e-6, 1);
            const Mesh mesh = random_simple(random);
            const Mesh flat = mesh.mapped([&](double a, double b, double c) { return std::array{x * a, y * b, c}; });
            return random.chance(0.5) ? flat : turned(flat, random);
        }
        case Family::balanced:
            return random_balanced(random);
        default: {
            const int exponent = random.chance(0.5) ? random.below(249) - 149 : 0;
            const double far = random.chance(0.5) ? random.range(-1e6, 1e6) : 0;
            return random_simple(random).mapped([&](double x, double y, double z) {
                return std::array{std::ldexp(x + far, exponent), std::ldexp(y - far, exponent),
                                  std::ldexp(z, exponent)};
            });
        }
    }
}

namespace {

using exact::Point;
using exact::Rational;
using ExactTriangle = std::array<Point, 3>;

Point exact_point(const Corner& p) {
    return exact::point(static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2]));
}

/// What the half-spaces leave of a triangle: a convex polygon.
std::vector<Point> clipped(const ExactTriangle& triangle, const exact::HalfSpaces& facets) {
    std::vector<Point> polygon(triangle.begin(), triangle.end());
    for (const exact::HalfSpace& facet : facets) {
        std::vector<Point> rest;
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Point &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
            const Rational from = dot(facet.normal, p) + facet.offset, to = dot(facet.normal, q) + facet.offset;
            if (from >= 0) rest.push_back(p);
            if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
                const Rational s = from / (from - to);
                rest.push_back({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y), p.z + s * (q.z - p.z)});
            }
        }
        polygon.swap(rest);
    }
    return polygon;
}

/// Whether the triangle has a point within the solid, its boundary excluded: unless what is left of the triangle lies
/// in a facet, the sum of its corners is off that facet's plane.
bool meets_inside(const ExactTriangle& triangle, const exact::HalfSpaces& facets) {
    const std::vector<Point> polygon = clipped(triangle, facets);
    return !polygon.empty() && std::all_of(facets.begin(), facets.end(), [&](const exact::HalfSpace& facet) {
        return std::any_of(polygon.begin(), polygon.end(),
                           [&](const Point& p) { return dot(facet.normal, p) + facet.offset > 0; });
    });
}

Rational volume_of(const Point& a, const Point& b, const Point& c) {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

int sign_of(const Rational& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The winding number at p: crossings of a ray in direction d. None if the ray meets an edge or p is on a triangle.
std::optional<int> winding_number(const std::vector<ExactTriangle>& triangles, const Point& p, const Point& d) {
    int number = 0;
    for (const ExactTriangle& t : triangles) {
        const Point a = t[0] - p, b = t[1] - p, c = t[2] - p;
        // Seen along d: on which side of each edge the ray is.
        const int sides[3] = {sign_of(volume_of(a, b, d)), sign_of(volume_of(b, c, d)), sign_of(volume_of(c, a, d))};
        const bool left = std::find(sides, sides + 3, 1) != sides + 3;
        const bool right = std::find(sides, sides + 3, -1) != sides + 3;
        if (left && right) continue;
        if (std::find(sides, sides + 3, 0) != sides + 3) return std::nullopt;
        const int ahead = sign_of(volume_of(a, b, c));
        if (ahead == 0) return std::nullopt;
        if (ahead == sides[0]) number += ahead;
    }
    return number;
}

std::optional<int> winding_number(const std::vector<ExactTriangle>& triangles, const Point& p, Random& random) {
    for (int attempt = 0; attempt < 8; ++attempt) {
        const Point d = exact::point(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1));
        if (const auto number = winding_number(triangles, p, d)) return number;
    }
    return std::nullopt;
}

/// A mesh's triangles, and the sign of its volume.
struct ExactMesh {
    std::vector<ExactTriangle> triangles;
    int sign = 1;

    explicit ExactMesh(const Mesh& mesh) {
        Rational volume = 0;
        for (const Index3& t : mesh.triangles) {
            const Corner &p = mesh.vertices[t[0]], &q = mesh.vertices[t[1]], &r = mesh.vertices[t[2]];
            if (p == q || q == r || r == p) continue;
            triangles.push_back({exact_point(p), exact_point(q), exact_point(r)});
            volume += volume_of(triangles.back()[0], triangles.back()[1], triangles.back()[2]);
        }
        if (volume < 0) sign = -1;
    }
};

/// Whether two triangles have the same three corners, as where a wall between two of a mesh's cells became so thin that
/// both of its sides are one: the surface may go through a box there.
bool has_same_triangle_twice(const Mesh& mesh) {
    std::vector<std::array<Corner, 3>> corners;
    for (const Index3& t : mesh.triangles) {
        std::array<Corner, 3> of = {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
        std::sort(of.begin(), of.end());
        if (of[0] != of[1] && of[1] != of[2]) corners.push_back(of);
    }
    std::sort(corners.begin(), corners.end());
    return std::adjacent_find(corners.begin(), corners.end()) != corners.end();
}

}  // namespace

Corner middle_of(const lanecull::SolidBoxes& boxes, std::uint32_t i) {
    const lanecull::Boxes b = boxes.boxes();
    const auto between = [](float low, float high) { return 0.5F * low + 0.5F * high; };
    return {between(b.min_x[i], b.max_x[i]), between(b.min_y[i], b.max_y[i]), between(b.min_z[i], b.max_z[i])};
}

namespace {

/// What is wrong with points inside of a mesh, or with none.
std::string what_is_wrong(const ExactMesh& mesh, const std::vector<Point>& inside, Random& random) {
    for (const Point& p : inside) {
        const auto number = winding_number(mesh.triangles, p, random);
        if (!number) return "no ray could tell";
        if (*number * mesh.sign <= 0) return "a point has a winding number of " + std::to_string(*number);
    }
    return {};
}

}  // namespace

std::string what_is_wrong(const Mesh& mesh, const lanecull::SolidHull& hull, Random& random) {
    const ExactMesh exact_mesh(mesh);
    std::vector<Point> corners;
    for (std::uint32_t c = 0; c < hull.corner_count; ++c) {
        corners.push_back(exact_point({hull.corner[c][0], hull.corner[c][1], hull.corner[c][2]}));
    }
    const exact::HalfSpaces facets = exact::facets_of_hull(corners);
    if (facets.size() < 4) return "the hull is no polytope";
    for (const ExactTriangle& triangle : exact_mesh.triangles) {
        if (!clipped(triangle, facets).empty()) return "the hull meets a triangle";
    }
    return what_is_wrong(exact_mesh, {corners[random.bits() % corners.size()]}, random);
}

std::string what_is_wrong(const Mesh& mesh, const lanecull::SolidBoxes& boxes, Random& random, bool may_have_sheets) {
    const ExactMesh exact_mesh(mesh);
    may_have_sheets = may_have_sheets || has_same_triangle_twice(mesh);
    const lanecull::Boxes b = boxes.boxes();
    for (std::uint32_t i = 0; i < b.count; ++i) {
        const float min[3] = {b.min_x[i], b.min_y[i], b.min_z[i]}, max[3] = {b.max_x[i], b.max_y[i], b.max_z[i]};
        const exact::HalfSpaces facets = exact::facets_of_box(min, max);
        const auto meets_it = [&](const ExactTriangle& triangle) { return meets_inside(triangle, facets); };
        if (!may_have_sheets && std::ranges::any_of(exact_mesh.triangles, meets_it)) {
            return "box " + std::to_string(i) + " is met by a triangle";
        }
        const Point lo = exact_point({min[0], min[1], min[2]}), hi = exact_point({max[0], max[1], max[2]});
        std::vector<Point> inside(may_have_sheets ? 6 : 2);
        for (Point& p : inside) {
            const auto share = [&] { return exact::rational(random.range(0.01, 0.99)); };
            p = {lo.x + (hi.x - lo.x) * share(), lo.y + (hi.y - lo.y) * share(), lo.z + (hi.z - lo.z) * share()};
        }
        const std::string wrong = what_is_wrong(exact_mesh, inside, random);
        if (!wrong.empty()) return "box " + std::to_string(i) + ": " + wrong;
    }
    return {};
}

}  // namespace meshes
