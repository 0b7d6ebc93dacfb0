#pragma once

/// Clustered shading: which lights reach which cells of a view.
///
/// A grid cuts a view into tiles across and up the screen and slices in depth. lanecull_assign_lights() writes, for
/// each cell, the lights that share a point with it. A light that touches a cell is in its list: this is proved, with
/// every rounding counted. A ball that is apart by more than 2.4e-4 of its distance from the eye is not, at edges and
/// corners too, in views up to 90 degrees wide; wider views and spotlights have some times as much.
///
/// lanecull_cull_lights() finds before that which lights light anything that is seen: the others need neither cells nor
/// shadow maps.
///
/// Rows of tiles are decided W lights at a time: for balls by a closed form; for spotlights, and balls that it does not
/// fit, by planes that they lie behind. GJK has ends that are in doubt, and spotlights in orthographic views.

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <lanecull/occluder.h>
#include <lanecull/types.h>
#include <lanecull/view.h>
#include <lanecull/visible_bounds.h>

LANECULL_SPAN(const double, depths)

/// How spotlights end.
LANECULL_ENUM(SpotEnd, spot_end){
    LANECULL_VALUE(SPOT_ROUND, round) = 0,  ///< no point is farther than `range` from the apex
    LANECULL_VALUE(SPOT_FLAT, flat) = 1,    ///< no point is farther than `range` along the axis
};

/// Spotlights as a structure of arrays. A spotlight is the set of points a + p, a being its apex and d its axis at
/// length 1, with p . d >= 0, |p - (p . d) d| <= tangent (p . d), and its end at `range`.
LANECULL_STRUCT(Spots, spots) {
    const float* x LANECULL_0;  ///< the apex
    const float* y LANECULL_0;
    const float* z LANECULL_0;
    const float* range LANECULL_0;   ///< >= 0
    const float* axis_x LANECULL_0;  ///< the way that the light goes; of any length from 1e-15 to 1e15
    const float* axis_y LANECULL_0;
    const float* axis_z LANECULL_0;
    const float* tangent LANECULL_0;  ///< of half the opening angle, 0 to 1e9; a cosine would lose narrow cones' angles
    uint32_t count LANECULL_0;
    lanecull_spot_end end LANECULL_0;  ///< of all of them
};
LANECULL_LAYOUT(spots, 72)

/// Lights, numbered in this order: the balls, the spots. An invalid one reaches every cell: a number is not finite, a
/// size is negative, axis or tangent break their rules, or |x| + |y| + |z| + range (1 + tangent) is beyond 1e30.
LANECULL_STRUCT(Lights, lights) {
    lanecull_spheres balls LANECULL_0;  ///< point lights, by their ranges
    lanecull_spots spots LANECULL_0;
    /// One a light, or null: a light of which LightGrid::hidden_layers hides all bits reaches no cell, an invalid one
    /// neither.
    const uint32_t* layers LANECULL_0;
    /// Bits as lanecull_cull_lights() writes them: a light whose bit is clear reaches no cell, an invalid one neither.
    /// Empty: all are set. Else exactly ceil(lights / 64) words.
    lanecull_const_words visible LANECULL_0;
    uint64_t reserved[1] LANECULL_0;
};
LANECULL_LAYOUT(lights, 144)

#define LANECULL_MAX_LIGHT_TILES 64
#define LANECULL_MAX_LIGHT_SLICES 128

/// Cells of a view. Cell (i, j, k) is the set of points p for which clip = M p lies in tile (i, j),
///
///     w > 0,  -1 + 2 i / tiles_x <= x / w <= -1 + 2 (i + 1) / tiles_x,  and so for y with j,
///
/// and whose depth is at least boundaries[k] and at most boundaries[k + 1]: convex and closed, so neighbours share
/// their faces, and a light that touches a face reaches both. Its number is (k tiles_y + j) tiles_x + i. Row j = 0 is
/// at y = -w: at the bottom of OpenGL's screens, at the top of Vulkan's.
///
/// Depth is w divided by the length of w's gradient: the distance from the eye along the direction of sight, whatever
/// rows z and w do with it. So reversed depth, an infinite far plane and an oblique near plane change no cell. The
/// matrix's own depth planes limit no cell either; what is nearer than the first boundary or farther than the last is
/// in none. In orthographic views depth is the distance from the plane z = 0 (z = -w with MINUS_ONE_TO_ONE) along z's
/// gradient; with LANECULL_SIGHT_SHRINKING_DEPTH, for reversed depth, from the plane z = w against it.
///
/// A stereo pair takes one call an eye, each with its own matrix.
LANECULL_STRUCT(LightGrid, light_grid) {
    const double* clip_from_world LANECULL_0;  ///< 16 numbers: of any perspective or orthographic matrix
    lanecull_clip_space clip_space LANECULL_0;
    uint32_t tiles_x LANECULL_0;  ///< 1 to 64
    uint32_t tiles_y LANECULL_0;
    /// One more than there are slices, 2 to 129, each above the one before it; 1e-30 or more in perspective views. The
    /// last may be infinity. lanecull_split_depths() makes exponential and linear ones.
    lanecull_depths boundaries LANECULL_0;
    lanecull_sight sight LANECULL_0;  ///< of orthographic matrices
    uint32_t hidden_layers LANECULL_0;
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(light_grid, 104)

/// The results: lists, bits, or both. Spans must not overlap one another or anything that is read.
LANECULL_STRUCT(LightLists, light_lists) {
    /// offsets[c] to offsets[c + 1] is cell c's part of `indices`; cells + 1 of them, or empty for no lists.
    lanecull_indices offsets LANECULL_0;
    /// Lights' numbers, ascending in each cell. If entry_count is greater than its length, only the entries that fit
    /// are written; `offsets` are right all the same.
    lanecull_indices indices LANECULL_0;
    /// Bit i % 32 of word i / 32 of a cell's ceil(lights / 32) words is set if light i reaches it; cell after cell. Or
    /// empty.
    lanecull_indices words LANECULL_0;
    uint64_t entry_count LANECULL_0;  ///< how long all lists are together
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(light_lists, 80)

/// The places that visible surfaces may have.
LANECULL_STRUCT(LightReceivers, light_receivers) {
    /// All that is seen and lit lies in it: what lanecull_visible_bounds() finds. Null: it may be anywhere in view.
    const lanecull_world_box* bounds LANECULL_0;
    /// Solids that hide what is behind them from the eye of the grid's matrix, as Output::occluders. At most 64.
    /// Without owners: leave out those whose owners are not drawn, and clear the others' span.
    lanecull_occluders occluders LANECULL_0;
    uint64_t reserved[3] LANECULL_0;
};
LANECULL_LAYOUT(light_receivers, 48)

LANECULL_STRUCT(LightOptions, light_options) {
    lanecull_isa isa LANECULL_0;
    uint32_t reserved_too LANECULL_0;
    lanecull_runner runner LANECULL_0;  ///< who runs the call's tasks; none: the calling thread
    uint64_t reserved[4] LANECULL_0;
};
LANECULL_LAYOUT(light_options, 56)

LANECULL_C_BEGIN
/// How many bytes of scratch memory a call takes for a grid of so many tiles and slices, and so many lights: some four
/// for each row of tiles and light, of which it touches those that lights reach; and 17,680 for each 256 lights that
/// are begun. Enough for lanecull_cull_lights(), too.
LANECULL_API size_t lanecull_light_scratch_bytes(uint32_t tiles_x, uint32_t tiles_y, size_t slices,
                                                 size_t lights) LANECULL_NOEXCEPT;

/// Finds which lights light something that is seen: bit i % 64 of word i / 64 of `visible` is set if light i may. It is
/// clear only if no point is within the light's reach that the grid's matrix sees between its depth planes, that is in
/// the receivers' box, and that no single occluder hides; or if the light's layers are hidden, or its bit of
/// Lights::visible is clear. That is proved, as exactly as by lanecull_cull(), but for what occluders hide together.
/// They hide a spotlight by the ball around it. Bits beyond the last light are 0.
///
/// The call reads the grid's matrix and hidden layers alone. `receivers` and `options` are optional. `visible`:
/// ceil(lights / 64) words, which may be those of Lights::visible.
///
/// Fails, with nothing written, if lanecull_prepare_view() would fail for the matrix; if an occluder is not prepared or
/// has owners; if a stream is null though there are lights, or these are 2^32 or more; or if memory is too small.
///
/// Thread-safe; allocates nothing. Benchmarks lights/cull/ measure what a light takes.
LANECULL_API lanecull_status lanecull_cull_lights(const lanecull_light_grid* grid, const lanecull_lights* lights,
                                                  const lanecull_light_receivers* receivers,
                                                  const lanecull_light_options* options, uint64_t* visible,
                                                  size_t visible_words, void* scratch,
                                                  size_t scratch_bytes) LANECULL_NOEXCEPT;

/// Writes the lights that reach each cell. options: optional. The bytes are the same with any runner.
///
/// Fails, with nothing written, if lanecull_prepare_view() would fail for the matrix; if the grid breaks one of its
/// rules; if a stream is null though there are lights; if lights times cells are 2^32 or more; if `offsets` or `words`
/// have neither no elements nor their number; or if scratch memory is too small.
///
/// Thread-safe; allocates nothing. Benchmarks lights/ measure what a ball and a spotlight take.
LANECULL_API lanecull_status lanecull_assign_lights(const lanecull_light_grid* grid, const lanecull_lights* lights,
                                                    const lanecull_light_options* options, lanecull_light_lists* lists,
                                                    void* scratch, size_t scratch_bytes) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The functions above, for C++.
[[nodiscard]] inline size_t light_scratch_bytes(uint32_t tiles_x, uint32_t tiles_y, size_t slices,
                                                size_t lights) noexcept {
    return lanecull_light_scratch_bytes(tiles_x, tiles_y, slices, lights);
}
[[nodiscard]] inline Status cull_lights(const LightGrid& grid, const Lights& lights, const LightReceivers& receivers,
                                        Span<uint64_t> visible, Scratch scratch,
                                        const LightOptions& options = {}) noexcept {
    return lanecull_cull_lights(&grid, &lights, &receivers, &options, visible.items, visible.count, scratch.first,
                                scratch.bytes);
}
[[nodiscard]] inline Status assign_lights(const LightGrid& grid, const Lights& lights, LightLists& lists,
                                          Scratch scratch, const LightOptions& options = {}) noexcept {
    return lanecull_assign_lights(&grid, &lights, &options, &lists, scratch.first, scratch.bytes);
}
}  // namespace lanecull
#endif
