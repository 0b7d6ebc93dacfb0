/// World bounds of transformed local boxes: checks, tasks, and the kernel of the instruction set.

#include <lanecull/bounds.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "bounds/kernels.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

/// A multiple of every set's lanes; some 100 bytes an object pass through the nearest caches.
constexpr std::uint32_t task_objects = 8192;

const char* missing_stream(const BoxStreams& b) {
    return missing_stream(Boxes{b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z, 0});
}

Status check_box_streams(const BoxStreams& streams, const char* name) {
    const char* const missing = missing_stream(streams);
    return missing == nullptr ? Status() : failure("%s.%s: must not be null", lasting(name), lasting(missing));
}

bool is_wanted(const WrittenRecords& records) { return records.first != nullptr; }

Status check_box_streams(const OrientedBoxStreams& b) {
    const Status status = check_streams({{b.x, "boxes.x"}, {b.y, "boxes.y"}, {b.z, "boxes.z"}});
    if (!status) return status;
    if (is_wanted(b.axes) == is_wanted(b.quaternions)) {
        return failure("boxes.axes.first, quaternions.first: one of the two must be null, the other not");
    }
    const auto check = [](const WrittenRecords& records, std::size_t floats, const char* name) {
        return check_records({records.first, records.stride_bytes}, floats, name);
    };
    const Status turned =
        is_wanted(b.axes) ? check(b.axes, 9, "boxes.axes") : check(b.quaternions, 4, "boxes.quaternions");
    return turned ? check(b.half_extents, 3, "boxes.half_extents") : turned;
}

RecordsOut records_out(const WrittenRecords& records, std::size_t floats) {
    const bool is_packed = records.stride_bytes == 0;
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
Status fill(WorldKernel* BoundsTable::*kernel, const BoxInstances* instances, const WorldBoundsOptions* given,
            const CheckOut& check_out, const SetOut& set_out) {
    const WorldBoundsOptions& options = or_usual(given);
    if (Status status = check_not_null(instances, "instances"); !status) return status;
    if (Status status = check_cleared(options, "options"); !status) return status;
    const auto& [transforms, local, count] = *instances;
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
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_world_boxes(const lanecull_box_instances* instances,
                                     const lanecull_world_bounds_options* options,
                                     const lanecull_box_streams* boxes) noexcept {
    if (boxes == nullptr) return failure("boxes: must not be null");
    const auto check_out = [&] { return check_box_streams(*boxes, "boxes"); };
    return fill(&BoundsTable::world_boxes, instances, options, check_out, [&](WorldWork& work) {
        float* const out[] = {boxes->min_x, boxes->min_y, boxes->min_z, boxes->max_x, boxes->max_y, boxes->max_z};
        for (std::size_t k = 0; k < 6; ++k) work.out[k] = out[k];
    });
}

lanecull_status lanecull_world_spheres(const lanecull_box_instances* instances,
                                       const lanecull_world_bounds_options* options,
                                       const lanecull_sphere_streams* spheres) noexcept {
    if (spheres == nullptr) return failure("spheres: must not be null");
    const auto check_out = [&] {
        return check_streams({{spheres->x, "spheres.x"},
                              {spheres->y, "spheres.y"},
                              {spheres->z, "spheres.z"},
                              {spheres->radius, "spheres.radius"}});
    };
    return fill(&BoundsTable::world_spheres, instances, options, check_out, [&](WorldWork& work) {
        float* const out[] = {spheres->x, spheres->y, spheres->z, spheres->radius};
        for (std::size_t k = 0; k < 4; ++k) work.out[k] = out[k];
    });
}

lanecull_status lanecull_world_oriented_boxes(const lanecull_box_instances* instances,
                                              const lanecull_world_bounds_options* options,
                                              const lanecull_oriented_box_streams* boxes) noexcept {
    if (boxes == nullptr) return failure("boxes: must not be null");
    const auto check_out = [&] { return check_box_streams(*boxes); };
    return fill(&BoundsTable::world_oriented_boxes, instances, options, check_out, [&](WorldWork& work) {
        float* const out[] = {boxes->x, boxes->y, boxes->z, boxes->bounding_radius};
        for (std::size_t k = 0; k < 4; ++k) work.out[k] = out[k];
        work.axes = records_out(boxes->axes, 9);
        work.quaternions = records_out(boxes->quaternions, 4);
        work.half_extents = records_out(boxes->half_extents, 3);
    });
}

lanecull_status lanecull_join_boxes(const lanecull_boxes* boxes, const uint32_t* first, uint32_t count,
                                    const lanecull_box_streams* joined) noexcept {
    const FloatModes modes;
    if (boxes == nullptr) return failure("boxes: must not be null");
    if (joined == nullptr) return failure("joined: must not be null");
    if (count == 0) return Status();
    const Boxes& from = *boxes;
    const BoxStreams& to = *joined;
    if (const char* missing = missing_stream(from)) return failure("boxes.%s: must not be null", lasting(missing));
    if (const char* missing = missing_stream(to)) return failure("joined.%s: must not be null", lasting(missing));
    if (first == nullptr) return failure("first: must not be null");
    for (std::size_t i = 0; i < count; ++i) {
        if (first[i] > first[i + 1]) return failure("first[%zu]: %u, and then %u", i, first[i], first[i + 1]);
    }
    if (first[count] > from.count) {
        return failure("first[%u]: %u, of %u boxes", count, first[count], from.count);
    }
    const float* const lower[] = {from.min_x, from.min_y, from.min_z};
    const float* const upper[] = {from.max_x, from.max_y, from.max_z};
    float* const to_lower[] = {to.min_x, to.min_y, to.min_z};
    float* const to_upper[] = {to.max_x, to.max_y, to.max_z};
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
    return Status();
}
