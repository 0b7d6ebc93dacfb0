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

/// Checks one output of view `v`: it must have no words, or `words` of them.
Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept;

/// Checks the method and the runner.
Status check_how(const CullOptions& options, const Runner& runner) noexcept;

/// The pieces of memory that a call writes, and those that it reads meanwhile: those of each view's outputs, and two of
/// the call's own.
class CallMemory {
public:
    static constexpr std::size_t own = ~std::size_t{0};  ///< in place of a view: a piece of the call's own
    static constexpr std::size_t most_of_a_view = 15;    ///< a SceneOutput has fifteen; a ViewOutput has eleven

    /// Adds a piece that belongs to an output of view `view`. A piece of the call's own has `own` as its view, and
    /// `name` is then the argument's full name.
    void add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept;
    /// Adds a piece that is only read.
    void add_read(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept;

    /// Fails if two pieces overlap, at least one of which is written.
    Status check_overlaps() noexcept;

private:
    struct Piece {
        const std::byte* first;
        const std::byte* last;
        std::size_t view;
        const char* name;
        bool is_written;
    };
    static Status overlap(const Piece& a, const Piece& b) noexcept;

    Piece pieces_[2 + max_views * most_of_a_view];
    std::size_t count_ = 0;
};

}  // namespace lanecull
