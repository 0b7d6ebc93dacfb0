#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/certificate.hpp>
#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Culling: which objects of these batches share no point with these views?
///
/// An object is culled only by proof: a direction in which object and view volume are apart by more than a bound on all
/// rounding errors of the computation. Everything else is visible: objects too close to call, invalid objects, objects
/// at which the iteration cap was reached.
namespace lanecull {

/// Which tests decide. No method culls a visible object. They differ in how many objects they keep that could be
/// culled.
enum class Method : std::uint8_t {
    automatic,  ///< planes, closed forms, planes through the volume's edges, GJK for the rest: exact, and the fastest
                ///< exact method
    planes,     ///< culls what lies wholly behind one plane, as most engines do; keeps objects near corners
};

struct CullOptions {
    Method method = Method::automatic;
    Isa isa = Isa::automatic;
    Runner runner = {};  ///< who runs the call's tasks; none: the calling thread
    /// One output for all views together, written and never read: one word an object, batch after batch without gaps.
    /// Bit v is set when the object is visible in view v. Empty, or exactly as many words as the batches have objects.
    /// Costs some 1.5 ns an object for each eight views (benchmarks views/box/one_call_masks). A scene has none.
    std::span<std::uint64_t> view_masks = {};
};

/// `count` visible objects in a row. The first has index `first`, counted from Batch::first_index.
struct VisibleRun {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool operator==(const VisibleRun&) const = default;
};

/// Where a batch's visible objects stand in the lists of indices and draw commands.
struct BatchRange {
    std::uint64_t first = 0;  ///< how many visible objects the batches before have
    std::uint64_t count = 0;
    bool operator==(const BatchRange&) const = default;
};

/// Where indirect draw commands go: command k is written at byte `offset_bytes + k * stride_bytes` of `memory`, 20
/// bytes. Bytes between commands stay untouched.
struct DrawOutput {
    /// As many commands as fit are written. The first command's address, offset included, is 4-byte aligned. Empty: no
    /// commands are wanted. Of 4 MB and more, 20 bytes apart, AVX2 and AVX-512 write past the caches.
    std::span<std::byte> memory = {};
    std::size_t offset_bytes = 0;
    std::size_t stride_bytes = sizeof(DrawCommand);  ///< a multiple of 4, at least 20
    /// Optional: receives how many commands were written, for vkCmdDrawIndexedIndirectCount and the like.
    std::uint32_t* count = nullptr;
};

struct SceneOutput;  // scene.hpp

/// Where one view's results go, and which objects it asks about. Every output is optional. Outputs are only written,
/// never read, so write-combined memory works; but SceneOutput has two that are read as well. No output may overlap
/// anything else that the call reads or writes. The call checks that outputs, scratch and candidates do not overlap one
/// another; views may share their candidates.
struct Output {
    /// Bit i % 64 of word i / 64 is set when object i is visible. Each batch starts a new word; bits beyond a batch's
    /// last object are 0. In a scene i is an object's slot. Empty, or exactly visibility_words() words.
    std::span<std::uint64_t> visible = {};
    /// Receives the indices of visible objects, ascending within a batch, batch after batch (Batch::first_index); in a
    /// scene their slots. If it is too short it receives the first that fit. Memory beyond the last index written stays
    /// untouched.
    std::span<std::uint32_t> indices = {};

    /// Laid out as `visible`. A bit is set when its object is proved to lie wholly inside the view's volume: nothing of
    /// it needs clipping, and everything it contains is visible too. Hulls are tested by their box. Views made of
    /// corners, stereo pairs or lights report no object inside. The shapes of all visible objects are read once more.
    std::span<std::uint64_t> inside = {};
    /// Receives the runs of consecutive visible objects, ascending, batch after batch; the first that fit.
    std::span<VisibleRun> runs = {};
    /// Receives the commands of visible objects, in the order of `indices`; the first that fit. Every batch that has
    /// objects must have Batch::draws. In a scene each is the one that its object was added with.
    DrawOutput draws = {};
    /// Receives each batch's part of `indices` and `draws`, even if a list is not wanted or too short: with a batch a
    /// mesh, one index list serves one instanced draw a mesh. Empty, or exactly as many as there are batches; a scene
    /// has none.
    std::span<BatchRange> batch_ranges = {};

    /// Input, read only: which objects this view asks about, laid out as `visible`. An object whose bit is clear is
    /// culled (culled_candidate), whatever its flags and its numbers are. The others get the verdict that they would
    /// get without this, but for objects with numbers beyond 2^60, whose products may overflow: of these each call may
    /// keep some that the other culls. Bits beyond a batch's last object mean nothing. Empty: all objects. Else exactly
    /// visibility_words() words. In a scene blocks without a candidate are outside, and no object of them is read.
    /// Blocks side by side are tested together; so an object that is closer to touching the volume than the error bound
    /// may get another verdict than without this.
    ///
    /// A clear bit is the caller's word that the object cannot be seen in *this* view. Words of a larger volume are
    /// good: of the ball that a lamp's range reaches for its six faces, of a camera's casters for one cascade, of the
    /// last room for a portal; a camera's are wrong for its casters, which may stand outside. No object of 0s is read.
    std::span<const std::uint64_t> candidates = {};
    /// Input, read only: solids that hide objects in this view, all prepared from one viewpoint; at most 64. The
    /// viewpoint is that of the view's matrix or, where the view is of shadow casters or fills a light's map, the
    /// light's. Objects that the view's volume and limits leave visible are tested with them, in the span's order: put
    /// those that hide most first. An object counts as culled_occluded if one of them hides all of it, margin, sweep
    /// and the view's margin included. Its certificate has the solid's index in the span. Objects with
    /// object_always_visible are not tested. An object that is hidden and, near the volume's boundary, outside as well
    /// may count as either. In a scene an owner's `object` is a handle, and its `batch` 0; blocks that one occluder
    /// hides are culled whole.
    ///
    /// occluder.hpp has the conditions under which what is hidden cannot be seen.
    std::span<const Occluder> occluders = {};
    /// Receives how many objects each occluder hides, some of which later stages would cull as outside. An object that
    /// several hide counts for the first. Threads add to it, so it is ordinary memory. Empty, or one for each occluder.
    std::span<std::uint32_t> hidden_counts = {};

    SceneOutput* scene = nullptr;        ///< what only scenes have (scene.hpp); null for batches
    Explanation* explanation = nullptr;  ///< why each object was kept or culled (certificate.hpp)

    // Results.
    std::uint64_t visible_count = 0;  ///< how many objects are visible, even if a list was too short
    std::uint64_t run_count = 0;      ///< how many runs there are, if `runs` is not empty; even if it was too short
    std::uint64_t draw_count = 0;     ///< how many commands were written
};

/// Words of 64 objects that the objects take: the sum of ceil(count / 64) over batches, or 1/64 of a scene's slots.
/// Adding objects to a scene changes it, nothing else does.
[[nodiscard]] LANECULL_API std::size_t visibility_words(const Objects& objects) noexcept;

/// Bytes of scratch memory that cull() needs for these objects and that many views: 1/8 of a byte for each object and
/// view, and a little more. It may change when a scene is edited.
[[nodiscard]] LANECULL_API std::size_t scratch_bytes(const Objects& objects, std::size_t view_count) noexcept;

/// Tests every object against every view.
///
/// views: 1 to 64 of any kinds, each prepared. outputs: one for each view, in the same order. The results are the same
/// as of one call for each view; but objects are loaded once for all views, because some thousand objects are tested
/// against one view after the other while they are in cache. scratch: at least scratch_bytes() bytes, at any alignment.
/// Its contents mean nothing before or after the call. Calls that overlap in time must not share it.
///
/// Results do not depend on the runner or its threads, byte for byte. Instruction sets and methods may differ on
/// objects that are closer to touching the volume than the error bound; none culls a visible object. The caller's
/// floating-point modes (rounding, flush-to-zero) do not matter and are not changed.
///
/// Fails before anything is written if an argument breaks its rule, or if a scene is stale. Thread-safe: calls may run
/// at the same time over the same objects and views. Allocates nothing.
LANECULL_API Status cull(const Objects& objects, std::span<const View> views, std::span<Output> outputs,
                         std::span<std::byte> scratch, const CullOptions& options = {}) noexcept;

}  // namespace lanecull
