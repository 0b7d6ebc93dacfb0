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

void take_output(const lanecull_scene_output& given, Fields& fields, Output& to, Explanation& why,
                 SceneOutput& own) noexcept;
void give_results(const Output& from, lanecull_scene_output& to) noexcept;

}  // namespace lanecull::c
