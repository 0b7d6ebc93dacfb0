#pragma once

#include <memory>

#include <lanecull/types.h>

namespace lanecull {

/// Spreads a cull over the cores with oneTBB. A target of its own: link lanecull::tbb.
///
/// One object may serve any number of culls, one after the other or at the same time, also from inside a oneTBB task.
/// Creating one allocates and may throw std::bad_alloc. Running does what oneTBB does: the first parallel call starts
/// the worker threads.
class LANECULL_EXPORT TbbRunner {
public:
    /// At most `threads` threads, the calling one included; 0 takes as many as oneTBB finds cores.
    explicit TbbRunner(int threads = 0);
    ~TbbRunner();
    TbbRunner(TbbRunner&&) noexcept;
    TbbRunner& operator=(TbbRunner&&) noexcept;

    /// How many threads take part at most.
    [[nodiscard]] int threads() const noexcept;

    /// Valid as long as this object lives.
    [[nodiscard]] Runner runner() noexcept;
    operator Runner() noexcept { return runner(); }

private:
    struct Arena;
    std::unique_ptr<Arena> arena_;
};

}  // namespace lanecull
