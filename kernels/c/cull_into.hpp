#pragma once

/// Calls of cull() that write outputs of C.

#include <cstddef>
#include <new>
#include <span>
#include <type_traits>

#include <lanecull/cull.hpp>
#include <lanecull/scene.hpp>

#include "c/given.hpp"
#include "c/outputs.hpp"
#include "c/scenes.hpp"

namespace lanecull::c {

/// Outputs of up to 64 views, or what they point to, on the stack. Only as many as there are views are touched, and of
/// each only what take_output() sets, which is all that a call reads: results are as large, and every call that
/// succeeds writes them. (Outputs that are cleared first, or copied from a blank one, cost 5 to 20 ns more each.)
template <class T>
class StackRow {
public:
    static constexpr std::size_t most = 64;

    StackRow() noexcept {}  // leaves the memory as it is
    StackRow(const StackRow&) = delete;
    StackRow& operator=(const StackRow&) = delete;

    [[nodiscard]] std::span<T> first(std::size_t count) noexcept {
        return {std::launder(reinterpret_cast<T*>(memory_)), count};
    }

private:
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
    alignas(T) std::byte memory_[most * sizeof(T)];
};

static_assert(64 * (sizeof(Output) + sizeof(Explanation) + sizeof(SceneOutput)) <= 40 * 1024, "headers of C say 40 KB");

/// cull(outputs of C++), between taking those of C and giving them the results.
template <class Given, class Cull>
Status cull_into(Given* outputs, std::size_t view_count, const Cull& cull) noexcept {
    StackRow<Output> memory;
    StackRow<Explanation> whys;
    StackRow<SceneOutput> owns;
    const Row<Given> given(outputs);
    Status status;
    if (view_count > memory.most) {
        status = Status::failure("views: 1 to %zu are culled in one call, not %zu", memory.most, view_count);
    } else {
        status = given.check(view_count, "outputs");
    }
    if (!status) return status;
    const std::span<Output> taken = memory.first(view_count);
    Fields fields;
    for (std::size_t v = 0; v < view_count; ++v) {
        take_output(given[v], fields, taken[v], whys.first(view_count)[v], owns.first(view_count)[v]);
    }
    if (!fields.ok()) {
        status = fields.status();
        return status;
    }
    status = cull(taken);
    for (std::size_t v = 0; v < view_count && status; ++v) give_results(taken[v], given[v]);
    return status;
}

}  // namespace lanecull::c
