#include "out_of_memory/fail_each.hpp"

#include <cstdio>
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
public:
    void SetUp() override {
        // These tests write thousands of files, none of which has to reach a disk.
        if (std::filesystem::is_directory("/dev/shm")) setenv("TMPDIR", "/dev/shm", 0);
        ASSERT_TRUE(lanecull::set_memory_hooks(hooks));
    }
    void TearDown() override {
        std::printf("%llu functions, %llu allocations, each alone and with all after it; %llu calls did without\n",
                    functions, allocations, done_without);
    }
    unsigned long long functions = 0, allocations = 0, done_without = 0;
};
Hooked* const hooked = static_cast<Hooked*>(testing::AddGlobalTestEnvironment(new Hooked));

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

void failing::count(const std::string& function, std::uint64_t allocations, std::uint64_t done_without) {
    ++hooked->functions;
    hooked->allocations += allocations;
    hooked->done_without += done_without;
    std::printf("%s: %llu allocations, without %llu\n", function.c_str(), static_cast<unsigned long long>(allocations),
                static_cast<unsigned long long>(done_without));
}

void* operator new(std::size_t bytes) {
    void* const memory = fails() ? nullptr : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
