#pragma once

/// The base of every header: how one header serves C99 and C++17; spans, the outcome of a call, and who runs its tasks.
///
/// Rules of these headers:
///  - A struct is the same in both languages, byte for byte. Functions take and give structs by pointer, numbers and
///    lanecull_status by value. So one library serves programs of any compiler of its platform.
///  - Zero means default, everywhere. In C begin with {0} or with designated initialisers; in C++ members do it.
///  - `reserved` is room for later versions and stays zero. A struct grows into it, and nothing in it moves.
///  - In C++ the types and functions are those of namespace lanecull: lanecull_batch is another name of
///    lanecull::Batch, and lanecull::cull() calls lanecull_cull(). The manual of a function stands at its declaration
///    for C.
///  - Where an argument is said to be optional, null stands for all defaults.
///  - Functions that create an object return null where there is not enough memory; those that destroy one take null.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#if __cplusplus < 201703L && !(defined(_MSVC_LANG) && _MSVC_LANG >= 201703L)
#error \
    "lanecull's headers need C++17: compile with -std=c++17, or in CMake with target_compile_features(... cxx_std_17)"
#endif
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

/// `LANECULL_STRUCT(Spheres, spheres) { ... };` is lanecull::Spheres in C++, lanecull_spheres in both languages.
#define LANECULL_STRUCT(Cpp, c)         \
    namespace lanecull {                \
    struct Cpp;                         \
    }                                   \
    typedef lanecull::Cpp lanecull_##c; \
    struct lanecull::Cpp
#define LANECULL_UNION(Cpp, c)          \
    namespace lanecull {                \
    union Cpp;                          \
    }                                   \
    typedef lanecull::Cpp lanecull_##c; \
    union lanecull::Cpp
/// Enumerators: `LANECULL_VALUE(METHOD_PLANES, planes) = 1` is Method::planes, and LANECULL_METHOD_PLANES in C.
#define LANECULL_ENUM_OF(Number, Cpp, c) \
    namespace lanecull {                 \
    enum class Cpp : Number;             \
    }                                    \
    typedef lanecull::Cpp lanecull_##c;  \
    enum class lanecull::Cpp : Number
#define LANECULL_VALUE(C, cpp) cpp
/// A pointer to the first of some things, and how many there are.
#define LANECULL_SPAN(T, c) typedef lanecull::Span<T> lanecull_##c;
#define LANECULL_0 = {}
#define LANECULL_DEFAULT(...) = __VA_ARGS__
#define LANECULL_C_BEGIN extern "C" {
#define LANECULL_C_END }
#define LANECULL_NOEXCEPT noexcept
#define LANECULL_NODISCARD [[nodiscard]]
#define LANECULL_LAYOUT(c, bytes)                                                                                  \
    static_assert(std::is_standard_layout<lanecull_##c>::value && std::is_trivially_copyable<lanecull_##c>::value, \
                  "lanecull_" #c " is a struct of C");                                                             \
    static_assert(sizeof(void*) != 8 || sizeof(lanecull_##c) == bytes, "is a #pragma pack in force?");
#else
#define LANECULL_STRUCT(Cpp, c)               \
    typedef struct lanecull_##c lanecull_##c; \
    struct lanecull_##c
#define LANECULL_UNION(Cpp, c)               \
    typedef union lanecull_##c lanecull_##c; \
    union lanecull_##c
#define LANECULL_ENUM_OF(Number, Cpp, c) \
    typedef Number lanecull_##c;         \
    enum
#define LANECULL_VALUE(C, cpp) LANECULL_##C
#define LANECULL_SPAN(T, c)       \
    typedef struct lanecull_##c { \
        T* items;                 \
        size_t count;             \
    } lanecull_##c;
#define LANECULL_0
#define LANECULL_DEFAULT(...)
#define LANECULL_C_BEGIN
#define LANECULL_C_END
#define LANECULL_NOEXCEPT
#if defined(__GNUC__)
#define LANECULL_NODISCARD __attribute__((warn_unused_result))
#else
#define LANECULL_NODISCARD
#endif
#define LANECULL_LAYOUT(c, bytes) \
    typedef char lanecull_##c##_has_its_size[sizeof(void*) != 8 || sizeof(lanecull_##c) == bytes ? 1 : -1];
#endif
#define LANECULL_ENUM(Cpp, c) LANECULL_ENUM_OF(uint32_t, Cpp, c)
/// For what stands in arrays.
#define LANECULL_SMALL_ENUM(Cpp, c) LANECULL_ENUM_OF(uint8_t, Cpp, c)

/// Marks what a shared library exports; everything else in it is hidden. Only the library's own build sets
/// LANECULL_STATIC_BUILD and LANECULL_DLL_BUILD: a static library exports nothing beyond the program or shared library
/// that it is linked into. Users of a DLL need no dllimport, for it exports functions alone.
#if defined(LANECULL_DLL_BUILD)
#define LANECULL_EXPORT __attribute__((dllexport))
#elif defined(__GNUC__) && !defined(_WIN32) && !defined(LANECULL_STATIC_BUILD)
#define LANECULL_EXPORT __attribute__((visibility("default")))
#else
#define LANECULL_EXPORT
#endif
/// A function whose result must be used; and one whose result need not, or that has none.
#define LANECULL_API LANECULL_NODISCARD LANECULL_EXPORT
#define LANECULL_API_PLAIN LANECULL_EXPORT

#ifdef __cplusplus
namespace lanecull {
/// `count` things in a row: made of an array, a std::vector, std::array or std::span, or of one struct. Like std::span
/// it owns nothing, and must not outlive what it was made of.
template <class T>
struct Span {
    T* items = nullptr;
    size_t count = 0;

    constexpr Span() noexcept = default;
    constexpr Span(T* from, size_t how_many) noexcept : items(from), count(how_many) {}
    template <size_t n>
    constexpr Span(T (&array)[n]) noexcept : items(array), count(n) {}
    template <class One,
              class = std::enable_if_t<std::is_class<One>::value && std::is_convertible<One (*)[], T (*)[]>::value>>
    constexpr Span(One& one) noexcept : items(&one), count(1) {}
    template <class Row, class Item = std::remove_pointer_t<decltype(std::declval<Row&>().data())>,
              class = decltype(std::declval<Row&>().size()),
              class = std::enable_if_t<std::is_convertible<Item (*)[], T (*)[]>::value &&
                                       (std::is_lvalue_reference<Row>::value || std::is_const<T>::value ||
                                        std::is_trivially_copyable<Row>::value)>>
    constexpr Span(Row&& row) noexcept : items(row.data()), count(row.size()) {}

    constexpr T* begin() const noexcept { return items; }
    constexpr T* end() const noexcept { return items + count; }
    constexpr T* data() const noexcept { return items; }
    constexpr size_t size() const noexcept { return count; }
    constexpr size_t size_bytes() const noexcept { return count * sizeof(T); }
    constexpr bool empty() const noexcept { return count == 0; }
    constexpr T& operator[](size_t i) const noexcept { return items[i]; }
    constexpr T& front() const noexcept { return items[0]; }
    constexpr T& back() const noexcept { return items[count - 1]; }
    constexpr Span first(size_t n) const noexcept { return {items, n}; }
    constexpr Span subspan(size_t from) const noexcept { return {items + from, count - from}; }
    constexpr Span subspan(size_t from, size_t n) const noexcept { return {items + from, n}; }
};

/// Exactly `n` numbers: an array, a std::array, or a std::span of n; or a pointer, if it is said to be one.
template <class T, size_t n>
struct Numbers {
    T* first;

    constexpr Numbers(T (&array)[n]) noexcept : first(array) {}
    constexpr explicit Numbers(T* pointer) noexcept : first(pointer) {}
    template <class Array, std::enable_if_t<std::tuple_size<std::remove_cv_t<Array>>::value == n &&
                                                std::is_convertible<decltype(std::declval<Array&>().data()), T*>::value,
                                            int> = 0>
    constexpr Numbers(Array& array) noexcept : first(array.data()) {}
    template <class Array,
              std::enable_if_t<std::tuple_size<Array>::value == n && std::is_const<T>::value &&
                                   std::is_convertible<decltype(std::declval<const Array&>().data()), T*>::value,
                               int> = 0>
    constexpr Numbers(const Array&& array) noexcept : first(array.data()) {}
    template <class Fixed,
              std::enable_if_t<Fixed::extent == n && std::is_convertible<typename Fixed::pointer, T*>::value, int> = 0>
    constexpr Numbers(const Fixed& span) noexcept : first(span.data()) {}
};
}  // namespace lanecull
#endif

LANECULL_SPAN(uint64_t, words)
LANECULL_SPAN(const uint64_t, const_words)
LANECULL_SPAN(uint32_t, indices)
LANECULL_SPAN(const uint32_t, const_indices)
LANECULL_SPAN(unsigned char, bytes)
LANECULL_SPAN(float, floats)
LANECULL_SPAN(const float, const_floats)

/// Memory that a call writes, of any type. In C++ made of an array, or of a std::vector, std::array or std::span.
LANECULL_STRUCT(Memory, memory) {
    void* first LANECULL_0;
    size_t bytes LANECULL_0;
#ifdef __cplusplus
    constexpr Memory() noexcept = default;
    constexpr Memory(void* from, size_t how_many_bytes) noexcept : first(from), bytes(how_many_bytes) {}
    template <class T, size_t n, class = std::enable_if_t<!std::is_const<T>::value>>
    constexpr Memory(T(&array)[n]) noexcept : first(array), bytes(sizeof array) {}
    template <class Row, class Plain = std::remove_cv_t<std::remove_reference_t<Row>>,
              class = std::enable_if_t<!std::is_same<Plain, Memory>::value && (std::is_lvalue_reference<Row>::value ||
                                                                               std::is_trivially_copyable<Row>::value)>,
              class = std::enable_if_t<std::is_convertible<decltype(std::declval<Row&>().data()), void*>::value>>
    constexpr Memory(Row && row) noexcept : first(row.data()), bytes(row.size() * sizeof(*row.data())) {}

    std::byte* data() const noexcept { return static_cast<std::byte*>(first); }
    constexpr size_t size() const noexcept { return bytes; }
    constexpr bool empty() const noexcept { return bytes == 0; }
    std::byte* begin() const noexcept { return data(); }
    std::byte* end() const noexcept { return data() + bytes; }
#endif
};
LANECULL_LAYOUT(memory, 16)

/// Memory that a call works in. Its contents mean nothing before or after the call.
typedef lanecull_memory lanecull_scratch;
#ifdef __cplusplus
namespace lanecull {
using Scratch = Memory;
}
#endif

/// The kind of a call's failure, to branch on. The numbers stay. Later versions may add some, so treat one that
/// you do not know as a failure.
LANECULL_ENUM(StatusCode, status_code){
    LANECULL_VALUE(OK, ok) = 0,
    LANECULL_VALUE(INVALID_ARGUMENT, invalid_argument) = 1,  ///< an argument breaks its rule
    LANECULL_VALUE(NOT_READY, not_ready) = 2,  ///< what the call works on was not prepared, planned or refitted before
    LANECULL_VALUE(OUT_OF_MEMORY, out_of_memory) = 3,
    LANECULL_VALUE(UNSUPPORTED, unsupported) = 4,    ///< this build or machine cannot: a set, a kind, a file's version
    LANECULL_VALUE(SYSTEM_ERROR, system_error) = 5,  ///< a file cannot be opened, read or written
    LANECULL_VALUE(BAD_FILE, bad_file) = 6,          ///< a file is damaged, or its parts contradict one another
};

/// The outcome of a call: 72 bytes, without text. lanecull_explain() makes one sentence of it that names the argument
/// at fault and the rule that it breaks. Nothing is written to the outputs if a call fails. Its pointers point into
/// the library and are valid while it is loaded.
///
/// It is the one struct that functions return by value, so it has no constructors in C++ either: clang and Visual C++
/// warn of any other. lanecull::Status is it with what C++ expects.
typedef struct lanecull_status {
    lanecull_status_code code;
    uint32_t forms;       ///< what each of the numbers is: 4 bits each
    const char* where;    ///< what the argument is part of, such as "frame.cameras[%u]."; null: nothing
    const char* rule;     ///< the argument and its rule, with printf's conversions; null on success
    uint64_t numbers[6];  ///< what the conversions of `where` print, then those of `rule`; of a success nothing is set
} lanecull_status;
LANECULL_LAYOUT(status, 72)

/// Room for every sentence.
LANECULL_STRUCT(Message, message) {
    char text[224] LANECULL_0;
#ifdef __cplusplus
    operator const char*() const noexcept { return text; }
#endif
};

LANECULL_C_BEGIN
/// Writes the sentence to `text`, null-terminated, cut to `bytes`; empty on success. Returns `text`. lanecull_message
/// has room for any. Thread-safe.
LANECULL_API_PLAIN const char* lanecull_explain(const lanecull_status* status, char* text,
                                                size_t bytes) LANECULL_NOEXCEPT;
LANECULL_C_END

#ifdef __cplusplus
namespace lanecull {
/// The outcome of a call: success by itself. `if (Status s = cull(...); !s) std::puts(s.message());`
struct [[nodiscard]] Status : lanecull_status {
    // A success neither sets nor copies the numbers: that takes longer than most checks.
    // NOLINTBEGIN(clang-analyzer-optin.cplusplus.UninitializedObject, bugprone-copy-constructor-init)
    Status() noexcept { code = StatusCode::ok, forms = 0, where = nullptr, rule = nullptr; }
    Status(const lanecull_status& of_c) noexcept { *this = of_c; }
    Status(const Status& other) noexcept { *this = static_cast<const lanecull_status&>(other); }
    // NOLINTEND(clang-analyzer-optin.cplusplus.UninitializedObject, bugprone-copy-constructor-init)
    Status& operator=(const Status& other) noexcept { return *this = static_cast<const lanecull_status&>(other); }
    Status& operator=(const lanecull_status& other) noexcept {
        code = other.code, forms = other.forms, where = other.where, rule = other.rule;
        if (code != StatusCode::ok) std::memcpy(numbers, other.numbers, sizeof numbers);
        return *this;
    }

    bool ok() const noexcept { return code == StatusCode::ok; }
    explicit operator bool() const noexcept { return ok(); }
    /// The sentence, by value. As an argument of `printf` or of a template it is message().text.
    Message message() const noexcept {
        Message sentence;
        lanecull_explain(this, sentence.text, sizeof sentence.text);
        return sentence;
    }
};

/// An object of the library, owned: made by the constructor, moved, not copied; assigning by move swaps. It is null
/// where it was moved from, or where there was no memory for it.
template <class T, T* (*create)() noexcept, void (*destroy)(T*) noexcept>
class Owned {
public:
    Owned() noexcept : it_(create()) {}
    Owned(Owned&& other) noexcept : it_(std::exchange(other.it_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(it_, other.it_);
        return *this;
    }
    ~Owned() { destroy(it_); }
    operator const T*() const noexcept { return it_; }
    [[nodiscard]] T* get() noexcept { return it_; }

protected:
    T* it_;
};
}  // namespace lanecull
#endif

/// A piece of work in many tasks: call(context, i) does task i.
LANECULL_STRUCT(Task, task) {
    void (*call)(void* context, uint32_t index) LANECULL_0;
    void* context LANECULL_0;
    /// The tasks' name, for profilers: "cull", "write lists", ... Null, or valid for ever. Runners need not read it.
    const char* name LANECULL_0;
#ifdef __cplusplus
    void operator()(uint32_t index) const { call(context, index); }
#endif
};

/// Who runs a cull's tasks: how to put the library on a job system, a thread pool or a scheduler of your own.
///
/// What a runner must do. `run(self, count, task)` calls task->call(task->context, i) exactly once for each i in [0,
/// count) and returns when all of these calls have returned. The calls may be made in any order, on any threads, with
/// or without the calling one, any number at the same time. `self` is whatever the runner needs. Two more duties:
///  - what the caller wrote before run() must be visible to every task, and what the tasks wrote must be visible to the
///    caller after run(): each task *happens after* the call and *before* the return. Starting and joining threads,
///    mutexes, and counters decremented with std::memory_order_acq_rel all do that; relaxed counters do not;
///  - `*task` may be copied, but must not be called after run() has returned, because what it points to no longer
///    exists.
///
/// What a runner may rely on. One cull() calls run() at most twice, one call after the other, from the thread that
/// called cull(), with the same count both times, from 1 to 2^32 - 1; three times where lists are ordered. In the first
/// run() a task is one range of one batch in one view: whole words of 64 objects of the visibility bits, at most 16,384
/// objects, and as a rule some thousand. It writes those words, and numbers of its own in the scratch memory. The
/// second run() happens if a view wants a list: a task writes the indices, draw commands or runs of such a range's
/// visible objects. Between the two, a run() of one task for each view sorts what those with an Output::order list.
/// (Benchmarks cull/ and outputs/ measure how long an object takes.)
///
/// The tasks of one run() never write to the same byte, read nothing that another one writes, take no locks, wait for
/// nothing, allocate nothing and do not throw. Each can run wherever a function call can, with 64 KiB of stack. Tasks
/// set the floating-point modes that they need and restore those of their thread. Tasks are coarse enough that they
/// need no grouping; a runner may group them.
///
/// Exceptions must not leave run(): cull() is noexcept, so an exception would end the program. A runner that cannot get
/// a thread runs the tasks itself. It need not be re-entrant for one cull, since tasks call no runner. But if cull() is
/// called from several threads at once, or from inside a job, with the same runner, run() must allow that.
///
/// Neither the order nor the number of threads changes a result by a single bit. A complete runner that starts its
/// threads anew each time:
///
///     auto on_new_threads = [](uint32_t count, lanecull::Task task) {
///         std::atomic<uint64_t> next{0};  // wider than count, so that it cannot wrap
///         const auto work = [&] {
///             for (uint64_t i; (i = next++) < count;) task(static_cast<uint32_t>(i));
///         };
///         std::vector<std::thread> others;
///         for (unsigned t = 1; t < std::thread::hardware_concurrency(); ++t) others.emplace_back(work);
///         work();
///         for (std::thread& thread : others) thread.join();
///     };
///     lanecull::CullOptions options = {.runner = lanecull::runner_of(on_new_threads)};
///
/// A pool that keeps its threads waits for its workers instead of joining them. A runner that is called from inside a
/// job of its own pool must not wait for jobs that no thread is free to start: the calling thread takes part in the
/// work, as above, and waits only for workers that have started.
///
/// Without `run` the calling thread does everything, in order.
LANECULL_STRUCT(Runner, runner) {
    void* self LANECULL_0;
    void (*run)(void* self, uint32_t count, const lanecull_task* task) LANECULL_0;
#ifdef __cplusplus
    void operator()(uint32_t count, const Task& task) const {
        if (run != nullptr) return run(self, count, &task);
        for (uint32_t i = 0; i < count; ++i) task(i);
    }
#endif
};

#ifdef __cplusplus
namespace lanecull {
/// A runner of anything that is called as run(count, task): a lambda, a pool. It must outlive the runner.
template <class Run>
Runner runner_of(Run& run) noexcept {
    Runner runner;
    runner.self = const_cast<void*>(static_cast<const void*>(&run));
    runner.run = [](void* self, uint32_t count, const Task* task) { (*static_cast<Run*>(self))(count, *task); };
    return runner;
}
}  // namespace lanecull
#endif
