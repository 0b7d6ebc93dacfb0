#pragma once

#include <fmt/core.h>

#include <lanecull/types.h>
#include <stdexcept>
#include <string_view>

namespace lanecull::program {

/// What the user reads, in one line on stderr, before the program ends with a non-zero exit status.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The command line is wrong: the exit status is another one.
struct WrongUsage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    throw Error(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// fail() for the value of an option, whatever is needed to find out that it is wrong.
template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    throw WrongUsage(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Refuses a number that is not from low to high, NaN included.
inline void check_number(const char* option, double value, double low, double high) {
    if (!(value >= low && value <= high)) refuse("{}: {:g} to {:g} is allowed, not {:g}", option, low, high, value);
}

/// Passes a failure of the library on.
inline void require(const Status& status) {
    if (!status) throw Error(status.message());
}

/// The same for a call that reads or writes a file, which the library's sentence does not name.
inline void require(const Status& status, std::string_view file) {
    if (status) return;
    const auto sentence = status.message();
    std::string_view text = sentence.text;
    for (const std::string_view known : {"path: ", "visibility file: ", "scene file: "}) {
        if (text.starts_with(known)) text.remove_prefix(known.size());
    }
    fail("{}: {}", file, text);
}

}  // namespace lanecull::program
