#include "gltf/gltf_accessor.hpp"

#include <draco/compression/decode.h>
#include <draco/mesh/mesh.h>

#include <cmath>

#include "scene/mesh_scene.hpp"

namespace lanecull::program {
namespace {

/// A mesh that was compressed with Draco (KHR_draco_mesh_compression).
struct DracoMesh {
    std::vector<std::uint32_t> indices;                ///< three a triangle
    std::map<std::uint64_t, GltfAccessor> attributes;  ///< by the number that the file gives them
};

/// One row a point of the mesh. Nothing if it is of a type that glTF does not have.
std::optional<GltfAccessor> accessor_of(const draco::PointAttribute& attribute, std::uint32_t points) {
    static const std::map<draco::DataType, GltfRows::Component> types = {
        {draco::DT_INT8, GltfRows::int8},     {draco::DT_UINT8, GltfRows::uint8},
        {draco::DT_INT16, GltfRows::int16},   {draco::DT_UINT16, GltfRows::uint16},
        {draco::DT_UINT32, GltfRows::uint32}, {draco::DT_FLOAT32, GltfRows::float32}};
    const auto type = types.find(attribute.data_type());
    if (type == types.end() || points == 0) return std::nullopt;
    GltfRows rows{.components = static_cast<std::size_t>(attribute.num_components()), .type = type->second};
    rows.stride = rows.bytes_a_row();
    const auto bytes = std::make_shared<std::vector<std::byte>>(points * rows.stride);
    for (std::uint32_t i = 0; i < points; ++i) {
        const draco::AttributeValueIndex value = attribute.mapped_index(draco::PointIndex(i));
        if (value.value() >= attribute.size()) return std::nullopt;
        std::memcpy(bytes->data() + i * rows.stride, attribute.GetAddress(value), rows.stride);
    }
    rows.first = bytes->data();
    return GltfAccessor(rows, points, bytes);
}

/// Fails, as `source` says where, if that is no such mesh.
DracoMesh decode_draco(std::span<const std::byte> bytes, const JsonObject& source) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    auto decoded = draco::Decoder().DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok()) source.reject_all("has data that Draco cannot decompress");
    const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
    DracoMesh result;
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

class Primitive {
public:
    Primitive(const JsonObject& source, GltfAccessors& accessors)
        : source_(source),
          accessors_(accessors),
          attributes_(source.required("attributes", source.object("attributes"))) {
        if (std::optional<JsonObject> draco = source.extension("KHR_draco_mesh_compression")) decompress(*draco);
        positions_ = attribute("POSITION", 3);
        if (draco_) return;
        indices_ = accessors.find(source, "indices", 1);
        if (indices_ != nullptr && !indices_->has_integers()) source.reject("indices", "are to be unsigned integers");
    }

    void morph(const std::vector<double>& weights) {
        const JsonArray targets = source_.array("targets");
        if (weights.empty() || positions_ == nullptr) return;
        if (targets.size() != weights.size()) {
            source_.reject("targets", "are {}, and there are {} weights", targets.size(), weights.size());
        }
        for (std::size_t k = 0; k < weights.size(); ++k) {
            const GltfAccessor* offsets = accessors_.find(targets[k], "POSITION", 3);
            if (offsets == nullptr || weights[k] == 0) continue;
            check_count(*offsets, "targets");
            targets_.emplace_back(weights[k], offsets);
        }
    }

    /// All sets of four joints and weights count.
    void bind(const std::vector<glm::dmat4>& joints) {
        joints_ = &joints;
        for (int set = 0; positions_ != nullptr; ++set) {
            const GltfAccessor* names = attribute(fmt::format("JOINTS_{}", set).c_str(), 4);
            const GltfAccessor* shares = attribute(fmt::format("WEIGHTS_{}", set).c_str(), 4);
            if (names == nullptr || shares == nullptr) break;
            if (!names->has_integers()) attributes_.reject("JOINTS_0", "are to be unsigned integers");
            check_count(*names, "JOINTS_0");
            check_count(*shares, "WEIGHTS_0");
            bindings_.emplace_back(names, shares);
        }
    }

    std::vector<HullMesh> hulls() {
        if (positions_ == nullptr) return {};
        const std::size_t corners = draco_                ? draco_->indices.size()
                                    : indices_ != nullptr ? indices_->count()
                                                          : positions_->count();
        if (!targets_.empty() || !bindings_.empty()) {  // once a vertex, for faces share them
            accessors_.file().charge(positions_->count() * (1 + targets_.size() + 4 * bindings_.size()));
            for (std::size_t i = 0; i < positions_->count(); ++i) moved_.push_back(moved(i));
        }
        accessors_.file().charge(corners);
        add_faces(corners);
        return builder_.take();
    }

private:
    enum Mode : std::uint64_t { points, lines, line_loop, line_strip, triangles, triangle_strip, triangle_fan };

    void decompress(const JsonObject& draco) {
        const std::size_t views = accessors_.file().list("bufferViews").size();
        const std::size_t view = draco.required("bufferView", draco.index("bufferView", views));
        draco_ = decode_draco(accessors_.file().view(view), draco);
        draco_names_ = draco.required("attributes", draco.object("attributes"));
        accessors_.file().charge(draco_->indices.size());
    }

    /// Null where it has none of that name.
    const GltfAccessor* attribute(const char* name, std::size_t components) {
        if (!draco_ || !draco_names_->has(name)) return accessors_.find(attributes_, name, components);
        const auto found = draco_->attributes.find(*draco_names_->integer(name));
        if (found == draco_->attributes.end()) draco_names_->reject(name, "names an attribute that is not there");
        GltfAccessor& values = found->second;
        const JsonArray list = accessors_.file().list("accessors");
        const std::size_t declared = attributes_.required(name, attributes_.index(name, list.size()));
        if (values.components() != components) attributes_.reject(name, "is to have {} numbers a vertex", components);
        values.set_normalized(list[declared].boolean("normalized"));
        return &values;
    }

    void check_count(const GltfAccessor& values, const char* name) const {
        if (values.count() == positions_->count()) return;
        attributes_.reject(name, "are {} of {} vertices", values.count(), positions_->count());
    }

    /// Where vertex i is.
    glm::vec3 moved(std::size_t i) const {
        glm::dvec3 p = positions_->vec3(i);
        for (const auto& [weight, offsets] : targets_) p += weight * offsets->vec3(i);
        if (!bindings_.empty()) p = skinned(i, p);
        const glm::vec3 result(p);
        if (!is_finite(result)) source_.reject_all("has vertex {}, which is not finite", i);
        return result;
    }

    /// Weights are taken to have the sum 1; where all are 0, the first joint has it.
    glm::dvec3 skinned(std::size_t i, const glm::dvec3& p) const {
        glm::dvec3 sum(0);
        double total = 0;
        for (const auto& [names, shares] : bindings_) {
            for (std::size_t k = 0; k < 4; ++k) {
                const double share = shares->at(i, k);
                if (share == 0) continue;
                total += share;
                sum += share * glm::dvec3(joint(names->integer(i, k)) * glm::dvec4(p, 1));
            }
        }
        if (total == 0) return {joint(bindings_[0].first->integer(i)) * glm::dvec4(p, 1)};
        return sum / total;
    }

    const glm::dmat4& joint(std::uint32_t index) const {
        if (index >= joints_->size()) source_.reject_all("names joint {} of {}", index, joints_->size());
        return (*joints_)[index];
    }

    glm::vec3 corner(std::size_t k) const {
        const std::size_t vertex = draco_ ? draco_->indices[k] : indices_ != nullptr ? indices_->integer(k) : k;
        if (vertex >= positions_->count()) {
            source_.reject_all("has a face that names vertex {} of {}", vertex, positions_->count());
        }
        return moved_.empty() ? moved(vertex) : moved_[vertex];
    }

    template <class... Corners>
    void add(Corners... k) {
        builder_.add_face(std::array{corner(k)...});
    }

    void add_faces(std::size_t corners) {
        const std::uint64_t mode = draco_ ? triangles : source_.integer("mode").value_or(triangles);
        if (mode > triangle_fan) source_.reject("mode", "is {}; glTF has 0 to 6", mode);
        if (mode == points) {
            for (std::size_t k = 0; k < corners; ++k) add(k);
        } else if (mode <= line_strip) {
            for (std::size_t k = 1; k < corners; k += mode == lines ? 2 : 1) add(k - 1, k);
            if (mode == line_loop && corners > 2) add(corners - 1, std::size_t{0});
        } else {
            for (std::size_t k = 2; k < corners; k += mode == triangles ? 3 : 1) {
                // Every second triangle of a strip is turned over.
                const std::size_t odd = mode == triangle_strip ? k % 2 : 0;
                add(mode == triangle_fan ? 0 : k - 2 + odd, k - 1 - odd, k);
            }
        }
    }

    const JsonObject& source_;
    GltfAccessors& accessors_;
    JsonObject attributes_;
    std::optional<DracoMesh> draco_;
    std::optional<JsonObject> draco_names_;
    const GltfAccessor* positions_ = nullptr;
    const GltfAccessor* indices_ = nullptr;
    std::vector<std::pair<double, const GltfAccessor*>> targets_;                ///< weights and offsets
    std::vector<std::pair<const GltfAccessor*, const GltfAccessor*>> bindings_;  ///< joints and weights
    const std::vector<glm::dmat4>* joints_ = nullptr;
    std::vector<glm::vec3> moved_;  ///< all vertices, where morph targets or joints move them
    HullMeshBuilder builder_;
};

}  // namespace

std::vector<HullMesh> hull_meshes(const JsonObject& primitive, GltfAccessors& accessors,
                                  const std::vector<double>& weights, const std::vector<glm::dmat4>* joints) {
    Primitive source(primitive, accessors);
    source.morph(weights);
    if (joints != nullptr) source.bind(*joints);
    return source.hulls();
}

}  // namespace lanecull::program
