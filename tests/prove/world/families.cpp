#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "bounds/oriented_cases.hpp"
#include "bounds/world_cases.hpp"
#include "prove/family.hpp"
#include "support/generate.hpp"

/// World bounds: each contains the transformed local box, in exact arithmetic where doubles cannot tell. The same boxes
/// as instances: what is culled is behind the plane.
namespace prove {
namespace {

using world_tests::Judgement;
using world_tests::OrientedBounds;
using world_tests::OrientedJudgement;
using world_tests::World;
using world_tests::WorldBounds;

constexpr std::size_t most_objects = 3000;
/// In units of u times the sizes of all terms (bounds.h): a box that is larger has more than the bound.
constexpr double most_padding = 13;
constexpr double most_oriented_padding[] = {44, 80};  // by quaternions, by axes

void judge(Trial& trial, const World& world, const WorldBounds& bounds, lanecull::Isa isa, std::size_t i) {
    const auto refute = [&](Tally::Count count, const char* what) {
        trial.fail(count, std::string(what) + ", by " + lanecull::isa_name(isa), [&] { return world.describe(i); });
    };
    const Judgement box = judge_box(world, bounds, i), sphere = judge_sphere(world, bounds, i);
    trial.at(Tally::verdicts) += std::uint64_t{box.is_finite} + std::uint64_t{sphere.is_finite};
    trial.at(Tally::exact_checks) += std::uint64_t{box.needed_rationals} + std::uint64_t{sphere.needed_rationals};
    if (!box.contains) refute(Tally::unproved, "the box does not contain the object");
    if (!sphere.contains) refute(Tally::unproved, "the sphere does not contain the object");
    if (box.padding > most_padding && !world.has_positions) refute(Tally::untold, "the box is too large");
    if (box.own_padding > world_tests::most_own_padding) refute(Tally::untold, "the box is too large for its place");
}

void judge(Trial& trial, const World& world, const OrientedBounds& bounds, lanecull::Isa isa, std::size_t i) {
    const auto refute = [&](Tally::Count count, const char* what) {
        trial.fail(count, std::string(what) + (bounds.by_axes ? ", by axes, by " : ", by ") + lanecull::isa_name(isa),
                   [&] { return world.describe(i); });
    };
    const OrientedJudgement box = judge_oriented(world, bounds, i);
    trial.at(Tally::verdicts) += std::uint64_t{box.is_finite};
    trial.at(Tally::exact_checks) += std::uint64_t{box.needed_rationals};
    if (!box.contains) refute(Tally::unproved, "the oriented box does not contain the object");
    if (!box.in_ball) refute(Tally::unproved, "the sphere does not contain the oriented box, or is too large");
    if (!box.is_turned) refute(Tally::untold, "the axes are not orthonormal");
    if (box.padding > most_oriented_padding[bounds.by_axes ? 1 : 0] && !world.has_positions) {
        refute(Tally::untold, "the oriented box is too large");
    }
}

template <world_tests::Family family>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const World world(trial.random, family,
                      1 + static_cast<std::size_t>(trial.random.below(static_cast<int>(most_objects))));
    for (const lanecull::Isa isa : trial.plan.isas) {
        const WorldBounds bounds = world_tests::bounds_of(world, isa);
        const OrientedBounds turned = oriented_bounds_of(world, trial.random.chance(0.5), isa);
        for (const std::vector<float>& stream : bounds.boxes) trial.answers.all.add(stream);
        for (const std::vector<float>& stream : bounds.spheres) trial.answers.all.add(stream);
        for (std::size_t i = 0; i < world.cases.size() && !trial.stopped(); ++i) {
            judge(trial, world, bounds, isa, i);
            judge(trial, world, turned, isa, i);
        }
    }
}

/// The same objects as box instances, in the view of one half-space that touches one of them, but for some roundings.
/// Whatever is culled must be behind it.
class HalfSpaceTrial {
public:
    HalfSpaceTrial(Trial& trial, world_tests::Family family)
        : trial_(trial),
          world_(trial.random, family, 1 + static_cast<std::size_t>(trial.random.below(most_instances))),
          batch_(lanecull::BoxInstances{world_.transforms(), world_.local(), world_.count()}),
          words_(lanecull::visibility_words({&batch_, 1})),
          scratch_(lanecull::scratch_bytes({&batch_, 1}, 1)) {}

    void run() {
        for (int round = 0; round < views && !trial_.stopped(); ++round) {
            choose_plane();
            lanecull::View view;
            if (!lanecull::prepare_view_from_planes({&plane_, 1}, view)) continue;
            for (const lanecull::Isa isa : trial_.plan.isas) {
                for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::planes}) {
                    cull(view, {.method = method, .isa = isa});
                }
            }
        }
    }

private:
    static constexpr int most_instances = 200, views = 10;

    void choose_plane() {
        Random& random = trial_.random;
        const auto near = static_cast<std::size_t>(random.below(static_cast<int>(world_.count())));
        const Double3 normal = random.chance(0.3) ? Double3{0, 0, random.sign()} : random_direction(random);
        std::copy(normal.begin(), normal.end(), plane_.normal);
        plane_.offset = 0;
        const world_tests::Height top = height(world_, plane_, near);
        // The error is 2^-50 of the sizes of all terms; the library's is up to 2^-19.
        plane_.offset = -top.value - random.range(-1, 1) * std::ldexp(top.error, random.below(36));
    }

    void cull(const lanecull::View& view, const lanecull::CullOptions& options) {
        lanecull::Output output{.visible = words_};
        const lanecull::Status status = lanecull::cull({&batch_, 1}, {&view, 1}, {&output, 1}, scratch_, options);
        if (!status) throw std::runtime_error(status.message());
        trial_.answers.add_words(words_, options.method);
        for (std::size_t i = 0; i < world_.count(); ++i) {
            if ((words_[i / 64] >> i % 64 & 1) != 0) continue;
            ++trial_.at(Tally::verdicts);
            const world_tests::Height top = height(world_, plane_, i);
            if (top.value + top.error < 0) continue;
            ++trial_.at(Tally::exact_checks);
            if (exactly_behind(world_, plane_, i)) continue;
            trial_.fail(
                Tally::unproved, std::string("culled, and not behind the plane, by ") + lanecull::isa_name(options.isa),
                [&] {
                    std::string text = world_.describe(i) + " plane";
                    char number[40];
                    for (const double x : {plane_.normal[0], plane_.normal[1], plane_.normal[2], plane_.offset}) {
                        std::snprintf(number, sizeof number, " %a", x);
                        text += number;
                    }
                    return text;
                });
        }
    }

    Trial& trial_;
    const World world_;
    const lanecull::Batch batch_;
    std::vector<std::uint64_t> words_;
    std::vector<std::byte> scratch_;
    lanecull::Plane plane_;
};

template <world_tests::Family family>
void run_instances(Trial& trial) {
    trial.at(Tally::trials) = 1;
    HalfSpaceTrial(trial, family).run();
}

template <world_tests::Family family>
constexpr prove::Family instances(const char* name) {
    return {name, "world", run_instances<family>};
}

template <world_tests::Family family>
constexpr prove::Family of(const char* name) {
    return {name, "world", run<family>};
}

using Kind = world_tests::Family;
constexpr prove::Family all_families[] = {
    of<Kind::ordinary>("world_ordinary"),
    of<Kind::sheared>("world_sheared"),
    of<Kind::singular>("world_singular"),
    of<Kind::split>("world_split"),
    of<Kind::extreme>("world_extreme"),
    of<Kind::far_away>("world_far_away"),
    of<Kind::relative>("world_relative"),
    instances<Kind::ordinary>("instances_ordinary"),
    instances<Kind::sheared>("instances_sheared"),
    instances<Kind::singular>("instances_singular"),
    instances<Kind::split>("instances_split"),
    instances<Kind::extreme>("instances_extreme"),
    instances<Kind::far_away>("instances_far_away"),
    instances<Kind::relative>("instances_relative"),
};

}  // namespace

std::span<const Family> world_families() { return all_families; }

}  // namespace prove
