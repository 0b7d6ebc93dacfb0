#include "gltf/gltf_file.hpp"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "gltf/gltf_uri.hpp"
#include "support/error.hpp"
#include "support/grouped.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

/// Whether this reads the extension, or it changes nothing of where objects are.
bool is_read(std::string_view extension) {
    constexpr std::array<std::string_view, 5> read = {"KHR_mesh_quantization", "EXT_mesh_gpu_instancing",
                                                      "EXT_meshopt_compression", "KHR_draco_mesh_compression",
                                                      "KHR_lights_punctual"};
    constexpr std::array<std::string_view, 7> of_looks = {
        "KHR_materials_", "KHR_texture_", "EXT_texture_", "EXT_lights_", "MSFT_texture_", "MSFT_packing_", "KHR_xmp"};
    return std::ranges::find(read, extension) != read.end() ||
           std::ranges::any_of(of_looks, [&](std::string_view start) { return extension.starts_with(start); });
}

std::uint32_t word_at(std::span<const std::byte> bytes, std::size_t offset) {
    std::uint32_t word = 0;
    for (std::size_t i = 4; i-- > 0;) word = word << 8 | std::to_integer<std::uint32_t>(bytes[offset + i]);
    return word;
}

std::string_view text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// For messages.
std::string short_text(std::string_view text) { return printable(text.substr(0, 80)); }

using Decoder = int (*)(void* destination, std::size_t count, std::size_t stride, const unsigned char* source,
                        std::size_t bytes);

}  // namespace

GltfFile::GltfFile(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)),
      container_(container_of(bytes, name_)),
      document_(parsed(container_.json, name_)),
      root_(document_.value(), name_, ""),
      bytes_(bytes.size()) {
    check_version();
    check_extensions();
}

/// Binary files begin with a header of 12 bytes. Each chunk has its length, its type and its bytes.
GltfFile::Container GltfFile::container_of(std::span<const std::byte> bytes, const std::string& name) {
    constexpr std::uint32_t json_type = 0x4E4F534A, binary_type = 0x004E4942;
    if (!text_of(bytes).starts_with("glTF")) return {text_of(bytes), {}};
    if (bytes.size() < 12) fail("{}: cut off within its header", name);
    if (word_at(bytes, 4) != 2) fail("{}: binary glTF of version {}; 2 is read", name, word_at(bytes, 4));
    const std::size_t length = word_at(bytes, 8);
    if (length > bytes.size()) {
        fail("{}: cut off: {} bytes of {} are there", name, grouped(bytes.size()), grouped(length));
    }
    Container result;
    for (std::size_t at = 12; at + 8 <= length;) {
        const std::size_t size = word_at(bytes, at), type = word_at(bytes, at + 4);
        at += 8;
        if (size > length - at) fail("{}: cut off within a chunk of {} bytes", name, grouped(size));
        const std::span<const std::byte> chunk = bytes.subspan(at, size);
        if (type == json_type && result.json.empty()) result.json = text_of(chunk);
        if (type == binary_type && !result.binary) result.binary = chunk;
        at += size;
    }
    return result;
}

JsonDocument GltfFile::parsed(std::string_view text, const std::string& name) {
    try {
        return JsonDocument(text.substr(0, text.find_last_not_of('\0') + 1));
    } catch (const JsonError& error) {
        fail("{}: not JSON: {}", name, error.what());
    }
}

void GltfFile::check_version() const {
    const std::optional<GltfObject> asset = root_.object("asset");
    if (!asset) fail("{}: not glTF: it has no \"asset\"", name_);
    for (const char* member : {"version", "minVersion"}) {
        const std::string version = asset->text(member).value_or("2.0");
        if (!version.starts_with("2.") || (member[0] == 'm' && version != "2.0")) {
            asset->reject(member, "is {}; glTF 2.0 is read", short_text(version));
        }
    }
}

void GltfFile::check_extensions() const {
    for (const std::string& extension : root_.texts("extensionsRequired")) {
        if (!is_read(extension)) fail("{}: it needs the extension {}, which is not read", name_, short_text(extension));
    }
}

std::vector<std::string> GltfFile::other_extensions() const {
    std::vector<std::string> result;
    for (const std::string& extension : root_.texts("extensionsUsed")) {
        if (!is_read(extension)) result.push_back(short_text(extension));
    }
    return result;
}

void GltfFile::charge(std::uint64_t steps) {
    const std::uint64_t most = (std::uint64_t{1} << 22) + 64 * bytes_;
    if (steps > most - steps_) {
        fail("{}: it takes more than {} steps to read, 64 for each of its bytes", name_, grouped(most));
    }
    steps_ += steps;
}

const GltfFile::Buffer& GltfFile::buffer(std::size_t index) {
    const auto [entry, is_new] = buffers_.try_emplace(index);
    Buffer& result = entry->second;
    if (!is_new) return result;
    const GltfObject source = list("buffers")[index];
    const std::uint64_t length = source.required("byteLength", source.integer("byteLength"));
    const std::optional<std::string> uri = source.text("uri");
    if (!uri) {
        if (index != 0 || !container_.binary) source.reject_all("has neither a uri nor a chunk of data");
        result.bytes = *container_.binary;
    } else if (scheme_of(*uri) == "data") {
        std::optional<std::vector<std::byte>> decoded = bytes_of_data_uri(*uri);
        if (!decoded) source.reject("uri", "is no base64");
        result.decoded = *std::move(decoded);
        result.bytes = result.decoded;
    } else {
        result.mapped = file_beside(source, *uri);
        result.bytes = result.mapped.bytes();
        bytes_ += result.bytes.size();
    }
    if (result.bytes.size() < length) {
        source.reject_all("is cut off: {} bytes of {} are there", grouped(result.bytes.size()), grouped(length));
    }
    result.bytes = result.bytes.first(length);
    return result;
}

MappedFile GltfFile::file_beside(const GltfObject& source, const std::string& uri) const {
    if (const std::string_view scheme = scheme_of(uri); !scheme.empty()) {
        source.reject("uri", "begins with {}:; data: URIs and files beside this one are read", short_text(scheme));
    }
    const std::filesystem::path folder = std::filesystem::path(name_).parent_path();
    // Some programs write names as they are.
    for (const std::string& beside : {percent_decoded(uri), uri}) {
        if (beside.starts_with('/') || beside.find('\0') != std::string::npos) break;
        std::error_code none;
        if (std::filesystem::is_regular_file(folder / beside, none)) return MappedFile((folder / beside).string());
    }
    source.reject("uri", "names {}, which is no file beside this one", short_text(uri));
}

std::span<const std::byte> GltfFile::slice(const GltfObject& range) {
    const std::size_t index = range.required("buffer", range.index("buffer", list("buffers").size()));
    const std::uint64_t offset = range.integer("byteOffset").value_or(0);
    const std::uint64_t length = range.required("byteLength", range.integer("byteLength"));
    const std::span<const std::byte> bytes = buffer(index).bytes;
    if (offset > bytes.size() || length > bytes.size() - offset) {
        range.reject_all("ends at byte {} of {} of its buffer", grouped(offset + length), grouped(bytes.size()));
    }
    return bytes.subspan(offset, length);
}

std::span<const std::byte> GltfFile::view(std::size_t index) {
    const GltfObject source = list("bufferViews")[index];
    const std::optional<GltfObject> compressed = source.extension("EXT_meshopt_compression");
    if (!compressed) return slice(source);
    const auto [entry, is_new] = decompressed_.try_emplace(index);
    if (is_new) entry->second = decompressed(*compressed, source.required("byteLength", source.integer("byteLength")));
    return entry->second;
}

/// EXT_meshopt_compression. meshoptimizer's decoders are safe for any bytes, if strides and counts are allowed ones.
std::vector<std::byte> GltfFile::decompressed(const GltfObject& compressed, std::size_t bytes) {
    const std::uint64_t count = compressed.required("count", compressed.integer("count"));
    const std::uint64_t stride = compressed.required("byteStride", compressed.integer("byteStride"));
    const std::string mode = compressed.required("mode", compressed.text("mode"));
    const std::string filter = compressed.text("filter").value_or("NONE");
    const bool of_vertices = mode == "ATTRIBUTES", of_triangles = mode == "TRIANGLES";
    if (!of_vertices && !of_triangles && mode != "INDICES") compressed.reject("mode", "is {}", short_text(mode));
    if (of_vertices ? stride == 0 || stride > 256 || stride % 4 != 0 : stride != 2 && stride != 4) {
        compressed.reject("byteStride", "is to be 2 or 4, or for vertices a multiple of 4 up to 256, not {}", stride);
    }
    if (of_triangles && count % 3 != 0) compressed.reject("count", "is to be three a triangle, not {}", count);
    if (count != bytes / stride || bytes % stride != 0) {
        compressed.reject("count", "is {} of {} bytes, and the buffer view has {}", count, stride, grouped(bytes));
    }
    charge(bytes / 16);
    const std::span<const std::byte> source = slice(compressed);
    std::vector<std::byte> result(bytes);
    const Decoder decode = of_vertices    ? Decoder{meshopt_decodeVertexBuffer}
                           : of_triangles ? Decoder{meshopt_decodeIndexBuffer}
                                          : Decoder{meshopt_decodeIndexSequence};
    if (decode(result.data(), count, stride, reinterpret_cast<const unsigned char*>(source.data()), source.size()) !=
        0) {
        compressed.reject_all("has data that meshoptimizer cannot decompress");
    }
    if (filter == "OCTAHEDRAL" && (stride == 4 || stride == 8)) {
        meshopt_decodeFilterOct(result.data(), count, stride);
    } else if (filter == "QUATERNION" && stride == 8) {
        meshopt_decodeFilterQuat(result.data(), count, stride);
    } else if (filter == "EXPONENTIAL" && stride % 4 == 0) {
        meshopt_decodeFilterExp(result.data(), count, stride);
    } else if (filter != "NONE") {
        compressed.reject("filter", "is {} of {} bytes", short_text(filter), stride);
    }
    return result;
}

}  // namespace lanecull::program
