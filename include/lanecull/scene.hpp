#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/lod.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Ordered scenes: objects kept in the order of their places, in blocks with boxes around them. A cull asks the boxes
/// first and looks only at objects in blocks that the volume's boundary crosses: its cost follows the boundary, not the
/// number of objects.
///
/// The verdicts are those of cull() with the same objects, object by object: a block is taken to be outside or inside
/// only with so much to spare that each of its objects would have been (kernels/scene/README.md tells how far that is
/// proved; nothing visible is culled in any case). With Method::gjk,
/// which is for measuring, blocks are not asked.
namespace lanecull {

/// The name of an object in a scene, from when it is added until it is removed; names of removed objects are given
/// again. Names are small: with n objects at most at any time, they are below n.
using Handle = std::uint32_t;

/// How objects are kept. A hint: any object may be changed at any time.
enum class Mobility : std::uint8_t {
    fixed,   ///< rarely changed: blocks are filled to the brim
    moving,  ///< blocks leave room, a quarter, for what wanders in
};

struct AddOptions {
    Mobility mobility = Mobility::fixed;
    /// What the objects' coordinates are relative to, world coordinates. Objects of different origins live in different
    /// blocks. For large worlds, give each region some kilometres wide an origin of its own.
    double origin[3] = {0, 0, 0};
};

/// What a cull finds a block to be.
enum class BlockOutcome : std::uint8_t {
    outside,  ///< its objects are culled with it, or it has none
    inside,   ///< its objects are visible with it
    mixed,    ///< its objects are looked at one by one
};

/// Where one view's results go, as in ViewOutput: all of it optional, only written but for `hints` and LODs' `latest`;
/// nothing may overlap. A *slot* is an object's place in the scene's order: bits are by slot, lists ascend by slot.
struct SceneOutput {
    /// Bit i % 64 of word i / 64 is set when the object in slot i is visible; 0 where there is none. Empty, or exactly
    /// Scene::visibility_words() words.
    std::span<std::uint64_t> visible = {};
    /// The same of objects proved to lie wholly inside (ViewOutput::inside).
    std::span<std::uint64_t> inside = {};
    /// Receives the handles of visible objects; the first that fit.
    std::span<Handle> handles = {};
    /// Receives their slots; the first that fit.
    std::span<std::uint32_t> slots = {};
    /// Receives the runs of slots with visible objects, without a gap; the first that fit.
    std::span<VisibleRun> runs = {};
    /// Distances and levels of detail of visible objects, in the same order.
    LodOutput lod = {};
    /// For tools: receives what became of each block. Empty, or exactly Scene::blocks() of them.
    std::span<BlockOutcome> block_outcomes = {};
    /// Read as well: for each 16 blocks (and 16 boxes above them) the plane that they all lay behind when this view was
    /// last culled. It is asked first, which settles them again if the view has moved little: some 2 % of a cull. Any
    /// contents are right, verdicts do not depend on them; zeros to begin with. Empty, or exactly Scene::hint_bytes()
    /// of them.
    std::span<std::uint8_t> hints = {};

    // Results.
    std::uint64_t visible_count = 0;
    std::uint64_t run_count = 0;  ///< if `runs` is not empty
    /// Of the objects that were looked at one by one.
    Statistics tested = {};
    std::uint64_t outside_objects = 0;  ///< culled with their block
    std::uint64_t inside_objects = 0;   ///< visible with their block
    std::uint64_t outside_blocks = 0;
    std::uint64_t inside_blocks = 0;
    std::uint64_t mixed_blocks = 0;
};

/// What a block is, for tools: its slots, its box (relative to `origin`), how many objects it has, and its quality.
struct SceneBlock {
    std::uint32_t first_slot = 0;
    std::uint32_t objects = 0;
    /// The sum of its box's sides over what it was when the block was sorted: 1 for a fresh one, infinite for one whose
    /// box was a point and is no more. Scene::spread() is the same of all blocks together.
    double spread = 1;
    float lower[3] = {};
    float upper[3] = {};
    double origin[3] = {};
};

/// How well boxes fit what they contain.
enum class Fit : std::uint8_t {
    /// As well as can be: looks at all objects of each block that has been edited.
    tight,
    /// Boxes that have grown around each place where an edit has put an object stay so large: costs next to nothing.
    /// For frames in which objects move everywhere; improve() makes tight what it looks at.
    grown,
};

/// What became of improve().
struct Improvement {
    std::uint64_t blocks = 0;   ///< looked at
    std::uint64_t objects = 0;  ///< moved to a better block
    bool all_seen = false;      ///< every block that may have changed has been looked at
};

/// Objects of any kinds, owned, ordered, edited, culled.
///
/// Threads. const members may be called from any number of threads at once, over the same scene. Everything else needs
/// the scene to itself: edit between culls, and see to it that one happens before the other. (To edit while culling
/// goes on, keep two scenes and give both the same edits in turn.) Runners given to edits are used within the call.
///
/// Errors. Nothing throws. A call that fails for an argument has changed nothing. One that fails for lack of memory
/// leaves a valid scene without some of the objects it was to add, and says so.
///
/// Memory, each object: 4 bytes a number of its shape (24 bytes of Boxes, 16 of Spheres) and of each attribute that any
/// object of its kind has, 16 for its name, 0.5 for its block: 40 for one of Boxes, 50 with Mobility::moving.
class LANECULL_API Scene {
public:
    Scene() noexcept;
    Scene(Scene&& other) noexcept;
    Scene& operator=(Scene&& other) noexcept;
    ~Scene();

    /// Adds the batches' objects; handles[i] receives the name of object i, counted through all batches. Copies
    /// everything, hulls' vertices included (equal hulls once); first_index and draws are not kept. Bounding spheres
    /// that a batch has none of are computed.
    ///
    /// Many objects at once are sorted along a space-filling curve, into blocks of their own: some 0.5 microseconds an
    /// object, shared out to the runner's threads. A few go into the blocks that they lie in; call refit() afterwards
    /// (stale() tells).
    ///
    /// Fails when a batch breaks its rule (batch.hpp), when handles has not one entry an object, when an origin is not
    /// finite or beyond 1e12, when there would be more than some 2^32 objects of one kind, or for lack of memory.
    Status add(std::span<const Batch> batches, std::span<Handle> handles, const AddOptions& options = {},
               const Runner& runner = serial_runner()) noexcept;

    /// Fails when a handle names no object, or two are the same.
    Status remove(std::span<const Handle> handles) noexcept;

    /// Object i of the batch, with its attributes, takes the place of the one named handles[i], which may be of another
    /// kind. Coordinates are relative to that one's origin. Fails when a handle names no object, two are the same, or
    /// the batch breaks its rule or has not one object a handle.
    Status replace(std::span<const Handle> handles, const Batch& objects) noexcept;

    /// Adds (x[i], y[i], z[i]) to the coordinates of the object named handles[i], each sum rounded to float: the object
    /// is then what these floats define. Fails when a handle names no object or a pointer is null.
    Status move(std::span<const Handle> handles, const float* x, const float* y, const float* z) noexcept;

    /// Brings the boxes up to date with all edits since the last time: to be called between edits and culls. With
    /// Fit::tight parts go to the runner, 64 blocks each.
    void refit(Fit fit = Fit::tight, const Runner& runner = serial_runner()) noexcept;

    /// Puts objects that left their blocks into better ones, block after block of those that have been edited, until
    /// `time` is over or all have been seen; at least one block. About 0.6 microseconds a block that nothing has left.
    /// The next call goes on from there. Slots change. Call refit() afterwards.
    Improvement improve(std::chrono::nanoseconds time) noexcept;

    /// Sorts everything anew, as if just added. Fails for lack of memory, the scene is then as it was.
    Status rebuild(const Runner& runner = serial_runner()) noexcept;

    /// Whether there are edits that refit() has not seen.
    [[nodiscard]] bool stale() const noexcept;

    /// How much larger blocks have become than they were when sorted: the mean of their sides' sums now over then, 1
    /// for a fresh scene. Beyond 2 or so rebuild() pays.
    [[nodiscard]] double spread() const noexcept;

    [[nodiscard]] std::uint64_t object_count() const noexcept;
    /// All handles are below it: entries of arrays by handle.
    [[nodiscard]] std::uint64_t handle_limit() const noexcept;
    /// Slots, with vacant ones; a multiple of 64.
    [[nodiscard]] std::uint64_t slot_count() const noexcept;
    [[nodiscard]] std::size_t visibility_words() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

    /// The slot of an object, for reading bits; fails when the handle names none. Edits change slots.
    Status slot_of(Handle handle, std::uint32_t& slot) const noexcept;

    /// The i-th block, blocks() of them; for tools.
    [[nodiscard]] std::uint32_t blocks() const noexcept;
    [[nodiscard]] SceneBlock block(std::uint32_t i) const noexcept;

    /// Bytes of scratch memory that cull() needs.
    [[nodiscard]] std::size_t scratch_bytes(std::size_t view_count) const noexcept;

    /// Entries of SceneOutput::hints: a byte for each 2048 slots, and some. Adding objects changes it.
    [[nodiscard]] std::size_t hint_bytes() const noexcept;

    /// Tests the objects against each view, as lanecull::cull() does; options.view_masks must be empty. Parts are some
    /// 30,000 slots in one view. Fails, besides, when the scene is stale.
    Status cull(std::span<const View> views, std::span<SceneOutput> outputs, std::span<std::byte> scratch,
                const Options& options = {}, const Runner& runner = serial_runner()) const noexcept;

    /// Writes the scene to a file of its own format: under another name beside it, synced, then renamed, so that there
    /// is never a part of one under `path`. Handles and slots are kept. Fails with the system's reason.
    Status save(const char* path) const noexcept;

    /// Reads such a file. What is found in it is not trusted: a file that is cut off, damaged, of another kind or
    /// version, or whose parts contradict one another is refused, `scene` then stays as it was. (A checksum finds
    /// accidents, not intent; whoever forges one can put any objects there, but nothing else.) The file must not change
    /// meanwhile.
    static Status load(const char* path, Scene& scene, const Runner& runner = serial_runner()) noexcept;
    /// The same of a file that is in memory, or mapped.
    static Status load(std::span<const std::byte> file, Scene& scene, const Runner& runner = serial_runner()) noexcept;

    /// What the file formats and the kernels see. Not part of the interface.
    struct Contents;

private:
    Contents* contents_;
};

}  // namespace lanecull
