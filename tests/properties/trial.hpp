#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <lanecull/library.h>

#include "properties/fingerprint.hpp"
#include "properties/tally.hpp"
#include "support/random.hpp"

namespace properties {

struct Plan {
    std::vector<lanecull::Isa> isas;
    std::size_t objects = 480;       ///< of each kind
    bool stop_at_failure = false;    ///< the first failure ends a trial
    std::size_t oracle_objects = 6;  ///< of each kind
};

/// A trial under way: what it draws from, what it counts, and what it found.
struct Trial {
    Random& random;
    const Plan& plan;
    std::string label;  ///< family, seed and number: enough to repeat it
    Tally& tally;
    std::vector<std::string>& failures;  ///< a few descriptions at most
    Fingerprint& answers;                ///< every answer is added to it

    [[nodiscard]] std::uint64_t& at(Tally::Count count) const { return tally.count[static_cast<std::size_t>(count)]; }
    [[nodiscard]] bool stopped() const { return plan.stop_at_failure && tally.failures() > 0; }
    /// Counts a failure. Describes it by `what` and `text()` unless enough are described.
    template <class Text>
    void fail(Tally::Count count, const std::string& what, const Text& text) const {
        constexpr std::size_t most = 5;
        ++at(count);
        if (failures.size() < most) failures.push_back(label + ": " + what + "\n  " + text());
    }
};

}  // namespace properties
