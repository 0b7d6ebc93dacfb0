#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "options/command_line.hpp"
#include "team/bundles.hpp"
#include "team/results.hpp"
#include "team/team.hpp"

namespace lanecull::program {

/// The options --threads, --bundle and --journal of commands that a team does.
struct TeamOptions {
    int threads = 0;
    std::uint64_t bundle = 1;  ///< items
    std::optional<std::string> journal = {};

    /// `journal_default`: what --help says about it.
    void add_to(Command command, const char* journal_default);
    /// The journal: the one given, else the one beside the output, if there is one.
    [[nodiscard]] std::optional<std::string> journal_beside(const std::optional<std::string>& output) const;
    [[nodiscard]] Results results(const std::optional<std::string>& output, std::uint64_t work,
                                  const Bundles& bundles) const;
};

/// "2 threads; 128 bundles of 256 views in 12.345 s: ...": what a run took. Nothing if a journal had everything.
[[nodiscard]] std::string team_line(const Team& team, const Bundles& bundles, const TeamFigures& figures,
                                    const char* unit);

}  // namespace lanecull::program
