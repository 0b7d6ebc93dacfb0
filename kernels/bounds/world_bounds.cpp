/// World bounds of transformed local boxes: checks, tasks, and the kernel of the instruction set.

#include <lanecull/world_bounds.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/float_modes.hpp"
#include "bounds/kernels.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

/// A multiple of every set's lanes; some 100 bytes an object pass through the nearest caches.
constexpr std::uint32_t task_objects = 8192;

const char* missing_stream(const BoxStreams& b) {
    return missing_stream(Boxes{b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z, 0});
}

Status check_streams(const BoxStreams& streams, const char* name) {
    const char* const missing = missing_stream(streams);
    return missing == nullptr ? Status() : Status::failure("%s.%s: must not be null", name, missing);
}

bool is_wanted(const WrittenRecords& records) { return records.first != nullptr; }

Status check_streams(const OrientedBoxStreams& b) {
    const Status status = lanecull::check_streams({{b.x, "boxes.x"}, {b.y, "boxes.y"}, {b.z, "boxes.z"}});
    if (!status) return status;
    if (is_wanted(b.axes) == is_wanted(b.quaternions)) {
        return Status::failure("boxes.axes.first, quaternions.first: one of the two must be null, the other not");
    }
    const auto check = [](const WrittenRecords& records, std::size_t floats, const char* name) {
        return check_records({records.first, records.stride_bytes}, floats, name);
    };
    const Status turned =
        is_wanted(b.axes) ? check(b.axes, 9, "boxes.axes") : check(b.quaternions, 4, "boxes.quaternions");
    return turned ? check(b.half_extents, 3, "boxes.half_extents") : turned;
}

RecordsOut records_out(const WrittenRecords& records, std::size_t floats) {
    const bool is_packed = records.stride_bytes == Records::packed;
    return {records.first, is_packed ? floats : records.stride_bytes / sizeof(float)};
}

/// Runs the kernel over all objects, a task for each `task_objects` of them.
class Tasks {
public:
    Tasks(WorldKernel& kernel, const WorldWork& work) : kernel_(kernel), work_(work) {}

    void run(const Runner& runner) {
        const std::uint32_t tasks = work_.count / task_objects + (work_.count % task_objects != 0 ? 1 : 0);
        runner(tasks,
               {[](void* self, std::uint32_t task) { static_cast<Tasks*>(self)->run(task); }, this, "world bounds"});
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

/// What all bounds have in common. `check_out` and `set_out` are about the streams that are written.
template <class CheckOut, class SetOut>
Status fill(WorldKernel* BoundsTable::*kernel, const LocalBoxes& local, const Transforms& transforms,
            std::uint32_t count, const WorldBoundsOptions& options, const CheckOut& check_out, const SetOut& set_out) {
    if (count == 0) return {};
    if (Status status = check_local_boxes(local, count, "local"); !status) return status;
    if (Status status = check_transforms(transforms, "transforms"); !status) return status;
    if (Status status = check_out(); !status) return status;
    const BoundsTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    WorldWork work{transforms, local, count, {}, {}, {}, {}};
    set_out(work);
    Tasks(*(kernels->*kernel), work).run(options.runner);
    return {};
}

}  // namespace

Status world_boxes(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count, const BoxStreams& boxes,
                   const WorldBoundsOptions& options) noexcept {
    const auto check_out = [&] { return check_streams(boxes, "boxes"); };
    return fill(&BoundsTable::world_boxes, local, transforms, count, options, check_out, [&](WorldWork& work) {
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
    return fill(&BoundsTable::world_spheres, local, transforms, count, options, check_out, [&](WorldWork& work) {
        float* const out[] = {spheres.x, spheres.y, spheres.z, spheres.radius};
        for (std::size_t k = 0; k < 4; ++k) work.out[k] = out[k];
    });
}

Status world_oriented_boxes(const LocalBoxes& local, const Transforms& transforms, std::uint32_t count,
                            const OrientedBoxStreams& boxes, const WorldBoundsOptions& options) noexcept {
    const auto check_out = [&] { return check_streams(boxes); };
    return fill(&BoundsTable::world_oriented_boxes, local, transforms, count, options, check_out, [&](WorldWork& work) {
        float* const out[] = {boxes.x, boxes.y, boxes.z, boxes.bounding_radius};
        for (std::size_t k = 0; k < 4; ++k) work.out[k] = out[k];
        work.axes = records_out(boxes.axes, 9);
        work.quaternions = records_out(boxes.quaternions, 4);
        work.half_extents = records_out(boxes.half_extents, 3);
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
