#include <lanecull/status.hpp>

#include <cstdarg>
#include <cstdio>

namespace lanecull {

Status Status::failure(const char* format, ...) noexcept {
    Status status;
    status.code_ = StatusCode::invalid_argument;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(status.text_, sizeof status.text_, format, arguments);
    va_end(arguments);
    return status;
}

Status Status::failure(StatusCode code, const char* format, ...) noexcept {
    Status status;
    status.code_ = code == StatusCode::ok ? StatusCode::invalid_argument : code;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(status.text_, sizeof status.text_, format, arguments);
    va_end(arguments);
    return status;
}

}  // namespace lanecull
