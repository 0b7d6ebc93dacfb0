#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/reference.hpp"
#include "properties/family.hpp"
#include "support/culling.hpp"

/// A pass gives what the functions for single views and single culls give, over batches and over scenes, whatever a
/// frame has.
namespace properties {
namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;
using lanecull::View;
using lanecull::WorldBox;

class AlikeTrial {
public:
    AlikeTrial(Trial& trial, bool has_many_lights)
        : trial_(trial), world_(static_cast<std::uint32_t>(trial.plan.objects), trial.random.bits()), ordered_(world_) {
        trial.at(Tally::trials) = 1;
        fill(made_, trial.random);
        if (has_many_lights) add_many_lights();
        options_.isa = trial.plan.isas[trial.random.bits() % trial.plan.isas.size()];
        require(pass_.reserve(made_.limits(), world_.batches));
        require(pass_.reserve(made_.limits(), ordered_.scene));
        require(pass_.plan(made_.frame(), world_.batches, options_));
    }

    void run() {
        for (const Casters casters : {Casters::volume, Casters::frustum, Casters::volume}) {  // one plan
            require(pass_.prepare(casters));
            check_culls(casters);
        }
        check_plan_over_a_scene();
        check_candidates();
        check_order(world_.batches);
        check_order(ordered_.scene);
        for (std::size_t c = 0; c < made_.cameras.size(); ++c) {
            check_receivers(c);
            check_views(c);
        }
        require(pass_.prepare(Casters::frustum));
        for (std::size_t l = 0; l < made_.point_lights.size(); ++l) check_map(l);
    }

private:
    void expect(bool holds, const char* what, std::size_t view = 0) {
        if (!holds) trial_.fail(Tally::untold, what, [&] { return "view " + std::to_string(view); });
    }

    /// More views than one call of cull() takes, most of them of lights that light nothing in view.
    void add_many_lights() {
        Random& random = trial_.random;
        for (int l = 0; l < 60; ++l) {
            const Double3 at{random.range(-150, 150), random.range(-150, 150), random.range(-150, 150)};
            l % 5 == 0 ? made_.add_spot(at, 70, {0, -1, 0}) : made_.add_point_light(at, 50);
        }
    }

    void check_culls(Casters casters) {
        const std::vector<Words> expected = reference(world_, made_.frame(), pass_, casters, options_);
        const std::string what = difference(world_, ordered_, made_.frame(), pass_, expected, options_);
        if (!what.empty()) trial_.fail(Tally::untold, what, [] { return std::string(); });
        trial_.at(Tally::verdicts) += expected.size() * world_.objects();
        // In one call, by a pass of its own.
        CullPass other;
        require(other.reserve(made_.limits(), world_.batches));
        FlatLists lists(world_, expected.size());
        require(other.run(made_.frame(), world_.batches, lists.outputs, casters, options_));
        for (std::size_t v = 0; v < expected.size(); ++v) {
            expect(lists.views[v].visible == expected[v], "one call gives other bits than its steps", v);
            expect(std::memcmp(&pass_.view(v), &other.view(v), sizeof(View)) == 0, "one call has another view", v);
        }
    }

    /// The same maps and views if receivers are found by way of a scene.
    void check_plan_over_a_scene() {
        CullPass by_scene;
        require(by_scene.reserve(made_.limits(), ordered_.scene));
        require(by_scene.plan(made_.frame(), ordered_.scene, options_));
        require(by_scene.prepare());
        expect(pass_.maps().size() == by_scene.maps().size(), "a scene has other maps");
        for (std::size_t m = 0; m < pass_.maps().size(); ++m) {
            expect(std::ranges::equal(pass_.maps()[m].clip_from_world, by_scene.maps()[m].clip_from_world),
                   "a scene's map is another", m);
        }
        for (std::size_t c = 0; c < made_.cameras.size(); ++c) {
            for (std::size_t k = 0; k < pass_.cascades(c).size(); ++k) {
                expect(same_box(pass_.cascades(c)[k].receivers, by_scene.cascades(c)[k].receivers),
                       "a scene's receivers are others", c);
            }
        }
        for (std::size_t v = 0; v < pass_.view_count(); ++v) {
            expect(same_view(pass_.view(v), by_scene.view(v)), "a scene's view is another", v);
        }
    }

    /// The caller's own candidates for cameras and cascades.
    void check_candidates() {
        const std::size_t roots = lanecull::view_count({made_.cameras});
        Words some(lanecull::visibility_words(world_.batches));
        for (std::uint64_t& word : some) word = trial_.random.bits();
        FlatLists lists(world_, pass_.view_count());
        for (std::size_t v = 0; v < roots; ++v) lists.outputs[v].candidates = some;
        require(pass_.cull(world_.batches, lists.outputs, options_));
        for (std::size_t v = 0; v < roots; ++v) {
            expect(lists.views[v].visible == both(some, culled(world_, pass_.view(v), options_)),
                   "candidates are judged otherwise", v);
            expect(lists.outputs[v].candidates.data() == some.data(), "an output's candidates are others", v);
        }
    }

    /// Each list in order is that of a cull by itself of what the view sees.
    void check_order(const lanecull::Objects& objects) {
        const std::size_t views = pass_.view_count();
        lanecull::PassLimits limits = made_.limits();
        limits.ordered_views = static_cast<std::uint32_t>(views);
        CullPass pass;
        require(pass.reserve(limits, objects));
        require(pass.plan(made_.frame(), objects, options_));
        require(pass.prepare());
        using List = std::vector<std::uint32_t>;
        std::vector<List> lists(views, List(world_.objects()));
        std::vector<Words> bits(views, Words(lanecull::visibility_words(objects)));
        std::vector<lanecull::Output> outputs(views);
        constexpr lanecull::ListOrder orders[] = {lanecull::ListOrder::front_to_back,
                                                  lanecull::ListOrder::back_to_front};
        for (std::size_t v = 0; v < views; ++v) {
            outputs[v] = {.visible = bits[v], .indices = lists[v], .order = orders[v % 2]};
        }
        require(pass.cull(objects, outputs, options_));
        std::vector<std::byte> scratch(lanecull::scratch_bytes(objects, 1) + lanecull::order_bytes(objects, 1));
        for (std::size_t v = 0; v < views; ++v) {
            if (!pass.view(v).prepared()) continue;
            List alone(lists[v].size());
            lanecull::Output output{.indices = alone, .candidates = bits[v], .order = orders[v % 2]};
            require(lanecull::cull(objects, {&pass.view(v), 1}, {&output, 1}, scratch, options_));
            expect(alone == lists[v], "a list in order is another than that of a single cull", v);
            const bool is_as_before = std::ranges::is_sorted(std::span(alone).first(output.visible_count));
            expect(output.visible_count < 30 || !is_as_before, "a list in order is that of the objects", v);
        }
    }

    /// The receivers of a slice: a box around all that its camera sees of it, and no more than around what lies between
    /// its planes.
    void check_receivers(std::size_t c) {
        const PassCamera& camera = made_.cameras[c];
        const Words seen = culled(world_, pass_.view(c), options_);
        WorldBox whole;
        require(lanecull::visible_bounds(world_.batches, seen, whole));
        const auto contains = [](const WorldBox& box, const WorldBox& other) {
            bool holds = true;
            for (std::size_t k = 0; k < 3; ++k)
                holds = holds && box.lower[k] <= other.lower[k] && box.upper[k] >= other.upper[k];
            return holds;
        };
        const lanecull::Span<const lanecull::Cascade> cascades = pass_.cascades(c);
        for (std::size_t k = 0; k < cascades.size(); ++k) {
            const lanecull::Cascade& cascade = cascades[k];
            std::vector<lanecull::Plane> planes(2);
            require(lanecull::slice_planes(
                {camera.clip_from_world, camera.clip_space, cascade.near_depth, cascade.far_depth},
                std::span<lanecull::Plane, 2>(planes.data(), 2)));
            planes.insert(planes.end(), camera.options.clip_planes.begin(), camera.options.clip_planes.end());
            lanecull::ViewOptions options = camera.options;
            options.clip_planes = planes;
            View exact;
            require(lanecull::prepare_view(camera.clip_from_world, camera.clip_space, exact, options));
            WorldBox least;
            require(lanecull::visible_bounds(world_.batches, both(seen, culled(world_, exact, options_)), least));
            expect(contains(cascade.receivers, least), "receivers do not contain what a slice shows", c);
            expect(contains(whole, cascade.receivers), "receivers reach beyond what a camera sees", c);
            ++trial_.at(Tally::cases);
            trial_.at(Tally::reached) += !contains(cascade.receivers, whole);
            const double near = k == 0 ? camera.directional_light->near_depth : cascades[k - 1].far_depth;
            expect(cascade.near_depth == near, "slices do not follow one another", c);
        }
        if (cascades.empty()) return;
        const double far = camera.directional_light->far_depth;
        expect(std::fabs(cascades[cascades.size() - 1].far_depth - far) < 1e-12 * far, "the last slice ends elsewhere",
               c);
    }

    /// The views of cameras and cascades are those that the functions for single ones prepare, with the filters' widths
    /// as margins.
    void check_views(std::size_t c) {
        const PassCamera& camera = made_.cameras[c];
        View expected;
        require(lanecull::prepare_view(camera.clip_from_world, camera.clip_space, expected, camera.options));
        expect(same_view(pass_.view(c), expected), "a camera's view is another", c);
        for (std::size_t k = 0; k < pass_.cascades(c).size(); ++k) {
            const lanecull::Cascade& cascade = pass_.cascades(c)[k];
            const std::size_t v = pass_.first_cascade_view(c) + k;
            lanecull::ViewOptions options = camera.options;
            options.margin += filter_texels_of(camera.directional_light->filter_texels) *
                              pass_.maps()[v - made_.cameras.size()].texel_size;
            options.hidden_layers = camera.directional_light->hidden_layers;
            options.directional_light = &camera.directional_light->directional_light;
            require(lanecull::prepare_cascade_casters(
                {camera.clip_from_world, camera.clip_space, cascade.near_depth, cascade.far_depth}, cascade.receivers,
                options, expected));
            expect(same_view(pass_.view(v), expected), "a cascade's view is another", v);
        }
    }

    /// What a point light's maps show is culled as by a view of the map, with distances from the camera's eye if the
    /// light has one camera, else whatever the distances.
    void check_map(std::size_t l) {
        const std::size_t v = pass_.first_point_light_view(l);
        const lanecull::ShadowMap& map = pass_.maps()[v - made_.cameras.size()];
        const auto& by = made_.point_lights[l].cameras;
        const bool has_one_camera = by.empty() ? made_.cameras.size() == 1 : by.size() == 1;
        const Double3 eye = made_.looking[by.empty() ? 0 : by[0]].eye;
        lanecull::ViewOptions options;
        options.hidden_layers = made_.point_lights[l].hidden_layers;
        options.eye = eye.data();
        View expected;
        require(lanecull::prepare_view(map.clip_from_world, map.clip_space, expected, options));
        lanecull::Attributes& marked = world_.batches[2].attributes;
        const float* const distances = marked.max_distance;
        const Words found = culled(world_, pass_.view(v), options_);
        if (!has_one_camera) marked.max_distance = nullptr;
        expect(found == culled(world_, expected, options_), "a map has other casters than a view of it", v);
        marked.max_distance = distances;
    }

    Trial& trial_;
    World world_;
    const Ordered ordered_;
    Made made_;
    lanecull::CullOptions options_;
    CullPass pass_;
};

}  // namespace

void frames_alike(Trial& trial) {
    for (int frame = 0; frame < 24 && !trial.stopped(); ++frame) AlikeTrial(trial, frame == 0).run();
}

}  // namespace properties
