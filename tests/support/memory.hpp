#pragma once

#include <cstddef>
#include <memory>
#include <vector>

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
