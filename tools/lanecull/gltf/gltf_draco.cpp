#include "gltf/gltf_draco.hpp"

#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>

#include <cstring>
#include <memory>
#include <optional>
#include <utility>

namespace lanecull::program {
namespace {

using Component = GltfRows::Component;

std::optional<Component> component_of(draco::DataType type) {
    switch (type) {
        case draco::DT_INT8:
            return Component::int8;
        case draco::DT_UINT8:
            return Component::uint8;
        case draco::DT_INT16:
            return Component::int16;
        case draco::DT_UINT16:
            return Component::uint16;
        case draco::DT_UINT32:
            return Component::uint32;
        case draco::DT_FLOAT32:
            return Component::float32;
        default:
            return std::nullopt;
    }
}

/// One row a point of the mesh. Nothing if it is of a type that glTF does not have.
std::optional<GltfAccessor> accessor_of(const draco::PointAttribute& attribute, std::uint32_t points) {
    const std::optional<Component> type = component_of(attribute.data_type());
    if (!type || points == 0) return std::nullopt;
    const auto components = static_cast<std::size_t>(attribute.num_components());
    const std::size_t row = components * GltfRows::size_of(*type);
    const auto bytes = std::make_shared<std::vector<std::byte>>(points * row);
    for (std::uint32_t i = 0; i < points; ++i) {
        const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(i));
        if (value.value() >= attribute.size()) return std::nullopt;
        std::memcpy(bytes->data() + i * row, attribute.GetAddress(value), row);
    }
    const GltfRows rows{.first = bytes->data(), .stride = row, .components = components, .type = *type};
    return GltfAccessor(rows, points, bytes);
}

}  // namespace

GltfDracoMesh decode_draco(std::span<const std::byte> bytes, const GltfObject& source) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) source.reject_all("has data that Draco cannot decompress");
    const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
    GltfDracoMesh result;
    for (draco::FaceIndex face(0); face < mesh->num_faces(); ++face) {
        for (const draco::PointIndex& corner : mesh->face(face)) {
            if (corner.value() >= mesh->num_points()) source.reject_all("has a face with a point that is not there");
            result.indices.push_back(corner.value());
        }
    }
    for (int k = 0; k < mesh->num_attributes(); ++k) {
        const draco::PointAttribute& attribute = *mesh->attribute(k);
        if (std::optional<GltfAccessor> accessor = accessor_of(attribute, mesh->num_points())) {
            result.attributes.emplace(attribute.unique_id(), *std::move(accessor));
        }
    }
    return result;
}

}  // namespace lanecull::program
