#pragma once

/// Outputs of C as those of C++, and back.

#include <cstddef>
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

    Output& make(std::size_t i) noexcept { return *new (memory_ + i * sizeof(Output)) Output; }
    [[nodiscard]] std::span<Output> first(std::size_t count) noexcept {
        return {std::launder(reinterpret_cast<Output*>(memory_)), count};
    }

private:
    static_assert(std::is_trivially_destructible_v<Output>);
    alignas(Output) std::byte memory_[most * sizeof(Output)];
};

}  // namespace lanecull::c
