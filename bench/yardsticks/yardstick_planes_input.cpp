#include "yardsticks/yardstick_planes_input.hpp"

#include <glm/geometric.hpp>

namespace bench {

SixPlanes six_planes(const Camera& camera) {
    const glm::dvec3 outward[6] = {-camera.forward(),
                                   camera.forward(),
                                   glm::normalize(camera.right() - camera.tan_x * camera.forward()),
                                   glm::normalize(-camera.right() - camera.tan_x * camera.forward()),
                                   glm::normalize(camera.up() - camera.tan_y * camera.forward()),
                                   glm::normalize(-camera.up() - camera.tan_y * camera.forward())};
    const double from_eye[6] = {-camera.near_depth, camera.far_depth, 0, 0, 0, 0};
    SixPlanes planes;
    for (int k = 0; k < 6; ++k) {
        for (int j = 0; j < 3; ++j) planes.normal[k][j] = static_cast<float>(outward[k][j]);
        planes.offset[k] = static_cast<float>(glm::dot(outward[k], camera.eye) + from_eye[k]);
    }
    return planes;
}

OrientedBoxTable::OrientedBoxTable(const lanecull::OrientedBoxes& boxes) {
    const auto column = [&](const lanecull::Records& records, std::size_t width, std::size_t k, Floats& out) {
        const std::size_t stride = records.stride_bytes == 0 ? width : records.stride_bytes / sizeof(float);
        out.resize(boxes.count);
        for (std::size_t i = 0; i < boxes.count; ++i) out[i] = records.first[i * stride + k];
        return out.data();
    };
    streams_ = {.centre = {boxes.x, boxes.y, boxes.z}, .axis = {}, .half = {}, .count = boxes.count};
    for (std::size_t k = 0; k < 3; ++k) {
        streams_.half[k] = column(boxes.half_extents, 3, k, half_[k]);
        for (std::size_t j = 0; j < 3; ++j) streams_.axis[k][j] = column(boxes.axes, 9, 3 * k + j, axes_[k][j]);
    }
}

}  // namespace bench
