#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace lanecull::program {

/// Writes to stderr. Whether that is full, closed or a pipe that nobody reads makes no difference to the program.
void tell(const std::string& text);

/// Prints to stderr how far a step has come, at what rate it goes on, and how much time is left: a bar on a terminal,
/// anew twice a second; else a plain line at each quarter.
class Progress {
public:
    /// `total` parts are to be done. Says nothing when `quiet`.
    Progress(std::string what, std::size_t total, bool quiet);
    /// Ends the bar's line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void done(std::size_t parts);

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::size_t total_, quarters_ = 0;
    bool quiet_, terminal_, drawn_ = false;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

/// One line on stderr where that is a terminal, unless `quiet`.
void announce(const std::string& line, bool quiet);

/// One line on stderr, unless `quiet`, of what may not be what the user wants.
void warn(const std::string& line, bool quiet);

}  // namespace lanecull::program
