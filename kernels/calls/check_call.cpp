/// Preconditions of a call that culls.

#include "calls/check_call.hpp"

#include <algorithm>
#include <functional>

namespace lanecull {

Status check_view_count(std::size_t views) noexcept {
    if (views > 0 && views <= max_views) return {};
    return Status::failure("views: 1 to %zu are culled in one call, not %zu", max_views, views);
}

Status check_views(std::span<const View> views) noexcept {
    if (Status status = check_view_count(views.size()); !status) return status;
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!views[v].prepared())
            return Status::failure(StatusCode::not_ready, "views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept {
    if (given.empty() || given.size() == words) return {};
    return Status::failure("outputs[%zu].%s: must have no words or %zu (visibility_words()), not %zu", v, name, words,
                           given.size());
}

Status check_how(const CullOptions& options, const Runner& runner) noexcept {
    if (options.method > Method::gjk) {
        return Status::failure("options.method: %d is no method", static_cast<int>(options.method));
    }
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    return {};
}

void CallMemory::add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept {
    const auto* from = static_cast<const std::byte*>(first);
    if (bytes > 0) pieces_[count_++] = {from, from + bytes, view, name, true};
}

void CallMemory::add_read(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept {
    const auto* from = static_cast<const std::byte*>(first);
    if (bytes > 0) pieces_[count_++] = {from, from + bytes, view, name, false};
}

Status CallMemory::overlap(const Piece& a, const Piece& b) noexcept {
    const Piece& output = a.view == own ? b : a;
    const Piece& other = a.view == own ? a : b;
    if (output.view == own) return Status::failure("options.view_masks: overlaps scratch");
    if (other.view == own) {
        return Status::failure("outputs[%zu].%s: overlaps %s", output.view, output.name, other.name);
    }
    return Status::failure("outputs[%zu].%s: overlaps outputs[%zu].%s", output.view, output.name, other.view,
                           other.name);
}

/// Takes the pieces by address. A written one must begin where all pieces before it have ended, a read one where all
/// written pieces before it have.
Status CallMemory::check_overlaps() noexcept {
    std::sort(pieces_, pieces_ + count_,
              [](const Piece& a, const Piece& b) { return std::less<>()(a.first, b.first); });
    const Piece* longest = nullptr;          // of the pieces before, the one that ends last
    const Piece* longest_written = nullptr;  // the same of those that are written
    const auto longer = [](const Piece* a, const Piece& b) {
        return a == nullptr || std::less<>()(a->last, b.last) ? &b : a;
    };
    for (std::size_t i = 0; i < count_; ++i) {
        const Piece& piece = pieces_[i];
        const Piece* before = piece.is_written ? longest : longest_written;
        if (before != nullptr && std::less<>()(piece.first, before->last)) return overlap(*before, piece);
        longest = longer(longest, piece);
        if (piece.is_written) longest_written = longer(longest_written, piece);
    }
    return {};
}

}  // namespace lanecull
