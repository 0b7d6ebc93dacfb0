#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/view.h>

#include "occluders/solids.hpp"
#include "properties/trial.hpp"
#include "support/objects.hpp"

/// A view with solids in it, and objects about what they hide.
namespace properties {

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
    bool ask_all = false;                      ///< the exact oracle decides every object, not some
    std::string text;
};

/// Tests all objects by every method on every instruction set. What an occluder hides is verified against the
/// solid as it was given, in doubles where they can decide, else in rationals; some of it by the segments that end in
/// it.
void run_setting(const HidingSetting& setting, Trial& trial);

/// Solids of any numbers, seen from any eyes or along any way: those that are none are refused; an occluder is made of
/// what is one, and hides what it hides exactly.
void hide_any(Trial& trial);
/// The choice among solids of any numbers: it is allowed, each once, what prepare_occluder() makes of it, and the same
/// again. What is refused writes nothing.
void choose_any(Trial& trial);
/// Polytopes in hulls of many vertices: their corners are vertices; from one eye they are not refused for their facets;
/// they hide what they hide exactly, with a rasteriser's margin what is left when their facets move inward by it.
void hide_by_inscribed(Trial& trial);
/// Polytopes in capsules and cylinders of any size and place: corners are in the shape, which is within what is drawn;
/// where floats are fine beside the radius and a cylinder's length, it is not refused, is most of the shape, and makes
/// an occluder.
void inscribe_capsules(Trial& trial);
void inscribe_cylinders(Trial& trial);

}  // namespace properties
