#pragma once

/// The rows of a clip matrix, and the half-spaces that they and the options' clip planes make. kernels/PROOF.md derives
/// views of matrices under the same names.
///
/// Everything is relative to the point c = origin_hi + origin_lo and, for the support mapping, in coordinates
/// y = R (p - c). Both c and R are merely *chosen* near the apex and along the view's axes; as floats they are exact,
/// and the volume's numbers in these coordinates are enclosed in intervals and rounded outward.

#include <cstdint>
#include <span>

#include <lanecull/view.hpp>

#include "base/affine.hpp"

namespace lanecull {

/// The matrix's rows; each a function of p - ClipSpace::origin until about() moves them.
struct ClipRows {
    Affine x, y, z, w;
    DepthRange depth;

    [[nodiscard]] Affine lower_depth() const { return depth == DepthRange::zero_to_one ? z : w + z; }
    [[nodiscard]] Affine upper_depth() const { return w - z; }
    [[nodiscard]] ClipRows about(const Interval3& c) const {
        return {x.about(c), y.about(c), z.about(c), w.about(c), depth};
    }
};

/// Rows that are functions of p - c as functions of y.
[[nodiscard]] ClipRows in_view_space(const ClipRows& rows, const Interval3x3& rotation);

/// A point relative to ClipSpace::origin, in the world.
[[nodiscard]] Double3 world_of(const Double3& p, const ClipSpace& clip_space);

/// Rows that are functions of p - ClipSpace::origin as functions of p - c.
[[nodiscard]] ClipRows about(const ClipRows& rows, const Interval3& c, const ClipSpace& clip_space);

/// A volume's half-spaces, functions of p - c: the sides, the options' clip planes, then the depth planes, so that
/// stage 1, which takes the first six, sees a clip plane rather than the far plane.
struct HalfSpaces {
    Affine f[PreparedView::max_planes];
    std::uint32_t count = 0;
    std::uint32_t sides = 0, clip_end = 0;

    [[nodiscard]] std::span<const Affine> all() const { return {f, count}; }
    [[nodiscard]] std::span<const Affine> clip_planes() const { return {f + sides, clip_end - sides}; }

    /// Appends one, unless it is everything. Fails where it is nothing, or not known well enough.
    [[nodiscard]] Status add(const Affine& half_space);
    /// Appends all of a volume's. The rows are functions of p - c.
    [[nodiscard]] Status add(const ClipRows& rows, const ViewOptions& options, const Interval3& c);
};

/// Gives the view the half-spaces as its planes, which are the volume.
[[nodiscard]] Status add_planes(const HalfSpaces& half_spaces, const Interval3x3& rotation, PreparedView& view);

/// Describes the volume by its corners, too. Leaves the view as it is where those are not known well enough.
[[nodiscard]] Status describe_by_corners(const HalfSpaces& half_spaces, const Interval3x3& rotation,
                                         PreparedView& view);

}  // namespace lanecull
