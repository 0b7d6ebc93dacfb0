#pragma once

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/types.h>

/// Ordered scenes: objects sorted by position into blocks, with boxes around the blocks. A cull tests the boxes first
/// and reads only objects in blocks that the volume's boundary crosses. So its cost follows the boundary, not the
/// number of objects.
///
/// The verdicts are those of lanecull_cull() with the same objects, object by object: a block counts as outside or
/// inside only with so much to spare that each of its objects would have been decided so. For spheres, boxes along the
/// axes and Method::planes that is proved, for numbers up to 2^60. For other shapes, and larger numbers, a scene may
/// cull what a cull of batches keeps. Nothing visible is culled in any case. "The same objects" have the same
/// attributes: once one object of a kind has a margin or a sweep, all of them are culled as objects that have one.

/// An object of a scene, from when it is added until it is removed. Handles of removed objects are given again. Handles
/// are small: if there are never more than n objects, handles are below n.
typedef uint32_t lanecull_handle;
#ifdef __cplusplus
namespace lanecull {
using Handle = uint32_t;
}
#endif

/// How objects are kept. This is a hint; any object may be changed at any time.
LANECULL_ENUM(Mobility, mobility){
    LANECULL_VALUE(FIXED, fixed) = 0,    ///< rarely changed: blocks are filled completely
    LANECULL_VALUE(MOVING, moving) = 1,  ///< blocks leave a quarter of their slots free for objects that move in
};

LANECULL_STRUCT(AddOptions, add_options) {
    lanecull_mobility mobility LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    /// The point that the objects' coordinates are relative to, in world coordinates. Objects of different origins are
    /// in different blocks. In large worlds give each region of some kilometres an origin of its own.
    double origin[3] LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(add_options, 64)

/// What lanecull_scene_refit() does with the boxes of blocks.
LANECULL_ENUM(Refit, refit){
    /// As tight as can be. Reads all objects of each block that has been edited.
    LANECULL_VALUE(REFIT_TIGHT, tight) = 0,
    /// Boxes that edits have enlarged stay enlarged. Costs almost nothing. For frames in which objects move everywhere;
    /// lanecull_scene_rebuild_within() makes the boxes that it reads tight, and lanecull_scene_place() those of blocks
    /// in which it puts many.
    LANECULL_VALUE(REFIT_GROWN, grown) = 1,
};

/// What became of lanecull_scene_rebuild_within().
LANECULL_STRUCT(PartialRebuild, partial_rebuild) {
    uint64_t blocks LANECULL_0;    ///< blocks that were read
    uint64_t objects LANECULL_0;   ///< objects that were moved to a better block
    uint32_t all_seen LANECULL_0;  ///< 1: every block that may have changed has been read by now
    uint32_t reserved_too LANECULL_0;
};
LANECULL_LAYOUT(partial_rebuild, 24)

/// A block, for tools: its slots, its box (relative to `origin`), how many objects it has, and its quality.
LANECULL_STRUCT(SceneBlock, scene_block) {
    uint32_t first_slot LANECULL_0;
    uint32_t objects LANECULL_0;
    /// The sum of the lengths of its box's sides, divided by that sum when the block was sorted: 1 for a fresh block,
    /// infinite for one whose box was a point and no longer is. lanecull_scene_cost() is the same for all blocks
    /// together.
    double cost LANECULL_0;
    float lower[3] LANECULL_0;
    float upper[3] LANECULL_0;
    double origin[3] LANECULL_0;
};
LANECULL_LAYOUT(scene_block, 64)

/// What a cull finds a block to be.
LANECULL_SMALL_ENUM(BlockOutcome, block_outcome){
    LANECULL_VALUE(BLOCK_OUTSIDE, outside) = 0,  ///< its objects are culled with it, or it has none
    LANECULL_VALUE(BLOCK_INSIDE, inside) = 1,    ///< its objects are visible with it
    LANECULL_VALUE(BLOCK_MIXED, mixed) = 2,      ///< its objects are tested one by one
    LANECULL_VALUE(BLOCK_HIDDEN, hidden) = 3,    ///< an occluder hides it, and its objects with it
};
LANECULL_SPAN(lanecull_block_outcome, block_outcomes)

/// How many thresholds there may be at most; levels are 0 to this.
#define LANECULL_MAX_LOD_THRESHOLDS 15
/// In LodOutput::latest: the object has no level yet.
#define LANECULL_NO_LOD 255

/// Distances and levels of detail (LOD) of the objects that one view sees, computed while the lists are written. They
/// are the same for every instruction set, method and number of threads that find the same objects visible. Memory is
/// only written, except `latest`, which is read as well. Nothing may overlap anything else that the call reads or
/// writes; for what is written, the call checks that. Takes some 10 ns a visible object, and as much again for
/// `latest` (`lanecull_scene_bench lod`).
///
/// *Distance*: from the view's eye (ViewOptions::eye) to the object's nearest point, margin and sweep included, in the
/// objects' units. The result is a proved lower bound: it is never more than the true distance. It is 0 if the eye is
/// within the object or the object is invalid. For spheres and axis-aligned boxes it is less than the distance by at
/// most 2^-22 of the distance, plus 2^-44 of the coordinates' magnitudes, plus the uncertainty of the eye that the
/// view's matrix gives. Other shapes are replaced by larger ones: a capsule, cylinder or cone by everything within
/// `radius` of its segment's box; oriented boxes, ellipsoids and hulls by their bounding spheres, which alone decide
/// whether the object is valid; a box instance by the box along the axes around it; a sweeping object by the box around
/// its path, rounded as the object is.
///
/// *Projected size*, as in Attributes::min_projected_size: radius * size_scale / distance, by which the view's height
/// is 1; for orthographic matrices it is radius * size_scale. The radius does not include margin and sweep. It is a
/// sphere's radius, half a box's diagonal, a box instance's farthest corner from its centre, half a capsule's length
/// plus its radius, from the middle of a cylinder's or cone's axis to the rim, and for oriented boxes, ellipsoids and
/// hulls that of the bounding sphere. The result is no less than that quotient of exact numbers. It is infinite at
/// distance 0 and for invalid objects.
///
/// *Level*: the number of thresholds that the size is below. So a smaller size never gives a finer level. Without
/// `latest`, no level is coarser than that of the true distance.
LANECULL_STRUCT(LodOutput, lod_output) {
    /// Entry k receives the distance of the k-th visible object (SceneOutput::handles[k], Output::indices[k]); the
    /// first that fit. The view must have an eye.
    lanecull_floats distances LANECULL_0;
    /// Entry k receives the level of the k-th visible object; the first that fit. The view must have a size scale.
    lanecull_bytes levels LANECULL_0;

    /// Projected sizes, each positive, finite and less than the one before. `levels` and `latest` need at least one.
    lanecull_const_floats thresholds LANECULL_0;
    /// 0 to 1, for `latest`. An object keeps its level until its size leaves that level's interval by this fraction:
    /// size >= upper * (1 + hysteresis) or size < lower / (1 + hysteresis). Then it takes the level of its size. So
    /// between two changes of an object's level its size changes by a factor of more than 1 + hysteresis.
    float hysteresis LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    /// Each object's level when it was last visible, by handle. At least lanecull_scene_handle_limit() entries, read
    /// and written for visible objects, whether `levels` is empty or not. The caller keeps it from frame to frame, one
    /// for each view. An entry is LANECULL_NO_LOD while the object has no level; any number above the number of
    /// thresholds means the same. A handle that is given again keeps the level of the removed object: set the entry to
    /// LANECULL_NO_LOD where that matters. Empty: levels depend on the size alone.
    lanecull_bytes latest LANECULL_0;
    uint64_t reserved[2] LANECULL_0;
};
LANECULL_LAYOUT(lod_output, 88)

/// What only scenes have of one view: Output::scene. A *slot* is an object's place in the scene's order. The bits of an
/// Output are by slot, 0 where it is vacant, and its lists ascend by slot, but for Output::order. Every output is
/// optional.
LANECULL_STRUCT(SceneOutput, scene_output) {
    /// Receives the handles of visible objects; the first that fit.
    lanecull_indices handles LANECULL_0;
    /// Distances and levels of detail of visible objects, in the same order.
    lanecull_lod_output lod LANECULL_0;
    /// For tools: receives each block's outcome. Empty, or exactly lanecull_scene_block_count() entries.
    lanecull_block_outcomes block_outcomes LANECULL_0;
    /// Read as well as written. For each 16 blocks, and each 16 boxes above them, the plane that they all lay behind
    /// when this view was last culled. It is tested first, which decides them at once if the view has moved little;
    /// that saves some 2 % of a cull. Verdicts do not depend on the contents; begin with zeros. Empty, or exactly
    /// lanecull_scene_hint_bytes() bytes.
    lanecull_bytes hints LANECULL_0;
    uint64_t reserved[4] LANECULL_0;

    // Results. Objects that were tested one by one are the others: Explanation::counts.
    uint64_t outside_objects LANECULL_0;  ///< culled with their block, or in an inside block and no candidate
    uint64_t inside_objects LANECULL_0;   ///< visible with their block
    uint64_t hidden_objects LANECULL_0;   ///< hidden with their block by one occluder
    uint64_t outside_blocks LANECULL_0;
    uint64_t hidden_blocks LANECULL_0;
    uint64_t inside_blocks LANECULL_0;
    uint64_t mixed_blocks LANECULL_0;
    uint64_t reserved_results[3] LANECULL_0;
};
LANECULL_LAYOUT(scene_output, 248)

LANECULL_C_BEGIN
/// lanecull_scene: objects of any kinds, owned, ordered, edited, culled. lanecull_cull() culls it: lanecull_objects.
///
/// Threads. Functions that take a const scene may be called for the same scene from any number of threads at once. All
/// others need the scene to themselves: edit between culls, and make sure that one happens before the other. (To edit
/// while culling goes on, keep two scenes and give both the same edits in turn.) Runners given to edits are used within
/// the call only; null: the calling thread.
///
/// Errors. A call that fails, because of an argument or for lack of memory, has changed nothing. A block that would be
/// better begun anew goes on as it is where there is no memory for one: lanecull_scene_add() and
/// lanecull_scene_replace() then put objects elsewhere, and lanecull_scene_rebuild_within() leaves them. Where the
/// scene is null, as lanecull_create_scene() leaves it without memory, edits, lanecull_scene_save() and loads fail with
/// LANECULL_OUT_OF_MEMORY; what else only reads takes it for a scene without objects.
///
/// Memory for each object: 4 bytes for each number of its shape (24 bytes for Boxes, 16 for Spheres) and of each
/// attribute that any object of its kind has; 20 for its draw command if any object of its kind has one; 16 for its
/// handle; 0.5 for its block. An object of Boxes takes 40 bytes, 50 with LANECULL_MOVING.

/// An empty scene.
LANECULL_API lanecull_scene* lanecull_create_scene(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_scene(lanecull_scene* scene) LANECULL_NOEXCEPT;

/// Adds the batches' objects. handles[i] receives the handle of object i, counted through all batches. Everything is
/// copied, hulls' vertices included (equal hulls once); first_index is not kept. Bounding spheres that a batch does not
/// have are computed. options: null for all defaults.
///
/// An object keeps its draw command, as Batch::draws defines it: with one template for the batch, object i's has
/// first_instance + i. Objects of batches without templates have a command of zeros, which draws nothing.
///
/// Many objects at once are sorted along a space-filling curve into blocks of their own, which takes some 0.5
/// microseconds an object (`lanecull_scene_bench still`), divided among the runner's threads. A few objects go into the
/// blocks that they lie in; then call lanecull_scene_refit() afterwards (lanecull_scene_is_stale() says whether).
///
/// Box instances are stored with a transform by rows_3x4 and a box of their own, 72 bytes an object. Their transforms
/// may have no positions in doubles: give translations relative to options->origin instead.
///
/// Fails if a batch breaks its rule (batch.h) or has positions, if there is not exactly one handle for each object, if
/// an origin is not finite or beyond 1e12, if there would be more than some 2^32 objects of one kind, or for lack of
/// memory.
LANECULL_API lanecull_status lanecull_scene_add(lanecull_scene* scene, const lanecull_batch* batches,
                                                size_t batch_count, const lanecull_add_options* options,
                                                const lanecull_runner* runner, lanecull_handle* handles,
                                                size_t handle_count) LANECULL_NOEXCEPT;

/// Fails if a handle names no object, or if two handles are the same.
LANECULL_API lanecull_status lanecull_scene_remove(lanecull_scene* scene, const lanecull_handle* handles,
                                                   size_t handle_count) LANECULL_NOEXCEPT;

/// Object i of the batch, with its attributes and draw command, replaces the object of handles[i], which may be of
/// another kind. Coordinates are relative to the replaced object's origin. Fails if a handle names no object, if two
/// handles are the same, or if the batch breaks its rule, has positions, or does not have exactly one object for each
/// handle.
LANECULL_API lanecull_status lanecull_scene_replace(lanecull_scene* scene, const lanecull_handle* handles,
                                                    size_t handle_count,
                                                    const lanecull_batch* objects) LANECULL_NOEXCEPT;

/// Adds (x[i], y[i], z[i]) to the coordinates of the object of handles[i]. Each sum is rounded to float, and the
/// object is then what these floats define. Fails if a handle names no object or a pointer is null.
LANECULL_API lanecull_status lanecull_scene_move(lanecull_scene* scene, const lanecull_handle* handles,
                                                 size_t handle_count, const float* x, const float* y,
                                                 const float* z) LANECULL_NOEXCEPT;

/// Object i of the batch says where the object of handles[i] is from now on: the numbers of its shape replace the
/// old ones. Nothing drifts, because nothing is added. Handle, slot, attributes, draw command and origin stay; those of
/// the batch are not read (lanecull_scene_set_attributes() changes attributes). Bounding spheres that the batch does
/// not have are computed.
///
/// For objects that move everywhere: they are sorted by block, and a task of the runner has 64 blocks and their boxes.
/// A box is made anew if a quarter of its block's objects are placed, else it grows. Call lanecull_scene_refit()
/// afterwards, as after every edit. Takes 16 bytes of memory an object while it runs.
///
/// Fails, and nothing has changed, if a handle names no object or one of another kind (or a box by axes where the batch
/// has quaternions), if two handles are the same, if the batch breaks its rule, has positions, or does not have exactly
/// one object for each handle, or for lack of memory.
LANECULL_API lanecull_status lanecull_scene_place(lanecull_scene* scene, const lanecull_handle* handles,
                                                  size_t handle_count, const lanecull_batch* objects,
                                                  const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// Entry i of each of these streams is from now on that attribute of the object of handles[i]: to switch objects off
/// and on, to show them on other layers, or after lanecull_scene_place(), which leaves attributes as they are. Streams
/// that are null leave their attribute as it is. The first object of a kind to have an attribute gives all objects of
/// its kind, mobility and origin a column for it. Call lanecull_scene_refit() afterwards: a margin or sweep changes
/// boxes, and any other attribute what a box may prove of its objects.
///
/// Fails, and nothing has changed, if a handle names no object, if two handles are the same, if one or two of the three
/// streams of sweeps are null, or for lack of memory.
LANECULL_API lanecull_status lanecull_scene_set_attributes(lanecull_scene* scene, const lanecull_handle* handles,
                                                           size_t handle_count,
                                                           const lanecull_attributes* attributes) LANECULL_NOEXCEPT;

/// Brings the boxes up to date with all edits since the last time. Must be called between edits and culls. With
/// LANECULL_REFIT_TIGHT the runner gets tasks of 64 blocks each. Fails only where `scene` is null or `refit` is none.
LANECULL_API_PLAIN lanecull_status lanecull_scene_refit(lanecull_scene* scene, lanecull_refit refit,
                                                        const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// Moves objects that left their blocks into better ones, block after block of those that have been edited, until that
/// time is over or all have been read; at least one block. Each block is read once, whether objects have left it
/// or not. The next call continues where this one stopped. Slots change. Call lanecull_scene_refit() afterwards.
/// `result` may be null. Fails only where `scene` is null.
LANECULL_API_PLAIN lanecull_status lanecull_scene_rebuild_within(lanecull_scene* scene, uint64_t nanoseconds,
                                                                 lanecull_partial_rebuild* result) LANECULL_NOEXCEPT;

/// Sorts everything again, as if just added. Fails for lack of memory.
LANECULL_API lanecull_status lanecull_scene_rebuild(lanecull_scene* scene,
                                                    const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// 1 if there are edits since the last lanecull_scene_refit(), else 0.
LANECULL_API uint32_t lanecull_scene_is_stale(const lanecull_scene* scene) LANECULL_NOEXCEPT;

/// How much larger blocks are than when they were sorted: the mean of their sides' sums now, divided by the mean then.
/// 1 for a fresh scene. Beyond 2 or so lanecull_scene_rebuild() pays.
LANECULL_API double lanecull_scene_cost(const lanecull_scene* scene) LANECULL_NOEXCEPT;

LANECULL_API uint64_t lanecull_scene_object_count(const lanecull_scene* scene) LANECULL_NOEXCEPT;
/// All handles are below this number: how many entries an array by handle needs.
LANECULL_API uint64_t lanecull_scene_handle_limit(const lanecull_scene* scene) LANECULL_NOEXCEPT;
/// How many slots there are, vacant ones included; a multiple of 64.
LANECULL_API uint64_t lanecull_scene_slot_count(const lanecull_scene* scene) LANECULL_NOEXCEPT;
/// How much memory the scene takes.
LANECULL_API uint64_t lanecull_scene_bytes(const lanecull_scene* scene) LANECULL_NOEXCEPT;

/// The slot of an object, for reading bits. Fails if the handle names no object. Edits change slots.
LANECULL_API lanecull_status lanecull_scene_slot_of(const lanecull_scene* scene, lanecull_handle handle,
                                                    uint32_t* slot) LANECULL_NOEXCEPT;

/// How many blocks there are; for tools.
LANECULL_API uint32_t lanecull_scene_block_count(const lanecull_scene* scene) LANECULL_NOEXCEPT;
/// Block i, for tools; takes longer the more kinds, mobilities and origins there are. Fails if there is no such block,
/// and leaves `*block` untouched.
LANECULL_API_PLAIN lanecull_status lanecull_scene_block_of(const lanecull_scene* scene, uint32_t i,
                                                           lanecull_scene_block* block) LANECULL_NOEXCEPT;

/// How many bytes SceneOutput::hints has: one for each 2048 slots, and some more. Adding objects changes it.
LANECULL_API size_t lanecull_scene_hint_bytes(const lanecull_scene* scene) LANECULL_NOEXCEPT;

/// Writes the scene to a file in a format of its own. The file is written under another name beside `path`, synced,
/// then renamed, so that there is never an incomplete file at `path`. Handles and slots are kept. Paths are UTF-8. A
/// failure gives the system's reason.
LANECULL_API lanecull_status lanecull_scene_save(const lanecull_scene* scene, const char* path) LANECULL_NOEXCEPT;

/// Reads such a file into a scene, whose objects it replaces. Its contents are not trusted: a file that is cut off,
/// damaged, of another kind or version, or contradicts itself or breaks a rule that lanecull_scene_add() has is
/// refused, and `scene` stays as it was. (A checksum finds accidents, not intent: a forged file can hold any objects
/// that lanecull_scene_add() would take, but can do nothing else.) The file must not change meanwhile.
LANECULL_API lanecull_status lanecull_scene_load(lanecull_scene* scene, const char* path,
                                                 const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// The same for a file that is in memory, or mapped.
LANECULL_API lanecull_status lanecull_scene_load_from_memory(lanecull_scene* scene, const void* file, size_t bytes,
                                                             const lanecull_runner* runner) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
inline constexpr size_t max_lod_thresholds = LANECULL_MAX_LOD_THRESHOLDS;
inline constexpr uint8_t no_lod = LANECULL_NO_LOD;

/// Objects of any kinds, owned, ordered, edited, culled: lanecull_scene, which has the rules. Const members may be
/// called from any number of threads at once; all others need the scene to themselves. One that is null (Owned) has no
/// objects: a cull of it tests nothing and succeeds, and its next edit tries for memory again.
class Scene : public Owned<lanecull_scene, lanecull_create_scene, lanecull_destroy_scene> {
public:
    [[nodiscard]] Status add(Span<const Batch> batches, Span<Handle> handles, const AddOptions& options = {},
                             const Runner& runner = {}) noexcept {
        return lanecull_scene_add(made(), batches.items, batches.count, &options, &runner, handles.items,
                                  handles.count);
    }
    [[nodiscard]] Status remove(Span<const Handle> handles) noexcept {
        return lanecull_scene_remove(made(), handles.items, handles.count);
    }
    [[nodiscard]] Status replace(Span<const Handle> handles, const Batch& objects) noexcept {
        return lanecull_scene_replace(made(), handles.items, handles.count, &objects);
    }
    [[nodiscard]] Status move(Span<const Handle> handles, const float* x, const float* y, const float* z) noexcept {
        return lanecull_scene_move(made(), handles.items, handles.count, x, y, z);
    }
    [[nodiscard]] Status place(Span<const Handle> handles, const Batch& objects, const Runner& runner = {}) noexcept {
        return lanecull_scene_place(made(), handles.items, handles.count, &objects, &runner);
    }
    [[nodiscard]] Status set_attributes(Span<const Handle> handles, const Attributes& attributes) noexcept {
        return lanecull_scene_set_attributes(made(), handles.items, handles.count, &attributes);
    }
    void refit(Refit how = Refit::tight, const Runner& runner = {}) noexcept {
        lanecull_scene_refit(it_, how, &runner);
    }
    PartialRebuild rebuild_within(uint64_t nanoseconds) noexcept {
        PartialRebuild done;
        done.all_seen = 1;  // where there is no memory for a scene
        lanecull_scene_rebuild_within(it_, nanoseconds, &done);
        return done;
    }
    [[nodiscard]] Status rebuild(const Runner& runner = {}) noexcept { return lanecull_scene_rebuild(made(), &runner); }
    [[nodiscard]] bool stale() const noexcept { return lanecull_scene_is_stale(it_) != 0; }
    [[nodiscard]] double cost() const noexcept { return lanecull_scene_cost(it_); }
    [[nodiscard]] uint64_t object_count() const noexcept { return lanecull_scene_object_count(it_); }
    [[nodiscard]] uint64_t handle_limit() const noexcept { return lanecull_scene_handle_limit(it_); }
    [[nodiscard]] uint64_t slot_count() const noexcept { return lanecull_scene_slot_count(it_); }
    [[nodiscard]] uint64_t bytes() const noexcept { return lanecull_scene_bytes(it_); }
    [[nodiscard]] Status slot_of(Handle handle, uint32_t& slot) const noexcept {
        return lanecull_scene_slot_of(it_, handle, &slot);
    }
    [[nodiscard]] uint32_t block_count() const noexcept { return lanecull_scene_block_count(it_); }
    [[nodiscard]] SceneBlock block(uint32_t i) const noexcept {
        SceneBlock result;
        lanecull_scene_block_of(it_, i, &result);
        return result;
    }
    [[nodiscard]] size_t hint_bytes() const noexcept { return lanecull_scene_hint_bytes(it_); }
    [[nodiscard]] Status save(const char* path) const noexcept { return lanecull_scene_save(it_, path); }
    /// Reads such a file into `scene`, whose objects it replaces. On failure `scene` stays as it was.
    [[nodiscard]] static Status load(const char* path, Scene& scene, const Runner& runner = {}) noexcept {
        return lanecull_scene_load(scene.made(), path, &runner);
    }
    /// The same for a file that is in memory, or mapped.
    [[nodiscard]] static Status load(Span<const std::byte> file, Scene& scene, const Runner& runner = {}) noexcept {
        return lanecull_scene_load_from_memory(scene.made(), file.items, file.count, &runner);
    }
    [[nodiscard]] static Status load(Span<const unsigned char> file, Scene& scene, const Runner& runner = {}) noexcept {
        return lanecull_scene_load_from_memory(scene.made(), file.items, file.count, &runner);
    }

private:
    lanecull_scene* made() noexcept {
        if (it_ == nullptr) it_ = lanecull_create_scene();
        return it_;
    }
};

inline Objects::Objects(const Scene& from) noexcept : scene(from) {}
}  // namespace lanecull
#endif
