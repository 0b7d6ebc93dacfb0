#include "prove/bounds/bounds.hpp"
#include "prove/family.hpp"

namespace prove {
namespace {

constexpr const char* subject = "bounds";

/// No fingerprints: every set finds the same bits, and trials compare them.
constexpr Family all_families[] = {
    {"bounds_vertices", subject, bound_vertices}, {"bounds_scaled", subject, bound_scaled},
    {"bounds_radii", subject, bound_radii},       {"bounds_relative", subject, bound_relative},
    {"bounds_visible", subject, bound_visible},   {"bounds_slices", subject, bound_slices},
    {"bounds_scenes", subject, bound_scenes},     {"bounds_blocks", subject, bound_blocks},
    {"bounds_none", subject, bound_none},         {"bounds_balls", subject, bound_balls},
#ifdef LANECULL_PROVE_HULLS
    {"bounds_hulls", subject, bound_hulls},
#endif
};

}  // namespace

std::span<const Family> bounds_families() { return all_families; }

}  // namespace prove
