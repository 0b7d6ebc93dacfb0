#pragma once

/// Runs a range, of solids or of 2D shapes, chunk by chunk.

#include <cstdint>

#include <lanecull/cull.hpp>

#include "cull/chunk.hpp"
#include "cull/kernel_work.hpp"
#include "cull/reasons.hpp"
#include "lanes/inline.hpp"

namespace lanecull {
namespace {

/// For each chunk in turn, calls `cull_chunk(chunk, list)`, which decides the chunk's words and records why, and writes
/// the words where the task wants them. If the task wants what is wholly inside, calls `find_inside(chunk, list,
/// words)`.
template <class CullChunk, class FindInside>
LANE_INLINE void run_chunks(const RangeTask& task, const Verdicts& verdicts, const CullChunk& cull_chunk,
                            const FindInside& find_inside) {
    UndecidedList list;
    std::uint64_t words[chunk_words], undecided[chunk_words];
    for (std::uint32_t done = 0; done < task.count; done += chunk_objects) {
        const std::uint32_t rest = task.count - done;
        Chunk chunk{task.first + done, rest < chunk_objects ? rest : chunk_objects, words, undecided,
                    task.candidates != nullptr ? task.candidates + done / 64 : nullptr};
        cull_chunk(chunk, list);
        const std::size_t bytes = chunk.word_count() * sizeof(std::uint64_t);
        if (task.visible != nullptr) __builtin_memcpy(task.visible + done / 64, chunk.words, bytes);
        if (task.kept != nullptr) __builtin_memcpy(task.kept + done / 64, chunk.words, bytes);
        if (task.inside != nullptr) find_inside(chunk, list, task.inside + done / 64);
    }
    *task.counts = verdicts.counts;
}

}  // namespace
}  // namespace lanecull
