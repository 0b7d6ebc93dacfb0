#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <lanecull/view.h>

#include "oracle/oracle.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

/// Random cameras and objects. The generator's seed determines everything.

enum class Projection {
    perspective,
    reversed,           ///< depth 1 at the near plane
    infinite,           ///< no far plane
    reversed_infinite,  ///< depth 1 at the near plane, and no far plane
    off_centre,         ///< asymmetric slopes, as for one tile of a display wall or one eye of a headset
    opengl,             ///< depth -1 .. 1
    orthographic,
    oblique,  ///< the near plane tilted, as for mirrors
    sheared,  ///< world axes sheared and scaled before the camera, so that its basis is not orthonormal
};

inline constexpr Projection all_projections[] = {
    Projection::perspective,       Projection::reversed,   Projection::infinite,
    Projection::reversed_infinite, Projection::off_centre, Projection::opengl,
    Projection::orthographic,      Projection::oblique,    Projection::sheared};

[[nodiscard]] const char* projection_name(Projection projection);

[[nodiscard]] Double3 random_direction(Random& random);

/// A camera as parameters and as the clip matrix made from them. The parameters only determine where objects are
/// placed; the matrix defines the volume.
struct Camera {
    Projection projection = Projection::perspective;
    Double3 eye{};
    Double3 axis[3] = {};         ///< world directions of the view's x, y and z; z is forward, the clip matrix' w
    double x[2] = {}, y[2] = {};  ///< slopes x / z and y / z of the side planes; orthographic: x and y themselves
    double depth[2] = {};         ///< near and far; far may be infinite

    bool single = false;  ///< the matrix is given as floats
    std::array<double, 16> matrix{};
    std::array<float, 16> single_matrix{};
    lanecull::ClipSpace clip_space;

    [[nodiscard]] lanecull::Status prepare(lanecull::View& view, const lanecull::ViewOptions& options = {}) const;
    [[nodiscard]] oracle::Volume volume() const;
    /// The world position of a point in view coordinates. Perspective: px and py are multiples of z.
    [[nodiscard]] Double3 point(double px, double py, double z) const;
    /// The volume's approximate size at depth z.
    [[nodiscard]] double size_at(double z) const;
    [[nodiscard]] std::string describe() const;
};

/// A camera with its eye up to 1e6 from the origin, near 0.01 .. 1 and far up to 1e6. Its matrix has either layout, in
/// floats or doubles, with the eye in the matrix or given as the clip space's origin.
[[nodiscard]] Camera random_camera(Random& random, Projection projection);
/// Of any projection.
[[nodiscard]] Camera random_camera(Random& random);

/// Vertex sets of 1 to 100 vertices: round, flat, linear, boxes, some far from their own origin.
[[nodiscard]] HullSet random_hulls(Random& random, int count);

enum class Placement {
    uniform,     ///< small, anywhere in a cube around the eye
    facet,       ///< near a random facet of the volume
    edge,        ///< near a random edge
    corner,      ///< near a random corner
    around_eye,  ///< around the eye, about as far from it as the near plane
    huge,        ///< as large as the volume, or larger
};

inline constexpr Placement all_placements[] = {Placement::uniform, Placement::facet,      Placement::edge,
                                               Placement::corner,  Placement::around_eye, Placement::huge};

/// An object of the given size around `centre`. One in four is flat, a sliver, a segment or a point.
[[nodiscard]] Object object_at(Random& random, Kind kind, const Double3& centre, double size, const HullSet& hulls);

/// Gives the object a margin, a sweep or both, of about its own size.
void grow(Random& random, Kind kind, const HullSet& hulls, const Streams& streams, Object& object);

/// An object of random size at a random place of that kind. One in four is flat, a sliver, a segment or a point.
[[nodiscard]] Object random_object(Random& random, Kind kind, const Camera& camera, Placement placement,
                                   const HullSet& hulls);

/// Gives the object random flags, some of which are not defined, and a random subset of all layers.
void mark(Random& random, Object& object);

/// `count` objects of all placements, most of them near edges and corners of the volume.
[[nodiscard]] std::vector<Object> random_objects(Random& random, Kind kind, const Camera& camera, std::size_t count,
                                                 const HullSet& hulls);

/// The first camera of that projection that prepare_view() takes, and its view.
struct PreparedCamera {
    Camera camera;
    lanecull::View view;
};
[[nodiscard]] PreparedCamera random_prepared_camera(Random& random, Projection projection);
[[nodiscard]] PreparedCamera random_prepared_camera(Random& random);
