#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/batch.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/lod.hpp>
#include <lanecull/memory.hpp>
#include <lanecull/runner.hpp>
#include <lanecull/shadow.hpp>
#include <lanecull/status.hpp>
#include <lanecull/view.hpp>

/// Ordered scenes: objects sorted by position into blocks, with boxes around the blocks. A cull asks the boxes first
/// and looks only at objects in blocks that the volume's boundary crosses. So its cost follows the boundary, not the
/// number of objects.
///
/// The verdicts are those of cull() with the same objects, object by object: a block counts as outside or inside only
/// with so much to spare that each of its objects would have been decided so. For spheres, boxes along the axes and
/// Method::planes that is proved, for numbers up to 2^60. Of other shapes, and of larger numbers, a scene may cull what
/// cull() keeps. Nothing visible is culled in any case. "The same objects" have the same attributes: once one object of
/// a kind has a margin or a sweep, all of them are culled as objects that have one.
namespace lanecull {

/// The name of an object in a scene, from when it is added until it is removed. Names of removed objects are given
/// again. Names are small: if there are never more than n objects, names are below n.
using Handle = std::uint32_t;

/// How objects are kept. This is a hint; any object may be changed at any time.
enum class Mobility : std::uint8_t {
    fixed,   ///< rarely changed: blocks are filled completely
    moving,  ///< blocks leave a quarter of their slots free for objects that move in
};

struct AddOptions {
    Mobility mobility = Mobility::fixed;
    /// The point that the objects' coordinates are relative to, in world coordinates. Objects of different origins are
    /// in different blocks. In large worlds give each region of some kilometres an origin of its own.
    double origin[3] = {0, 0, 0};
};

/// What a cull finds a block to be.
enum class BlockOutcome : std::uint8_t {
    outside,  ///< its objects are culled with it, or it has none
    inside,   ///< its objects are visible with it
    mixed,    ///< its objects are tested one by one
    hidden,   ///< an occluder hides it, and its objects with it
};

/// What only scenes have of one view: Output::scene. A *slot* is an object's place in the scene's order. The bits of an
/// Output are by slot, 0 where it is vacant, and its lists ascend by slot. Every output is optional.
struct SceneOutput {
    /// Receives the handles of visible objects; the first that fit.
    std::span<Handle> handles = {};
    /// Distances and levels of detail of visible objects, in the same order.
    LodOutput lod = {};
    /// For tools: receives each block's outcome. Empty, or exactly Scene::block_count() entries.
    std::span<BlockOutcome> block_outcomes = {};
    /// Read as well as written. For each 16 blocks, and each 16 boxes above them, the plane that they all lay behind
    /// when this view was last culled. It is tested first, which decides them at once if the view has moved little;
    /// that saves some 2 % of a cull. Verdicts do not depend on the contents; begin with zeros. Empty, or exactly
    /// Scene::hint_bytes() bytes.
    std::span<std::uint8_t> hints = {};

    // Results. Objects that were tested one by one are the others: Explanation::counts.
    std::uint64_t outside_objects = 0;  ///< culled with their block, or in an inside block and no candidate
    std::uint64_t inside_objects = 0;   ///< visible with their block
    std::uint64_t hidden_objects = 0;   ///< hidden with their block by one occluder
    std::uint64_t outside_blocks = 0;
    std::uint64_t hidden_blocks = 0;
    std::uint64_t inside_blocks = 0;
    std::uint64_t mixed_blocks = 0;
};

/// A block, for tools: its slots, its box (relative to `origin`), how many objects it has, and its quality.
struct SceneBlock {
    std::uint32_t first_slot = 0;
    std::uint32_t objects = 0;
    /// The sum of the lengths of its box's sides, divided by that sum when the block was sorted: 1 for a fresh block,
    /// infinite for one whose box was a point and no longer is. Scene::spread() is the same for all blocks together.
    double spread = 1;
    float lower[3] = {};
    float upper[3] = {};
    double origin[3] = {};
};

/// How well boxes fit what they contain.
enum class Fit : std::uint8_t {
    /// As tight as can be. Looks at all objects of each block that has been edited.
    tight,
    /// Boxes that edits have enlarged stay enlarged. Costs almost nothing. For frames in which objects move everywhere;
    /// improve() makes the boxes that it looks at tight, and place() those of blocks in which it puts many.
    grown,
};

/// What became of improve().
struct Improvement {
    std::uint64_t blocks = 0;   ///< blocks that were looked at
    std::uint64_t objects = 0;  ///< objects that were moved to a better block
    bool all_seen = false;      ///< every block that may have changed has been looked at by now
};

/// Objects of any kinds, owned, ordered, edited, culled.
///
/// Threads. Const members may be called for the same scene from any number of threads at once. All other members need
/// the scene to themselves: edit between culls, and make sure that one happens before the other. (To edit while culling
/// goes on, keep two scenes and give both the same edits in turn.) Runners given to edits are used within the call
/// only.
///
/// Errors. Nothing throws. A call that fails, because of an argument or for lack of memory, has changed nothing. A
/// block that would be better begun anew goes on as it is where there is no memory for one: add() and replace() then
/// put objects elsewhere, and improve() leaves them.
///
/// Memory for each object: 4 bytes for each number of its shape (24 bytes for Boxes, 16 for Spheres) and of each
/// attribute that any object of its kind has; 20 for its draw command if any object of its kind has one; 16 for its
/// name; 0.5 for its block. An object of Boxes takes 40 bytes, 50 with Mobility::moving.
class LANECULL_API Scene {
public:
    /// An empty scene. Where there is no memory for it, the first edit asks again.
    Scene() noexcept;
    Scene(Scene&& other) noexcept;
    Scene& operator=(Scene&& other) noexcept;
    ~Scene();

    /// Adds the batches' objects. handles[i] receives the name of object i, counted through all batches. Everything is
    /// copied, hulls' vertices included (equal hulls once); first_index is not kept. Bounding spheres that a batch does
    /// not have are computed.
    ///
    /// An object keeps its draw command, as Batch::draws defines it: with one template for the batch, object i's has
    /// first_instance + i. Objects of batches without templates have a command of zeros, which draws nothing.
    ///
    /// Many objects at once are sorted along a space-filling curve into blocks of their own, which takes some 0.5
    /// microseconds an object (`lanecull_scene_bench still`), divided among the runner's threads. A few objects go into
    /// the blocks that they lie in; then call refit() afterwards (stale() says whether).
    ///
    /// Box instances are stored with a transform by rows_3x4 and a box of their own, 72 bytes an object. Their
    /// transforms may have no positions in doubles: give translations relative to options.origin instead.
    ///
    /// Fails if a batch breaks its rule (batch.hpp) or has positions, if handles does not have exactly one entry for
    /// each object, if an origin is not finite or beyond 1e12, if there would be more than some 2^32 objects of one
    /// kind, or for lack of memory.
    Status add(std::span<const Batch> batches, std::span<Handle> handles, const AddOptions& options = {},
               const Runner& runner = {}) noexcept;

    /// Fails if a handle names no object, or if two handles are the same.
    Status remove(std::span<const Handle> handles) noexcept;

    /// Object i of the batch, with its attributes and draw command, replaces the object named handles[i], which may be
    /// of another kind. Coordinates are relative to the replaced object's origin. Fails if a handle names no object, if
    /// two handles are the same, or if the batch breaks its rule, has positions, or does not have exactly one object
    /// for each handle.
    Status replace(std::span<const Handle> handles, const Batch& objects) noexcept;

    /// Adds (x[i], y[i], z[i]) to the coordinates of the object named handles[i]. Each sum is rounded to float, and the
    /// object is then what these floats define. Fails if a handle names no object or a pointer is null.
    Status move(std::span<const Handle> handles, const float* x, const float* y, const float* z) noexcept;

    /// Object i of the batch says where the object named handles[i] is from now on: the numbers of its shape replace
    /// the old ones. Nothing drifts, because nothing is added. Handle, slot, attributes, draw command and origin stay;
    /// those of the batch are not read (set_attributes() changes attributes). Bounding spheres that the batch does not
    /// have are computed.
    ///
    /// For objects that move everywhere: they are sorted by block, and a task of the runner has 64 blocks and their
    /// boxes. A box is made anew if a quarter of its block's objects are placed, else it grows. Call refit()
    /// afterwards, as after every edit. Takes 16 bytes of memory an object while it runs.
    ///
    /// Fails, and nothing has changed, if a handle names no object or one of another kind (or a box by axes where the
    /// batch has quaternions), if two handles are the same, if the batch breaks its rule, has positions, or does not
    /// have exactly one object for each handle, or for lack of memory.
    Status place(std::span<const Handle> handles, const Batch& objects, const Runner& runner = {}) noexcept;

    /// Entry i of each of these streams is from now on that attribute of the object named handles[i]: to switch objects
    /// off and on, to show them on other layers, or after place(), which leaves attributes as they are. Streams that
    /// are null leave their attribute as it is. The first object of a kind to have an attribute gives all objects of
    /// its kind, mobility and origin a column for it. Call refit() afterwards: a margin or sweep changes boxes, and any
    /// other attribute what a box may prove of its objects.
    ///
    /// Fails, and nothing has changed, if a handle names no object, if two handles are the same, if one or two of the
    /// three streams of sweeps are null, or for lack of memory.
    Status set_attributes(std::span<const Handle> handles, const Attributes& attributes) noexcept;

    /// Brings the boxes up to date with all edits since the last time. Must be called between edits and culls. With
    /// Fit::tight the runner gets tasks of 64 blocks each.
    void refit(Fit fit = Fit::tight, const Runner& runner = {}) noexcept;

    /// Moves objects that left their blocks into better ones, block after block of those that have been edited, until
    /// that time is over or all have been looked at; at least one block. Each block is read once, whether objects have
    /// left it or not. The next call continues where this one stopped. Slots change. Call refit() afterwards.
    Improvement improve(std::uint64_t nanoseconds) noexcept;

    /// Sorts everything again, as if just added. Fails for lack of memory.
    Status rebuild(const Runner& runner = {}) noexcept;

    /// Whether there are edits since the last refit().
    [[nodiscard]] bool stale() const noexcept;

    /// How much larger blocks are than when they were sorted: the mean of their sides' sums now, divided by the mean
    /// then. 1 for a fresh scene. Beyond 2 or so rebuild() pays.
    [[nodiscard]] double spread() const noexcept;

    [[nodiscard]] std::uint64_t object_count() const noexcept;
    /// All handles are below this number: how many entries an array by handle needs.
    [[nodiscard]] std::uint64_t handle_limit() const noexcept;
    /// How many slots there are, vacant ones included; a multiple of 64.
    [[nodiscard]] std::uint64_t slot_count() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept;

    /// The slot of an object, for reading bits. Fails if the handle names no object. Edits change slots.
    Status slot_of(Handle handle, std::uint32_t& slot) const noexcept;

    /// How many blocks there are, and the i-th of them; for tools.
    [[nodiscard]] std::uint32_t block_count() const noexcept;
    [[nodiscard]] SceneBlock block(std::uint32_t i) const noexcept;

    /// How many bytes SceneOutput::hints has: one for each 2048 slots, and some more. Adding objects changes it.
    [[nodiscard]] std::size_t hint_bytes() const noexcept;

    /// Writes the scene to a file in a format of its own. The file is written under another name beside `path`, synced,
    /// then renamed, so that there is never an incomplete file at `path`. Handles and slots are kept. A failure gives
    /// the system's reason.
    Status save(const char* path) const noexcept;

    /// Reads such a file. Its contents are not trusted: a file that is cut off, damaged, of another kind or version, or
    /// contradicts itself or breaks a rule that add() has is refused, and `scene` stays as it was. (A checksum finds
    /// accidents, not intent: a forged file can hold any objects that add() would take, but can do nothing else.) The
    /// file must not change meanwhile.
    static Status load(const char* path, Scene& scene, const Runner& runner = {}) noexcept;
    /// The same for a file that is in memory, or mapped.
    static Status load(std::span<const std::byte> file, Scene& scene, const Runner& runner = {}) noexcept;

    /// The scene's contents as the library sees them. Not part of the interface.
    struct Contents;

private:
    friend struct SceneAccess;  // the library's own
    Owned<Contents> contents_;
};

}  // namespace lanecull
