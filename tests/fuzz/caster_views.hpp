#pragma once

#include "fuzz/input.hpp"

/// Views of casters for any number of lights, prepared together and one by one: the same bytes, and together they fail
/// where one of them does or breaks a rule of its own.
void check_caster_views(Input& input);
