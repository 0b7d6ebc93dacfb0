#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#if defined(__x86_64__) && defined(__linux__)
#define LANECULL_TEST_TRACE 1
#include <link.h>
#include <signal.h>
#include <ucontext.h>
#include <x86intrin.h>
#endif

#include "calls/kernel_table.hpp"
#include "lanes/features.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

/// The choice of instruction set, and the proof that the chosen set is the one that runs.

namespace {

using lanecull::Isa;
using lanecull::Status;

/// Sets LANECULL_ISA for a scope, and puts back what was there.
class Environment {
public:
    explicit Environment(const char* value) {
        if (const char* before = std::getenv(name)) before_ = before, was_set_ = true;
        if (value == nullptr) {
            unsetenv(name);
        } else {
            setenv(name, value, 1);
        }
        lanecull::forget_environment();
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        if (was_set_) {
            setenv(name, before_.c_str(), 1);
        } else {
            unsetenv(name);
        }
        lanecull::forget_environment();
    }

private:
    static constexpr const char* name = "LANECULL_ISA";
    std::string before_;
    bool was_set_ = false;
};

TEST(IsaNames, AreTheDocumentedOnes) {
    EXPECT_STREQ(lanecull::isa_name(Isa::automatic), "automatic");
    EXPECT_STREQ(lanecull::isa_name(Isa::scalar), "scalar");
    EXPECT_STREQ(lanecull::isa_name(Isa::sse42), "sse4.2");
    EXPECT_STREQ(lanecull::isa_name(Isa::avx2), "avx2");
    EXPECT_STREQ(lanecull::isa_name(Isa::avx512), "avx512");
    EXPECT_STREQ(lanecull::isa_name(Isa::neon64), "neon64");
    EXPECT_STREQ(lanecull::isa_name(Isa::wasm), "wasm");
    for (const Isa isa : lanecull::all_isas) {
        Isa read = Isa::automatic;
        EXPECT_TRUE(lanecull::isa_from_name(lanecull::isa_name(isa), read));
        EXPECT_EQ(read, isa);
    }
    const std::uint32_t lanes[] = {1, 4, 8, 16, 4, 4};
    static_assert(std::size(lanes) == std::size(lanecull::all_isas));
    for (std::size_t k = 0; k < std::size(lanes); ++k) EXPECT_EQ(lanecull::isa_lanes(lanecull::all_isas[k]), lanes[k]);
    EXPECT_EQ(lanecull::isa_lanes(Isa::automatic), 0u);
    EXPECT_TRUE(lanecull::isa_runnable(Isa::scalar));
    EXPECT_TRUE(lanecull::isa_runnable(Isa::automatic));
    EXPECT_FALSE(lanecull::isa_runnable(static_cast<Isa>(77)));
}

/// What messages say of a name that is none.
const std::string known_sets = "unknown instruction set; scalar, sse4.2, avx2, avx512, neon64 and wasm are known";

TEST(IsaNames, OthersAreErrorsThatNameTheSets) {
    for (const char* name : {"avx", "AVX2", "sse4_2", "scalar ", "", "neon", "avx512vnni"}) {
        Isa isa = Isa::avx2;
        const Status status = lanecull::isa_from_name(name, isa);
        EXPECT_FALSE(status.ok()) << name;
        EXPECT_EQ(std::string(status.message()), "name: " + known_sets);
        EXPECT_EQ(isa, Isa::avx2) << "must stay untouched";
    }
    Isa isa = Isa::avx2;
    EXPECT_FALSE(lanecull::isa_from_name(nullptr, isa).ok());
}

TEST(IsaChoice, TakesTheWidestUnlessTold) {
    Isa chosen = Isa::automatic;
    for (const char* unset : {static_cast<const char*>(nullptr), ""}) {
        const Environment environment(unset);
        ASSERT_TRUE(lanecull::resolve_isa(Isa::automatic, chosen));
        EXPECT_EQ(chosen, runnable_isas().back());
    }
    for (const Isa isa : runnable_isas()) {
        const Environment environment(lanecull::isa_name(isa));
        ASSERT_TRUE(lanecull::resolve_isa(Isa::automatic, chosen));
        EXPECT_EQ(chosen, isa);
        ASSERT_TRUE(lanecull::resolve_isa(Isa::scalar, chosen)) << "an option goes before the environment";
        EXPECT_EQ(chosen, Isa::scalar);
    }
}

TEST(IsaChoice, FailsByName) {
    Isa chosen = Isa::sse42;
    {
        const Environment environment("avx3");
        const Status status = lanecull::isa_from_environment(chosen);
        EXPECT_FALSE(status.ok());
        EXPECT_EQ(chosen, Isa::sse42) << "must stay untouched";
        EXPECT_EQ(std::string(status.message()), "LANECULL_ISA: " + known_sets);
        ASSERT_TRUE(lanecull::resolve_isa(Isa::automatic, chosen)) << "a wrong value is ignored";
        EXPECT_EQ(chosen, runnable_isas().back());
    }
    for (const Isa isa : lanecull::all_isas) {
        if (lanecull::isa_runnable(isa)) continue;
        const Status by_option = lanecull::resolve_isa(isa, chosen);
        EXPECT_FALSE(by_option.ok());
        EXPECT_NE(std::string(by_option.message()).find(lanecull::isa_name(isa)), std::string::npos);
        EXPECT_EQ(by_option.code, lanecull::StatusCode::unsupported);
        const Environment environment(lanecull::isa_name(isa));
        EXPECT_EQ(lanecull::isa_from_environment(chosen).code, lanecull::StatusCode::unsupported);
        ASSERT_TRUE(lanecull::resolve_isa(Isa::automatic, chosen)) << "one that this machine has not is ignored too";
        EXPECT_EQ(chosen, runnable_isas().back());
    }
    EXPECT_STREQ(lanecull::resolve_isa(static_cast<Isa>(77), chosen).message(), "requested: 77 is not a known value");
}

#if !defined(__wasm__)
TEST(IsaChoice, SaysThatTheBuildLacksASet) {
    Isa chosen = Isa::automatic;
    EXPECT_STREQ(lanecull::resolve_isa(Isa::wasm, chosen).message(), "requested: this build lacks wasm");
    const Environment environment("wasm");
    EXPECT_STREQ(lanecull::isa_from_environment(chosen).message(), "LANECULL_ISA: this build lacks wasm");
}
#endif

TEST(IsaChoice, ACullIgnoresAWrongEnvironment) {
    Random random(1);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const Environment environment("avx3");
    lanecull::Output output;
    std::vector<std::byte> scratch(lanecull::scratch_bytes({}, 1));
    const Status status = lanecull::cull({}, {&prepared.view, 1}, {&output, 1}, scratch);
    EXPECT_TRUE(status.ok()) << status.message();
}

TEST(IsaChoice, ReadsTheEnvironmentOnce) {
    Isa chosen = Isa::automatic;
    const Environment environment("scalar");
    ASSERT_TRUE(lanecull::isa_from_environment(chosen));
    EXPECT_EQ(chosen, Isa::scalar);
    setenv("LANECULL_ISA", "avx3", 1);
    EXPECT_TRUE(lanecull::isa_from_environment(chosen).ok());
    ASSERT_TRUE(lanecull::resolve_isa(Isa::automatic, chosen));
    EXPECT_EQ(chosen, Isa::scalar);
}

TEST(KernelTables, AreCompiledForTheirSet) {
    for (const Isa isa : lanecull::all_isas) {
        const lanecull::KernelTable* table = lanecull::kernel_table(isa);
        ASSERT_EQ(table != nullptr, lanecull::isa_runnable(isa)) << lanecull::isa_name(isa);
        if (table == nullptr) continue;
        const lanecull::SetFacts& facts = *table->facts;
        EXPECT_EQ(facts.isa, isa);
        EXPECT_EQ(facts.lanes, lanecull::isa_lanes(isa));
        const std::uint32_t everywhere = lanecull::table_of<lanecull::KernelTable>(Isa::automatic)
                                             .facts->compiled_features;  // by the user's own flags
        EXPECT_EQ(facts.compiled_features, facts.needs | everywhere) << lanecull::isa_name(isa);
    }
    EXPECT_EQ(lanecull::kernel_table(Isa::automatic), nullptr);
}

#if defined(__x86_64__) && defined(__linux__)
TEST(ProcessorFeatures, AreThoseThatTheCompilersLibraryFinds) {
    namespace feature = lanecull::feature;
    std::uint32_t found = 0;
    const auto add = [&](int has, std::uint32_t bit) { found |= has != 0 ? bit : 0; };
    add(__builtin_cpu_supports("sse4.2"), feature::sse42);
    add(__builtin_cpu_supports("popcnt"), feature::popcnt);
    add(__builtin_cpu_supports("avx2"), feature::avx2);
    add(__builtin_cpu_supports("fma"), feature::fma);
    add(__builtin_cpu_supports("bmi"), feature::bmi);
    add(__builtin_cpu_supports("bmi2"), feature::bmi2);
    add(__builtin_cpu_supports("avx512f"), feature::avx512f);
    add(__builtin_cpu_supports("avx512cd"), feature::avx512cd);
    add(__builtin_cpu_supports("avx512dq"), feature::avx512dq);
    add(__builtin_cpu_supports("avx512bw"), feature::avx512bw);
    add(__builtin_cpu_supports("avx512vl"), feature::avx512vl);
    EXPECT_EQ(lanecull::processor_features(), found);
}
#endif

#if defined(LANECULL_TEST_TRACE)

/// Records which of the library's instructions a call executes. The call runs with the processor's trap flag set, which
/// raises a signal after every instruction. Only one trace may run at a time.
class Trace {
public:
    template <class Call>
    explicit Trace(const Call& call) {
        start();
        call();
        stop();
    }

    /// Whether the instruction at `address` was executed.
    [[nodiscard]] bool reached(const void* address) const;

    /// The number of different instructions executed, by encoding. In 64-bit code the first byte tells the encoding:
    /// 0x62 is AVX-512's (EVEX) alone, 0xc4 and 0xc5 are those of AVX and AVX2 (VEX). 0x0f 0xa2 is cpuid.
    struct Encodings {
        std::size_t vex = 0, evex = 0, cpuid = 0;
    };
    [[nodiscard]] Encodings encodings() const;

private:
    void start();
    void stop();

    std::uintptr_t first_ = 0;        ///< address of the code that contains the library
    std::vector<std::uint8_t> seen_;  ///< indexed by address - first_
};

constexpr unsigned long long trap_flag = 0x100;

struct Code {
    std::uintptr_t first = 0;
    std::size_t bytes = 0;
};

/// The executable segment that contains the library's code.
Code find_code() {
    Code code;
    const auto look = [](dl_phdr_info* object, std::size_t, void* result) {
        const auto inside = reinterpret_cast<std::uintptr_t>(&lanecull::kernel_table);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto& segment = object->dlpi_phdr[i];
            const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
            if (segment.p_type != PT_LOAD || inside < first || inside - first >= segment.p_memsz) continue;
            *static_cast<Code*>(result) = {first, segment.p_memsz};
            return 1;
        }
        return 0;
    };
    if (dl_iterate_phdr(look, &code) == 0) throw std::runtime_error("the library's code is nowhere to be found");
    return code;
}

// What the signal handler may touch.
std::uintptr_t traced_first = 0;
std::size_t traced_bytes = 0;
std::uint8_t* traced_seen = nullptr;

struct sigaction handler_before;

void record(int, siginfo_t*, void* context) {
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const std::uintptr_t offset = static_cast<std::uintptr_t>(registers[REG_RIP]) - traced_first;
    if (offset < traced_bytes) traced_seen[offset] = 1;
}

void Trace::start() {
    const Code code = find_code();
    first_ = code.first;
    seen_.assign(code.bytes, 0);
    traced_first = code.first;
    traced_bytes = code.bytes;
    traced_seen = seen_.data();
    struct sigaction action = {};
    action.sa_sigaction = record;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGTRAP, &action, &handler_before) != 0) throw std::runtime_error("sigaction failed");
    __writeeflags(__readeflags() | trap_flag);
}

void Trace::stop() {
    __writeeflags(__readeflags() & ~trap_flag);
    sigaction(SIGTRAP, &handler_before, nullptr);
}

bool Trace::reached(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - first_;
    return offset < seen_.size() && seen_[offset] != 0;
}

Trace::Encodings Trace::encodings() const {
    Encodings encodings;
    for (std::size_t offset = 0; offset < seen_.size(); ++offset) {
        if (seen_[offset] == 0) continue;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(first_ + offset);
        encodings.evex += bytes[0] == 0x62;
        encodings.vex += bytes[0] == 0xc4 || bytes[0] == 0xc5;
        encodings.cpuid += bytes[0] == 0x0f && bytes[1] == 0xa2;
    }
    return encodings;
}

/// Runs a cull one instruction at a time and looks which kernels' first instructions came by, and how wide the widest
/// instruction was.
class KernelTrace : public testing::TestWithParam<Isa> {};

lanecull::RangeKernel* entry(const lanecull::KernelTable& table, Kind kind) {
    // In the order of Batch, boxes by quaternions being oriented boxes, and cones of either end cones.
    constexpr int oriented_boxes = 3;
    if (kind == Kind::quaternion_box) return table.cull[oriented_boxes];
    if (kind == Kind::round_cone) return entry(table, Kind::cone);
    return table.cull[static_cast<int>(kind) - (kind > Kind::quaternion_box ? 1 : 0)];
}

void expect_trace(const Trace& trace, Isa isa, Kind kind) {
    for (const Isa other : runnable_isas()) {
        for (const Kind other_kind : all_kinds) {
            const bool ran =
                trace.reached(reinterpret_cast<const void*>(entry(*lanecull::kernel_table(other), other_kind)));
            const lanecull::KernelTable& table = *lanecull::kernel_table(other);
            EXPECT_EQ(ran, other == isa && entry(table, other_kind) == entry(table, kind))
                << "kernel of " << lanecull::isa_name(other) << " for " << kind_name(other_kind);
        }
    }
    const auto encodings = trace.encodings();
    EXPECT_EQ(encodings.cpuid, 0u) << "a call asked the processor anew, which takes microseconds in a virtual machine";
    const std::uint32_t lanes = lanecull::isa_lanes(isa);
    if (lanes == 16) {
        EXPECT_GT(encodings.evex, 0u) << "no AVX-512 instruction in an AVX-512 cull";
    }
    if (lanes == 8) {
        EXPECT_GT(encodings.vex, 0u) << "no AVX instruction in a cull of eight lanes";
    }
#if !defined(__AVX__)
    if (lanes != 16) {
        EXPECT_EQ(encodings.evex, 0u) << "an AVX-512 instruction in a narrower cull";
    }
    if (lanes < 8) {
        EXPECT_EQ(encodings.vex, 0u) << "an AVX instruction in a narrower cull";
    }
#endif
}

TEST_P(KernelTrace, OnlyTheForcedSetRuns) {
    Random random(2);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 2);
    for (const Kind kind : all_kinds) {
        SCOPED_TRACE(kind_name(kind));
        HeapMemory memory;
        // Each instruction is a step of its own, of which sanitizers add many. A packet of the widest set, and a rest.
        const std::size_t count = test_scale() <= 0.1 ? 8 : 20;
        const auto objects = random_objects(random, kind, prepared.camera, count, hulls);
        const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        std::vector<std::uint32_t> indices(objects.size());
        for (const bool by_environment : {false, true}) {
            if (by_environment && kind != all_kinds[0]) continue;  // the choice is the same for all kinds
            const Environment environment(by_environment ? lanecull::isa_name(GetParam()) : nullptr);
            const lanecull::CullOptions options{.isa = by_environment ? Isa::automatic : GetParam()};
            lanecull::Explanation why;
            lanecull::Output output{.indices = indices};
            output.explanation = &why;
            Status status;
            const Trace trace([&] {
                status = lanecull::cull({&batch, 1}, {&prepared.view, 1}, {&output, 1}, scratch, options);
            });
            ASSERT_TRUE(status.ok()) << status.message();
            EXPECT_GT(why.counts.objects(), 0u);
            expect_trace(trace, GetParam(), kind);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, KernelTrace, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

#endif

}  // namespace
