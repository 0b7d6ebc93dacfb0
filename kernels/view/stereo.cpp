/// The joint volume of two eyes: the hull of both volumes.

#include "view/matrix_views.hpp"

#include "base/failure.hpp"
#include "view/caster_volume.hpp"
#include "view/frame.hpp"
#include "view/options.hpp"
#include "view/planes.hpp"
#include "view/polytope_support.hpp"

namespace lanecull {
namespace {

/// Both eyes, as functions of p - c.
using Eyes = PerspectiveVolume[2];

Status describe_eyes(const ClipRows (&rows)[2], const ClipSpace& clip_space, const ViewOptions& options,
                     const Interval3& c, Frame& frame, Eyes& eyes) {
    Frame other;
    for (std::size_t k = 0; k < 2; ++k) {
        if (Status status = eyes[k].find_eye(rows[k]); !status) return status;
        Status status = eyes[k].describe(rows[k], clip_space, options, c, k == 0 ? frame : other);
        if (!status) return status;
    }
    return {};
}

/// The corners of both eyes' volumes, as far as the light reaches; none if neither has a point. `known`: they are
/// known, and there is room for all.
Status join(const Eyes& eyes, const ViewOptions& options, Generators& joint, bool& known) {
    known = true;
    joint.clear();
    for (const PerspectiveVolume& eye : eyes) {
        LitPart lit;
        if (Status status = enclose_lit(eye, options, lit); !status) return status;
        if (lit.unlit()) continue;
        known = known && !lit.corners().empty();
        for (const Generator& corner : lit.corners()) known = joint.add(corner) && known;
    }
    return {};
}

/// The same without clip planes and the light's own limits, where what they leave is not known.
Status join_whole(const ClipRows (&rows)[2], const ClipSpace& clip_space, const Interval3& c, Generators& joint) {
    Eyes eyes;
    Frame frame;
    bool known = false;
    if (Status status = describe_eyes(rows, clip_space, {}, c, frame, eyes); !status) return status;
    if (Status status = join(eyes, {}, joint, known); !status) return status;
    return known ? Status() : failure("clip_from_world: the volume's corners are not known well enough");
}

}  // namespace

Status prepare_stereo(const ClipRows (&rows)[2], const ClipSpace& clip_space, const ViewOptions& options,
                      PreparedView& view) {
    Eyes eyes;
    if (Status status = eyes[0].find_eye(rows[0]); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(eyes[0].eye), clip_space), view.frame);
    if (Status status = describe_eyes(rows, clip_space, options, c, view.frame, eyes); !status) return status;
    if (!eyes[0].seen.exists()) return failure("clip_from_world: the matrix is singular");
    Generators joint;
    bool known = false;
    if (Status status = join(eyes, options, joint, known); !status) return status;
    view.of_casters = casts_shadows(options);
    if (known && joint.size() == 0) {
        describe_nothing(view);
        finish_with_eye_of(eyes[0], options, view);
        return {};
    }
    const Interval3x3& rotation = eyes[0].rotation;
    // Planes that hold the hull are for where it is larger than what they leave.
    std::span<const Affine> planes;
    if (!known || (!casts_shadows(options) && !describe_polytope(joint.all(), rotation, view))) {
        if (Status status = join_whole(rows, clip_space, c, joint); !status) return status;
        planes = eyes[0].half_spaces.clip_planes();
        if (!casts_shadows(options) && !describe_polytope(joint.all(), rotation, view)) {
            return failure("clip_from_world: the two volumes have no depth in common, or lie beyond 1e30");
        }
    }
    if (casts_shadows(options)) {
        describe_casters({planes, false, joint.all(), middle(rows[0].w.linear)}, options, c, view);
    } else {
        const NormalsInView seen(rotation);
        for (const Affine& plane : planes) add_plane(plane, seen, view);
        add_hull_planes(joint.all(), rotation, view);
        pad_planes(view);
    }
    finish_with_eye_of(eyes[0], options, view);
    return {};
}

}  // namespace lanecull
