#pragma once

#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

/// Solid boxes: few large axis-aligned boxes that lie wholly inside what is drawn, for occluders. To be made once, when
/// a level is loaded or built.
///
/// A solid box is a claim that all of it is filled. It is proved before it is returned: kernels/solids/README.md says
/// how. Its faces are floats, and the box is the set of points that they define exactly.
///
/// The functions allocate. Nothing throws. A call that fails, for an argument or for lack of memory, leaves the result
/// as it was. Thread-safe; one thread each. The same input gives the same bytes. The caller's floating-point modes do
/// not matter and are not changed.
namespace lanecull {

/// Boxes with what covers each of them. Holds its memory; may be moved, not copied.
class LANECULL_API SolidBoxes {
public:
    SolidBoxes() noexcept = default;
    SolidBoxes(SolidBoxes&& other) noexcept;
    SolidBoxes& operator=(SolidBoxes&& other) noexcept;
    ~SolidBoxes();

    [[nodiscard]] std::uint32_t count() const noexcept { return boxes().count; }

    /// The boxes, as streams that are valid until this object is written, moved or destroyed. min < max along each
    /// axis, all finite. Larger ones come first: by surface, since the mean area of a convex solid's outlines is a
    /// quarter of its surface (Cauchy).
    [[nodiscard]] Boxes boxes() const noexcept;

    /// Who covers box i, ascending: the box lies in the union of these input boxes of merge_boxes(). It hides something
    /// only where all of them are drawn. Few, but not always as few as possible. For solid_boxes() there are none: the
    /// mesh is the owner.
    [[nodiscard]] std::span<const std::uint32_t> owners(std::uint32_t i) const noexcept;

    /// The memory of the boxes. Not part of the interface.
    struct Contents;

private:
    friend struct SolidBoxesAccess;
    Contents* contents_ = nullptr;
};

struct MergeOptions {
    /// Only the so many largest boxes; 0: all.
    std::uint32_t most = 0;
};

/// Merges abutting and overlapping boxes into fewer, larger ones. Buildings that are made of 6 x 6 x 4 abutting modules
/// become one box each.
///
/// Each box that is returned lies in the union of the boxes given, as a set of real points. Faces are coordinates of
/// the boxes given, so nothing is rounded and there is no tolerance. Boxes abut where their floats are equal (-0 is 0).
/// A gap, however thin, can be seen through, and is never closed: modules that are meant to abut must compute their
/// common face once, such as from the number of the grid's line, not each from its own centre and size.
///
/// Each solid box that is given lies in one that is returned, unless `options.most` cuts the list short; so nothing
/// hides less than before. Boxes that are returned may overlap, and grow beyond a given box only into others.
///
/// Left out is what is no solid: boxes that are invalid (batch.hpp), and boxes with min == max along an axis, which
/// enclose nothing. They hide nothing, are no owners, and have no effect on the others.
///
/// Fails if a stream is null or for lack of memory. `boxes` may be streams of `merged`.
///
/// Takes 1 to 3 microseconds a box where boxes are parts of buildings, some 30 where a million of any sizes overlap,
/// and more where most of them overlap each other. Takes up to 300 bytes of memory a box besides 70 MB, and 4 for each
/// owner. Where more than 4,096 boxes hang together, or their faces make a grid of more than 2^22 cells (for more than
/// 4,096 boxes in all: or of more than 1,024 for each that hangs together), they are merged in parts, and the results
/// with each other, while that makes them a quarter fewer. Such boxes can come out smaller than they could be.
LANECULL_API Status merge_boxes(const Boxes& boxes, const MergeOptions& options, SolidBoxes& merged) noexcept;

}  // namespace lanecull
