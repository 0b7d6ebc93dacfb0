#include <lanecull/tbb.hpp>

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

namespace lanecull {

struct TbbRunner::Arena {
    explicit Arena(int threads) : arena(threads > 0 ? threads : oneapi::tbb::task_arena::automatic) {}

    static void run(void* self, std::uint32_t count, Task task) {
        static_cast<Arena*>(self)->arena.execute(
            [&] { oneapi::tbb::parallel_for(std::uint32_t{0}, count, [&](std::uint32_t i) { task(i); }); });
    }

    oneapi::tbb::task_arena arena;
};

TbbRunner::TbbRunner(int threads) : arena_(std::make_unique<Arena>(threads)) {}
TbbRunner::~TbbRunner() = default;
TbbRunner::TbbRunner(TbbRunner&&) noexcept = default;
TbbRunner& TbbRunner::operator=(TbbRunner&&) noexcept = default;

int TbbRunner::threads() const noexcept { return arena_->arena.max_concurrency(); }
Runner TbbRunner::runner() noexcept { return {arena_.get(), &Arena::run}; }

}  // namespace lanecull
