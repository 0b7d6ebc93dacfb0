#include "support/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>

std::byte* HeapMemory::allocate(std::size_t bytes, std::size_t alignment) {
    constexpr std::size_t boundary = 64;
    blocks_.push_back(std::make_unique<std::byte[]>(bytes + boundary + offset_ * alignment));
    const auto address = reinterpret_cast<std::uintptr_t>(blocks_.back().get());
    return blocks_.back().get() + (boundary - address % boundary) + offset_ * alignment;
}

std::byte* GuardedMemory::allocate(std::size_t bytes, std::size_t /*alignment*/) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    const std::size_t whole = inner + 2 * page;
    void* start = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) throw std::bad_alloc();
    mappings_.push_back({start, whole});
    std::byte* usable = static_cast<std::byte*>(start) + page;
    if (inner != 0 && mprotect(usable, inner, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    return against_ == Against::end ? usable + (inner - bytes) : usable;
}

GuardedMemory::~GuardedMemory() {
    for (const Mapping& mapping : mappings_) munmap(mapping.start, mapping.bytes);
}
