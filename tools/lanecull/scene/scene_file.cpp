#include "scene/scene_file.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "gltf/gltf_scene.hpp"
#include "scene/assimp_import.hpp"
#include "scene/assimp_values.hpp"
#include "scene/box_list.hpp"
#include "scene/city_json.hpp"
#include "scene/hull_mesh_builder.hpp"
#include "scene/mesh_scene.hpp"
#include "scene/ply.hpp"
#include "support/error.hpp"
#include "support/input_file.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"

namespace lanecull::program {
namespace {

/// For messages.
std::string short_name(const aiString& name) {
    const std::string text = text_of(name).substr(0, 60);
    return text.empty() ? "(no name)" : text;
}

glm::vec3 point_of(const aiMesh& mesh, unsigned index, const std::string& file) {
    if (index >= mesh.mNumVertices) {
        fail("{}: mesh {} has a face that names vertex {} of {}", file, short_name(mesh.mName), index,
             mesh.mNumVertices);
    }
    const aiVector3D& p = mesh.mVertices[index];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
        fail("{}: mesh {}, vertex {} is not finite", file, short_name(mesh.mName), index);
    }
    return {p.x, p.y, p.z};
}

std::vector<HullMesh> hull_meshes(const aiMesh& mesh, const std::string& file) {
    HullMeshBuilder builder;
    if (mesh.mNumFaces == 0) {  // a cloud of points
        for (unsigned i = 0; i < mesh.mNumVertices; ++i) builder.add_face(std::array{point_of(mesh, i, file)});
    }
    std::vector<glm::vec3> corners;
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        corners.clear();
        for (unsigned i = 0; i < face.mNumIndices; ++i) corners.push_back(point_of(mesh, face.mIndices[i], file));
        builder.add_polygon(corners);
    }
    return builder.take();
}

/// Walks the scene graph and turns each mesh of each node into objects.
class SceneBuilder {
public:
    SceneBuilder(const aiScene& source, const std::string& file) : source_(source), file_(file), scene_(file) {}

    Scene build() {
        if (source_.mNumMeshes == 0 && ends_in(file_, ".obj"))
            fail("{}: no faces in it, of which meshes consist", file_);
        struct Visit {
            const aiNode* node;
            glm::dmat4 world_from_parent;
        };
        std::vector<Visit> open;  // not the call stack: a file may nest as deep as it likes
        if (source_.mRootNode != nullptr) open.push_back({source_.mRootNode, glm::dmat4(1)});
        while (!open.empty()) {
            const Visit visit = open.back();
            open.pop_back();
            const glm::dmat4 world_from_node = visit.world_from_parent * matrix_of(visit.node->mTransformation);
            for (unsigned i = 0; i < visit.node->mNumMeshes; ++i) add(*visit.node, i, world_from_node);
            for (unsigned i = visit.node->mNumChildren; i-- > 0;) {
                if (visit.node->mChildren[i] != nullptr) open.push_back({visit.node->mChildren[i], world_from_node});
            }
        }
        return scene_.finish();
    }

private:
    /// The hull meshes of mesh `index` of the file: made once, shared by all nodes that show it.
    const std::vector<std::uint32_t>& hulls_of(unsigned index) {
        const auto [entry, is_new] = hulls_by_mesh_.try_emplace(index);
        if (is_new) {
            for (HullMesh& mesh : hull_meshes(*source_.mMeshes[index], file_)) {
                mesh.name = short_name(source_.mMeshes[index]->mName);
                entry->second.push_back(scene_.add_mesh(std::move(mesh)));
            }
        }
        return entry->second;
    }

    void add(const aiNode& node, unsigned mesh_of_node, const glm::dmat4& world_from_node) {
        const unsigned index = node.mMeshes[mesh_of_node];
        if (index >= source_.mNumMeshes)
            fail("{}: node {} names a mesh that is not there", file_, short_name(node.mName));
        const std::vector<std::uint32_t>& hulls = hulls_of(index);
        if (hulls.empty()) scene_.count_empty();
        for (const std::uint32_t hull : hulls) {
            scene_.add_object(hull, world_from_node, name_of(node, index), "node " + short_name(node.mName));
        }
    }

    /// The node's; where it has none, the mesh's. IFC: of an instance of a type's shape the product's.
    std::string name_of(const aiNode& node, unsigned mesh) const {
        const aiNode* named = &node;
        while (named->mParent != nullptr && text_of(named->mName) == "IfcMappedItem") named = named->mParent;
        return text_of(named->mName.length != 0 ? named->mName : source_.mMeshes[mesh]->mName);
    }

    const aiScene& source_;
    const std::string& file_;
    std::map<unsigned, std::vector<std::uint32_t>> hulls_by_mesh_;
    MeshSceneBuilder scene_;
};

Scene read_with_assimp(const std::string& file) {
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                                aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                    aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                    aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
    return SceneBuilder(import(importer, file, aiProcess_RemoveComponent), file).build();
}

}  // namespace

Scene read_scene(const std::string& file, std::optional<std::size_t> frames) {
    std::error_code none;
    if (!is_standard_input(file)) {
        if (!std::filesystem::exists(file, none)) fail("cannot read '{}': no such file", file);
        if (!std::filesystem::is_regular_file(file, none)) fail("cannot read '{}': not a file", file);
    }
    const MemoryLimit limit;
    Scene scene = is_box_list(file)    ? read_box_list(file)
                  : is_city_json(file) ? read_city_json(file)
                  : is_gltf(file)      ? read_gltf(file, frames)
                  : is_ply(file)       ? read_ply(file)
                                       : read_with_assimp(file);
    const Bounds bounds = scene.bounds();
    for (int axis = 0; axis < 3; ++axis) {
        const double farthest = std::max(-bounds.lower[axis], bounds.upper[axis]);
        if (farthest > max_coordinate) fail("{}: coordinates of up to {:g}, 1e15 is the limit", file, farthest);
    }
    if (scene.object_count() > 0xFFFFFFFFU) fail("{}: more than 4294967295 objects", file);
    return scene;
}

}  // namespace lanecull::program
