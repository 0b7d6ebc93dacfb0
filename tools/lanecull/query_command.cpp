#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <lanecull/cull.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "culling_options.hpp"
#include "error.hpp"
#include "query_lines.hpp"
#include "query_numbers.hpp"
#include "query_shape.hpp"
#include "query_view.hpp"

namespace lanecull::program {
namespace {

using nlohmann::json;
using Reply = nlohmann::ordered_json;

/// More than any query needs. Every level costs memory, so it is looked at before anything is built.
constexpr int deepest = 16;

int nesting(std::string_view text) {
    int depth = 0, most = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string && c == '\\') {
            ++i;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            most = std::max(most, ++depth);
        } else if (!in_string && (c == ']' || c == '}')) {
            --depth;
        }
    }
    return most;
}

json parse(const std::string& line) {
    if (line.size() > QueryLines::longest) fail("the line is longer than {} bytes", QueryLines::longest);
    if (nesting(line) > deepest) fail("the line is nested more than {} deep", deepest);
    try {
        return json::parse(line);
    } catch (const json::exception& error) {
        fail("the line is not JSON: {}", std::string_view(error.what()).substr(0, 200));
    }
}

/// What decided: the one count that is 1.
const char* reason(const Statistics& statistics) {
    static constexpr struct {
        std::uint64_t Statistics::*count;
        const char* name;
    } reasons[] = {{&Statistics::culled_plane, "plane"},      {&Statistics::culled_gjk, "gjk"},
                   {&Statistics::visible_inside, "inside"},   {&Statistics::visible_vertex, "vertex"},
                   {&Statistics::visible_overlap, "overlap"}, {&Statistics::visible_touching, "touching"},
                   {&Statistics::visible_cap, "cap"},         {&Statistics::visible_planes, "planes"},
                   {&Statistics::visible_invalid, "invalid"}};
    for (const auto& candidate : reasons) {
        if (statistics.*candidate.count != 0) return candidate.name;
    }
    fail("the library counted no reason");
}

void answer(const json& query, const Options& options, Reply& reply) {
    if (!query.contains("view") && query.contains("a")) fail("a, b: questions about two shapes are not supported");
    if (query.contains("light")) fail("light: not supported");
    const View view = read_query_view(member(query, "view"));
    const QueryShape shape(member(query, "shape"));

    ViewOutput output;
    std::vector<std::byte> scratch(scratch_bytes({&shape.batch(), 1}, 1));
    require(cull({&shape.batch(), 1}, {&view, 1}, {&output, 1}, scratch, options));
    reply["verdict"] = output.visible_count == 0 ? "culled" : "visible";
    reply["why"] = reason(output.statistics);
}

/// One line's answer, or what is wrong with it.
Reply reply_to(const std::string& line, const Options& options) {
    Reply reply = Reply::object();
    try {
        const json query = parse(line);
        if (!query.is_object()) fail("the line is no object");
        const json& id = member(query, "id");
        if (!id.is_string() && !id.is_number()) fail("id is to be a string or a number");
        reply["id"] = id;
        answer(query, options, reply);
    } catch (const Error& error) {
        reply["error"] = error.what();
    }
    return reply;
}

void run_queries(const std::string& file, const Options& options) {
    QueryLines lines(file);
    std::uint64_t count = 0, failures = 0;
    for (std::string line; lines.next(line); ++count) {
        const Reply reply = reply_to(line, options);
        if (reply.contains("error")) ++failures;
        // Each by itself, so that who asks through a pipe need not ask everything at once.
        fmt::print("{}\n", reply.dump(-1, ' ', false, Reply::error_handler_t::replace));
        if (std::fflush(stdout) != 0) fail("cannot write to the standard output");
    }
    if (failures != 0) fail("{}: {} of {} lines have no answer but an error", file, failures, count);
}

}  // namespace

void add_query_command(CLI::App& program) {
    CLI::App* command = program.add_subcommand("query", "Answer single questions: is this shape in this view?");
    const auto file = std::make_shared<std::string>();
    const auto culling = std::make_shared<CullingOptions>();
    command->add_option("FILE", *file, "One question a line, as JSON; - for the standard input")->required();
    culling->add_to(*command);
    command->footer(
        "Questions: {\"id\": ..., \"view\": {\"clip_from_world\": four rows, \"depth\": \"zero_to_one\"},\n"
        "\"shape\": {\"kind\": \"sphere\", \"center\": [x, y, z], \"radius\": r}}; tools/README.md has all shapes.\n"
        "Answers: {\"id\": ..., \"verdict\": \"visible\" or \"culled\", \"why\": what decided}, or {\"id\", "
        "\"error\"},\n"
        "and the exit status is then 1.\n\n"
        "Examples:\n"
        "  lanecull query queries.jsonl\n"
        "  lanecull query - --method gjk --isa scalar < queries.jsonl");
    command->callback([file, culling] { run_queries(*file, culling->checked()); });
}

}  // namespace lanecull::program
