#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/type_precision.hpp>
#include <limits>
#include <optional>
#include <span>
#include <vector>

/// The rasteriser: plane convex polygons into samples of depth, normal and surface. Colours come later.
namespace lanecull::program {

/// A pinhole camera over a grid of samples. View space is x right, y down, z forward, eye at 0; world coordinates are
/// double, so that a scene far from the origin keeps its shape.
struct Projection {
    glm::dvec3 eye{0};
    glm::dmat3 view_from_world{1};
    float focal = 1;        ///< samples a unit of slope (x / z)
    glm::vec2 center{0};    ///< the sample position in the middle of what the camera sees
    glm::ivec2 size{1, 1};  ///< samples

    /// `up` must not be parallel to `forward`; neither needs to be of length 1.
    static Projection looking(const glm::dvec3& eye, const glm::dvec3& forward, const glm::dvec3& up,
                              double vertical_fov, glm::ivec2 size);

    [[nodiscard]] glm::vec3 view(const glm::dvec3& world) const { return {view_from_world * (world - eye)}; }
    /// Sample position of a view-space point in front of the eye (z > 0).
    [[nodiscard]] glm::vec2 sample(const glm::vec3& view) const {
        return center + focal * glm::vec2(view.x, view.y) / view.z;
    }
    /// Direction, of z = 1, through a sample position.
    [[nodiscard]] glm::vec3 ray(const glm::vec2& sample) const { return {(sample - center) / focal, 1.0F}; }
};

/// Samples of a pixel, each way.
inline constexpr int pixel_side = 3;

/// What is drawn; who draws says which ink is which, but 0 is nothing. `tint` tells objects apart: 0 darkest, 31
/// lightest. A `ghost` takes only two corner samples of each pixel, so that what is behind it shows through.
struct Surface {
    std::uint8_t ink = 0;
    std::uint8_t tint : 5 = 0;
    std::uint8_t ghost : 1 = 0;
    std::uint8_t section : 1 = 0;    ///< where a solid is cut open
    std::uint8_t important : 1 = 0;  ///< drawn however small; a ghost where it is cut away

    [[nodiscard]] bool operator==(const Surface&) const = default;
};

/// How bright a cut solid's inside is, next to its outside.
inline constexpr float section_shade = 0.45F;

/// The nearest surface at a sample.
struct Sample {
    float inverse_depth = 0;  ///< 1 / z; 0 is infinitely far
    glm::i8vec3 normal{0};    ///< of about length 127
    Surface surface;
};

/// A convex volume in view space: dot(xyz, p) + w >= 0 for each plane.
struct Beam {
    std::vector<glm::vec4> planes;

    /// Between which multiples of `ray`, from `enters` on, it is in the volume; not enters < leaves: it misses.
    struct Span {
        float enters = 0, leaves = std::numeric_limits<float>::infinity();
    };
    [[nodiscard]] Span span(const glm::vec3& ray, float enters = 0) const;
};

/// What is cut away so that a place within walls is seen. In view space.
struct Cutaway {
    glm::vec4 section;  ///< a plane: what has dot(xyz, p) + w > 0 is not drawn
    Beam volume = {};   ///< what stands before it becomes a ghost
};

/// Rows first .. last - 1. Threads draw at the same time into ranges that do not overlap.
struct Rows {
    int first = 0, last = 0;
};

class Canvas {
public:
    explicit Canvas(const Projection& projection, std::optional<Cutaway> cutaway = {});

    [[nodiscard]] const Projection& projection() const { return projection_; }
    [[nodiscard]] const std::optional<Cutaway>& cutaway() const { return cutaway_; }
    [[nodiscard]] const Sample& at(int x, int y) const { return samples_[index(x, y)]; }
    /// That at a sample position; nothing outside the canvas.
    [[nodiscard]] Sample at(const glm::vec2& position) const;

    /// Fills a plane convex polygon of 3 or 4 view-space corners where it is nearest. `normal` is at right angles to
    /// it, of any length and side: the stored one looks toward the eye.
    void fill(std::span<const glm::vec3> corners, const glm::vec3& normal, Surface surface, Rows rows);

    /// One sample, for what is too small to fill any.
    void plot(const glm::vec3& point, Surface surface, Rows rows);

private:
    void store(int x, int y, Sample drawn);
    /// Whether the cutaway leaves something of it.
    [[nodiscard]] bool cut(int x, int y, Sample& drawn) const;
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(projection_.size.x) + static_cast<std::size_t>(x);
    }

    Projection projection_;
    std::optional<Cutaway> cutaway_;
    std::vector<Sample> samples_;
};

}  // namespace lanecull::program
