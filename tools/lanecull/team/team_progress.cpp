#include "team/team_progress.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

#include "support/grouped.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

constexpr std::uint64_t bar_cells = 30;
constexpr std::chrono::milliseconds between_bars{500};

/// "45 s", "3:07 min", "2:15 h".
std::string duration(double seconds) {
    const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

TeamProgress::TeamProgress(std::string what, std::string unit, std::uint64_t total, std::uint64_t before, bool quiet)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      before_(before),
      quarters_(4 * before / total),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1) {
    if (!quiet_ && before_ != 0) {
        tell(fmt::format("{}: {} of {} {} are there from an earlier run\n", what_, grouped(before_), grouped(total_),
                         unit_));
    }
}

TeamProgress::~TeamProgress() {
    if (drawn_) tell("\n");
}

void TeamProgress::done(std::uint64_t items) {
    if (quiet_) return;
    terminal_ ? draw_bar(items) : print_line(items);
}

/// "1,234 views a second, 45 s left".
std::string TeamProgress::rate(std::uint64_t items) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (items == before_ || !(seconds > 0)) return {};
    const double each = static_cast<double>(items - before_) / seconds;
    std::string text = fmt::format("{} {} a second", grouped(each, each < 100 ? 1 : 0), unit_);
    if (items < total_) text += fmt::format(", {} left", duration(static_cast<double>(total_ - items) / each));
    return text;
}

void TeamProgress::draw_bar(std::uint64_t items) {
    const Clock::time_point now = Clock::now();
    if (drawn_ && items < total_ && now - last_ < between_bars) return;
    last_ = now;
    drawn_ = true;
    const std::string bar(static_cast<std::size_t>(bar_cells * items / total_), '#');
    tell(fmt::format("\r{} [{:<{}}] {} of {}, {}\x1B[K", what_, bar, bar_cells, grouped(items), grouped(total_),
                     rate(items)));
}

void TeamProgress::print_line(std::uint64_t items) {
    const std::uint64_t quarters = 4 * items / total_;
    if (quarters == quarters_) return;
    quarters_ = quarters;
    tell(fmt::format("{}: {} of {}, {}\n", what_, grouped(items), grouped(total_), rate(items)));
}

}  // namespace lanecull::program
