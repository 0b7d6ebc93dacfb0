#pragma once

#include <OgreSceneManager.h>
#include <OgreSceneNode.h>

#include <cstdint>
#include <memory>
#include <vector>

#include <lanecull/cull.h>

/// A scene manager for OGRE 1.12 that lets lanecull decide what cameras and shadow cameras draw. Register the factory
/// and create the manager by its name; nothing else of a program changes:
///
///     LanecullSceneManagerFactory factory;
///     root.addSceneManagerFactory(&factory);
///     Ogre::SceneManager* scene = root.createSceneManager(LanecullSceneManagerFactory::type_name);

class LanecullSceneNode;

/// The boxes of all nodes that have something to draw, as the arrays that lanecull reads: each node's own objects' box
/// in the node's coordinates, and the node's transform.
class NodeBoxes {
public:
    static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

    /// Gives the node a slot if it has none, and writes its box and transform there.
    void set(LanecullSceneNode& node, const Ogre::AxisAlignedBox& local_box);
    /// Takes the node's slot away, if it has one: the last node moves there.
    void remove(LanecullSceneNode& node);

    [[nodiscard]] lanecull::Batch batch() const;
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
    [[nodiscard]] LanecullSceneNode& node(std::uint32_t slot) const { return *nodes_[slot]; }

private:
    std::vector<LanecullSceneNode*> nodes_;
    std::vector<Ogre::Affine3> transforms_;
    std::vector<Ogre::AxisAlignedBox> boxes_;
    std::vector<std::uint32_t> flags_;
};

/// A node that writes its box down when OGRE updates it: after it moved, or something was attached or detached.
class LanecullSceneNode final : public Ogre::SceneNode {
public:
    /// The boxes are shared: nodes die in the base class's destructor, after the manager's own members.
    LanecullSceneNode(Ogre::SceneManager& creator, const Ogre::String& name, std::shared_ptr<NodeBoxes> boxes)
        : SceneNode(&creator, name), boxes_(std::move(boxes)) {}
    ~LanecullSceneNode() override { boxes_->remove(*this); }

    void _updateBounds() override;

private:
    friend class NodeBoxes;
    void setInSceneGraph(bool in_graph) override;

    std::shared_ptr<NodeBoxes> boxes_;
    std::uint32_t slot_ = NodeBoxes::no_slot;
};

class LanecullSceneManager final : public Ogre::SceneManager {
public:
    explicit LanecullSceneManager(const Ogre::String& name) : SceneManager(name) {}

    [[nodiscard]] const Ogre::String& getTypeName() const override;

    /// How far from a point's own place in a shadow texture materials read it, in texels.
    void set_shadow_filter_texels(double texels) { shadow_filter_texels_ = texels; }
    /// Who culls: lanecull::tbb's runner, or one of your own.
    void set_runner(const lanecull::Runner& runner) { runner_ = runner; }

    void _findVisibleObjects(Ogre::Camera* camera, Ogre::VisibleObjectsBoundsInfo* bounds,
                             bool only_shadow_casters) override;

private:
    Ogre::SceneNode* createSceneNodeImpl() override;
    Ogre::SceneNode* createSceneNodeImpl(const Ogre::String& name) override;
    void fireShadowTexturesPreCaster(Ogre::Light* light, Ogre::Camera* camera, size_t iteration) override;

    lanecull::Status find(const Ogre::Camera& camera, bool only_shadow_casters);
    [[nodiscard]] bool prepare_casters(const Ogre::Camera& camera, const Ogre::Light& light, lanecull::View& view);

    std::shared_ptr<NodeBoxes> boxes_ = std::make_shared<NodeBoxes>();
    const Ogre::Light* shadow_light_ = nullptr;
    double shadow_filter_texels_ = 4.5;
    lanecull::Runner runner_;

    // Kept from frame to frame.
    std::vector<std::uint32_t> visible_;  ///< slots, ascending
    std::vector<std::byte> scratch_;
};

class LanecullSceneManagerFactory final : public Ogre::SceneManagerFactory {
public:
    static const Ogre::String type_name;

    Ogre::SceneManager* createInstance(const Ogre::String& name) override { return new LanecullSceneManager(name); }
    void destroyInstance(Ogre::SceneManager* scene) override { delete scene; }

private:
    void initMetaData() const override;
};
