#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Reads a list of boxes (.txt, .csv, .tsv, "-"), CityJSON (.json, .cityjson), glTF (.gltf, .glb, .vrm), PLY (.ply) or,
/// with assimp, any other file: for each mesh of each node an instance of the hull of the points that its faces use.
/// Meshes of more points than a hull may have are cut into several by runs of faces; meshes without any point are left
/// out. `frames` is for read_gltf(); in scenes of other formats all objects rest.
[[nodiscard]] Scene read_scene(const std::string& file, std::optional<std::size_t> frames = {});

}  // namespace lanecull::program
