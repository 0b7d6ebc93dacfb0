#include <cmath>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "frame/reference.hpp"
#include "frame/shadows.hpp"
#include "prove/family.hpp"
#include "support/culling.hpp"

/// CullPass, over batches and over a scene. What stands between a light and a point of a ball that is seen is in every
/// map that covers the point, by the formulas of geometry; and the bits of batches are those of single culls.
namespace prove {
namespace {

using namespace frame_tests;
using lanecull::Casters;
using lanecull::CullPass;

class FrameTrial {
public:
    explicit FrameTrial(Trial& trial) : trial_(trial), world_(balls, trial.random.bits()) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        fill_near(made_, trial_.random);
        for (std::uint32_t i = balls / 2; i < balls; ++i) put_before_light(i);
        const Ordered ordered(world_);
        for (const lanecull::Isa isa : trial_.plan.isas) {
            for (const Casters casters : {Casters::volume, Casters::frustum}) {
                if (trial_.stopped()) return;
                CullPass pass;
                lanecull::Status status = pass.reserve(made_.limits(), world_.batches);
                if (status) status = pass.reserve(made_.limits(), ordered.scene);
                if (status) status = ask(pass, ordered, casters, {.isa = isa});
                if (!status) fail(Tally::untold, status.message());
            }
        }
    }

private:
    static constexpr std::uint32_t balls = 500;

    /// Moves ball i to somewhere between a lamp, or a sun, and another ball; it may be much smaller than that.
    void put_before_light(std::uint32_t i) {
        Random& random = trial_.random;
        const auto other = static_cast<std::uint32_t>(random.below(static_cast<int>(balls / 2)));
        const Double3 to{static_cast<double>(world_.x[other]), static_cast<double>(world_.y[other]),
                         static_cast<double>(world_.z[other])};
        const std::size_t light = random.bits() % (made_.lamps.size() + made_.suns.size());
        Double3 way;
        for (std::size_t k = 0; k < 3; ++k) {
            way[k] = light < made_.lamps.size() ? made_.lamps[light].at[k] - to[k]
                                                : 300 * made_.suns[light - made_.lamps.size()].sun.toward[k];
        }
        const Double3 at =
            to + random.unit() * way + random.log_range(1e-3, 3) * random_direction_of_length_one(random);
        world_.x[i] = static_cast<float>(at[0]);
        world_.y[i] = static_cast<float>(at[1]);
        world_.z[i] = static_cast<float>(at[2]);
        world_.half[i] = static_cast<float>(random.log_range(1e-3, 5));
    }

    lanecull::Status ask(CullPass& pass, const Ordered& ordered, Casters casters,
                         const lanecull::CullOptions& options) {
        const std::size_t views = lanecull::view_count(made_.frame());
        FlatLists flat(world_, views);
        if (lanecull::Status status = pass.run(made_.frame(), world_.batches, flat.outputs, casters, options); !status)
            return status;
        const std::vector<Words> expected = reference(world_, made_.frame(), pass, casters, options);
        for (std::size_t v = 0; v < views; ++v) {
            count(flat.outputs[v].explanation->counts);
            trial_.answers.add_words(flat.views[v].visible);
            if (flat.views[v].visible != expected[v]) fail(Tally::untold, "bits are not those of single culls", v);
        }
        check_shadows(pass, [&](std::size_t view, std::uint32_t ball) { return has(flat.views[view].visible, ball); });

        SceneLists scene(ordered.scene, views);
        if (lanecull::Status status = pass.run(made_.frame(), ordered.scene, scene.outputs, casters, options); !status)
            return status;
        for (std::size_t v = 0; v < views; ++v) trial_.answers.add_words(scene.views[v].visible);
        check_shadows(pass, [&](std::size_t view, std::uint32_t ball) {
            return has(scene.views[view].visible, ordered.slots[ball]);
        });
        return {};
    }

    void count(const lanecull::Counts& counts) const {
        trial_.at(Tally::verdicts) += counts.objects();
        trial_.at(Tally::culled_plane) += counts[lanecull::Reason::culled_plane];
        trial_.at(Tally::culled_gjk) += counts[lanecull::Reason::culled_gjk];
    }

    template <class Keeps>
    void check_shadows(const CullPass& pass, const Keeps& keeps) {
        const std::vector<Ball> all = balls_of(world_);
        const auto check = [&](std::size_t view, std::uint32_t ball) {
            ++trial_.at(Tally::oracle_objects), ++trial_.at(Tally::oracle_visible);
            if (!keeps(view, ball)) fail(Tally::false_culls, "what casts a shadow is not in the map", view, ball);
        };
        for_each_lamp_shadow(made_, pass, all, trial_.random, check);
        for_each_sun_shadow(made_, pass, all, trial_.random, check);
    }

    void fail(Tally::Count count, const char* what, std::size_t view = 0, std::uint32_t ball = 0) const {
        trial_.fail(count, what, [&] { return "view " + std::to_string(view) + ", ball " + std::to_string(ball); });
    }

    Trial& trial_;
    World world_;
    Made made_;
};

void frames(Trial& trial) { FrameTrial(trial).run(); }

/// No fingerprints: the views and the culls have theirs.
constexpr Family all_families[] = {{"frames", "frames", frames}};

}  // namespace

std::span<const Family> frame_families() { return all_families; }

}  // namespace prove
