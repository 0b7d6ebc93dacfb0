#include "options/team_options.hpp"

#include <fmt/core.h>

#include "support/grouped.hpp"

namespace lanecull::program {

void TeamOptions::add_to(Command command, const char* journal_default) {
    command.option("--threads", threads, "Of each process; 0: all cores, shared among a machine's processes (0)")
        .within(0, 1024)
        .type_name("N");
    command.option("--bundle", bundle, fmt::format("How many are handed out at a time ({})", bundle))
        .within(std::uint64_t{1}, std::uint64_t{1} << 20U)
        .type_name("N");
    command
        .option("--journal", journal,
                fmt::format("Note each bundle there: a run that was ended goes on from it ({})", journal_default))
        .type_name("FILE");
}

std::optional<std::string> TeamOptions::journal_beside(const std::optional<std::string>& output) const {
    if (journal) return journal;
    return output ? std::optional(*output + ".journal") : std::nullopt;
}

Results TeamOptions::results(const std::optional<std::string>& output, std::uint64_t work,
                             const Bundles& bundles) const {
    const std::optional<std::string> path = journal_beside(output);
    if (path) return Results(*path, work, bundles.count());
    return Results(bundles.count());
}

std::string team_line(const Team& team, const Bundles& bundles, const TeamFigures& figures, const char* unit) {
    if (figures.bundles == 0) return fmt::format("all bundles were in the journal\n");
    const double items = static_cast<double>(figures.bundles) / static_cast<double>(bundles.count()) *
                         static_cast<double>(bundles.items);
    std::string text = fmt::format("{} of {} {} in {:.3f} s, {} {} a second", counted(figures.bundles, "bundle"),
                                   bundles.size, unit, figures.seconds, grouped(items / figures.seconds, 1), unit);
    text += fmt::format("; {}, {}\n", counted(static_cast<std::uint64_t>(team.ranks()), "process", "processes"),
                        counted(static_cast<std::uint64_t>(team.threads()), "thread"));
    text +=
        fmt::format("bundles {:.3f} ms each, {} bytes of results; messages {:.4f} ms a bundle\n",
                    1e3 * figures.work_seconds / static_cast<double>(figures.bundles), grouped(figures.result_bytes),
                    1e3 * figures.message_seconds / static_cast<double>(figures.bundles));
    return text;
}

}  // namespace lanecull::program
