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

#include <lanecull/scene.hpp>

/// A saved scene, on disk for as long as this object lives.
class SceneFile {
public:
    explicit SceneFile(const lanecull::Scene& scene)
        : path_((std::filesystem::temp_directory_path() / "lanecull_scene_XXXXXX").string()) {
        const int file = mkstemp(path_.data());
        if (file < 0) throw std::runtime_error("no temporary file");
        close(file);
        const lanecull::Status status = scene.save(path_.c_str());
        if (!status) throw std::runtime_error(status.message());
    }
    ~SceneFile() { std::remove(path_.c_str()); }
    SceneFile(const SceneFile&) = delete;
    SceneFile& operator=(const SceneFile&) = delete;

    [[nodiscard]] const char* path() const { return path_.c_str(); }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::ifstream in(path_, std::ios::binary);
        const std::vector<char> read((std::istreambuf_iterator<char>(in)), {});
        const auto* first = reinterpret_cast<const std::byte*>(read.data());
        return {first, first + read.size()};
    }

private:
    std::string path_;
};
