#pragma once

/// Views of a matrix: of a perspective camera, an orthographic one, or a pair of eyes; and the steps of a perspective
/// one that each eye of a pair needs as well.

#include <lanecull/view.h>

#include <cstdint>
#include <limits>

#include "view/camera.hpp"
#include "view/clip_matrix.hpp"

namespace lanecull {

/// Describes the camera of a matrix whose row w is the same everywhere. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status describe_orthographic(const ClipRows& world, const ClipSpace& clip_space,
                                           const ViewOptions& options, Camera& camera);
/// Prepares a view of a matrix whose row w is the same everywhere. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_orthographic(const ClipRows& world, const ClipSpace& clip_space,
                                          const ViewOptions& options, PreparedView& view);

/// Prepares one view of all that either eye of a perspective pair sees. The view's eye is the first one. Rows are
/// functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_stereo(const ClipRows (&rows)[2], const ClipSpace& clip_space, const ViewOptions& options,
                                    PreparedView& view);

/// A perspective volume by its edges, in view space: four rays from the apex, which the depth planes cut.
struct EdgeVolume {
    struct Edge {
        Interval3 direction;  ///< z = 1
        double enter = 0, leave = std::numeric_limits<double>::infinity();
    };

    bool known = false;  ///< else nothing below is
    Interval3 apex;
    Edge edges[4];
    /// The depth planes' bits among the half-spaces; 0: the edges begin at the apex, or have no end.
    std::uint32_t entered_by = 0, left_by = 0;
    std::uint32_t uncut = 0;          ///< depth planes that may cut the edges and have not
    bool missed = false;              ///< a depth plane cuts some edges but not, for certain, all
    const char* why_empty = nullptr;  ///< proved; null: the volume is not empty, as far as its edges show
};

/// A perspective camera's volume, as functions of p - c.
struct PerspectiveVolume {
    Inverse sides;  ///< of rows x, y and w
    Interval3 eye;  ///< where they vanish
    Interval3 c;
    ClipRows rows;
    HalfSpaces half_spaces;
    Interval3x3 rotation;
    IntoViewSpace seen;
    EdgeVolume edges;

    /// Fails if the rows, which are functions of p - ClipSpace::origin as the eye still is, do not meet in one point.
    [[nodiscard]] Status find_eye(const ClipRows& world);
    /// Finds everything else, about c. Chooses the axes of `frame`, along the view's x, y and depth. Fails if depth
    /// planes that are parallel to the view's plane leave nothing of the volume: such a matrix is a mistake.
    [[nodiscard]] Status describe(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                                  const Interval3& origin, Frame& frame);
};

/// Encloses the part of a perspective volume that the light reaches.
[[nodiscard]] Status enclose_lit(const PerspectiveVolume& volume, const ViewOptions& options, LitPart& lit);

/// Finishes a view with the matrix's own eye and scale.
void finish_with_eye_of(const PerspectiveVolume& volume, const ViewOptions& options, PreparedView& view);

/// Describes the camera of a matrix whose row w depends on p. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status describe_perspective(const ClipRows& world, const ClipSpace& clip_space,
                                          const ViewOptions& options, Camera& camera);
/// Prepares a view of a matrix whose row w depends on p. Rows are functions of p - ClipSpace::origin.
[[nodiscard]] Status prepare_perspective(const ClipRows& world, const ClipSpace& clip_space, const ViewOptions& options,
                                         PreparedView& view);

}  // namespace lanecull
