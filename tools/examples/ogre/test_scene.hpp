#pragma once

#include <OgreSceneManager.h>

#include <cstdint>
#include <vector>

/// A small town, the same in every scene manager: houses and trees on a ground, octahedra that circle above them, a
/// sun, and a spotlight that goes ahead of the camera. Both cast shadows, by textures of depths. Nothing intersects but
/// with the ground, which is drawn first; so pixels do not depend on the order of draws.
class TestScene {
public:
    /// All in all `entities` of them, of which `moving` move.
    TestScene(Ogre::SceneManager& scene, std::uint32_t entities, std::uint32_t moving);

    /// Puts camera, spotlight and all that moves where they are in a frame; 0 to 1 is once around.
    void move_to(float turn);

    [[nodiscard]] Ogre::Camera& camera() const { return *camera_; }

    /// The side of the ground in units.
    [[nodiscard]] static float side(std::uint32_t entities);

private:
    void add_lights();
    Ogre::SceneNode& add(const char* mesh, std::uint32_t colour);
    void add_building(const Ogre::Vector3& center, std::uint32_t random);

    struct Mover {
        Ogre::SceneNode* node;
        Ogre::Vector3 center;
        float radius, phase;
    };

    Ogre::SceneManager& scene_;
    float side_;
    std::vector<Mover> movers_;
    Ogre::Camera* camera_ = nullptr;
    Ogre::SceneNode* camera_node_ = nullptr;
    Ogre::SceneNode* spot_node_ = nullptr;
};

/// Meshes, materials and shaders, which all scene managers share. Once, after a window is there.
void create_test_resources();
