#include "out_of_memory/fail_each.hpp"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <new>

#include <lanecull/library.h>

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

std::uint64_t asked = 0;
std::uint64_t failing_at = never;
bool all_after_it = false;

bool fails() {
    const std::uint64_t k = asked++;
    return k == failing_at || (all_after_it && k > failing_at);
}

/// Memory of the C library, so that the address sanitizer sees each block's end.
const lanecull::MemoryHooks hooks = {
    nullptr, [](void*, std::size_t bytes) { return fails() ? nullptr : std::malloc(bytes); },
    [](void*, void* memory, std::size_t bytes) { return fails() ? nullptr : std::realloc(memory, bytes); },
    [](void*, void* memory) { std::free(memory); }};

class Hooked : public testing::Environment {
    void SetUp() override {
        // These tests write thousands of files, none of which has to reach a disk.
        if (std::filesystem::is_directory("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
        ASSERT_TRUE(lanecull::set_memory_hooks(hooks));
    }
};
const testing::Environment* const hooked = testing::AddGlobalTestEnvironment(new Hooked);

}  // namespace

void failing::begin(std::uint64_t at, bool all_after) {
    asked = 0;
    failing_at = at;
    all_after_it = all_after;
}

bool failing::end() {
    const bool has_failed = asked > failing_at;
    failing_at = never;
    all_after_it = false;
    return has_failed;
}

void* operator new(std::size_t bytes) {
    void* const memory = fails() ? nullptr : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
