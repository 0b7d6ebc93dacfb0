#include "query/query_answer.hpp"

#include <lanecull/cull.h>
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cull/reasons.hpp"
#include "query/query_flat.hpp"
#include "query/query_lines.hpp"
#include "query/query_numbers.hpp"
#include "query/query_occluders.hpp"
#include "query/query_pair.hpp"
#include "query/query_shape.hpp"
#include "query/query_view.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

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

JsonDocument parse(const std::string& line) {
    if (line.size() > QueryLines::longest) fail("the line is longer than {} bytes", QueryLines::longest);
    if (nesting(line) > deepest) fail("the line is nested more than {} deep", deepest);
    try {
        return JsonDocument(line);
    } catch (const JsonError& error) {
        fail("the line is not JSON: {}", std::string_view(error.what()).substr(0, 200));
    }
}

/// What decided: the one count that is 1.
std::string_view reason(const Counts& counts) {
    for (const ReasonWords& words : reason_words) {
        if (counts[words.reason] != 0) return short_key(words);
    }
    fail("the library counted no reason");
}

void answer_verdict(const Counts& counts, Json& reply) {
    reply.set("verdict", counts.visible() == 0 ? "culled" : "visible");
    reply.set("why", std::string(reason(counts)));
}

void answer_view(JsonValue query, const CullOptions& options, Json& reply) {
    const JsonValue light = query.contains("light") ? query["light"] : JsonValue();
    const View view = read_query_view(member(query, "view"), light);
    const QueryShape shape(member(query, "shape"));
    const QueryOccluders occluders(query);
    Certificate certificate;
    Explanation why;
    Output output{.occluders = occluders.prepared(), .explanation = &why};
    if (!output.occluders.empty()) why.certificates = {&certificate, 1};
    std::vector<std::byte> scratch(scratch_bytes({&shape.batch(), 1}, 1));
    require(cull({&shape.batch(), 1}, {&view, 1}, {&output, 1}, scratch, options));
    answer_verdict(why.counts, reply);
    if (certificate.reason == Reason::culled_occluded) reply.set("occluder", occluders.place_of(certificate.occluder));
    if (occluders.some_refused()) reply.set("refused", occluders.refused());
}

void answer(JsonValue query, const CullOptions& options, Json& reply) {
    if (!query.contains("view") && query.contains("a")) return answer_pair(query, reply);
    if (!is_flat_view(member(query, "view"))) return answer_view(query, options, reply);
    answer_verdict(cull_flat_query(query, options), reply);
}

}  // namespace

Json reply_to(const std::string& line, const CullOptions& options) {
    Json reply = Json::object();
    try {
        const JsonDocument document = parse(line);
        const JsonValue query = document.value();
        if (!query.is_object()) fail("the line is no object");
        const JsonValue id = member(query, "id");
        if (!id.is_string() && !id.is_number()) fail("id is to be a string or a number");
        reply.set("id", id);
        answer(query, options, reply);
    } catch (const Error& error) {
        reply.set("error", error.what());
    }
    return reply;
}

PairPicture picture_of(const std::string& line) {
    const JsonDocument document = parse(line);
    const JsonValue query = document.value();
    if (!query.is_object() || query.contains("view")) fail("--picture is of a question about two shapes");
    return picture_of_pair(query);
}

std::string text_of(const Json& reply) { return reply.line(); }

}  // namespace lanecull::program
