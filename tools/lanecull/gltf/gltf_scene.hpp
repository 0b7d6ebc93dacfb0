#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "scene/scene.hpp"

namespace lanecull::program {

/// Whether the file's name says that it is glTF: .gltf, .glb, or .vrm, which is .glb.
[[nodiscard]] bool is_gltf(const std::string& file);

/// Reads the scene of a glTF 2.0 file: each primitive of each node's mesh is an object, or as many as
/// EXT_mesh_gpu_instancing says, at rest: morph targets have the weights of their nodes, else meshes, and joints are
/// where their nodes are. With `frames` the scene has the motion of the objects that are moved by the animation of the
/// path of so many frames that path_of_gltf() makes of the file's cameras; but objects with skins, and those whose
/// morph targets it changes, rest. The description counts what the file has and is not read.
[[nodiscard]] Scene read_gltf(const std::string& file, std::optional<std::size_t> frames = {});
/// The same of its contents.
[[nodiscard]] Scene parse_gltf(std::span<const std::byte> bytes, const std::string& file,
                               std::optional<std::size_t> frames = {});

}  // namespace lanecull::program
