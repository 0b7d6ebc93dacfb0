/// The interface of hulls: takes floats and gives floats. Hulls of points in a plane or on a line are made here.

#include <lanecull/hulls.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <tuple>
#include <utility>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/memory.hpp"
#include "calls/check.hpp"
#include "hulls/mesh.hpp"

/// What ConvexHullInfo holds, in memory of the hooks.
struct lanecull_convex_hull : lanecull::Allocated {
    lanecull::Array<float> x, y, z;
    lanecull::Array<std::uint32_t> first_neighbor, neighbors;
    lanecull::Array<lanecull::HullTriangle> triangles;
    std::uint32_t dimension = 0;
    double volume = 0;
};

namespace lanecull::hulls {
namespace {

std::size_t farthest(std::span<const Double3> points, auto distance) {
    std::size_t best = 0;
    double most = distance(points[0]);
    for (std::size_t i = 1; i < points.size(); ++i) {
        const double here = distance(points[i]);
        if (here > most) most = here, best = i;
    }
    return best;
}

}  // namespace

FlatFit fit_plane(std::span<const Double3> points) {
    FlatFit fit;
    fit.origin = points[farthest(points, [&](Double3 p) { return length(p - points[0]); })];
    const Double3 along = points[farthest(points, [&](Double3 p) { return length(p - fit.origin); })] - fit.origin;
    fit.length = length(along);
    if (!(fit.length > 0)) return fit;
    fit.u = normalized(along);
    const auto off_line = [&](Double3 p) { return p - fit.origin - fit.u * dot(p - fit.origin, fit.u); };
    const Double3 side = off_line(points[farthest(points, [&](Double3 p) { return length(off_line(p)); })]);
    fit.width = length(side);
    if (!(fit.width > 0)) return fit;
    fit.v = normalized(side - fit.u * dot(side, fit.u));
    const Double3 normal = cross(fit.u, fit.v);
    for (const Double3& p : points) fit.thickness = std::max(fit.thickness, std::fabs(dot(p - fit.origin, normal)));
    return fit;
}

/// Andrew's monotone chain: along the lower side and back along the upper one, turning left.
std::vector<std::uint32_t> flat_hull(std::span<const Double3> points, const FlatFit& fit) {
    struct Point {
        double x, y;
        std::uint32_t index;
    };
    std::vector<Point> sorted;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const Double3 offset = points[i] - fit.origin;
        sorted.push_back({dot(offset, fit.u), dot(offset, fit.v), i});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Point& a, const Point& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
    });
    // A point that is off an edge by no more than rounding is no corner.
    const double slack = 0x1p-50 * fit.length * fit.width;
    std::vector<Point> chain;
    const auto extend = [&](const Point& p, std::size_t start) {
        const auto turns_left = [&](const Point& a, const Point& b) {
            return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > slack;
        };
        while (chain.size() >= start + 2 && !turns_left(chain[chain.size() - 2], chain.back())) chain.pop_back();
        chain.push_back(p);
    };
    for (const Point& p : sorted) extend(p, 0);
    const std::size_t upper = chain.size() - 1;
    for (auto p = sorted.rbegin() + 1; p != sorted.rend(); ++p) extend(*p, upper);
    std::vector<std::uint32_t> corners;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) corners.push_back(chain[i].index);
    return corners;
}

}  // namespace lanecull::hulls

namespace lanecull {
namespace {

using hulls::FlatFit;
using hulls::Mesh;
using hulls::Triangle;

/// A hull while it is made.
struct Found {
    std::vector<float> x, y, z;
    std::vector<std::uint32_t> first_neighbor, neighbors;
    std::vector<HullTriangle> triangles;
    std::uint32_t dimension = 0;

    [[nodiscard]] std::size_t count() const { return x.size(); }
};

/// Collects the distinct points of the vertices, sorted.
Status gather(const Vertices& vertices, std::vector<Double3>& points) {
    if (Status status = check(vertices); !status) return status;
    const float* const streams[3] = {vertices.x, vertices.y, vertices.z};
    const std::size_t stride = floats_apart(vertices);
    points.resize(vertices.count);
    for (std::uint32_t i = 0; i < vertices.count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!std::isfinite(streams[k][i * stride])) {
                return failure("vertices.%c[%u]: not finite", "xyz"[k], i);
            }
        }
        points[i] = {static_cast<double>(vertices.x[i * stride]), static_cast<double>(vertices.y[i * stride]),
                     static_cast<double>(vertices.z[i * stride])};
    }
    const auto key = [](const Double3& p) { return std::tie(p.x, p.y, p.z); };
    std::sort(points.begin(), points.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
    const auto same = [&](auto& a, auto& b) { return key(a) == key(b); };
    points.erase(std::unique(points.begin(), points.end(), same), points.end());
    return {};
}

double largest_coordinate(const std::vector<Double3>& points) {
    double largest = 0;
    for (const Double3& p : points) largest = std::max(largest, largest_component(p));
    return largest;
}

/// A set thinner than this counts as flat: rounding to floats can make a plane that thick, or qhull cannot distinguish
/// it from a plane.
double flatness(const FlatFit& fit, double largest) {
    return std::max(std::min(0x1p-21 * largest, 0x1p-10 * fit.length), 0x1p-40 * fit.length);
}

std::uint32_t dimension_of(const FlatFit& fit, double largest) {
    const double flat = flatness(fit, largest);
    if (!(fit.length > 0)) return 0;
    return fit.thickness > flat ? 3 : fit.width > flat ? 2 : 1;
}

/// Fills in each corner's neighbours along edges, each of them once.
void connect(Found& hull, std::vector<std::pair<std::uint32_t, std::uint32_t>> edges) {
    for (std::size_t i = 0, end = edges.size(); i < end; ++i) edges.emplace_back(edges[i].second, edges[i].first);
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    hull.first_neighbor.assign(hull.x.size() + 1, 0);
    for (const auto& [from, to] : edges) {
        ++hull.first_neighbor[from + 1];
        hull.neighbors.push_back(to);
    }
    for (std::size_t i = 0; i + 1 < hull.first_neighbor.size(); ++i) {
        hull.first_neighbor[i + 1] += hull.first_neighbor[i];
    }
}

void add_corner(Found& hull, const Double3& p) {
    hull.x.push_back(static_cast<float>(p.x));
    hull.y.push_back(static_cast<float>(p.y));
    hull.z.push_back(static_cast<float>(p.z));
}

/// The hull of a compacted mesh.
Found solid(const Mesh& mesh) {
    Found hull;
    hull.dimension = 3;
    for (const Double3& p : mesh.points) add_corner(hull, p);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const Triangle& t : mesh.triangles) {
        hull.triangles.push_back({{t[0], t[1], t[2]}});
        edges.insert(edges.end(), {{t[0], t[1]}, {t[1], t[2]}, {t[2], t[0]}});
    }
    connect(hull, std::move(edges));
    return hull;
}

/// The hull that is a polygon with its corners in order, a segment or a point.
Found flat(const std::vector<Double3>& points, const std::vector<std::uint32_t>& corners) {
    Found hull;
    const auto count = static_cast<std::uint32_t>(corners.size());
    hull.dimension = std::min(count, 3U) - 1;
    for (const std::uint32_t corner : corners) add_corner(hull, points[corner]);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t i = 0; i < count && count > 1; ++i) edges.emplace_back(i, (i + 1) % count);
    for (std::uint32_t i = 1; i + 1 < count; ++i) hull.triangles.push_back({{0, i, i + 1}});
    connect(hull, std::move(edges));
    return hull;
}

Status qhull_gave_up() { return failure("vertices: qhull can make no hull of them"); }

Status hull_of(const std::vector<Double3>& points, const FlatFit& fit, std::uint32_t dimension, Found& hull) {
    if (dimension == 3) {
        const std::optional<Mesh> mesh = hulls::solid_hull(points);
        if (!mesh) return qhull_gave_up();
        hull = solid(compacted(*mesh));
    } else if (dimension == 2) {
        hull = flat(points, hulls::flat_hull(points, fit));
    } else {
        const auto along = [&](const Double3& a, const Double3& b) { return dot(a, fit.u) < dot(b, fit.u); };
        const auto [low, high] = std::minmax_element(points.begin(), points.end(), along);
        std::vector<std::uint32_t> corners = {static_cast<std::uint32_t>(low - points.begin())};
        if (dimension == 1) corners.push_back(static_cast<std::uint32_t>(high - points.begin()));
        hull = flat(points, corners);
    }
    return {};
}

/// Puts a small octahedron around each point. So a flat set gets a thickness that is more than rounding takes away.
std::vector<Double3> fattened(const std::vector<Double3>& points, double by) {
    std::vector<Double3> result;
    for (const Double3& p : points) {
        for (const Double3 step : {Double3{by, 0, 0}, Double3{0, by, 0}, Double3{0, 0, by}}) {
            result.insert(result.end(), {p + step, p - step});
        }
    }
    return result;
}

Mesh rounded_to_floats(Mesh mesh) {
    for (Double3& p : mesh.points) {
        for (double* value : {&p.x, &p.y, &p.z}) {
            constexpr double most = std::numeric_limits<float>::max();
            *value = std::fabs(*value) <= most ? static_cast<double>(static_cast<float>(*value))
                                               : std::numeric_limits<double>::infinity();
        }
    }
    return mesh;
}

/// Moves the mesh outward, farther and farther, until its corners are floats and the points are proved to be inside.
Status move_around(const Mesh& mesh, const std::vector<Double3>& points, Found& hull) {
    const double first = 0x1p-25 * largest_coordinate(mesh.points);
    for (double distance = 0; distance < 1e4 * first; distance = std::max(2 * distance, first)) {
        const Mesh moved = rounded_to_floats(hulls::moved_outward(mesh, distance));
        if (!std::isfinite(largest_coordinate(moved.points))) {
            return failure("vertices: a hull around them would be beyond the range of floats");
        }
        const std::optional<Mesh> again = hulls::solid_hull(moved.points);
        if (!again) continue;
        const Mesh result = compacted(*again);
        if (hulls::proved_to_contain(result, points)) {
            hull = solid(result);
            return {};
        }
    }
    return failure("vertices: no hull of floats was found that contains them");
}

Status find_hull(const Vertices& vertices, Found& hull) {
    std::vector<Double3> points;
    if (Status status = gather(vertices, points); !status) return status;
    const FlatFit fit = hulls::fit_plane(points);
    return hull_of(points, fit, dimension_of(fit, largest_coordinate(points)), hull);
}

Status find_enclosing_hull(const Vertices& vertices, std::uint32_t max_corners, Found& hull) {
    std::vector<Double3> points;
    if (Status status = gather(vertices, points); !status) return status;
    if (max_corners < 4) return failure("max_corners: %u is less than 4", max_corners);

    const FlatFit fit = hulls::fit_plane(points);
    const double largest = largest_coordinate(points);
    const std::uint32_t dimension = dimension_of(fit, largest);
    if (points.size() <= max_corners) {
        Found exact;
        if (Status status = hull_of(points, fit, dimension, exact); !status) return status;
        if (exact.count() == points.size()) {  // every vertex is a corner
            hull = std::move(exact);
            return {};
        }
    }
    // A flat set gets a thickness. A set that is so thin that rounding its corners tears it gets more of it.
    const double thickness = std::max(0x1p-14 * fit.length, 0x1p-20 * largest);
    Status status;
    for (double added = dimension == 3 ? 0 : thickness; added < 1e3 * thickness; added = 4 * added + thickness) {
        const std::optional<Mesh> mesh = hulls::solid_hull(added > 0 ? fattened(points, added) : points);
        if (!mesh) return qhull_gave_up();
        const Mesh whole = compacted(*mesh);
        const bool few = whole.points.size() <= max_corners;
        status = move_around(few ? whole : hulls::simplified_outward(whole, max_corners), points, hull);
        if (status) break;
    }
    return status;
}

Double3 corner(const lanecull_convex_hull& hull, std::size_t i) {
    return {static_cast<double>(hull.x[i]), static_cast<double>(hull.y[i]), static_cast<double>(hull.z[i])};
}

Mesh mesh_of(const lanecull_convex_hull& hull) {
    Mesh mesh;
    for (std::size_t i = 0; i < hull.x.size(); ++i) mesh.points.push_back(corner(hull, i));
    for (const HullTriangle& t : hull.triangles) mesh.triangles.push_back({t[0], t[1], t[2]});
    if (hull.dimension == 1) mesh.triangles = {{0, 1, 1}};
    if (hull.dimension == 0 && !hull.x.empty()) mesh.triangles = {{0, 0, 0}};
    return mesh;
}

Status no_memory() { return failure(StatusCode::out_of_memory, "hull: there is not enough memory"); }

template <class T>
bool copy(const std::vector<T>& from, Array<T>& to) {
    if (!to.resize_unset(from.size())) return false;
    std::copy(from.begin(), from.end(), to.begin());
    return true;
}

Status keep(const Found& from, lanecull_convex_hull& to) {
    lanecull_convex_hull kept;
    if (!copy(from.x, kept.x) || !copy(from.y, kept.y) || !copy(from.z, kept.z) ||
        !copy(from.first_neighbor, kept.first_neighbor) || !copy(from.neighbors, kept.neighbors) ||
        !copy(from.triangles, kept.triangles)) {
        return no_memory();
    }
    kept.dimension = from.dimension;
    kept.volume = kept.dimension == 3 ? hulls::volume(mesh_of(kept)) : 0;
    to = std::move(kept);
    return {};
}

/// make(), in which the standard library throws where there is not enough memory: std::bad_alloc, or, of more elements
/// than addresses can count, std::length_error.
template <class Make>
Status without_exceptions(const Make& make) noexcept {
    const FloatModes modes;
    try {
        return make();
    } catch (...) {
        return no_memory();
    }
}

/// Keeps what find(vertices, found) finds.
template <class Find>
Status find_and_keep(const Vertices* vertices, lanecull_convex_hull* hull, const Find& find) noexcept {
    Status status = check_not_null(vertices, "vertices");
    if (status) status = check_made(hull, "hull");
    if (!status) return status;
    return without_exceptions([&] {
        Found found;
        const Status outcome = find(*vertices, found);
        return outcome ? keep(found, *hull) : outcome;
    });
}

Status check_corners(const lanecull_convex_hull* hull, const char* name) {
    if (Status status = check_made(hull, name); !status) return status;
    return hull->x.empty() ? failure(StatusCode::not_ready, "%s: has no corners", lasting(name)) : Status();
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_convex_hull* lanecull_create_convex_hull() noexcept { return new (std::nothrow) lanecull_convex_hull; }

void lanecull_destroy_convex_hull(lanecull_convex_hull* hull) noexcept { delete hull; }

void lanecull_convex_hull_get_info(const lanecull_convex_hull* hull, lanecull_convex_hull_info* info) noexcept {
    if (info == nullptr) return;
    *info = {};
    if (hull == nullptr || hull->x.empty()) return;
    const auto all = [](const auto& items) { return Span(items.data(), items.size()); };
    info->x = all(hull->x), info->y = all(hull->y), info->z = all(hull->z);
    info->first_neighbor = all(hull->first_neighbor), info->neighbors = all(hull->neighbors);
    info->triangles = all(hull->triangles);
    info->dimension = hull->dimension;
    info->volume = hull->volume;
}

lanecull_status lanecull_find_convex_hull(const lanecull_vertices* vertices, lanecull_convex_hull* hull) noexcept {
    return find_and_keep(vertices, hull, find_hull);
}

lanecull_status lanecull_find_enclosing_hull(const lanecull_vertices* vertices, uint32_t max_corners,
                                             lanecull_convex_hull* hull) noexcept {
    return find_and_keep(vertices, hull, [&](const Vertices& given, Found& found) {
        return find_enclosing_hull(given, max_corners, found);
    });
}

lanecull_status lanecull_convex_hull_outward_error(const lanecull_convex_hull* outer, const lanecull_convex_hull* inner,
                                                   double* error) noexcept {
    Status status = check_corners(outer, "outer");
    if (status) status = check_corners(inner, "inner");
    if (status) status = check_not_null(error, "error");
    if (!status) return status;
    return without_exceptions([&] {
        const Mesh mesh = mesh_of(*inner);
        double worst = 0;
        for (std::size_t i = 0; i < outer->x.size(); ++i) {
            worst = std::max(worst, hulls::distance_to(mesh, inner->dimension == 3, corner(*outer, i)));
        }
        *error = worst;
        return Status();
    });
}
