/// Bounds of vertices and of objects of any numbers, at any stride. What is said to contain something contains it, in
/// exact arithmetic; what is no object has no bound; and what is refused is refused for its reason and writes nothing.

#include <lanecull/bounds.h>
#include <lanecull/shadow.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "prove/bounds/facets.hpp"
#include "prove/bounds/shapes.hpp"
#include "support/culling.hpp"

namespace {

using namespace prove;
using lanecull::Isa;

constexpr float unwritten = 12345;

Cloud read_cloud(Input& input, std::uint32_t most) {
    Cloud cloud(1 + input.up_to(most - 1));
    for (Vertex& p : cloud) p = {input.single(), input.single(), input.single()};
    return cloud;
}

bool all_finite_in(const Cloud& cloud) {
    return std::ranges::all_of(cloud, [](const Vertex& p) { return all_finite(p.data(), 3); });
}

template <class Bounds>
bool same_bits(const Bounds& a, const Bounds& b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}

void check_vertices(Input& input) {
    const Cloud cloud = read_cloud(input, 40);
    constexpr std::size_t strides[] = {1, 2, 3, 4, 9, 16'384};
    constexpr std::uint32_t no_strides[] = {1, 2, 5, 65'540, ~0u};
    HeapMemory memory;
    lanecull::Vertices vertices = lay_out(cloud, strides[input.up_to(5)], memory);
    const bool refused = input.up_to(15) == 0 || !all_finite_in(cloud);
    if (refused && all_finite_in(cloud)) vertices.stride_bytes = no_strides[input.up_to(4)];

    for (const Isa isa : runnable_isas()) {
        lanecull::BoxBounds box{{unwritten}, {}};
        lanecull::SphereBounds sphere{{unwritten}, 0};
        lanecull::OrientedBoxBounds oriented{{unwritten}, {}, {}};
        const auto [box_before, sphere_before, oriented_before] = std::tuple(box, sphere, oriented);
        const bool ok[] = {bounding_box(vertices, box, isa).ok(), bounding_sphere(vertices, sphere, isa).ok(),
                           bounding_oriented_box(vertices, oriented, isa).ok()};
        check(ok[0] != refused && ok[1] != refused && ok[2] != refused, "refused for a reason", describe(cloud));
        if (refused) {
            check(
                same_bits(box, box_before) && same_bits(sphere, sphere_before) && same_bits(oriented, oriented_before),
                "refused, yet written");
            continue;
        }
        Judge judge;
        const bool round = all_finite(sphere.center, 3) && std::isfinite(sphere.radius);
        const bool turned = all_finite(oriented.center, 3) && all_finite(oriented.half_extents, 3);
        std::optional<OrientedBoxSet> oriented_set;
        if (turned) oriented_set.emplace(oriented, judge);
        for (const Vertex& p : cloud) {
            check(contains(box, p), "the box contains each vertex", describe(cloud));
            check(!round || contains(sphere, p, judge), "the sphere contains each vertex", describe(cloud));
            check(!turned || oriented_set->contains(p), "the oriented box contains each vertex", describe(cloud));
        }
    }
}

void check_hull(Input& input) {
    const Cloud cloud = read_cloud(input, 8);
    HeapMemory memory;
    const lanecull::Vertices v = lay_out(cloud, 1, memory);
    lanecull::Hull hull;
    const bool ok = lanecull::prepare_hull(v.x, v.y, v.z, v.count, hull).ok();
    check(ok == all_finite_in(cloud), "refused for a reason", describe(cloud));
    check(ok || hull.count == 0, "refused, yet written");
    if (!ok) return;
    Judge judge;
    const lanecull::SphereBounds ball{{hull.mean[0], hull.mean[1], hull.mean[2]}, hull.outer};
    for (const Vertex& p : cloud) {
        check(std::isinf(hull.outer) || contains(ball, p, judge), "the outer ball contains each vertex",
              describe(cloud));
    }
    check(hull.inner == 0 || hull_contains_ball(cloud, hull.mean, hull.inner, judge),
          "the hull contains the inner ball", describe(cloud));
}

void check_relative(Input& input) {
    const std::size_t count = 1 + input.up_to(9), stride = 3 + input.up_to(3);
    const double origin[3] = {input.real(), input.real(), input.real()};
    std::vector<double> positions(count * stride);
    std::vector<float> radius(count), out(4 * count, unwritten);
    for (double& number : positions) number = input.real();
    for (float& number : radius) number = input.size();
    float* const of = out.data();
    const bool ok = lanecull::relative_spheres({positions.data(), stride * sizeof(double)}, radius.data(),
                                               static_cast<std::uint32_t>(count), origin, of, of + count,
                                               of + 2 * count, of + 3 * count)
                        .ok();
    const bool origin_finite = std::isfinite(origin[0]) && std::isfinite(origin[1]) && std::isfinite(origin[2]);
    check(ok == origin_finite, "refused for a reason");
    if (!ok) {
        check(std::ranges::count(out, unwritten) == static_cast<std::ptrdiff_t>(out.size()), "refused, yet written");
        return;
    }
    Judge judge;
    for (std::size_t i = 0; i < count; ++i) {
        const lanecull::SphereBounds sphere{{of[i], of[count + i], of[2 * count + i]}, of[3 * count + i]};
        const bool claims = all_finite(sphere.center, 3) && std::isfinite(sphere.radius) && sphere.radius >= 0;
        const double* p = &positions[i * stride];
        const bool valid = std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]) &&
                           std::isfinite(radius[i]) && radius[i] >= 0;
        check(valid || !claims, "what is none has no sphere", describe(&radius[i], 1));
        check(!claims || contains_moved(sphere, p, radius[i], origin, judge), "the sphere contains the one moved",
              describe(sphere.center, 3) + describe(&sphere.radius, 1));
    }
}

/// Objects of one kind, with numbers of any size or none.
struct Objects {
    Kind kind;
    HullSet hulls;
    std::vector<Object> objects;

    explicit Objects(Input& input) : kind(all_kinds[input.up_to(std::size(all_kinds) - 1)]), hulls(1 + input.up_to(1)) {
        for (::Vertices& hull : hulls) {
            hull = read_cloud(input, 8);
            for (Vertex& p : hull) {
                for (float& coordinate : p) coordinate = std::isfinite(coordinate) ? coordinate : 0;
            }
        }
        objects.resize(1 + input.up_to(5));
        for (Object& object : objects) {
            for (std::size_t k = 0; k < field_count(kind); ++k) object.fields[k] = input.single();
            // Sizes above 0 and corners in order, mostly.
            for (std::size_t k = 0; k < field_count(kind) && input.up_to(7) != 0; ++k) {
                if (!has_transform(kind) && k >= 3) object.fields[k] = std::fabs(object.fields[k]);
                const auto corner = corner_fields(kind);
                if (corner && k >= *corner + 3) object.fields[k] = std::fmax(object.fields[k], object.fields[k - 3]);
            }
            object.hull = input.up_to(static_cast<std::uint32_t>(hulls.size()));  // perhaps out of range
            object.margin = input.size();
            object.sweep = {input.single(), input.single(), input.single()};
        }
    }
    [[nodiscard]] std::string describe(std::size_t i) const {
        HullSet with_one_more = hulls;
        with_one_more.emplace_back();
        return ::describe(kind, objects[i], with_one_more);
    }
};

void check_spheres(Input& input) {
    const Objects all(input);
    const bool placed = has_transform(all.kind);
    if (!placed && all.kind != Kind::oriented_box && all.kind != Kind::quaternion_box) return;
    HeapMemory memory;
    const lanecull::Batch batch =
        make_batch(all.kind, all.objects, all.hulls, memory,
                   {.bounds = false, .stride_floats = input.flag() ? 0u : 12 + input.up_to(10)});
    const std::size_t count = all.objects.size();
    std::vector<float> out(4 * count, unwritten);
    float* const of = out.data();
    lanecull::Status status;
    if (const auto* boxes = batch.get_if<lanecull::OrientedBoxes>()) {
        status = bounding_radii(*boxes, of + 3 * count);
    } else if (const auto* hulls = batch.get_if<lanecull::HullInstances>()) {
        status = bounding_spheres(*hulls, of, of + count, of + 2 * count, of + 3 * count);
    } else if (const auto* local = batch.get_if<lanecull::BoxInstances>()) {
        status = bounding_spheres(*local, of, of + count, of + 2 * count, of + 3 * count);
    }
    check(status.ok(), "bounds of objects are found", status.message().text);
    Judge judge;
    for (std::size_t i = 0; i < count; ++i) {
        Object shape = all.objects[i];  // alone
        shape.margin = 0, shape.sweep = {};
        lanecull::SphereBounds sphere{{}, of[3 * count + i]};
        for (std::size_t k = 0; k < 3; ++k) sphere.center[k] = placed ? of[k * count + i] : shape.fields[k];
        const std::optional<bool> valid = is_object(all.kind, shape, all.hulls.size());
        check(valid != false || std::isnan(sphere.radius), "what is no object has no radius", all.describe(i));
        const bool claims = all_finite(sphere.center, 3) && std::isfinite(sphere.radius);
        check(!claims || contains(sphere, all.kind, shape, all.hulls, judge), "the sphere contains the object",
              all.describe(i));
    }
}

/// Slices along an axis of the world: what is in none of a slice's box does not reach into the slice.
void check_slices(Input& input) {
    const Objects all(input);
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(all.kind, all.objects, all.hulls, memory,
                                             {.bounds = false, .streams = {.margin = true, .sweep = true}});
    const std::size_t axis = input.up_to(2);
    std::array<double, 16> camera{};
    camera[4 * ((axis + 1) % 3)] = camera[4 * ((axis + 2) % 3) + 1] = 1;
    camera[4 * axis + 2] = camera[4 * axis + 3] = 1, camera[14] = -1;
    std::array<double, 3> depths{};
    for (double& depth : depths) depth = input.real();
    Judge judge;
    for (std::size_t i = 0; i < all.objects.size(); ++i) {
        const std::uint64_t word = std::uint64_t{1} << i;
        lanecull::WorldBox bounds[2] = {{{unwritten, 0, 0}, {0, 0, 0}}, {}};
        const lanecull::Status status = slice_bounds({&batch, 1}, {&word, 1}, camera, {}, depths, bounds);
        if (!status) {
            check(bounds[0].lower[0] == static_cast<double>(unwritten), "refused, yet written");
            return;
        }
        const std::optional<bool> valid = is_object(all.kind, all.objects[i], all.hulls.size());
        for (std::size_t k = 0; k < 2; ++k) {
            const bool left_out = bounds[k].lower[0] > bounds[k].upper[0];
            check(!left_out || valid != false, "what is no object is left out of no slice", all.describe(i));
            check(!left_out || valid != true ||
                      !reaches_beyond({axis, 1, depths[k]}, all.kind, all.objects[i], all.hulls, judge) ||
                      !reaches_beyond({axis, -1, -depths[k + 1]}, all.kind, all.objects[i], all.hulls, judge),
                  "no object is left out of a slice that it reaches into", all.describe(i));
        }
    }
}

void check_visible(Input& input) {
    const Objects all(input);
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(all.kind, all.objects, all.hulls, memory,
                                             {.bounds = false, .streams = {.margin = true, .sweep = true}});
    const std::uint64_t words[2] = {input.bits(), 0};  // with bits of no object
    const bool refused = input.up_to(15) == 0;
    lanecull::WorldBox box{{unwritten, 0, 0}, {0, 0, 0}};
    const lanecull::Status status = visible_bounds({&batch, 1}, {words, refused ? 2u : 1u}, box);
    check(status.ok() != refused, "refused for a reason", status.message().text);
    check(!refused || box.lower[0] == static_cast<double>(unwritten), "refused, yet written");
    if (refused) return;
    Judge judge;
    for (std::size_t i = 0; i < all.objects.size(); ++i) {
        if ((words[0] >> i & 1) == 0) continue;
        const bool valid = is_object(all.kind, all.objects[i], all.hulls.size()).value_or(false);
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) {
                const double end = sign > 0 ? box.upper[k] : -box.lower[k];
                const bool endless = end == HUGE_VAL;
                if (is_object(all.kind, all.objects[i], all.hulls.size()) == false) {
                    check(endless, "the box has no end if it is around what is no object", all.describe(i));
                }
                check(endless || !valid || !reaches_beyond({k, sign, end}, all.kind, all.objects[i], all.hulls, judge),
                      "the box contains each visible object", all.describe(i));
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    constexpr void (*checks[])(Input&) = {check_vertices, check_hull,    check_relative,
                                          check_spheres,  check_visible, check_slices};
    checks[input.up_to(std::size(checks) - 1)](input);
    return 0;
}
