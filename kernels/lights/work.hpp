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

struct LightWork {
    const LightCells* cells;
    const Lights* lights;
    std::uint32_t hidden_layers;
    std::uint32_t first, count;  ///< of the lights, balls and spots together
    LightBlock* blocks;          ///< of all lights
    TileSpan* spans;             ///< the chunk's: those of all rows for each of its lights and for `span_padding` more
};

/// So many lights are a task. The spans of W lights lie together, W a row, so the last ones take more than they need,
/// those of each of three ways to decide lights.
constexpr std::uint32_t light_chunk = 256, span_padding = 48;

using ReachKernel = void(const LightWork& work);

/// What the object files of one instruction set define, as Kernels has it.
template <Isa isa>
struct LightKernels {
    static ReachKernel reach;  ///< lights/kernels.cpp
};

/// Those of one set, chosen at run time.
struct LightTable {
    ReachKernel* reach;

    template <Isa isa>
    static constexpr LightTable of() {
        return {LightKernels<isa>::reach};
    }
};

}  // namespace lanecull
