#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "options/command_line.hpp"
#include "options/culling_options.hpp"
#include "query/query_answer.hpp"
#include "query/query_lines.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/json.hpp"
#include "support/output_file.hpp"

namespace lanecull::program {
namespace {

void run_queries(const std::string& file, const CullOptions& options, const std::optional<std::string>& picture) {
    check_distinct({{"FILE", file}}, {{"--picture", picture}});
    const std::optional<OutputFile> picture_file = open_output(picture, ".svg");
    QueryLines lines(file);
    std::uint64_t count = 0, failures = 0;
    for (std::string line; lines.next(line); ++count) {
        if (picture_file && count == 0) picture_file->commit(picture_of(line).svg);
        const Json reply = reply_to(line, options);
        if (reply.contains("error")) ++failures;
        // Each by itself, so that who asks through a pipe need not ask everything at once.
        fmt::print("{}\n", text_of(reply));
        if (std::fflush(stdout) != 0) fail("cannot write to the standard output");
    }
    if (failures != 0) fail("{}: {} of {} lines have no answer but an error", file, grouped(failures), grouped(count));
}

}  // namespace

void add_query_command(CommandLine& program) {
    Command command =
        program.add("query", "Answer single questions: is this shape in this view, how far apart are these two?");
    const auto file = std::make_shared<std::string>();
    const auto culling = std::make_shared<CullingOptions>();
    command.option("FILE", *file, "One question a line, as JSON; - for the standard input").required();
    const auto picture = std::make_shared<std::optional<std::string>>();
    command
        .option("--picture", *picture, "Draw the first question, about two shapes, and the steps of its answer (SVG)")
        .type_name("FILE");
    culling->add_to(command);
    command.footer(
        "Questions: {\"id\": ..., \"view\": {\"clip_from_world\": four rows, \"depth\": \"zero_to_one\"},\n"
        "\"shape\": {\"kind\": \"sphere\", \"center\": [x, y, z], \"radius\": r}}; tools/README.md has all shapes.\n"
        "or {\"id\": ..., \"a\": shape, \"b\": shape}.\n"
        "Answers: {\"id\": ..., \"verdict\": \"visible\" or \"culled\", \"why\": what decided}, or\n"
        "{\"id\": ..., \"verdict\": \"separated\" or \"intersecting\", \"distance\", \"closest\"}, or {\"id\", "
        "\"error\"},\n"
        "and the exit status is then 1.\n\n"
        "Examples:\n"
        "  lanecull query queries.jsonl\n"
        "  lanecull query two_boxes.json --picture steps.svg\n"
        "  lanecull query - --method planes --isa scalar < queries.jsonl");
    command.action([file, culling, picture] { run_queries(*file, culling->checked(), *picture); });
}

}  // namespace lanecull::program
