#include "gltf/gltf_file.hpp"

#include <meshoptimizer.h>

#include <charconv>
#include <system_error>

#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// Whether this reads the extension, or it changes nothing of where objects are.
bool is_read(std::string_view extension) {
    constexpr std::string_view read[] = {
        "KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "EXT_meshopt_compression", "KHR_draco_mesh_compression",
        "KHR_lights_punctual",   "KHR_implicit_shapes",     "KHR_physics_rigid_bodies"};
    constexpr std::string_view of_looks[] = {"KHR_materials_", "KHR_texture_",  "EXT_texture_", "EXT_lights_",
                                             "MSFT_texture_",  "MSFT_packing_", "KHR_xmp"};
    return std::ranges::find(read, extension) != std::end(read) ||
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

/// With or without = at the end; nothing if it is no base64.
std::optional<std::vector<std::byte>> base64_decoded(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    while (text.ends_with('=')) text.remove_suffix(1);
    if (text.size() % 4 == 1) return std::nullopt;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::size_t bits = 0;
    int count = 0;  // of bits that are not yet in a byte
    for (const char c : text) {
        const std::size_t value = digits.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<std::byte>(bits >> count & 0xFFU));
    }
    return bytes;
}

/// A text with %20 for each blank, and so on. What follows a % and is no two digits stays as it is.
std::string percent_decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint8_t code = 0;
        const char* digits = text.data() + i + 1;
        const bool is_code =
            text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
        result += is_code ? static_cast<char>(code) : text[i];
        if (is_code) i += 2;
    }
    return result;
}

/// The bytes of a `data:` URI; nothing if they are not as the URI says.
std::optional<std::vector<std::byte>> bytes_of_data_uri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::string_view data = uri.substr(comma + 1);
    if (uri.substr(0, comma).ends_with(";base64")) return base64_decoded(data);
    const std::string text = percent_decoded(data);
    const auto bytes = std::as_bytes(std::span(text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

/// "https" of a URI that begins so; empty for a relative one.
std::string_view scheme_of(std::string_view uri) {
    const std::size_t end = uri.find_first_of(":/?#");
    return end != std::string_view::npos && uri[end] == ':' ? uri.substr(0, end) : std::string_view{};
}

}  // namespace

GltfFile::GltfFile(std::span<const std::byte> bytes, std::string name)
    : name_(std::move(name)),
      container_(container_of(bytes, name_)),
      document_(parse_json(container_.json.substr(0, container_.json.find_last_not_of('\0') + 1), name_)),
      root_(document_, name_, ""),
      bytes_(bytes.size()) {
    const std::optional<JsonObject> asset = root_.object("asset");
    if (!asset) fail("{}: not glTF: it has no \"asset\"", name_);
    for (const char* member : {"version", "minVersion"}) {
        const std::string version = asset->text(member).value_or("2.0");
        if (!version.starts_with("2.") || (member[0] == 'm' && version != "2.0")) {
            asset->reject(member, "is {}; glTF 2.0 is read", short_text(version));
        }
    }
    for (const std::string& extension : root_.texts("extensionsRequired")) {
        if (!is_read(extension)) fail("{}: it needs the extension {}, which is not read", name_, short_text(extension));
    }
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
    const JsonObject source = list("buffers")[index];
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

MappedFile GltfFile::file_beside(const JsonObject& source, const std::string& uri) const {
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

std::span<const std::byte> GltfFile::slice(const JsonObject& range) {
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
    const JsonObject source = list("bufferViews")[index];
    const std::optional<JsonObject> compressed = source.extension("EXT_meshopt_compression");
    if (!compressed) return slice(source);
    const auto [entry, is_new] = decompressed_.try_emplace(index);
    if (is_new) entry->second = decompressed(*compressed, source.required("byteLength", source.integer("byteLength")));
    return entry->second;
}

/// EXT_meshopt_compression. meshoptimizer's decoders are safe for any bytes, if strides and counts are allowed ones.
std::vector<std::byte> GltfFile::decompressed(const JsonObject& compressed, std::size_t bytes) {
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
    using Decoder = int (*)(void*, std::size_t, std::size_t, const unsigned char*, std::size_t);
    const Decoder decode = of_vertices    ? Decoder{meshopt_decodeVertexBuffer}
                           : of_triangles ? Decoder{meshopt_decodeIndexBuffer}
                                          : Decoder{meshopt_decodeIndexSequence};
    const auto* data = reinterpret_cast<const unsigned char*>(source.data());
    if (decode(result.data(), count, stride, data, source.size()) != 0) {
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
