#include "support/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "support/error.hpp"
#include "support/input_file.hpp"

namespace lanecull::program {

MappedFile::MappedFile(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail_to_read(path);
    struct stat file {};
    void* start = MAP_FAILED;
    if (fstat(descriptor, &file) == 0 && file.st_size > 0) {
        start = mmap(nullptr, static_cast<std::size_t>(file.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    }
    close(descriptor);
    if (start == MAP_FAILED) fail_to_read(path);
    bytes_ = {static_cast<const std::byte*>(start), static_cast<std::size_t>(file.st_size)};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

TemporaryPath::TemporaryPath() : path_((std::filesystem::temp_directory_path() / "lanecull-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) fail("cannot make a temporary file {}: {}", path_, std::strerror(errno));
    close(descriptor);
}

TemporaryPath::~TemporaryPath() { unlink(path_.c_str()); }

}  // namespace lanecull::program
