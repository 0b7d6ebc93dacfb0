#include "scene/unread_formats.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "support/error.hpp"
#include "support/mapped_file.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

struct Format {
    std::string_view suffix;
    std::string_view what, instead;
};

constexpr Format formats[] = {
    {".usd", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usda", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usdc", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usdz", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".geojson", "GeoJSON", "CityJSON (.json), or a list of boxes (.csv)"},
    {".urdf", "URDF", "each mesh that the robot's links name (.dae, .stl, .obj)"},
    {".b3dm", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".i3dm", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".cmpt", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".pnts", "a tile of 3D Tiles 1.0", "PLY (.ply)"},
};

/// The first name within a ZIP archive, of its central directory, that ends in `.model` and is not that of the part
/// with the objects to be built; empty if there is none.
std::string other_model(std::string_view archive) {
    constexpr std::size_t header = 46, name_length = 28;
    for (std::size_t at = 0; (at = archive.find("PK\1\2", at)) != std::string_view::npos; ++at) {
        if (archive.size() - at < header) break;
        std::uint16_t length = 0;
        std::memcpy(&length, archive.data() + at + name_length, sizeof length);
        const std::string_view name = archive.substr(at + header, length);
        if (name.ends_with(".model") && name.find('/') != name.rfind('/')) return printable(name.substr(0, 80));
    }
    return {};
}

/// The production extension of 3MF, as Bambu Studio and Orca write it.
void refuse_other_parts(const std::string& file) {
    const MappedFile mapped(file);
    const std::string part = other_model({reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()});
    if (part.empty()) return;
    fail(
        "{}: it keeps objects in other parts, such as {} (3MF's production extension), and those of 3D/3dmodel.model "
        "alone are read; export it as 3MF without that, STL or glTF",
        file, part);
}

}  // namespace

void refuse_unread_format(const std::string& file) {
    for (const Format& format : formats) {
        if (ends_in(file, format.suffix)) {
            fail("{}: it is {}, which is not read; what is read instead is {}", file, format.what, format.instead);
        }
    }
    if (ends_in(file, ".3mf")) refuse_other_parts(file);
}

}  // namespace lanecull::program
