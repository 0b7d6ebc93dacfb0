#include "scene/formats.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

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

void refuse_unread_format(const std::string& file, std::string_view bytes) {
    for (const auto& [suffix, what, instead] : unread_formats) {
        if (ends_in(file, suffix))
            fail("{}: it is {}, which is not read; what is read instead is {}", file, what, instead);
    }
    const std::string part = ends_in(file, ".3mf") ? other_model(bytes) : "";
    if (part.empty()) return;
    fail(
        "{}: it keeps objects in other parts, such as {} (3MF's production extension), and those of 3D/3dmodel.model "
        "alone are read; export it as 3MF without that, STL or glTF",
        file, part);
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

/// The numbers that a line has, as far as it has numbers alone; OFF's are whole where it matters.
std::vector<double> numbers_of(std::string_view line) {
    std::vector<double> numbers;
    for (line = trimmed(line); !line.empty(); line = trimmed(line)) {
        double number = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (error != std::errc()) break;
        numbers.push_back(number);
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
    return numbers;
}

/// OFF: a line a vertex and a line a face, behind the line with their numbers. assimp takes what is missing for zeros.
void check_off(std::string_view text, const std::string& file) {
    double expected = -1, faces = 0, lines = 0;
    std::vector<double> last;
    while (!text.empty() && lines != expected) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line = trimmed(line.substr(0, line.find('#')));
        if (expected < 0) line.remove_prefix(std::min(line.find_first_of("0123456789"), line.size()));
        if (line.empty()) continue;
        std::vector<double> numbers = numbers_of(line);
        if (expected < 0 && numbers.size() > 1) {
            faces = numbers[1];
            expected = numbers[0] + faces;
        } else if (expected >= 0) {
            ++lines;
            last = std::move(numbers);
        }
    }
    if (lines < expected) fail("{}: cut off: {} lines of vertices and faces of {} are there", file, lines, expected);
    if (faces > 0 && !last.empty() && static_cast<double>(last.size()) < 1 + last[0])
        fail("{}: cut off within its last face", file);
}

void refuse_cut_off(const std::string& file, std::string_view bytes) {
    if (ends_in(file, ".off") && bytes.find("BINARY") == std::string_view::npos) check_off(bytes, file);
    for (const LastLine& format : last_lines) check(format, bytes, file);
    for (const Length& format : lengths) check(format, bytes, file);
}

}  // namespace

void refuse_damaged(const std::string& file) {
    const MappedFile mapped(file);
    const std::string_view bytes(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
    refuse_unread_format(file, bytes);
    refuse_cut_off(file, bytes);
}

}  // namespace lanecull::program
