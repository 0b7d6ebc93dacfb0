#include <array>
#include <vector>

#include <lanecull/light_grid.h>

#include "api/modes.hpp"

/// Lights in cells of a view.
namespace modes {
namespace {

struct LightNumbers {
    std::array<double, 16> matrix = {1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, -1.02, -1, 0.1, 0.3, -0.2, 0.7};
    std::array<double, 4> boundaries = {0.1, 1, 5, 40};
    std::array<float, 4> ball = {0.5f, -0.25f, -3, 2};
    std::array<float, 8> spot = {1, 2, -8, 6, 0.25f, -1, 0.5f, 0.4f};
};

const Registered assign("lanecull_assign_lights", by_sets, [](Answer& answer) {
    static LightNumbers numbers;
    static std::vector<std::byte> scratch(lanecull::light_scratch_bytes(4, 3, 3, 2));
    const auto call = [&] {
        const std::array<float, 4>& b = numbers.ball;
        const std::array<float, 8>& s = numbers.spot;
        lanecull::LightGrid grid;
        grid.clip_from_world = numbers.matrix.data();
        grid.tiles_x = 4, grid.tiles_y = 3;
        grid.boundaries = numbers.boundaries;
        lanecull::Lights lights;
        lights.balls = {&b[0], &b[1], &b[2], &b[3], 1};
        lights.spots = {&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], 1};
        std::array<std::uint32_t, 37> offsets{};
        std::array<std::uint32_t, 72> indices{};
        lanecull::LightLists lists;
        lists.offsets = offsets, lists.indices = indices;
        answer.add_without_memory([&] { return lanecull::assign_lights(grid, lights, lists, scratch); });
        answer.add(offsets, indices, lists.entry_count);
    };
    with_odd(numbers.matrix, call), with_odd(numbers.boundaries, call);
    with_odd(numbers.ball, call), with_odd(numbers.spot, call);
});

const Registered cull("lanecull_cull_lights", by_sets, [](Answer& answer) {
    static LightNumbers numbers;
    static std::vector<std::byte> scratch(lanecull::light_scratch_bytes(1, 1, 1, 2));
    static lanecull::WorldBox box{{-2, -2, -5}, {2, 1, -1}};
    const auto call = [&] {
        const std::array<float, 4>& b = numbers.ball;
        const std::array<float, 8>& s = numbers.spot;
        lanecull::LightGrid grid;
        grid.clip_from_world = numbers.matrix.data();
        lanecull::Lights lights;
        lights.balls = {&b[0], &b[1], &b[2], &b[3], 1};
        lights.spots = {&s[0], &s[1], &s[2], &s[3], &s[4], &s[5], &s[6], &s[7], 1};
        std::array<std::uint64_t, 1> visible{};
        answer.add_without_memory([&] { return lanecull::cull_lights(grid, lights, {&box}, visible, scratch); });
        answer.add(visible);
    };
    with_odd(numbers.matrix, call), with_odd(box.lower, call);
    with_odd(numbers.ball, call), with_odd(numbers.spot, call);
});

}  // namespace
}  // namespace modes
