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
        if (!views[v].prepared()) return Status::failure("views[%zu]: was not prepared by prepare_view()", v);
    }
    return {};
}

Status check_words(std::span<const std::uint64_t> given, std::size_t words, std::size_t v, const char* name) noexcept {
    if (given.empty() || given.size() == words) return {};
    return Status::failure("outputs[%zu].%s: must have no words or %zu (visibility_words()), not %zu", v, name, words,
                           given.size());
}

Status check_how(const Options& options, const Runner& runner) noexcept {
    if (options.method > Method::gjk) {
        return Status::failure("options.method: %d is no method", static_cast<int>(options.method));
    }
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    return {};
}

void WrittenMemory::add(const void* first, std::size_t bytes, std::size_t view, const char* name) noexcept {
    const auto* from = static_cast<const std::byte*>(first);
    if (bytes > 0) pieces_[count_++] = {from, from + bytes, view, name};
}

/// Sorts the pieces by address. Then each piece must end before the next one begins.
Status WrittenMemory::check_overlaps() noexcept {
    std::sort(pieces_, pieces_ + count_,
              [](const Piece& a, const Piece& b) { return std::less<>()(a.first, b.first); });
    for (std::size_t i = 1; i < count_; ++i) {
        const Piece& a = pieces_[i - 1];
        const Piece& b = pieces_[i];
        if (!std::less<>()(b.first, a.last)) continue;
        const Piece& output = a.view == max_views ? b : a;
        const Piece& other = a.view == max_views ? a : b;
        if (output.view == max_views) return Status::failure("options.view_masks: overlaps scratch");
        if (other.view == max_views) {
            return Status::failure("outputs[%zu].%s: overlaps %s", output.view, output.name, other.name);
        }
        return Status::failure("outputs[%zu].%s: overlaps outputs[%zu].%s", output.view, output.name, other.view,
                               other.name);
    }
    return {};
}

}  // namespace lanecull
