#pragma once

#include <cstdint>

#include <lanecull/export.hpp>
#include <lanecull/language.hpp>

namespace lanecull {

/// What kind of failure a call returns, to branch on. The numbers stay. Later versions may add some, so treat one that
/// you do not know as a failure.
enum class StatusCode : std::int32_t {
    ok = 0,
    invalid_argument = 1,  ///< an argument breaks its rule
    not_ready = 2,         ///< what the call works on was not prepared, planned or refitted before
    out_of_memory = 3,
    unsupported = 4,   ///< this build or this machine cannot: an instruction set, a kind of solids, a file's version
    system_error = 5,  ///< a file cannot be opened, read or written; the text has the operating system's reason
    bad_file = 6,      ///< a scene file is damaged, or its parts contradict one another
};

/// The outcome of a call: success; or what kind of failure, and one sentence that names the argument at fault and the
/// rule that it breaks.
///
/// Nothing in the library throws, and nothing is written to the outputs if a call returns a failure. A Status holds its
/// text without allocation, so it may outlive everything that it speaks of.
class [[nodiscard]] LANECULL_API Status {
public:
    /// Success.
    Status() noexcept : code_(StatusCode::ok) {
        text_[0] = '\0';
    }  // and no more: to clear all of it takes longer than most checks

    /// Failure. `format` and the arguments after it are as for printf; a text of more than 223 characters is cut. The
    /// code is invalid_argument where none is given, or `ok`.
#if defined(__clang__)
    [[gnu::format(printf, 1, 2)]]
#elif defined(__GNUC__)
    [[gnu::format(gnu_printf, 1, 2)]]  // on Windows, printf is that of Microsoft's library
#endif
    static Status
    failure(const char* format, ...) noexcept;
#if defined(__clang__)
    [[gnu::format(printf, 2, 3)]]
#elif defined(__GNUC__)
    [[gnu::format(gnu_printf, 2, 3)]]
#endif
    static Status
    failure(StatusCode code, const char* format, ...) noexcept;

    [[nodiscard]] bool ok() const noexcept { return code_ == StatusCode::ok; }
    explicit operator bool() const noexcept { return ok(); }

    [[nodiscard]] StatusCode code() const noexcept { return code_; }
    /// The sentence; empty on success. Valid as long as this object.
    [[nodiscard]] const char* message() const noexcept { return text_; }

private:
    StatusCode code_;
    char text_[224];
};

}  // namespace lanecull
