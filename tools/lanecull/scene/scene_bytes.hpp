#pragma once

#include <string>
#include <string_view>

#include "scene/scene.hpp"

namespace lanecull::program {

/// A scene of hull instances, as files of meshes become, as bytes for another process of this program.
[[nodiscard]] std::string bytes_of(const Scene& scene);

/// The scene that became these bytes. Fails, for `file`, if no scene does: whoever wrote them may have been damaged by
/// the file.
[[nodiscard]] Scene scene_of(std::string_view bytes, const std::string& file);

}  // namespace lanecull::program
