/// Names of instruction sets, which of them this machine runs, and which one a call takes.

#include <lanecull/library.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "calls/kernel_table.hpp"
#include "lanes/features.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace lanecull {

/// Asks the processor for its features.
#if defined(__x86_64__) || defined(__i386__)
namespace {

/// Which registers the operating system saves when it changes threads, as bits of XCR0.
std::uint32_t saved_registers(bool has_xgetbv) {
    if (!has_xgetbv) return 0;
    std::uint32_t low = 0, high = 0;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
#if defined(__APPLE__)
    low |= 0xe6;  // it begins to save the wide ones when they are used first
#endif
    return low;
}

/// By cpuid itself: __builtin_cpu_supports() wants a library of the compiler's that clang-cl does not link.
std::uint32_t ask_processor() noexcept {
    std::uint32_t a = 0, b_1 = 0, c_1 = 0, d = 0, b_7 = 0, c_7 = 0;
    __get_cpuid(1, &a, &b_1, &c_1, &d);
    __get_cpuid_count(7, 0, &a, &b_7, &c_7, &d);
    const std::uint32_t saved = saved_registers((c_1 >> 27 & 1) != 0);
    const bool saves_256 = (saved & 0x06) == 0x06, saves_512 = (saved & 0xe6) == 0xe6;

    std::uint32_t features = 0;
    const auto add = [&](bool usable, std::uint32_t known, int at, std::uint32_t bit) {
        if (usable && (known >> at & 1) != 0) features |= bit;
    };
    add(true, c_1, 20, feature::sse42);
    add(true, c_1, 23, feature::popcnt);
    add(saves_256, b_7, 5, feature::avx2);
    add(saves_256, c_1, 12, feature::fma);
    add(true, b_7, 3, feature::bmi);
    add(true, b_7, 8, feature::bmi2);
    add(saves_512, b_7, 16, feature::avx512f);
    add(saves_512, b_7, 28, feature::avx512cd);
    add(saves_512, b_7, 17, feature::avx512dq);
    add(saves_512, b_7, 30, feature::avx512bw);
    add(saves_512, b_7, 31, feature::avx512vl);
    return features;
}

/// Set beside the features once they are known. Several threads may set it at once; all find the same.
constexpr std::uint32_t is_known = std::uint32_t{1} << 31;
std::atomic<std::uint32_t> found_features{0};

}  // namespace

/// The processor is read once: a virtual machine is left for each cpuid, and each call of the library reads which sets
/// run. Three of them took 9 us of every call on a rented Xeon of family 6, model 207.
std::uint32_t processor_features() noexcept {
    std::uint32_t features = found_features.load(std::memory_order_relaxed);
    if (features == 0) {
        features = ask_processor() | is_known;
        found_features.store(features, std::memory_order_relaxed);
    }
    return features & ~is_known;
}
#else
std::uint32_t processor_features() noexcept { return 0; }
#endif

namespace {

constexpr std::size_t isa_count = std::size(all_isas);
static_assert(std::size(all_isa_names) == isa_count && std::size(all_isa_lanes) == isa_count);

/// Its place in all_isas, or isa_count if it is not in there.
std::size_t place_of(Isa isa) noexcept {
    std::size_t at = 0;
    while (at < isa_count && all_isas[at] != isa) ++at;
    return at;
}

/// The names of all sets, as a sentence has them.
struct KnownSets {
    char text[80] = {};

    constexpr KnownSets() noexcept {
        char* to = text;
        const auto add = [&](const char* name) {
            while (*name != '\0') *to++ = *name++;
        };
        for (std::size_t at = 0; at < isa_count; ++at) {
            add(at == 0 ? "" : at + 1 == isa_count ? " and " : ", ");
            add(all_isa_names[at]);
        }
    }
};

template <Isa... compiled>
bool is_one_of(Isa isa) noexcept {
    return ((isa == compiled) || ...);
}

/// Why a set does not run. `argument` is what named it.
Status cannot_run(const char* argument, Isa isa) noexcept {
    using enum Isa;
    const bool is_compiled = is_one_of<LANECULL_SETS>(isa);
    return failure(StatusCode::unsupported, "%s: this %s %s", lasting(argument),
                   lasting(is_compiled ? "machine cannot run" : "build lacks"), lasting(isa_name(isa)));
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
            return renamed(status, "name", "LANECULL_ISA");
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

}  // namespace

void forget_environment() noexcept { automatic.store(unread, std::memory_order_relaxed); }

Status find_set(Isa requested, const char* argument, Isa& set) noexcept {
    if (requested == Isa::automatic) {
        set = static_cast<Isa>(find_automatic() & only_set);
        return {};
    }
    if (place_of(requested) == isa_count) return no_enumerator(requested, argument);
    if (kernel_table(requested) == nullptr) return cannot_run(argument, requested);
    set = requested;
    return {};
}

}  // namespace lanecull

using namespace lanecull;

const char* lanecull_isa_name(lanecull_isa isa) noexcept {
    if (isa == Isa::automatic) return "automatic";
    const std::size_t at = place_of(isa);
    return at < isa_count ? all_isa_names[at] : "unknown";
}

lanecull_status lanecull_isa_from_name(const char* name, lanecull_isa* isa) noexcept {
    if (name == nullptr) return failure("name: must not be null");
    if (isa == nullptr) return failure("isa: must not be null");
    if (std::strcmp(name, "automatic") == 0) {
        *isa = Isa::automatic;
        return Status();
    }
    for (std::size_t at = 0; at < isa_count; ++at) {
        if (std::strcmp(name, all_isa_names[at]) == 0) {
            *isa = all_isas[at];
            return Status();
        }
    }
    static constexpr KnownSets known;
    return failure("name: unknown instruction set; %s are known", lasting(known.text));
}

uint32_t lanecull_isa_runnable(lanecull_isa isa) noexcept {
    return isa == Isa::automatic || kernel_table(isa) != nullptr;
}

uint32_t lanecull_isa_lanes(lanecull_isa isa) noexcept {
    const std::size_t at = place_of(isa);
    return at < isa_count ? all_isa_lanes[at] : 0;
}

lanecull_status lanecull_isa_from_environment(lanecull_isa* isa) noexcept {
    if (isa == nullptr) return failure("isa: must not be null");
    const unsigned found = find_automatic(), how = found & ~only_set;
    if (how == wrong) {
        Isa ignored = Isa::automatic;
        const Status status = read_environment(ignored);
        return status ? failure("LANECULL_ISA: named no set that this machine runs") : status;
    }
    *isa = how == named ? static_cast<Isa>(found & only_set) : Isa::automatic;
    return Status();
}

lanecull_status lanecull_resolve_isa(lanecull_isa requested, lanecull_isa* chosen) noexcept {
    if (chosen == nullptr) return failure("chosen: must not be null");
    return find_set(requested, "requested", *chosen);
}
