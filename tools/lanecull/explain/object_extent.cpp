#include "explain/object_extent.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <variant>

namespace lanecull::program {
namespace {

using glm::dvec3;

/// The direction to measure in, and where it counts from.
struct Ruler {
    dvec3 direction, origin;

    [[nodiscard]] double at(const dvec3& p) const { return glm::dot(direction, p - origin); }
    [[nodiscard]] Extent around(const dvec3& center, double reach) const {
        return {at(center) - reach, at(center) + reach};
    }
};

Extent extent(const SphereArrays& s, std::size_t i, const Ruler& ruler) {
    return ruler.around({s.x[i], s.y[i], s.z[i]}, double{s.radius[i]} * glm::length(ruler.direction));
}

Extent extent(const BoxArrays& b, std::size_t i, const Ruler& ruler) {
    const dvec3 lower(b.min_x[i], b.min_y[i], b.min_z[i]), upper(b.max_x[i], b.max_y[i], b.max_z[i]);
    return ruler.around(0.5 * (lower + upper), glm::dot(glm::abs(ruler.direction), 0.5 * (upper - lower)));
}

Extent extent(const CenteredBoxArrays& b, std::size_t i, const Ruler& ruler) {
    const dvec3 half(b.half_x[i], b.half_y[i], b.half_z[i]);
    return ruler.around({b.x[i], b.y[i], b.z[i]}, glm::dot(glm::abs(ruler.direction), half));
}

Extent extent(const OrientedBoxArrays& b, std::size_t i, const Ruler& ruler) {
    double reach = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        const float* axis = &b.axes[9 * i + 3 * k];
        const double along = glm::dot(ruler.direction, dvec3(axis[0], axis[1], axis[2]));
        reach += std::abs(along) * static_cast<double>(b.half_extents[3 * i + k]);
    }
    return ruler.around({b.x[i], b.y[i], b.z[i]}, reach);
}

Extent extent(const CapsuleArrays& c, std::size_t i, const Ruler& ruler) {
    const double a = ruler.at({c.a_x[i], c.a_y[i], c.a_z[i]}), b = ruler.at({c.b_x[i], c.b_y[i], c.b_z[i]});
    const double ball = double{c.radius[i]} * glm::length(ruler.direction);
    return {std::min(a, b) - ball, std::max(a, b) + ball};
}

Extent extent(const HullInstanceArrays& instances, std::size_t i, const Ruler& ruler) {
    const HullMesh& mesh = instances.meshes[instances.hull_index[i]];
    const float* m = &instances.transforms[12 * i];
    const glm::dmat3 linear = glm::transpose(glm::dmat3(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]));
    const Ruler in_mesh{glm::transpose(linear) * ruler.direction, dvec3(0)};
    const double shift = ruler.at({m[3], m[7], m[11]});
    Extent result{HUGE_VAL, -HUGE_VAL};
    for (std::size_t k = 0; k < mesh.x.size(); ++k) {
        const double at = shift + in_mesh.at({mesh.x[k], mesh.y[k], mesh.z[k]});
        result = {std::min(result.low, at), std::max(result.high, at)};
    }
    return result;
}

}  // namespace

Extent extent_along(const Arrays& arrays, std::size_t i, const dvec3& direction, const dvec3& origin) {
    return std::visit([&](const auto& kind) { return extent(kind, i, {direction, origin}); }, arrays);
}

Bounds exact_bounds(const Arrays& arrays, std::size_t i) {
    Bounds bounds;
    for (int axis = 0; axis < 3; ++axis) {
        dvec3 direction(0);
        direction[axis] = 1;
        const Extent extent = extent_along(arrays, i, direction, dvec3(0));
        bounds.lower[axis] = extent.low;
        bounds.upper[axis] = extent.high;
    }
    return bounds;
}

}  // namespace lanecull::program
