#pragma once

/// Scenes of the C interface, and their outputs.

#include <lanecull/c/scene.h>
#include <lanecull/scene.hpp>

#include "base/memory.hpp"
#include "c/given.hpp"

struct lanecull_scene : lanecull::Allocated {
    lanecull::Scene scene;
};

namespace lanecull::c {

inline Status check_scene(const lanecull_scene* scene) noexcept {
    return scene != nullptr ? Status() : Status::failure("scene: must not be null");
}

/// Sets all that a call is asked for, and no results: `to` may be memory that nothing was written to.
void take_output(const lanecull_scene_output& given, Fields& fields, SceneOutput& to) noexcept;
void give_results(const SceneOutput& from, lanecull_scene_output& to) noexcept;

}  // namespace lanecull::c
