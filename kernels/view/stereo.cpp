/// The joint volume of two eyes: the hull of both volumes.

#include "view/stereo.hpp"

#include "view/casters.hpp"
#include "view/frame.hpp"
#include "view/perspective.hpp"
#include "view/planes.hpp"
#include "view/polytope_support.hpp"

namespace lanecull {
namespace {

/// Finds the corners of both eyes' volumes, as far as the light reaches, as functions of p - c.
Status enclose_eyes(const ClipRows (&eyes)[2], const ClipSpace& clip_space, const ViewOptions& options,
                    const Interval3& c, Generators& joint) {
    for (const ClipRows& world : eyes) {
        HalfSpaces half_spaces;
        LitPart lit;
        const ClipRows rows = about(world, c, clip_space);
        Frame own;
        if (Status status = half_spaces.add(rows, options, c); !status) return status;
        if (Status status = enclose_lit(rows, choose_rotation_of(world, own), half_spaces, options, c, lit); !status) {
            return status;
        }
        if (lit.unlit()) continue;
        if (lit.corners().empty()) {
            return Status::failure("clip_from_world: the volume's corners are not known well enough");
        }
        for (const Generator& corner : lit.corners()) {
            if (!joint.add(corner)) return Status::failure("options.clip_planes: they make too many corners");
        }
    }
    return {};
}

}  // namespace

Status prepare_stereo(const ClipRows (&eyes)[2], const ClipSpace& clip_space, const ViewOptions& options,
                      PreparedView& view) {
    Interval3 eye;
    if (Status status = find_eye(eyes[0], eye); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(eye), clip_space), view.frame);
    Generators joint;
    if (Status status = enclose_eyes(eyes, clip_space, options, c, joint); !status) return status;
    if (joint.size() == 0) {
        describe_no_casters(view);
    } else if (casts_shadows(options)) {
        describe_casters({{}, false, joint.all(), middle(eyes[0].w.linear)}, options, c, view);
    } else {
        const Interval3x3 rotation = choose_rotation_of(eyes[0], view.frame);
        if (determinant(rotation).contains_zero()) return Status::failure("clip_from_world: the matrix is singular");
        if (!describe_polytope(joint.all(), rotation, view)) {
            return Status::failure("clip_from_world: the two volumes have no depth in common, or lie beyond 1e30");
        }
        add_hull_planes(joint.all(), rotation, view);
        pad_planes(view);
    }
    return finish_with_eye_of(about(eyes[0], c, clip_space), options, view);
}

}  // namespace lanecull
