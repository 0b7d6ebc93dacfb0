#pragma once

/// How a call is to be made: options and runners of C as those of C++.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include <lanecull/c/cull.h>
#include <lanecull/c/runner.h>
#include <lanecull/cull.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/runner.hpp>

#include "c/given.hpp"

namespace lanecull::c {

/// In C a set has the number of its enumerator; tests/c/arguments.c compares them.
inline Status take_isa(std::uint32_t number, const char* name, Isa& isa) noexcept {
    constexpr Isa last = *std::max_element(std::begin(all_isas), std::end(all_isas));
    return take_enum(number, last, name, isa);
}

/// `options` may be null.
Status take_options(const lanecull_cull_options* options, CullOptions& to) noexcept;

/// `runner` may be null, and must exist while `to` is used.
Status take_runner(const lanecull_runner* runner, Runner& to) noexcept;

/// The last arguments of calls that cull.
struct CallOptions {
    std::span<std::byte> scratch;
    CullOptions options;

    [[nodiscard]] Status take(void* memory, std::size_t bytes, const lanecull_cull_options* given,
                              const lanecull_runner* who) noexcept;
};

}  // namespace lanecull::c
