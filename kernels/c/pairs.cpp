/// c/pairs.h

#include <lanecull/c/pairs.h>

#include <limits>

#include <lanecull/pairs.hpp>

#include "c/lists.hpp"
#include "c/options.hpp"

using namespace lanecull;

namespace lanecull::c {
namespace {

/// The two batches' shapes and the indices of a call.
struct Pairs {
    const Batch::Shapes* a = nullptr;
    const Batch::Shapes* b = nullptr;
    PairIndices indices;
    Runner runner;

    Status take(const lanecull_batches* batches, const lanecull_pair_indices* given, const lanecull_runner* who) {
        if (Status status = check_struct(given, "pairs"); !status) return status;
        std::span<const Batch> batch_a, batch_b;
        if (Status status = take_items(batches, given->batch_a, 1, "batches", batch_a); !status) return status;
        if (Status status = take_items(batches, given->batch_b, 1, "batches", batch_b); !status) return status;
        a = &batch_a[0].shapes;
        b = &batch_b[0].shapes;
        indices = {given->a, given->b, given->count, or_default(given->stride_bytes, sizeof(std::uint32_t))};
        return take_runner(who, runner);
    }
};

}  // namespace
}  // namespace lanecull::c

lanecull_status lanecull_separate_pairs(const lanecull_batches* batches, const lanecull_pair_indices* pairs,
                                        uint64_t* separated, size_t words, uint32_t isa, const lanecull_runner* runner,
                                        lanecull_message* message) {
    c::Pairs taken;
    PairOptions how;
    std::span<std::uint64_t> to;
    Status status = taken.take(batches, pairs, runner);
    if (status) status = c::take_isa(isa, "isa", how.isa);
    if (status) status = c::take(separated, words, "separated", to);
    if (status) status = separate_pairs(*taken.a, *taken.b, taken.indices, to, how, taken.runner);
    return c::report(status, message);
}

lanecull_status lanecull_measure_pairs(const lanecull_batches* batches, const lanecull_pair_indices* pairs,
                                       const lanecull_pair_distances* distances,
                                       const lanecull_pair_distance_options* options, const lanecull_runner* runner,
                                       lanecull_message* message) {
    c::Pairs taken;
    PairDistanceOptions how;
    Status status = taken.take(batches, pairs, runner);
    if (status) status = c::check_struct(distances, "distances");
    if (status) status = c::check_optional(options, "options");
    if (status && options != nullptr) {
        status = c::take_isa(options->isa, "options.isa", how.isa);
        how.limit = c::or_default(options->limit, std::numeric_limits<float>::infinity());
        how.relative = c::or_default(options->relative, how.relative);
    }
    if (status) {
        const lanecull_pair_distances& d = *distances;
        status = pair_distances(*taken.a, *taken.b, taken.indices,
                                {d.lower, d.upper, d.a_x, d.a_y, d.a_z, d.b_x, d.b_y, d.b_z}, how, taken.runner);
    }
    return c::report(status, message);
}

lanecull_status lanecull_cast_pairs(const lanecull_batches* batches, const lanecull_pair_indices* pairs,
                                    const lanecull_pair_casts* casts, const lanecull_runner* runner,
                                    lanecull_message* message) {
    c::Pairs taken;
    PairCastOptions how;
    Status status = taken.take(batches, pairs, runner);
    if (status) status = c::check_struct(casts, "casts");
    if (status) status = c::take_isa(casts->isa, "casts.isa", how.isa);
    if (status) {
        how.width = c::or_default(casts->width, how.width);
        status = cast_pairs(*taken.a, *taken.b, taken.indices, {casts->motion_x, casts->motion_y, casts->motion_z},
                            {casts->earliest, casts->latest}, how, taken.runner);
    }
    return c::report(status, message);
}
