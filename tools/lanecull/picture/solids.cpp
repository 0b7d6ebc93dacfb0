#include "picture/solids.hpp"

#include <lanecull/hulls.h>
#include <cmath>
#include <numbers>

#include "support/error.hpp"
#include "support/parallel.hpp"

namespace lanecull::program {

namespace {

constexpr std::uint32_t max_quarter = 16;

/// Ball meshes are looked up, not computed.
const SolidMesh& ball(std::uint32_t quarter) {
    static const auto balls = [] {
        std::vector<SolidMesh> all;
        for (std::uint32_t q = 0; q <= max_quarter; ++q) all.push_back(ball_mesh(std::max(q, 1U)));
        return all;
    }();
    return balls[quarter];
}

Solid round(const glm::dvec3& a, const glm::dvec3& b, float radius) {
    const glm::vec3 shift = 0.5 * (b - a);
    const float size = radius < 0 ? std::nanf("") : radius;  // no shape
    return {0.5 * (a + b), size * glm::mat3(frame_along(b - a)), nullptr, shift};
}

/// A cylinder or a cone from `from`, its base's middle, to `to`.
Solid along(const glm::dvec3& from, const glm::dvec3& to, float radius, const SolidMesh& mesh) {
    const Solid solid = round(from, to, radius);
    return {solid.center, {solid.axes[0], solid.axes[1], solid.shift}, &mesh};
}

/// From z = -1 to 1 with a polygon within the unit circle at the lower end, and one `top` times as large at the upper.
SolidMesh prism(float top) {
    constexpr std::uint32_t corners = 24;
    constexpr float within = 1 - 1e-6F;  // rounding leaves no corner outside
    SolidMesh mesh;
    for (const float z : {-1.0F, 1.0F}) {
        for (std::uint32_t k = 0; k < corners; ++k) {
            const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(k) / corners;
            const float size = z < 0 ? within : within * top;
            mesh.points.emplace_back(size * std::cos(angle), size * std::sin(angle), within * z);
        }
    }
    for (std::uint32_t k = 0; k < corners; ++k) {
        const std::uint32_t next = (k + 1) % corners;
        mesh.facets.push_back({k, next, corners + next, corners + k});
        for (const std::uint32_t end : {0U, corners}) mesh.facets.push_back({end, end + k, end + next, end + next});
    }
    return mesh;
}

/// As round_cone_mesh() says.
SolidMesh round_cone(double cosine) {
    constexpr std::uint32_t corners = 24, rings = 6;
    constexpr double within = 1 - 1e-6;  // rounding leaves no corner outside
    const double widest = std::acos(cosine), height = within / cosine;
    SolidMesh mesh;
    mesh.points = {glm::vec3(0), glm::vec3(0, 0, height)};
    for (std::uint32_t ring = 1; ring <= rings; ++ring) {
        const double angle = widest * ring / rings, out = within * std::sin(angle) / std::sin(widest);
        for (std::uint32_t k = 0; k < corners; ++k) {
            const double turn = 2 * std::numbers::pi * k / corners;
            mesh.points.emplace_back(out * std::cos(turn), out * std::sin(turn), height * std::cos(angle));
        }
    }
    const auto at = [](std::uint32_t ring, std::uint32_t k) {
        return ring == 0 ? 1 : 2 + (ring - 1) * corners + k % corners;
    };
    for (std::uint32_t k = 0; k < corners; ++k) {
        for (std::uint32_t ring = 0; ring < rings; ++ring) {
            mesh.facets.push_back({at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1), at(ring, k)});
        }
        mesh.facets.push_back({0, at(rings, k), at(rings, k + 1), at(rings, k + 1)});
    }
    mesh.half_size = glm::vec3(1, 1, height);
    mesh.inner = glm::vec3(0, 0, 0.75);
    return mesh;
}

glm::mat3 diagonal(const glm::vec3& half) { return {{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}; }

std::vector<glm::vec3> points_of(Span<const float> x, Span<const float> y, Span<const float> z) {
    std::vector<glm::vec3> points(x.size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = {x[i], y[i], z[i]};
    return points;
}

SolidHull solid_hull(const HullMesh& source) {
    SolidHull hull;
    SolidMesh& mesh = hull.mesh;
    mesh.convex = source.triangles.empty();
    if (mesh.convex) {
        const auto count = static_cast<std::uint32_t>(source.x.size());
        ConvexHull convex;
        require(convex_hull({source.x.data(), source.y.data(), source.z.data(), count}, convex));
        const ConvexHullInfo found = convex.info();
        for (const HullTriangle& t : found.triangles) mesh.facets.push_back({t[0], t[1], t[2], t[2]});
        mesh.convex = found.dimension == 3;
        mesh.points = points_of(found.x, found.y, found.z);
    } else {
        for (const auto& t : source.triangles) mesh.facets.push_back({t[0], t[1], t[2], t[2]});
        mesh.points = points_of(source.x, source.y, source.z);
    }
    glm::vec3 lower = mesh.points[0], upper = mesh.points[0];
    for (const glm::vec3& p : mesh.points) lower = glm::min(lower, p), upper = glm::max(upper, p);
    hull.origin = 0.5F * lower + 0.5F * upper;
    mesh.half_size = 0.5F * upper - 0.5F * lower;
    for (glm::vec3& p : mesh.points) {
        p -= hull.origin;
        mesh.inner += p / static_cast<float>(mesh.points.size());
    }
    return hull;
}

/// A solid in view space.
struct Placed {
    const SolidMesh& mesh;
    std::vector<glm::vec3> points;
    glm::vec3 inner;

    Placed(const SolidMesh& shape, const glm::vec3& center, const glm::mat3& axes, const glm::vec3& shift)
        : mesh(shape), inner(center + axes * shape.inner) {
        points.reserve(mesh.points.size());
        for (const glm::vec3& p : mesh.points) {
            points.push_back(center + axes * p + (2 * points.size() < mesh.points.size() ? shift : -shift));
        }
    }

    void draw(Canvas& canvas, Surface surface, Rows rows) const {
        for (const SolidMesh::Facet& facet : mesh.facets) {
            std::array<glm::vec3, 4> corners;
            for (std::size_t k = 0; k < 4; ++k) corners[k] = points[facet[k]];
            // The diagonals' cross product does not vanish where two corners meet.
            glm::vec3 normal = glm::cross(corners[2] - corners[0], corners[3] - corners[1]);
            if (mesh.convex) {
                if (glm::dot(normal, corners[0] - inner) < 0) normal = -normal;
                if (!(glm::dot(normal, corners[0]) < 0)) continue;  // seen from inside
            }
            canvas.fill(std::span(corners).first(facet[2] == facet[3] ? 3 : 4), normal, surface, rows);
        }
    }

    /// Fills the area in which the canvas's cutaway cuts a convex solid: one looks into others. It is a little below
    /// the plane that cuts, so that it is not cut away itself.
    void draw_section(Canvas& canvas, Surface surface, Rows rows) const {
        const glm::vec4 cut = canvas.cutaway()->section;
        const glm::vec3 normal(cut);
        const float offset = cut.w + 1e-4F * std::abs(cut.w);
        const glm::mat3 frame(frame_along(normal));
        std::vector<glm::dvec2> met;
        for (const SolidMesh::Facet& facet : mesh.facets) {
            for (std::size_t k = 0; k < 4; ++k) {
                const glm::vec3 &a = points[facet[k]], &b = points[facet[(k + 1) % 4]];
                const float from = glm::dot(normal, a) + offset, to = glm::dot(normal, b) + offset;
                if ((from > 0) == (to > 0)) continue;
                const glm::vec3 p = a + from / (from - to) * (b - a);
                met.emplace_back(glm::dot(frame[0], p), glm::dot(frame[1], p));
            }
        }
        std::vector<glm::vec3> rim;
        for (const glm::vec2 p : convex_rim(std::move(met))) rim.push_back(frame * glm::vec3(p, -offset));
        surface.section = 1;
        for (std::size_t k = 2; k < rim.size(); ++k) {
            canvas.fill(std::array{rim[0], rim[k - 1], rim[k]}, normal, surface, rows);
        }
    }
};

/// Draws a solid, with as many facets as its size on the canvas deserves. `chance` is in [0, 1).
void draw_solid(Canvas& canvas, const Solid& solid, Surface surface, float chance, Rows rows) {
    const Projection& projection = canvas.projection();
    const glm::mat3 rotation(projection.view_from_world);
    const glm::vec3 center = projection.view(solid.center);
    const float bound = solid.bounding_radius();
    const float samples_per_unit = projection.focal / std::max(center.z, bound), size = bound * samples_per_unit;
    if (size < 0.75F) {
        if (surface.important || chance < 2 * size * size) canvas.plot(center, surface, rows);
        return;
    }
    const SolidMesh* mesh = solid.mesh;
    if (mesh == nullptr) {
        const float round_size = solid.round_radius() * samples_per_unit;
        const float fit = 1.3F * std::sqrt(round_size);
        if (round_size >= 2) mesh = &ball(std::clamp(static_cast<std::uint32_t>(fit), 2U, max_quarter));
    }
    if (mesh == nullptr || size < 4) {
        Placed(box_mesh(), center, rotation * solid.half_edges(), glm::vec3(0)).draw(canvas, surface, rows);
        return;
    }
    const Placed placed(*mesh, center, rotation * solid.axes, rotation * solid.shift);
    if (canvas.cutaway() && mesh->convex && !surface.important) placed.draw_section(canvas, surface, rows);
    placed.draw(canvas, surface, rows);
}

/// The rows that a ball may touch; none when it is out of the picture.
Rows rows_of(const Projection& projection, const glm::vec3& center, float radius) {
    const float nearest = center.z - radius, farthest = center.z + radius;
    if (!(farthest > 0)) return {};
    if (!(nearest > 0)) return {0, projection.size.y};
    const auto low = [&](float p) {
        return projection.focal * std::min((p - radius) / nearest, (p - radius) / farthest);
    };
    const auto high = [&](float p) {
        return projection.focal * std::max((p + radius) / nearest, (p + radius) / farthest);
    };
    const glm::vec2 middle = projection.center, size(projection.size);
    if (middle.x + low(center.x) > size.x || middle.x + high(center.x) < 0) return {};
    const float top = std::clamp(middle.y + low(center.y), 0.0F, size.y);
    const float bottom = std::clamp(middle.y + high(center.y), 0.0F, size.y);
    return {static_cast<int>(top), std::min(static_cast<int>(bottom) + 1, projection.size.y)};
}

/// A number that looks random, the same for the same object every time.
std::uint32_t hash_of(std::size_t group, std::size_t index) {
    auto h = static_cast<std::uint32_t>(index * 0x9E3779B1U + group * 0x85EBCA77U);
    h = (h ^ (h >> 15)) * 0x2C1B3C6DU;
    h = (h ^ (h >> 12)) * 0x297A2D39U;
    return h ^ (h >> 15);
}

}  // namespace

const SolidMesh& box_mesh() {
    static const SolidMesh box = [] {
        SolidMesh mesh;
        for (unsigned i = 0; i < 8; ++i) {
            const auto side = [i](unsigned bit) { return (i >> bit & 1U) != 0 ? 1.0F : -1.0F; };
            mesh.points.emplace_back(side(0), side(1), side(2));
        }
        mesh.facets = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
        return mesh;
    }();
    return box;
}

const SolidMesh& cylinder_mesh() {
    static const SolidMesh cylinder = prism(1);
    return cylinder;
}

const SolidMesh& cone_mesh() {
    static const SolidMesh cone = prism(0);
    return cone;
}

const SolidMesh& round_cone_mesh(double cosine) {
    constexpr double step = 0.985;
    static const std::vector<SolidMesh> cones = [] {
        std::vector<SolidMesh> all;
        for (double of = 1; of > 0.01; of *= step) all.push_back(round_cone(std::min(of, 1 - 1e-9)));
        return all;
    }();
    const double place = std::log(cosine) / std::log(step), last = static_cast<double>(cones.size() - 1);
    return cones[static_cast<std::size_t>(std::clamp(place, 0.0, last))];
}

SolidMesh ball_mesh(std::uint32_t quarter) {
    const std::uint32_t around = 4 * quarter, rings = 2 * (quarter + 1);
    SolidMesh mesh;
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
        const double latitude = std::numbers::pi / 2 * (1 - double(ring <= quarter ? ring : ring - 1) / quarter);
        for (std::uint32_t s = 0; s < around; ++s) {
            const double longitude = 2 * std::numbers::pi * s / around, out = std::cos(latitude);
            mesh.points.emplace_back(out * std::cos(longitude), out * std::sin(longitude), std::sin(latitude));
            const std::uint32_t a = ring * around + s, b = ring * around + (s + 1) % around;
            if (ring + 1 < rings) mesh.facets.push_back({a, b, b + around, a + around});
        }
    }
    return mesh;
}

std::vector<SolidHull> solid_hulls(const HullInstanceArrays& instances) {
    std::vector<SolidHull> hulls(instances.meshes.size());
    in_parallel(hulls.size(), [&](std::size_t i) { hulls[i] = solid_hull(instances.meshes[i]); });
    return hulls;
}

float Solid::round_radius() const {
    return std::max({glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2])});
}

float Solid::bounding_radius() const {
    if (mesh == nullptr) return glm::length(shift) + round_radius();
    const glm::mat3 half = half_edges();
    float square = 0;
    for (const float s : {-1.0F, 1.0F}) {
        for (const float t : {-1.0F, 1.0F}) {
            const glm::vec3 corner = half[0] + s * half[1] + t * half[2];
            square = std::max(square, glm::dot(corner, corner));
        }
    }
    return std::sqrt(square);
}

bool Solid::finite() const {
    const glm::vec3 sum = glm::abs(axes[0]) + glm::abs(axes[1]) + glm::abs(axes[2]) + glm::abs(glm::vec3(center));
    return std::isfinite(sum.x + sum.y + sum.z + glm::length(shift));
}

glm::mat3 Solid::half_edges() const {
    if (mesh == nullptr) return {axes[0], axes[1], axes[2] + shift};
    return {mesh->half_size[0] * axes[0], mesh->half_size[1] * axes[1], mesh->half_size[2] * axes[2]};
}

Solid solid_of(const Arrays& arrays, const std::vector<SolidHull>& hulls, std::size_t i) {
    return std::visit(
        [&]<class Kind>(const Kind& a) -> Solid {
            if constexpr (requires { a.meshes; }) {
                const float* m = &a.transforms[12 * i];
                const SolidHull& hull = hulls[a.hull_index[i]];
                const glm::mat3 axes({m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]});
                return {glm::dmat3(axes) * glm::dvec3(hull.origin) + glm::dvec3(m[3], m[7], m[11]), axes, &hull.mesh};
            } else if constexpr (requires { a.quaternions; }) {
                return {{a.x[i], a.y[i], a.z[i]}, a.axes(i)};
            } else if constexpr (std::is_same_v<Kind, CapsuleArrays>) {
                return round(a.a(i), a.b(i), a.radius[i]);
            } else if constexpr (std::is_same_v<Kind, RoundConeArrays>) {
                const Solid cone = round(a.a(i), a.b(i), a.radius[i]);
                const SolidMesh& mesh = round_cone_mesh(glm::length(a.b(i) - a.a(i)) / a.range(i));
                return {a.a(i), {cone.axes[0], cone.axes[1], 2.0F * cone.shift}, &mesh};
            } else if constexpr (std::is_base_of_v<AxisArrays, Kind>) {
                const bool is_cone = std::is_same_v<Kind, ConeArrays>;
                return along(a.b(i), a.a(i), a.radius[i], is_cone ? cone_mesh() : cylinder_mesh());
            } else if constexpr (requires { a.radius; }) {
                return round({a.x[i], a.y[i], a.z[i]}, {a.x[i], a.y[i], a.z[i]}, a.radius[i]);
            } else if constexpr (requires { a.axes; }) {
                const float *axis = &a.axes[9 * i], *half = &a.half_extents[3 * i];
                const glm::mat3 axes({axis[0], axis[1], axis[2]}, {axis[3], axis[4], axis[5]},
                                     {axis[6], axis[7], axis[8]});
                return {{a.x[i], a.y[i], a.z[i]}, axes * diagonal({half[0], half[1], half[2]}), &box_mesh()};
            } else {
                const Bounds box = a.bounds(i);
                return {box.center(), diagonal(0.5 * box.size()), &box_mesh()};
            }
        },
        arrays);
}

SceneSolidShapes::SceneSolidShapes(const Scene& scene) : scene_(scene) {
    for (const Group& group : scene.groups) {
        const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays);
        hulls_.push_back(instances ? solid_hulls(*instances) : std::vector<SolidHull>());
    }
}

void SceneSolidShapes::draw(Canvas& canvas, const SurfaceOf& surface_of) const {
    struct Object {
        std::size_t group, index;
        Surface surface;
        Rows rows;
    };
    struct Chunk {
        std::size_t group, first, last;
        std::vector<Object> found = {};
    };
    std::vector<Chunk> chunks;
    constexpr std::size_t chunk_objects = 1U << 14;
    for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
        const std::size_t count = object_count(scene_.groups[g].arrays);
        for (std::size_t first = 0; first < count; first += chunk_objects) {
            chunks.push_back({g, first, std::min(first + chunk_objects, count)});
        }
    }
    const Projection& projection = canvas.projection();
    in_parallel(chunks.size(), [&](std::size_t c) {
        Chunk& chunk = chunks[c];
        for (std::size_t i = chunk.first; i < chunk.last; ++i) {
            const Solid solid = at(chunk.group, i);
            if (!solid.finite()) continue;
            const Rows rows = rows_of(projection, projection.view(solid.center), solid.bounding_radius());
            if (rows.first >= rows.last) continue;
            Surface surface = surface_of(chunk.group, i, solid);
            surface.tint = hash_of(chunk.group, i) & 31U;
            if (surface.ink != 0) chunk.found.push_back({chunk.group, i, surface, rows});
        }
    });
    constexpr int band_rows = 32;
    const int height = projection.size.y;
    in_parallel((height + band_rows - 1) / band_rows, [&](int band) {
        const Rows rows{band * band_rows, std::min((band + 1) * band_rows, height)};
        for (const Chunk& chunk : chunks) {
            for (const auto& [group, index, surface, touched] : chunk.found) {
                if (touched.first >= rows.last || touched.last <= rows.first) continue;
                const float chance = static_cast<float>(hash_of(group, index) >> 8) * 0x1p-24F;
                draw_solid(canvas, at(group, index), surface, chance, rows);
            }
        }
    });
}

// The monotone chain of Andrew, 1979.
std::vector<glm::dvec2> convex_rim(std::vector<glm::dvec2> points) {
    using glm::dvec2;
    std::ranges::sort(points, [](const dvec2& a, const dvec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::vector<dvec2> rim;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t first = rim.size();
        for (const dvec2& p : points) {
            const auto turns_left = [&] {
                const dvec2 a = rim.back() - rim[rim.size() - 2], b = p - rim.back();
                return a.x * b.y - a.y * b.x > 0;
            };
            while (rim.size() >= first + 2 && !turns_left()) rim.pop_back();
            rim.push_back(p);
        }
        if (!rim.empty()) rim.pop_back();  // the other pass begins with it
        std::ranges::reverse(points);
    }
    return rim;
}

}  // namespace lanecull::program
