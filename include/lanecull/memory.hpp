#pragma once

#include <cstddef>

#include <lanecull/export.hpp>
#include <lanecull/status.hpp>

namespace lanecull {

/// Where the library takes its memory: for scenes, passes and solid boxes, and for what their edits need meanwhile.
/// Nothing else in lanecull::lanecull allocates; in lanecull::visibility CRoaring alone, which has hooks of its own,
/// and lanecull::hulls by operator new and qhull. The functions are malloc(), realloc() and free() but for `self`:
/// memory is aligned for any fundamental type, null says that there is none, and `release` is never given null. They
/// may be called from any thread that calls the library, and must not throw.
struct MemoryHooks {
    void* self = nullptr;
    void* (*allocate)(void* self, std::size_t bytes) = nullptr;
    void* (*reallocate)(void* self, void* memory, std::size_t bytes) = nullptr;  ///< `memory` may be null
    void (*release)(void* self, void* memory) = nullptr;
};

/// From now on all memory comes from `hooks`. To be called before anything that allocates, and by one thread: memory
/// that was taken before would be released by the wrong function. Without it memory is the C library's. Fails, and
/// changes nothing, if a function is null.
LANECULL_API Status set_memory_hooks(const MemoryHooks& hooks) noexcept;

/// The hooks that are in force.
[[nodiscard]] LANECULL_API const MemoryHooks& memory_hooks() noexcept;

/// The one owner of what an object of the library holds, or of nothing. It may be moved, not copied; assigning by move
/// swaps. The object's class defines its constructors and its destructor where Contents is a complete type. Not part of
/// the interface.
template <class Contents>
class Owned {
public:
    Owned() noexcept = default;
    Owned(Contents* contents) noexcept : contents_(contents) {}
    Owned(Owned&& other) noexcept { swap(other); }
    Owned& operator=(Owned&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Owned() { delete contents_; }

    operator Contents*() const noexcept { return contents_; }
    Contents* operator->() const noexcept { return contents_; }

private:
    void swap(Owned& other) noexcept {
        Contents* const mine = contents_;
        contents_ = other.contents_;
        other.contents_ = mine;
    }

    Contents* contents_ = nullptr;
};

}  // namespace lanecull
