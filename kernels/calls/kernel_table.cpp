/// The tables of kernels: one for each instruction set that this build has.

#include "calls/kernel_table.hpp"

#include <cstddef>
#include <utility>

#include "calls/compiled_kinds.hpp"
#include "calls/compiled_sets.hpp"
#include "calls/isa_features.hpp"

namespace lanecull {
namespace {

/// The table of one instruction set.
template <Isa isa>
class TableOf {
    using K = Kernels<isa>;

    template <class Shapes>
    static constexpr RangeKernel* cull_kernel() {
        if constexpr (absent_kind<Shapes> != nullptr) {
            return nullptr;  // check_batches() refuses such batches
        } else {
            return K::template cull<Shapes>;
        }
    }

    template <std::size_t... kind, std::size_t... flat_kind>
    static constexpr KernelTable make(std::index_sequence<kind...>, std::index_sequence<flat_kind...>) {
        return {&K::facts,
                {cull_kernel<Batch::Shapes::At<kind>>()...},
                {K::template cull_flat<flat::Batch::Shapes::At<flat_kind>>...},
                K::separate_pairs,
                K::pair_distances,
                K::cast_pairs,
                K::test_nodes,
                K::hide_nodes,
                K::write_indices,
                K::write_draws,
                K::count_runs,
                K::write_runs,
                K::unpack,
                K::extent,
                K::farthest,
                K::extremes,
                K::visible_extents,
                K::boxes_beyond,
                K::world_boxes,
                K::world_spheres,
                K::world_oriented_boxes};
    }

public:
    static constexpr KernelTable table =
        make(std::make_index_sequence<Batch::Shapes::size>(), std::make_index_sequence<flat::Batch::Shapes::size>());
};

template <Isa first, Isa...>
const KernelTable& first_table() noexcept {
    return TableOf<first>::table;
}

template <Isa... isas>
const KernelTable* find(Isa wanted) noexcept {
    const KernelTable* found = nullptr;
    ((found = isas == wanted ? &TableOf<isas>::table : found), ...);
    return found;
}

/// LANECULL_SETS, of a header that CMake writes: the sets that are compiled, as Isa's enumerators.
const KernelTable* compiled_table(Isa isa) noexcept {
    using enum Isa;
    return find<LANECULL_SETS>(isa);
}

}  // namespace

const KernelTable& baseline_kernels() noexcept {
    using enum Isa;
    return first_table<LANECULL_SETS>();
}

const KernelTable* kernel_table(Isa isa) noexcept {
    const KernelTable* table = compiled_table(isa);
    return table != nullptr && (table->facts->needs & ~processor_features()) == 0 ? table : nullptr;
}

}  // namespace lanecull
