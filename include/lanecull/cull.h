#pragma once

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>
#include <lanecull/view.h>

/// Culling: which objects of these batches share no point with these views?
///
/// An object is culled only by proof: a direction in which object and view volume are apart by more than a bound on all
/// rounding errors of the computation. Everything else is visible: objects too close to call, invalid objects, objects
/// at which the iteration cap was reached.

/// Objects, owned and ordered: scene.h.
typedef struct lanecull_scene lanecull_scene;

#ifdef __cplusplus
namespace lanecull {
class Scene;
struct SceneOutput;
}  // namespace lanecull
#define LANECULL_SCENE_OUTPUT lanecull::SceneOutput
#else
#define LANECULL_SCENE_OUTPUT struct lanecull_scene_output
#endif

/// Which tests decide. No method culls a visible object. They differ in how many objects they keep that could be
/// culled.
LANECULL_ENUM(Method, method){
    /// planes, closed forms, planes through the volume's edges, GJK for the rest: exact, and the fastest exact method
    LANECULL_VALUE(METHOD_AUTOMATIC, automatic) = 0,
    /// culls what lies wholly behind one plane, as most engines do; keeps objects near corners
    LANECULL_VALUE(METHOD_PLANES, planes) = 1,
};

/// The test that decided an object: why it was culled, up to CULLED_OCCLUDED, or kept.
LANECULL_SMALL_ENUM(Reason, reason){
    LANECULL_VALUE(CULLED_PLANE, culled_plane) = 0,  ///< wholly behind one plane, proved
    LANECULL_VALUE(CULLED_GJK, culled_gjk) = 1,  ///< apart otherwise, proved: by a closed form, at an edge, or by GJK
    LANECULL_VALUE(CULLED_DISTANCE, culled_distance) = 2,     ///< beyond Attributes::max_distance, proved
    LANECULL_VALUE(CULLED_NEAR, culled_near) = 3,             ///< nearer than Attributes::min_distance, proved
    LANECULL_VALUE(CULLED_SIZE, culled_size) = 4,             ///< smaller than Attributes::min_projected_size, proved
    LANECULL_VALUE(CULLED_DISABLED, culled_disabled) = 5,     ///< has the flag object_disabled
    LANECULL_VALUE(CULLED_LAYER, culled_layer) = 6,           ///< on none of the layers that the view shows
    LANECULL_VALUE(CULLED_CANDIDATE, culled_candidate) = 7,   ///< its bit of Output::candidates is clear
    LANECULL_VALUE(CULLED_OCCLUDED, culled_occluded) = 8,     ///< hidden by an occluder, proved
    LANECULL_VALUE(VISIBLE_ALWAYS, visible_always) = 9,       ///< has the flag object_always_visible
    LANECULL_VALUE(VISIBLE_INSIDE, visible_inside) = 10,      ///< the object's centre is in the volume
    LANECULL_VALUE(VISIBLE_VERTEX, visible_vertex) = 11,      ///< a support point of the object is in the volume
    LANECULL_VALUE(VISIBLE_OVERLAP, visible_overlap) = 12,    ///< has a common point, or no direction separates it
    LANECULL_VALUE(VISIBLE_TOUCHING, visible_touching) = 13,  ///< too close to the volume to prove anything
    LANECULL_VALUE(VISIBLE_CAP, visible_cap) = 14,            ///< GJK's iteration cap was reached
    LANECULL_VALUE(VISIBLE_PLANES, visible_planes) = 15,      ///< behind no plane, and no other test was to be tried
    LANECULL_VALUE(VISIBLE_INVALID, visible_invalid) = 16,    ///< not finite, or not a shape (batch.h)
};
#define LANECULL_REASON_COUNT 17

/// How many objects each reason decided.
LANECULL_STRUCT(Counts, counts) {
    uint64_t by_reason[32] LANECULL_0;  ///< entry r: those of Reason r; 0 from LANECULL_REASON_COUNT on
#ifdef __cplusplus
    [[nodiscard]] constexpr uint64_t& operator[](Reason reason) noexcept {
        return by_reason[static_cast<size_t>(reason)];
    }
    [[nodiscard]] constexpr uint64_t operator[](Reason reason) const noexcept {
        return by_reason[static_cast<size_t>(reason)];
    }
    [[nodiscard]] constexpr uint64_t objects() const noexcept { return sum(0, LANECULL_REASON_COUNT); }
    [[nodiscard]] constexpr uint64_t culled() const noexcept { return sum(0, first_visible); }
    [[nodiscard]] constexpr uint64_t visible() const noexcept { return sum(first_visible, LANECULL_REASON_COUNT); }
    constexpr Counts& operator+=(const Counts& other) noexcept {
        for (size_t r = 0; r < LANECULL_REASON_COUNT; ++r) by_reason[r] += other.by_reason[r];
        return *this;
    }
    constexpr bool operator==(const Counts& other) const noexcept {
        for (size_t r = 0; r < LANECULL_REASON_COUNT; ++r) {
            if (by_reason[r] != other.by_reason[r]) return false;
        }
        return true;
    }
    constexpr bool operator!=(const Counts& other) const noexcept { return !(*this == other); }

private:
    static constexpr size_t first_visible = static_cast<size_t>(Reason::visible_always);
    constexpr uint64_t sum(size_t from, size_t to) const noexcept {
        uint64_t objects = 0;
        for (size_t r = from; r < to; ++r) objects += by_reason[r];
        return objects;
    }
#endif
};
LANECULL_LAYOUT(counts, 256)

/// Why an object was kept or culled. For an object that is apart along a direction of its own (culled_gjk) it is also
/// the proof: every point of the object lies lower along `direction` than every point of the view's volume that is no
/// deeper than `far_depth`; and no point of the object is deeper than `far_depth`. Depth is counted along the view's
/// own axis from its own origin. Orthographic volumes are cut to the object's depth, width and height alike.
///
/// An object with culled_gjk may also lie behind one plane: closed forms do not test planes first. A view that sees
/// nothing (lanecull_view_sees_nothing()) culls by culled_plane: its one half-space has no point. That this is so was
/// proved when the view was prepared; certificates do not repeat it.
///
/// For solids `far_depth`, `gap` and `direction` have a meaning with culled_gjk only; for 2D shapes see flat.h.
LANECULL_STRUCT(Certificate, certificate) {
    lanecull_reason reason LANECULL_0;
    /// Points of the Minkowski difference that GJK tested; 1 for a closed form or at an edge of the volume.
    uint8_t steps LANECULL_0;
    uint16_t occluder LANECULL_0;  ///< with culled_occluded: which of Output::occluders hides all of the object
    float far_depth LANECULL_0;    ///< in world units; infinite if planes alone prove it
    /// The object is at least this far from the volume's part down to `far_depth`, in world units.
    float gap LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    double direction[3] LANECULL_0;  ///< in world axes, of any length
};
LANECULL_LAYOUT(certificate, 40)
LANECULL_SPAN(lanecull_certificate, certificates)

/// For explaining and proving: why each object was kept or culled.
LANECULL_STRUCT(Explanation, explanation) {
    /// One certificate an object, batch after batch. Empty, or exactly as many as the batches have objects; a scene has
    /// none. The verdicts are the same as without. The call takes longer: GJK keeps its directions, and 40 bytes an
    /// object are written.
    lanecull_certificates certificates LANECULL_0;
    /// Written by each call; for a scene those of the objects that were tested one by one.
    lanecull_counts counts LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(explanation, 304)

/// `count` visible objects in a row. The first has index `first`, counted from Batch::first_index.
LANECULL_STRUCT(VisibleRun, visible_run) {
    uint32_t first LANECULL_0;
    uint32_t count LANECULL_0;
#ifdef __cplusplus
    constexpr bool operator==(const VisibleRun& other) const noexcept {
        return first == other.first && count == other.count;
    }
    constexpr bool operator!=(const VisibleRun& other) const noexcept { return !(*this == other); }
#endif
};
LANECULL_LAYOUT(visible_run, 8)
LANECULL_SPAN(lanecull_visible_run, visible_runs)

/// The place of a batch's visible objects in the lists of indices and draw commands.
LANECULL_STRUCT(BatchRange, batch_range) {
    uint64_t first LANECULL_0;  ///< how many visible objects the batches before have
    uint64_t count LANECULL_0;
#ifdef __cplusplus
    constexpr bool operator==(const BatchRange& other) const noexcept {
        return first == other.first && count == other.count;
    }
    constexpr bool operator!=(const BatchRange& other) const noexcept { return !(*this == other); }
#endif
};
LANECULL_LAYOUT(batch_range, 16)
LANECULL_SPAN(lanecull_batch_range, batch_ranges)

/// The order of a view's lists: indices, draw commands, and a scene's handles. *Depth* is that of an object's centre,
/// without its sweep:
///
/// | view | depth |
/// |---|---|
/// | of a perspective matrix, or a stereo pair | clip w, of the left eye |
/// | of an orthographic matrix | clip z. If depth is reversed, take the other order |
/// | with a directional light | the way from the light: -toward . p |
/// | with a point light; of a ball | the distance from the light; from the ball's centre |
/// | of corners or planes | the distance from ViewOptions::eye; without one such a view takes no order |
///
/// The centre of a box is the middle of its corners, a capsule's that of its ends; of a box instance the image of its
/// local box's centre, of a hull that of Hull::mean. It is computed in doubles, and the depth is rounded to a float, w
/// and z times a power of two. So the order is the same on every instruction set, with every method and runner, for the
/// same objects visible. Objects of equal depth ascend as in LANECULL_ORDER_ASCENDING. A depth that is NaN comes after
/// all others in either order; so do objects with an index of a box or a hull that is out of range.
LANECULL_ENUM(ListOrder, list_order){
    LANECULL_VALUE(ORDER_ASCENDING, ascending) = 0,          ///< batch after batch, by index; in a scene by slot
    LANECULL_VALUE(ORDER_FRONT_TO_BACK, front_to_back) = 1,  ///< opaque objects: they hide what is drawn after them
    LANECULL_VALUE(ORDER_BACK_TO_FRONT, back_to_front) = 2,  ///< transparent objects, splats
    /// By ascending Output::keys, such as pipelines and materials; objects of one key front to back.
    LANECULL_VALUE(ORDER_BY_KEY, by_key) = 3,
};

/// Indirect draw commands: command k is written at byte `offset_bytes + k * stride_bytes` of `memory`, 20
/// bytes. Bytes between commands stay untouched.
LANECULL_STRUCT(DrawOutput, draw_output) {
    /// As many commands as fit are written. The first command's address, offset included, is 4-byte aligned. Empty: no
    /// commands are wanted. If 4 MB and more, 20 bytes apart, AVX2 and AVX-512 write past the caches.
    lanecull_memory memory LANECULL_0;
    size_t offset_bytes LANECULL_0;
    size_t stride_bytes LANECULL_0;  ///< a multiple of 4, at least 20; 0: 20, that of DrawCommand
    /// Optional: receives how many commands were written, for vkCmdDrawIndexedIndirectCount and the like.
    uint32_t* count LANECULL_0;
};
LANECULL_LAYOUT(draw_output, 40)

/// One view's results, and the objects that it tests. Every output is optional. Outputs are only written,
/// never read, so write-combined memory works; but SceneOutput has two that are read as well. No output may overlap
/// anything else that the call reads or writes. The call checks that outputs, scratch and candidates do not overlap one
/// another; views may share their candidates.
LANECULL_STRUCT(Output, output) {
    /// Bit i % 64 of word i / 64 is set when object i is visible. Each batch starts a new word; bits beyond a batch's
    /// last object are 0. In a scene i is an object's slot. Empty, or exactly lanecull_visibility_words() words.
    lanecull_words visible LANECULL_0;
    /// Receives the indices of visible objects in `order`: ascending within a batch, batch after batch
    /// (Batch::first_index); in a scene their slots. If it is too short it receives the first that fit. Memory beyond
    /// the last index written stays untouched.
    lanecull_indices indices LANECULL_0;

    /// Laid out as `visible`. A bit is set when its object is proved to lie wholly inside the view's volume: nothing of
    /// it needs clipping, and everything it contains is visible too. Hulls are tested by their box. Views made of
    /// corners, stereo pairs or lights report no object inside. The shapes of all visible objects are read once more.
    lanecull_words inside LANECULL_0;
    /// Receives the runs of consecutive visible objects, ascending, batch after batch; the first that fit.
    lanecull_visible_runs runs LANECULL_0;
    /// Receives the commands of visible objects, in the order of `indices`; the first that fit. Every batch that has
    /// objects must have Batch::draws. In a scene each is the one that its object was added with.
    lanecull_draw_output draws LANECULL_0;
    /// Receives each batch's part of `indices` and `draws`, even if a list is not wanted or too short: with a batch a
    /// mesh, one index list serves one instanced draw a mesh. Empty, or exactly as many as there are batches; a scene
    /// has none.
    lanecull_batch_ranges batch_ranges LANECULL_0;

    /// Input, read only: which objects this view tests, laid out as `visible`. An object whose bit is clear is
    /// culled (culled_candidate), whatever its flags and its numbers are. The others get the verdict that they would
    /// get without this, but for objects with numbers beyond 2^60, whose products may overflow: of these each call may
    /// keep some that the other culls. Bits beyond a batch's last object mean nothing. Empty: all objects. Else exactly
    /// lanecull_visibility_words() words. In a scene blocks without a candidate are outside, and no object of them is
    /// read. Blocks side by side are tested together; so an object that is closer to touching the volume than the error
    /// bound may get another verdict than without this.
    ///
    /// A clear bit is the caller's word that the object cannot be seen in *this* view. Words of a larger volume are
    /// good: of the ball that a point light's range reaches for its six faces, of a camera's casters for one cascade,
    /// of the last room for a portal; a camera's are wrong for its casters, which may stand outside. No object of 0s is
    /// read.
    lanecull_const_words candidates LANECULL_0;
    /// Input, read only: solids that hide objects in this view, all prepared from one viewpoint; at most 64. The
    /// viewpoint is that of the view's matrix or, where the view is of shadow casters or fills a light's map, the
    /// light's. Objects that the view's volume and limits leave visible are tested with them, in the span's order: put
    /// those that hide most first. An object counts as culled_occluded if one of them hides all of it, margin, sweep
    /// and the view's margin included. Its certificate has the solid's index in the span. Objects with
    /// object_always_visible are not tested. An object that is hidden and, near the volume's boundary, outside as well
    /// may count as either. In a scene an owner's `object` is a handle, and its `batch` 0; blocks that one occluder
    /// hides are culled whole.
    ///
    /// occluder.h has the conditions under which what is hidden cannot be seen.
    lanecull_occluders occluders LANECULL_0;
    /// Receives how many objects each occluder hides, some of which later stages would cull as outside. An object that
    /// several hide counts for the first. Threads add to it, so it is ordinary memory. Empty, or one for each occluder.
    lanecull_indices hidden_counts LANECULL_0;

    LANECULL_SCENE_OUTPUT* scene LANECULL_0;       ///< what only scenes have (scene.h); null for batches
    lanecull_explanation* explanation LANECULL_0;  ///< why each object was kept or culled; null: not wanted

    /// The order of `indices`, `draws` and SceneOutput::handles, which are sorted whole, across batches and kinds; a
    /// list that is too short receives the first of the order, the nearest or the farthest. With `batch_ranges` each
    /// batch's part is sorted by itself, for it is one instanced draw. `runs`, bits and masks are as without it. In
    /// another order than ascending the call needs lanecull_order_bytes() more of scratch memory; a scene's LodOutput
    /// can have no `distances` and `levels` then, but `latest`, which is by handle. 2D shapes have no such order.
    ///
    /// Benchmarks lists/ measure what an order costs. A runner gets the sorting as tasks of their own, one for each
    /// such view.
    lanecull_list_order order LANECULL_0;
    /// From one key to the next, in bytes: a multiple of 4 up to 65,536, for keys within structs; 0: 4.
    uint32_t key_stride_bytes LANECULL_0;
    /// Input, read only with LANECULL_ORDER_BY_KEY: the key of the object that `indices` names k is keys[k]; in a scene
    /// that of handle k. As many as there may be indices: for each batch up to first_index + count; for a scene
    /// lanecull_scene_handle_limit().
    lanecull_const_indices keys LANECULL_0;
    uint64_t reserved[3] LANECULL_0;

    // Results.
    uint64_t visible_count LANECULL_0;  ///< how many objects are visible, even if a list was too short
    uint64_t run_count LANECULL_0;      ///< how many runs there are, if `runs` is not empty; even if it was too short
    uint64_t draw_count LANECULL_0;     ///< how many commands were written
    uint64_t reserved_result LANECULL_0;
};
LANECULL_LAYOUT(output, 264)
LANECULL_SPAN(lanecull_output, outputs)

/// A call's objects: batches, which are only read, or a scene, if it is not null. It must not outlive them. In C++ made
/// of a Scene, or of anything that makes a Span<const Batch>: an array or a std::vector of batches, or one batch. A
/// Scene that is null, since it was moved from or there was no memory for it, stands for no objects: what is culled is
/// nothing, and the call succeeds.
LANECULL_STRUCT(Objects, objects) {
    lanecull_batches batches LANECULL_0;
    const lanecull_scene* scene LANECULL_0;
#ifdef __cplusplus
    Objects() noexcept = default;
    Objects(const Batch* first, size_t count) noexcept : batches(first, count) {}
    template <class Batches, class = std::enable_if_t<std::is_convertible<Batches&&, Span<const Batch>>::value>>
    Objects(Batches && from) noexcept : batches(static_cast<Batches&&>(from)) {}
    Objects(const lanecull_scene* from) noexcept : scene(from) {}
    inline Objects(const Scene& from) noexcept;
#endif
};
LANECULL_LAYOUT(objects, 24)

/// How to cull.
LANECULL_STRUCT(CullOptions, cull_options) {
    lanecull_method method LANECULL_0;
    lanecull_isa isa LANECULL_0;
    lanecull_runner runner LANECULL_0;  ///< who runs the call's tasks; none: the calling thread
    /// One output for all views together, written and never read: one word an object, batch after batch without gaps.
    /// Bit v is set when the object is visible in view v. Empty, or exactly as many words as the batches have objects.
    /// Costs some 1.5 ns an object for each eight views (benchmarks views/box/one_call_masks). A scene has none.
    lanecull_words view_masks LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(cull_options, 72)

/// One call: all that it reads and writes. lanecull_cull() says what each is.
LANECULL_STRUCT(Cull, cull_call) {
    lanecull_objects objects LANECULL_0;
    lanecull_views views LANECULL_0;      ///< 1 to 64
    lanecull_outputs outputs LANECULL_0;  ///< one for each view
    lanecull_scratch scratch LANECULL_0;  ///< at least lanecull_scratch_bytes(), and lanecull_order_bytes()
    lanecull_cull_options options LANECULL_0;
};
LANECULL_LAYOUT(cull_call, 144)

LANECULL_C_BEGIN
/// Words of 64 objects that the objects take: the sum of ceil(count / 64) over batches, or 1/64 of a scene's slots.
/// Adding objects to a scene changes it, nothing else does. 0 for null.
LANECULL_API size_t lanecull_visibility_words(const lanecull_objects* objects) LANECULL_NOEXCEPT;

/// Bytes of scratch memory that lanecull_cull() needs for these objects and that many views: 1/8 of a byte for each
/// object and view, and a little more. It may change when a scene is edited. 0 for null.
LANECULL_API size_t lanecull_scratch_bytes(const lanecull_objects* objects, size_t view_count) LANECULL_NOEXCEPT;

/// Bytes that lanecull_cull() needs besides, where that many of the views have an Output::order that is not ascending:
/// 16 bytes for each object and such view, and a little more. 0 for none, and for null.
LANECULL_API size_t lanecull_order_bytes(const lanecull_objects* objects, size_t ordered_views) LANECULL_NOEXCEPT;

/// Tests every object against every view.
///
/// call->views: 1 to 64 of any kinds, each prepared. call->outputs: one for each view, in the same order. The results
/// are the same as of one call for each view; but objects are loaded once for all views, because some thousand objects
/// are tested against one view after the other while they are in cache. call->scratch: at least
/// lanecull_scratch_bytes() bytes, and lanecull_order_bytes() where lists are ordered, at any alignment. Its contents
/// mean nothing before or after the call. Calls that overlap in time must not share it.
///
/// Results do not depend on the runner or its threads, byte for byte. Instruction sets and methods may differ on
/// objects that are closer to touching the volume than the error bound; none culls a visible object. The caller's
/// floating-point modes (rounding, flush-to-zero) do not matter and are not changed.
///
/// Fails before anything is written if an argument breaks its rule, or if a scene is stale. Thread-safe: calls may run
/// at the same time over the same objects and views. Allocates nothing.
LANECULL_API lanecull_status lanecull_cull(const lanecull_cull_call* call) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
inline constexpr size_t reason_count = LANECULL_REASON_COUNT;

[[nodiscard]] constexpr bool is_culled(Reason reason) noexcept { return reason <= Reason::culled_occluded; }

/// The functions above, for C++.
[[nodiscard]] inline size_t visibility_words(const Objects& objects) noexcept {
    return lanecull_visibility_words(&objects);
}
[[nodiscard]] inline size_t scratch_bytes(const Objects& objects, size_t view_count) noexcept {
    return lanecull_scratch_bytes(&objects, view_count);
}
[[nodiscard]] inline size_t order_bytes(const Objects& objects, size_t ordered_views) noexcept {
    return lanecull_order_bytes(&objects, ordered_views);
}
[[nodiscard]] inline Status cull(const Objects& objects, Span<const View> views, Span<Output> outputs, Scratch scratch,
                                 const CullOptions& options = {}) noexcept {
    const Cull call{objects, views, outputs, scratch, options};
    return lanecull_cull(&call);
}
}  // namespace lanecull
#endif
