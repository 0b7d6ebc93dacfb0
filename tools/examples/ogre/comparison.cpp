#include <OgreCamera.h>
#include <OgreHardwarePixelBuffer.h>
#include <OgreImage.h>
#include <OgreLogManager.h>
#include <OgreRenderQueue.h>
#include <OgreRenderTexture.h>
#include <OgreRenderWindow.h>
#include <OgreResourceGroupManager.h>
#include <OgreRoot.h>
#include <OgreSceneNode.h>
#include <OgreTextureManager.h>
#include <OgreViewport.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lanecull_scene_manager.hpp"
#include "test_scene.hpp"

#include <lanecull/library.h>

/// One scene in four scene managers: OGRE's own, its octree, lanecull's, and one that culls nothing. Each draws the
/// same frames; their pixels are compared with those of the last, and draws and times stand beside each other.
namespace {

struct Settings {
    std::uint32_t frames = 100, entities = 20'000, moving = 500, width = 320, height = 240;
    std::string picture;  ///< where lanecull's frame in the middle goes; empty: nowhere
};

class CullsNothing final : public Ogre::SceneManager {
public:
    static const Ogre::String type_name;
    using SceneManager::SceneManager;
    [[nodiscard]] const Ogre::String& getTypeName() const override { return type_name; }
    void _findVisibleObjects(Ogre::Camera* camera, Ogre::VisibleObjectsBoundsInfo* bounds, bool casters) override {
        queue_all(*getRootSceneNode(), *camera, *bounds, casters);
    }

private:
    void queue_all(Ogre::SceneNode& node, Ogre::Camera& camera, Ogre::VisibleObjectsBoundsInfo& bounds, bool casters) {
        for (Ogre::MovableObject* object : node.getAttachedObjects())
            getRenderQueue()->processVisibleObject(object, &camera, casters, &bounds);
        for (Ogre::Node* child : node.getChildren())
            queue_all(static_cast<Ogre::SceneNode&>(*child), camera, bounds, casters);
    }
};
const Ogre::String CullsNothing::type_name = "CullsNothing";

class CullsNothingFactory final : public Ogre::SceneManagerFactory {
    Ogre::SceneManager* createInstance(const Ogre::String& name) override { return new CullsNothing(name); }
    void destroyInstance(Ogre::SceneManager* scene) override { delete scene; }
    void initMetaData() const override { mMetaData = {CullsNothing::type_name, false}; }
};

/// The thread's own time: what else runs on the machine does not count.
double thread_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// Adds up how long a scene manager takes to bring its nodes up to date, and to find what is to be drawn, for the
/// camera and for both shadow textures.
class Stopwatch final : public Ogre::SceneManager::Listener {
public:
    double update_ms = 0, find_ms = 0;

private:
    void preUpdateSceneGraph(Ogre::SceneManager* /*scene*/, Ogre::Camera* /*camera*/) override { begin_ = thread_ms(); }
    void postUpdateSceneGraph(Ogre::SceneManager* /*scene*/, Ogre::Camera* /*camera*/) override {
        update_ms += thread_ms() - begin_;
    }
    void preFindVisibleObjects(Ogre::SceneManager* /*scene*/, Ogre::SceneManager::IlluminationRenderStage /*stage*/,
                               Ogre::Viewport* /*viewport*/) override {
        begin_ = thread_ms();
    }
    void postFindVisibleObjects(Ogre::SceneManager* /*scene*/, Ogre::SceneManager::IlluminationRenderStage /*stage*/,
                                Ogre::Viewport* /*viewport*/) override {
        find_ms += thread_ms() - begin_;
    }
    double begin_ = 0;
};

/// Adds up the time that lanecull's calls take, but for microseconds between their phases.
class CullTime {
public:
    double ms = 0;

    [[nodiscard]] lanecull::Runner runner() { return zoned_; }

private:
    static void begin(void* self, const lanecull::Zone& zone) {
        if (zone.level == lanecull::Zone::Level::phase) static_cast<CullTime*>(self)->begin_ = thread_ms();
    }
    static void end(void* self, const lanecull::Zone& zone) {
        if (zone.level == lanecull::Zone::Level::phase)
            static_cast<CullTime*>(self)->ms += thread_ms() - static_cast<CullTime*>(self)->begin_;
    }

    double begin_ = 0;
    lanecull::ZonedRunner zoned_{{this, begin, end}};
};

template <class Number>
Number median(std::vector<Number> numbers) {
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
    std::nth_element(numbers.begin(), middle, numbers.end());
    return *middle;
}

/// A scene manager with the scene, where it draws, and what was measured, frame by frame.
class Subject {
public:
    Subject(Ogre::Root& root, const char* type, const char* name, const Settings& settings)
        : scene_(*root.createSceneManager(type)), name_(name), width_(settings.width), height_(settings.height) {
        if (auto* ours = dynamic_cast<LanecullSceneManager*>(&scene_)) ours->set_runner(cull_time_.runner());
        test_ = std::make_unique<TestScene>(scene_, settings.entities, settings.moving);
        scene_.addListener(&stopwatch_);
        test_->camera().setAspectRatio(static_cast<float>(width_) / static_cast<float>(height_));
        texture_ = Ogre::TextureManager::getSingleton().createManual(std::string("frame of ") + type, Ogre::RGN_DEFAULT,
                                                                     Ogre::TEX_TYPE_2D, width_, height_, 0,
                                                                     Ogre::PF_BYTE_RGB, Ogre::TU_RENDERTARGET);
        Ogre::Viewport& viewport = *target().addViewport(&test_->camera());
        viewport.setOverlaysEnabled(false);
        viewport.setBackgroundColour(Ogre::ColourValue(0.70f, 0.80f, 0.92f));
        target().setAutoUpdated(false);
    }

    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;
    ~Subject() { scene_.removeListener(&stopwatch_); }

    void draw(Ogre::Root& root, float turn) {
        stopwatch_.update_ms = stopwatch_.find_ms = cull_time_.ms = 0;
        test_->move_to(turn);
        target().setAutoUpdated(true);
        root.renderOneFrame();
        target().setAutoUpdated(false);
        // Of shadow textures at once, for scene managers share them.
        drawn_[0] = target().getStatistics().batchCount;
        for (std::size_t map = 0; map < 2; ++map) {
            const Ogre::TexturePtr& shadow = scene_.getShadowTexture(map);
            drawn_[1 + map] = shadow->getBuffer()->getRenderTarget()->getStatistics().batchCount;
        }
        pixels_.resize(std::size_t{3} * width_ * height_);
        target().copyContentsToMemory(Ogre::Box(0, 0, width_, height_), pixel_box());
    }

    void note(const Subject& reference) {
        update_ms_.push_back(stopwatch_.update_ms);
        find_ms_.push_back(stopwatch_.find_ms);
        cull_ms_.push_back(cull_time_.ms);
        for (std::size_t k = 0; k < 3; ++k) draws_[k].push_back(drawn_[k]);
        std::uint64_t different = 0;
        for (std::size_t i = 0; i < pixels_.size(); i += 3)
            different += std::memcmp(&pixels_[i], &reference.pixels_[i], 3) != 0 ? 1 : 0;
        different_pixels_ += different;
        different_frames_ += different != 0 ? 1 : 0;
    }

    void print_row() const {
        std::printf("| %s | %zu | %zu | %zu | %.2f | %.2f | %llu in %u |\n", name_, median(draws_[0]),
                    median(draws_[1]), median(draws_[2]), median(update_ms_), median(find_ms_),
                    static_cast<unsigned long long>(different_pixels_), different_frames_);
    }

    void save(const std::string& path) {
        Ogre::Image image;
        image.loadDynamicImage(pixels_.data(), width_, height_, 1, Ogre::PF_BYTE_RGB);
        image.save(path);
    }

    [[nodiscard]] double cull_ms() const { return median(cull_ms_); }
    [[nodiscard]] bool pixels_differ() const { return different_pixels_ != 0; }

private:
    Ogre::RenderTexture& target() { return *texture_->getBuffer()->getRenderTarget(); }
    Ogre::PixelBox pixel_box() { return {width_, height_, 1, Ogre::PF_BYTE_RGB, pixels_.data()}; }

    Ogre::SceneManager& scene_;
    const char* name_;
    std::uint32_t width_, height_;
    Stopwatch stopwatch_;
    CullTime cull_time_;
    std::unique_ptr<TestScene> test_;
    Ogre::TexturePtr texture_;
    std::vector<std::uint8_t> pixels_;
    std::array<std::size_t, 3> drawn_ = {};  // for the camera, the sun, the spotlight

    std::vector<double> update_ms_, find_ms_, cull_ms_;
    std::array<std::vector<std::size_t>, 3> draws_;
    std::uint64_t different_pixels_ = 0;
    std::uint32_t different_frames_ = 0;
};

/// OGRE with OpenGL and a window that is not shown.
class Engine {
public:
    Engine() {
        log_.createLog("ogre.log", true, false, true);  // not to a file
        root_ = std::make_unique<Ogre::Root>("", "", "");
        const std::string plugins = OGRE_PLUGINS;
        for (const char* plugin : {"RenderSystem_GL3Plus", "Plugin_OctreeSceneManager", "Codec_STBI"})
            root_->loadPlugin(plugins + "/" + plugin);
        root_->setRenderSystem(root_->getAvailableRenderers().at(0));
        root_->initialise(false);
        const Ogre::NameValuePairList hidden = {{"hidden", "true"}};
        Ogre::RenderWindow* window = root_->createRenderWindow("lanecull", 64, 64, false, &hidden);
        window->setAutoUpdated(false);
        root_->addSceneManagerFactory(&lanecull_);
        root_->addSceneManagerFactory(&culls_nothing_);
        // OGRE requests these whatever the technique.
        auto& resources = Ogre::ResourceGroupManager::getSingleton();
        resources.addResourceLocation(OGRE_MEDIA "/ShadowVolume", "FileSystem", Ogre::RGN_INTERNAL);
        resources.initialiseAllResourceGroups();
        create_test_resources();
    }

    [[nodiscard]] Ogre::Root& root() const { return *root_; }

private:
    LanecullSceneManagerFactory lanecull_;
    CullsNothingFactory culls_nothing_;
    Ogre::LogManager log_;
    std::unique_ptr<Ogre::Root> root_;
};

int compare(const Settings& settings) {
    Engine engine;
    Ogre::Root& root = engine.root();
    std::vector<std::unique_ptr<Subject>> subjects;
    const char* const managers[][2] = {{"DefaultSceneManager", "OGRE's own"},
                                       {"OctreeSceneManager", "OGRE's octree"},
                                       {"LanecullSceneManager", "lanecull"},
                                       {"CullsNothing", "nothing culled"}};
    for (const auto& [type, name] : managers) subjects.push_back(std::make_unique<Subject>(root, type, name, settings));
    for (const auto& subject : subjects) subject->draw(root, 0);

    for (std::uint32_t frame = 0; frame < settings.frames; ++frame) {
        const float turn = static_cast<float>(frame) / static_cast<float>(settings.frames);
        for (std::size_t i = 0; i < subjects.size(); ++i)  // each of them first in turn
            subjects[(i + frame) % subjects.size()]->draw(root, turn);
        for (const auto& subject : subjects) subject->note(*subjects.back());
        if (frame == settings.frames / 2 && !settings.picture.empty()) subjects[2]->save(settings.picture);
    }

    std::printf("%u entities, %u of them moving, %u frames of %u x %u pixels; medians of a frame.\n\n",
                settings.entities, settings.moving, settings.frames, settings.width, settings.height);
    std::printf(
        "| culled by | draws | into the sun's map | into the spotlight's | update ms | find ms "
        "| other pixels, in frames |\n|---|---:|---:|---:|---:|---:|---:|\n");
    for (const auto& subject : subjects) subject->print_row();
    std::printf("\nOf lanecull's time to find, its culls take %.2f ms; the rest is OGRE's queue.\n",
                subjects[2]->cull_ms());
    return subjects[2]->pixels_differ() ? 1 : 0;
}

/// Reads "--name VALUE" pairs.
bool read(int count, char** arguments, Settings& settings) {
    const auto number = [](std::string_view text, std::uint32_t lowest, std::uint32_t highest, std::uint32_t& value) {
        std::uint32_t n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error != std::errc() || end != text.data() + text.size() || n < lowest || n > highest) return false;
        value = n;
        return true;
    };
    for (int i = 1; i < count; i += 2) {
        const std::string_view name = arguments[i], value = i + 1 < count ? arguments[i + 1] : "";
        const bool good = name == "--frames"     ? number(value, 1, 100'000, settings.frames)
                          : name == "--entities" ? number(value, 2, 1'000'000, settings.entities)
                          : name == "--moving"   ? number(value, 1, 1'000'000, settings.moving)
                          : name == "--width"    ? number(value, 1, 4096, settings.width)
                          : name == "--height"   ? number(value, 1, 4096, settings.height)
                          : name == "--picture"  ? !(settings.picture = value).empty()
                                                 : false;
        if (!good) return false;
    }
    return settings.moving < settings.entities;
}

}  // namespace

int main(int count, char** arguments) {
    Settings settings;
    if (!read(count, arguments, settings)) {
        std::fputs(
            "ogre_comparison [--frames N] [--entities N] [--moving N] [--width N] [--height N] [--picture FILE]\n"
            "Draws one scene in four scene managers and compares them. --moving is below --entities.\n",
            stderr);
        return 2;
    }
    try {
        return compare(settings);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ogre_comparison: %s\n", error.what());
        return 2;
    }
}
