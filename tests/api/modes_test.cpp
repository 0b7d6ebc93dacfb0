#include "api/modes.hpp"

#include <gtest/gtest.h>

#include "api/modes_calls.hpp"

/// The caller's floating-point modes change no result of any public function, and none changes these modes.

namespace {

using modes::PublicCall;

std::vector<PublicCall> all_calls() {
    std::vector<PublicCall> all;
    for (const std::span<const PublicCall> calls :
         {modes::view_calls(), modes::object_calls(), modes::scene_calls(), modes::frame_calls(), modes::solid_calls(),
          modes::occluder_calls()}) {
        all.insert(all.end(), calls.begin(), calls.end());
    }
    return all;
}

class FloatModes : public testing::TestWithParam<PublicCall> {};

TEST_P(FloatModes, ChangeNoResult) { modes::expect_alike(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, FloatModes, testing::ValuesIn(all_calls()),
                         [](const auto& call) { return modes::test_name(call.param, call.index); });

/// gjk.hpp is headers alone: it computes by the modes of its caller. hulls.hpp is tested by lanecull_hull_tests,
/// visibility.hpp by lanecull_visibility_tests.
TEST(FloatModesTable, HasEveryPublicFunction) {
    std::vector<std::string> headers = modes::public_headers();
    std::erase_if(headers, [](const std::string& header) {
        return header.starts_with("gjk") || header == "hulls.hpp" || header == "visibility.hpp";
    });
    const std::string without_numbers[] = {"isa_name",
                                           "isa_from_name",
                                           "isa_runnable",
                                           "isa_lanes",
                                           "resolve_isa",
                                           "isa_from_environment",
                                           "failure",
                                           "ok",
                                           "code",
                                           "message",
                                           "threads",
                                           "runner",
                                           "name_of",
                                           "choose_scratch_bytes",
                                           "set_memory_hooks",
                                           "memory_hooks"};
    modes::expect_complete(all_calls(), headers, without_numbers);
}

}  // namespace
