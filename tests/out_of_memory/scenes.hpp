#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <lanecull/scene.h>

#include "out_of_memory/fail_each.hpp"
#include "support/generate.hpp"
#include "support/scene_file.hpp"

/// Scenes for these tests, and what is seen of them.

inline lanecull::View view_of(Random& random, Projection projection) {
    return random_prepared_camera(random, projection).view;
}

/// Cameras, hulls and objects about them; batches live as long.
class Around {
public:
    explicit Around(std::uint64_t seed)
        : random_(seed), prepared_(random_prepared_camera(random_, Projection::perspective)) {
        hulls = random_hulls(random_, 3);
        views.push_back(prepared_.view);
        views.push_back(view_of(random_, Projection::orthographic));
    }

    lanecull::Batch batch(Kind kind, std::size_t count, const Streams& streams = {}) {
        std::vector<Object> objects = random_objects(random_, kind, prepared_.camera, count, hulls);
        for (Object& object : objects) {
            grow(random_, kind, hulls, streams, object);
            if (streams.flags && random_.chance(0.1)) object.flags = lanecull::object_disabled;
        }
        return make_batch(kind, objects, hulls, memory_, {.bounds = false, .streams = streams});
    }
    Random& random() { return random_; }

    HullSet hulls;
    std::vector<lanecull::View> views;

private:
    Random random_;
    PreparedCamera prepared_;
    HeapMemory memory_;
};

struct SceneState {
    lanecull::Scene scene;
    std::vector<lanecull::Handle> handles;  ///< room for what is added
};

inline std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Meaning: the objects that the views see, by handle. Exact: the scene as a file, and whether it is stale.
inline Seen look(SceneState& state, std::span<const lanecull::View> views) {
    const lanecull::Scene& scene = state.scene;
    Seen seen;
    seen.exact = scene.stale() ? "stale" : "fit";
    state.scene.refit();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    std::vector<lanecull::Handle> visible(scene.object_count());
    seen.meaning = std::to_string(scene.object_count()) + " objects, " + std::to_string(scene.handle_limit());
    for (const lanecull::View& view : views) {
        lanecull::SceneOutput of_scene{.handles = visible};
        lanecull::Output output{.scene = &of_scene};
        const lanecull::Status status = lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status) << status.message();
        std::sort(visible.begin(), visible.begin() + static_cast<std::ptrdiff_t>(output.visible_count));
        seen.meaning += text_of(std::as_bytes(std::span(visible).first(output.visible_count)));
    }
    const std::vector<std::byte> file = SceneFile(scene).bytes();
    lanecull::Scene read;
    const lanecull::Status status = lanecull::Scene::load(std::span<const std::byte>(file), read);
    EXPECT_TRUE(status) << "its parts do not belong together: " << status.message();
    seen.exact += text_of(file);
    return seen;
}
