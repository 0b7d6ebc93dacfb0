#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lanecull/scene.h>

#include "scene/lists.hpp"
#include "support/generate.hpp"
#include "support/scene_file.hpp"

/// Scenes for tests by hand. Those of any objects are in properties/scenes/.
namespace scene_tests {

/// Objects of each kind about a camera, as batches and as a scene.
struct Example {
    Random random;
    PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    HullSet hulls = random_hulls(random, 3);
    HeapMemory memory;
    std::vector<lanecull::Batch> batches;
    lanecull::DrawCommand command{36, 1, 0, 0, 7};  ///< the template of all batches
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;  ///< by kind

    Example(std::uint64_t seed, std::size_t count, const lanecull::AddOptions& options = {}) : random(seed) {
        for (const Kind kind : all_kinds) {
            batches.push_back(
                make_batch(kind, random_objects(random, kind, prepared.camera, count, hulls), hulls, memory));
            batches.back().draws = {&command};
        }
        handles.resize(batches.size() * count);
        require(scene.add(batches, handles, options));
    }
    Example(const Example&) = delete;
    Example& operator=(const Example&) = delete;

    [[nodiscard]] std::vector<std::byte> bytes() const { return SceneFile(scene).bytes(); }
};

}  // namespace scene_tests
