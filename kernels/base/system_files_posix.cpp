/// Files by POSIX.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/failure.hpp"
#include "base/system_files.hpp"

namespace lanecull {
namespace {

/// `what`: "cannot be written", ...
Status system_failure(const char* what) {
    return failure(StatusCode::system_error, "path: %s: %s", lasting(what),
                   SystemError{static_cast<unsigned long>(errno)});
}

/// After a rename, so that the name survives a power cut. Where that fails the file is in place all the same.
void sync_directory_of(const char* path) {
    char directory[most_path];
    std::snprintf(directory, sizeof directory, "%s", path);
    char* slash = std::strrchr(directory, '/');
    if (slash == nullptr) {
        std::snprintf(directory, sizeof directory, ".");
    } else {
        slash[slash == directory ? 1 : 0] = '\0';
    }
    const int opened = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0) return;
    fsync(opened);
    close(opened);
}

}  // namespace

void describe_system_error(unsigned long number, char* text, std::size_t bytes) noexcept {
    std::snprintf(text, bytes, "%s", std::strerror(static_cast<int>(number)));
}

Status NewFile::create() noexcept {
    std::snprintf(name_, sizeof name_, "%s.%ld.part", path_, static_cast<long>(getpid()));
    file_ = ::open(name_, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file_ == none ? system_failure("cannot be written") : Status();
}

NewFile::~NewFile() {
    if (file_ == none) return;
    close(static_cast<int>(file_));
    unlink(name_);
}

Status NewFile::write(const void* data, std::size_t bytes) noexcept {
    const auto* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t written = ::write(static_cast<int>(file_), at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return system_failure("cannot be written");
        at += written;
        bytes -= static_cast<std::size_t>(written);
    }
    return {};
}

Status NewFile::commit() noexcept {
    if (fsync(static_cast<int>(file_)) != 0 || rename(name_, path_) != 0) {
        return system_failure("cannot be written");
    }
    close(static_cast<int>(std::exchange(file_, none)));
    sync_directory_of(path_);
    return {};
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) munmap(const_cast<void*>(data_), bytes_);
}

Status MappedFile::open(const char* path) noexcept {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return system_failure("cannot be opened");
    struct stat about {};
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(file);
        return failure(StatusCode::system_error, "path: is not a file");
    }
    if (!std::in_range<std::ptrdiff_t>(about.st_size)) {
        close(file);
        return failure(StatusCode::system_error, "path: is larger than memory can be");
    }
    const auto bytes = static_cast<std::size_t>(about.st_size);
    void* mapped = bytes > 0 ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
    close(file);
    if (mapped == MAP_FAILED) return system_failure("cannot be mapped");
    data_ = mapped;
    bytes_ = bytes;
    return {};
}

}  // namespace lanecull
