#include <lanecull/status.hpp>

#include <cstdarg>
#include <cstdio>

namespace lanecull {

Status Status::failure(const char* format, ...) noexcept {
    Status status;
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(status.text_, sizeof status.text_, format, arguments);
    va_end(arguments);
    if (status.text_[0] == '\0') status.text_[0] = '?';  // an empty text would mean success
    return status;
}

}  // namespace lanecull
