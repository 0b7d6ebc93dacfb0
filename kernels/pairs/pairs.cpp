/// The entry points for pairs: checks, and ranges for the runner.

#include <lanecull/pairs.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <type_traits>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "calls/kinds.hpp"
#include "pairs/work.hpp"

namespace lanecull {
namespace {

using pairs::PairRange;

constexpr std::size_t range_pairs = 4096;  // a multiple of 64
constexpr float unlimited = std::numeric_limits<float>::infinity();
constexpr float none = std::numeric_limits<float>::quiet_NaN();
constexpr const char* all_six = "distances.a_x .. b_z: all six must be given, or none";

pairs::Side side_of(const Batch& batch) {
    return visit(batch, [&](const auto& s) {
        return pairs::Side{static_cast<std::uint8_t>(place_of(batch)), s.count, &s};
    });
}

Status check_side(const Batch* batch, const char* name) {
    if (Status status = check_not_null(batch, name); !status) return status;
    if (Status status = check_shapes(*batch); !status) return within(status, "%s.", lasting(name));
    if (side_of(*batch).count > 0x7fffffffu)
        return failure("%s.count: pairs are of fewer than 2^31 objects", lasting(name));
    return {};
}

Status check_indices(const PairIndices& indices) {
    if (indices.count == 0) return {};
    if (indices.a == nullptr || indices.b == nullptr) {
        return failure("pairs.%s: must not be null", lasting(indices.a == nullptr ? "a" : "b"));
    }
    const std::size_t stride = indices.stride_bytes;
    if (stride % sizeof(std::uint32_t) != 0 || stride < sizeof(std::uint32_t) || stride > max_stride_bytes) {
        return failure("pairs.stride_bytes: %zu is not a multiple of 4 from 4 to %zu", stride, max_stride_bytes);
    }
    if ((indices.count - 1) / range_pairs >= 0xffffffffu) return failure("pairs.count: too many for one call");
    return {};
}

/// Checks the arguments that all five functions have. Leaves the indices, with their stride, in `indices`, and the
/// kernels of the chosen instruction set in `table`.
Status check_call(const Batch* a, const Batch* b, const PairIndices* given, Isa isa, PairIndices& indices,
                  const pairs::KernelTable*& table) {
    if (Status status = check_side(a, "a"); !status) return status;
    if (Status status = check_side(b, "b"); !status) return status;
    if (Status status = check_not_null(given, "pairs"); !status) return status;
    indices = *given;
    if (indices.stride_bytes == 0) indices.stride_bytes = sizeof(std::uint32_t);
    if (Status status = check_indices(indices); !status) return status;
    return find_kernels(isa, "options.isa", table);
}

// By the library's modes: comparing a caller's number is an operation like any other. By foreign modes denormal numbers
// may count as 0, and NaN may trap.

Status check_distance_options(const PairDistanceOptions& options) {
    if (!(options.limit >= 0)) return failure("options.limit: must be at least 0, not %g", double{options.limit});
    if (!(options.relative >= 0)) {
        return failure("options.relative: must be at least 0, not %g", double{options.relative});
    }
    return {};
}

float limit_of(const PairDistanceOptions& options) { return options.limit != 0 ? options.limit : unlimited; }
float relative_of(const PairDistanceOptions& options) { return options.relative != 0 ? options.relative : 1e-6f; }

/// A call may take all streams of a kind or none.
template <class Stream, std::size_t count>
Status check_all_or_none(const Stream (&streams)[count], const char* message) {
    const auto given = std::count_if(std::begin(streams), std::end(streams), [](Stream p) { return p != nullptr; });
    if (given == 0 || given == std::ssize(streams)) return {};
    return failure("%s", lasting(message));
}

Status check_contact_options(const PairContactOptions& options) {
    if (options.tolerance >= 0 && options.tolerance < unlimited) return {};
    return failure("options.tolerance: must be at least 0 and finite, not %g", double{options.tolerance});
}

Status check_turn(const PairMotions& m) {
    const float* const streams[] = {m.turn_x, m.turn_y, m.turn_z, m.center_x, m.center_y, m.center_z};
    return check_all_or_none(streams, "motions.turn_x .. center_z: all six must be given, or none");
}

Status check_cast_options(const PairCastOptions& options) {
    if (options.width >= 0 && options.width < unlimited) return {};
    return failure("options.width: must be at least 0 and finite, not %g", double{options.width});
}

/// What all calls have in common: all but their streams and other options. results: where they write, by that name.
template <class Options>
Status check_common(const Batch* a, const Batch* b, const PairIndices* pairs, const Options& how, const void* results,
                    const char* name, PairIndices& indices, const pairs::KernelTable*& table) {
    Status status = check_cleared(how, "options");
    if (status) status = check_call(a, b, pairs, how.isa, indices, table);
    if (status) status = check_not_null(results, name);
    return status;
}

/// What a range's kernel leaves to doubles besides open pairs.
template <class Work>
struct Reached {};
template <>
struct Reached<pairs::CastWork> {
    float time[range_pairs];
};

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
        [[maybe_unused]] Reached<Work> reached{};
        if constexpr (std::is_same_v<Work, pairs::CastWork>) range.reached = reached.time;
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

/// If a batch is empty, no index is in range, so no object is read.
bool has_objects(const Batch& a, const Batch& b) { return side_of(a).count > 0 && side_of(b).count > 0; }

void fill(float* stream, std::size_t count, float value) {
    if (stream != nullptr) std::fill_n(stream, count, value);
}

PairRange whole(const Batch& a, const Batch& b, const PairIndices& indices) {
    return {side_of(a), side_of(b), indices};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_separate_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                        const lanecull_pair_indices* pairs, const lanecull_pair_options* options,
                                        const lanecull_runner* runner, uint64_t* separated,
                                        size_t separated_words) noexcept {
    const PairOptions& how = or_usual(options);
    Status status = check_cleared(how, "options");
    PairIndices indices;
    const pairs::KernelTable* table = nullptr;
    if (status) status = check_call(a, b, pairs, how.isa, indices, table);
    if (!status) return status;
    const std::size_t words = indices.count / 64 + (indices.count % 64 != 0);
    if (separated_words != words) return failure("separated: must have %zu words, not %zu", words, separated_words);
    if (words > 0 && separated == nullptr) return failure("separated: must not be null");
    if (!has_objects(*a, *b)) {
        std::fill_n(separated, words, std::uint64_t{0});
        return Status();
    }
    run_ranges(pairs::SeparateWork{whole(*a, *b, indices), separated}, table->separate, or_usual(runner));
    return Status();
}

lanecull_status lanecull_measure_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                       const lanecull_pair_indices* pairs,
                                       const lanecull_pair_distance_options* options, const lanecull_runner* runner,
                                       const lanecull_pair_distances* distances) noexcept {
    const FloatModes modes;
    const PairDistanceOptions& how = or_usual(options);
    PairIndices indices;
    const pairs::KernelTable* table = nullptr;
    Status status = check_common(a, b, pairs, how, distances, "distances", indices, table);
    if (!status) return status;
    const PairDistances& to = *distances;
    float* const points[] = {to.a_x, to.a_y, to.a_z, to.b_x, to.b_y, to.b_z};
    if (Status of_points = check_all_or_none(points, all_six); !of_points) return of_points;
    if (Status of_options = check_distance_options(how); !of_options) return of_options;
    if (!has_objects(*a, *b)) {
        fill(to.lower, indices.count, 0);
        fill(to.upper, indices.count, unlimited);
        for (float* const stream : points) fill(stream, indices.count, none);
        return Status();
    }
    run_ranges(pairs::DistanceWork{whole(*a, *b, indices), to, limit_of(how), relative_of(how)}, table->measure,
               or_usual(runner));
    return Status();
}

lanecull_status lanecull_measure_signed_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                              const lanecull_pair_indices* pairs,
                                              const lanecull_pair_distance_options* options,
                                              const lanecull_runner* runner,
                                              const lanecull_pair_signed_distances* distances) noexcept {
    const FloatModes modes;
    const PairDistanceOptions& how = or_usual(options);
    PairIndices indices;
    const pairs::KernelTable* table = nullptr;
    Status status = check_common(a, b, pairs, how, distances, "distances", indices, table);
    if (!status) return status;
    const PairSignedDistances& to = *distances;
    float* const direction[] = {to.direction_x, to.direction_y, to.direction_z};
    float* const points[] = {to.a_x, to.a_y, to.a_z, to.b_x, to.b_y, to.b_z};
    status = check_all_or_none(direction, "distances.direction_x .. direction_z: all three must be given, or none");
    if (status) status = check_all_or_none(points, all_six);
    if (status) status = check_distance_options(how);
    if (!status) return status;
    if (!has_objects(*a, *b)) {
        fill(to.lower, indices.count, -unlimited);
        fill(to.upper, indices.count, unlimited);
        for (float* const stream : direction) fill(stream, indices.count, none);
        for (float* const stream : points) fill(stream, indices.count, none);
        return Status();
    }
    run_ranges(pairs::SignedWork{whole(*a, *b, indices), to, limit_of(how), relative_of(how)}, table->measure_signed,
               or_usual(runner));
    return Status();
}

lanecull_status lanecull_find_pair_contacts(const lanecull_batch* a, const lanecull_batch* b,
                                            const lanecull_pair_indices* pairs,
                                            const lanecull_pair_contact_options* options, const lanecull_runner* runner,
                                            const lanecull_pair_contacts* contacts) noexcept {
    const FloatModes modes;
    const PairContactOptions& how = or_usual(options);
    PairIndices indices;
    const pairs::KernelTable* table = nullptr;
    Status status = check_common(a, b, pairs, how, contacts, "contacts", indices, table);
    if (!status) return status;
    const PairContacts& to = *contacts;
    float* const direction[] = {to.direction_x, to.direction_y, to.direction_z};
    float* const points[] = {to.a_x, to.a_y, to.a_z};
    status = check_all_or_none(direction, "contacts.direction_x .. direction_z: all three must be given, or none");
    if (status) status = check_all_or_none(points, "contacts.a_x .. a_z: all three must be given, or none");
    if (status) status = check_contact_options(how);
    if (!status) return status;
    if (!has_objects(*a, *b)) {
        if (to.counts != nullptr) std::fill_n(to.counts, indices.count, 0u);
        fill(to.lower, indices.count, -unlimited);
        fill(to.upper, indices.count, unlimited);
        for (float* const stream : direction) fill(stream, indices.count, none);
        for (float* const stream : points) fill(stream, 4 * indices.count, none);
        fill(to.distance, 4 * indices.count, none);
        return Status();
    }
    run_ranges(pairs::ContactWork{whole(*a, *b, indices), to, how.tolerance}, table->find_contacts, or_usual(runner));
    return Status();
}

lanecull_status lanecull_cast_pairs(const lanecull_batch* a, const lanecull_batch* b,
                                    const lanecull_pair_indices* pairs, const lanecull_pair_motions* motions,
                                    const lanecull_pair_cast_options* options, const lanecull_runner* runner,
                                    const lanecull_pair_casts* casts) noexcept {
    const FloatModes modes;
    const PairCastOptions& how = or_usual(options);
    Status status = check_cleared(how, "options");
    PairIndices indices;
    const pairs::KernelTable* table = nullptr;
    if (status) status = check_call(a, b, pairs, how.isa, indices, table);
    if (status) status = check_not_null(motions, "motions");
    if (status) status = check_not_null(casts, "casts");
    if (status && indices.count > 0) {
        status = check_streams({{motions->x, "motions.x"}, {motions->y, "motions.y"}, {motions->z, "motions.z"}});
        if (status) status = check_turn(*motions);
    }
    if (status) status = check_cast_options(how);
    if (!status) return status;
    if (!has_objects(*a, *b)) {
        fill(casts->earliest, indices.count, 0);
        fill(casts->latest, indices.count, unlimited);
        return Status();
    }
    const float width = how.width != 0 ? how.width : 1e-4f;
    run_ranges(pairs::CastWork{whole(*a, *b, indices), *motions, *casts, width}, table->cast, or_usual(runner));
    return Status();
}
