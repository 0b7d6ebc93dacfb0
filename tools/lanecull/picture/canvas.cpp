#include "picture/canvas.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace lanecull::program {

namespace {

/// A polygon at depth >= near on the grid of samples; a plane cuts a convex polygon into one more corner at most.
class Footprint {
public:
    Footprint(std::span<const glm::vec3> corners, const Projection& projection) {
        float farthest = 0;
        for (const glm::vec3& p : corners) farthest = std::max(farthest, p.z);
        const float near = 1e-6F * farthest;
        if (!(farthest > 0)) return;
        glm::vec3 previous = corners.back();
        for (const glm::vec3& p : corners) {
            if ((previous.z >= near) != (p.z >= near)) {
                const float t = (near - previous.z) / (p.z - previous.z);
                add({glm::vec2(previous) + t * glm::vec2(p - previous), near}, projection);
            }
            if (p.z >= near) add(p, projection);
            previous = p;
        }
    }

    [[nodiscard]] bool empty() const { return count_ < 3; }
    /// Between which positions the line at height y is covered.
    [[nodiscard]] std::pair<double, double> span(double y) const {
        std::pair<double, double> covered{1e300, -1e300};
        for (std::size_t i = 0; i < count_; ++i) {
            const glm::dvec2 &a = places_[i], &b = places_[i + 1 == count_ ? 0 : i + 1];
            if ((a.y <= y) == (b.y <= y)) continue;
            const double x = a.x + (y - a.y) * ((b.x - a.x) / (b.y - a.y));
            covered = {std::min(covered.first, x), std::max(covered.second, x)};
        }
        return covered;
    }

    glm::vec3 corner{0};  ///< one of them
    double top = 1e300, bottom = -1e300;
    float shallowest = std::numeric_limits<float>::infinity(), deepest = 0;

private:
    void add(const glm::vec3& p, const Projection& projection) {
        if (count_ == places_.size()) return;
        corner = p;
        const glm::dvec3 precise(p);
        const glm::dvec2 place =
            glm::dvec2(projection.center) + double{projection.focal} * glm::dvec2(precise) / precise.z;
        places_[count_++] = place;
        top = std::min(top, place.y), bottom = std::max(bottom, place.y);
        shallowest = std::min(shallowest, p.z), deepest = std::max(deepest, p.z);
    }

    std::array<glm::dvec2, 5> places_;
    std::size_t count_ = 0;
};

/// First sample whose centre is at or beyond `position`, within [0, limit].
int first_sample(double position, int limit) {
    const double within = std::clamp(position - 0.5, 0.0, static_cast<double>(limit));
    const int whole = static_cast<int>(within);
    return whole + (whole < within ? 1 : 0);
}

}  // namespace

Projection Projection::looking(const glm::dvec3& eye, const glm::dvec3& forward, const glm::dvec3& up,
                               double vertical_fov, glm::ivec2 size) {
    const glm::dvec3 ahead = glm::normalize(forward), right = glm::normalize(glm::cross(ahead, up));
    return {eye, glm::transpose(glm::dmat3(right, glm::cross(ahead, right), ahead)),
            static_cast<float>(0.5 * size.y / std::tan(0.5 * vertical_fov)), 0.5F * glm::vec2(size), size};
}

Beam::Span Beam::span(const glm::vec3& ray, float enters) const {
    Span span{enters};
    for (const glm::vec4& plane : planes) {
        const float slope = glm::dot(glm::vec3(plane), ray);
        if (slope > 0)
            span.enters = std::max(span.enters, -plane.w / slope);
        else if (slope < 0)
            span.leaves = std::min(span.leaves, -plane.w / slope);
        else if (plane.w < 0)
            return {0, 0};
    }
    return span;
}

Canvas::Canvas(const Projection& projection, std::optional<Cutaway> cutaway)
    : projection_(projection),
      cutaway_(std::move(cutaway)),
      samples_(static_cast<std::size_t>(projection.size.x) * static_cast<std::size_t>(projection.size.y)) {}

Sample Canvas::at(const glm::vec2& position) const {
    const glm::vec2 size(projection_.size);
    const bool inside = position.x >= 0 && position.y >= 0 && position.x < size.x && position.y < size.y;
    return inside ? at(static_cast<int>(position.x), static_cast<int>(position.y)) : Sample();
}

void Canvas::store(int x, int y, Sample drawn) {
    Sample& sample = samples_[index(x, y)];
    if (!(drawn.inverse_depth > sample.inverse_depth)) return;
    if (cutaway_ && !cut(x, y, drawn)) return;
    if (drawn.surface.ghost && (x % pixel_side != y % pixel_side || x % pixel_side == pixel_side / 2)) return;
    sample = drawn;
}

bool Canvas::cut(int x, int y, Sample& drawn) const {
    const glm::vec3 ray = projection_.ray(glm::vec2(x, y) + 0.5F);
    const glm::vec4& section = cutaway_->section;
    if (glm::dot(glm::vec3(section), ray) + section.w * drawn.inverse_depth > 0) {
        drawn.surface.ghost = 1;
        return drawn.surface.important;
    }
    if (cutaway_->volume.planes.empty()) return true;
    const auto [enters, leaves] = cutaway_->volume.span(ray);
    if (enters < leaves && enters * drawn.inverse_depth > 1.001F) drawn.surface.ghost = 1;
    return true;
}

void Canvas::fill(std::span<const glm::vec3> corners, const glm::vec3& normal, Surface surface, Rows rows) {
    const Footprint polygon(corners, projection_);
    if (polygon.empty() || !(glm::dot(normal, normal) > 0)) return;
    const int first_row = std::max(rows.first, first_sample(polygon.top, projection_.size.y));
    const int last_row = std::min(rows.last, first_sample(polygon.bottom, projection_.size.y));
    if (first_row >= last_row) return;

    // On the polygon's plane n . p = d, with p = z (slope_x, slope_y, 1): 1 / z = (n . (slope_x, slope_y, 1)) / d,
    // which is linear in the sample position. Seen from the side d vanishes; the clamp keeps rounding harmless.
    const glm::dvec3 n(normal);
    const double d = glm::dot(n, glm::dvec3(polygon.corner));
    const glm::dvec3 plane = d != 0 ? n / d : glm::dvec3(0);
    const glm::dvec2 center(projection_.center), step = glm::dvec2(plane) / double{projection_.focal};
    const float nearest = 1 / polygon.shallowest, farthest = 1 / polygon.deepest;
    const glm::i8vec3 packed(glm::round((d > 0 ? -127.0F : 127.0F) * glm::normalize(normal)));

    for (int row = first_row; row < last_row; ++row) {
        const auto [left, right] = polygon.span(row + 0.5);
        if (!(left < right)) continue;
        const double start = (0.5 - center.x) * step.x + (row + 0.5 - center.y) * step.y + plane.z;
        const int last = first_sample(right, projection_.size.x);
        for (int x = first_sample(left, projection_.size.x); x < last; ++x) {
            store(x, row, {std::clamp(static_cast<float>(start + x * step.x), farthest, nearest), packed, surface});
        }
    }
}

void Canvas::plot(const glm::vec3& point, Surface surface, Rows rows) {
    if (!(point.z > 0)) return;
    const glm::vec2 position = projection_.sample(point);
    if (!(position.x >= 0 && position.x < static_cast<float>(projection_.size.x))) return;
    if (!(position.y >= static_cast<float>(rows.first) && position.y < static_cast<float>(rows.last))) return;
    store(static_cast<int>(position.x), static_cast<int>(position.y), {1 / point.z, glm::i8vec3(0, -90, -90), surface});
}

}  // namespace lanecull::program
