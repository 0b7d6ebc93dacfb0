#include "scene/formats.hpp"

#include <charconv>
#include <system_error>

#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

struct UnreadFormat {
    std::string_view suffix, what, instead;
};

constexpr UnreadFormat unread_formats[] = {
    {".usd", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usda", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usdc", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".usdz", "USD", "glTF (.glb), to which Blender and usd2gltf export it"},
    {".geojson", "GeoJSON", "CityJSON (.json), or a list of boxes (.csv)"},
    {".off", "OFF", "OBJ or PLY, as which MeshLab exports it"},
    {".3mf", "3MF", "STL (.stl) or glTF (.glb)"},
    {".urdf", "URDF", "each mesh that the robot's links name (.dae, .stl, .obj)"},
    {".b3dm", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".i3dm", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".cmpt", "a tile of 3D Tiles 1.0", "glTF (.glb), which 3d-tiles-tools extracts from it"},
    {".pnts", "a tile of 3D Tiles 1.0", "PLY (.ply)"},
};

void refuse_unread_format(const std::string& file) {
    for (const auto& [suffix, what, instead] : unread_formats) {
        if (ends_in(file, suffix)) {
            fail("{}: it is {}, which is not read; what is read instead is {}", file, what, instead);
        }
    }
}

/// A text format whose files end with a line that begins so.
struct LastLine {
    std::string_view suffix, first_word, last_word;  ///< a file that does not begin with the first is another format's
};

constexpr LastLine last_lines[] = {
    {".dxf", "", "EOF"},
    {".ifc", "ISO-10303-21", "END-ISO-10303-21"},
    {".stl", "solid", "endsolid"},
    {".smd", "version", "end"},
};

/// A binary format with its length in its header, but for `more` bytes.
struct Length {
    std::string_view suffix, magic;  ///< empty: any suffix
    std::size_t at;
    bool big_endian;
    std::uint64_t more;
};

constexpr Length lengths[] = {
    {"", "FORM", 4, true, 8},     // LWO
    {"", "IDST", 72, false, 0},   // MDL of Half-Life
    {"", "IDP2", 64, false, 0},   // MD2
    {"", "IDP3", 104, false, 0},  // MD3
    {"", "IDPC", 108, false, 0},  // MDC
    {".3ds", "MM", 2, false, 0},
};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks(" \t\r\n\0\x1A", 6);
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

void check(const LastLine& format, std::string_view text, const std::string& file) {
    text = trimmed(text);
    if (!ends_in(file, format.suffix) || !text.starts_with(format.first_word)) return;
    // Binary STL, too, may begin with the word.
    if (text.find('\0') != std::string_view::npos) return;
    const std::string_view line = trimmed(text.substr(text.find_last_of("\r\n") + 1));
    if (!line.starts_with(format.last_word)) fail("{}: cut off: its last line is not '{}'", file, format.last_word);
}

void check(const Length& format, std::string_view bytes, const std::string& file) {
    if (!format.suffix.empty() && !ends_in(file, format.suffix)) return;
    if (!bytes.starts_with(format.magic) || bytes.size() < format.at + 4) return;
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint64_t byte = static_cast<unsigned char>(bytes[format.at + i]);
        length |= byte << 8 * (format.big_endian ? 3 - i : i);
    }
    length += format.more;
    if (length > bytes.size()) {
        fail("{}: cut off: {} bytes of {} are there", file, grouped(bytes.size()), grouped(length));
    }
}

}  // namespace

void refuse_damaged(const std::string& file) {
    refuse_unread_format(file);
    const MappedFile mapped(file);
    for (const LastLine& format : last_lines) check(format, mapped.text(), file);
    for (const Length& format : lengths) check(format, mapped.text(), file);
}

}  // namespace lanecull::program
