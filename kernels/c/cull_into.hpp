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

/// Outputs of up to 64 views, on the stack. Only as many as there are views are touched, and of each only what
/// take_output() sets, which is all that a call reads: results are as large, and every call that succeeds writes them.
/// (Outputs that are cleared first, or copied from a blank one, cost 5 to 20 ns more each.)
template <class Output>
class StackOutputs {
public:
    static constexpr std::size_t most = 64;

    StackOutputs() noexcept {}  // leaves the memory as it is
    StackOutputs(const StackOutputs&) = delete;
    StackOutputs& operator=(const StackOutputs&) = delete;

    [[nodiscard]] std::span<Output> first(std::size_t count) noexcept {
        return {std::launder(reinterpret_cast<Output*>(memory_)), count};
    }

private:
    static_assert(std::is_trivially_copyable_v<Output> && std::is_trivially_destructible_v<Output>);
    alignas(Output) std::byte memory_[most * sizeof(Output)];
};

static_assert(sizeof(StackOutputs<ViewOutput>) <= 24 * 1024, "c/cull.h and c/flat/cull.h say 24 KB");
static_assert(sizeof(StackOutputs<SceneOutput>) <= 40 * 1024, "c/scene.h says 40 KB");

/// cull(outputs of C++), between taking those of C and giving them the results.
template <class Output, class Given, class Cull>
Status cull_into(Given* outputs, std::size_t view_count, const Cull& cull) noexcept {
    StackOutputs<Output> memory;
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
    for (std::size_t v = 0; v < view_count; ++v) take_output(given[v], fields, taken[v]);
    if (!fields.ok()) {
        status = fields.status();
        return status;
    }
    status = cull(taken);
    for (std::size_t v = 0; v < view_count && status; ++v) give_results(taken[v], given[v]);
    return status;
}

}  // namespace lanecull::c
