/// Names of instruction sets, which of them this machine runs, and which one a call takes.

#include <lanecull/isa.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "calls/kernel_table.hpp"

namespace lanecull {
namespace {

constexpr std::size_t isa_count = std::size(all_isas);
static_assert(std::size(all_isa_names) == isa_count && std::size(all_isa_lanes) == isa_count);

/// Its place in all_isas, or isa_count if it is not in there.
std::size_t place_of(Isa isa) noexcept {
    std::size_t at = 0;
    while (at < isa_count && all_isas[at] != isa) ++at;
    return at;
}

}  // namespace

const char* isa_name(Isa isa) noexcept {
    const std::size_t at = place_of(isa);
    return at < isa_count ? all_isa_names[at] : "automatic";
}

Status isa_from_name(const char* name, Isa& isa) noexcept {
    if (name == nullptr) return Status::failure("name: must not be null");
    if (std::strcmp(name, "automatic") == 0) {
        isa = Isa::automatic;
        return {};
    }
    for (std::size_t at = 0; at < isa_count; ++at) {
        if (std::strcmp(name, all_isa_names[at]) == 0) {
            isa = all_isas[at];
            return {};
        }
    }
    char known[80] = "";
    for (std::size_t at = 0; at < isa_count; ++at) {
        const std::size_t length = std::strlen(known);
        const char* before = at == 0 ? "" : at + 1 == isa_count ? " and " : ", ";
        std::snprintf(known + length, sizeof known - length, "%s%s", before, all_isa_names[at]);
    }
    return Status::failure("unknown instruction set '%.40s': %s are known", name, known);
}

bool isa_runnable(Isa isa) noexcept { return isa == Isa::automatic || kernel_table(isa) != nullptr; }

std::uint32_t isa_lanes(Isa isa) noexcept {
    const std::size_t at = place_of(isa);
    return at < isa_count ? all_isa_lanes[at] : 0;
}

namespace {

Status resolve(Isa requested, const char* source, Isa& chosen) noexcept {
    if (requested == Isa::automatic) {
        const char* name = std::getenv("LANECULL_ISA");
        if (name != nullptr && name[0] != '\0') {
            source = "LANECULL_ISA";
            if (Status status = isa_from_name(name, requested); !status) {
                return Status::failure(status.code(), "LANECULL_ISA: %s", status.message());
            }
        }
    } else if (place_of(requested) == isa_count) {
        return Status::failure("%s: %d is no instruction set", source, static_cast<int>(requested));
    }
    if (requested == Isa::automatic) {
        for (const Isa isa : all_isas) {
            if (kernel_table(isa) != nullptr) requested = isa;
        }
    }
    if (kernel_table(requested) == nullptr) {
        return Status::failure(StatusCode::unsupported, "%s: this machine cannot run %s", source, isa_name(requested));
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
