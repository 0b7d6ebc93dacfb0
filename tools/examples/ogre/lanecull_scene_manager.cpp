#include "lanecull_scene_manager.hpp"

#include <OgreCamera.h>
#include <OgreLight.h>
#include <OgreLogManager.h>
#include <OgreRenderQueue.h>
#include <OgreViewport.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include <lanecull/shadow.h>

namespace {

static_assert(std::is_same_v<Ogre::Real, float>, "lanecull reads floats: build OGRE without OGRE_DOUBLE_PRECISION");
static_assert(sizeof(Ogre::Affine3) == 16 * sizeof(float));

/// What OGRE passes to shaders, and culls by itself.
Ogre::Matrix4 clip_from_world(const Ogre::Frustum& frustum) {
    return frustum.getProjectionMatrix() * frustum.getViewMatrix();
}

std::span<const float, 16> numbers(const Ogre::Matrix4& matrix) { return std::span<const float, 16>(matrix[0], 16); }

lanecull::Status read_map(const Ogre::Camera& shadow_camera, lanecull::ShadowMap& map) {
    const Ogre::Matrix4 clip = clip_from_world(shadow_camera);
    double all[16];
    std::copy_n(clip[0], 16, all);
    const Ogre::Viewport& texture = *shadow_camera.getViewport();
    return engine_map(all, lanecull::ClipSpace::ogre(), static_cast<std::uint32_t>(texture.getActualWidth()),
                      static_cast<std::uint32_t>(texture.getActualHeight()), map);
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
        Ogre::LogManager::getSingleton().logError(Ogre::String("lanecull: ") + status.message().text);
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
    lanecull::View view;
    // Textures without depths shade what is before the casters, too, in or out of view.
    const bool by_shadow = only_shadow_casters && shadow_light_ && getShadowTextureSelfShadow();
    if (!by_shadow || !prepare_casters(camera, *shadow_light_, view)) {
        const Ogre::Frustum* culling_frustum = camera.getCullingFrustum();
        const Ogre::Matrix4 clip = clip_from_world(culling_frustum ? *culling_frustum : camera);
        if (lanecull::Status s = prepare_view(numbers(clip), lanecull::ClipSpace::ogre(), view); !s) return s;
    }
    const lanecull::Batch batches[] = {boxes_->batch()};
    scratch_.resize(lanecull::scratch_bytes(batches, 1));
    visible_.resize(boxes_->count());
    lanecull::Output outputs[] = {{.indices = visible_}};
    lanecull::Status status = lanecull::cull(batches, {&view, 1}, outputs, scratch_, {.runner = runner_});
    if (status) visible_.resize(outputs[0].visible_count);
    return status;
}

/// The view of what casts shadows into what the main camera sees of the shadow texture's map, and a little around it,
/// for shading reads texels beside a point's own. False where that is not known, as under a directional light whose map
/// has perspective, as LiSPSM's have.
bool LanecullSceneManager::prepare_casters(const Ogre::Camera& camera, const Ogre::Light& light, lanecull::View& view) {
    lanecull::ShadowMap map;
    if (!read_map(camera, map)) return false;
    const bool by_directional_light = light.getType() == Ogre::Light::LT_DIRECTIONAL;
    if (by_directional_light && map.is_perspective) return false;
    const Ogre::Vector3 toward = -light.getDerivedDirection(), at = light.getDerivedPosition();
    const lanecull::DirectionalLight directional_light{.toward = {toward.x, toward.y, toward.z}};
    const double range = light.getAttenuationRange();
    const lanecull::PointLight point_light{.at = {at.x, at.y, at.z}, .range = range, .sides = map.sides};
    lanecull::ViewOptions options{.margin = shadow_filter_texels_ * map.texel_size * (map.is_perspective ? range : 1)};
    if (by_directional_light)
        options.directional_light = &directional_light, options.clip_planes = map.sides;
    else
        options.point_light = &point_light;
    const Ogre::Matrix4 clip = clip_from_world(*camera.getLodCamera());  // OGRE's only word of whose shadows these are
    return bool(prepare_view(numbers(clip), lanecull::ClipSpace::ogre(), view, options));
}

const Ogre::String LanecullSceneManagerFactory::type_name = "LanecullSceneManager";

void LanecullSceneManagerFactory::initMetaData() const {
    mMetaData.typeName = type_name;
    mMetaData.worldGeometrySupported = false;
}
