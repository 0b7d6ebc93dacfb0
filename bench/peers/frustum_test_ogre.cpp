#include <Ogre.h>
#include <OgreDefaultHardwareBufferManager.h>

#include "peers/frustum_tests.hpp"

/// OGRE's Frustum::isVisible(), which its scene manager asks of each node's box. No renderer is loaded.
namespace bench {
namespace {

/// The OGRE singletons that a frustum uses, for it is a drawable object.
class Engine {
public:
    /// Made once and never destroyed: at exit, some of OGRE's own objects are destroyed before it would be.
    static void start() {
        static const Engine* const engine = new Engine;
        (void)engine;
    }

private:
    Engine() {
        log_.createLog("lanecull_bench", true, false, true);  // to nowhere
        root_ = std::make_unique<Ogre::Root>("", "", "");
        buffers_ = std::make_unique<Ogre::DefaultHardwareBufferManager>();
        Ogre::MaterialManager::getSingleton().initialise();
    }

    Ogre::LogManager log_;
    std::unique_ptr<Ogre::Root> root_;
    std::unique_ptr<Ogre::DefaultHardwareBufferManager> buffers_;
};

/// A member declared before a frustum: it starts the engine before the frustum is made.
struct Started {
    Started() { Engine::start(); }
};

Ogre::Vector3 vector(const glm::dvec3& v) {
    return {static_cast<Ogre::Real>(v.x), static_cast<Ogre::Real>(v.y), static_cast<Ogre::Real>(v.z)};
}

class Test final : public FrustumTest {
public:
    Test(const Camera& camera, const lanecull::Batch& batch) {
        const auto real = [](double value) { return static_cast<Ogre::Real>(value); };
        frustum_.setNearClipDistance(real(camera.near_depth));
        frustum_.setFarClipDistance(real(camera.far_depth));
        frustum_.setFOVy(Ogre::Radian(real(2 * std::atan(camera.tan_y))));
        frustum_.setAspectRatio(real(camera.tan_x / camera.tan_y));
        frustum_.setCustomViewMatrix(true, view_matrix(camera));
        add(batch);
    }

    void run(std::span<std::uint64_t> visible) override {
        fill_bits(spheres_, visible, [&](const Ogre::Sphere& s) { return frustum_.isVisible(s, nullptr); });
        fill_bits(boxes_, visible, [&](const Ogre::AxisAlignedBox& b) { return frustum_.isVisible(b, nullptr); });
    }

private:
    void add(const lanecull::Batch& batch) {
        if (const auto* s = batch.get_if<lanecull::Spheres>()) {
            for (std::uint32_t i = 0; i < s->count; ++i)
                spheres_.emplace_back(Ogre::Vector3(s->x[i], s->y[i], s->z[i]), s->radius[i]);
            return;
        }
        const auto& b = *batch.get_if<lanecull::Boxes>();
        for (std::uint32_t i = 0; i < b.count; ++i)
            boxes_.emplace_back(b.min_x[i], b.min_y[i], b.min_z[i], b.max_x[i], b.max_y[i], b.max_z[i]);
    }

    /// OGRE looks along the negative z axis.
    static Ogre::Affine3 view_matrix(const Camera& camera) {
        const Ogre::Vector3 rows[3] = {vector(camera.right()), vector(camera.up()), vector(-camera.forward())};
        const Ogre::Vector3 eye = vector(camera.eye);
        Ogre::Affine3 view = Ogre::Affine3::IDENTITY;
        for (std::size_t r = 0; r < 3; ++r) {
            for (std::size_t c = 0; c < 3; ++c) view[r][c] = rows[r][c];
            view[r][3] = -rows[r].dotProduct(eye);
        }
        return view;
    }

    Started started_;
    Ogre::Frustum frustum_;
    std::vector<Ogre::Sphere> spheres_;
    std::vector<Ogre::AxisAlignedBox> boxes_;
};

}  // namespace

std::unique_ptr<FrustumTest> ogre_frustum_test(const Camera& camera, const lanecull::Batch& batch) {
    return std::make_unique<Test>(camera, batch);
}

}  // namespace bench
