
#include <cstdio>

#include "commands.hpp"
#include "options/options.hpp"
#include "query/query.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// The next line of a file, without its end; of one that is too long, the first longest_query + 1 bytes.
bool next_line(std::FILE* stream, const std::string& file, std::string& line) {
    line.clear();
    int byte = std::getc(stream);
    if (byte == EOF && std::ferror(stream) != 0) fail_to_read(file);
    const bool is_one = byte != EOF;
    for (; byte != EOF && byte != '\n'; byte = std::getc(stream)) {
        if (line.size() <= longest_query) line.push_back(static_cast<char>(byte));
    }
    return is_one;
}

void run_queries(const std::string& file, const CullOptions& options, const std::optional<std::string>& picture) {
    check_distinct({{"FILE", file}}, {{"--picture", picture}});
    std::optional<OutputFile> picture_file = open_output(picture, ".svg");
    const bool is_input = file == "-";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(is_input ? nullptr : std::fopen(file.c_str(), "rb"),
                                                                 std::fclose);
    if (!is_input && !opened) fail_to_read(file);
    std::FILE* stream = is_input ? stdin : opened.get();
    std::uint64_t count = 0, failures = 0;
    for (std::string line; next_line(stream, file, line); ++count) {
        if (picture_file && count == 0) picture_file->commit(draw_pair(line));
        const Reply reply = reply_to(line, options);
        failures += reply.is_error;
        // Each by itself, so that who writes questions into a pipe need not write all of them at once.
        fmt::print("{}\n", reply.text);
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
    command.option("FILE", &*file, "One question a line, as JSON; - for the standard input").required();
    const auto picture = std::make_shared<std::optional<std::string>>();
    command.option("--picture FILE", &*picture,
                   "Draw the first question, about two shapes, and the steps of its answer (SVG)");
    culling->add_method_to(command);
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
