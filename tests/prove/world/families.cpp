#include <cstddef>
#include <cstdint>
#include <string>

#include "bounds/world_cases.hpp"
#include "prove/family.hpp"

/// World bounds: each contains the transformed local box, in exact arithmetic where doubles cannot tell.
namespace prove {
namespace {

using world_tests::Judgement;
using world_tests::World;
using world_tests::WorldBounds;

constexpr std::size_t most_objects = 3000;
/// In units of u times the sizes of all terms (world_bounds.hpp): a box that is larger has more than the bound.
constexpr double most_padding = 13;

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
}

template <world_tests::Family family>
void run(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const World world(trial.random, family,
                      1 + static_cast<std::size_t>(trial.random.below(static_cast<int>(most_objects))));
    for (const lanecull::Isa isa : trial.plan.isas) {
        const WorldBounds bounds = world_tests::bounds_of(world, isa);
        for (std::size_t i = 0; i < world.cases.size() && !trial.stopped(); ++i) judge(trial, world, bounds, isa, i);
    }
}

template <world_tests::Family family>
constexpr prove::Family of(const char* name) {
    return {name, "world", run<family>};
}

using Kind = world_tests::Family;
constexpr prove::Family all_families[] = {
    of<Kind::ordinary>("world_ordinary"), of<Kind::sheared>("world_sheared"), of<Kind::singular>("world_singular"),
    of<Kind::split>("world_split"),       of<Kind::extreme>("world_extreme"), of<Kind::far_away>("world_far_away"),
    of<Kind::relative>("world_relative"),
};

}  // namespace

std::span<const Family> world_families() { return all_families; }

}  // namespace prove
