#include "support/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "support/error.hpp"
#include "support/input_file.hpp"

namespace lanecull::program {

namespace {

/// An open file, closed with this.
class Descriptor {
public:
    explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        if (number_ < 0) fail_to_read(path);
    }
    ~Descriptor() { close(number_); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const { return number_; }

private:
    int number_;
};

}  // namespace

MappedFile::MappedFile(const std::string& path) : MappedFile(Descriptor(path).number(), path) {}

MappedFile::MappedFile(int descriptor, const std::string& name) {
    struct stat file {};
    if (fstat(descriptor, &file) != 0) fail_to_read(name);
    if (file.st_size == 0) return;
    void* start = mmap(nullptr, static_cast<std::size_t>(file.st_size), PROT_READ, MAP_SHARED, descriptor, 0);
    if (start == MAP_FAILED && errno == ENOMEM) throw std::bad_alloc();
    if (start == MAP_FAILED) fail_to_read(name);
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
