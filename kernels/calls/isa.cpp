/// Which instruction sets this machine runs, and which one is chosen.

#include <lanecull/isa.hpp>

#include <cstdlib>
#include <cstring>

#include "calls/kernel_table.hpp"

namespace lanecull {
namespace {

struct KnownSet {
    Isa isa;
    const char* name;
    const KernelTable* table;
};

#if defined(LANECULL_X86_SETS)
constexpr KnownSet known_sets[] = {{Isa::scalar, "scalar", &kernel_table_scalar},
                                   {Isa::sse42, "sse4.2", &kernel_table_sse42},
                                   {Isa::avx2, "avx2", &kernel_table_avx2},
                                   {Isa::avx512, "avx512", &kernel_table_avx512}};
#else
constexpr KnownSet known_sets[] = {{Isa::scalar, "scalar", &kernel_table_scalar},
                                   {Isa::sse42, "sse4.2", nullptr},
                                   {Isa::avx2, "avx2", nullptr},
                                   {Isa::avx512, "avx512", nullptr}};
#endif

const KnownSet* find(Isa isa) noexcept {
    for (const KnownSet& set : known_sets) {
        if (set.isa == isa) return &set;
    }
    return nullptr;
}

/// Everything that the set's file may be compiled to use. The compiler's own check also asks the operating system
/// whether it saves the wide registers.
bool processor_has(Isa isa) noexcept {
#if defined(LANECULL_X86_SETS)
    const bool sse42 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    const bool avx2 = sse42 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    switch (isa) {
        case Isa::sse42:
            return sse42;
        case Isa::avx2:
            return avx2;
        case Isa::avx512:
            return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512vl");
        default:
            break;
    }
#endif
    return isa == Isa::scalar;
}

}  // namespace

const KernelTable* kernel_table(Isa isa) noexcept {
    const KnownSet* set = find(isa);
    return set != nullptr && processor_has(isa) ? set->table : nullptr;
}

const char* isa_name(Isa isa) noexcept {
    const KnownSet* set = find(isa);
    return set != nullptr ? set->name : "automatic";
}

Status isa_from_name(const char* name, Isa& isa) noexcept {
    if (name == nullptr) return Status::failure("name: must not be null");
    if (std::strcmp(name, "automatic") == 0) {
        isa = Isa::automatic;
        return {};
    }
    for (const KnownSet& set : known_sets) {
        if (std::strcmp(name, set.name) == 0) {
            isa = set.isa;
            return {};
        }
    }
    return Status::failure("unknown instruction set '%.40s': scalar, sse4.2, avx2 and avx512 are known", name);
}

bool isa_runnable(Isa isa) noexcept { return isa == Isa::automatic || kernel_table(isa) != nullptr; }

std::uint32_t isa_lanes(Isa isa) noexcept {
    constexpr std::uint32_t lanes[] = {0, 1, 4, 8, 16};
    return find(isa) != nullptr ? lanes[static_cast<std::size_t>(isa)] : 0;
}

namespace {

Status resolve(Isa requested, const char* source, Isa& chosen) noexcept {
    if (requested == Isa::automatic) {
        const char* name = std::getenv("LANECULL_ISA");
        if (name != nullptr && name[0] != '\0') {
            source = "LANECULL_ISA";
            if (Status status = isa_from_name(name, requested); !status) {
                return Status::failure("LANECULL_ISA: %s", status.message());
            }
        }
    } else if (find(requested) == nullptr) {
        return Status::failure("%s: %d is no instruction set", source, static_cast<int>(requested));
    }
    if (requested == Isa::automatic) {
        for (const Isa isa : all_isas) {
            if (kernel_table(isa) != nullptr) requested = isa;
        }
    }
    if (kernel_table(requested) == nullptr) {
        return Status::failure("%s: this machine cannot run %s", source, isa_name(requested));
    }
    chosen = requested;
    return {};
}

}  // namespace

Status resolve_isa(Isa requested, Isa& chosen) noexcept { return resolve(requested, "options.isa", chosen); }

Status find_kernels(Isa requested, const char* argument, const KernelTable*& kernels) noexcept {
    Isa chosen = Isa::automatic;
    if (Status status = resolve(requested, argument, chosen); !status) return status;
    kernels = kernel_table(chosen);
    return {};
}

}  // namespace lanecull
