#include <fmt/core.h>

#include <lanecull/library.h>
#include <memory>
#include <string>

#include "commands.hpp"
#include "options/command_line.hpp"
#include "options/options.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

void print_names() {
    for (const Isa isa : all_isas) {
        if (isa_runnable(isa)) fmt::print("{}\n", isa_name(isa));
    }
}

void print_table() {
    Isa forced{}, chosen{};
    require_environment(forced);
    require(resolve_isa(forced, chosen));
    const bool is_forced = forced != Isa::automatic;
    fmt::print("{:<8} {:>6}  {}\n", "name", "lanes", "runs here");
    for (const Isa isa : all_isas) {
        const char* choice = isa != chosen ? "" : is_forced ? ", chosen by LANECULL_ISA" : ", chosen: the widest";
        Isa ignored{};
        const Status runs = resolve_isa(isa, ignored);
        const std::string answer = runs ? "yes" : "no, " + why_not(runs);
        fmt::print("{:<8} {:>6}  {}{}\n", isa_name(isa), isa_lanes(isa), answer, choice);
    }
}

}  // namespace

void add_isa_command(CommandLine& program) {
    Command command = program.add("isa", "Say which instruction sets this machine runs");
    const auto list = std::make_shared<bool>(false);
    command.flag("--list", *list, "Only the names of those that run here, one a line");
    command.footer(
        "The environment variable LANECULL_ISA forces a set.\n\n"
        "Examples:\n"
        "  lanecull isa\n"
        "  for isa in $(lanecull isa --list); do lanecull cull --isa $isa; done");
    command.action([list] { *list ? print_names() : print_table(); });
}

}  // namespace lanecull::program
