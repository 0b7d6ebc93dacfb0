/// Unpacks arrays of structs into streams.

#include <lanecull/unpack.hpp>

#include <cmath>

#include "base/float_modes.hpp"
#include "base/interval.hpp"
#include "bounds/kernels.hpp"
#include "calls/check.hpp"

namespace lanecull {
namespace {

constexpr std::size_t max_floats = max_stride_bytes / sizeof(float);
constexpr std::size_t doubles = 3;

Status check_stride(const DoubleRecords& records) {
    const std::size_t stride = records.stride_bytes;
    if (stride == Records::packed) return {};
    if (stride % sizeof(double) != 0 || stride < doubles * sizeof(double) || stride > max_stride_bytes) {
        return Status::failure("positions.stride_bytes: %zu is not a multiple of 8 from 24 to %zu, nor packed", stride,
                               max_stride_bytes);
    }
    return {};
}

}  // namespace

Status unpack_floats(const Records& records, std::uint32_t count, std::span<float* const> streams, Isa isa) noexcept {
    if (count == 0) return {};
    const std::size_t floats = streams.size();
    if (floats < 1 || floats > max_floats) {
        return Status::failure("streams: records have 1 to %zu floats, not %zu", max_floats, floats);
    }
    if (Status status = check_records(records, floats, "records"); !status) return status;
    const BoundsTable* kernels = nullptr;
    if (Status status = find_kernels(isa, "isa", kernels); !status) return status;
    const std::size_t stride = records.stride_bytes != Records::packed ? records.stride_bytes / sizeof(float) : floats;
    kernels->unpack(records.first, stride, floats, count, streams.data());
    return {};
}

Status relative_spheres(const DoubleRecords& positions, const float* radius, std::uint32_t count,
                        std::span<const double, 3> origin, float* x, float* y, float* z,
                        float* sphere_radius) noexcept {
    const FloatModes modes;
    if (count == 0) return {};
    if (positions.first == nullptr) return Status::failure("positions.first: must not be null");
    if (Status status = check_stride(positions); !status) return status;
    for (std::size_t k = 0; k < 3; ++k) {
        if (!std::isfinite(origin[k])) return Status::failure("origin[%zu]: not finite", k);
    }
    float* const center[3] = {x, y, z};
    for (std::size_t k = 0; k < 3; ++k) {
        if (center[k] == nullptr) return Status::failure("%c: must not be null", "xyz"[k]);
    }
    if (sphere_radius == nullptr) return Status::failure("sphere_radius: must not be null");
    const std::size_t stride =
        positions.stride_bytes != Records::packed ? positions.stride_bytes / sizeof(double) : doubles;
    for (std::uint32_t i = 0; i < count; ++i) {
        double error[3];
        for (std::size_t k = 0; k < 3; ++k) {
            // The subtraction is off by 2^-53 of its result. The difference between the result and the float is
            // computed exactly.
            const double relative = positions.first[i * stride + k] - origin[k];
            center[k][i] = static_cast<float>(relative);
            error[k] = std::fabs(relative - static_cast<double>(center[k][i])) + std::fabs(relative) * 0x1p-53;
        }
        const double given = radius != nullptr ? static_cast<double>(radius[i]) : 0;
        sphere_radius[i] =
            given < 0 ? static_cast<float>(given) : rounded_up(given + std::hypot(error[0], error[1], error[2]));
    }
    return {};
}

}  // namespace lanecull
