#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/types.h>

/// What files need of the operating system. It is implemented twice: system_files_posix.cpp and
/// system_files_windows.cpp. Nothing else in the library knows of a system. A failure gives the
/// system's reason. Windows takes paths as UTF-8.
namespace lanecull {

constexpr std::size_t most_path = 4000;

/// What the system calls its error of that number, null-terminated and cut to `bytes`.
void describe_system_error(unsigned long number, char* text, std::size_t bytes) noexcept;

/// A new file beside `path`. commit() puts it in the place of what was there; without commit() it disappears.
class NewFile {
public:
    /// `path` must outlive the object, and be shorter than most_path by 64 bytes.
    explicit NewFile(const char* path) noexcept : path_(path) {}
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile();

    [[nodiscard]] Status create() noexcept;
    [[nodiscard]] Status write(const void* data, std::size_t bytes) noexcept;
    /// Makes the contents durable first, then renames the file, then makes the name durable.
    [[nodiscard]] Status commit() noexcept;

private:
    static constexpr std::intptr_t none = -1;

    const char* path_;
    char name_[most_path];
    std::intptr_t file_ = none;  ///< a file descriptor or a HANDLE
};

/// A file in memory, to be read.
class MappedFile {
public:
    MappedFile() noexcept = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] Status open(const char* path) noexcept;
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
        return {static_cast<const std::byte*>(data_), bytes_};
    }

private:
    const void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace lanecull
