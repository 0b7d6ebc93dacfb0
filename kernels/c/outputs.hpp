#pragma once

/// Outputs of C as those of C++, and back.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>

#include <lanecull/c/cull.h>
#include <lanecull/cull.hpp>

#include "c/given.hpp"
#include "c/lists.hpp"

namespace lanecull::c {

void take_draws(const lanecull_draw_output& given, Spans& spans, DrawOutput& to) noexcept;
Status take_output(const lanecull_view_output& given, ViewOutput& to) noexcept;
/// The occluders of an output of either kind.
template <class Given>
Status take_occluders(const Given& given, std::span<const Occluder>& to) noexcept {
    if (given.occluders == nullptr) return {};
    return take_items(given.occluders, given.first_occluder, given.occluder_count, "outputs.occluders", to);
}

void give_statistics(const Statistics& from, lanecull_statistics* to) noexcept;
void give_results(const ViewOutput& from, lanecull_view_output& to) noexcept;

/// Outputs of up to 64 views, for a call that keeps them on the stack. Only as many as there are views are touched.
template <class Output>
class StackOutputs {
public:
    static constexpr std::size_t most = 64;

    StackOutputs() noexcept {}  // leaves the memory as it is
    StackOutputs(const StackOutputs&) = delete;
    StackOutputs& operator=(const StackOutputs&) = delete;

    /// The first `count`, blank. They are copied from those before, twice as many each time: gcc clears one by one with
    /// `rep stos`, which takes some 20 ns to begin.
    [[nodiscard]] std::span<Output> make(std::size_t count) noexcept {
        if (count == 0) return {};
        auto* const all = new (memory_) Output;
        for (std::size_t done = 1; done < count;) {
            const std::size_t more = std::min(done, count - done);
            std::memcpy(memory_ + done * sizeof(Output), memory_, more * sizeof(Output));
            done += more;
        }
        return {all, count};
    }

private:
    static_assert(std::is_trivially_copyable_v<Output>);
    alignas(Output) std::byte memory_[most * sizeof(Output)];
};

}  // namespace lanecull::c
