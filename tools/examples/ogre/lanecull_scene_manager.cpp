#include "lanecull_scene_manager.hpp"

#include <OgreCamera.h>
#include <OgreLight.h>
#include <OgreLogManager.h>
#include <OgreRenderQueue.h>
#include <OgreViewport.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>

#include <lanecull/shadow.hpp>

namespace {

static_assert(std::is_same_v<Ogre::Real, float>, "lanecull reads floats: build OGRE without OGRE_DOUBLE_PRECISION");
static_assert(sizeof(Ogre::Affine3) == 16 * sizeof(float));

/// What OGRE passes to shaders, and culls by itself.
Ogre::Matrix4 clip_from_world(const Ogre::Frustum& frustum) {
    return frustum.getProjectionMatrix() * frustum.getViewMatrix();
}

std::span<const float, 16> numbers(const Ogre::Matrix4& matrix) { return std::span<const float, 16>(matrix[0], 16); }

/// How far from a point shading reads its shadow, where the light reaches farthest: so many texels of the shadow
/// texture. Nothing where that is not known: under a sun whose map has perspective, as LiSPSM's have.
std::optional<double> filter_reach(const Ogre::Camera& camera, const Ogre::Light& light, double texels) {
    const Ogre::Matrix4 clip = clip_from_world(camera);
    const Ogre::Viewport& map = *camera.getViewport();
    double all[16];
    std::copy_n(clip[0], 16, all);
    lanecull::MapTexel texel;
    const auto width = static_cast<std::uint32_t>(map.getActualWidth()),
               height = static_cast<std::uint32_t>(map.getActualHeight());
    if (!map_texel(all, lanecull::ClipSpace::ogre(), width, height, texel)) return {};
    if (!texel.is_perspective) return texels * texel.size;
    if (light.getType() == Ogre::Light::LT_DIRECTIONAL) return {};
    return texels * texel.size * light.getAttenuationRange();
}

}  // namespace

void NodeBoxes::set(LanecullSceneNode& node, const Ogre::AxisAlignedBox& local_box) {
    if (node.slot_ == no_slot) {
        node.slot_ = count();
        const std::size_t grown = nodes_.size() + 1;
        nodes_.push_back(&node);
        transforms_.resize(grown);
        flags_.resize(grown);
        boxes_.resize(grown);
    }
    const std::uint32_t i = node.slot_;
    transforms_[i] = node._getFullTransform();
    boxes_[i] = local_box;
    flags_[i] = local_box.isFinite() ? 0u : std::uint32_t{lanecull::object_always_visible};
}

void NodeBoxes::remove(LanecullSceneNode& node) {
    if (node.slot_ == no_slot) return;
    const auto take = [i = node.slot_](auto& column) {
        column[i] = column.back();
        column.pop_back();
    };
    nodes_.back()->slot_ = node.slot_;
    take(nodes_);
    take(transforms_);
    take(boxes_);
    take(flags_);
    node.slot_ = no_slot;
}

lanecull::Batch NodeBoxes::batch() const {
    lanecull::BoxInstances boxes;
    boxes.count = count();
    boxes.local.boxes.count = count();
    if (!nodes_.empty()) {
        boxes.transforms = {.first = transforms_[0][0], .layout = lanecull::TransformLayout::rows_4x4};
        boxes.local.lower = {boxes_[0].getMinimum().ptr(), sizeof boxes_[0]};
        boxes.local.upper = {boxes_[0].getMaximum().ptr(), sizeof boxes_[0]};
    }
    return {boxes, lanecull::Attributes{.flags = flags_.data()}};
}

void LanecullSceneNode::_updateBounds() {
    Ogre::AxisAlignedBox local_box;
    mWorldAABB.setNull();
    for (const Ogre::MovableObject* object : getAttachedObjects()) {
        local_box.merge(object->getBoundingBox());
        mWorldAABB.merge(object->getWorldBoundingBox(true));
    }
    if (isInSceneGraph() && !local_box.isNull())
        boxes_->set(*this, local_box);
    else
        boxes_->remove(*this);
}

void LanecullSceneNode::setInSceneGraph(bool in_graph) {
    SceneNode::setInSceneGraph(in_graph);
    if (!in_graph) boxes_->remove(*this);  // else OGRE updates it before it draws the next time
}

const Ogre::String& LanecullSceneManager::getTypeName() const { return LanecullSceneManagerFactory::type_name; }

Ogre::SceneNode* LanecullSceneManager::createSceneNodeImpl() { return createSceneNodeImpl(""); }

Ogre::SceneNode* LanecullSceneManager::createSceneNodeImpl(const Ogre::String& name) {
    return new LanecullSceneNode(*this, name, boxes_);
}

void LanecullSceneManager::fireShadowTexturesPreCaster(Ogre::Light* light, Ogre::Camera* camera, size_t iteration) {
    SceneManager::fireShadowTexturesPreCaster(light, camera, iteration);
    shadow_light_ = light;
}

void LanecullSceneManager::_findVisibleObjects(Ogre::Camera* camera, Ogre::VisibleObjectsBoundsInfo* bounds,
                                               bool only_shadow_casters) {
    if (const lanecull::Status status = find(*camera, only_shadow_casters); !status) {
        Ogre::LogManager::getSingleton().logError(Ogre::String("lanecull: ") + status.message());
        visible_.resize(boxes_->count());  // everything
        for (std::uint32_t i = 0; i < boxes_->count(); ++i) visible_[i] = i;
    }
    for (const std::uint32_t slot : visible_) {
        Ogre::SceneNode& node = boxes_->node(slot);
        for (Ogre::MovableObject* object : node.getAttachedObjects())
            getRenderQueue()->processVisibleObject(object, camera, only_shadow_casters, bounds);
        if (getDebugDrawer()) getDebugDrawer()->drawSceneNode(&node);
    }
}

/// Which nodes the camera's volume has something of; for a shadow texture, of those whose shadow can be seen.
lanecull::Status LanecullSceneManager::find(const Ogre::Camera& camera, bool only_shadow_casters) {
    const Ogre::Frustum* culling_frustum = camera.getCullingFrustum();
    const Ogre::Matrix4 clip = clip_from_world(culling_frustum ? *culling_frustum : camera);
    lanecull::View views[1];
    if (lanecull::Status s = prepare_view(numbers(clip), lanecull::ClipSpace::ogre(), views[0]); !s) return s;

    const lanecull::Batch batches[] = {boxes_->batch()};
    scratch_.resize(lanecull::scratch_bytes(batches, 1));
    lanecull::ViewOutput outputs[1];
    // Textures without depths shade what is before the casters, too, in or out of view.
    if (only_shadow_casters && shadow_light_ && getShadowTextureSelfShadow()) {
        if (lanecull::Status s = find_casters(camera, *shadow_light_, batches); !s) return s;
        outputs[0].candidates = casters_;
    }
    visible_.resize(boxes_->count());
    outputs[0].indices = visible_;
    lanecull::Status status = lanecull::cull(batches, views, outputs, scratch_, {}, runner_);
    if (status) visible_.resize(outputs[0].visible_count);
    return status;
}

/// Whose shadows fall into the view of the camera that the shadow texture is for.
lanecull::Status LanecullSceneManager::find_casters(const Ogre::Camera& camera, const Ogre::Light& light,
                                                    std::span<const lanecull::Batch> batches) {
    casters_.clear();  // no candidates named: all are
    const std::optional<double> reach = filter_reach(camera, light, shadow_filter_texels_);
    if (!reach) return {};
    const Ogre::Vector3 toward = -light.getDerivedDirection(), at = light.getDerivedPosition();
    const lanecull::Sun sun{.toward = {toward.x, toward.y, toward.z}};
    const lanecull::Lamp lamp{.at = {at.x, at.y, at.z}, .range = light.getAttenuationRange()};
    lanecull::ViewOptions options{.margin = *reach};
    if (light.getType() == Ogre::Light::LT_DIRECTIONAL)
        options.sun = &sun;
    else
        options.lamp = &lamp;

    const Ogre::Matrix4 clip = clip_from_world(*camera.getLodCamera());  // OGRE's only word of whose shadows these are
    lanecull::View views[1];
    if (lanecull::Status s = prepare_view(numbers(clip), lanecull::ClipSpace::ogre(), views[0], options); !s) return s;
    casters_.resize(lanecull::visibility_words(batches));
    lanecull::ViewOutput outputs[] = {{.visible = casters_}};
    return lanecull::cull(batches, views, outputs, scratch_, {}, runner_);
}

const Ogre::String LanecullSceneManagerFactory::type_name = "LanecullSceneManager";

void LanecullSceneManagerFactory::initMetaData() const {
    mMetaData.typeName = type_name;
    mMetaData.worldGeometrySupported = false;
}
