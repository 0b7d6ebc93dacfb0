#pragma once

#include <lanecull/gjk.hpp>

#include "query/query_solid.hpp"

/// What is said of the distance of two shapes, in answers and in pictures.
namespace lanecull::program {

/// As near as doubles go: nobody waits for one query. `watch`: what gjk::distance() tells of its steps, if anyone asks.
template <int N, class... Watch>
[[nodiscard]] auto query_distance(const QuerySolid<N>& a, const QuerySolid<N>& b, Watch&&... watch) {
    return gjk::distance(a, b, {.max_steps = 1000, .relative = 1e-15}, watch...);
}

[[nodiscard]] inline const char* query_verdict(gjk::Verdict verdict) {
    return verdict == gjk::Verdict::separated ? "separated" : "intersecting";
}

}  // namespace lanecull::program
