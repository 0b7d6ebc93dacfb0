/// The tables of cull()'s kernels: one for each instruction set that this build has.

#include "calls/kernel_table.hpp"

#include <cstddef>
#include <utility>

#include "calls/compiled_kinds.hpp"
#include "calls/kinds.hpp"

namespace lanecull {
namespace {

template <Isa isa, class Shapes>
constexpr RangeKernel* cull_kernel() {
    if constexpr (absent_kind<Shapes> != nullptr) {
        return nullptr;  // check_batches() refuses such batches
    } else {
        return Kernels<isa>::template cull<Shapes>;
    }
}

struct CullTable : KernelTable {
    template <Isa isa>
    static constexpr CullTable of() {
        using K = Kernels<isa>;
        return [&]<std::size_t... kind>(std::index_sequence<kind...>)->CullTable {
            return {{&K::facts,
                     {cull_kernel<isa, Kinds::At<kind>>()...},
                     K::write_indices,
                     K::write_draws,
                     K::count_runs,
                     K::write_runs}};
        }
        (std::make_index_sequence<Kinds::size>());
    }
};

}  // namespace

template <>
const KernelTable& table_of<KernelTable>(Isa isa) noexcept {
    return table_of<CullTable>(isa);
}

const KernelTable* kernel_table(Isa isa) noexcept {
    const KernelTable& table = table_of<KernelTable>(isa);
    return table.facts->isa == isa && (table.facts->needs & ~processor_features()) == 0 ? &table : nullptr;
}

}  // namespace lanecull
