#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/cull.hpp>

namespace lanecull {

/// Preconditions of a call that culls, batches or a scene alike.

inline constexpr std::size_t max_views = 64;

Status check_view_count(std::size_t views) noexcept;
Status check_views(std::span<const View> views) noexcept;

/// Of one output of view `v`: no words, or as many as there are.
Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept;

/// The method, and the runner.
Status check_how(const Options& options, const Runner& runner) noexcept;

/// The pieces of memory that a call writes: of its views' outputs at most nine each, and two of its own.
class WrittenMemory {
public:
    /// Of an output of view `view`; the call's own where that is max_views, `name` then with what it belongs to.
    void add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept;

    /// Fails where two reach into each other.
    Status check_overlaps() noexcept;

private:
    struct Piece {
        const std::byte* first;
        const std::byte* last;
        std::size_t view;
        const char* name;
    };
    Piece pieces_[2 + max_views * 9];
    std::size_t count_ = 0;
};

}  // namespace lanecull
