/// World bounds of transformed local boxes: checks, tasks, and the kernel of the instruction set.

#include <lanecull/world_bounds.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/float_modes.hpp"
#include "bounds/world_work.hpp"
#include "calls/check.hpp"
#include "calls/kernel_table.hpp"

namespace lanecull {
namespace {

constexpr std::size_t position_doubles = 3;
/// A multiple of every set's lanes; some 100 bytes an object pass through the nearest caches.
constexpr std::uint32_t task_objects = 8192;

std::size_t floats_of(TransformLayout layout) {
    return layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4 ? 16 : 12;
}

Status check_transforms(const Transforms& transforms) {
    if (static_cast<unsigned>(transforms.layout) > static_cast<unsigned>(TransformLayout::columns_4x4)) {
        return Status::failure("transforms.layout: %d is no TransformLayout", static_cast<int>(transforms.layout));
    }
    const Records records{transforms.first, transforms.stride_bytes};
    if (Status status = check_records(records, floats_of(transforms.layout), "transforms"); !status) return status;
    if (transforms.positions.first == nullptr) return {};
    const std::size_t stride = transforms.positions.stride_bytes;
    if (stride != Records::packed &&
        (stride % sizeof(double) != 0 || stride < position_doubles * sizeof(double) || stride > max_stride_bytes)) {
        return Status::failure(
            "transforms.positions.stride_bytes: %zu is not a multiple of 8 from 24 to %zu, nor packed", stride,
            max_stride_bytes);
    }
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(transforms.origin[k])) return Status::failure("transforms.origin[%zu]: not finite", k);
    }
    return {};
}

/// The name of the first of the streams that is null; null if none is.
const char* missing_stream(const Boxes& b) {
    constexpr const char* names[] = {"min_x", "min_y", "min_z", "max_x", "max_y", "max_z"};
    const float* const streams[] = {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z};
    for (std::size_t k = 0; k < 6; ++k) {
        if (streams[k] == nullptr) return names[k];
    }
    return nullptr;
}

const char* missing_stream(const BoxStreams& b) {
    return missing_stream(Boxes{b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z, 0});
}

Status check_boxes(const auto& streams, const char* name) {
    const char* const missing = missing_stream(streams);
    return missing == nullptr ? Status() : Status::failure("%s.%s: must not be null", name, missing);
}

Status check_local(const LocalBoxes& local, std::uint32_t count) {
    const std::uint32_t boxes = local.boxes.count;
    if (local.box_index == nullptr && boxes != count) {
        return Status::failure("local.boxes.count: %u, but there are %u objects and no box_index", boxes, count);
    }
    constexpr std::uint32_t most = std::numeric_limits<std::int32_t>::max();
    if (local.box_index != nullptr && (boxes == 0 || boxes > most)) {
        return Status::failure("local.boxes.count: %u, with box_index there must be 1 to %u", boxes, most);
    }
    return check_boxes(local.boxes, "local.boxes");
}

std::size_t stride_in(const Transforms& transforms) {
    const bool is_packed = transforms.stride_bytes == Records::packed;
    return is_packed ? floats_of(transforms.layout) : transforms.stride_bytes / sizeof(float);
}

WorldWork work_of(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count) {
    const Boxes& b = local.boxes;
    const bool is_packed = transforms.positions.stride_bytes == Records::packed;
    WorldWork work{};
    work.transforms = transforms.first;
    work.stride = stride_in(transforms);
    work.layout = transforms.layout;
    work.positions = transforms.positions.first;
    work.position_stride = is_packed ? position_doubles : transforms.positions.stride_bytes / sizeof(double);
    const float* const streams[] = {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z};
    for (std::size_t k = 0; k < 6; ++k) work.local[k] = streams[k];
    for (std::size_t k = 0; k < 3; ++k) work.origin[k] = transforms.origin[k];
    work.local_count = b.count;
    work.box_index = local.box_index;
    work.count = count;
    return work;
}

/// Runs the kernel over all objects, a task for each `task_objects` of them.
class Tasks {
public:
    Tasks(WorldKernel& kernel, const WorldWork& work) : kernel_(kernel), work_(work) {}

    void run(const Runner& runner) {
        const std::uint32_t tasks = work_.count / task_objects + (work_.count % task_objects != 0 ? 1 : 0);
        runner.run(runner.self, tasks,
                   {[](void* self, std::uint32_t task) { static_cast<Tasks*>(self)->run(task); }, this});
    }

private:
    void run(std::uint32_t task) const {
        const FloatModes modes;
        const std::uint32_t first = task * task_objects, left = work_.count - first;
        kernel_(work_, first, left < task_objects ? left : task_objects);
    }

    WorldKernel& kernel_;
    const WorldWork& work_;
};

/// What boxes and spheres have in common. `check_out` and `set_out` are about the streams that are written.
template <class CheckOut, class SetOut>
Status fill(WorldKernel* KernelTable::*kernel, const LocalBoxes& local, const Transforms& transforms,
            std::uint32_t count, const WorldBoundsOptions& options, const CheckOut& check_out, const SetOut& set_out) {
    if (count == 0) return {};
    if (Status status = check_local(local, count); !status) return status;
    if (Status status = check_transforms(transforms); !status) return status;
    if (Status status = check_out(); !status) return status;
    if (options.runner.run == nullptr) return Status::failure("options.runner.run: must not be null");
    const KernelTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    WorldWork work = work_of(local, transforms, count);
    set_out(work);
    Tasks(*(kernels->*kernel), work).run(options.runner);
    return {};
}

}  // namespace

Status world_boxes(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count, const BoxStreams& boxes,
                   const WorldBoundsOptions& options) noexcept {
    const auto check_out = [&] { return check_boxes(boxes, "boxes"); };
    return fill(&KernelTable::world_boxes, local, transforms, count, options, check_out, [&](WorldWork& work) {
        float* const out[] = {boxes.min_x, boxes.min_y, boxes.min_z, boxes.max_x, boxes.max_y, boxes.max_z};
        for (std::size_t k = 0; k < 6; ++k) work.out[k] = out[k];
    });
}

Status world_spheres(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count,
                     const SphereStreams& spheres, const WorldBoundsOptions& options) noexcept {
    const auto check_out = [&] {
        return check_streams({{spheres.x, "spheres.x"},
                              {spheres.y, "spheres.y"},
                              {spheres.z, "spheres.z"},
                              {spheres.radius, "spheres.radius"}});
    };
    return fill(&KernelTable::world_spheres, local, transforms, count, options, check_out, [&](WorldWork& work) {
        float* const out[] = {spheres.x, spheres.y, spheres.z, spheres.radius};
        for (std::size_t k = 0; k < 4; ++k) work.out[k] = out[k];
    });
}

Status join_boxes(const Boxes& boxes, const std::uint32_t* first, std::uint32_t count,
                  const BoxStreams& joined) noexcept {
    const FloatModes modes;
    if (count == 0) return {};
    if (const char* missing = missing_stream(boxes)) return Status::failure("boxes.%s: must not be null", missing);
    if (const char* missing = missing_stream(joined)) return Status::failure("joined.%s: must not be null", missing);
    if (first == nullptr) return Status::failure("first: must not be null");
    for (std::size_t i = 0; i < count; ++i) {
        if (first[i] > first[i + 1]) return Status::failure("first[%zu]: %u, and then %u", i, first[i], first[i + 1]);
    }
    if (first[count] > boxes.count) {
        return Status::failure("first[%u]: %u, of %u boxes", count, first[count], boxes.count);
    }
    const float* const lower[] = {boxes.min_x, boxes.min_y, boxes.min_z};
    const float* const upper[] = {boxes.max_x, boxes.max_y, boxes.max_z};
    float* const to_lower[] = {joined.min_x, joined.min_y, joined.min_z};
    float* const to_upper[] = {joined.max_x, joined.max_y, joined.max_z};
    constexpr float infinity = std::numeric_limits<float>::infinity(), none = std::numeric_limits<float>::quiet_NaN();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            float low = infinity, high = -infinity;
            bool valid = first[i] < first[i + 1];
            for (std::size_t j = first[i]; j < first[i + 1]; ++j) {
                // Comparisons that a NaN fails leave a box invalid, and so its mesh.
                valid = valid && lower[k][j] <= upper[k][j] && lower[k][j] > -infinity && upper[k][j] < infinity;
                low = lower[k][j] < low ? lower[k][j] : low;
                high = upper[k][j] > high ? upper[k][j] : high;
            }
            to_lower[k][i] = valid ? low : none;
            to_upper[k][i] = valid ? high : none;
        }
    }
    return {};
}

}  // namespace lanecull
