/// The entry points for pairs: checks, and ranges for the runner.

#include <lanecull/pairs.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "pairs/work.hpp"

namespace lanecull {
namespace {

using pairs::PairRange;

constexpr std::size_t range_pairs = 4096;  // a multiple of 64
constexpr float infinity = std::numeric_limits<float>::infinity();

pairs::Side side_of(const Batch::Shapes& shapes) {
    return shapes.visit([&](const auto& s) {
        return pairs::Side{static_cast<std::uint8_t>(shapes.index()), s.count, &s};
    });
}

Status check_side(const Batch::Shapes& shapes, const char* name) {
    if (Status status = check_shapes(shapes); !status)
        return Status::failure(status.code(), "%s.%s", name, status.message());
    if (side_of(shapes).count > 0x7fffffffu)
        return Status::failure("%s.count: pairs are of fewer than 2^31 objects", name);
    return {};
}

Status check_indices(const PairIndices& indices) {
    if (indices.count == 0) return {};
    if (indices.a == nullptr || indices.b == nullptr) {
        return Status::failure("pairs.%s: must not be null", indices.a == nullptr ? "a" : "b");
    }
    const std::size_t stride = indices.stride_bytes;
    if (stride % sizeof(std::uint32_t) != 0 || stride < sizeof(std::uint32_t) || stride > max_stride_bytes) {
        return Status::failure("pairs.stride_bytes: %zu is not a multiple of 4 from 4 to %zu", stride,
                               max_stride_bytes);
    }
    if ((indices.count - 1) / range_pairs >= 0xffffffffu) return Status::failure("pairs.count: too many for one call");
    return {};
}

/// Checks the arguments that all three functions have. Leaves the kernels of the chosen instruction set in `table`.
Status check_call(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& indices,
                  const PairOptions& options, const pairs::KernelTable*& table) {
    if (Status status = check_side(a, "a"); !status) return status;
    if (Status status = check_side(b, "b"); !status) return status;
    if (Status status = check_indices(indices); !status) return status;
    if (Status status = find_kernels(options.isa, "options.isa", table); !status) return status;
    return {};
}

// Comparing a caller's number is an operation like any other: by foreign modes denormal numbers may count as 0, and NaN
// may trap.

Status check_distance_options(const PairDistanceOptions& options) {
    const FloatModes modes;
    if (!(options.limit >= 0))
        return Status::failure("options.limit: must be at least 0, not %g", double{options.limit});
    if (!(options.relative >= 0)) {
        return Status::failure("options.relative: must be at least 0, not %g", double{options.relative});
    }
    return {};
}

Status check_cast_options(const PairCastOptions& options) {
    const FloatModes modes;
    if (options.width > 0 && options.width < infinity) return {};
    return Status::failure("options.width: must be above 0 and finite, not %g", double{options.width});
}

/// Calls kernel(work) for each range of the pairs, and settles what that leaves open. Work is a PairRange and where the
/// results go.
template <class Work>
void run_ranges(const Work& work, void (*kernel)(const Work&), const Runner& runner) {
    struct Call {
        const Work& work;
        void (*kernel)(const Work&);
    };
    const Call call{work, kernel};
    const auto part = [](void* context, std::uint32_t i) {
        const FloatModes modes;
        const Call& of = *static_cast<const Call*>(context);
        Work range = of.work;
        range.first = i * range_pairs;
        range.count = static_cast<std::uint32_t>(std::min(range_pairs, range.indices.count - range.first));
        std::uint64_t open[range_pairs / 64] = {};
        range.open = open;
        of.kernel(range);
        for (std::size_t first = 0; first < range_pairs; first += 64) {
            for (std::uint64_t left = open[first / 64]; left != 0; left &= left - 1) {
                pairs::settle(range, range.first + first + static_cast<std::size_t>(std::countr_zero(left)));
            }
        }
    };
    const std::size_t ranges = (work.indices.count + range_pairs - 1) / range_pairs;
    if (ranges > 0) runner(static_cast<std::uint32_t>(ranges), {part, const_cast<Call*>(&call), "pairs"});
}

/// If a batch is empty, no index is in range, so there is no object to look at.
bool has_objects(const Batch::Shapes& a, const Batch::Shapes& b) {
    return side_of(a).count > 0 && side_of(b).count > 0;
}

void fill(float* stream, std::size_t count, float value) {
    if (stream != nullptr) std::fill_n(stream, count, value);
}

PairRange whole(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& indices) {
    return {side_of(a), side_of(b), indices};
}

}  // namespace

Status separate_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                      std::span<std::uint64_t> separated, const PairOptions& options, const Runner& runner) noexcept {
    const pairs::KernelTable* table = nullptr;
    if (Status status = check_call(a, b, pairs, options, table); !status) return status;
    const std::size_t words = pairs.count / 64 + (pairs.count % 64 != 0);
    if (separated.size() != words) {
        return Status::failure("separated: must have %zu words, not %zu", words, separated.size());
    }
    if (!has_objects(a, b)) {
        std::fill(separated.begin(), separated.end(), std::uint64_t{0});
        return {};
    }
    run_ranges(pairs::SeparateWork{whole(a, b, pairs), separated.data()}, table->separate, runner);
    return {};
}

Status pair_distances(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs,
                      const PairDistances& distances, const PairDistanceOptions& options,
                      const Runner& runner) noexcept {
    const pairs::KernelTable* table = nullptr;
    if (Status status = check_call(a, b, pairs, options, table); !status) return status;
    const float* const points[] = {distances.a_x, distances.a_y, distances.a_z,
                                   distances.b_x, distances.b_y, distances.b_z};
    const auto given = std::count_if(std::begin(points), std::end(points), [](const float* p) { return p != nullptr; });
    if (given != 0 && given != 6) return Status::failure("distances.a_x .. b_z: all six must be given, or none");
    if (Status status = check_distance_options(options); !status) return status;
    if (!has_objects(a, b)) {
        fill(distances.lower, pairs.count, 0);
        fill(distances.upper, pairs.count, infinity);
        for (float* const stream : {distances.a_x, distances.a_y, distances.a_z,  //
                                    distances.b_x, distances.b_y, distances.b_z}) {
            fill(stream, pairs.count, std::numeric_limits<float>::quiet_NaN());
        }
        return {};
    }
    run_ranges(pairs::DistanceWork{whole(a, b, pairs), distances, options.limit, options.relative}, table->measure,
               runner);
    return {};
}

Status cast_pairs(const Batch::Shapes& a, const Batch::Shapes& b, const PairIndices& pairs, const PairMotions& motions,
                  const PairCasts& casts, const PairCastOptions& options, const Runner& runner) noexcept {
    const pairs::KernelTable* table = nullptr;
    if (Status status = check_call(a, b, pairs, options, table); !status) return status;
    if (pairs.count > 0) {
        Status status = check_streams({{motions.x, "motions.x"}, {motions.y, "motions.y"}, {motions.z, "motions.z"}});
        if (!status) return status;
    }
    if (Status status = check_cast_options(options); !status) return status;
    if (!has_objects(a, b)) {
        fill(casts.earliest, pairs.count, 0);
        fill(casts.latest, pairs.count, infinity);
        return {};
    }
    run_ranges(pairs::CastWork{whole(a, b, pairs), motions, casts, options.width}, table->cast, runner);
    return {};
}

}  // namespace lanecull
