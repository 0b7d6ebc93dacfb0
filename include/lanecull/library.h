#pragma once

#include <lanecull/types.h>

/// The library as a whole: its version, the instruction sets that it runs, its memory; and, in C++, where a call's time
/// goes.

/// The version of these headers: numbers for the preprocessor, and the same as text. CMake's package has the same one.
#define LANECULL_VERSION_MAJOR 0
#define LANECULL_VERSION_MINOR 1
#define LANECULL_VERSION_PATCH 0
#define LANECULL_VERSION "0.1.0"

/// One number to compare with, as in `#if LANECULL_VERSION_NUMBER >= 200` for 0.2.0: 10,000 major + 100 minor + patch.
#define LANECULL_VERSION_NUMBER (10000 * LANECULL_VERSION_MAJOR + 100 * LANECULL_VERSION_MINOR + LANECULL_VERSION_PATCH)

/// The form of the structs and functions that these headers declare. Until 1.0 it may change with each minor version.
#define LANECULL_FORM 1u

/// The instruction sets that the kernels are compiled for. One binary has all those of its family of processors. Which
/// one runs is chosen at run time, so the flags that a caller compiles with do not matter.
LANECULL_ENUM(Isa, isa){
    LANECULL_VALUE(ISA_AUTOMATIC, automatic) = 0,  ///< the one that the environment names, else the widest that runs
    LANECULL_VALUE(ISA_SCALAR, scalar) = 1,        ///< 1 lane, plain C++
    LANECULL_VALUE(ISA_SSE42, sse42) = 2,          ///< 4 lanes, SSE4.2
    LANECULL_VALUE(ISA_AVX2, avx2) = 3,            ///< 8 lanes, AVX2 with FMA
    LANECULL_VALUE(ISA_AVX512, avx512) = 4,        ///< 16 lanes, AVX-512 F, CD, DQ, BW and VL
    LANECULL_VALUE(ISA_NEON64, neon64) = 5,        ///< 4 lanes, NEON of 64-bit ARM
    LANECULL_VALUE(ISA_WASM, wasm) = 6,            ///< 4 lanes, WebAssembly's SIMD
};

/// The source of the library's memory: for scenes, passes and solid boxes, and for what their edits need meanwhile.
/// Nothing else in lanecull::lanecull allocates; in lanecull::visibility CRoaring alone, which has hooks of its own,
/// and lanecull::hulls by operator new and qhull. The functions are malloc(), realloc() and free() but for `self`:
/// memory is aligned for any fundamental type, null says that there is none, and `release` is never given null. They
/// may be called from any thread that calls the library, and must not throw.
LANECULL_STRUCT(MemoryHooks, memory_hooks) {
    void* self LANECULL_0;
    void* (*allocate)(void* self, size_t bytes)LANECULL_0;
    void* (*reallocate)(void* self, void* memory, size_t bytes)LANECULL_0;  ///< `memory` may be null
    void (*release)(void* self, void* memory) LANECULL_0;
};
LANECULL_LAYOUT(memory_hooks, 32)

LANECULL_C_BEGIN
/// LANECULL_FORM of the library that the program runs with. One of another form than the headers' must not be used: a
/// program that loads a shared library at run time, or a binding, compares them first. Thread-safe.
LANECULL_API uint32_t lanecull_library_form(void) LANECULL_NOEXCEPT;

/// "scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm" ("automatic" for LANECULL_ISA_AUTOMATIC); "unknown" for any
/// other number. Lives as long as the library is loaded. Thread-safe, as all functions of sets are.
LANECULL_API const char* lanecull_isa_name(lanecull_isa isa) LANECULL_NOEXCEPT;

/// The set called `name` (null-terminated, spelled as lanecull_isa_name() does). Fails for any other name and leaves
/// `*isa` untouched.
LANECULL_API lanecull_status lanecull_isa_from_name(const char* name, lanecull_isa* isa) LANECULL_NOEXCEPT;

/// 1 if this build has the set's kernels, the processor has its instructions and the operating system saves its
/// registers; else 0. LANECULL_ISA_AUTOMATIC is always runnable.
LANECULL_API uint32_t lanecull_isa_runnable(lanecull_isa isa) LANECULL_NOEXCEPT;

/// How many objects that set tests side by side; 0 for LANECULL_ISA_AUTOMATIC.
LANECULL_API uint32_t lanecull_isa_lanes(lanecull_isa isa) LANECULL_NOEXCEPT;

/// What the environment variable LANECULL_ISA names: LANECULL_ISA_AUTOMATIC if it is unset or empty. It is read
/// once, by the first call of a process that needs it, which must not happen while another thread changes the
/// environment.
///
/// Fails, and leaves `*isa` untouched, if it names a set that is unknown or that this machine cannot run. Calls ignore
/// such a value, so that nothing in a user's environment makes a program fail. A program that would rather refuse it
/// calls this.
LANECULL_API lanecull_status lanecull_isa_from_environment(lanecull_isa* isa) LANECULL_NOEXCEPT;

/// The set that a cull with lanecull_cull_options::isa = `requested` will run; never LANECULL_ISA_AUTOMATIC. Fails if
/// the request is a set that is unknown or that this machine cannot run; never for LANECULL_ISA_AUTOMATIC.
LANECULL_API lanecull_status lanecull_resolve_isa(lanecull_isa requested, lanecull_isa* chosen) LANECULL_NOEXCEPT;

/// From now on all memory comes from `hooks`, which are copied. To be called before anything that allocates, and by one
/// thread: memory that was taken before would be released by the wrong function. Without it memory is the C library's.
/// It serves C and C++ alike. Fails, and changes nothing, if a function is null.
LANECULL_API lanecull_status lanecull_set_memory_hooks(const lanecull_memory_hooks* hooks) LANECULL_NOEXCEPT;

/// The hooks that are in force; never null.
LANECULL_API const lanecull_memory_hooks* lanecull_current_memory_hooks(void) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// Of each family of processors the slowest first: `automatic` is the last that runs.
inline constexpr Isa all_isas[] = {Isa::scalar, Isa::sse42, Isa::avx2, Isa::avx512, Isa::neon64, Isa::wasm};
/// Their names and lanes, in the same order.
inline constexpr const char* all_isa_names[] = {"scalar", "sse4.2", "avx2", "avx512", "neon64", "wasm"};
inline constexpr uint32_t all_isa_lanes[] = {1, 4, 8, 16, 4, 4};

/// The functions above, for C++.
[[nodiscard]] inline uint32_t library_form() noexcept { return lanecull_library_form(); }
[[nodiscard]] inline const char* isa_name(Isa isa) noexcept { return lanecull_isa_name(isa); }
[[nodiscard]] inline Status isa_from_name(const char* name, Isa& isa) noexcept {
    return lanecull_isa_from_name(name, &isa);
}
[[nodiscard]] inline bool isa_runnable(Isa isa) noexcept { return lanecull_isa_runnable(isa) != 0; }
[[nodiscard]] inline uint32_t isa_lanes(Isa isa) noexcept { return lanecull_isa_lanes(isa); }
[[nodiscard]] inline Status isa_from_environment(Isa& isa) noexcept { return lanecull_isa_from_environment(&isa); }
[[nodiscard]] inline Status resolve_isa(Isa requested, Isa& chosen) noexcept {
    return lanecull_resolve_isa(requested, &chosen);
}
[[nodiscard]] inline Status set_memory_hooks(const MemoryHooks& hooks) noexcept {
    return lanecull_set_memory_hooks(&hooks);
}
[[nodiscard]] inline const MemoryHooks& memory_hooks() noexcept { return *lanecull_current_memory_hooks(); }

// Zones: where a call's time goes, for profilers such as Tracy and Perfetto, or Chrome's trace viewer.
//
//     lanecull::ZonedRunner zoned({&profiler, begin, end}, threads);  // `threads`: the runner of before
//     options.runner = zoned;
//
// Every call that takes a runner can be measured like this. A call's phases are its uses of the runner. Its work
// between them is short: checks of arguments, sums over ranges (benchmarks calls/zoned). Calls without a ZonedRunner do
// nothing for any of this. In C a runner sees the same for itself: it gets the phase's name (lanecull_task::name) and
// runs its tasks.

/// A piece of a call's work.
struct Zone {
    /// `phase`: all tasks that the runner gets at once. `range`: one of them, such as some thousand objects of a batch
    /// against a view.
    enum class Level : uint8_t { phase, range };

    const char* name = nullptr;  ///< that of the phase (Task::name); never null, and it stays valid
    Level level = Level::phase;
    uint32_t index = 0;  ///< `range`: which task of the phase; `phase`: how many it has
};

/// What is called at the begin and end of each zone, with `self` first. A phase's calls are made on the thread that
/// called the library, a range's on the thread that runs it. Zones of one thread are nested: what began last ends
/// first. Both are needed; they must not throw, and take calls from several threads at once if the runner has them.
struct ZoneCallbacks {
    void* self = nullptr;
    void (*begin)(void* self, const Zone& zone) = nullptr;
    void (*end)(void* self, const Zone& zone) = nullptr;
};

/// A runner that runs tasks by another one and reports their zones. It must outlive the calls that it is handed to. It
/// may be used by several calls at once if the other runner may.
class ZonedRunner {
public:
    explicit ZonedRunner(const ZoneCallbacks& callbacks, const Runner& runner = {}) noexcept
        : callbacks_(callbacks), runner_(runner) {}

    operator Runner() noexcept { return {this, run}; }

private:
    struct Zoned {
        const ZoneCallbacks& callbacks;
        Task task;
        const char* name;
    };

    static void run(void* self, uint32_t count, const Task* task) {
        const ZonedRunner& zoned = *static_cast<const ZonedRunner*>(self);
        Zoned work{zoned.callbacks_, *task, task->name != nullptr ? task->name : "tasks"};
        const Zone phase{work.name, Zone::Level::phase, count};
        zoned.callbacks_.begin(zoned.callbacks_.self, phase);
        zoned.runner_(count, {run_range, &work, task->name});
        zoned.callbacks_.end(zoned.callbacks_.self, phase);
    }

    static void run_range(void* context, uint32_t index) {
        const Zoned& work = *static_cast<const Zoned*>(context);
        const Zone range{work.name, Zone::Level::range, index};
        work.callbacks.begin(work.callbacks.self, range);
        work.task(index);
        work.callbacks.end(work.callbacks.self, range);
    }

    ZoneCallbacks callbacks_;
    Runner runner_;
};
}  // namespace lanecull
#endif
