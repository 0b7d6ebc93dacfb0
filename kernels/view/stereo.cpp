/// The joint volume of two eyes: the hull of both volumes.

#include "view/stereo.hpp"

#include "view/casters.hpp"
#include "view/frame.hpp"
#include "view/perspective.hpp"
#include "view/planes.hpp"
#include "view/polytope_support.hpp"

namespace lanecull {
namespace {

/// Adds the corners of an eye's volume, as far as the light reaches.
Status enclose_eye(const PerspectiveVolume& volume, const ViewOptions& options, Generators& joint) {
    LitPart lit;
    if (Status status = enclose_lit(volume, options, lit); !status) return status;
    if (lit.unlit()) return {};
    if (lit.corners().empty()) {
        return Status::failure("clip_from_world: the volume's corners are not known well enough");
    }
    for (const Generator& corner : lit.corners()) {
        if (!joint.add(corner)) return Status::failure("options.clip_planes: they make too many corners");
    }
    return {};
}

}  // namespace

Status prepare_stereo(const ClipRows (&eyes)[2], const ClipSpace& clip_space, const ViewOptions& options,
                      PreparedView& view) {
    PerspectiveVolume volume[2];
    if (Status status = volume[0].find_eye(eyes[0]); !status) return status;
    const Interval3 c = choose_origin(world_of(middle(volume[0].eye), clip_space), view.frame);
    Generators joint;
    Frame other;
    for (std::size_t k = 0; k < 2; ++k) {
        if (Status status = volume[k].find_eye(eyes[k]); !status) return status;
        Frame& frame = k == 0 ? view.frame : other;
        if (Status status = volume[k].describe(eyes[k], clip_space, options, c, frame); !status) return status;
        if (Status status = enclose_eye(volume[k], options, joint); !status) return status;
    }
    if (joint.size() == 0) {
        describe_no_casters(view);
    } else if (casts_shadows(options)) {
        describe_casters({{}, false, joint.all(), middle(eyes[0].w.linear)}, options, c, view);
    } else {
        if (!volume[0].seen.exists()) return Status::failure("clip_from_world: the matrix is singular");
        if (!describe_polytope(joint.all(), volume[0].rotation, view)) {
            return Status::failure("clip_from_world: the two volumes have no depth in common, or lie beyond 1e30");
        }
        add_hull_planes(joint.all(), volume[0].rotation, view);
        pad_planes(view);
    }
    finish_with_eye_of(volume[0], options, view);
    return {};
}

}  // namespace lanecull
