/// Preconditions of batches: everything that can be told without reading the arrays.

#include "calls/check.hpp"

#include <cstdio>
#include <variant>

namespace lanecull {
namespace {

Status check(const Spheres& s) { return check_streams({{s.x, "x"}, {s.y, "y"}, {s.z, "z"}, {s.radius, "radius"}}); }

Status check(const Boxes& s) {
    return check_streams({{s.min_x, "min_x"},
                          {s.min_y, "min_y"},
                          {s.min_z, "min_z"},
                          {s.max_x, "max_x"},
                          {s.max_y, "max_y"},
                          {s.max_z, "max_z"}});
}

Status check(const CenteredBoxes& s) {
    return check_streams(
        {{s.x, "x"}, {s.y, "y"}, {s.z, "z"}, {s.half_x, "half_x"}, {s.half_y, "half_y"}, {s.half_z, "half_z"}});
}

Status check(const OrientedBoxes& s) {
    if (Status status = check_streams({{s.x, "x"}, {s.y, "y"}, {s.z, "z"}}); !status) return status;
    if ((s.axes.first == nullptr) == (s.quaternions.first == nullptr)) {
        return Status::failure("axes.first, quaternions.first: one of the two must be null, the other not");
    }
    Status status =
        s.axes.first != nullptr ? check_records(s.axes, 9, "axes") : check_records(s.quaternions, 4, "quaternions");
    if (!status) return status;
    return check_records(s.half_extents, 3, "half_extents");
}

Status check(const Capsules& s) {
    return check_streams({{s.a_x, "a_x"},
                          {s.a_y, "a_y"},
                          {s.a_z, "a_z"},
                          {s.b_x, "b_x"},
                          {s.b_y, "b_y"},
                          {s.b_z, "b_z"},
                          {s.radius, "radius"}});
}

Status check(const HullInstances& s) {
    if (Status status = check_records(s.transforms, 12, "transforms"); !status) return status;
    if (s.hulls == nullptr || s.hull_count == 0) return Status::failure("hulls: there must be at least one");
    if (s.hull_index == nullptr && s.hull_count > 1) {
        return Status::failure("hull_index: must not be null with %u hulls", s.hull_count);
    }
    for (std::uint32_t h = 0; h < s.hull_count; ++h) {
        if (s.hulls[h].count == 0) return Status::failure("hulls[%u]: was not prepared by prepare_hull()", h);
    }
    const int bounds = (s.bounding_x != nullptr) + (s.bounding_y != nullptr) + (s.bounding_z != nullptr) +
                       (s.bounding_radius != nullptr);
    if (bounds != 0 && bounds != 4) {
        return Status::failure("bounding_x, _y, _z, _radius: all four must be given, or none");
    }
    return {};
}

Status check(const Attributes& a) {
    const int sweeps = (a.sweep_x != nullptr) + (a.sweep_y != nullptr) + (a.sweep_z != nullptr);
    if (sweeps != 0 && sweeps != 3) {
        return Status::failure("attributes.sweep_x, _y, _z: all three must be given, or none");
    }
    return {};
}

Status check_batch(const Batch& batch) {
    if (Status status = check_shapes(batch.shapes); !status) return status;
    if (Status status = check(batch.attributes); !status) return status;
    return check_draw_templates(batch.draws);
}

}  // namespace

Status check_streams(std::initializer_list<NamedStream> streams) noexcept {
    for (const NamedStream& s : streams) {
        if (s.stream == nullptr) return Status::failure("%s: must not be null", s.name);
    }
    return {};
}

Status check_draw_templates(const DrawTemplates& draws) noexcept {
    if (draws.first == nullptr || draws.per == DrawTemplates::Per::batch) return {};
    if (draws.per != DrawTemplates::Per::object) {
        return Status::failure("draws.per: %d is neither batch nor object", static_cast<int>(draws.per));
    }
    const std::size_t stride = draws.stride_bytes;
    if (stride % 4 != 0 || stride < sizeof(DrawCommand) || stride > max_stride_bytes) {
        return Status::failure("draws.stride_bytes: %zu is not a multiple of 4 from 20 to %zu", stride,
                               max_stride_bytes);
    }
    return {};
}

Status check_records(const Records& records, std::size_t floats, const char* name) noexcept {
    if (records.first == nullptr) return Status::failure("%s.first: must not be null", name);
    const std::size_t stride = records.stride_bytes;
    if (stride == Records::packed) return {};
    if (stride % sizeof(float) != 0 || stride < floats * sizeof(float) || stride > max_stride_bytes) {
        return Status::failure("%s.stride_bytes: %zu is not a multiple of 4 from %zu to %zu, nor packed", name, stride,
                               floats * sizeof(float), max_stride_bytes);
    }
    return {};
}

Status check_shapes(const Batch::Shapes& shapes) noexcept {
    return std::visit([](const auto& s) { return s.count == 0 ? Status() : check(s); }, shapes);
}

Status check_batches(std::span<const Batch> batches) noexcept {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        if (batches[b].count() == 0) continue;
        const Status status = check_batch(batches[b]);
        if (!status) return Status::failure("batches[%zu].%s", b, status.message());
    }
    return {};
}

}  // namespace lanecull
