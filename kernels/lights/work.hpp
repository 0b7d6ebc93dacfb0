#pragma once

/// What the kernels of lights get, and what they leave for the lists.

#include <lanecull/light_grid.h>

#include <cstddef>
#include <cstdint>

#include "calls/kernel_table.hpp"
#include "lights/grid.hpp"

namespace lanecull {

/// The rows of tiles that a light may reach, and where their spans are: the span of row j of slice k is
/// spans[first_span + (k - first_slice) slice_pitch + (j - first_row) row_pitch] of its chunk's.
struct LightBlock {
    std::uint64_t first_span;
    std::uint32_t slice_pitch, row_pitch;
    std::uint8_t first_slice, end_slice, first_row, end_row;
    std::uint32_t unused;
};

/// The tiles of a row that a light reaches: first | end << 8; 0 for none.
using TileSpan = std::int32_t;
/// GJK is still to say whether the ends are reached. No span of a light has it once the chunk is done.
constexpr TileSpan doubtful_span = 1 << 16;
constexpr std::uint32_t begin_of(TileSpan span) { return static_cast<std::uint32_t>(span) & 255; }
constexpr std::uint32_t end_of(TileSpan span) { return static_cast<std::uint32_t>(span) >> 8 & 255; }

/// So many lights are a task. The spans of W lights lie together, W a row, so the last ones take more than they need,
/// those of each of three ways to decide lights.
constexpr std::uint32_t light_chunk = 256, span_padding = 48;

/// How a light's rows are decided.
enum class Way : std::uint8_t {
    none,        ///< it reaches no cell
    closed,      ///< by the closed form
    planes,      ///< by planes that it lies behind
    planes_gjk,  ///< by these, then by GJK at the ends of some rows
    closed_gjk,  ///< by the closed form of the ball around it, then by GJK at the rows' ends
    gjk,         ///< by GJK
    all          ///< it is invalid
};

/// The lights of a chunk, and the balls around them. Whole packets are written.
struct PlacedLights {
    static constexpr std::uint32_t room = light_chunk + 16;
    enum Number {
        apex_x,
        apex_y,
        apex_z,
        axis_x,
        axis_y,
        axis_z,
        range,
        tangent,
        near_inverse,
        farthest,
        cone_numbers
    };

    float x[room], y[room], z[room];  ///< the ball's centre, y = R (p - c)
    float radius[room];               ///< with the bound
    float bound[room];                ///< the bound, as a part of the radius
    float magnitude[room];
    float cone[cone_numbers][room];  ///< of lights that planes decide, in view coordinates
    Way way[room];
};

struct LightWork {
    const LightCells* cells;
    const Lights* lights;
    std::uint32_t hidden_layers;
    std::uint32_t first, count;  ///< of the lights, balls and spots together
    PlacedLights* placed;        ///< the chunk's; they would take a third of the stack
    LightBlock* blocks;          ///< of all lights
    TileSpan* spans;             ///< the chunk's: those of all rows for each of its lights and for `span_padding` more
};

using ReachKernel = void(const LightWork& work);

/// Spotlights first to first + count - 1, which are lights first_light and on. Those of which the view sees nothing
/// lose their bits of `visible`.
struct SeenSpots {
    const PreparedView* view;
    const Spots* spots;
    std::uint32_t first, count;
    std::uint64_t* visible;
    std::uint32_t first_light;
};

using SeeKernel = void(const SeenSpots& work);

/// What the object files of one instruction set define, as Kernels has it.
template <Isa isa>
struct LightKernels {
    static ReachKernel reach;  ///< lights/kernels.cpp
    static SeeKernel see;      ///< the same
};

/// Those of one set, chosen at run time.
struct LightTable {
    ReachKernel* reach;
    SeeKernel* see;

    template <Isa isa>
    static constexpr LightTable of() {
        return {LightKernels<isa>::reach, LightKernels<isa>::see};
    }
};

}  // namespace lanecull
