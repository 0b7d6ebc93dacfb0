#pragma once

/// The kernels of instruction sets. Each feature has a list of its own: a struct template over the set, whose functions
/// the set's object files define, and a table of pointers to them, `Table::of<isa>()`. Here are the choice of a set,
/// the facts of sets, and the list of cull().

#include <lanecull/batch.h>
#include <lanecull/library.h>
#include <lanecull/types.h>

#include <cstddef>
#include <cstdint>

#include "calls/compiled_sets.hpp"
#include "calls/kinds.hpp"
#include "cull/kernel_work.hpp"

namespace lanecull {

/// What the rest of the library knows of an instruction set.
struct SetFacts {
    Isa isa;
    std::uint32_t lanes;
    std::uint32_t needs;              ///< features (lanes/features.hpp) without which its kernels must not be called
    std::uint32_t compiled_features;  ///< those that its files were compiled with, for tests
};

/// Writes base + i for each set bit i, ascending, at most `capacity` of them, and nothing beyond. Returns how many bits
/// are set.
using IndexKernel = std::size_t(const std::uint64_t* words, std::size_t word_count, std::uint32_t base,
                                std::uint32_t* indices, std::size_t capacity);

/// The commands of a batch's or store's objects.
struct DrawCommands {
    const DrawCommand* first;
    bool counts_instances;  ///< object i's is the first with first_instance + i; else the one `i * stride` bytes on
    std::size_t stride;     ///< 0: all have the first

    static DrawCommands of(const DrawTemplates& templates) noexcept {
        return {templates.first, templates.per == DrawPer::batch, stride_of(templates)};
    }
    static std::size_t stride_of(const DrawTemplates& templates) noexcept {
        return templates.stride_bytes != 0 ? templates.stride_bytes : sizeof(DrawCommand);
    }
};

/// Where commands go: to `first`, and `stride` bytes on for each.
struct DrawsTo {
    std::byte* first;
    std::size_t stride;
    bool
        past_caches;  ///< where the set can: nothing of the list will be in the caches, so its lines are not read first
};

/// Writes the commands of the set bits, ascending, at most `capacity`. Bit i is object first + i of the batch.
using DrawKernel = void(const std::uint64_t* words, std::size_t word_count, const DrawCommands& commands,
                        std::uint32_t first, const DrawsTo& to, std::size_t capacity);

/// Counts the runs of set bits.
using CountRunsKernel = std::size_t(const std::uint64_t* words, std::size_t word_count);

/// Writes the first `capacity` runs of set bits. Bit i is index base + i. `continued`: a run that begins at bit 0
/// belongs to the range before and is not written.
using RunKernel = void(const std::uint64_t* words, std::size_t word_count, bool continued, std::uint32_t base,
                       VisibleRun* runs, std::size_t capacity);

/// What the object files of one instruction set define. They are compiled with that set's flags and export these
/// functions and those of the other lists, and nothing else. Each file defines its own functions for `this_isa`
/// (lanes/lanes.hpp).
template <Isa isa>
struct Kernels {
    static const SetFacts facts;  ///< facts.cpp

    template <class Shapes>
    static RangeKernel cull;  ///< cull/, a file a kind

    static IndexKernel write_indices;  ///< write_lists.cpp
    static DrawKernel write_draws;
    static CountRunsKernel count_runs;
    static RunKernel write_runs;
};

/// Those of one set, chosen at run time.
struct KernelTable {
    const SetFacts* facts;
    RangeKernel* cull[Kinds::size];  ///< in the order of Kind
    IndexKernel* write_indices;
    DrawKernel* write_draws;
    CountRunsKernel* count_runs;
    RunKernel* write_runs;
};

/// The table of `wanted` among some sets; that of the first if it is none of them.
template <class Table, Isa first, Isa... others>
const Table& find_table(Isa wanted) noexcept {
    static constexpr Table tables[] = {Table::template of<first>(), Table::template of<others>()...};
    std::size_t at = 0, k = 0;
    ((++k, at = others == wanted ? k : at), ...);
    return tables[at];
}

/// A feature's kernels of a set of this build. Of any other, Isa::automatic included: those of the build's first set,
/// which every machine runs: plain C++ if the build has it.
template <class Table>
const Table& table_of(Isa isa) noexcept {
    using enum Isa;
    return find_table<Table, LANECULL_SETS>(isa);
}
template <>
const KernelTable& table_of<KernelTable>(Isa isa) noexcept;

/// The kernels of a set for which isa_runnable() is true; null for any other set and for Isa::automatic.
const KernelTable* kernel_table(Isa isa) noexcept;

/// For tests, which change the environment: LANECULL_ISA is read again by the next call that needs it.
void forget_environment() noexcept;

/// The set that `requested` stands for, by the rules of resolve_isa(). Messages call it `argument`.
Status find_set(Isa requested, const char* argument, Isa& set) noexcept;

/// A feature's kernels of that set.
template <class Table>
Status find_kernels(Isa requested, const char* argument, const Table*& kernels) noexcept {
    Isa set = Isa::automatic;
    if (Status status = find_set(requested, argument, set); !status) return status;
    kernels = &table_of<Table>(set);
    return {};
}

/// The features (lanes/features.hpp) that the processor has and whose registers the operating system saves.
std::uint32_t processor_features() noexcept;

}  // namespace lanecull
