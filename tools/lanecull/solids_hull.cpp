#include <oneapi/tbb/parallel_for.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "solids.hpp"

/// Triangles of convex hulls.
namespace lanecull::program {

namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// One hull of qhull's; its memory goes with it.
class Qhull {
public:
    explicit Qhull(const std::vector<glm::vec3>& points) {
        for (const glm::vec3& p : points) coordinates_.insert(coordinates_.end(), {p.x, p.y, p.z});
        qh_zero(&qh_, nullptr);
        // Qt: triangles only; Pp: no remarks. qhull takes a stream for its errors: those of flat input end there.
        char command[] = "qhull Qt Pp";
        std::FILE* silence = std::fopen("/dev/null", "w");
        good_ = silence && qh_new_qhull(&qh_, 3, static_cast<int>(points.size()), coordinates_.data(), False, command,
                                        nullptr, silence) == 0;
        if (silence) std::fclose(silence);
    }
    ~Qhull() {
        int current = 0, total = 0;
        qh_freeqhull(&qh_, qh_ALL);
        qh_memfreeshort(&qh_, &current, &total);
    }
    Qhull(const Qhull&) = delete;
    Qhull& operator=(const Qhull&) = delete;

    [[nodiscard]] bool good() const { return good_; }

    [[nodiscard]] std::vector<Triangle> triangles() {
        std::vector<Triangle> result;
        for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
            if (qh_setsize(&qh_, facet->vertices) != 3) continue;
            Triangle triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[k].p);
                triangle[k] = static_cast<std::uint32_t>(qh_pointid(&qh_, vertex->point));
            }
            result.push_back(triangle);
        }
        return result;
    }

private:
    std::vector<coordT> coordinates_;
    qhT qh_;
    bool good_ = false;
};

std::size_t farthest(const std::vector<glm::vec3>& points, auto distance) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (distance(points[i]) > distance(points[best])) best = i;
    }
    return best;
}

/// The largest triangle's plane through the set, roughly, and how far points are from it: 0 for points of a plane.
struct FlatFit {
    glm::vec3 origin{0}, u{0}, v{0};  // u and v are unit vectors; v is 0 when the points are of one line
    float extent = 0, thickness = 0;
};

FlatFit fit_plane(const std::vector<glm::vec3>& points) {
    FlatFit fit;
    fit.origin = points[farthest(points, [&](const glm::vec3& p) { return glm::distance(p, points[0]); })];
    const glm::vec3 end = points[farthest(points, [&](const glm::vec3& p) { return glm::distance(p, fit.origin); })];
    fit.extent = glm::distance(fit.origin, end);
    if (!(fit.extent > 0)) return fit;
    fit.u = (end - fit.origin) / fit.extent;
    const auto off_line = [&](const glm::vec3& p) { return p - fit.origin - glm::dot(p - fit.origin, fit.u) * fit.u; };
    const glm::vec3 side = off_line(points[farthest(points, [&](auto& p) { return glm::length(off_line(p)); })]);
    if (!(glm::length(side) > 0)) return fit;
    fit.v = glm::normalize(side);
    const glm::vec3 normal = glm::cross(fit.u, fit.v);
    for (const glm::vec3& p : points)
        fit.thickness = std::max(fit.thickness, std::abs(glm::dot(p - fit.origin, normal)));
    return fit;
}

/// A fan over the hull of points of a plane (Andrew's monotone chain).
std::vector<Triangle> flat_hull(const std::vector<glm::vec3>& points, const FlatFit& fit) {
    struct Point {
        float x, y;
        std::uint32_t index;
    };
    std::vector<Point> sorted;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const glm::vec3 offset = points[i] - fit.origin;
        sorted.push_back({glm::dot(offset, fit.u), glm::dot(offset, fit.v), i});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Point& a, const Point& b) {
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
    });
    std::vector<Point> chain;
    const auto extend = [&](const Point& p, std::size_t start) {
        const auto turns_left = [&](const Point& a, const Point& b) {
            return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0;
        };
        while (chain.size() >= start + 2 && !turns_left(chain[chain.size() - 2], chain.back())) chain.pop_back();
        chain.push_back(p);
    };
    for (const Point& p : sorted) extend(p, 0);
    const std::size_t upper = chain.size() - 1;
    for (auto p = sorted.rbegin() + 1; p != sorted.rend(); ++p) extend(*p, upper);
    std::vector<Triangle> fan;
    for (std::size_t i = 1; i + 2 < chain.size(); ++i) {
        fan.push_back({chain[0].index, chain[i].index, chain[i + 1].index});
    }
    return fan;
}

SolidHull solid_hull(const HullMesh& source) {
    SolidHull hull;
    SolidMesh& mesh = hull.mesh;
    for (std::size_t i = 0; i < source.x.size(); ++i) mesh.points.emplace_back(source.x[i], source.y[i], source.z[i]);
    glm::vec3 lower = mesh.points[0], upper = mesh.points[0];
    for (const glm::vec3& p : mesh.points) {
        lower = glm::min(lower, p);
        upper = glm::max(upper, p);
    }
    hull.origin = 0.5F * lower + 0.5F * upper;
    mesh.half_size = 0.5F * upper - 0.5F * lower;
    for (glm::vec3& p : mesh.points) {
        p -= hull.origin;
        mesh.inner += p / static_cast<float>(mesh.points.size());
    }
    mesh.triangles = source.triangles;
    if (!mesh.triangles.empty()) return hull;

    const FlatFit fit = fit_plane(mesh.points);
    if (fit.thickness > 1e-5F * fit.extent) {
        Qhull qhull(mesh.points);
        mesh.convex = qhull.good();
        if (mesh.convex) mesh.triangles = qhull.triangles();
    }
    if (!mesh.convex) mesh.triangles = flat_hull(mesh.points, fit);
    return hull;
}

}  // namespace

std::vector<SolidHull> solid_hulls(const HullInstanceArrays& instances) {
    std::vector<SolidHull> hulls(instances.meshes.size());
    oneapi::tbb::parallel_for(std::size_t{0}, hulls.size(),
                              [&](std::size_t i) { hulls[i] = solid_hull(instances.meshes[i]); });
    return hulls;
}

}  // namespace lanecull::program
