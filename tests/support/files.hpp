#pragma once

#include <unistd.h>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/scene.h>

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

/// A saved scene, on disk for as long as this object lives.
class SceneFile {
public:
    explicit SceneFile(const lanecull::Scene& scene) {
        const lanecull::Status status = scene.save(path_.get());
        if (!status) throw std::runtime_error(status.message());
    }

    [[nodiscard]] const char* path() const { return path_.get(); }
    [[nodiscard]] std::vector<std::byte> bytes() const { return path_.bytes(); }

private:
    TemporaryPath path_;
};
