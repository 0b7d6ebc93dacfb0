#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.hpp"
#include "support/output_file.hpp"
#include "sweep/sweep_work.hpp"
#include "team/team.hpp"

namespace lanecull::program {

/// One of the counts of ViewCounts.
struct Measure {
    const char* name;    ///< as options and data call it
    const char* phrase;  ///< "objects seen"
    std::uint32_t ViewCounts::*count;
};
inline constexpr std::array<Measure, 4> measures{{{"objects", "objects seen", &ViewCounts::objects},
                                                  {"unhidden", "not hidden", &ViewCounts::unhidden},
                                                  {"draws", "draws", &ViewCounts::draws},
                                                  {"casters", "shadow casters", &ViewCounts::casters}}};

/// What a sweep found.
struct Sweep {
    const Scene& scene;
    const SweepPlan& plan;
    std::vector<ViewCounts> counts;    ///< of each view
    Measure ranked{};                  ///< by which views are the worst
    std::vector<std::uint64_t> worst;  ///< views, the worst first; of a viewpoint one at most

    [[nodiscard]] std::uint64_t count(const Measure& measure, std::uint64_t view) const {
        return counts[view].*measure.count;
    }
    /// Those that were counted.
    [[nodiscard]] std::vector<Measure> measured() const;
};

/// The counts out of the results of all bundles.
[[nodiscard]] std::vector<ViewCounts> counts_of(const Results& results, const Bundles& bundles, bool incidence);

/// Up to `most` views with the highest counts, the first of equal ones; of each viewpoint the highest alone.
[[nodiscard]] std::vector<std::uint64_t> worst_views(const Sweep& sweep, std::size_t most);

[[nodiscard]] std::string sweep_table(const Sweep& sweep);
[[nodiscard]] std::string sweep_json(const Sweep& sweep);
/// A row a view.
void write_sweep_csv(const Sweep& sweep, OutputStream& file);
/// Which objects each view sees, as compressed sparse rows (tools/README.md has the format). Holds one bundle in
/// memory.
void write_incidence(const Sweep& sweep, const Results& results, const Bundles& bundles, OutputStream& file);

}  // namespace lanecull::program
