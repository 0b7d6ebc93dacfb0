/// Lines for `lanecull query`. Each gets an answer or an error, as a line of JSON.

#include <lanecull/library.h>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/check.hpp"
#include "query/query.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string line(reinterpret_cast<const char*>(data), size);
    const std::string reply = lanecull::program::reply_to(line, {.isa = lanecull::Isa::scalar}).text;
    check(reply.find('\n') == std::string::npos, "a reply is a line", reply);
    const nlohmann::json parsed = nlohmann::json::parse(reply, nullptr, false);
    check(parsed.is_object(), "a reply is an object", reply);
    check(parsed.contains("error") != parsed.contains("verdict"), "a reply is an answer or an error", reply);
    check(!parsed.contains("verdict") || parsed.contains("why") || parsed.contains("distance"),
          "an answer has a reason or a distance", reply);
    check(!parsed.contains("distance") || parsed["distance"].is_number(), "a distance is a number", reply);
    return 0;
}
