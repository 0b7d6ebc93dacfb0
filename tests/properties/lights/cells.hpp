#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/light_grid.h>
#include <lanecull/gjk.hpp>

#include "properties/family.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

/// Light grids as the header defines them, in long doubles; lights as shapes of gjk.hpp. What the library says of a
/// light and a cell is verified by a distance that is enclosed in doubles.
namespace properties {

using Point3 = lanecull::gjk::Vec3<double>;

/// The hull of a cell's corners.
struct CellShape {
    using Vector = Point3;
    std::array<Point3, 8> corners;

    static constexpr int roundings = 6;
    [[nodiscard]] Point3 support(const Point3& d) const;
    [[nodiscard]] double magnitude() const;
    [[nodiscard]] Point3 inside() const;
};

/// A spotlight.
struct SpotShape {
    using Vector = Point3;
    Point3 apex, axis;  ///< axis at length 1
    double range = 0, tangent = 0;
    bool is_flat = false;

    static constexpr int roundings = 40;
    [[nodiscard]] Point3 support(const Point3& d) const;
    [[nodiscard]] double magnitude() const;
    [[nodiscard]] Point3 inside() const { return apex + 0.5 * range * axis; }
};

/// Lights as streams, and what is said of each.
struct LightStreams {
    std::array<std::vector<float>, 4> balls;  ///< x, y, z, radius
    std::array<std::vector<float>, 8> spots;  ///< as Spots has them
    lanecull::SpotEnd end = lanecull::SpotEnd::round;
    std::vector<std::uint32_t> layers;

    void add_ball(const std::array<double, 3>& at, double radius);
    void add_spot(const std::array<double, 3>& at, double range, const std::array<double, 3>& axis, double tangent);
    [[nodiscard]] std::size_t count() const { return balls[0].size() + spots[0].size(); }
    [[nodiscard]] lanecull::Lights lights() const;
    [[nodiscard]] bool is_invalid(std::size_t light) const;
    [[nodiscard]] std::string describe(std::size_t light) const;
};

struct GridCase {
    std::array<double, 16> matrix{};
    lanecull::ClipSpace clip_space;
    std::uint32_t tiles_x = 1, tiles_y = 1;
    std::vector<double> boundaries;
    lanecull::SightDirection sight = lanecull::SightDirection::growing_depth;

    [[nodiscard]] lanecull::LightGrid grid() const;
    [[nodiscard]] std::size_t slices() const { return boundaries.size() - 1; }
    [[nodiscard]] std::size_t cells() const { return slices() * tiles_x * tiles_y; }
    [[nodiscard]] std::string describe() const;
};

/// A grid's matrix, inverted.
class GridGeometry {
public:
    explicit GridGeometry(const GridCase& of);

    /// Whether the matrix is known well enough for doubles to verify anything.
    [[nodiscard]] bool known() const { return known_; }
    /// Where the matrix's eye is; orthographic: the middle of depth 0.
    [[nodiscard]] std::array<double, 3> origin() const;
    /// A world point relative to the origin.
    [[nodiscard]] Point3 relative(const std::array<float, 3>& p) const;
    [[nodiscard]] double depth(const Point3& relative) const;
    /// The point of depth `depth` at (x, y) of the screen, from -1 to 1, relative to the origin.
    [[nodiscard]] Point3 point(double x, double y, double depth) const;
    /// The cell, as far as `farthest`.
    [[nodiscard]] CellShape cell(std::size_t number, double farthest) const;
    /// How far what is within `reach` of a place is from the cell's slice.
    [[nodiscard]] double slices_apart(std::size_t number, const Point3& at, double reach) const;
    /// How far the library's origin may be from this one: 0, or of orthographic matrices as far as their depth goes.
    [[nodiscard]] double origins_apart() const {
        return orthographic_ ? std::fabs(static_cast<double>(2 * w_ / z_[1])) : 0;
    }
    /// How much longer than its depth a point at the screen's corners is from the eye: at most so many times.
    [[nodiscard]] double widest() const { return widest_; }

private:
    const GridCase& of_;
    bool known_ = false, orthographic_ = false;
    long double column_[3][3] = {};  ///< of the inverse of rows x, y and w (z)
    long double origin_[3] = {};
    long double forward_[3] = {}, w_ = 1, z_[2] = {};
    double widest_ = 1;
};

/// How far a light is from a cell.
struct Apartness {
    double lower = 0, upper = 0;
    double magnitude = 0;  ///< of the coordinates involved
};
[[nodiscard]] Apartness measure(const GridGeometry& geometry, const LightStreams& lights, std::size_t light,
                                std::size_t cell);

/// How far apart a valid light may be from a cell that has it, over the magnitude of the coordinates involved: 768
/// units of roundoff, times the cube of widest(), for slopes and tangents of wide views are long. Views of more than
/// some 170 degrees, which are those of matrices that are nearly singular, have no bound.
/// Of a spotlight it is eight times as much.
[[nodiscard]] double bound_of(const GridGeometry& geometry, const LightStreams& lights, std::size_t light);
/// What is wrong if a valid light is in a cell's list, or if it is not; empty if nothing is.
[[nodiscard]] std::string find_fault(const Apartness& apart, double bound, bool is_listed);

/// What a call returned: the lights of each cell, by bits.
struct Assigned {
    std::vector<std::uint32_t> offsets, indices, words;
    std::uint64_t entries = 0;
    std::string failure;

    [[nodiscard]] bool reaches(std::size_t cell, std::size_t light, std::size_t lights) const {
        const std::size_t per_cell = (lights + 31) / 32;
        return (words[cell * per_cell + light / 32] >> light % 32 & 1) != 0;
    }
};
[[nodiscard]] Assigned assign(const GridCase& of, const LightStreams& lights, lanecull::Isa isa,
                              const lanecull::Runner& runner = {}, std::uint32_t hidden_layers = 0);

/// The first disagreement of the lists with the bits; empty if there is none.
[[nodiscard]] std::string compare_lists(const Assigned& assigned, std::size_t cells, std::size_t lights);

// What makes the cases of several families.

[[nodiscard]] GridCase random_grid(Random& random, const Camera& camera);

/// A place at which cells meet, or in one, relative to the grid's origin.
[[nodiscard]] Point3 random_place(Random& random, const GridCase& of, const GridGeometry& geometry);

[[nodiscard]] std::array<double, 3> world(const GridGeometry& geometry, const Point3& p);

/// Of half-angles of 0.1 to 89.9 degrees.
[[nodiscard]] double random_tangent(Random& random);

/// touching.cpp: a light that touches a cell from outside, or is apart from it by a little, or reaches into it.
void add_touching(Random& random, const GridCase& of, const GridGeometry& geometry, bool is_spot, LightStreams& lights);

/// A spotlight with its apex, or its side, on a line in which a slice's boundary meets a plane between rows.
void add_at_line(Random& random, const GridCase& of, const GridGeometry& geometry, LightStreams& lights);

/// seen.cpp: a light is culled only if it reaches nothing that is seen.
void run_seen_lights(Trial& trial);
inline constexpr Rate seen_light_rates[] = {{Tally::reached, Tally::cases, 0.2, 0.9}};

}  // namespace properties
