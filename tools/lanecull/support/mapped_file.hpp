#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>

namespace lanecull::program {

/// A file's bytes, mapped for reading: processes of one machine that map one file share its pages.
class MappedFile {
public:
    MappedFile() = default;
    explicit MappedFile(const std::string& path);
    /// Of an open file, which may be closed then; `name`: what to call it. An empty one has no bytes.
    MappedFile(int descriptor, const std::string& name);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

private:
    std::span<const std::byte> bytes_;
};

/// A name in the folder for temporary files that no other file has, and a file of that name that is gone with this.
class TemporaryPath {
public:
    TemporaryPath();
    ~TemporaryPath();
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace lanecull::program
