#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <lanecull/types.h>

/// The example at lanecull::Runner: a runner that starts its own threads. The thread sanitizer sees that they are
/// joined, which it does not of oneTBB's (tests/tsan.supp).
inline lanecull::Runner on_new_threads(const unsigned& threads) {
    return {const_cast<unsigned*>(&threads), [](void* self, std::uint32_t count, const lanecull::Task* task) {
                std::atomic<std::uint64_t> next{0};
                const auto work = [&] {
                    for (std::uint64_t i; (i = next++) < count;) (*task)(static_cast<std::uint32_t>(i));
                };
                std::vector<std::thread> others;
                for (unsigned t = 1; t < *static_cast<unsigned*>(self); ++t) others.emplace_back(work);
                work();
                for (std::thread& thread : others) thread.join();
            }};
}
