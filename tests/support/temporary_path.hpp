#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

/// A name in the folder for temporary files; what is there goes with this object.
class TemporaryPath {
public:
    TemporaryPath() : path_((std::filesystem::temp_directory_path() / "lanecull_XXXXXX").string()) {
        const int file = mkstemp(path_.data());
        if (file < 0) throw std::runtime_error("no temporary file");
        close(file);
    }
    ~TemporaryPath() { std::remove(path_.c_str()); }
    TemporaryPath(const TemporaryPath&) = delete;
    TemporaryPath& operator=(const TemporaryPath&) = delete;

    [[nodiscard]] const char* get() const { return path_.c_str(); }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::ifstream in(path_, std::ios::binary);
        const std::vector<char> read((std::istreambuf_iterator<char>(in)), {});
        const auto* first = reinterpret_cast<const std::byte*>(read.data());
        return {first, first + read.size()};
    }

private:
    std::string path_;
};
