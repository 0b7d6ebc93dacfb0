#pragma once

#include <glm/mat4x4.hpp>

#include "gltf/gltf_file.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

/// Rows of numbers in memory.
struct GltfRows {
    /// As glTF numbers them.
    enum Component : std::uint16_t { int8 = 5120, uint8, int16, uint16, uint32 = 5125, float32 };

    const std::byte* first = nullptr;  ///< null: zeros
    std::size_t stride = 0;            ///< bytes from one row to the next
    std::size_t components = 1;        ///< of a row
    Component type = float32;
    bool normalized = false;  ///< integers stand for -1 to 1, or 0 to 1

    [[nodiscard]] std::size_t bytes_a_row() const;
    [[nodiscard]] double at(std::size_t row, std::size_t component) const;
};

/// What a glTF accessor names.
class GltfAccessor {
public:
    /// Fails unless all of it lies in its buffer views.
    GltfAccessor(GltfFile& file, std::size_t index);
    /// Rows that are kept by `owner`.
    GltfAccessor(const GltfRows& rows, std::size_t count, std::shared_ptr<const void> owner)
        : count_(count), rows_(rows), owner_(std::move(owner)) {}

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] std::size_t components() const { return rows_.components; }
    [[nodiscard]] double at(std::size_t row, std::size_t component) const;
    /// Its first components.
    [[nodiscard]] glm::dvec3 vec3(std::size_t row) const { return {at(row, 0), at(row, 1), at(row, 2)}; }
    [[nodiscard]] glm::dvec4 vec4(std::size_t row) const { return {at(row, 0), at(row, 1), at(row, 2), at(row, 3)}; }
    [[nodiscard]] glm::dmat4 matrix(std::size_t row) const;
    /// Where has_integers() holds.
    [[nodiscard]] std::uint32_t integer(std::size_t row, std::size_t component = 0) const {
        return static_cast<std::uint32_t>(at(row, component));
    }
    /// Integers, which stand for themselves and are not negative.
    [[nodiscard]] bool has_integers() const;
    void set_normalized(bool normalized) { rows_.normalized = normalized; }

private:
    void read_sparse(GltfFile& file, const JsonObject& sparse);

    std::size_t count_;
    GltfRows rows_;
    std::vector<std::uint32_t> sparse_rows_;  ///< ascending: those that sparse_ has
    GltfRows sparse_;
    std::shared_ptr<const void> owner_;
};

/// A file's accessors, each read once.
class GltfAccessors {
public:
    explicit GltfAccessors(GltfFile& file) : file_(file) {}

    [[nodiscard]] GltfFile& file() const { return file_; }
    /// The one that a member of `source` names, if it is there. Fails unless it has so many components.
    [[nodiscard]] const GltfAccessor* find(const JsonObject& source, const char* member, std::size_t components);
    [[nodiscard]] const GltfAccessor& get(const JsonObject& source, const char* member, std::size_t components);

private:
    GltfFile& file_;
    std::map<std::size_t, GltfAccessor> read_;
};

/// The hull meshes of a primitive, in its mesh's coordinates, with its morph targets at these weights (none: all at
/// rest). With `joints` its vertices are where those move them. Empty if it has no points.
[[nodiscard]] std::vector<HullMesh> hull_meshes(const JsonObject& primitive, GltfAccessors& accessors,
                                                const std::vector<double>& weights,
                                                const std::vector<glm::dmat4>* joints);

}  // namespace lanecull::program
