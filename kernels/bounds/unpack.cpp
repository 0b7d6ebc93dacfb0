/// Unpacks arrays of structs into streams.

#include <lanecull/bounds.h>

#include <cmath>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "base/interval.hpp"
#include "bounds/kernels.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

constexpr std::size_t max_floats = max_stride_bytes / sizeof(float);
constexpr std::size_t doubles = 3;

Status check_stride(const DoubleRecords& records) {
    const std::size_t stride = records.stride_bytes;
    if (stride == 0) return {};
    if (stride % sizeof(double) != 0 || stride < doubles * sizeof(double) || stride > max_stride_bytes) {
        return failure("positions.stride_bytes: %zu is not a multiple of 8 from 24 to %zu, nor packed", stride,
                       max_stride_bytes);
    }
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_unpack_floats(const lanecull_records* records, uint32_t count, lanecull_isa isa,
                                       float* const* streams, size_t stream_count) noexcept {
    const std::size_t floats = stream_count;  // of a record
    if (count == 0) return Status();
    if (records == nullptr) return failure("records: must not be null");
    if (streams == nullptr && floats != 0) return check_span(Span<float* const>(streams, floats), "streams");
    if (floats < 1 || floats > max_floats) {
        return failure("streams: records have 1 to %zu floats, not %zu", max_floats, floats);
    }
    if (Status status = check_records(*records, floats, "records"); !status) return status;
    const BoundsTable* kernels = nullptr;
    if (Status status = find_kernels(isa, "isa", kernels); !status) return status;
    const std::size_t stride = records->stride_bytes != 0 ? records->stride_bytes / sizeof(float) : floats;
    kernels->unpack(records->first, stride, floats, count, streams);
    return Status();
}

lanecull_status lanecull_relative_spheres(const lanecull_double_records* positions, const float* radius, uint32_t count,
                                          const double* origin, float* x, float* y, float* z,
                                          float* sphere_radius) noexcept {
    const FloatModes modes;
    if (count == 0) return Status();
    if (positions == nullptr) return failure("positions: must not be null");
    if (origin == nullptr) return failure("origin: must not be null");
    if (positions->first == nullptr) return failure("positions.first: must not be null");
    if (Status status = check_stride(*positions); !status) return status;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(origin[k])) return failure("origin[%zu]: not finite", k);
    }
    float* const center[3] = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (center[k] == nullptr) return failure("%c: must not be null", "xyz"[k]);
    }
    if (sphere_radius == nullptr) return failure("sphere_radius: must not be null");
    const std::size_t stride = positions->stride_bytes != 0 ? positions->stride_bytes / sizeof(double) : doubles;
    for (std::uint32_t i = 0; i < count; ++i) {
        double error[3];
        for (std::size_t k = 0; k < 3; ++k) {
            // The subtraction is off by 2^-53 of its result. The difference between the result and the float is
            // computed exactly.
            const double relative = positions->first[i * stride + k] - origin[k];
            center[k][i] = static_cast<float>(relative);
            error[k] = std::fabs(relative - static_cast<double>(center[k][i])) + std::fabs(relative) * 0x1p-53;
        }
        const double own = radius != nullptr ? static_cast<double>(radius[i]) : 0;
        sphere_radius[i] =
            own < 0 ? static_cast<float>(own) : rounded_up(own + std::hypot(error[0], error[1], error[2]));
    }
    return Status();
}
