#include "query/query.hpp"

#include "cull/reasons.hpp"
#include "query/query_batch.hpp"
#include "query/query_pair.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

using nlohmann::ordered_json;

/// More than any query needs. Every level costs memory, so it is tested before anything is built.
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

/// What decided: the one count that is 1.
void answer_verdict(const Counts& counts, ordered_json& reply) {
    const auto* words = std::ranges::find_if(reason_words, [&](const auto& w) { return counts[w.reason] != 0; });
    if (words == std::end(reason_words)) fail("the library counted no reason");
    reply["verdict"] = counts.visible() == 0 ? "culled" : "visible";
    reply["why"] = short_key(*words);
}

void answer_view(const Json& query, const CullOptions& options, ordered_json& reply) {
    const View view = read_query_view(query["view"], query.contains("light") ? query["light"] : Json());
    const QueryBatch<3> shape(member(query, "shape"));
    const QueryOccluders occluders(query);
    Certificate certificate;
    Explanation why;
    Output output{.occluders = occluders.prepared, .explanation = &why};
    if (!output.occluders.empty()) why.certificates = {&certificate, 1};
    std::vector<std::byte> scratch(scratch_bytes({&shape.batch(), 1}, 1));
    require(cull({&shape.batch(), 1}, {&view, 1}, {&output, 1}, scratch, options));
    answer_verdict(why.counts, reply);
    if (certificate.reason == Reason::culled_occluded) reply["occluder"] = occluders.places.at(certificate.occluder);
    for (const auto& [place, reason] : occluders.refused) {
        reply["refused"].push_back(ordered_json{{"occluder", place}, {"why", reason}});
    }
}

void answer_flat(const Json& query, const CullOptions& options, ordered_json& reply) {
    for (const char* name : {"light", "occluders"}) {
        if (query.contains(name)) fail("{} is not supported in the plane", name);
    }
    const flat::View view = read_flat_view(query["view"]);
    const QueryBatch<2> shape(member(query, "shape"));
    Explanation why;
    Output output{.explanation = &why};
    std::vector<std::byte> scratch(flat::scratch_bytes({&shape.batch(), 1}, 1));
    require(flat::cull({&shape.batch(), 1}, {&view, 1}, {&output, 1}, scratch, options));
    answer_verdict(why.counts, reply);
}

void answer(const Json& query, const CullOptions& options, ordered_json& reply) {
    if (!query.contains("view") && query.contains("a")) return answer_pair(query, reply);
    return is_flat_view(member(query, "view")) ? answer_flat(query, options, reply)
                                               : answer_view(query, options, reply);
}

}  // namespace

Json parse_query(const std::string& line) {
    if (line.size() > longest_query) fail("the line is longer than {} bytes", longest_query);
    if (nesting(line) > deepest) fail("the line is nested more than {} deep", deepest);
    try {
        return Json::parse(line);
    } catch (const Json::exception& error) {
        fail("the line is not JSON: {}", std::string_view(error.what()).substr(0, 200));
    }
}

Reply reply_to(const std::string& line, const CullOptions& options) {
    ordered_json reply = ordered_json::object();
    try {
        const Json query = parse_query(line);
        if (!query.is_object()) fail("the line is no object");
        const Json& id = member(query, "id");
        if (!id.is_string() && !id.is_number()) fail("id is to be a string or a number");
        reply["id"] = ordered_json(id);
        answer(query, options, reply);
    } catch (const Error& error) {
        reply["error"] = error.what();
    }
    return {reply.dump(-1, ' ', false, ordered_json::error_handler_t::replace), reply.contains("error")};
}

}  // namespace lanecull::program
