#pragma once

#include "options/command_line.hpp"
#include "scene/camera_path.hpp"

namespace lanecull::program {

/// The options --fov, --aspect, --near and --far.
void add_lens_options(Command command, LensOptions& lens);
/// Fails if a number breaks its rule.
void check_lens_options(const LensOptions& lens);

}  // namespace lanecull::program
