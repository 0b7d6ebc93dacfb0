#include "api/modes.hpp"

/// The caller's floating-point modes change no result of any public function, none changes these modes, and none takes
/// memory that does not say so.

namespace {

/// hulls.h is tested by lanecull_hull_tests, visibility.h by lanecull_visibility_tests. What a view says of itself is
/// added to the answer of each function that prepares one.
TEST(FloatModesTable, HasEveryPublicFunction) {
    std::vector<std::string> headers = modes::public_headers();
    std::erase_if(headers, [](const std::string& header) { return header == "hulls.h" || header == "visibility.h"; });
    const std::string without_numbers[] = {"lanecull_isa_name",           "lanecull_isa_from_name",
                                           "lanecull_isa_runnable",       "lanecull_isa_lanes",
                                           "lanecull_resolve_isa",        "lanecull_isa_from_environment",
                                           "lanecull_library_form",       "lanecull_explain",
                                           "lanecull_view_is_exact",      "lanecull_view_sees_nothing",
                                           "lanecull_refusal_name",       "lanecull_choose_scratch_bytes",
                                           "lanecull_set_memory_hooks",   "lanecull_current_memory_hooks",
                                           "lanecull_light_scratch_bytes"};
    modes::expect_complete(headers, without_numbers);
}

}  // namespace
