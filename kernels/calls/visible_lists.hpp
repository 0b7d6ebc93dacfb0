#pragma once

/// The second pass of a call, over batches or over a scene. It writes lists of visible objects, when it is known how
/// many entries the ranges before each range write.

#include <lanecull/cull.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "calls/kernel_table.hpp"

namespace lanecull {

/// Moves bit c of byte r to bit r of byte c. Swaps blocks beside the diagonal: single bits, then blocks of 2x2, then of
/// 4x4.
inline std::uint64_t transpose_bytes(std::uint64_t x) {
    const auto swap = [&x](unsigned way, std::uint64_t blocks) {
        const std::uint64_t moved = (x ^ x >> way) & blocks;
        x ^= moved ^ moved << way;
    };
    swap(7, 0x00aa'00aa'00aa'00aa);
    swap(14, 0x0000'cccc'0000'cccc);
    swap(28, 0x0000'0000'f0f0'f0f0);
    return x;
}

/// Makes a mask of views for each object from a bit array for each view. It transposes bits, 8 views of 8 objects at a
/// time, which takes least for up to eight views; 64x64 bits at once take as long whatever the number of views.
/// words[v]: the bits of 64 objects in view v, for up to 64 views. masks[i]: the bits of the views that see object i.
inline void masks_of(std::span<const std::uint64_t> words, std::uint64_t (&masks)[64]) {
    for (unsigned object = 0; object < 64; object += 8) {
        for (unsigned k = 0; k < 8; ++k) masks[object + k] = 0;
        for (unsigned view = 0; view < words.size(); view += 8) {
            std::uint64_t block = 0;
            for (unsigned v = view; v < words.size() && v < view + 8; ++v) {
                block |= (words[v] >> object & 0xff) << 8 * (v - view);
            }
            block = transpose_bytes(block);
            for (unsigned k = 0; k < 8; ++k) masks[object + k] |= (block >> 8 * k & 0xff) << view;
        }
    }
}

/// One range's words in one view, and where its entries begin in the view's lists.
struct ListedRange {
    const std::uint64_t* kept;  ///< the range's visibility words; the words of the ranges before and after lie beside
                                ///< them
    std::size_t words;
    std::size_t words_to_end;  ///< from the range's first word to the end of its batch or store
    bool begins;               ///< whether the range is the first of its batch or store
    std::uint32_t first_index;
    std::uint64_t visible, visible_before;
    std::uint64_t runs, runs_before;

    /// Whether the range's first object continues a run: it is visible, and so is the last object of the range before.
    [[nodiscard]] bool continues_run() const { return !begins && (kept[0] & kept[-1] >> 63 & 1) != 0; }
};

/// How many of a range's `wanted` entries there is room for, after `before` other entries. The kernel writes no more
/// than these: its stores of whole registers stay clear of the next range's entries.
inline std::size_t room_for(std::uint64_t wanted, std::uint64_t before, std::uint64_t capacity) {
    return before >= capacity ? 0 : static_cast<std::size_t>(std::min(wanted, capacity - before));
}

inline void write_visible_indices(const KernelTable& kernels, const ListedRange& range,
                                  std::span<std::uint32_t> indices) {
    const std::size_t capacity = room_for(range.visible, range.visible_before, indices.size());
    if (capacity == 0) return;
    kernels.write_indices(range.kept, range.words, range.first_index, indices.data() + range.visible_before, capacity);
}

/// Writes the runs that start in the range. The last one may go on beyond the range, to the end of its batch or store.
inline void write_visible_runs(const KernelTable& kernels, const ListedRange& range, std::span<VisibleRun> runs) {
    const std::size_t capacity = room_for(range.runs, range.runs_before, runs.size());
    if (capacity == 0) return;
    kernels.write_runs(range.kept, range.words_to_end, range.continues_run(), range.first_index,
                       runs.data() + range.runs_before, capacity);
}

/// Bytes from one command to the next.
inline std::size_t stride_of(const DrawOutput& draws) {
    return draws.stride_bytes != 0 ? draws.stride_bytes : sizeof(DrawCommand);
}

/// How many commands the memory has room for.
inline std::size_t draw_capacity(const DrawOutput& draws) {
    if (draws.memory.size() < draws.offset_bytes + sizeof(DrawCommand)) return 0;
    return (draws.memory.size() - draws.offset_bytes - sizeof(DrawCommand)) / stride_of(draws) + 1;
}

/// From this size on a list of commands is written past the caches. Lists of 10 MB take half the time then (AVX-512,
/// Xeon of family 6, model 207: 1.1 to 1.5 ns a command, 2.6 to 3.5 otherwise). One of 3 MB takes as long either way;
/// one of 1 MB, written again and again, 1.1 to 1.2 times as long, and is no longer in the caches for who reads it.
constexpr std::uint64_t bytes_past_caches = 4 << 20;

/// Writes the commands of the range's visible objects. Its first object is object `first` of `commands`. The output
/// has its draw_count.
inline void write_visible_draws(const KernelTable& kernels, const ListedRange& range, const DrawCommands& commands,
                                std::uint32_t first, const Output& output) {
    const DrawOutput& draws = output.draws;
    const std::size_t capacity = room_for(range.visible, range.visible_before, draw_capacity(draws));
    if (capacity == 0) return;
    const std::size_t stride = stride_of(draws);
    std::byte* to = draws.memory.data() + draws.offset_bytes + range.visible_before * stride;
    const bool past_caches = output.draw_count * stride >= bytes_past_caches;
    kernels.write_draws(range.kept, range.words, commands, first, {to, stride, past_caches}, capacity);
}

/// Says how many commands are written, when it is known how many objects are visible.
inline void set_draw_count(Output& output) {
    output.draw_count = std::min<std::uint64_t>(output.visible_count, draw_capacity(output.draws));
    if (output.draws.count != nullptr) *output.draws.count = static_cast<std::uint32_t>(output.draw_count);
}

}  // namespace lanecull
