#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include "api/modes_calls.hpp"
#include "view/prepared_occluder.hpp"

/// Viewpoints, occluders and what chooses them.
namespace modes {
namespace {

using lanecull::Occluder;
using lanecull::Viewpoint;

constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1000.0 / 999, 1, 0.3, 0.7, -1000.0 / 999, 0};

void add(Answer& answer, const Viewpoint& viewpoint) {
    const lanecull::PreparedViewpoint& v = contents_of(viewpoint);
    answer.add(v.eye_count), answer.add(v.near_reach), answer.add(v.has_near_plane);
    answer.add(std::span(v.origin)), answer.add(std::span(v.near_offset));
    for (const auto& eye : v.eye) {
        for (const auto& ends : eye) answer.add(std::span(ends));
    }
    for (const auto& ends : v.direction) answer.add(std::span(ends));
    for (const auto& ends : v.near_normal) answer.add(std::span(ends));
}

void add(Answer& answer, const Occluder& occluder) {
    const lanecull::PreparedOccluder& o = contents_of(occluder);
    answer.add(o.count), answer.add(std::span(o.origin)), answer.add(std::span(o.offset));
    for (const auto& normal : o.normal) answer.add(std::span(normal));
}

void prepare_viewpoint(Answer& answer) {
    std::array<double, 16> matrix = camera;
    with_odd(std::span<double>(matrix), odd_doubles(), [&] {
        Viewpoint viewpoint;
        answer.add(lanecull::prepare_viewpoint(matrix, {}, viewpoint));
        add(answer, viewpoint);
    });
}

void prepare_viewpoint_from_eyes(Answer& answer) {
    std::array<double, 6> eyes = {0.1, 2.3, -1.7, 0.4, 2.2, -1.6};
    with_odd(std::span<double>(eyes), odd_doubles(), [&] {
        Viewpoint viewpoint;
        answer.add(lanecull::prepare_viewpoint_from_eyes(eyes, 0.1, viewpoint));
        add(answer, viewpoint);
    });
}

void prepare_viewpoint_along(Answer& answer) {
    struct {
        double way[3] = {0.3, -0.9, 0.2}, around[3] = {1e3, 7, -1e5};
    } directional_light;
    with_odd_doubles(directional_light, [&] {
        Viewpoint viewpoint;
        answer.add(lanecull::prepare_viewpoint_along(directional_light.way, directional_light.around, viewpoint));
        add(answer, viewpoint);
    });
}

/// The camera's, a cell's and a directional light's.
const std::vector<Viewpoint>& viewpoints() {
    static const std::vector<Viewpoint> all = [] {
        std::vector<Viewpoint> made(3);
        const std::array<double, 6> eyes = {0.1, 2.3, -1.7, 0.4, 2.2, -1.6};
        static_cast<void>(lanecull::prepare_viewpoint(camera, {}, made[0]));
        static_cast<void>(lanecull::prepare_viewpoint_from_eyes(eyes, 0.1, made[1]));
        static_cast<void>(lanecull::prepare_viewpoint_along({0.3, -0.9, 0.2}, {0, 0, 0}, made[2]));
        return made;
    }();
    return all;
}

template <class Prepare>
void from_everywhere(Answer& answer, const Prepare& prepare) {
    for (const Viewpoint& viewpoint : viewpoints()) {
        Occluder occluder;
        answer.add(prepare(viewpoint, occluder));
        add(answer, occluder);
    }
}

void prepare_box(Answer& answer) {
    std::array<float, 6> numbers = {-10.1f, -3.3f, 20.7f, 10.9f, 9.3f, 22.1f};
    with_odd(std::span<float>(numbers), odd_floats(), [&] {
        const lanecull::SolidBox box{{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
        from_everywhere(answer, [&](const Viewpoint& from, Occluder& to) {
            return lanecull::prepare_occluder(box, from, to, {.raster = {.per_distance = 1e-4}});
        });
    });
}

void prepare_oriented_box(Answer& answer) {
    std::array<float, 15> n = {1.3f, 2.7f, 31, 4, 3, 0.7f, 0.8f, 0.6f, 0, -0.6f, 0.8f, 0, 0, 0.1f, 1};
    with_odd(std::span<float>(n), odd_floats(), [&] {
        const lanecull::SolidOrientedBox box{
            {n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {{n[6], n[7], n[8]}, {n[9], n[10], n[11]}, {n[12], n[13], n[14]}}};
        from_everywhere(answer,
                        [&](const Viewpoint& from, Occluder& to) { return lanecull::prepare_occluder(box, from, to); });
    });
}

void prepare_polytope(Answer& answer) {
    std::array<lanecull::Plane, 6> planes = {
        {{{1, 0, 0.1}, 10}, {{-1, 0, 0}, 10}, {{0, 1, 0}, 10}, {{0, -1, 0.2}, 10}, {{0, 0, 1}, -20}, {{0, 0, -1}, 22}}};
    const lanecull::SolidBox drawn{{-20, -20, 20}, {20, 20, 22}};
    with_odd_doubles(planes, [&] {
        from_everywhere(answer, [&](const Viewpoint& from, Occluder& to) {
            return lanecull::prepare_occluder(planes, from, to, {.drawn = &drawn});
        });
    });
}

/// A ball of 30 vertices. It is made before main(), in the modes that a program starts with.
const std::array<float, 90> ball = [] {
    std::array<float, 90> numbers{};
    for (std::size_t k = 0; k < 30; ++k) {
        const double z = -1 + 2 * (static_cast<double>(k) + 0.5) / 30, angle = 2.4 * static_cast<double>(k);
        const double at[3] = {std::sqrt(1 - z * z) * std::cos(angle), std::sqrt(1 - z * z) * std::sin(angle), z};
        for (std::size_t j = 0; j < 3; ++j) numbers[3 * k + j] = static_cast<float>(5 * at[j] + (j == 2 ? 30 : 0));
    }
    return numbers;
}();

lanecull::Status inscribe(const std::array<float, 90>& numbers, lanecull::SolidHull& hull) {
    return lanecull::inscribe_hull({&numbers[0], &numbers[1], &numbers[2], 30, 3 * sizeof(float)}, hull);
}

void inscribe_hull(Answer& answer) {
    std::array<float, 90> numbers = ball;
    with_odd(std::span<float>(numbers).first(6), odd_floats(), [&] {
        lanecull::SolidHull hull;
        answer.add(inscribe(numbers, hull));
        answer.add(hull);
    });
}

void prepare_hull(Answer& answer) {
    lanecull::SolidHull hull;
    answer.add(inscribe(ball, hull));
    lanecull::SolidHullInstance instance{&hull, {0.9f, 0.1f, 0, 3, -0.2f, 1.1f, 0.3f, 2, 0, 0.1f, 0.7f, 1}};
    with_odd(std::span<float>(instance.transform), odd_floats(), [&] {
        from_everywhere(answer, [&](const Viewpoint& from, Occluder& to) {
            return lanecull::prepare_occluder(instance, from, to, {.raster = {.per_distance = 1e-4}});
        });
    });
}

void place_solid(Answer& answer) {
    std::array<float, 12> numbers = {0.9f, 0.1f, 0, 3, -0.2f, 1.1f, 0.3f, 2, 0, 0.1f, 0.7f, 1};
    with_odd(std::span<float>(numbers), odd_floats(), [&] {
        float transform[12];
        std::copy(numbers.begin(), numbers.end(), transform);
        lanecull::SolidOrientedBox box;
        answer.add(lanecull::place_solid({{0.1f, -3, 7}, {1.3f, 2.7f, 9.1f}}, transform, box));
        answer.add(std::span(box.center)), answer.add(std::span(box.half_extents));
        for (const auto& axis : box.axes) answer.add(std::span(axis));
    });
}

void choose_occluders(Answer& answer) {
    static const lanecull::View view = [] {
        lanecull::View made;
        static_cast<void>(lanecull::prepare_view(camera, {}, made));
        return made;
    }();
    static const std::vector<lanecull::SolidBox> row = [] {
        std::vector<lanecull::SolidBox> made;
        for (int i = 0; i < 40; ++i) {
            const auto at = static_cast<float>(i);
            made.push_back({{at - 20, -5, 10 + at}, {at - 18.5f, 3 + at / 3, 12 + at}});
        }
        return made;
    }();
    std::vector<lanecull::SolidBox> boxes = row;
    std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(boxes.size()));
    with_odd(std::span<float>(boxes[7].min), odd_floats(), [&] {
        std::array<Occluder, 8> chosen;
        std::array<std::uint32_t, 8> indices{};
        std::uint32_t count = 0;
        answer.add(
            lanecull::choose_occluders({.boxes = boxes}, view, viewpoints()[0], chosen, indices, scratch, count));
        answer.add(count), answer.add(std::span(indices));
        for (const Occluder& occluder : chosen) add(answer, occluder);
    });
}

void raster_margin(Answer& answer) {
    struct {
        double scale_x = 0.7, scale_y = 1.3, near = 0.1, largest_coordinate = 1e4, least_distance = 0.3;
    } numbers;
    with_odd_doubles(numbers, [&] {
        lanecull::RasterMargin margin;
        answer.add(lanecull::raster_margin({.width = 1920,
                                            .height = 1080,
                                            .scale_x = numbers.scale_x,
                                            .scale_y = numbers.scale_y,
                                            .near_depth = numbers.near,
                                            .largest_coordinate = numbers.largest_coordinate,
                                            .least_distance = numbers.least_distance},
                                           margin));
        answer.add(margin);
    });
}

}  // namespace

std::span<const PublicCall> occluder_calls() {
    static constexpr PublicCall calls[] = {{"lanecull_prepare_viewpoint", prepare_viewpoint},
                                           {"lanecull_prepare_viewpoint_from_eyes", prepare_viewpoint_from_eyes},
                                           {"lanecull_prepare_viewpoint_along", prepare_viewpoint_along},
                                           {"lanecull_prepare_occluder_box", prepare_box},
                                           {"lanecull_prepare_occluder_oriented_box", prepare_oriented_box},
                                           {"lanecull_prepare_occluder_planes", prepare_polytope},
                                           {"lanecull_prepare_occluder_hull", prepare_hull},
                                           {"lanecull_inscribe_hull", inscribe_hull},
                                           {"lanecull_place_solid", place_solid},
                                           {"lanecull_choose_occluders", choose_occluders},
                                           {"lanecull_find_raster_margin", raster_margin}};
    return calls;
}

}  // namespace modes
