/// Files by Win32.

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ defines it, and may come first in a precompiled header
#define NOMINMAX
#endif
#include <windows.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/failure.hpp"
#include "base/system_files.hpp"

namespace lanecull {
namespace {

HANDLE handle_of(std::intptr_t file) { return reinterpret_cast<HANDLE>(file); }

/// `what`: "cannot be written", ...
Status system_failure(const char* what) {
    return failure(StatusCode::system_error, "path: %s: %s", lasting(what), SystemError{GetLastError()});
}

/// A path as Win32 takes it; an empty one, which no file has, where it is not UTF-8.
class WidePath {
public:
    explicit WidePath(const char* utf8) noexcept {
        if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, utf8, -1, path_, most_path) == 0) path_[0] = L'\0';
    }
    [[nodiscard]] const wchar_t* get() const noexcept { return path_; }

private:
    wchar_t path_[most_path];
};

/// Closes a handle at the end of its block.
class Closing {
public:
    explicit Closing(HANDLE handle) noexcept : handle_(handle) {}
    Closing(const Closing&) = delete;
    Closing& operator=(const Closing&) = delete;
    ~Closing() { CloseHandle(handle_); }

private:
    HANDLE handle_;
};

}  // namespace

void describe_system_error(unsigned long number, char* text, std::size_t bytes) noexcept {
    const DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, number, 0,
                                        text, static_cast<DWORD>(bytes), nullptr);
    if (length == 0) {
        std::snprintf(text, bytes, "error %lu", number);
    } else {
        text[std::strcspn(text, "\r\n")] = '\0';  // it ends in a new line
    }
}

Status NewFile::create() noexcept {
    std::snprintf(name_, sizeof name_, "%s.%lu.part", path_, GetCurrentProcessId());
    const HANDLE file =
        CreateFileW(WidePath(name_).get(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return system_failure("cannot be written");
    file_ = reinterpret_cast<std::intptr_t>(file);
    return {};
}

NewFile::~NewFile() {
    if (file_ == none) return;
    CloseHandle(handle_of(file_));
    DeleteFileW(WidePath(name_).get());
}

Status NewFile::write(const void* data, std::size_t bytes) noexcept {
    constexpr std::size_t at_once = 1u << 30;
    const auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
        DWORD written = 0;
        const auto part = static_cast<DWORD>(std::min(bytes, at_once));
        if (WriteFile(handle_of(file_), at, part, &written, nullptr) == 0 || written == 0) {
            return system_failure("cannot be written");
        }
        at += written;
        bytes -= written;
    }
    return {};
}

Status NewFile::commit() noexcept {
    if (FlushFileBuffers(handle_of(file_)) == 0) return system_failure("cannot be written");
    CloseHandle(handle_of(std::exchange(file_, none)));  // an open file cannot be renamed
    const WidePath name(name_);
    if (MoveFileExW(name.get(), WidePath(path_).get(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0) {
        return {};
    }
    Status failed = system_failure("cannot be written");
    DeleteFileW(name.get());
    return failed;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) UnmapViewOfFile(data_);
}

Status MappedFile::open(const char* path) noexcept {
    const WidePath wide(path);
    const DWORD attributes = GetFileAttributesW(wide.get());
    if (attributes == INVALID_FILE_ATTRIBUTES) return system_failure("cannot be opened");
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return failure(StatusCode::system_error, "path: is not a file");
    const HANDLE file = CreateFileW(wide.get(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) return system_failure("cannot be opened");
    const Closing close_file(file);
    LARGE_INTEGER size;
    if (GetFileType(file) != FILE_TYPE_DISK || GetFileSizeEx(file, &size) == 0) {
        return failure(StatusCode::system_error, "path: is not a file");
    }
    if (!std::in_range<std::ptrdiff_t>(size.QuadPart)) {
        return failure(StatusCode::system_error, "path: is larger than memory can be");
    }
    if (size.QuadPart == 0) return {};  // which cannot be mapped
    const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
    if (mapping == nullptr) return system_failure("cannot be mapped");
    const Closing close_mapping(mapping);
    data_ = MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    if (data_ == nullptr) return system_failure("cannot be mapped");
    bytes_ = static_cast<std::size_t>(size.QuadPart);
    return {};
}

}  // namespace lanecull
