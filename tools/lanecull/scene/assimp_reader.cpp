#include "scene/formats.hpp"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/DefaultLogger.hpp>
#include <assimp/Importer.hpp>
#include <assimp/LogStream.hpp>
#include <cstddef>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <map>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/mesh_scene.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// Words of assimp's errors about what is not used here, or what it made up for.
constexpr std::string_view harmless[] = {
    "material",
    "FOV animation",
    "tangent layer",
    "binormal layer",
    "N-element",
    "unsupported chunk",
    "Bone index",                               // of colours; of COB; of weights
    "window caps",                              // IFC: surfaces within a wall's openings
    "No object detected to attach a new mesh",  // OBJ: the first face makes one
};

/// What assimp logs as errors while this lives.
class ErrorLog : public Assimp::LogStream {
public:
    ErrorLog() {
        Assimp::DefaultLogger::create("", Assimp::Logger::NORMAL, 0);
        Assimp::DefaultLogger::get()->attachStream(this, Assimp::Logger::Err);
    }
    ~ErrorLog() override {
        Assimp::DefaultLogger::get()->detachStream(this, Assimp::Logger::Err);
        Assimp::DefaultLogger::kill();
    }
    ErrorLog(const ErrorLog&) = delete;
    ErrorLog& operator=(const ErrorLog&) = delete;

    /// "Error, T0: text\n".
    void write(const char* message) override {
        std::string_view text(message);
        text.remove_prefix(std::min(text.find(": ") + 2, text.size()));
        const auto is_in_text = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
        if (std::ranges::any_of(harmless, is_in_text)) return;
        if (count_++ == 0) first_ = printable(text.substr(0, std::min<std::size_t>(text.find('\n'), 200)));
    }

    /// Fails if there was one.
    void check(const std::string& file) const {
        if (count_ == 0) return;
        fail("{}: assimp reads it only in part: {}{}", file, first_,
             count_ == 1 ? "" : fmt::format(" (and {})", counted(count_ - 1, "more error")));
    }

private:
    std::string first_;
    std::size_t count_ = 0;
};

std::string text_of(const aiString& name) { return printable({name.data, name.length}); }

/// assimp stores rows.
glm::dmat4 matrix_of(const aiMatrix4x4& m) {
    return glm::dmat4(glm::dvec4(m.a1, m.b1, m.c1, m.d1), glm::dvec4(m.a2, m.b2, m.c2, m.d2),
                      glm::dvec4(m.a3, m.b3, m.c3, m.d3), glm::dvec4(m.a4, m.b4, m.c4, m.d4));
}

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
    const aiVector3D& v = mesh.mVertices[index];
    const glm::vec3 p(v.x, v.y, v.z);
    if (!is_finite(p)) fail("{}: mesh {}, vertex {} is not finite", file, short_name(mesh.mName), index);
    return p;
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

}  // namespace

Scene read_with_assimp(const std::string& file) {
    refuse_damaged(file);
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                                aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS | aiComponent_COLORS |
                                    aiComponent_TEXCOORDS | aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                    aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
    const ErrorLog errors;
    const aiScene* scene = importer.ReadFile(file, aiProcess_RemoveComponent);
    if (scene == nullptr) {
        const std::string why = importer.GetErrorString();
        if (why.find("bad_alloc") != std::string::npos) throw std::bad_alloc();
        fail("cannot read {}: {}", file, printable(why));
    }
    errors.check(file);
    return SceneBuilder(*scene, file).build();
}

}  // namespace lanecull::program
