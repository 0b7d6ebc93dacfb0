#pragma once

#include <memory>

#include <lanecull/export.hpp>
#include <lanecull/runner.hpp>

namespace lanecull {

/// Spreads a cull over the cores with oneTBB. Its own target: link lanecull::tbb.
///
/// One object may serve any number of culls, one after the other or at the same time. May be used from inside a oneTBB
/// task. Creating one allocates and may throw std::bad_alloc; running does what oneTBB does (a first parallel call
/// starts the worker threads).
class LANECULL_API TbbRunner {
public:
    /// At most `threads` threads, the calling one included; 0 takes as many as oneTBB finds cores.
    explicit TbbRunner(int threads = 0);
    ~TbbRunner();
    TbbRunner(TbbRunner&&) noexcept;
    TbbRunner& operator=(TbbRunner&&) noexcept;

    /// Threads that take part at most.
    [[nodiscard]] int threads() const noexcept;

    /// Valid as long as this object lives.
    [[nodiscard]] Runner runner() noexcept;
    operator Runner() noexcept { return runner(); }

private:
    struct Arena;
    std::unique_ptr<Arena> arena_;
};

}  // namespace lanecull
