#pragma once

#include <cstddef>
#include <string>

namespace lanecull::program {

/// Writes to stderr. Whether that is full, closed or a pipe that nobody reads makes no difference to the program.
void tell(const std::string& text);

/// Tells on stderr how far a step has come: a bar on a terminal, else a plain line now and then.
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
    std::string what_;
    std::size_t total_;
    bool quiet_;
    bool terminal_;
    int last_step_ = -1;  ///< of the bar's cells, or of the lines
};

/// One line on stderr where that is a terminal, unless `quiet`.
void announce(const std::string& line, bool quiet);

/// One line on stderr, unless `quiet`, of what may not be what the user wants.
void warn(const std::string& line, bool quiet);

}  // namespace lanecull::program
