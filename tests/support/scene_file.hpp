#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

#include <lanecull/scene.h>

#include "support/temporary_path.hpp"

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
