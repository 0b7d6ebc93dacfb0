#include "occluders/solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <lanecull/solids.h>

#include "oracle/exact_objects.hpp"
#include "support/random.hpp"
#include "support/samples.hpp"

namespace {

using exact::HalfSpace;
using exact::Point;

Point point_of(const Double3& p) { return exact::point(p[0], p[1], p[2]); }

Double3 double3(const Point& p) {
    const exact::Vec<double> v = exact::to_double(p);
    return {v.x, v.y, v.z};
}

/// The corners in which depth planes that the eye is behind cut the volume.
std::vector<Point> near_corners_of(const exact::HalfSpaces& half_spaces, const Point& eye) {
    std::vector<Point> corners;
    const exact::Volume volume(half_spaces);
    for (std::size_t k = 4; k < 6; ++k) {
        const auto at = [&](const Point& p) { return dot(half_spaces[k].normal, p) + half_spaces[k].offset; };
        if (at(eye) >= 0) continue;
        for (const Point& p : volume.points()) {
            if (at(p) == 0) corners.push_back(p);
        }
    }
    return corners;
}

/// The way that depth grows in an orthographic volume.
Point forward_of(const exact::HalfSpaces& half_spaces) {
    const Point along = cross(half_spaces[0].normal, half_spaces[2].normal);
    return dot(along, half_spaces[4].normal) > 0 ? along : exact::Rational(-1) * along;
}

lanecull::SolidBox box_around(const Double3& centre, const Double3& reach) {
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(centre[k] - reach[k] * (1 + 1e-6) - std::fabs(centre[k]) * 1e-6);
        box.max[k] = static_cast<float>(centre[k] + reach[k] * (1 + 1e-6) + std::fabs(centre[k]) * 1e-6);
    }
    return box;
}

Vertices corners_of(const lanecull::SolidBox& box) {
    Vertices corners(8);
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t k = 0; k < 3; ++k) corners[c][k] = (c >> k & 1) != 0 ? box.max[k] : box.min[k];
    }
    return corners;
}

/// The facets of the hull of vertices under a 3x4 transform.
exact::HalfSpaces facets_of_placed(const Vertices& vertices, const std::array<float, 12>& transform) {
    return exact::facets_of_hull(exact::hull(transform.data(), vertices).points);
}

lanecull::OccluderRefusal place(const PlacedBox& given, lanecull::SolidOrientedBox& box) {
    float transform[12];
    std::copy(given.transform.begin(), given.transform.end(), transform);
    return place_solid(given.box, transform, box);
}

std::string text_of(const AnySolid& given) {
    constexpr const char* names[] = {"box", "oriented box", "polytope", "placed box", "hull"};
    const auto numbers = []<class Given>(const Given& solid) {
        if constexpr (std::is_same_v<Given, std::vector<lanecull::Plane>>) return describe(solid);
        if constexpr (std::is_same_v<Given, TestHull>) {
            return written(std::span(solid.hull.corner[0], std::size_t{3} * solid.hull.corner_count)) + " under" +
                   written(solid.transform);
        }
        return written(std::span(reinterpret_cast<const float*>(&solid), sizeof solid / sizeof(float)));
    };
    return names[given.index()] + std::visit(numbers, given);
}

TestSolid solid_of(AnySolid given, const lanecull::SolidBox& drawn) {
    exact::HalfSpaces facets = facets_of(given);
    std::string text = text_of(given);
    return {std::move(given), drawn, std::move(facets), std::move(text)};
}

Double3 random_sizes(Random& random, double size) {
    Double3 half;
    for (double& h : half) h = 0.5 * size * random.log_range(0.05, 1);
    if (random.chance(0.1)) half[static_cast<std::size_t>(random.below(3))] *= random.log_range(1e-7, 1e-2);
    return half;
}

/// Some have a facet in a plane through the eye, as nearly as floats allow.
TestSolid random_box(Random& random, const Double3& centre, double size, const Double3& eye) {
    const Double3 half = random_sizes(random, size);
    lanecull::SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(centre[k] - half[k]);
        box.max[k] = static_cast<float>(centre[k] + half[k]);
        const auto at_eye = static_cast<float>(eye[k]);
        if (random.chance(0.1) && at_eye > box.min[k]) box.max[k] = at_eye;
        if (random.chance(0.1) && at_eye < box.max[k]) box.min[k] = at_eye;
    }
    return solid_of(box, box);
}

/// A box that is cut by further planes.
TestSolid random_polytope(Random& random, const Double3& centre, double size) {
    const Double3 half = random_sizes(random, size);
    std::vector<lanecull::Plane> planes;
    const auto add = [&](const Double3& inward, double reach) {
        planes.push_back({{inward[0], inward[1], inward[2]}, reach - dot(inward, centre)});
    };
    for (std::size_t k = 0; k < 3; ++k) {
        Double3 axis{};
        axis[k] = 1;
        add(axis, half[k]);
        add(-1 * axis, half[k]);
    }
    for (int cuts = random.below(5); cuts > 0; --cuts) {
        const Double3 n = random_direction(random);
        const double reach =
            std::fabs(n[0]) * half[0] + std::fabs(n[1]) * half[1] + std::fabs(n[2]) * half[2];  // of the box
        add(random.log_range(0.1, 10) * n, random.range(0.2, 0.9) * reach);
    }
    return solid_of(planes, box_around(centre, half));
}

/// A transform that takes the cube of half a side 1 to a solid of that size: often along the world's axes, turned or
/// sheared, or mirrored.
std::array<float, 12> random_placing(Random& random, const Double3& centre, const Double3& half) {
    std::array<float, 12> transform{};
    const int form = random.below(3);
    const Double3 a = random_direction(random), b = random_direction(random), c = cross(a, b);
    const Double3 turned[] = {a, 1 / length(c) * c, 1 / length(c) * cross(a, c)};
    for (std::size_t k = 0; k < 3; ++k) {
        Double3 axis{};
        axis[k] = random.sign();
        if (form != 0) axis = form == 1 ? random.sign() * turned[k] : random_direction(random);
        for (std::size_t j = 0; j < 3; ++j) transform[4 * j + k] = static_cast<float>(half[k] * axis[j]);
        transform[4 * k + 3] = static_cast<float>(centre[k]);
    }
    return transform;
}

/// How far the image of that cube reaches from its centre.
Double3 reach_of(const std::array<float, 12>& transform) {
    Double3 reach{};
    for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) reach[j] += std::fabs(static_cast<double>(transform[4 * j + k]));
    }
    return reach;
}

TestSolid random_oriented_box(Random& random, const Double3& centre, double size) {
    const Double3 half = random_sizes(random, size);
    const std::array<float, 12> placing = random_placing(random, centre, half);
    lanecull::SolidOrientedBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.center[k] = placing[4 * k + 3];
        box.half_extents[k] = static_cast<float>(half[k]);
        for (std::size_t j = 0; j < 3; ++j) {
            box.axes[k][j] = static_cast<float>(static_cast<double>(placing[4 * j + k]) / half[k]);
        }
    }
    return solid_of(box, box_around(centre, reach_of(placing)));
}

/// A box about the origin of its own coordinates, or away from it, under a transform.
TestSolid random_placed_box(Random& random, const Double3& centre, double size) {
    const Double3 half = random_sizes(random, size);
    const double away = random.chance(0.5) ? 0 : random.log_range(1, 1e4);
    PlacedBox given{{}, random_placing(random, centre, half)};
    for (std::size_t k = 0; k < 3; ++k) {
        const double middle = away * random.range(-1, 1);
        given.box.min[k] = static_cast<float>(middle - 1);
        given.box.max[k] = static_cast<float>(middle + 1);
        for (std::size_t j = 0; j < 3; ++j) {
            float& place = given.transform[4 * j + 3];
            place = static_cast<float>(static_cast<double>(place) -
                                       static_cast<double>(given.transform[4 * j + k]) * middle);
        }
    }
    lanecull::SolidOrientedBox placed;
    if (place(given, placed) != lanecull::OccluderRefusal::none) placed.half_extents[0] = 0;
    TestSolid solid = solid_of(given, box_around(centre, reach_of(given.transform)));
    solid.left = facets_of(placed);
    return solid;
}

/// At random, in a grid of 3 x 3 x 3, or two equal polygons one above the other.
Vertices random_vertices(Random& random) {
    Vertices vertices;
    const auto add = [&](double x, double y, double z) {
        vertices.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
    };
    const int form = random.below(3), count = 4 + random.below(5);
    for (int n = 0; form == 0 && n < count; ++n) add(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1));
    for (int n = 0; form == 1 && n < count; ++n) add(random.below(3) - 1, random.below(3) - 1, random.below(3) - 1);
    const double turn = random.unit();
    for (int n = 0; form == 2 && n < (count + 1) / 2 + 1; ++n) {
        const double angle = turn + 6.283185307 * n / ((count + 1) / 2 + 1);
        add(std::cos(angle), std::sin(angle), -1), add(std::cos(angle), std::sin(angle), 1);
    }
    return vertices;
}

/// Opens the surface, or moves a corner anywhere within what is drawn. Corners are all that may then hide.
void spoil(Random& random, lanecull::SolidHull& hull) {
    if (random.chance(0.7)) {
        std::swap(hull.triangle[random.bits() % hull.triangle_count], hull.triangle[hull.triangle_count - 1]);
        --hull.triangle_count;
    } else {
        auto& corner = hull.corner[random.bits() % hull.corner_count];
        for (std::size_t k = 0; k < 3; ++k) {
            corner[k] = static_cast<float>(
                random.range(static_cast<double>(hull.drawn.lower[k]), static_cast<double>(hull.drawn.upper[k])));
        }
    }
}

/// The half-spaces of a surface's triangles as placed. Of a surface that is not convex they leave less than its
/// corners' hull, and no more than that can be asked of the library.
exact::HalfSpaces facets_of_surface(const TestHull& given, const Vertices& corners) {
    const std::vector<Point> points = exact::hull(given.transform.data(), corners).points;
    Point sum = points[0];
    for (std::size_t i = 1; i < points.size(); ++i) sum = sum + points[i];
    const Point mean = exact::Rational(exact::Rational(1) / points.size()) * sum;
    exact::HalfSpaces facets;
    for (std::uint32_t t = 0; t < given.hull.triangle_count; ++t) {
        const std::uint8_t* const corner = given.hull.triangle[t];
        const Point &a = points[corner[0]], b = points[corner[1]] - a, c = points[corner[2]] - a;
        Point normal{b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x};
        if (dot(normal, mean - a) < 0) normal = exact::Rational(-1) * normal;
        facets.push_back({normal, -dot(normal, a)});
    }
    return facets;
}

TestSolid random_hull_solid(Random& random, const Double3& centre, double size, bool spoilt) {
    Vertices vertices = random_vertices(random);
    TestHull given{};
    while (!inscribe(vertices, given.hull)) vertices = random_vertices(random);
    if (spoilt) {
        spoil(random, given.hull);
        vertices = given.corners();
    }
    given.transform = random_placing(random, centre, random_sizes(random, size));
    TestSolid solid = solid_of(given, box_around(centre, reach_of(given.transform)));
    // Corners are not all of the vertices that the caller means.
    solid.facets = facets_of_placed(vertices, given.transform);
    if (spoilt) solid.left = facets_of_surface(given, vertices);
    return solid;
}

/// One that equals, contains, lies in or touches another box.
TestSolid related(Random& random, const lanecull::SolidBox& box) {
    lanecull::SolidBox other = box;
    const auto k = static_cast<std::size_t>(random.below(3));
    const float width = box.max[k] - box.min[k];
    switch (random.below(4)) {
        case 0:
            break;
        case 1:
            other.max[k] += width;
            break;
        case 2:
            other.min[k] += 0.25f * width;
            break;
        default:
            other.min[k] = box.max[k];
            other.max[k] = box.max[k] + width;
    }
    return solid_of(other, other);
}

}  // namespace

lanecull::SolidHullInstance TestHull::instance() const {
    lanecull::SolidHullInstance placed{&hull, {}};
    std::copy(transform.begin(), transform.end(), placed.transform);
    return placed;
}

Vertices TestHull::corners() const {
    Vertices corners;
    for (std::uint32_t i = 0; i < hull.corner_count; ++i) {
        corners.push_back({hull.corner[i][0], hull.corner[i][1], hull.corner[i][2]});
    }
    return corners;
}

lanecull::Status inscribe(const Vertices& vertices, lanecull::SolidHull& hull) {
    const float* const first = vertices.empty() ? nullptr : vertices[0].data();
    return lanecull::inscribe_hull({first, first + 1, first + 2, static_cast<std::uint32_t>(vertices.size()), 12},
                                   hull);
}

std::optional<TestViewpoint> viewpoint_of(const Camera& camera) {
    TestViewpoint from;
    const lanecull::Status status = lanecull::prepare_viewpoint(camera.matrix, camera.clip_space, from.viewpoint);
    if (!status) return std::nullopt;
    const exact::HalfSpaces half_spaces = exact_half_spaces_of(camera);
    from.text = camera.describe();
    from.eye = camera.eye;
    if (camera.projection == Projection::orthographic) {
        from.sight.direction = forward_of(half_spaces);
        from.near_plane = half_spaces[4];
        from.eye = camera.eye - 1e3 * camera.size_at(camera.depth[0]) * camera.axis[2];
    } else {
        from.sight.eyes = {exact_eye_of(camera).points()[0]};
        from.near_corners = near_corners_of(half_spaces, from.sight.eyes[0]);
        from.eye = double3(from.sight.eyes[0]);
    }
    return from;
}

std::optional<TestViewpoint> cell_about(Random& random, const Camera& camera, double size) {
    std::optional<TestViewpoint> from = viewpoint_of(camera);
    if (!from || from->sight.eyes.empty()) return std::nullopt;
    double reach = 0;
    for (const Point& corner : from->near_corners) reach = std::max(reach, length(double3(corner) - from->eye));
    std::vector<double> eyes;
    from->sight.eyes.clear();
    from->text += " cell";
    for (int count = 2 + random.below(7); count > 0; --count) {
        Double3 eye = from->eye;
        for (double& component : eye) component += size * random.range(-1, 1);
        eyes.insert(eyes.end(), eye.begin(), eye.end());
        from->sight.eyes.push_back(point_of(eye));
        from->text.append(written(eye)).append(",");
    }
    if (!lanecull::prepare_viewpoint_from_eyes(eyes, reach * 1.001, from->viewpoint)) return std::nullopt;
    return from;
}

lanecull::View view_of_all() {
    std::array<double, 24> corners{};
    for (std::size_t k = 0; k < corners.size(); ++k) corners[k] = (k / 3 >> k % 3 & 1) != 0 ? 1e29 : -1e29;
    lanecull::View view;
    if (!lanecull::prepare_view_from_corners(corners, view)) throw std::runtime_error("a view of everything");
    return view;
}

double largest_coordinate(const exact::Solid& solid, const float (&origin)[3]) {
    double largest = 0;
    for (const Point& p : solid.points) {
        const exact::Vec<double> q = exact::to_double(p - exact::point(origin[0], origin[1], origin[2]));
        largest = std::max({largest, std::fabs(q.x), std::fabs(q.y), std::fabs(q.z)});
    }
    return largest + exact::to_double({solid.radius, 0, 0}).x;
}

lanecull::OccluderRefusal prepare(const AnySolid& given, const lanecull::Viewpoint& viewpoint,
                                  lanecull::Occluder& occluder, const lanecull::OccluderOptions& options) {
    return std::visit(
        [&]<class Given>(const Given& solid) {
            if constexpr (std::is_same_v<Given, TestHull>) {
                return prepare_occluder(solid.instance(), viewpoint, occluder, options);
            } else if constexpr (std::is_same_v<Given, PlacedBox>) {
                lanecull::SolidOrientedBox box;
                const lanecull::OccluderRefusal refusal = place(solid, box);
                return refusal != lanecull::OccluderRefusal::none ? refusal
                                                                  : prepare(box, viewpoint, occluder, options);
            } else {
                return lanecull::prepare_occluder(solid, viewpoint, occluder, options);
            }
        },
        given);
}

exact::HalfSpaces facets_of(const AnySolid& given) {
    if (const auto* box = std::get_if<lanecull::SolidBox>(&given)) return exact::facets_of_box(box->min, box->max);
    if (const auto* box = std::get_if<lanecull::SolidOrientedBox>(&given)) {
        return exact::facets_of_oriented_box(box->center, box->half_extents, &box->axes[0][0]);
    }
    if (const auto* hull = std::get_if<TestHull>(&given)) return facets_of_placed(hull->corners(), hull->transform);
    if (const auto* placed = std::get_if<PlacedBox>(&given)) {
        return facets_of_placed(corners_of(placed->box), placed->transform);
    }
    exact::HalfSpaces facets;
    for (const auto& [n, offset] : std::get<std::vector<lanecull::Plane>>(given)) {
        facets.push_back(exact::half_space(n[0], n[1], n[2], offset));
    }
    return facets;
}

lanecull::OccluderRefusal TestSolid::prepare(const lanecull::Viewpoint& viewpoint, lanecull::Occluder& occluder) const {
    const bool draws_itself =
        std::holds_alternative<lanecull::SolidBox>(given) || std::holds_alternative<TestHull>(given);
    return ::prepare(given, viewpoint, occluder, {.drawn = draws_itself ? nullptr : &drawn});
}

SolidForm random_form(Random& random) {
    if (random.chance(0.2)) return SolidForm::oriented_box;
    if (random.chance(0.1)) return SolidForm::polytope;
    if (random.chance(0.15)) return SolidForm::hull;
    return random.chance(0.1) ? SolidForm::placed : SolidForm::box;
}

TestSolid random_solid(Random& random, SolidForm form, const Double3& centre, double size, const Double3& eye) {
    switch (form) {
        case SolidForm::oriented_box:
            return random_oriented_box(random, centre, size);
        case SolidForm::placed:
            return random_placed_box(random, centre, size);
        case SolidForm::polytope:
            return random_polytope(random, centre, size);
        case SolidForm::hull:
        case SolidForm::spoilt_hull:
            return random_hull_solid(random, centre, size, form == SolidForm::spoilt_hull);
        case SolidForm::box:
            break;
    }
    return random_box(random, centre, size, eye);
}

std::vector<TestSolid> random_solids(Random& random, const Camera& camera, const Double3& eye, std::size_t count,
                                     std::optional<SolidForm> form) {
    std::vector<TestSolid> solids;
    const bool parallel = camera.projection == Projection::orthographic;
    while (solids.size() < count) {
        if (!solids.empty() && !form && random.chance(0.2)) {
            if (const auto* box = std::get_if<lanecull::SolidBox>(&solids.back().given)) {
                solids.push_back(related(random, *box));
                continue;
            }
        }
        const double far = std::min(camera.depth[1], 1e5 * std::fabs(camera.depth[0]));
        const double depth = parallel ? random.range(camera.depth[0], camera.depth[1])
                                      : camera.depth[0] * random.log_range(1, far / camera.depth[0]);
        const auto across = [&](const double(&range)[2]) {
            const double more = 0.3 * (range[1] - range[0]);
            return random.range(range[0] - more, range[1] + more);
        };
        const Double3 centre = camera.point(across(camera.x), across(camera.y), depth);
        solids.push_back(random_solid(random, form ? *form : random_form(random), centre,
                                      std::fabs(camera.size_at(depth)) * random.log_range(0.02, 1.5), eye));
    }
    return solids;
}

Double3 place_behind(Random& random, const lanecull::SolidBox& box, const Double3& eye) {
    Double3 at;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto low = static_cast<double>(box.min[k]), high = static_cast<double>(box.max[k]);
        at[k] = random.range(low - 0.1 * (high - low), high + 0.1 * (high - low));
    }
    return at + random.log_range(1e-3, 3) * (at - eye);
}
