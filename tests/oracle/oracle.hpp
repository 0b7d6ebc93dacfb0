#pragma once

#include <array>
#include <span>
#include <vector>

#include <lanecull/view.hpp>

/// An oracle for the tests: do a solid and the volume of a clip matrix share a point?
///
/// It shares neither code nor method with the kernels. The volume stays what the matrix says, six half-spaces
/// g_i(q) = n_i . q + b_i >= 0; no vertex, edge or support point of it is ever computed. The oracle maximizes the
/// smallest g_i, in units of its row, over the points of the solid. That is a zero-sum game, solved by the simplex
/// method, which generates a column for an extreme point of the solid when it needs one. Both answers carry a
/// certificate that is verified on its own, with a bound on every rounding:
///
///   visible  a convex combination of points of the solid at which every g_i is positive;
///   apart    multipliers y >= 0 with sum_i y_i g_i < 0 everywhere in the solid; everywhere in the volume it is >= 0.
///
/// All computation is in long double (64-bit significand). If neither certificate is found the answer is `unclear`;
/// tests count and bound these.
namespace oracle {

using Real = long double;

struct Vec {
    Real x = 0, y = 0, z = 0;
};

[[nodiscard]] inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
[[nodiscard]] inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
[[nodiscard]] inline Vec operator*(Real s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
[[nodiscard]] inline Real dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
[[nodiscard]] Real length(Vec a);
[[nodiscard]] Real largest_component(Vec a);

/// Every point within `radius` of the convex hull of `points`.
struct Solid {
    std::vector<Vec> points;
    Real radius = 0;
    /// The rounding of the points is relative to this: at least the sum of the absolute values of the terms that were
    /// added to compute any of them.
    Real magnitude = 0;
};

[[nodiscard]] Solid sphere(const float centre[3], float radius);
[[nodiscard]] Solid box(const float min[3], const float max[3]);
[[nodiscard]] Solid centered_box(const float centre[3], const float half[3]);
[[nodiscard]] Solid oriented_box(const float centre[3], const float axes[9], const float half[3]);
/// quaternion: x, y, z, w of any length but 0.
[[nodiscard]] Solid rotated_box(const float centre[3], const float quaternion[4], const float half[3]);
[[nodiscard]] Solid capsule(const float a[3], const float b[3], float radius);
/// transform: 3x4, row by row.
[[nodiscard]] Solid hull(const float transform[12], std::span<const std::array<float, 3>> vertices);

/// The union of the solid translated by s v, 0 <= s <= 1.
[[nodiscard]] Solid swept(Solid solid, const float v[3]);

enum class Verdict { visible, apart, unclear };

struct Answer {
    Verdict verdict = Verdict::unclear;
    Real gap = 0;  ///< apart: a proved lower bound of the distance (not the distance, because the first proof is taken)
    int steps = 0;
};

class Volume {
public:
    /// Reads the 16 numbers as lanecull::prepare_view() documents it.
    Volume(std::span<const double, 16> clip_from_world, const lanecull::ClipSpace& clip_space);

    /// Decides whether the solid, with `grow` added to its radius, is apart from the volume. `apart` with grow = d says
    /// that the two are farther apart than d.
    [[nodiscard]] Answer decide(const Solid& solid, Real grow = 0) const;

    /// In world coordinates. Perspective: where the four side planes meet; orthographic: the volume's centre.
    [[nodiscard]] Vec eye() const { return eye_; }

    /// The largest coordinate of the solid relative to the eye, its radius included.
    [[nodiscard]] Real extent_from_eye(const Solid& solid) const;

private:
    struct HalfSpace {
        Vec normal;  ///< of length 1
        Real offset = 0;
    };

    [[nodiscard]] Real slack(const HalfSpace& half_space, Vec p) const;
    [[nodiscard]] Real rounding(const HalfSpace& half_space, const Solid& solid, Real radius) const;

    friend class Game;
    std::vector<HalfSpace> half_spaces_;
    bool empty_ = false;  ///< one of the rows says 0 . q >= a positive number
    Vec origin_;
    Vec eye_;
};

}  // namespace oracle
