#include "test_scene.hpp"

#include <OgreCamera.h>
#include <OgreEntity.h>
#include <OgreLight.h>
#include <OgreMaterialManager.h>
#include <OgreSceneNode.h>

#include <cmath>
#include <string>

namespace {

constexpr float cell = 8.5f;  // of the grid that houses and trees stand in

/// A number from 0 to 1 of bits that look random; the same everywhere.
float fraction(std::uint32_t number, std::uint32_t salt) {
    std::uint32_t h = number * 0x9E3779B9u + salt * 0x85EBCA6Bu;
    h = (h ^ h >> 16) * 0x7FEB352Du;
    h = (h ^ h >> 15) * 0x846CA68Bu;
    return static_cast<float>((h ^ h >> 16) >> 8) / 16'777'216.0f;
}

std::uint32_t square_of(std::uint32_t count) {
    return static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(count))));
}

/// The middle of cell i of `across` times `across` cells over the ground.
Ogre::Vector3 cell_center(std::uint32_t i, std::uint32_t across, float side) {
    const auto middle = [&](std::uint32_t k) {
        return ((static_cast<float>(k) + 0.5f) / static_cast<float>(across) - 0.5f) * side;
    };
    return {middle(i % across), 0, middle(i / across)};
}

}  // namespace

float TestScene::side(std::uint32_t entities) { return cell * static_cast<float>(square_of(entities)); }

TestScene::TestScene(Ogre::SceneManager& scene, std::uint32_t entities, std::uint32_t moving)
    : scene_(scene), side_(side(entities)) {
    Ogre::SceneNode& ground = add("ground", 0);
    ground.setScale(side_, 1, side_);
    Ogre::MovableObject& plane = *ground.getAttachedObject(0);
    plane.setRenderQueueGroup(Ogre::RENDER_QUEUE_WORLD_GEOMETRY_1);
    plane.setCastShadows(false);

    const std::uint32_t across = square_of(entities), standing = entities - 1 - moving;
    for (std::uint32_t i = 0; i < standing; ++i) add_building(cell_center(i, across, side_), i);
    const std::uint32_t flights = square_of(moving);
    for (std::uint32_t i = 0; i < moving; ++i) {
        const float orbit = side_ / static_cast<float>(flights) / 2 - 1.5f;
        Ogre::Vector3 center = cell_center(i, flights, side_);
        center.y = 15 + 6 * fraction(i, 7);
        movers_.push_back({&add("octahedron", 7), center, orbit, fraction(i, 8)});
    }
    add_lights();

    camera_ = scene_.createCamera("camera");
    camera_->setNearClipDistance(0.5f);
    camera_->setFarClipDistance(500);
    camera_->setFOVy(Ogre::Degree(50));
    camera_node_ = scene_.getRootSceneNode()->createChildSceneNode();
    camera_node_->setFixedYawAxis(true);
    camera_node_->attachObject(camera_);
    move_to(0);
}

Ogre::SceneNode& TestScene::add(const char* mesh, std::uint32_t colour) {
    Ogre::Entity* entity = scene_.createEntity(mesh);
    entity->setMaterialName("colour" + std::to_string(colour));
    Ogre::SceneNode* node = scene_.getRootSceneNode()->createChildSceneNode();
    node->attachObject(entity);
    return *node;
}

/// A house or a tree that does not leave its cell.
void TestScene::add_building(const Ogre::Vector3& center, std::uint32_t random) {
    const auto between = [&](float low, float high, std::uint32_t salt) {
        return low + (high - low) * fraction(random, salt);
    };
    const bool house = fraction(random, 0) < 0.55f;
    const std::uint32_t colour = house ? 1 + random % 4 : 5 + random % 2;
    Ogre::SceneNode& node = add(house ? "house" : "tree", colour);
    node.setPosition(center + Ogre::Vector3(between(-1, 1, 1), 0, between(-1, 1, 2)));
    if (house)
        node.setScale(between(1, 2.2f, 3), between(2, 11, 4), between(1, 2.2f, 5));
    else
        node.setScale(between(0.8f, 1.8f, 3), between(3, 7, 4), between(0.8f, 1.8f, 5));
    node.yaw(Ogre::Degree(between(0, 90, 6)));
}

void TestScene::add_lights() {
    scene_.setShadowTechnique(Ogre::SHADOWTYPE_TEXTURE_ADDITIVE_INTEGRATED);
    scene_.setShadowTextureSelfShadow(true);
    scene_.setShadowCasterRenderBackFaces(false);
    scene_.setShadowTextureSettings(1024, 2, Ogre::PF_FLOAT32_R);
    scene_.setShadowTextureCasterMaterial(Ogre::MaterialManager::getSingleton().getByName("caster"));
    scene_.setShadowFarDistance(150);
    scene_.setShadowDirectionalLightExtrusionDistance(400);

    Ogre::Light* sun = scene_.createLight("sun");
    sun->setType(Ogre::Light::LT_DIRECTIONAL);
    sun->setDiffuseColour(0.85f, 0.78f, 0.62f);
    Ogre::SceneNode* sun_node = scene_.getRootSceneNode()->createChildSceneNode();
    sun_node->setDirection(Ogre::Vector3(-0.6f, -0.5f, 0.35f).normalisedCopy(), Ogre::Node::TS_WORLD);
    sun_node->attachObject(sun);

    Ogre::Light* spot = scene_.createLight("spot");
    spot->setType(Ogre::Light::LT_SPOTLIGHT);
    spot->setDiffuseColour(0.9f, 0.75f, 0.5f);
    spot->setSpotlightRange(Ogre::Degree(50), Ogre::Degree(62));
    spot->setAttenuation(100, 1, 0, 0);
    spot_node_ = scene_.getRootSceneNode()->createChildSceneNode();
    spot_node_->attachObject(spot);
}

void TestScene::move_to(float turn) {
    const auto on_circle = [](float radius, float angle) {
        return Ogre::Vector3(radius * std::cos(angle), 0, radius * std::sin(angle));
    };
    const float angle = turn * Ogre::Math::TWO_PI, radius = 0.3f * side_;
    const Ogre::Vector3 eye = on_circle(radius, angle) + Ogre::Vector3(0, 24, 0);
    camera_node_->setPosition(eye);
    camera_node_->lookAt(on_circle(radius, angle + 90 / radius) + Ogre::Vector3(0, 5, 0), Ogre::Node::TS_WORLD);
    spot_node_->setPosition(on_circle(radius, angle + 80 / radius) + Ogre::Vector3(0, 50, 0));
    spot_node_->setDirection(Ogre::Vector3(0.2f, -1, 0.1f).normalisedCopy(), Ogre::Node::TS_WORLD);
    for (std::uint32_t i = 0; i < movers_.size(); ++i) {
        const Mover& mover = movers_[i];
        mover.node->setPosition(mover.center + on_circle(mover.radius, (mover.phase + 2 * turn) * Ogre::Math::TWO_PI));
        mover.node->yaw(Ogre::Degree(5));
        // A tenth of them is out of the scene, others from time to time.
        const bool here = (i + static_cast<std::uint32_t>(turn * 20)) % 10 != 0;
        if (here == mover.node->isInSceneGraph()) continue;
        if (here)
            scene_.getRootSceneNode()->addChild(mover.node);
        else
            scene_.getRootSceneNode()->removeChild(mover.node);
    }
}
