#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/flat.h>

#include "properties/trial.hpp"

namespace properties {

[[nodiscard]] inline bool has_bit(std::span<const std::uint64_t> words, std::size_t i) {
    return (words[i / 64] >> i % 64 & 1) != 0;
}

/// Every set of the trial by each of these methods.
[[nodiscard]] inline std::vector<lanecull::CullOptions> every_way(const Trial& trial,
                                                                  std::span<const lanecull::Method> methods) {
    std::vector<lanecull::CullOptions> ways;
    for (const lanecull::Isa isa : trial.plan.isas) {
        for (const lanecull::Method method : methods) ways.push_back({.method = method, .isa = isa});
    }
    return ways;
}

/// The verdicts of one method on one instruction set about a batch.
struct Verdicts {
    lanecull::Isa isa;
    lanecull::Method method;
    std::vector<std::uint64_t> words;
    std::vector<lanecull::Certificate> certificates;
    lanecull::Counts counts{};
    bool same_counts = true;                  ///< counts are the certificates', and the same without them
    std::vector<std::size_t> contradicted{};  ///< objects whose certificate or traced verdict disagrees
    std::vector<std::uint32_t> hidden{};      ///< by each occluder

    [[nodiscard]] bool visible(std::size_t i) const { return has_bit(words, i); }
};

/// Whether the certificate says of its object what the bit says, and has a direction where one was found: in the plane
/// of every cull (flat.h).
template <class Batch>
[[nodiscard]] bool is_consistent(const lanecull::Certificate& c, bool visible) {
    const bool by_gjk = c.reason == lanecull::Reason::culled_gjk;
    const bool has_direction = c.direction[0] != 0 || c.direction[1] != 0 || c.direction[2] != 0;
    if constexpr (std::is_same_v<Batch, lanecull::flat::Batch>) {
        return is_culled(c.reason) != visible && has_direction == !visible && c.gap >= 0 && c.steps == 0;
    }
    return is_culled(c.reason) != visible && (c.gap > 0) == by_gjk && has_direction == by_gjk &&
           (c.steps > 0 || !by_gjk);
}

/// Culls the batch as frames do, and again with certificates. Works for batches and views of solids and of 2D shapes:
/// argument-dependent lookup finds their cull().
template <class Batch, class View>
Verdicts verdicts_of(const Batch& batch, const View& view, lanecull::Isa isa, lanecull::Method method,
                     std::span<const lanecull::Occluder> occluders = {}) {
    const std::span<const Batch> batches(&batch, 1);
    const std::span<const View> views(&view, 1);
    Verdicts v{isa, method, std::vector<std::uint64_t>(visibility_words(batches)),
               std::vector<lanecull::Certificate>(batch.count())};
    v.hidden.resize(occluders.size());
    std::vector<std::uint64_t> traced(v.words.size());
    std::vector<std::byte> scratch(scratch_bytes(batches, 1));
    lanecull::Explanation plain, why{.certificates = v.certificates};
    lanecull::Output frame{
        .visible = v.words, .occluders = occluders, .hidden_counts = v.hidden, .explanation = &plain};
    lanecull::Output certified{.visible = traced, .occluders = occluders, .explanation = &why};
    for (lanecull::Output* output : {&frame, &certified}) {
        const lanecull::Status status =
            cull(batches, views, std::span(output, 1), std::span(scratch), {.method = method, .isa = isa});
        if (!status) throw std::runtime_error(status.message());
    }
    v.counts = plain.counts;
    lanecull::Counts certified_counts;
    std::vector<std::uint32_t> hidden(occluders.size());
    for (const lanecull::Certificate& certificate : v.certificates) {
        ++certified_counts[certificate.reason];
        if (certificate.reason == lanecull::Reason::culled_occluded) ++hidden.at(certificate.occluder);
    }
    v.same_counts = plain.counts == why.counts && why.counts == certified_counts && hidden == v.hidden;
    for (std::size_t i = 0; i < batch.count(); ++i) {
        const bool visible = has_bit(traced, i);
        if (visible != v.visible(i) || !is_consistent<Batch>(v.certificates[i], visible)) v.contradicted.push_back(i);
    }
    return v;
}

/// The verdicts of these methods on each of the trial's sets, which it counts. What contradicts itself is a failure:
/// fail(count, object, verdicts, what).
template <class Batch, class View, class Fail>
std::vector<Verdicts> all_verdicts_of(const Batch& batch, const View& view, std::span<const lanecull::Method> methods,
                                      const Trial& trial, const Fail& fail,
                                      std::span<const lanecull::Occluder> occluders = {}) {
    std::vector<Verdicts> all;
    for (const lanecull::Isa isa : trial.plan.isas) {
        for (const lanecull::Method method : methods) {
            const Verdicts& v = all.emplace_back(verdicts_of(batch, view, isa, method, occluders));
            trial.at(Tally::verdicts) += batch.count();
            trial.at(Tally::culled_plane) += v.counts[lanecull::Reason::culled_plane];
            trial.at(Tally::culled_gjk) += v.counts[lanecull::Reason::culled_gjk];
            trial.at(Tally::culled_occluded) += v.counts[lanecull::Reason::culled_occluded];
            trial.answers.add_words(v.words, method);
            trial.answers.add(v.certificates);
            trial.answers.add(v.counts);
            if (!v.same_counts) fail(Tally::untold, std::size_t{0}, v, "statistics differ when traced");
            for (const std::size_t i : v.contradicted) fail(Tally::untold, i, v, "verdict and certificate differ");
        }
    }
    return all;
}

}  // namespace properties
