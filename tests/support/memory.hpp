#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include <lanecull/library.h>

/// The memory of a test's arrays. An allocation lives as long as the object that made it.
class Memory {
public:
    virtual ~Memory() = default;
    virtual std::byte* allocate(std::size_t bytes, std::size_t alignment) = 0;

    template <class T>
    T* array(std::size_t count) {
        return reinterpret_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    }
};

/// Ordinary memory. Each array starts `offset` elements after a 64-byte boundary.
class HeapMemory : public Memory {
public:
    explicit HeapMemory(std::size_t offset = 0) : offset_(offset) {}
    std::byte* allocate(std::size_t bytes, std::size_t alignment) override;

private:
    std::size_t offset_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// Each array has pages of its own between two guard pages: reading or writing outside of it ends the program.
class GuardedMemory : public Memory {
public:
    /// end: arrays end where the guard page starts. start: arrays start where the guard page ends.
    enum class Against { end, start };

    explicit GuardedMemory(Against against) : against_(against) {}
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    ~GuardedMemory() override;
    std::byte* allocate(std::size_t bytes, std::size_t alignment) override;

private:
    struct Mapping {
        void* start;
        std::size_t bytes;
    };
    Against against_;
    std::vector<Mapping> mappings_;
};

/// While it exists, the library's memory is counted: how much is held now, and how much was at most. What is taken
/// meanwhile must be released before it ends.
class HeldMemory {
public:
    HeldMemory() : before_(lanecull::memory_hooks()) {
        const lanecull::MemoryHooks hooks{
            this, [](void* self, std::size_t bytes) { return static_cast<HeldMemory*>(self)->resize(nullptr, bytes); },
            [](void* self, void* memory, std::size_t bytes) {
                return static_cast<HeldMemory*>(self)->resize(memory, bytes);
            },
            [](void* self, void* memory) {
                static_cast<HeldMemory*>(self)->now_ -= size_of(memory);
                std::free(block_of(memory));
            }};
        static_cast<void>(lanecull::set_memory_hooks(hooks).ok());
    }
    HeldMemory(const HeldMemory&) = delete;
    HeldMemory& operator=(const HeldMemory&) = delete;
    ~HeldMemory() { static_cast<void>(lanecull::set_memory_hooks(before_).ok()); }

    [[nodiscard]] double now() const { return static_cast<double>(now_); }
    /// Since the last call.
    [[nodiscard]] double most() {
        const std::size_t most = most_;
        most_ = now_;
        return static_cast<double>(most);
    }

private:
    static constexpr std::size_t head = 64;  ///< before each block, which keeps its size

    static void* block_of(void* memory) { return static_cast<std::byte*>(memory) - head; }
    static std::size_t size_of(void* memory) {
        return memory != nullptr ? *static_cast<std::size_t*>(block_of(memory)) : 0;
    }
    void* resize(void* memory, std::size_t bytes) {
        const std::size_t before = size_of(memory);
        void* const block = std::realloc(memory != nullptr ? block_of(memory) : nullptr, head + bytes);
        if (block == nullptr) return nullptr;
        *static_cast<std::size_t*>(block) = bytes;
        now_ = now_ - before + bytes;
        most_ = std::max(most_, now_ + before);  // realloc() may have had both
        return static_cast<std::byte*>(block) + head;
    }

    lanecull::MemoryHooks before_;
    std::size_t now_ = 0, most_ = 0;
};
