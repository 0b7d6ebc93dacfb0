#pragma once

#include <map>

#include "scene/json_object.hpp"
#include "support/files.hpp"

namespace lanecull::program {

/// A glTF 2.0 document, text or binary, and its buffers. Debian 12's tinygltf 2.7 was tried for it: it refuses index
/// accessors without a buffer view, which files compressed with Draco have, and buffers without a URI, which those of
/// meshoptimizer have; reads a member of the wrong type as if it were missing; and ends the program with a signal where
/// `extras` nest deep.
class GltfFile {
public:
    /// `bytes` outlive this. Buffers are looked for beside `name`. Fails if the file is no such document, or needs an
    /// extension that is not read.
    GltfFile(std::span<const std::byte> bytes, std::string name);
    GltfFile(const GltfFile&) = delete;
    GltfFile& operator=(const GltfFile&) = delete;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const JsonObject& root() const { return root_; }
    /// A list of the document, such as "nodes".
    [[nodiscard]] JsonArray list(const char* name) const { return root_.array(name); }

    /// Extensions that the file has and this does not read, but for those of materials and textures.
    [[nodiscard]] std::vector<std::string> other_extensions() const;

    /// The bytes of a buffer view, decompressed: valid as long as this.
    [[nodiscard]] std::span<const std::byte> view(std::size_t index);

    /// Counts work that a few bytes of a hostile file could make endless, such as accessors without any data: fails
    /// beyond 64 steps a byte of the file and its buffers, and four million more.
    void charge(std::uint64_t steps);

private:
    struct Container {
        std::string_view json;
        std::optional<std::span<const std::byte>> binary;  ///< what buffer 0 has
    };
    struct Buffer {
        std::span<const std::byte> bytes;
        std::vector<std::byte> decoded;  ///< of a data: URI
        MappedFile mapped;
    };

    [[nodiscard]] static Container container_of(std::span<const std::byte> bytes, const std::string& name);
    [[nodiscard]] const Buffer& buffer(std::size_t index);
    [[nodiscard]] MappedFile file_beside(const JsonObject& source, const std::string& uri) const;
    [[nodiscard]] std::span<const std::byte> slice(const JsonObject& range);
    [[nodiscard]] std::vector<std::byte> decompressed(const JsonObject& compressed, std::size_t bytes);

    std::string name_;
    Container container_;
    Json document_;
    JsonObject root_;
    std::map<std::size_t, Buffer> buffers_;
    std::map<std::size_t, std::vector<std::byte>> decompressed_;  ///< by buffer view
    std::uint64_t bytes_, steps_ = 0;
};

}  // namespace lanecull::program
