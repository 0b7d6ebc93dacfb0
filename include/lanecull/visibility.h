#pragma once

/// Baked visibility: for each cell of a world, the objects that may be seen from anywhere in it.
///
/// <lanecull/lanecull.h> does not include this header, whose functions are in a library of their own: link
/// lanecull::visibility, which exists if CMake found CRoaring; or lanecull_visibility before lanecull, and CRoaring.
/// CRoaring has memory hooks of its own.
///
/// A solid that hides an object from every corner of a convex cell hides it from every point of the cell. So
/// lanecull_bake_cell() prepares occluders for a cell's corners and culls a scene with them. What it leaves out of a
/// set cannot be seen from any eye in the cell: that is proved, as for frames (occluder.h), and not sampled. What no
/// single solid hides from all of the cell, or of one of the parts that it is baked in, stays *potentially visible*.
///
///     BakeScene world;
///     world.prepare(scene, solids);                          once
///     VisibilityHeader about;
///     about.objects = scene.slot_count(), about.options = options;
///     cover_with_cells(lower, upper, size, about.grid);
///     VisibilityWriter file;
///     file.open("city.visibility", about);
///     for each cell, on any thread or machine:
///         ConvexCell cell;
///         cell_of(about.grid, i, cell);
///         bake_cell(world, cell, options, scratch, words, baked);
///     for each cell, in order:
///         file.add(words);
///     file.commit();
///
/// and in a frame
///
///     uint64_t cell;
///     if (find_cell(visibility.grid(), eye, cell) && visibility.read(cell, words)) output.candidates = words;
///
/// In C, once
///
///     lanecull_bake_scene_prepare(world, scene, &solids, NULL)
///     lanecull_cover_with_cells(lower, upper, size, &about.grid)
///     lanecull_visibility_writer_open(writer, "city.visibility", &about)
///     for each cell, on any thread or machine:
///         lanecull_cell_of(&about.grid, i, &cell)
///         lanecull_bake_cell(world, &cell, &options, scratch, scratch_bytes, words, word_count, NULL)
///     for each cell, in order:
///         lanecull_visibility_writer_add(writer, words, word_count)
///     lanecull_visibility_writer_commit(writer)
///
/// and in a frame
///
///     if (lanecull_find_cell(&about.grid, eye, &cell) &&
///         lanecull_visibility_read(visibility, cell, words, word_count).code == LANECULL_OK) {
///         output.candidates.items = words, output.candidates.count = word_count;
///     }
///
/// What the caller answers for is what occluder.h lists for M, for every camera that uses a set: solids are opaque, are
/// drawn wherever the objects are, and stand still; so do the objects. A solid must not be drawn by what a camera
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

#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <lanecull/occluder.h>
#include <lanecull/scene.h>
#include <lanecull/types.h>

/// The convex hull of 1 to 8 corners, in world coordinates.
LANECULL_STRUCT(ConvexCell, convex_cell) {
    uint32_t corners LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    double corner[8][3] LANECULL_0;
};
LANECULL_LAYOUT(convex_cell, 200)
LANECULL_SPAN(const lanecull_convex_cell, convex_cells)

/// Boxes along the axes beside one another. Cell x + count[0] (y + count[1] z) has the x-th place along the first axis.
/// Its faces are place k of axis a: lower[a] + k size[a], rounded to double, so that neighbours have theirs in common.
LANECULL_STRUCT(CellGrid, cell_grid) {
    double lower[3] LANECULL_0;
    double size[3] LANECULL_0;     ///< positive, where there are cells
    uint32_t count[3] LANECULL_0;  ///< one that is 0: there are no cells
    uint32_t reserved_too LANECULL_0;
#ifdef __cplusplus
    [[nodiscard]] constexpr uint64_t cell_count() const noexcept { return uint64_t{count[0]} * count[1] * count[2]; }
#endif
};
LANECULL_LAYOUT(cell_grid, 64)

/// What a set holds for. A file keeps it, for whoever wants to know whether its sets fit a camera.
LANECULL_STRUCT(BakeOptions, bake_options) {
    /// No corner of a near plane of any camera that will be used is farther from its eye; for a perspective camera near
    /// * sqrt(1 + tan_x^2 + tan_y^2). Solids nearer to a cell, or to one of its parts, than this do not hide from it.
    double near_reach LANECULL_0;
    /// Objects farther than this from every point of the box around the cell are left out. If no corner of a far plane
    /// is farther from its eye, pictures do not change. 0, or infinite: none is left out.
    double distance LANECULL_0;
    /// What solids shrink by for the cameras' pictures (lanecull_find_raster_margin()).
    lanecull_raster_margin raster LANECULL_0;
    /// At most so many solids hide, in rounds of up to 64; 0: 1024. A bake ends sooner when a round gains little.
    uint32_t max_occluders LANECULL_0;
    /// A box whose set is large for what its middle sees is baked in up to so many parts; 0: 64. 1: never.
    uint32_t max_parts LANECULL_0;
    uint32_t is_unoccluded LANECULL_0;  ///< 0: solids hide; 1: what is distant, alone, is left out
    /// As for lanecull_cull(). Sets may differ by objects that are within rounding bounds, from one instruction set to
    /// another: who bakes one file on unlike machines names one.
    lanecull_isa isa LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(bake_options, 80)

/// What a bake finds besides the set. Counts are of objects.
LANECULL_STRUCT(BakedCell, baked_cell) {
    /// Memory of the caller, for tools: receives the numbers of the solids that hide from all of the cell, most
    /// promising first; the first that fit.
    lanecull_indices occluders LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
    // Results.
    uint64_t visible LANECULL_0;  ///< in the set
    uint64_t hidden LANECULL_0;   ///< from each part of the cell by one solid
    uint64_t distant LANECULL_0;
    uint32_t occluder_count LANECULL_0;
    uint32_t rounds LANECULL_0;    ///< of choosing occluders, of the parts as well
    uint32_t parts[3] LANECULL_0;  ///< along each axis, as lanecull_part_of() has them
    uint32_t reserved_too LANECULL_0;
};
LANECULL_LAYOUT(baked_cell, 96)

/// What a visibility file is about.
LANECULL_STRUCT(VisibilityHeader, visibility_header) {
    /// Bits of each set: of a scene lanecull_scene_slot_count(). At most 2^32 - 1.
    uint64_t objects LANECULL_0;
    /// Which objects these are, as the caller likes: lanecull_visibility_fingerprint() of a scene. Read by whoever
    /// compares it.
    uint64_t fingerprint LANECULL_0;
    lanecull_cell_grid grid LANECULL_0;      ///< where cells are; a count of 0: in `cells`
    lanecull_convex_cells cells LANECULL_0;  ///< read if the grid has none
    /// max_occluders, max_parts, is_unoccluded and isa are not kept.
    lanecull_bake_options options LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(visibility_header, 208)

/// A scene and the solids that hide in it, ready to bake. Holds the solids, and a scene of them: some 100 bytes a box.
/// Calls with a const one are safe from any number of threads at once.
typedef struct lanecull_bake_scene lanecull_bake_scene;

/// A set of objects in a few bytes: the portable format of Roaring bitmaps (Lemire, Ssi-Yan-Kai and Kaser,
/// "Consistently faster and smaller compressed bitmaps with Roaring", 2016), which other languages' libraries read.
typedef struct lanecull_compressed_set lanecull_compressed_set;

/// Writes a visibility file, cell by cell. It keeps 24 bytes a cell in memory, and no set. There is never an incomplete
/// file at the path: the file is written under another name beside it, synced, then renamed. Not thread-safe.
typedef struct lanecull_visibility_writer lanecull_visibility_writer;

/// A visibility file, to be read: mapped into memory, of which the system keeps what is used. Calls with a const one
/// may be made from any number of threads at once, and allocate nothing.
typedef struct lanecull_visibility lanecull_visibility;

LANECULL_C_BEGIN
/// The grid whose first cell begins at `lower` and whose cells, of that size, cover all up to `upper`; 3 numbers each.
/// Fails if a number is not finite or beyond 1e30, if lower > upper, if a size is not positive or too small for faces
/// to differ, or if there would be more than 2^32 - 1 cells.
LANECULL_API lanecull_status lanecull_cover_with_cells(const double* lower, const double* upper, const double* size,
                                                       lanecull_cell_grid* grid) LANECULL_NOEXCEPT;

/// The corners of a grid's cell. Fails if there is no such cell.
LANECULL_API lanecull_status lanecull_cell_of(const lanecull_cell_grid* grid, uint64_t cell,
                                              lanecull_convex_cell* corners) LANECULL_NOEXCEPT;

/// One of the parts of a box, of which there are parts[k] along axis k (3 numbers): their faces divide its sides
/// evenly, rounded to double, so that neighbours have theirs in common. Part x + parts[0] (y + parts[1] z) has the x-th
/// place along the first axis. Fails if the cell is no box along the axes whose corners are in lanecull_cell_of()'s
/// order, or if there is no such part.
LANECULL_API lanecull_status lanecull_part_of(const lanecull_convex_cell* box, const uint32_t* parts, uint64_t part,
                                              lanecull_convex_cell* corners) LANECULL_NOEXCEPT;

/// 1, and the cell that contains a point (3 numbers); 0 if there is none, or if a pointer is null. Exact: of points on
/// a face one of the cells that touch.
LANECULL_API uint32_t lanecull_find_cell(const lanecull_cell_grid* grid, const double* point,
                                         uint64_t* cell) LANECULL_NOEXCEPT;

/// Not prepared.
LANECULL_API lanecull_bake_scene* lanecull_create_bake_scene(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_bake_scene(lanecull_bake_scene* world) LANECULL_NOEXCEPT;

/// scene: what is tested. It must outlive `world` and not change. solids: lie wholly inside what is drawn, such as
/// lanecull_merge_boxes() returns; copied. Their owners are not read, for each is drawn. Solids that are invalid, such
/// as boxes whose min is not below max, never hide. runner: null: the calling thread.
///
/// Fails, leaving `world` as it was, if the scene is stale, if solids->drawn is neither empty nor has an element a
/// solid, if solids->hulls is not empty, if there are more than 2^32 - 1 solids, or for lack of memory.
LANECULL_API lanecull_status lanecull_bake_scene_prepare(lanecull_bake_scene* world, const lanecull_scene* scene,
                                                         const lanecull_solid_set* solids,
                                                         const lanecull_runner* runner) LANECULL_NOEXCEPT;

/// Words of a cell's set: lanecull_visibility_words(). 0 before a scene is prepared, as the next one.
LANECULL_API size_t lanecull_bake_scene_visibility_words(const lanecull_bake_scene* world) LANECULL_NOEXCEPT;
/// Bytes of scratch memory that lanecull_bake_cell() needs.
LANECULL_API size_t lanecull_bake_scene_scratch_bytes(const lanecull_bake_scene* world) LANECULL_NOEXCEPT;

/// Finds what of a scene may be seen from a cell, and sets its bits in `visible`, by slot, as Output::visible has
/// them; a frame takes them as Output::candidates. options: optional.
///
/// It culls what is distant first. Then it chooses up to 64 solids that are expected to hide most of what is left and
/// are not hidden themselves (lanecull_choose_occluders()), culls with them, whole blocks at a time, and goes on with
/// the next 64 until a round leaves out less than one in a hundred of what was left.
///
/// Where several solids hide an object, each from another side of the cell, no single one hides it from all of it. So
/// if the set is e >= 1.25 times what the cell's middle sees, and the cell is a box, its longest side is halved until
/// there are e^2 parts or more, BakeOptions::max_parts at most. The set is then the union of what may be seen from
/// each part, past solids of its own.
///
/// visible: exactly lanecull_bake_scene_visibility_words() words. scratch: at least lanecull_bake_scene_scratch_bytes()
/// bytes, any alignment. They must not overlap. baked: may be null. Fails, with nothing written, if a length breaks its
/// rule, if the world is not prepared, if a cell has no corners or more than 8, or one that is not finite or beyond
/// 1e30, or if an option is not a length from 0 to 1e30 (`distance` may be infinite).
///
/// Thread-safe, with scratch and outputs a call. Allocates nothing. Runs on the calling thread; give threads and
/// machines cells of their own. The same arguments give the same bits.
LANECULL_API lanecull_status lanecull_bake_cell(const lanecull_bake_scene* world, const lanecull_convex_cell* cell,
                                                const lanecull_bake_options* options, void* scratch,
                                                size_t scratch_bytes, uint64_t* visible, size_t visible_words,
                                                lanecull_baked_cell* baked) LANECULL_NOEXCEPT;

/// Without bytes.
LANECULL_API lanecull_compressed_set* lanecull_create_compressed_set(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_compressed_set(lanecull_compressed_set* set) LANECULL_NOEXCEPT;
/// Compresses the set bits of `words`. Equal sets give equal bytes. Fails if there are more than 2^26 words, which is
/// 2^32 bits, or for lack of memory.
LANECULL_API lanecull_status lanecull_compress_set(lanecull_compressed_set* set, const uint64_t* words,
                                                   size_t word_count) LANECULL_NOEXCEPT;
/// The bytes, valid until `set` is written or destroyed, and their number. Null and 0 before anything was compressed.
LANECULL_API const void* lanecull_compressed_set_bytes(const lanecull_compressed_set* set) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_compressed_set_byte_count(const lanecull_compressed_set* set) LANECULL_NOEXCEPT;
/// Sets exactly the bits of a compressed set. `set` is not trusted: every number of it is checked before it is used.
/// Fails, with nothing written, if it is no set in the format, is followed by anything, or has a bit beyond the words.
/// Allocates nothing.
LANECULL_API lanecull_status lanecull_expand_set(const void* set, size_t bytes, uint64_t* words,
                                                 size_t word_count) LANECULL_NOEXCEPT;

/// A number that follows from which object is in which slot: another one, almost surely, once slots have changed. A
/// scene that is saved and loaded keeps it. 0 for null.
LANECULL_API uint64_t lanecull_visibility_fingerprint(const lanecull_scene* scene) LANECULL_NOEXCEPT;

/// Without a file.
LANECULL_API lanecull_visibility_writer* lanecull_create_visibility_writer(void) LANECULL_NOEXCEPT;
/// Of a file that was not committed nothing is left.
LANECULL_API_PLAIN void lanecull_destroy_visibility_writer(lanecull_visibility_writer* writer) LANECULL_NOEXCEPT;
/// Begins a file; one that was begun before is given up. Paths are UTF-8. What the header points to is copied. Fails if
/// the header breaks a rule, if the system refuses the file, or for lack of memory.
LANECULL_API lanecull_status lanecull_visibility_writer_open(
    lanecull_visibility_writer* writer, const char* path, const lanecull_visibility_header* header) LANECULL_NOEXCEPT;
/// The next cell's set. Fails if there are no more cells, if the number of words is not ceil(objects / 64), if a bit
/// beyond `objects` is set, if the system fails (then the file is given up), or for lack of memory.
LANECULL_API lanecull_status lanecull_visibility_writer_add(lanecull_visibility_writer* writer, const uint64_t* words,
                                                            size_t word_count) LANECULL_NOEXCEPT;
/// The same for a compressed set. It is not trusted.
LANECULL_API lanecull_status lanecull_visibility_writer_add_compressed(lanecull_visibility_writer* writer,
                                                                       const void* set, size_t bytes) LANECULL_NOEXCEPT;
/// How many sets have been added.
LANECULL_API uint64_t lanecull_visibility_writer_added(const lanecull_visibility_writer* writer) LANECULL_NOEXCEPT;
/// Fails unless each cell has its set, or if the system fails.
LANECULL_API lanecull_status lanecull_visibility_writer_commit(lanecull_visibility_writer* writer) LANECULL_NOEXCEPT;

/// Without a file: it has no cells.
LANECULL_API lanecull_visibility* lanecull_create_visibility(void) LANECULL_NOEXCEPT;
LANECULL_API_PLAIN void lanecull_destroy_visibility(lanecull_visibility* visibility) LANECULL_NOEXCEPT;
/// Opens a file; one that was open before is closed. Paths are UTF-8. Its contents are not trusted. Header, cells and
/// index are checked here, each set where it is read. A file that is cut off, damaged, of another kind or version, or
/// contradicts itself is refused, and `visibility` stays as it was. (Checksums find accidents, not intent: a forged
/// file can hold any sets, but do nothing else.) Takes time by the number of cells, not by the sets, and memory of the
/// hooks. The file must not change while it is open.
LANECULL_API lanecull_status lanecull_visibility_open(lanecull_visibility* visibility,
                                                      const char* path) LANECULL_NOEXCEPT;
/// The same for a file that is in memory, which must stay as long as it is open, aligned to 8 bytes.
LANECULL_API lanecull_status lanecull_visibility_open_in_memory(lanecull_visibility* visibility, const void* file,
                                                                size_t bytes) LANECULL_NOEXCEPT;

/// As in the file's header; `cells` is empty where a grid is, and else valid as long as the file is open. Writes all of
/// `header`: zeros and empty before a file is open, and of null. options.distance is infinite where sets have no limit.
LANECULL_API_PLAIN void lanecull_visibility_get_header(const lanecull_visibility* visibility,
                                                       lanecull_visibility_header* header) LANECULL_NOEXCEPT;
LANECULL_API uint64_t lanecull_visibility_cell_count(const lanecull_visibility* visibility) LANECULL_NOEXCEPT;
/// Words of a set: ceil(objects / 64).
LANECULL_API size_t lanecull_visibility_set_words(const lanecull_visibility* visibility) LANECULL_NOEXCEPT;
/// How many objects may be seen from a cell, by the index alone; 0 if there is no such cell. lanecull_visibility_read()
/// checks it.
LANECULL_API uint64_t lanecull_visibility_visible_count(const lanecull_visibility* visibility,
                                                        uint64_t cell) LANECULL_NOEXCEPT;
/// A cell's set as it is in the file, unchecked, and the number of its bytes; null and 0 if there is no such cell.
LANECULL_API const void* lanecull_visibility_compressed(const lanecull_visibility* visibility,
                                                        uint64_t cell) LANECULL_NOEXCEPT;
LANECULL_API size_t lanecull_visibility_compressed_byte_count(const lanecull_visibility* visibility,
                                                              uint64_t cell) LANECULL_NOEXCEPT;

/// Writes a cell's set: bit i % 64 of word i / 64 is set if object i may be seen from the cell. word_count: exactly
/// lanecull_visibility_set_words(). Fails, with nothing written, if there is no such cell, if their number is another,
/// or if the set is damaged.
LANECULL_API lanecull_status lanecull_visibility_read(const lanecull_visibility* visibility, uint64_t cell,
                                                      uint64_t* words, size_t word_count) LANECULL_NOEXCEPT;
/// The same, but leaves bits that are set as they are: the union of several cells, such as those that a camera may
/// reach.
LANECULL_API lanecull_status lanecull_visibility_add_to(const lanecull_visibility* visibility, uint64_t cell,
                                                        uint64_t* words, size_t word_count) LANECULL_NOEXCEPT;
/// The objects of a set, ascending; the first that fit. count: how many there are.
LANECULL_API lanecull_status lanecull_visibility_read_indices(const lanecull_visibility* visibility, uint64_t cell,
                                                              uint32_t* indices, size_t index_capacity,
                                                              uint64_t* count) LANECULL_NOEXCEPT;
/// Checks each set. Reads the whole file.
LANECULL_API lanecull_status lanecull_visibility_verify(const lanecull_visibility* visibility) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline Status cover_with_cells(const double (&lower)[3], const double (&upper)[3],
                                             const double (&size)[3], CellGrid& grid) noexcept {
    return lanecull_cover_with_cells(lower, upper, size, &grid);
}
[[nodiscard]] inline Status cell_of(const CellGrid& grid, uint64_t cell, ConvexCell& corners) noexcept {
    return lanecull_cell_of(&grid, cell, &corners);
}
[[nodiscard]] inline Status part_of(const ConvexCell& box, const uint32_t (&parts)[3], uint64_t part,
                                    ConvexCell& corners) noexcept {
    return lanecull_part_of(&box, parts, part, &corners);
}
[[nodiscard]] inline bool find_cell(const CellGrid& grid, const double (&point)[3], uint64_t& cell) noexcept {
    return lanecull_find_cell(&grid, point, &cell) != 0;
}

/// A scene and the solids that hide in it, ready to bake. One that is null (Owned) is not prepared; prepare() fails.
class BakeScene : public Owned<lanecull_bake_scene, lanecull_create_bake_scene, lanecull_destroy_bake_scene> {
public:
    Status prepare(const Scene& scene, const SolidSet& solids, const Runner& runner = {}) noexcept {
        return lanecull_bake_scene_prepare(it_, scene, &solids, &runner);
    }
    [[nodiscard]] size_t visibility_words() const noexcept { return lanecull_bake_scene_visibility_words(it_); }
    [[nodiscard]] size_t scratch_bytes() const noexcept { return lanecull_bake_scene_scratch_bytes(it_); }
};

/// The functions above, for C++.
[[nodiscard]] inline Status bake_cell(const BakeScene& world, const ConvexCell& cell, const BakeOptions& options,
                                      Scratch scratch, Span<uint64_t> visible, BakedCell& baked) noexcept {
    return lanecull_bake_cell(world, &cell, &options, scratch.first, scratch.bytes, visible.items, visible.count,
                              &baked);
}

/// A set of objects in a few bytes. One that is null (Owned) has no bytes, and compress() fails.
class CompressedSet
    : public Owned<lanecull_compressed_set, lanecull_create_compressed_set, lanecull_destroy_compressed_set> {
public:
    Status compress(Span<const uint64_t> words) noexcept {
        return lanecull_compress_set(it_, words.items, words.count);
    }
    /// Valid until this object is written or destroyed.
    [[nodiscard]] Span<const std::byte> bytes() const noexcept {
        return {static_cast<const std::byte*>(lanecull_compressed_set_bytes(it_)),
                lanecull_compressed_set_byte_count(it_)};
    }
};

/// The functions above, for C++.
[[nodiscard]] inline Status expand_set(Span<const std::byte> set, Span<uint64_t> words) noexcept {
    return lanecull_expand_set(set.items, set.count, words.items, words.count);
}
[[nodiscard]] inline uint64_t slot_fingerprint(const Scene& scene) noexcept {
    return lanecull_visibility_fingerprint(scene);
}

/// Writes a visibility file, cell by cell. Without commit() nothing is left of it. One that is null opens no file.
class VisibilityWriter
    : public Owned<lanecull_visibility_writer, lanecull_create_visibility_writer, lanecull_destroy_visibility_writer> {
public:
    Status open(const char* path, const VisibilityHeader& header) noexcept {
        return lanecull_visibility_writer_open(it_, path, &header);
    }
    Status add(Span<const uint64_t> words) noexcept {
        return lanecull_visibility_writer_add(it_, words.items, words.count);
    }
    Status add(Span<const std::byte> compressed) noexcept {
        return lanecull_visibility_writer_add_compressed(it_, compressed.items, compressed.count);
    }
    [[nodiscard]] uint64_t added() const noexcept { return lanecull_visibility_writer_added(it_); }
    Status commit() noexcept { return lanecull_visibility_writer_commit(it_); }
};

/// A visibility file, to be read. One that is null (Owned) has no cells, and open() fails.
class Visibility : public Owned<lanecull_visibility, lanecull_create_visibility, lanecull_destroy_visibility> {
public:
    static Status open(const char* path, Visibility& visibility) noexcept {
        return lanecull_visibility_open(visibility.it_, path);
    }
    static Status open(Span<const std::byte> file, Visibility& visibility) noexcept {
        return lanecull_visibility_open_in_memory(visibility.it_, file.items, file.count);
    }
    [[nodiscard]] VisibilityHeader header() const noexcept {
        VisibilityHeader of_it;
        lanecull_visibility_get_header(it_, &of_it);
        return of_it;
    }
    [[nodiscard]] CellGrid grid() const noexcept { return header().grid; }
    [[nodiscard]] uint64_t cell_count() const noexcept { return lanecull_visibility_cell_count(it_); }
    [[nodiscard]] uint64_t object_count() const noexcept { return header().objects; }
    [[nodiscard]] size_t visibility_words() const noexcept { return lanecull_visibility_set_words(it_); }
    [[nodiscard]] uint64_t visible_count(uint64_t cell) const noexcept {
        return lanecull_visibility_visible_count(it_, cell);
    }
    /// A cell's set as it is in the file, unchecked; empty if there is no such cell.
    [[nodiscard]] Span<const std::byte> compressed(uint64_t cell) const noexcept {
        return {static_cast<const std::byte*>(lanecull_visibility_compressed(it_, cell)),
                lanecull_visibility_compressed_byte_count(it_, cell)};
    }
    Status read(uint64_t cell, Span<uint64_t> words) const noexcept {
        return lanecull_visibility_read(it_, cell, words.items, words.count);
    }
    Status add_to(uint64_t cell, Span<uint64_t> words) const noexcept {
        return lanecull_visibility_add_to(it_, cell, words.items, words.count);
    }
    Status read_indices(uint64_t cell, Span<uint32_t> indices, uint64_t& count) const noexcept {
        return lanecull_visibility_read_indices(it_, cell, indices.items, indices.count, &count);
    }
    [[nodiscard]] Status verify() const noexcept { return lanecull_visibility_verify(it_); }
};
}  // namespace lanecull
#endif
