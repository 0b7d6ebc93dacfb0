#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <lanecull/solids.h>

#include "support/random.hpp"

/// Triangle meshes, and an exact oracle for what solid_boxes() says of them: in rationals, by clipping and by rays in
/// any direction, where the library uses intervals, separating directions and rays along an axis.
namespace meshes {

using Corner = std::array<float, 3>;
using Index3 = std::array<std::uint32_t, 3>;

struct Mesh {
    std::vector<Corner> vertices;
    std::vector<Index3> triangles;

    [[nodiscard]] lanecull::TriangleMesh view() const;
    void add(const Mesh& other);
    /// All triangles the other way round.
    [[nodiscard]] Mesh flipped() const;
    /// Each coordinate by itself: float of map(x, y, z).
    [[nodiscard]] Mesh mapped(const std::function<std::array<double, 3>(double, double, double)>& map) const;
    [[nodiscard]] std::string describe() const;
};

/// Whether cell (i, j, k) is solid.
using Solidity = std::function<bool(int, int, int)>;
/// The surface of the solid cells of a grid, whose lines are given along each axis. Two triangles a face.
[[nodiscard]] Mesh surface_of(const std::array<std::vector<float>, 3>& lines, const Solidity& is_solid);
[[nodiscard]] Mesh box(const Corner& lo, const Corner& hi);
[[nodiscard]] Mesh sphere(double radius, int around, int along);
[[nodiscard]] Mesh torus(double radius, double tube, int around, int along);
[[nodiscard]] Mesh l_prism();
/// Two storeys of rooms around a courtyard, with thick walls, floors and a roof; its rooms are closed cavities.
[[nodiscard]] Mesh house();

enum class Family {
    simple,    ///< cells of a grid, with cavities, edges of four triangles and thin walls, turned or not; balls and
               ///< tori with uneven corners, so that the surface may meet itself
    several,   ///< two or three of the others, overlapping, nested or abutting, either way round
    thin,      ///< any, flattened or stretched up to a million times
    extreme,   ///< any, with coordinates from 2^-149 to 2^120, and far from the origin
    balanced,  ///< any beside its mirror image, so that a tiny box decides the sign of the volume
    families
};
[[nodiscard]] Mesh random_mesh(Random& random, Family family);

/// What is wrong with a box that is claimed to be inside, exactly: its inside must have no point of a triangle, unless
/// the mesh has the same triangle twice or `may_have_sheets`, and points within it must have a winding number of the
/// mesh's sign. Empty: nothing.
[[nodiscard]] std::string what_is_wrong(const Mesh& mesh, const lanecull::SolidBoxes& boxes, Random& random,
                                        bool may_have_sheets = false);

/// The same of a polytope: no triangle of the mesh has a point in common with the hull of its corners.
[[nodiscard]] std::string what_is_wrong(const Mesh& mesh, const lanecull::SolidHull& hull, Random& random);

/// A point of a box that is claimed to be inside; its middle, rounded.
[[nodiscard]] Corner middle_of(const lanecull::SolidBoxes& boxes, std::uint32_t i);

}  // namespace meshes
