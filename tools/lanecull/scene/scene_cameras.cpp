#include "scene/scene_cameras.hpp"

#include <assimp/anim.h>
#include <assimp/camera.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gltf/gltf_cameras.hpp"
#include "gltf/gltf_scene.hpp"
#include "scene/assimp_import.hpp"
#include "scene/assimp_values.hpp"
#include "support/error.hpp"
#include "support/memory.hpp"
#include "support/output_file.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;
bool named(const aiString& a, const aiString& b) {
    return a.length == b.length && std::memcmp(a.data, b.data, a.length) == 0;
}

/// The value of keys that ascend in time, between the two around it.
template <class Key, class Value>
Value at(const Key* keys, unsigned count, double time, const Value& without) {
    if (count == 0 || keys == nullptr) return without;
    const Key* after = std::find_if(keys, keys + count, [&](const Key& key) { return key.mTime > time; });
    if (after == keys) return keys[0].mValue;
    const Key* before = after - 1;
    if (after == keys + count) return before->mValue;
    const double share = (time - before->mTime) / (after->mTime - before->mTime);
    Value value;
    if constexpr (std::is_same_v<Value, aiQuaternion>) {
        aiQuaternion::Interpolate(value, before->mValue, after->mValue, static_cast<ai_real>(share));
    } else {
        value = before->mValue + (after->mValue - before->mValue) * static_cast<ai_real>(share);
    }
    return value;
}

dvec3 vector_of(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// A camera, and the nodes above it from its own up to the root.
struct Placed {
    const aiCamera* camera;
    std::vector<const aiNode*> nodes;
};

class Cameras {
public:
    Cameras(const aiScene& scene, const std::string& file, const LensOptions& lens)
        : scene_(scene), file_(file), lens_(lens) {
        if (scene.mRootNode != nullptr) find(*scene.mRootNode);
        if (placed_.empty()) fail("{}: no cameras", file);
    }

    CameraPath path(std::optional<std::size_t> frames, std::size_t animated_frames) const {
        for (const Placed& placed : placed_) {
            for (unsigned k = 0; k < scene_.mNumAnimations; ++k) {
                const aiAnimation& animation = *scene_.mAnimations[k];
                if (std::ranges::any_of(placed.nodes, [&](const aiNode* node) { return channel(animation, *node); })) {
                    return animated(placed, animation, frames.value_or(animated_frames));
                }
            }
        }
        CameraPath keys;
        for (const Placed& placed : placed_) keys.push_back(camera(placed, nullptr, 0));
        return path_through(std::move(keys), frames, lens_, file_);
    }

private:
    /// Without recursion: a file may nest as deep as it likes.
    void find(const aiNode& root) {
        std::vector<const aiNode*> open = {&root};
        while (!open.empty()) {
            const aiNode* node = open.back();
            open.pop_back();
            for (unsigned i = node->mNumChildren; i-- > 0;) {
                if (node->mChildren[i] != nullptr) open.push_back(node->mChildren[i]);
            }
            for (unsigned k = 0; k < scene_.mNumCameras; ++k) {
                if (!named(scene_.mCameras[k]->mName, node->mName)) continue;
                Placed& placed = placed_.emplace_back();
                placed.camera = scene_.mCameras[k];
                for (const aiNode* above = node; above != nullptr; above = above->mParent)
                    placed.nodes.push_back(above);
            }
        }
    }

    static const aiNodeAnim* channel(const aiAnimation& animation, const aiNode& node) {
        for (unsigned k = 0; k < animation.mNumChannels; ++k) {
            if (named(animation.mChannels[k]->mNodeName, node.mName)) return animation.mChannels[k];
        }
        return nullptr;
    }

    CameraPath animated(const Placed& placed, const aiAnimation& animation, std::size_t frames) const {
        CameraPath path;
        for (std::size_t i = 0; i < frames; ++i) {
            const double share = frames == 1 ? 0 : static_cast<double>(i) / static_cast<double>(frames - 1);
            path.push_back(camera(placed, &animation, share * animation.mDuration));
        }
        return path_through(std::move(path), {}, lens_, file_);
    }

    glm::dmat4 parent_from(const aiNode& node, const aiAnimation* animation, double time) const {
        const aiNodeAnim* moves = animation == nullptr ? nullptr : channel(*animation, node);
        if (moves == nullptr) return matrix_of(node.mTransformation);
        aiVector3D scale, position;
        aiQuaternion turn;
        node.mTransformation.Decompose(scale, turn, position);
        position = at(moves->mPositionKeys, moves->mNumPositionKeys, time, position);
        turn = at(moves->mRotationKeys, moves->mNumRotationKeys, time, turn);
        scale = at(moves->mScalingKeys, moves->mNumScalingKeys, time, scale);
        return matrix_of(aiMatrix4x4(scale, turn, position));
    }

    Camera camera(const Placed& placed, const aiAnimation* animation, double time) const {
        const aiCamera& source = *placed.camera;
        glm::dmat4 world_from_node(1);
        for (const aiNode* node : placed.nodes) world_from_node = parent_from(*node, animation, time) * world_from_node;
        Camera camera;
        camera.eye = dvec3(world_from_node * glm::dvec4(vector_of(source.mPosition), 1));
        camera.forward = dvec3(world_from_node * glm::dvec4(vector_of(source.mLookAt), 0));
        camera.up = dvec3(world_from_node * glm::dvec4(vector_of(source.mUp), 0));
        if (source.mAspect > 0) camera.aspect = source.mAspect;
        if (source.mOrthographicWidth > 0) {  // half of it
            camera.height = 2 * source.mOrthographicWidth / camera.aspect;
        } else {
            camera.vertical_fov = vertical_fov(source);
        }
        camera.near = source.mClipPlaneNear;
        camera.far = source.mClipPlaneFar;
        if (!(camera.far > camera.near)) camera.far = std::numeric_limits<double>::infinity();
        return camera;
    }

    double vertical_fov(const aiCamera& source) const {
        const double aspect = source.mAspect > 0 ? source.mAspect : 1, angle = source.mHorizontalFOV;
        return 2 * std::atan(std::tan(0.5 * angle) / aspect);
    }

    const aiScene& scene_;
    const std::string& file_;
    const LensOptions& lens_;
    std::vector<Placed> placed_;
};

}  // namespace

bool may_have_cameras(const std::string& file) {
    const std::string suffix = std::filesystem::path(file).extension().string();
    if (is_gltf(file)) return true;
    return !ends_in(file, ".json") && !suffix.empty() && Assimp::Importer().IsExtensionSupported(suffix);
}

CameraPath path_of_scene(const std::string& file, std::optional<std::size_t> frames, std::size_t animated_frames,
                         const LensOptions& lens) {
    const MemoryLimit limit;
    if (is_gltf(file)) return path_of_gltf(file, frames, animated_frames, lens);
    Assimp::Importer importer;
    const aiScene& scene = import(importer, file, 0);  // also of a file without meshes
    return Cameras(scene, file, lens).path(frames, animated_frames);
}

}  // namespace lanecull::program
