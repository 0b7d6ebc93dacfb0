#pragma once

#include <fmt/core.h>

#include <lanecull/status.hpp>
#include <stdexcept>
#include <utility>

namespace lanecull::program {

/// What the user is told, in one line on stderr, before the program ends with a non-zero exit status.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    throw Error(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Passes a failure of the library on.
inline void require(const Status& status) {
    if (!status) throw Error(status.message());
}

}  // namespace lanecull::program
