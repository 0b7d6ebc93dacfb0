#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "options/options.hpp"
#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
namespace {

constexpr int failed = 1;       ///< the exit status when a file, a scene or the machine is at fault
constexpr int wrong_usage = 2;  ///< when the command line is

/// One line, whatever it consisted of.
int complain(std::string text, int status) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    tell("lanecull: " + text.substr(0, text.find_last_not_of(' ') + 1) + '\n');
    return status;
}

void print_runnable_isas() {
    for (const Isa isa : all_isas) {
        if (isa_runnable(isa)) fmt::print("{}\n", isa_name(isa));
    }
}

void print_isa_table() {
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

/// Runs the command that the line names.
void parse_and_run(CommandLine& program, int argc, char** argv) {
    if (!program.run(argc, argv)) {
        throw WrongUsage(
            "A command, demo, cull, explain, query, hull, shadow, lights, sweep, bake, view or isa, is required");
    }
    // Who flushed before left nothing to fail with but the stream's state.
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail("cannot write to the standard output");
}

void add_commands(CommandLine& program) {
    add_demo_command(program);
    add_cull_command(program);
    add_explain_command(program);
    add_query_command(program);
    add_hull_command(program);
    add_shadow_command(program);
    add_lights_command(program);
    add_sweep_command(program);
    add_bake_command(program);
    add_view_command(program);
    add_isa_command(program);
}

/// No file that is opened later may get the number of a standard stream that is closed. Writing to such a standard
/// output still fails.
void hold_standard_streams() {
    const std::pair<int, int> streams[] = {
        {STDIN_FILENO, O_RDONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}};
    for (const auto& [number, access] : streams) {
        if (fcntl(number, F_GETFD) < 0) static_cast<void>(open("/dev/null", access));
    }
}

int run(int argc, char** argv) {
    hold_standard_streams();
    CommandLine program(
        "Culls scenes: finds, for every object of a scene and every frame of a camera path, whether the\n"
        "object can be skipped.",
        "lanecull", "lanecull " LANECULL_VERSION);
    add_commands(program);
    program.footer(
        "Examples:\n"
        "  lanecull demo                 what culling the built-in city saves, and what it costs\n"
        "  lanecull cull level.obj       a scene of your own\n"
        "  lanecull explain --object 7   why that object of the city was kept or culled\n"
        "  lanecull cull --help          all options of a command\n\n"
        "The exit status is 0 on success, 1 on failure and 2 when the command line is wrong.");
    try {
        parse_and_run(program, argc, argv);
        return 0;
    } catch (const WrongUsage& error) {
        return complain(fmt::format("{} (see {})", error.what(), program.help_line()), wrong_usage);
    } catch (const std::bad_alloc&) {
        return complain("not enough memory", failed);
    } catch (const std::exception& error) {
        return complain(error.what(), failed);
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
    command.action([list] { *list ? print_runnable_isas() : print_isa_table(); });
}

}  // namespace lanecull::program

int main(int argc, char** argv) { return lanecull::program::run(argc, argv); }
