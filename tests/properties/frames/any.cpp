#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/reference.hpp"
#include "properties/any.hpp"
#include "properties/family.hpp"
#include "support/culling.hpp"

/// The culling pass of any frame, over a batch and over a scene of the same objects. A frame that breaks a rule changes
/// nothing. Else each view's bits are those of a single cull by it, for point lights among what they reach.
namespace properties {
namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;
using lanecull::Status;

constexpr std::uint64_t unwritten = 0x5555555555555555u;

/// So that most frames keep most rules.
double mostly(Random& random, double usual) {
    return random.below(32) == 0 ? static_cast<double>(random.any_size()) : usual;
}

void read_camera(Random& random, Made& made) {
    const bool is_lit = random.chance(0.5);
    made.add_camera({}, is_lit ? 1 : 0);
    PassCamera& camera = made.cameras.back();
    std::ranges::copy(read_matrix(random), camera.clip_from_world);
    if (random.below(8) != 0) camera.clip_space.layout = lanecull::MatrixLayout::row_major;
    if (random.chance(0.5)) camera.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
    if (random.below(4) == 0) made.let_cut(camera, read_planes(random, 3));
    if (random.below(4) == 0) camera.options.margin = random.any_size();
    if (!is_lit) return;
    PassDirectionalLight& light = made.directional_lights.back();
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

void read_point_light(Random& random, Made& made) {
    Double3 at, forward;
    for (double& coordinate : at) coordinate = random.any_double();
    for (double& component : forward) component = random.any_float();
    const double range = mostly(random, 0.5 * (1 + random.below(128)));
    PassPointLight& light = random.chance(0.5) ? made.add_spot(at, range, forward) : made.add_point_light(at, range);
    light.near_depth = range * mostly(random, 1.0 / (2 + random.below(255)));
    light.texels = static_cast<std::uint32_t>(random.below(16) == 0 ? random.below(70'001) : 16 + random.below(1025));
    light.filter_texels = mostly(random, random.below(17));
    if (light.spot != nullptr) {
        lanecull::PassSpotLight& spot = made.spots.back();
        for (std::size_t k = 0; k < 3; ++k) spot.up[k] = mostly(random, k == 1 ? 1 : 0.25);
        for (double* tan : {&spot.tan_x, &spot.tan_y}) *tan = mostly(random, 0.125 * (1 + random.below(32)));
    }
    if (random.below(4) != 0) return;
    const int cameras = static_cast<int>(made.cameras.size());
    std::vector<std::uint32_t> by(static_cast<std::size_t>(random.below(3)));
    for (std::uint32_t& camera : by)
        camera = static_cast<std::uint32_t>(random.below(cameras + 1));  // one is not there
    made.let_see(light, std::move(by));
}

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
          kind_(all_kinds[trial.random.below(static_cast<int>(std::size(all_kinds)))]),
          hulls_(read_hulls(trial.random, true)) {
        Random& random = trial.random;
        for (int cameras = 1 + random.below(3); cameras > 0; --cameras) read_camera(random, made_);
        for (int lights = random.below(4); lights > 0; --lights) read_point_light(random, made_);
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
        const std::size_t views = lanecull::view_count(made_.frame());
        trial_.at(Tally::cases) += objects_.size() * views;
        std::vector<lanecull::Handle> handles(objects_.size());
        if (const Status status = scene_.add({&batch_, 1}, handles); !status)
            return fail("objects are refused", status);
        CullPass pass;
        Status status = pass.reserve(made_.limits(), {&batch_, 1});
        if (status) status = pass.reserve(made_.limits(), scene_);
        Bits flat(views, lanecull::visibility_words({&batch_, 1}));
        if (status) status = pass.run(made_.frame(), {&batch_, 1}, flat.outputs, casters_, options_);
        if (!status) {
            if (status.message()[0] == 0) fail("a failure says nothing", status);
            if (!flat.untouched()) fail("a failure writes", status);
            return;
        }
        trial_.at(Tally::reached) += objects_.size() * views;
        if (pass.view_count() != views) fail("a frame has other views than it is said to have", status);
        for (std::size_t v = 0; v < views; ++v) check_view(pass, v, flat.words[v]);
        Bits ordered(views, lanecull::visibility_words(scene_));
        status = pass.run(made_.frame(), scene_, ordered.outputs, casters_, options_);
        if (!status && !products_may_overflow())
            fail("a frame that is drawn of a batch is not drawn of a scene", status);
    }

private:
    void fail(const std::string& what, const Status& status) {
        trial_.fail(Tally::untold, what, [&] { return std::string(status.message()); });
    }

    void check_view(const CullPass& pass, std::size_t v, const Words& found) {
        Words alone(found.size());
        if (pass.view(v).prepared()) alone = culled({&batch_, 1}, pass.view(v), options_);
        trial_.at(Tally::verdicts) += objects_.size();
        const bool is_alone = v < lanecull::view_count({made_.cameras}) || casters_ == Casters::frustum;
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
    Made made_;
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
