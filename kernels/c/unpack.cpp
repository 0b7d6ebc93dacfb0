/// c/unpack.h

#include <lanecull/c/unpack.h>

#include <lanecull/unpack.hpp>

#include "c/options.hpp"
#include "c/transforms.hpp"

using namespace lanecull;

lanecull_status lanecull_unpack_floats(const lanecull_records* records, uint32_t count, float* const* streams,
                                       size_t stream_count, uint32_t isa, lanecull_message* message) {
    if (records == nullptr) return c::refuse_null("records", message);
    Isa set = Isa::automatic;
    std::span<float* const> to;
    Status status = c::take(streams, stream_count, "streams", to);
    if (status) status = c::take_isa(isa, "isa", set);
    if (status) status = unpack_floats(c::records_of(*records), count, to, set);
    return c::report(status, message);
}

lanecull_status lanecull_relative_spheres(const lanecull_double_records* positions, const float* radius, uint32_t count,
                                          const double* origin, float* x, float* y, float* z, float* sphere_radius,
                                          lanecull_message* message) {
    if (positions == nullptr) return c::refuse_null("positions", message);
    if (origin == nullptr) return c::refuse_null("origin", message);
    const DoubleRecords from = {positions->first, c::or_default(positions->stride_bytes, Records::packed)};
    return c::report(
        relative_spheres(from, radius, count, std::span<const double, 3>(origin, 3), x, y, z, sphere_radius), message);
}
