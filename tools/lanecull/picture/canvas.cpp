#include "picture/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

namespace lanecull::program {

namespace {

constexpr std::size_t max_corners = 4;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr float near_depth = 1e-6F;  // times the polygon's greatest depth

/// The part of a polygon at depth >= near; a plane cuts a convex polygon into one more corner at most.
struct Clipped {
    std::array<glm::vec3, max_corners + 1> corners;
    std::size_t count = 0;

    void add(const glm::vec3& corner) {
        if (count < corners.size()) corners[count++] = corner;
    }
    [[nodiscard]] float shallowest() const {
        float depth = corners[0].z;
        for (std::size_t i = 1; i < count; ++i) depth = std::min(depth, corners[i].z);
        return depth;
    }
    [[nodiscard]] float deepest() const {
        float depth = corners[0].z;
        for (std::size_t i = 1; i < count; ++i) depth = std::max(depth, corners[i].z);
        return depth;
    }
};

Clipped clip_near(std::span<const glm::vec3> corners) {
    float deepest = 0;
    for (const glm::vec3& corner : corners) deepest = std::max(deepest, corner.z);
    const float near = deepest * near_depth;
    Clipped clipped;
    if (!(deepest > 0)) return clipped;
    glm::vec3 previous = corners.back();
    for (const glm::vec3& corner : corners) {
        if ((previous.z >= near) != (corner.z >= near)) {
            const float t = (near - previous.z) / (corner.z - previous.z);
            clipped.add({glm::vec2(previous) + t * (glm::vec2(corner) - glm::vec2(previous)), near});
        }
        if (corner.z >= near) clipped.add(corner);
        previous = corner;
    }
    return clipped;
}

/// A polygon on the grid of samples.
class Footprint {
public:
    Footprint(const Clipped& polygon, const Projection& projection) : count_(polygon.count) {
        std::array<glm::dvec2, max_corners + 1> positions;
        for (std::size_t i = 0; i < count_; ++i) {
            const glm::dvec3 p(polygon.corners[i]);
            positions[i] = glm::dvec2(projection.center) + static_cast<double>(projection.focal) * glm::dvec2(p) / p.z;
        }
        for (std::size_t i = 0; i < count_; ++i) {
            glm::dvec2 a = positions[i], b = positions[(i + 1) % count_];
            if (a.y > b.y) std::swap(a, b);
            sides_[i] = {a.y, b.y, a.x, b.y > a.y ? (b.x - a.x) / (b.y - a.y) : 0};
            top = std::min(top, a.y);
            bottom = std::max(bottom, b.y);
        }
    }

    struct Span {
        double left = infinity, right = -infinity;
    };
    /// What is covered of the line at height y.
    [[nodiscard]] Span span(double y) const {
        Span result;
        for (std::size_t i = 0; i < count_; ++i) {
            const Side& side = sides_[i];
            if (!(side.low <= y && y < side.high)) continue;
            const double x = side.x + (y - side.low) * side.slope;
            result.left = std::min(result.left, x);
            result.right = std::max(result.right, x);
        }
        return result;
    }

    double top = infinity, bottom = -infinity;

private:
    struct Side {
        double low, high;  // covers low <= y < high
        double x, slope;   // x at y = low
    };

    std::array<Side, max_corners + 1> sides_;
    std::size_t count_;
};

/// ceil for 0 <= value < 2^31.
int ceil_to_int(double value) {
    const int whole = static_cast<int>(value);
    return whole + (whole < value ? 1 : 0);
}

/// First sample whose centre is at or beyond `position`, within [0, limit].
int first_sample(double position, int limit) {
    return ceil_to_int(std::clamp(position - 0.5, 0.0, static_cast<double>(limit)));
}

}  // namespace

Projection Projection::looking(const glm::dvec3& eye, const glm::dvec3& forward, const glm::dvec3& up,
                               double vertical_fov, glm::ivec2 size) {
    const glm::dvec3 ahead = glm::normalize(forward);
    const glm::dvec3 right = glm::normalize(glm::cross(ahead, up));
    const glm::dvec3 down = glm::cross(ahead, right);
    const glm::dmat3 rows(right, down, ahead);
    Projection projection;
    projection.eye = eye;
    projection.view_from_world = glm::transpose(rows);
    projection.focal = static_cast<float>(0.5 * size.y / std::tan(0.5 * vertical_fov));
    projection.center = 0.5F * glm::vec2(size);
    projection.size = size;
    return projection;
}

std::uint16_t pack_normal(const glm::vec3& normal) {
    const float length = std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z);
    glm::vec2 folded = length > 0 ? glm::vec2(normal) / length : glm::vec2(0);
    if (normal.z < 0) {
        const glm::vec2 flipped(1 - std::abs(folded.y), 1 - std::abs(folded.x));
        folded = {std::copysign(flipped.x, folded.x), std::copysign(flipped.y, folded.y)};
    }
    const auto quantise = [](float value) { return static_cast<unsigned>((value * 0.5F + 0.5F) * 255 + 0.5F); };
    return static_cast<std::uint16_t>(quantise(folded.x) << 8 | quantise(folded.y));
}

glm::vec3 unpack_normal(std::uint16_t packed) {
    const glm::vec2 folded(static_cast<float>(packed >> 8) / 127.5F - 1, static_cast<float>(packed & 255) / 127.5F - 1);
    glm::vec3 normal(folded, 1 - std::abs(folded.x) - std::abs(folded.y));
    const float below = std::max(-normal.z, 0.0F);
    normal.x -= std::copysign(below, normal.x);
    normal.y -= std::copysign(below, normal.y);
    return glm::normalize(normal);
}

Material section_of(Material material) {
    switch (material) {
        case Material::culled:
            return Material::culled_section;
        case Material::visible:
            return Material::visible_section;
        case Material::hidden:
            return Material::hidden_section;
        default:
            return material;
    }
}

Beam::Span Beam::span(const glm::vec3& ray) const {
    Span span{0, std::numeric_limits<float>::infinity()};
    for (const glm::vec4& plane : planes) {
        const float slope = glm::dot(glm::vec3(plane), ray);
        if (slope > 0)
            span.enters = std::max(span.enters, -plane.w / slope);
        else if (slope < 0)
            span.leaves = std::min(span.leaves, -plane.w / slope);
        else if (plane.w < 0)
            return {};
    }
    return span;
}

Canvas::Canvas(const Projection& projection)
    : projection_(projection),
      samples_(static_cast<std::size_t>(projection.size.x) * static_cast<std::size_t>(projection.size.y)) {}

bool Canvas::cut(int x, int y, Sample& drawn) const {
    const glm::vec3 ray = projection_.ray(glm::vec2(x, y) + 0.5F);
    const glm::vec4& section = cutaway_->section;
    if (glm::dot(glm::vec3(section), ray) + section.w * drawn.inverse_depth > 0) {
        drawn.surface.ghost = 1;
        return cutaway_->ghosts && drawn.surface.material == Material::false_positive;
    }
    const auto [enters, leaves] = cutaway_->volume.span(ray);
    if (enters < leaves && enters * drawn.inverse_depth > 1.001F) drawn.surface.ghost = 1;
    return true;
}

void Canvas::fill(std::span<const glm::vec3> corners, const glm::vec3& normal, Surface surface, Rows rows) {
    const Clipped polygon = clip_near(corners);
    if (polygon.count < 3 || !(glm::dot(normal, normal) > 0)) return;
    const Footprint footprint(polygon, projection_);
    const int first_row = std::max(rows.first, first_sample(footprint.top, projection_.size.y));
    const int last_row = std::min(rows.last, first_sample(footprint.bottom, projection_.size.y));
    if (first_row >= last_row) return;

    // On the polygon's plane n . p = d, with p = z (slope_x, slope_y, 1): 1 / z = (n . (slope_x, slope_y, 1)) / d,
    // which is linear in the sample position. Seen from the side d vanishes; the clamp keeps rounding harmless.
    const glm::dvec3 n(normal);
    const double d = glm::dot(n, glm::dvec3(polygon.corners[0]));
    const glm::dvec3 plane = d != 0 ? n / d : glm::dvec3(0);
    const double per_sample = 1 / static_cast<double>(projection_.focal);
    const glm::dvec2 center(projection_.center);
    const float nearest = 1 / polygon.shallowest(), farthest = 1 / polygon.deepest();
    const std::uint16_t packed = pack_normal(d > 0 ? -normal : normal);

    for (int row = first_row; row < last_row; ++row) {
        const double y = row + 0.5;
        const auto [left, right] = footprint.span(y);
        if (!(left < right)) continue;
        const int first = first_sample(left, projection_.size.x), last = first_sample(right, projection_.size.x);
        const double step = plane.x * per_sample;
        const double start = (0.5 - center.x) * step + (y - center.y) * per_sample * plane.y + plane.z;
        Sample* samples = &samples_[index(0, row)];
        for (int x = first; x < last; ++x) {
            const float inverse = std::clamp(static_cast<float>(start + x * step), farthest, nearest);
            store(samples[x], x, row, {inverse, packed, surface});
        }
    }
}

void Canvas::plot(const glm::vec3& point, const glm::vec3& normal, Surface surface, Rows rows) {
    if (!(point.z > 0)) return;
    const glm::vec2 position = projection_.sample(point);
    if (!(position.x >= 0 && position.x < static_cast<float>(projection_.size.x))) return;
    if (!(position.y >= static_cast<float>(rows.first) && position.y < static_cast<float>(rows.last))) return;
    const glm::ivec2 at(position);
    store(samples_[index(at.x, at.y)], at.x, at.y, {1 / point.z, pack_normal(normal), surface});
}

}  // namespace lanecull::program
