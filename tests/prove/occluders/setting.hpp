#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "occluders/solids.hpp"
#include "prove/fingerprint.hpp"
#include "prove/trial.hpp"
#include "support/objects.hpp"

/// A view with solids in it, and objects about what they hide.
namespace prove {

struct HidingSetting {
    lanecull::View view;
    TestViewpoint from;
    std::vector<TestSolid> solids;               ///< those that the library takes
    std::vector<lanecull::Occluder> occluders;   ///< one each
    std::vector<exact::HalfSpaces> hidden;       ///< what each hides exactly
    std::vector<exact::HalfSpaces> well_hidden;  ///< the same of what is left of it in floats
    HullSet hulls;
    std::vector<std::vector<Object>> objects;  ///< [kind]
    bool grown = false;                        ///< objects have margins and sweeps
    std::size_t cluster = 0;                   ///< > 0: objects are asked in a scene, too, added so many at a time
    std::string text;
};

/// Asks about all objects by every method on every instruction set. What an occluder hides is verified against the
/// solid as it was given, in doubles where they can tell, else in rationals; some of it by the segments that end in it.
void run_setting(const HidingSetting& setting, Trial& trial);

}  // namespace prove
