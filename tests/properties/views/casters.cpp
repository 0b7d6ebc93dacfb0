#include "properties/views/casters.hpp"

#include <cmath>

#include "properties/family.hpp"

/// The families of casters, balls, views of nothing, and how views are prepared, that are no setting's.
namespace properties {
namespace {

constexpr Rate half[] = {{Tally::reached, Tally::cases, 0.5}};
constexpr Rate some[] = {{Tally::reached, Tally::cases, 0.1}};
constexpr Rate mostly_nothing[] = {{Tally::reached, Tally::cases, 0.7, 1, 10}};
constexpr Rate some_casters[] = {{Tally::reached, Tally::cases, 0.2},
                                 {Tally::oracle_visible, Tally::oracle_objects, 0.02}};
constexpr Rate hardly_kept[] = {{Tally::reached, Tally::cases, 0, 0.01, 500},
                                {Tally::oracle_visible, Tally::oracle_objects, 0.1, 0.9}};
constexpr Rate few_kept[] = {{Tally::reached, Tally::cases, 0, 0.03},
                             {Tally::oracle_visible, Tally::oracle_objects, 0.1, 0.9}};
constexpr Rate mostly_left_out[] = {{Tally::reached, Tally::cases, 0.9},
                                    {Tally::oracle_visible, Tally::oracle_objects, 0.05, 0.9}};
constexpr Rate inside_and_out[] = {{Tally::reached, Tally::cases, 0.1, 0.9}};
constexpr Rate mostly_exact[] = {{Tally::reached, Tally::cases, 0.8, 1, 100}, {Tally::refused, Tally::cases, 0, 0.01}};
constexpr Rate mostly_known[] = {{Tally::reached, Tally::cases, 0.9}, {Tally::exact_checks, Tally::reached, 12, 18}};
constexpr Rate nearly_all_told[] = {{Tally::reached, Tally::cases, 0.95}};
constexpr Rate often_solved[] = {{Tally::reached, Tally::cases, 0.25}};
constexpr Rate corners_asked[] = {{Tally::cases, Tally::verdicts, 0.5},
                                  {Tally::culled_plane, Tally::verdicts, 0.01},
                                  {Tally::reached, Tally::cases, 0.8},
                                  {Tally::exact_checks, Tally::cases, 5, HUGE_VAL}};

constexpr Family all_families[] = {
    {"casters_any", "casters", casters_any, some_casters, true},
    {"casters_any_many", "casters", casters_any_many, some, true},
    {"casters_any_maps", "casters", casters_any_maps, some, true},
    {"maps", "casters", maps, inside_and_out, true},
    {"slices", "casters", slices, mostly_left_out, true},
    {"coinciding_exact", "casters", coinciding_exact, half, true},
    {"balls_apart", "balls", balls_apart, few_kept},
    {"nothing_seen", "nothing", nothing_seen, mostly_nothing, true},
    {"prepared", "views", prepared, mostly_exact, true},
    {"well_apart", "views", well_apart, hardly_kept},
    {"matrix_layouts", "views", matrix_layouts, some, true},
    {"outlines", "views", outlines, mostly_known, true},
    {"told_by_planes", "views", told_by_planes, nearly_all_told, true},
    {"enclosing_vectors", "views", enclosing_vectors, often_solved, true},
    {"enclosing_corners", "views", enclosing_corners, corners_asked, true},
    {"enclosing_rays", "views", enclosing_rays, {}, true},
};

}  // namespace

std::span<const Family> caster_families() { return all_families; }

}  // namespace properties
