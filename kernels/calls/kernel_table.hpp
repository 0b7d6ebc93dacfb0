#pragma once

#include <cstdint>

#include <lanecull/batch.hpp>
#include <lanecull/flat/batch.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/status.hpp>

#include "bounds/visible_work.hpp"
#include "bounds/world_work.hpp"
#include "cull/kernel_work.hpp"
#include "flat/work.hpp"
#include "pairs/work.hpp"

namespace lanecull {

/// What the rest of the library knows of an instruction set.
struct SetFacts {
    Isa isa;
    std::uint32_t lanes;
    std::uint32_t needs;              ///< features (lanes/features.hpp) without which its kernels must not be called
    std::uint32_t compiled_features;  ///< those that its files were compiled with, for tests
};

/// What the object files of one instruction set define. They are compiled with that set's flags and export these
/// functions and nothing else. Each file defines its own functions for `this_isa` (lanes/lanes.hpp).
template <Isa isa>
struct Kernels {
    static const SetFacts facts;  ///< calls/facts.cpp

    template <class Shapes>
    static RangeKernel cull;  ///< cull/, a file a kind
    template <class Shapes>
    static flat::RangeKernel cull_flat;  ///< flat/kernels.cpp

    static pairs::SeparateKernel separate_pairs;  ///< pairs/kernels.cpp
    static pairs::DistanceKernel pair_distances;
    static pairs::CastKernel cast_pairs;

    static NodeKernel test_nodes;        ///< scene/nodes.cpp
    static HiddenNodeKernel hide_nodes;  ///< scene/hidden_nodes.cpp

    static IndexKernel write_indices;  ///< calls/write_indices.cpp, ...
    static DrawKernel write_draws;
    static CountRunsKernel count_runs;
    static RunKernel write_runs;

    static UnpackKernel unpack;  ///< bounds/unpack_kernel.cpp
    static ExtentKernel extent;  ///< bounds/vertex_extremes.cpp
    static FarthestKernel farthest;
    static ExtremesKernel extremes;
    static VisibleExtentKernel visible_extents;  ///< bounds/visible_kernel.cpp
    static BeyondKernel boxes_beyond;
    static WorldKernel world_boxes;  ///< bounds/world_kernel.cpp
    static WorldKernel world_spheres;
    static WorldKernel world_oriented_boxes;
};

/// The kernels of one set, chosen at run time.
struct KernelTable {
    const SetFacts* facts;
    RangeKernel* cull[Batch::Shapes::size];                   ///< in the order of Batch::Shapes
    flat::RangeKernel* cull_flat[flat::Batch::Shapes::size];  ///< in that of flat::Batch::Shapes
    pairs::SeparateKernel* separate_pairs;
    pairs::DistanceKernel* pair_distances;
    pairs::CastKernel* cast_pairs;
    NodeKernel* test_nodes;
    HiddenNodeKernel* hide_nodes;
    IndexKernel* write_indices;
    DrawKernel* write_draws;
    CountRunsKernel* count_runs;
    RunKernel* write_runs;
    UnpackKernel* unpack;
    ExtentKernel* extent;
    FarthestKernel* farthest;
    ExtremesKernel* extremes;
    VisibleExtentKernel* visible_extents;
    BeyondKernel* boxes_beyond;
    WorldKernel* world_boxes;
    WorldKernel* world_spheres;
    WorldKernel* world_oriented_boxes;
};

/// The kernels of the first set of this build, which every machine runs: plain C++ if the build has it.
const KernelTable& baseline_kernels() noexcept;

/// The kernels of a set for which isa_runnable() is true; null for any other set and for Isa::automatic.
const KernelTable* kernel_table(Isa isa) noexcept;

/// For tests, which change the environment: LANECULL_ISA is read again by the next call that needs it.
void forget_environment() noexcept;

/// Finds the kernels that `requested` stands for, by the rules of resolve_isa(). Messages call it `argument`.
Status find_kernels(Isa requested, const char* argument, const KernelTable*& kernels) noexcept;

}  // namespace lanecull
