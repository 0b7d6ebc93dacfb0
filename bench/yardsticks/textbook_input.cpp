#include "yardsticks/textbook_input.hpp"

#include "workloads/workload.hpp"

namespace bench {

textbook::Frustum textbook_frustum(const Camera& camera) {
    textbook::Frustum frustum;
    for (int k = 0; k < 3; ++k) {
        frustum.eye[k] = static_cast<float>(camera.eye[k]);
        frustum.right[k] = static_cast<float>(camera.right()[k]);
        frustum.up[k] = static_cast<float>(camera.up()[k]);
        frustum.forward[k] = static_cast<float>(camera.forward()[k]);
    }
    frustum.tan_x = static_cast<float>(camera.tan_x);
    frustum.tan_y = static_cast<float>(camera.tan_y);
    frustum.near_depth = static_cast<float>(camera.near_depth);
    frustum.far_depth = static_cast<float>(camera.far_depth);
    return frustum;
}

void textbook_overlaps(const lanecull::Batch& batch, const textbook::Frustum& frustum,
                       std::span<std::uint64_t> visible) {
    with_shapes(batch, [&](const auto& shapes) { textbook::overlaps(shapes, frustum, visible.data()); });
}

}  // namespace bench
