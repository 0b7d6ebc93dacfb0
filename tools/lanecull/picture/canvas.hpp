#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// The rasteriser: plane convex polygons into samples of depth, normal and material. Colours come later.
namespace lanecull::program {

/// A pinhole camera over a grid of samples. View space is x right, y down, z forward, eye at 0; world coordinates are
/// double, so that a scene far from the origin keeps its shape.
struct Projection {
    glm::dvec3 eye{0};
    glm::dmat3 view_from_world{1};
    float focal = 1;        ///< samples a unit of slope (x / z)
    glm::vec2 center{0};    ///< the sample position that the camera looks at
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

/// `culled_section` and so on: where a plane cuts a solid open.
enum class Material : std::uint8_t {
    sky,
    ground,
    culled,
    visible,
    false_positive,
    hidden,
    culled_section,
    visible_section,
    hidden_section
};
inline constexpr std::size_t materials = 9;

/// What the inside of a cut solid is made of.
[[nodiscard]] Material section_of(Material material);

/// Samples of a pixel, each way.
inline constexpr int pixel_side = 3;

/// What a polygon is made of. `tint` tells objects apart: 0 darkest, 127 lightest. A `ghost` takes only two
/// corner samples of each pixel, so that what is behind it shows through.
struct Surface {
    Material material = Material::sky;
    std::uint8_t tint : 7 = 0;
    std::uint8_t ghost : 1 = 0;
};

/// The nearest surface at a sample.
struct Sample {
    float inverse_depth = 0;  ///< 1 / z; 0 is infinitely far
    std::uint16_t normal = 0;
    Surface surface;
};

/// A unit vector in 16 bits, by folding the octahedron onto a square: within about a degree.
[[nodiscard]] std::uint16_t pack_normal(const glm::vec3& normal);
[[nodiscard]] glm::vec3 unpack_normal(std::uint16_t packed);

/// A convex volume in view space: dot(xyz, p) + w >= 0 for each plane.
struct Beam {
    std::vector<glm::vec4> planes;

    /// The depths at which a ray of z = 1 enters and leaves it; not enters < leaves: it misses.
    struct Span {
        float enters = 0, leaves = 0;
    };
    [[nodiscard]] Span span(const glm::vec3& ray) const;
};

/// What is cut away so that a place within walls is seen. In view space.
struct Cutaway {
    glm::vec4 section;   ///< a plane: what has dot(xyz, p) + w > 0 is not drawn
    Beam volume;         ///< what stands before it becomes a ghost
    bool ghosts = true;  ///< false positives that would not be drawn become ghosts
};

/// Rows first .. last - 1. Threads draw at the same time into ranges that do not overlap.
struct Rows {
    int first = 0;
    int last = 0;
};

class Canvas {
public:
    explicit Canvas(const Projection& projection);

    [[nodiscard]] const Projection& projection() const { return projection_; }
    [[nodiscard]] const Sample& at(int x, int y) const { return samples_[index(x, y)]; }

    /// From now on, nothing is drawn that is cut away.
    void cut_away(Cutaway cutaway) { cutaway_ = std::move(cutaway); }
    [[nodiscard]] const std::optional<Cutaway>& cutaway() const { return cutaway_; }

    /// Fills a plane convex polygon of 3 or 4 view-space corners where it is nearest. `normal` is at right angles to
    /// it, of any length and side: the stored one looks toward the eye.
    void fill(std::span<const glm::vec3> corners, const glm::vec3& normal, Surface surface, Rows rows);

    /// One sample, for what is too small to fill any.
    void plot(const glm::vec3& point, const glm::vec3& normal, Surface surface, Rows rows);

private:
    void store(Sample& sample, int x, int y, Sample drawn) {
        if (!(drawn.inverse_depth > sample.inverse_depth)) return;
        if (cutaway_ && !cut(x, y, drawn)) return;
        if (drawn.surface.ghost && (x % pixel_side != y % pixel_side || x % pixel_side == pixel_side / 2)) return;
        sample = drawn;
    }
    /// Whether the cutaway leaves something of it.
    [[nodiscard]] bool cut(int x, int y, Sample& drawn) const;
    [[nodiscard]] std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(projection_.size.x) + static_cast<std::size_t>(x);
    }

    Projection projection_;
    std::vector<Sample> samples_;
    std::optional<Cutaway> cutaway_;
};

}  // namespace lanecull::program
