#pragma once

/// What shadow maps and passes have in common.

#include <lanecull/c/shadow.h>
#include <lanecull/shadow.hpp>

#include "c/given.hpp"
#include "c/same_layout.hpp"

namespace lanecull::c {

static_assert(sizeof(WorldBox) == sizeof(lanecull_world_box) &&
              offsetof(WorldBox, upper) == offsetof(lanecull_world_box, upper));
inline const WorldBox* same(const lanecull_world_box* boxes) { return reinterpret_cast<const WorldBox*>(boxes); }
inline WorldBox* same(lanecull_world_box* boxes) { return reinterpret_cast<WorldBox*>(boxes); }

Status take_map_options(const lanecull_sun_map_options& given, SunMapOptions& to) noexcept;
ShadowMap map_of(const lanecull_shadow_map& given) noexcept;
void give_map(const ShadowMap& from, lanecull_shadow_map& to) noexcept;

}  // namespace lanecull::c
