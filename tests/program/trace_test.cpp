#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "program/program.hpp"

/// `cull --trace`: trace event format, in which each call's time is its phases' and each phase's that of its ranges.

namespace {

using nlohmann::json;

using Trace = Program;

/// Whether one event lies within another one, but for the rounding of their times.
bool within(const json& inner, const json& outer) {
    constexpr double rounding = 0.002;
    const double begin = inner["ts"], end = begin + inner["dur"].get<double>();
    const double outer_begin = outer["ts"], outer_end = outer_begin + outer["dur"].get<double>();
    return begin >= outer_begin - rounding && end <= outer_end + rounding;
}

TEST_F(Trace, HasEveryCallWithItsPhases) {
    const Result result = run(small_city({"--threads", "2", "--trace", path("trace.json")}));
    ASSERT_EQ(result.status, 0) << result.errors;
    const json trace = json::parse(read(path("trace.json")));
    std::map<std::string, std::vector<json>> events;
    for (const json& event : trace.at("traceEvents")) {
        EXPECT_EQ(event.at("ph"), "X");
        EXPECT_GE(event.at("ts").get<double>(), 0);
        EXPECT_GE(event.at("dur").get<double>(), 0);
        events[event.at("name")].push_back(event);
    }
    EXPECT_EQ(events["cull()"].size(), 5u) << "a frame, of which --frames are 5";
    EXPECT_EQ(events["cull() by planes"].size(), 5u);
    std::vector<json> calls = events["cull()"];
    calls.insert(calls.end(), events["cull() by planes"].begin(), events["cull() by planes"].end());
    std::size_t phases = 0;
    for (const json& event : events["cull"]) {
        std::size_t around = 0;
        for (const json& call : calls) around += within(event, call) ? 1 : 0;
        EXPECT_EQ(around, 1u) << event;
    }
    for (const json& call : calls) {
        for (const json& event : events["cull"]) {
            // The phase is the longest of the calling thread; ranges have the same name.
            if (event["tid"] == call["tid"] && within(event, call)) {
                ++phases;
                break;
            }
        }
    }
    EXPECT_EQ(phases, calls.size());
    EXPECT_GT(events["cull"].size(), calls.size()) << "phases and ranges";
}

TEST_F(Trace, IsOfScenesInSpaceAndOfOneFile) {
    const std::string flat = write("flat.csv", "0 0 1 1\n");
    expect_error({"cull", flat, "--trace", path("a.json")}, wrong_usage, "--trace");
    expect_error(small_city({"--trace", path("a.json"), "--json", path("a.json")}), wrong_usage, "--trace");
    expect_error(small_city({"--trace", path("no/a.json")}), failed, "no/a.json");
}

}  // namespace
