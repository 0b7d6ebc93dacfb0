#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "properties/any_objects.hpp"
#include "properties/any_views.hpp"
#include "properties/family.hpp"
#include "support/culling.hpp"

/// The culling pass of any frame, over a batch and over a scene of the same objects. A frame that breaks a rule changes
/// nothing. Else each view's bits are those of a single cull by it, for point lights among what they reach.
namespace properties {
namespace {

using lanecull::Casters;
using lanecull::CullPass;
using lanecull::PassCamera;
using lanecull::PassPointLight;
using lanecull::Status;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t unwritten = 0x5555555555555555u;

/// What a PassFrame points to.
class AnyFrame {
public:
    explicit AnyFrame(Random& random)
        : cameras_(static_cast<std::size_t>(1 + random.below(3))),
          directional_lights_(cameras_.size()),
          planes_(cameras_.size()),
          point_lights_(static_cast<std::size_t>(random.below(4))),
          spots_(point_lights_.size()),
          seen_by_(point_lights_.size()) {
        for (std::size_t c = 0; c < cameras_.size(); ++c) read_camera(random, c);
        for (std::size_t l = 0; l < point_lights_.size(); ++l) read_point_light(random, l);
    }
    AnyFrame(const AnyFrame&) = delete;
    AnyFrame& operator=(const AnyFrame&) = delete;

    [[nodiscard]] lanecull::PassFrame frame() const { return {cameras_, point_lights_}; }
    [[nodiscard]] std::size_t roots() const { return lanecull::view_count({cameras_}); }
    [[nodiscard]] lanecull::PassLimits limits() const {
        lanecull::PassLimits limits{static_cast<std::uint32_t>(cameras_.size()), 0,
                                    static_cast<std::uint32_t>(point_lights_.size())};
        for (const PassCamera& camera : cameras_) {
            if (camera.directional_light != nullptr)
                limits.cascades += camera.directional_light->cascades == 0 ? 4 : camera.directional_light->cascades;
        }
        return limits;
    }

private:
    /// So that most frames keep most rules.
    static double mostly(Random& random, double usual) {
        return random.below(32) == 0 ? static_cast<double>(random.any_size()) : usual;
    }

    void read_camera(Random& random, std::size_t c) {
        PassCamera& camera = cameras_[c];
        std::ranges::copy(read_matrix(random), camera.clip_from_world);
        if (random.below(8) != 0) camera.clip_space.layout = lanecull::MatrixLayout::row_major;
        if (random.chance(0.5)) camera.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        if (random.below(4) == 0) planes_[c] = read_planes(random, 3);
        camera.options.clip_planes = planes_[c];
        if (random.below(4) == 0) camera.options.margin = random.any_size();
        if (random.chance(0.5)) return;
        lanecull::PassDirectionalLight& light = directional_lights_[c];
        camera.directional_light = &light;
        for (double& component : light.directional_light.toward) component = random.any_float();
        if (random.below(4) == 0) light.directional_light.reach = random.any_size();
        light.near_depth = mostly(random, 0.125 * (1 + random.below(32)));
        light.far_depth = light.near_depth + mostly(random, 1 + random.below(256));
        light.cascades = static_cast<std::uint32_t>(random.below(32) == 0 ? random.below(10) : 1 + random.below(8));
        light.logarithmic = mostly(random, 0.125 * random.below(9));
        for (std::size_t k = 0; k < 3; ++k) light.map.up[k] = mostly(random, k == 1 ? 1 : 0.25);
        light.map.is_tight = random.chance(0.5);
        light.filter_texels = mostly(random, random.below(17));
    }
    void read_point_light(Random& random, std::size_t l) {
        PassPointLight& light = point_lights_[l];
        for (double& coordinate : light.at) coordinate = random.any_double();
        light.range = mostly(random, 0.5 * (1 + random.below(128)));
        light.near_depth = light.range * mostly(random, 1.0 / (2 + random.below(255)));
        light.texels =
            static_cast<std::uint32_t>(random.below(16) == 0 ? random.below(70'001) : 16 + random.below(1025));
        light.filter_texels = mostly(random, random.below(17));
        if (random.chance(0.5)) {
            lanecull::PassSpotLight& spot = spots_[l];
            light.spot = &spot;
            for (double& component : spot.forward) component = random.any_float();
            for (std::size_t k = 0; k < 3; ++k) spot.up[k] = mostly(random, k == 1 ? 1 : 0.25);
            for (double* tan : {&spot.tan_x, &spot.tan_y}) *tan = mostly(random, 0.125 * (1 + random.below(32)));
        }
        if (random.below(4) != 0) return;
        const int cameras = static_cast<int>(cameras_.size());
        for (int n = random.below(3); n > 0; --n) {
            seen_by_[l].push_back(static_cast<std::uint32_t>(random.below(cameras + 1)));  // perhaps out of range
        }
        light.cameras = seen_by_[l];
    }

    std::vector<PassCamera> cameras_;
    std::vector<lanecull::PassDirectionalLight> directional_lights_;
    std::vector<std::vector<lanecull::Plane>> planes_;
    std::vector<PassPointLight> point_lights_;
    std::vector<lanecull::PassSpotLight> spots_;
    std::vector<std::vector<std::uint32_t>> seen_by_;
};

/// One call's outputs.
struct Bits {
    std::vector<Words> words;
    std::vector<lanecull::Output> outputs;

    Bits(std::size_t views, std::size_t count) : words(views, Words(count, unwritten)), outputs(views) {
        for (std::size_t v = 0; v < views; ++v) outputs[v].visible = words[v];
    }
    [[nodiscard]] bool untouched() const {
        return std::ranges::all_of(words, [](const Words& of) {
            return std::ranges::all_of(of, [](std::uint64_t word) { return word == unwritten; });
        });
    }
};

class AnyFrameTrial {
public:
    explicit AnyFrameTrial(Trial& trial)
        : trial_(trial),
          frame_(trial.random),
          kind_(all_kinds[trial.random.below(static_cast<int>(std::size(all_kinds)))]),
          hulls_(read_hulls(trial.random, true)) {
        Random& random = trial.random;
        const Streams streams = read_streams(random);
        objects_.resize(static_cast<std::size_t>(1 + random.below(41)));
        for (Object& object : objects_) {
            object = read_object(random, kind_, hulls_.size());
            read_attributes(random, streams, object);
        }
        batch_ = make_batch(kind_, objects_, hulls_, memory_, {.bounds = random.chance(0.5), .streams = streams});
        options_.isa = trial.plan.isas[static_cast<std::size_t>(random.below(256)) % trial.plan.isas.size()];
        casters_ = random.chance(0.5) ? Casters::frustum : Casters::volume;
    }

    void run() {
        trial_.at(Tally::trials) = 1;
        const std::size_t views = lanecull::view_count(frame_.frame());
        trial_.at(Tally::cases) += objects_.size() * views;
        std::vector<lanecull::Handle> handles(objects_.size());
        if (const Status status = scene_.add({&batch_, 1}, handles); !status)
            return fail("objects are refused", status);
        CullPass pass;
        Status status = pass.reserve(frame_.limits(), {&batch_, 1});
        if (status) status = pass.reserve(frame_.limits(), scene_);
        Bits flat(views, lanecull::visibility_words({&batch_, 1}));
        if (status) status = pass.run(frame_.frame(), {&batch_, 1}, flat.outputs, casters_, options_);
        if (!status) {
            if (status.message()[0] == 0) fail("a failure says nothing", status);
            if (!flat.untouched()) fail("a failure writes", status);
            return;
        }
        trial_.at(Tally::reached) += objects_.size() * views;
        if (pass.view_count() != views) fail("a frame has other views than it is said to have", status);
        for (std::size_t v = 0; v < views; ++v) check_view(pass, v, flat.words[v]);
        Bits ordered(views, lanecull::visibility_words(scene_));
        status = pass.run(frame_.frame(), scene_, ordered.outputs, casters_, options_);
        if (!status && !products_may_overflow())
            fail("a frame that is drawn of a batch is not drawn of a scene", status);
    }

private:
    void fail(const std::string& what, const Status& status) {
        trial_.fail(Tally::untold, what, [&] { return std::string(status.message()); });
    }

    void check_view(const CullPass& pass, std::size_t v, const Words& found) {
        Words alone(found.size());
        if (pass.view(v).prepared()) {
            std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch_, 1}, 1));
            lanecull::Output output{.visible = alone};
            const Status status =
                lanecull::cull({&batch_, 1}, {&pass.view(v), 1}, {&output, 1}, std::span(scratch), options_);
            if (!status) return fail("a view of a frame does not cull", status);
        }
        trial_.at(Tally::verdicts) += objects_.size();
        const bool is_alone = v < frame_.roots() || casters_ == Casters::frustum;
        for (std::size_t w = 0; w < found.size(); ++w) {
            if (is_alone ? found[w] != alone[w] : (found[w] & ~alone[w]) != 0)
                fail("a view's bits are not those of a single cull, view " + std::to_string(v), {});
        }
    }

    /// Whether numbers are beyond 2^60, where a scene may cull what a batch keeps: then its receivers may be others.
    [[nodiscard]] bool products_may_overflow() const {
        const auto beyond = [](float number) { return !(std::fabs(number) <= 0x1p60f); };
        const auto any_beyond = [&](const auto& vertex) { return std::ranges::any_of(vertex, beyond); };
        return std::ranges::any_of(objects_, [&](const Object& of) { return ::products_may_overflow(kind_, of); }) ||
               std::ranges::any_of(hulls_, [&](const auto& hull) { return std::ranges::any_of(hull, any_beyond); });
    }

    Trial& trial_;
    const AnyFrame frame_;
    const Kind kind_;
    const HullSet hulls_;
    std::vector<Object> objects_;
    HeapMemory memory_;
    lanecull::Batch batch_ = lanecull::Spheres{};
    lanecull::Scene scene_;
    lanecull::CullOptions options_;
    Casters casters_ = Casters::volume;
};

}  // namespace

void frames_any(Trial& trial) {
    for (int n = trial.plan.objects < 100 ? 1 : 20; n > 0 && !trial.stopped(); --n) AnyFrameTrial(trial).run();
}

}  // namespace properties
