/// World bounds of any local boxes under any transforms, on every instruction set that runs: they contain the
/// transformed box, in rationals where doubles cannot tell, and are infinite or NaN for what is no object.

#include <algorithm>

#include "bounds/oriented_cases.hpp"
#include "bounds/world_cases.hpp"
#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "support/culling.hpp"

namespace {

using namespace world_tests;

WorldCase case_of(Input& input) {
    WorldCase made{};
    for (float& a : made.linear) a = input.single();
    for (float& t : made.translation) t = input.single();
    for (std::size_t k = 0; k < 3; ++k) {
        made.lower[k] = input.single();
        made.upper[k] = input.up_to(15) == 0 ? input.single() : made.lower[k] + input.size();
        made.position[k] = input.real();
    }
    return made;
}

bool is_valid(const World& world, const WorldCase& of) {
    const auto finite = [](const auto& numbers) {
        return std::all_of(numbers.begin(), numbers.end(), [](auto x) { return std::isfinite(x); });
    };
    for (std::size_t k = 0; k < 3; ++k) {
        if (!(of.lower[k] <= of.upper[k])) return false;
    }
    return finite(of.linear) && finite(of.translation) && finite(of.lower) && finite(of.upper) &&
           (!world.has_positions || finite(of.position));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const auto layout = static_cast<lanecull::TransformLayout>(1 + input.up_to(3));
    const std::array<double, 3> origin = {input.single(), input.single(), input.single()};
    const bool relative = input.flag() && std::isfinite(origin[0] + origin[1] + origin[2]);
    std::vector<WorldCase> cases(1 + input.up_to(20));
    for (WorldCase& made : cases) made = case_of(input);
    World world(std::move(cases), layout, relative ? &origin : nullptr);
    world.boxes_are_records = input.flag();
    for (const lanecull::Isa isa : runnable_isas()) {
        const WorldBounds bounds = bounds_of(world, isa);
        const OrientedBounds turned[] = {oriented_bounds_of(world, false, isa), oriented_bounds_of(world, true, isa)};
        for (std::size_t i = 0; i < world.cases.size(); ++i) {
            for (const OrientedBounds& oriented : turned) {
                const OrientedJudgement box = judge_oriented(world, oriented, i);
                if (is_valid(world, world.cases[i])) {
                    check(box.contains, "the oriented box contains the object", world.describe(i));
                    check(box.in_ball, "the sphere contains the oriented box", world.describe(i));
                    check(box.is_turned, "the axes are orthonormal", world.describe(i));
                } else {
                    check(!box.is_finite && !std::isfinite(oriented.radius[i]), "an invalid oriented box is none");
                }
            }
            if (is_valid(world, world.cases[i])) {
                check(judge_box(world, bounds, i).contains, "the box contains the object", world.describe(i));
                check(judge_sphere(world, bounds, i).contains, "the sphere contains the object", world.describe(i));
            } else {
                const bool is_box = std::all_of(bounds.boxes.begin(), bounds.boxes.end(),
                                                [&](const auto& stream) { return std::isfinite(stream[i]); });
                check(!is_box, "an invalid box is none");
                check(!std::isfinite(bounds.spheres[3][i]), "an invalid sphere has no radius");
            }
        }
    }
    return 0;
}
