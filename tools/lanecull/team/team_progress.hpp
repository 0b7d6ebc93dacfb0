#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace lanecull::program {

/// Tells on stderr how far a team is, at what rate it goes on, and how much time is left: a bar on a terminal, anew
/// twice a second; else a plain line at each quarter.
class TeamProgress {
public:
    /// `unit`: of what there are `total`, in the plural. `before`: so many were done by an earlier run.
    TeamProgress(std::string what, std::string unit, std::uint64_t total, std::uint64_t before, bool quiet);
    /// Ends the bar's line.
    ~TeamProgress();
    TeamProgress(const TeamProgress&) = delete;
    TeamProgress& operator=(const TeamProgress&) = delete;

    void done(std::uint64_t items);

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::string rate(std::uint64_t items) const;
    void draw_bar(std::uint64_t items);
    void print_line(std::uint64_t items);

    std::string what_, unit_;
    std::uint64_t total_, before_, quarters_;
    bool quiet_, terminal_, drawn_ = false;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace lanecull::program
