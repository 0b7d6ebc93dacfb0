#pragma once

/// The options that every view has, however its volume is given.

#include <lanecull/view.h>

#include "base/affine.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// Checks the rules of ViewOptions. Clip planes' numbers are checked where they are read (read_plane()).
[[nodiscard]] Status check_options(const ViewOptions& options);

/// A matrix's own eye and scale, or none.
struct Eye {
    bool known = false;
    Frame frame;          ///< world axes
    double distance = 0;  ///< how far the eye may be from the frame's 0
    double size_scale = 0;
    bool size_by_distance = true;
    Sight sight;
};

/// Depth by an affine function of p - c.
[[nodiscard]] Sight sight_along(const Affine& depth, const Interval3& c);
/// Depth by the distance from a point of the world.
[[nodiscard]] Sight sight_from(const double* place);

/// The last step of preparing a view. Fills in the side slabs, the numbers for balls' distances, the margin, the
/// layers, the eye: that of the options if they have one, else `own`; and depth, by the light where there is one.
void finish(const ViewOptions& options, const Eye& own, PreparedView& view);

/// Gives a view the eye and the scale of another, by which objects' distances and sizes are measured.
void take_eye(const PreparedView& from, PreparedView& view);

/// Makes it a view whose volume is proved to have no point, and keeps where its origin is, whom it is for and what
/// finish() writes.
void describe_nothing(PreparedView& view);

}  // namespace lanecull
