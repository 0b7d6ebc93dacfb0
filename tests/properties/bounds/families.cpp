#include "properties/bounds/bounds.hpp"
#include "properties/family.hpp"

namespace properties {
namespace {

constexpr const char* subject = "bounds";

constexpr Rate hardly_larger[] = {{Tally::kept_18, Tally::apart_18, 0, 0}};
constexpr Rate mostly_valid[] = {{Tally::reached, Tally::cases, 0.85, 0.97}};
constexpr Rate mostly_blocks[] = {{Tally::reached, Tally::cases, 0.6, 1, 4}};
constexpr Rate partly_valid[] = {{Tally::reached, Tally::cases, 0.2, 0.95}};

/// No fingerprints: every set finds the same bits, and trials compare them.
constexpr Family all_families[] = {
    {"bounds_vertices", subject, bound_vertices, partly_valid, true},
    {"bounds_radii", subject, bound_radii, hardly_larger, true},
    {"bounds_relative", subject, bound_relative, hardly_larger, true},
    {"bounds_visible", subject, bound_visible, hardly_larger},
    {"bounds_slices", subject, bound_slices},
    {"bounds_scenes", subject, bound_scenes},
    {"bounds_blocks", subject, bound_blocks, mostly_blocks},
    {"bounds_balls", subject, bound_balls, mostly_valid, true},
    {"bounds_unpack", subject, bound_unpack, {}, true},
    {"bounds_any_spheres", subject, bound_any_spheres, partly_valid, true},
    {"bounds_any_relative", subject, bound_any_relative, partly_valid, true},
    {"bounds_any_visible", subject, bound_any_visible, partly_valid, true},
    {"bounds_any_slices", subject, bound_any_slices, {}, true},
#ifdef LANECULL_PROVE_HULLS
    {"bounds_hulls", subject, bound_hulls, {}, true},
#endif
};

}  // namespace

std::span<const Family> bounds_families() { return all_families; }

}  // namespace properties
