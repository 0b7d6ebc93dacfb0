#pragma once

/// The rows of a clip matrix, and the half-spaces that they and the options' clip planes make. view/PROOF.md derives
/// views of matrices under the same names.
///
/// Everything is relative to the point c = origin_hi + origin_lo and, for the support mapping, in coordinates y = R (p
/// - c). Both c and R are merely *chosen*, near the apex and along the view's axes. As floats they are exact. The
/// volume's numbers in these coordinates are enclosed in intervals and rounded outward.

#include <cstdint>
#include <span>

#include <lanecull/view.h>

#include "base/affine.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {

/// The matrix's rows. Each is a function of p - ClipSpace::origin until about() moves it.
struct ClipRows {
    Affine x, y, z, w;
    DepthRange depth;

    [[nodiscard]] Affine lower_depth() const { return depth == DepthRange::zero_to_one ? z : w + z; }
    [[nodiscard]] Affine upper_depth() const { return w - z; }
    [[nodiscard]] ClipRows about(const Interval3& c) const {
        return {x.about(c), y.about(c), z.about(c), w.about(c), depth};
    }
};

/// Whether its layout and its depth range are ones that there are.
[[nodiscard]] Status check_clip_space(const ClipSpace& clip_space);

/// Reads the matrix's rows. The matrix is scaled as a whole by a power of two, so that matrices of any size work. That
/// does not change the volume.
[[nodiscard]] Status read_rows(std::span<const double, 16> m, const ClipSpace& clip_space, ClipRows& rows);

/// Turns rows that are functions of p - c into functions of y.
[[nodiscard]] ClipRows in_view_space(const ClipRows& rows, const IntoViewSpace& seen);

/// The world coordinates of a point that is given relative to ClipSpace::origin.
[[nodiscard]] Double3 world_of(const Double3& p, const ClipSpace& clip_space);

/// Turns rows that are functions of p - ClipSpace::origin into functions of p - c.
[[nodiscard]] ClipRows about(const ClipRows& rows, const Interval3& c, const ClipSpace& clip_space);

/// A volume's half-spaces, as functions of p - c: the sides, the options' clip planes, then the depth planes. In this
/// order stage 1, which takes the first six, takes a clip plane rather than the far plane.
struct HalfSpaces {
    Affine f[PreparedView::max_planes];
    std::uint32_t count = 0;
    std::uint32_t sides = 0, clip_end = 0;
    /// The depth planes' bits, by their places in f; 0 for one that is all of space.
    std::uint32_t lower = 0, upper = 0;

    [[nodiscard]] std::span<const Affine> all() const& { return {f, count}; }
    std::span<const Affine> all() const&& = delete;  // of half-spaces that are gone by then
    [[nodiscard]] std::span<const Affine> clip_planes() const { return {f + sides, clip_end - sides}; }

    /// Appends a half-space, unless it is all of space. Fails if it is empty or not known well enough.
    [[nodiscard]] Status add(const Affine& half_space);
    /// Appends all half-spaces of a volume. The rows are functions of p - c.
    [[nodiscard]] Status add(const ClipRows& rows, const ViewOptions& options, const Interval3& c);
};

/// Makes the half-spaces, whose intersection is the volume, the view's planes.
[[nodiscard]] Status add_planes(const HalfSpaces& half_spaces, const Interval3x3& rotation, PreparedView& view);

}  // namespace lanecull
