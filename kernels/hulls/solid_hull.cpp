extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <cmath>
#include <cstdio>

#include "hulls/mesh.hpp"

/// Calls qhull. No other file knows of it.
namespace lanecull::hulls {
namespace {

/// One run of qhull. The destructor frees its memory.
class Qhull {
public:
    explicit Qhull(std::vector<coordT> coordinates) : coordinates_(std::move(coordinates)) {
        qh_zero(&qh_, nullptr);
        // Qt: triangles only. Pp: no remarks. QJ is not used, as it would move the points. qhull writes its errors to a
        // stream.
        char command[] = "qhull Qt Pp";
        std::FILE* silence = std::fopen("/dev/null", "w");
        good_ = silence != nullptr && qh_new_qhull(&qh_, 3, static_cast<int>(coordinates_.size() / 3),
                                                   coordinates_.data(), False, command, nullptr, silence) == 0;
        if (silence != nullptr) std::fclose(silence);
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
        for (const facetT* facet = qh_.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
            if (qh_setsize(&qh_, facet->vertices) != 3) continue;
            Triangle triangle{};
            for (std::size_t k = 0; k < 3; ++k) {
                const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[k].p);
                triangle[k] = static_cast<std::uint32_t>(qh_pointid(&qh_, vertex->point));
            }
            // The orientation is what qhull says: the normals of slivers would be unreliable.
            if ((facet->toporient ^ qh_ORIENTclock) != 0) std::swap(triangle[1], triangle[2]);
            result.push_back(triangle);
        }
        return result;
    }

private:
    std::vector<coordT> coordinates_;
    qhT qh_;
    bool good_ = false;
};

}  // namespace

std::optional<Mesh> solid_hull(std::span<const Double3> points) {
    // The points are moved to the middle and scaled to a size of about 1: qhull has absolute limits, and squares of
    // small numbers vanish.
    Double3 lower = points[0], upper = points[0];
    for (const Double3& p : points) {
        lower = {std::min(lower.x, p.x), std::min(lower.y, p.y), std::min(lower.z, p.z)};
        upper = {std::max(upper.x, p.x), std::max(upper.y, p.y), std::max(upper.z, p.z)};
    }
    const Double3 middle = lower * 0.5 + upper * 0.5;
    const double size = largest_component(upper - lower);
    if (size == 0) return std::nullopt;
    const int exponent = std::ilogb(size);
    std::vector<coordT> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Double3& p : points) {
        const Double3 d = p - middle;
        for (const double value : {d.x, d.y, d.z}) coordinates.push_back(std::ldexp(value, -exponent));
    }
    Qhull qhull(std::move(coordinates));
    if (!qhull.good()) return std::nullopt;
    return Mesh{{points.begin(), points.end()}, qhull.triangles()};
}

}  // namespace lanecull::hulls
