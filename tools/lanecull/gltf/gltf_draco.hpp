#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "gltf/gltf_accessor.hpp"
#include "gltf/gltf_object.hpp"

namespace lanecull::program {

/// A mesh that was compressed with Draco (KHR_draco_mesh_compression).
struct GltfDracoMesh {
    std::vector<std::uint32_t> indices;                ///< three a triangle
    std::map<std::uint64_t, GltfAccessor> attributes;  ///< by the number that the file gives them
};

/// Fails, as `source` says where, if that is no such mesh.
[[nodiscard]] GltfDracoMesh decode_draco(std::span<const std::byte> bytes, const GltfObject& source);

}  // namespace lanecull::program
