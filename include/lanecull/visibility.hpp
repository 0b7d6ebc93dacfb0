#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <lanecull/choose_occluders.hpp>
#include <lanecull/cull.hpp>
#include <lanecull/export.hpp>
#include <lanecull/memory.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/scene.hpp>
#include <lanecull/status.hpp>

/// Baked visibility: for each cell of a world, the objects that may be seen from anywhere in it. A target of its own:
/// link lanecull::visibility, which exists if CMake found CRoaring.
///
/// A solid that hides an object from every corner of a convex cell hides it from every point of the cell. So
/// bake_cell() prepares occluders for a cell's corners and culls a scene with them. What it leaves out of a set cannot
/// be seen from any eye in the cell: that is proved, as for frames (occluder.hpp), and not sampled. What no single
/// solid hides from all of the cell, or of one of the parts that it is baked in, stays *potentially visible*.
///
///     BakeScene world;
///     world.prepare(scene, solids);                          once
///     CellGrid grid;
///     cover_with_cells(lower, upper, size, grid);
///     VisibilityWriter file;
///     file.open("city.visibility", {.objects = scene.slot_count(), .grid = grid, .options = options});
///     for each cell, on any thread or machine:
///         ConvexCell cell;
///         cell_of(grid, i, cell);
///         bake_cell(world, cell, options, scratch, words, baked);
///     for each cell, in order:
///         file.add(words);
///     file.commit();
///
/// and in a frame
///
///     std::uint64_t cell;
///     if (find_cell(visibility.grid(), eye, cell) && visibility.read(cell, words)) output.candidates = words;
///
/// What the caller answers for is what occluder.hpp lists for M, for every camera that uses a set: solids are opaque,
/// are drawn wherever the objects are, and stand still; so do the objects. A solid must not be drawn by what a camera
/// leaves out because of its layers, its own limits of distance or size, or its level of detail. The camera's eye is in
/// the cell, its near corners are no farther from the eye than BakeOptions::near_reach, and its view has no margin.
/// Sets are for what eyes see: not for shadow casters, reflections and other rays.
///
/// A set says where objects are, not which of them are drawn. Flags, layers, and limits of distance and size do not
/// matter when it is baked: an object that is disabled then, or on no layer, is in the set of each cell that it may be
/// seen from, and they may be others in every frame. Only margins and sweeps must not change, and an object that is to
/// be visible always must have object_always_visible when sets are baked: it is in all of them.
///
/// Nothing throws. A failure names the argument at fault and leaves results as they were. The caller's floating-point
/// modes do not matter and are not changed.
namespace lanecull {

/// The convex hull of 1 to 8 corners, in world coordinates.
struct ConvexCell {
    std::uint32_t corners = 0;
    double corner[8][3] = {};
};

/// Boxes along the axes beside one another. Cell x + count[0] (y + count[1] z) has the x-th place along the first axis.
/// Its faces are place k of axis a: lower[a] + k size[a], rounded to double, so that neighbours have theirs in common.
struct CellGrid {
    double lower[3] = {0, 0, 0};
    double size[3] = {1, 1, 1};
    std::uint32_t count[3] = {0, 0, 0};

    [[nodiscard]] std::uint64_t cell_count() const noexcept { return std::uint64_t{count[0]} * count[1] * count[2]; }
};

/// The grid whose first cell begins at `lower` and whose cells, of that size, cover all up to `upper`. Fails if a
/// number is not finite or beyond 1e30, if lower > upper, if a size is not positive or too small for faces to differ,
/// or if there would be more than 2^32 - 1 cells.
[[nodiscard]] LANECULL_API Status cover_with_cells(const double (&lower)[3], const double (&upper)[3],
                                                   const double (&size)[3], CellGrid& grid) noexcept;

/// The corners of a grid's cell. Fails if there is no such cell.
[[nodiscard]] LANECULL_API Status cell_of(const CellGrid& grid, std::uint64_t cell, ConvexCell& corners) noexcept;

/// One of the parts of a box, of which there are so many along each axis: their faces divide its sides evenly, rounded
/// to double, so that neighbours have theirs in common. Part x + parts[0] (y + parts[1] z) has the x-th place along the
/// first axis. Fails if the cell is no box along the axes whose corners are in cell_of()'s order, or if there is no
/// such part.
[[nodiscard]] LANECULL_API Status part_of(const ConvexCell& box, const std::uint32_t (&parts)[3], std::uint64_t part,
                                          ConvexCell& corners) noexcept;

/// The cell that contains a point, and whether there is one. Exact: of points on a face one of the cells that touch.
[[nodiscard]] LANECULL_API bool find_cell(const CellGrid& grid, const double (&point)[3], std::uint64_t& cell) noexcept;

/// What a set holds for. A file keeps it, for whoever wants to know whether its sets fit a camera.
struct BakeOptions {
    /// No corner of a near plane of any camera that will be used is farther from its eye; for a perspective camera near
    /// * sqrt(1 + tan_x^2 + tan_y^2). Solids nearer to a cell, or to one of its parts, than this do not hide from it.
    double near_reach = 0;
    /// Objects farther than this from every point of the box around the cell are left out. If no corner of a far plane
    /// is farther from its eye, pictures do not change.
    double distance = std::numeric_limits<double>::infinity();
    /// What solids shrink by for the cameras' pictures (raster_margin.hpp).
    RasterMargin raster = {};
    /// At most so many solids hide, in rounds of up to 64. A bake ends sooner when a round gains little. 0 leaves out
    /// what is distant, alone.
    std::uint32_t max_occluders = 1024;
    /// A box whose set is large for what its middle sees is baked in up to so many parts. 0 and 1: never.
    std::uint32_t max_parts = 64;
    /// As for cull(). Sets may differ by objects that are within rounding bounds, from one instruction set to another:
    /// who bakes one file on unlike machines names one.
    Isa isa = Isa::automatic;
};

/// A scene and the solids that hide in it, ready to bake. Holds the solids, and a Scene of them: some 100 bytes a box.
/// Const use is safe from any number of threads at once.
class LANECULL_API BakeScene {
public:
    BakeScene() noexcept;
    BakeScene(BakeScene&& other) noexcept;
    BakeScene& operator=(BakeScene&& other) noexcept;
    ~BakeScene();

    /// scene: what is asked about. It must outlive this object and not change. solids: lie wholly inside what is drawn,
    /// such as merge_boxes() returns; copied. Their owners are not read, for each is drawn. Solids that are invalid,
    /// such as boxes whose min is not below max, never hide.
    ///
    /// Fails, leaving this object as it was, if the scene is stale, if solids.drawn is neither empty nor has an element
    /// a solid, if solids.hulls is not empty, if there are more than 2^32 - 1 solids, or for lack of memory.
    Status prepare(const Scene& scene, const SolidSet& solids, const Runner& runner = {}) noexcept;

    /// Words of a cell's set: Scene::visibility_words().
    [[nodiscard]] std::size_t visibility_words() const noexcept;
    /// Bytes of scratch memory that bake_cell() needs.
    [[nodiscard]] std::size_t scratch_bytes() const noexcept;

    /// Not part of the interface.
    struct Contents;

private:
    friend struct BakeAccess;
    Owned<Contents> contents_;
};

/// What a bake tells besides the set. Counts are of objects.
struct BakedCell {
    std::uint64_t visible = 0;  ///< in the set
    std::uint64_t hidden = 0;   ///< from each part of the cell by one solid
    std::uint64_t distant = 0;
    /// Memory of the caller, for tools: receives the numbers of the solids that hide from all of the cell, most
    /// promising first; the first that fit.
    std::span<std::uint32_t> occluders = {};
    std::uint32_t occluder_count = 0;
    std::uint32_t rounds = 0;            ///< of the parts as well
    std::uint32_t parts[3] = {1, 1, 1};  ///< along each axis, as part_of() has them
};

/// Finds what of a scene may be seen from a cell, and sets its bits in `visible`, by slot, as Output::visible has
/// them; a frame takes them as Output::candidates.
///
/// It culls what is distant first. Then it chooses up to 64 solids that are expected to hide most of what is left and
/// are not hidden themselves (choose_occluders.hpp), culls with them, whole blocks at a time, and goes on with the next
/// 64 until a round leaves out less than one in a hundred of what was left.
///
/// Where several solids hide an object, each from another side of the cell, no single one hides it from all of it. So
/// if the set is e >= 1.25 times what the cell's middle sees, and the cell is a box, its longest side is halved until
/// there are e^2 parts or more, BakeOptions::max_parts at most. The set is then the union of what may be seen from
/// each part, past solids of its own.
///
/// visible: exactly world.visibility_words() words. scratch: at least world.scratch_bytes() bytes, any alignment. They
/// must not overlap. Fails, with nothing written, if a length breaks its rule, if the world is not prepared, if a cell
/// has no corners or more than 8, or one that is not finite or beyond 1e30, or if an option is not a length from 0 to
/// 1e30 (`distance` may be infinite).
///
/// Thread-safe, with scratch and outputs a call. Allocates nothing. Runs on the calling thread; give threads and
/// machines cells of their own. The same arguments give the same bits.
[[nodiscard]] LANECULL_API Status bake_cell(const BakeScene& world, const ConvexCell& cell, const BakeOptions& options,
                                            std::span<std::byte> scratch, std::span<std::uint64_t> visible,
                                            BakedCell& baked) noexcept;

/// A set of objects in a few bytes: the portable format of Roaring bitmaps (Lemire, Ssi-Yan-Kai and Kaser,
/// "Consistently faster and smaller compressed bitmaps with Roaring", 2016), which other languages' libraries read.
class LANECULL_API CompressedSet {
public:
    CompressedSet() noexcept = default;
    CompressedSet(CompressedSet&& other) noexcept;
    CompressedSet& operator=(CompressedSet&& other) noexcept;
    ~CompressedSet();

    /// Compresses the set bits of `words`. Equal sets give equal bytes. Fails if there are more than 2^26 words, which
    /// is 2^32 bits, or for lack of memory.
    Status compress(std::span<const std::uint64_t> words) noexcept;
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

/// Sets exactly the bits of a compressed set. `set` is not trusted: every number of it is checked before it is used.
/// Fails, with nothing written, if it is no set in the format, is followed by anything, or has a bit beyond the words.
/// Allocates nothing.
[[nodiscard]] LANECULL_API Status expand_set(std::span<const std::byte> set, std::span<std::uint64_t> words) noexcept;

/// What a visibility file is about.
struct VisibilityHeader {
    /// Bits of each set: of a scene Scene::slot_count(). At most 2^32 - 1.
    std::uint64_t objects = 0;
    /// Which objects these are, as the caller likes: slot_fingerprint() of a scene. Read by whoever compares it.
    std::uint64_t fingerprint = 0;
    CellGrid grid = {};                      ///< where cells are; a count of 0: in `cells`
    std::span<const ConvexCell> cells = {};  ///< read if the grid has none
    BakeOptions options = {};                ///< `max_occluders`, `max_parts` and `isa` are not kept
};

/// A number that follows from which object is in which slot: another one, almost surely, once slots have changed. A
/// scene that is saved and loaded keeps it.
[[nodiscard]] LANECULL_API std::uint64_t slot_fingerprint(const Scene& scene) noexcept;

/// Writes a visibility file, cell by cell. It keeps 24 bytes a cell in memory, and no set. There is never an incomplete
/// file at `path`: the file is written under another name beside it, synced, then renamed. Not thread-safe.
class LANECULL_API VisibilityWriter {
public:
    VisibilityWriter() noexcept;
    VisibilityWriter(const VisibilityWriter&) = delete;
    VisibilityWriter& operator=(const VisibilityWriter&) = delete;
    /// Without commit() nothing is left of the file.
    ~VisibilityWriter();

    /// Begins a file; one that was begun before is given up. What the header points to is copied. Fails if the header
    /// breaks a rule, if the system refuses the file, or for lack of memory.
    Status open(const char* path, const VisibilityHeader& header) noexcept;
    /// The next cell's set. Fails if there are no more cells, if the number of words is not ceil(objects / 64), if a
    /// bit beyond `objects` is set, if the system fails (then the file is given up), or for lack of memory.
    Status add(std::span<const std::uint64_t> words) noexcept;
    /// The same for a set as CompressedSet has it. It is not trusted.
    Status add(std::span<const std::byte> compressed) noexcept;
    /// How many sets have been added.
    [[nodiscard]] std::uint64_t added() const noexcept;
    /// Fails unless each cell has its set, or if the system fails.
    Status commit() noexcept;

    /// Not part of the interface.
    struct Contents;

private:
    Owned<Contents> contents_;
};

/// A visibility file, to be read: mapped into memory, of which the system keeps what is used. Const members may be
/// called from any number of threads at once, and allocate nothing.
class LANECULL_API Visibility {
public:
    Visibility() noexcept;
    Visibility(Visibility&& other) noexcept;
    Visibility& operator=(Visibility&& other) noexcept;
    ~Visibility();

    /// Opens a file. Its contents are not trusted. Header, cells and index are checked here, each set where it is read.
    /// A file that is cut off, damaged, of another kind or version, or contradicts itself is refused, and `visibility`
    /// stays as it was. (Checksums find accidents, not intent: a forged file can hold any sets, but do nothing else.)
    /// Takes time by the number of cells, not by the sets. The file must not change while it is open.
    static Status open(const char* path, Visibility& visibility) noexcept;
    /// The same for a file that is in memory, which must stay as long as `visibility`, aligned to 8 bytes.
    static Status open(std::span<const std::byte> file, Visibility& visibility) noexcept;

    /// As in the file's header; `cells` is empty where a grid is. 0 and empty before a file is open.
    [[nodiscard]] VisibilityHeader header() const noexcept;
    [[nodiscard]] CellGrid grid() const noexcept;
    [[nodiscard]] std::uint64_t cell_count() const noexcept;
    [[nodiscard]] std::uint64_t object_count() const noexcept;
    /// Words of a set: ceil(objects / 64).
    [[nodiscard]] std::size_t visibility_words() const noexcept;

    /// How many objects may be seen from a cell, by the index alone; 0 if there is no such cell. read() checks it.
    [[nodiscard]] std::uint64_t visible_count(std::uint64_t cell) const noexcept;
    /// A cell's set as it is in the file, unchecked; empty if there is no such cell.
    [[nodiscard]] std::span<const std::byte> compressed(std::uint64_t cell) const noexcept;

    /// Writes a cell's set: bit i % 64 of word i / 64 is set if object i may be seen from the cell. words: exactly
    /// visibility_words(). Fails, with nothing written, if there is no such cell, if their number is another, or if the
    /// set is damaged.
    Status read(std::uint64_t cell, std::span<std::uint64_t> words) const noexcept;
    /// The same, but leaves bits that are set as they are: the union of several cells, such as those that a camera may
    /// reach.
    Status add_to(std::uint64_t cell, std::span<std::uint64_t> words) const noexcept;
    /// The objects of a set, ascending; the first that fit. count: how many there are.
    Status read_indices(std::uint64_t cell, std::span<std::uint32_t> indices, std::uint64_t& count) const noexcept;
    /// Checks each set. Reads the whole file.
    [[nodiscard]] Status verify() const noexcept;

    /// Not part of the interface.
    struct Contents;

private:
    Status write_words(std::uint64_t cell, std::span<std::uint64_t> words, bool clears) const noexcept;

    Owned<Contents> contents_;
};

}  // namespace lanecull
