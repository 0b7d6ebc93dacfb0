#include "support/progress.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <utility>

#include "support/text.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t bar_cells = 30;
constexpr std::chrono::milliseconds between_bars{500};

bool on_terminal() { return isatty(STDERR_FILENO) == 1; }

/// "45 s", "3:07 min", "2:15 h".
std::string duration(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

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
    if (drawn_) tell("\n");
}

void Progress::done(std::size_t parts) {
    const Clock::time_point now = Clock::now();
    const std::size_t quarters = 4 * parts / total_;
    if (quiet_ || (terminal_ ? drawn_ && parts < total_ && now - last_ < between_bars : quarters == quarters_)) return;
    last_ = now;
    quarters_ = quarters;
    drawn_ = terminal_;
    std::string line = fmt::format("{} of {}", grouped(parts), grouped(total_));
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (parts > 0 && seconds > 0) {
        const double each = static_cast<double>(parts) / seconds;
        line += fmt::format(", {} a second", grouped(each, each < 100 ? 1 : 0));
        if (parts < total_) line += fmt::format(", {} left", duration(static_cast<double>(total_ - parts) / each));
    }
    if (!terminal_) return tell(fmt::format("{}: {}\n", what_, line));
    const std::string bar(bar_cells * parts / total_, '#');
    tell(fmt::format("\r{} [{:<{}}] {}\x1B[K", what_, bar, bar_cells, line));
}

void announce(const std::string& line, bool quiet) {
    if (!quiet && on_terminal()) tell(line + "\n");
}

void warn(const std::string& line, bool quiet) {
    if (!quiet) tell("lanecull: warning: " + line + "\n");
}

}  // namespace lanecull::program
