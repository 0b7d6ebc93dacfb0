#pragma once

#include <lanecull/export.hpp>

namespace lanecull {

/// The outcome of a call: success, or one sentence that names the argument at fault and the rule that it breaks.
///
/// Nothing in the library throws, and nothing is written to the outputs if a call returns a failure. A Status holds its
/// text without allocation, so it may outlive everything that it speaks of.
class [[nodiscard]] LANECULL_API Status {
public:
    /// Success.
    Status() noexcept { text_[0] = '\0'; }  // and no more: to clear all of it takes longer than most checks

    /// Failure. `format` and the arguments after it are as for printf; a text of more than 223 characters is cut.
#if defined(__clang__)
    [[gnu::format(printf, 1, 2)]]
#elif defined(__GNUC__)
    [[gnu::format(gnu_printf, 1, 2)]]  // on Windows, printf is that of Microsoft's library
#endif
    static Status
    failure(const char* format, ...) noexcept;

    [[nodiscard]] bool ok() const noexcept { return text_[0] == '\0'; }
    explicit operator bool() const noexcept { return ok(); }

    /// The sentence; empty on success. Valid as long as this object.
    [[nodiscard]] const char* message() const noexcept { return text_; }

private:
    char text_[224];
};

}  // namespace lanecull
