#include "support/progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

namespace lanecull::program {
namespace {

constexpr int bar_cells = 40;
constexpr int plain_lines = 4;

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

}  // namespace

void tell(const std::string& text) {
    struct sigaction ignored {};
    struct sigaction before {};
    ignored.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignored, &before);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    sigaction(SIGPIPE, &before, nullptr);
}

Progress::Progress(std::string what, std::size_t total, bool quiet)
    : what_(std::move(what)), total_(total), quiet_(quiet), terminal_(on_terminal()) {}

Progress::~Progress() {
    if (!quiet_ && terminal_ && last_step_ >= 0) tell("\n");
}

void Progress::done(std::size_t parts) {
    const int steps = terminal_ ? bar_cells : plain_lines;
    const int step = static_cast<int>(parts * static_cast<std::size_t>(steps) / total_);
    if (quiet_ || step == last_step_) return;
    const bool first = last_step_ < 0;
    last_step_ = step;
    if (terminal_) {
        tell(fmt::format("\r{} [{:<{}}] {}/{}", what_, std::string(static_cast<std::size_t>(step), '#'), bar_cells,
                         parts, total_));
    } else if (!first || step == plain_lines) {
        tell(fmt::format("{}: {} of {}\n", what_, parts, total_));
    }
}

void announce(const std::string& line, bool quiet) {
    if (!quiet && on_terminal()) tell(line + "\n");
}

void warn(const std::string& line, bool quiet) {
    if (!quiet) tell("lanecull: warning: " + line + "\n");
}

}  // namespace lanecull::program
