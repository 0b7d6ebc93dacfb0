/// Names of instruction sets, which of them this machine runs, and which one a call takes.

#include <lanecull/isa.hpp>

#include <atomic>
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

template <Isa... compiled>
bool is_one_of(Isa isa) noexcept {
    return ((isa == compiled) || ...);
}

/// Why a set does not run. `argument` is what asks for it.
Status cannot_run(const char* argument, Isa isa) noexcept {
    using enum Isa;
    const bool is_compiled = is_one_of<LANECULL_SETS>(isa);
    return Status::failure(StatusCode::unsupported,
                           is_compiled ? "%s: this machine cannot run %s" : "%s: this build lacks %s", argument,
                           isa_name(isa));
}

Isa widest_here() noexcept {
    Isa last = Isa::automatic;
    for (const Isa isa : all_isas) {
        if (kernel_table(isa) != nullptr) last = isa;
    }
    return last;
}

Status read_environment(Isa& isa) noexcept {
    const char* name = std::getenv("LANECULL_ISA");
    Isa asked = Isa::automatic;
    if (name != nullptr && name[0] != '\0') {
        if (Status status = isa_from_name(name, asked); !status) {
            return Status::failure(status.code(), "LANECULL_ISA: %s", status.message());
        }
        if (!isa_runnable(asked)) return cannot_run("LANECULL_ISA", asked);
    }
    isa = asked;
    return {};
}

/// What Isa::automatic stands for in this process: a set, and one of these beside it. Several threads may find out at
/// once; all find the same.
constexpr unsigned unread = 0, widest = 0x100, named = 0x200, wrong = 0x300, only_set = 0xff;
std::atomic<unsigned> automatic{unread};

unsigned find_automatic() noexcept {
    unsigned found = automatic.load(std::memory_order_relaxed);
    if (found != unread) return found;
    Isa isa = Isa::automatic;
    const bool right = read_environment(isa).ok();
    found = isa != Isa::automatic ? named : right ? widest : wrong;
    if (isa == Isa::automatic) isa = widest_here();
    found |= static_cast<unsigned>(isa);
    automatic.store(found, std::memory_order_relaxed);
    return found;
}

Status resolve(Isa requested, const char* argument, Isa& chosen) noexcept {
    if (requested == Isa::automatic) {
        chosen = static_cast<Isa>(find_automatic() & only_set);
        return {};
    }
    if (place_of(requested) == isa_count) {
        return Status::failure("%s: %d is no instruction set", argument, static_cast<int>(requested));
    }
    if (kernel_table(requested) == nullptr) return cannot_run(argument, requested);
    chosen = requested;
    return {};
}

}  // namespace

Status isa_from_environment(Isa& isa) noexcept {
    const unsigned found = find_automatic(), how = found & ~only_set;
    if (how == wrong) {
        Isa ignored = Isa::automatic;
        Status status = read_environment(ignored);
        return status ? Status::failure("LANECULL_ISA: named no set that this machine runs") : status;
    }
    isa = how == named ? static_cast<Isa>(found & only_set) : Isa::automatic;
    return {};
}

void forget_environment() noexcept { automatic.store(unread, std::memory_order_relaxed); }

Status resolve_isa(Isa requested, Isa& chosen) noexcept { return resolve(requested, "options.isa", chosen); }

Status find_set(Isa requested, const char* argument, Isa& set) noexcept { return resolve(requested, argument, set); }

}  // namespace lanecull
