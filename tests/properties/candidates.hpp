#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>

#include "properties/trial.hpp"
#include "support/random.hpp"

/// Candidates: a call that tests some of the objects gives those the verdicts of the call that tests all, and
/// culls the others.
namespace properties {

/// Some words are 0, others have few bits, about half of them, or all; or none has more than a few. Bits beyond a
/// batch's last object are among them.
[[nodiscard]] inline std::vector<std::uint64_t> any_candidates(Random& random, std::size_t count) {
    std::vector<std::uint64_t> words(count);
    const double none = random.unit();
    const bool few = random.chance(0.3);
    for (std::uint64_t& word : words) {
        if (random.chance(none)) continue;
        word = random.bits();
        if (few) {
            word &= random.bits() & random.bits() & random.bits();
            continue;
        }
        if (random.chance(0.3)) word &= random.bits() & random.bits();
        if (random.chance(0.2)) word = ~std::uint64_t{0};
    }
    return words;
}

/// What one call says of all batches' objects in one view.
struct CandidateAnswer {
    std::vector<std::uint64_t> visible, inside;
    std::vector<lanecull::Certificate> certificates;
    lanecull::Counts counts;

    template <class Batch, class View>
    CandidateAnswer(std::span<const Batch> batches, const View& view, std::span<const std::uint64_t> candidates,
                    const lanecull::CullOptions& options, bool certified)
        : visible(visibility_words(batches)), inside(visible.size()) {
        std::size_t objects = 0;
        for (const Batch& batch : batches) objects += batch.count();
        if (certified) certificates.resize(objects);
        std::vector<std::byte> scratch(scratch_bytes(batches, 1));
        lanecull::Output output;
        output.visible = visible, output.inside = inside;
        lanecull::Explanation why{.certificates = certificates};
        output.explanation = &why, output.candidates = candidates;
        const lanecull::Status status =
            cull(batches, std::span(&view, 1), std::span(&output, 1), std::span(scratch), options);
        if (!status) throw std::runtime_error(status.message());
        counts = why.counts;
    }
};

/// Culls the batches on each of the trial's sets by each of the methods, with and without certificates, with candidates
/// and without. Counts what breaks the rule above; `describe(b, i)` describes object i of batch b, `is_compared(b, i)`
/// says whether the rule holds for its numbers.
template <class Batch, class View, class IsCompared, class Describe>
void check_candidates(std::span<const Batch> batches, const View& view, std::span<const lanecull::Method> methods,
                      const Trial& trial, const IsCompared& is_compared, const Describe& describe) {
    const std::vector<std::uint64_t> candidates = any_candidates(trial.random, visibility_words(batches));
    const auto check = [&](const CandidateAnswer& some, const CandidateAnswer& all, const std::string& by) {
        std::size_t word = 0, certificate = 0;
        std::uint64_t unasked = 0;
        for (std::size_t b = 0; b < batches.size(); ++b) {
            const std::size_t count = batches[b].count(), end = (count + 63) / 64 * 64;
            for (std::size_t i = 0; i < end; ++i) {
                const auto has = [&](const std::vector<std::uint64_t>& words) {
                    return (words[word + i / 64] >> i % 64 & 1) != 0;
                };
                const bool asked = has(candidates);
                bool right =
                    has(some.visible) == (asked && has(all.visible)) && has(some.inside) == (asked && has(all.inside));
                if (i < count && !some.certificates.empty()) {
                    const lanecull::Reason reason = some.certificates[certificate + i].reason;
                    right = right && (reason == lanecull::Reason::culled_candidate) == !asked;
                }
                unasked += i < count && !asked;
                if (right || (asked && i < count && !is_compared(b, i))) continue;
                trial.fail(Tally::untold, (asked ? "a candidate is judged otherwise than alone" : "no candidate") + by,
                           [&] { return i < count ? describe(b, i) : "a bit beyond the last object"; });
            }
            word += end / 64, certificate += count;
        }
        const bool counted = some.counts[lanecull::Reason::culled_candidate] == unasked &&
                             all.counts[lanecull::Reason::culled_candidate] == 0 &&
                             some.counts.objects() == all.counts.objects();
        if (!counted) trial.fail(Tally::untold, "candidates are not counted" + by, [] { return std::string(); });
    };
    for (const lanecull::Isa isa : trial.plan.isas) {
        for (const lanecull::Method method : methods) {
            for (const bool certified : {false, true}) {
                const lanecull::CullOptions options{.method = method, .isa = isa};
                const CandidateAnswer all(batches, view, {}, options, certified);
                const CandidateAnswer some(batches, view, candidates, options, certified);
                trial.at(Tally::verdicts) += some.counts.objects();
                trial.at(Tally::culled_plane) += some.counts[lanecull::Reason::culled_plane];
                trial.at(Tally::culled_gjk) += some.counts[lanecull::Reason::culled_gjk];
                trial.answers.add(some.counts);
                check(some, all,
                      std::string(", by ") + lanecull::isa_name(isa) + " method " +
                          std::to_string(static_cast<int>(method)));
                if (trial.stopped()) return;
            }
        }
    }
}

}  // namespace properties
