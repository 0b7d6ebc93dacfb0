#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include "api/modes.hpp"
#include "solids/merging.hpp"
#include "solids/meshes.hpp"
#include "view/prepared_occluder.hpp"

/// Viewpoints, occluders and what chooses them; solid boxes and hulls of meshes.
namespace modes {
namespace {

using lanecull::Occluder;
using lanecull::SolidBoxes;
using lanecull::Viewpoint;

constexpr std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1000.0 / 999, 1, 0.3, 0.7, -1000.0 / 999, 0};

void add_made(Answer& answer, const Viewpoint& viewpoint) {
    const lanecull::PreparedViewpoint& v = contents_of(viewpoint);
    answer.add(v.eye_count, v.near_reach, v.has_near_plane, v.origin, v.near_offset, v.eye, v.direction, v.near_normal);
}
void add_made(Answer& answer, const Occluder& occluder) {
    const lanecull::PreparedOccluder& o = contents_of(occluder);
    answer.add(o.count, o.origin, o.offset, o.normal);
}
void add_made(Answer& answer, const SolidBoxes& boxes) {
    const lanecull::Boxes b = boxes.boxes();
    for (const float* stream : {b.min_x, b.min_y, b.min_z, b.max_x, b.max_y, b.max_z}) {
        answer.add(std::span(stream, b.count));
    }
    for (std::uint32_t i = 0; i < b.count; ++i) answer.add(boxes.owners(i));
}

// Viewpoints.

/// Adds what make(viewpoint) returns and makes, with odd numbers.
template <class Numbers, class Make>
void add_viewpoints(Answer& answer, Numbers& numbers, const Make& make) {
    with_odd(numbers, [&] {
        Viewpoint viewpoint;
        answer.add(make(viewpoint));
        add_made(answer, viewpoint);
    });
}

const Registered viewpoint("lanecull_prepare_viewpoint", [](Answer& answer) {
    std::array<double, 16> matrix = camera;
    add_viewpoints(answer, matrix, [&](Viewpoint& to) { return lanecull::prepare_viewpoint(matrix, {}, to); });
});

constexpr std::array<double, 6> two_eyes = {0.1, 2.3, -1.7, 0.4, 2.2, -1.6};

const Registered viewpoint_from_eyes("lanecull_prepare_viewpoint_from_eyes", [](Answer& answer) {
    std::array<double, 6> eyes = two_eyes;
    add_viewpoints(answer, eyes, [&](Viewpoint& to) { return lanecull::prepare_viewpoint_from_eyes(eyes, 0.1, to); });
});

const Registered viewpoint_along("lanecull_prepare_viewpoint_along", [](Answer& answer) {
    struct {
        double way[3] = {0.3, -0.9, 0.2}, around[3] = {1e3, 7, -1e5};
    } light;
    add_viewpoints(answer, light,
                   [&](Viewpoint& to) { return lanecull::prepare_viewpoint_along(light.way, light.around, to); });
});

/// The camera's, a cell's and a directional light's.
const std::vector<Viewpoint>& viewpoints() {
    static const std::vector<Viewpoint> all = [] {
        std::vector<Viewpoint> made(3);
        expect_ok(lanecull::prepare_viewpoint(camera, {}, made[0]));
        expect_ok(lanecull::prepare_viewpoint_from_eyes(two_eyes, 0.1, made[1]));
        expect_ok(lanecull::prepare_viewpoint_along({0.3, -0.9, 0.2}, {0, 0, 0}, made[2]));
        return made;
    }();
    return all;
}

// Occluders.

/// Adds what prepare(viewpoint, occluder) returns and makes, from everywhere, with odd numbers.
template <class Numbers, class Prepare>
void add_occluders(Answer& answer, Numbers&& numbers, const Prepare& prepare) {
    with_odd(numbers, [&] {
        for (const Viewpoint& from : viewpoints()) {
            Occluder occluder;
            answer.add(prepare(from, occluder));
            add_made(answer, occluder);
        }
    });
}

const Registered box("lanecull_prepare_occluder_box", [](Answer& answer) {
    lanecull::SolidBox solid{{-10.1f, -3.3f, 20.7f}, {10.9f, 9.3f, 22.1f}};
    for (float(&corner)[3] : {std::ref(solid.min), std::ref(solid.max)}) {
        add_occluders(answer, corner, [&](const Viewpoint& from, Occluder& to) {
            return lanecull::prepare_occluder(solid, from, to, {.raster = {.per_distance = 1e-4}});
        });
    }
});

const Registered oriented_box("lanecull_prepare_occluder_oriented_box", [](Answer& answer) {
    lanecull::SolidOrientedBox solid{{1.3f, 2.7f, 31}, {4, 3, 0.7f}, {{0.8f, 0.6f, 0}, {-0.6f, 0.8f, 0}, {0, 0.1f, 1}}};
    for (float(&three)[3] : {std::ref(solid.center), std::ref(solid.half_extents), std::ref(solid.axes[0]),
                             std::ref(solid.axes[1]), std::ref(solid.axes[2])}) {
        add_occluders(answer, three,
                      [&](const Viewpoint& from, Occluder& to) { return lanecull::prepare_occluder(solid, from, to); });
    }
});

const Registered polytope("lanecull_prepare_occluder_planes", [](Answer& answer) {
    std::array<lanecull::Plane, 6> planes = {
        {{{1, 0, 0.1}, 10}, {{-1, 0, 0}, 10}, {{0, 1, 0}, 10}, {{0, -1, 0.2}, 10}, {{0, 0, 1}, -20}, {{0, 0, -1}, 22}}};
    const lanecull::SolidBox drawn{{-20, -20, 20}, {20, 20, 22}};
    for (lanecull::Plane& plane : planes) {
        add_occluders(answer, plane, [&](const Viewpoint& from, Occluder& to) {
            return lanecull::prepare_occluder(planes, from, to, {.drawn = &drawn});
        });
    }
});

const meshes::Mesh& ball() {
    static const meshes::Mesh mesh = meshes::sphere(5, 7, 5);
    return mesh;
}

const Registered inscribe_hull("lanecull_inscribe_hull", [](Answer& answer) {
    meshes::Mesh mesh = ball();
    for (meshes::Corner& vertex : std::span(mesh.vertices).first(3)) {
        with_odd(vertex, [&] {
            lanecull::SolidHull hull;
            answer.add(lanecull::inscribe_hull(mesh.view().vertices, hull), hull);
        });
    }
});

const Registered inscribe_capsule("lanecull_inscribe_capsule", [](Answer& answer) {
    float numbers[7] = {0.1f, -3, 7, 1.3f, 2.7f, 9.1f, 0.7f};
    with_odd(numbers, [&] {
        lanecull::SolidHull hull;
        const float a[3] = {numbers[0], numbers[1], numbers[2]}, b[3] = {numbers[3], numbers[4], numbers[5]};
        answer.add(lanecull::inscribe_capsule(a, b, numbers[6], hull), hull);
    });
});

const Registered inscribe_cylinder("lanecull_inscribe_cylinder", [](Answer& answer) {
    float numbers[7] = {0.1f, -3, 7, 1.3f, 2.7f, 9.1f, 0.7f};
    with_odd(numbers, [&] {
        lanecull::SolidHull hull;
        const float a[3] = {numbers[0], numbers[1], numbers[2]}, b[3] = {numbers[3], numbers[4], numbers[5]};
        answer.add(lanecull::inscribe_cylinder(a, b, numbers[6], hull), hull);
    });
});

constexpr std::array<float, 12> placing = {0.9f, 0.1f, 0, 3, -0.2f, 1.1f, 0.3f, 2, 0, 0.1f, 0.7f, 31};

const Registered hull("lanecull_prepare_occluder_hull", [](Answer& answer) {
    lanecull::SolidHull solid;
    answer.add(lanecull::inscribe_hull(ball().view().vertices, solid));
    lanecull::SolidHullInstance instance{&solid, {}};
    std::ranges::copy(placing, instance.transform);
    add_occluders(answer, instance.transform, [&](const Viewpoint& from, Occluder& to) {
        return lanecull::prepare_occluder(instance, from, to, {.raster = {.per_distance = 1e-4}});
    });
});

const Registered place_solid("lanecull_place_solid", [](Answer& answer) {
    float transform[12];
    std::ranges::copy(placing, transform);
    with_odd(transform, [&] {
        lanecull::SolidOrientedBox placed;
        answer.add(lanecull::place_solid({{0.1f, -3, 7}, {1.3f, 2.7f, 9.1f}}, transform, placed));
        answer.add(placed.center, placed.half_extents, placed.axes);
    });
});

std::vector<lanecull::SolidBox> make_row() {
    std::vector<lanecull::SolidBox> row;
    for (int i = 0; i < 40; ++i) {
        const auto at = static_cast<float>(i);
        row.push_back({{at - 20, -5, 10 + at}, {at - 18.5f, 3 + at / 3, 12 + at}});
    }
    return row;
}

const Registered choose("lanecull_choose_occluders", [](Answer& answer) {
    static const std::vector<lanecull::SolidBox> row = make_row();
    std::vector<lanecull::SolidBox> boxes = row;
    lanecull::View view;
    answer.add(lanecull::prepare_view(camera, {}, view));
    std::vector<std::byte> scratch(lanecull::choose_scratch_bytes(boxes.size()));
    with_odd(boxes[7].min, [&] {
        std::array<Occluder, 8> chosen;
        std::array<std::uint32_t, 8> indices{};
        std::uint32_t count = 0;
        answer.add(
            lanecull::choose_occluders({.boxes = boxes}, view, viewpoints()[0], chosen, indices, scratch, count));
        answer.add(count, indices);
        for (const Occluder& occluder : chosen) add_made(answer, occluder);
    });
});

const Registered raster_margin("lanecull_find_raster_margin", [](Answer& answer) {
    struct {
        double scale_x = 0.7, scale_y = 1.3, near = 0.1, largest_coordinate = 1e4, least_distance = 0.3;
    } numbers;
    with_odd(numbers, [&] {
        lanecull::RasterMargin margin;
        answer.add(lanecull::raster_margin({.width = 1920,
                                            .height = 1080,
                                            .scale_x = numbers.scale_x,
                                            .scale_y = numbers.scale_y,
                                            .near_depth = numbers.near,
                                            .largest_coordinate = numbers.largest_coordinate,
                                            .least_distance = numbers.least_distance},
                                           margin),
                   margin);
    });
});

// Solid boxes.

std::vector<merging::BoxList> make_lists() {
    std::vector<merging::BoxList> made;
    Random random(31);
    for (int i = 0; i < 60; ++i) {
        const int family = i % static_cast<int>(merging::Family::families);
        made.push_back(merging::random_boxes(random, static_cast<merging::Family>(family)));
    }
    return made;
}
const std::vector<merging::BoxList>& lists() {
    static const std::vector<merging::BoxList> all = make_lists();
    return all;
}

const Registered merge_boxes("lanecull_merge_boxes", takes_memory, [](Answer& answer) {
    for (const merging::BoxList& list : lists()) {
        SolidBoxes merged;
        answer.add(lanecull::merge_boxes(list.boxes(), merged));
        add_made(answer, merged);
    }
});

/// Meshes, each with a point inside, found under the usual modes.
struct Meshes {
    std::vector<meshes::Mesh> all;
    std::vector<meshes::Corner> inside;

    Meshes() {
        Random random(32);
        for (int i = 0; i < 18; ++i) {
            const int family = i % static_cast<int>(meshes::Family::families);
            const meshes::Mesh& mesh =
                all.emplace_back(meshes::random_mesh(random, static_cast<meshes::Family>(family)));
            SolidBoxes boxes;
            const bool any = lanecull::solid_boxes(mesh.view(), boxes, {.resolution = 8}).ok() && boxes.count() > 0;
            inside.push_back(any ? meshes::middle_of(boxes, 0) : meshes::Corner{});
        }
    }
};
const Meshes& some_meshes() { return only<Meshes>(); }

const Registered solid_boxes("lanecull_find_mesh_solids", takes_memory, [](Answer& answer) {
    for (const meshes::Mesh& mesh : some_meshes().all) {
        SolidBoxes boxes;
        lanecull::MeshVolumes volumes;
        answer.add(lanecull::solid_boxes(mesh.view(), boxes, {.resolution = 8}, &volumes), volumes);
        add_made(answer, boxes);
    }
});

const Registered solid_hull("lanecull_find_solid_hull", takes_memory, [](Answer& answer) {
    for (std::size_t i = 0; i < some_meshes().all.size(); ++i) {
        const meshes::Corner& middle = some_meshes().inside[i];
        const float inside[3] = {middle[0], middle[1], middle[2]};
        lanecull::SolidHull made;
        double volume = 0;
        answer.add(lanecull::solid_hull(some_meshes().all[i].view(), inside, made, &volume), made, volume);
    }
});

/// What a result says of itself.
template <auto look>
void look_at(Answer& answer) {
    SolidBoxes merged;
    answer.add(lanecull::merge_boxes(lists().front().boxes(), merged));
    answer.add_without_memory([&] { return look(merged); });
}
using B = const SolidBoxes&;
const Registered looks[] = {
    {"lanecull_solid_box_count", takes_memory, look_at<[](B boxes) { return boxes.count(); }>},
    {"lanecull_solid_box_streams", takes_memory, look_at<[](B boxes) { return boxes.boxes().count; }>},
    {"lanecull_solid_box_owners", takes_memory, look_at<[](B boxes) { return boxes.owners(0); }>}};

}  // namespace
}  // namespace modes
