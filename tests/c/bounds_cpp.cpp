#include "bounds.h"

#include <algorithm>
#include <array>
#include <lanecull/lanecull.hpp>
#include <vector>

using namespace lanecull;

namespace {

/// A failure leaves the answer as it is, which C's then is not.
void expect(const Status& status) { static_cast<void>(status.ok()); }

void bound_vertices(const float* points, bounds& answer) {
    const Vertices all = {points, points + 1, points + 2, vertices, 3 * sizeof(float)};
    BoxBounds box;
    SphereBounds sphere;
    OrientedBoxBounds oriented;
    expect(bounding_box(all, box));
    expect(bounding_sphere(all, sphere));
    expect(bounding_oriented_box(all, oriented));
    std::copy_n(box.lower, 3, answer.box);
    std::copy_n(box.upper, 3, answer.box + 3);
    std::copy_n(sphere.center, 3, answer.sphere);
    answer.sphere[3] = sphere.radius;
    std::copy_n(oriented.center, 3, answer.oriented);
    std::copy_n(oriented.axes, 9, answer.oriented + 3);
    std::copy_n(oriented.half_extents, 3, answer.oriented + 12);
    const std::array<float*, 3> streams = {answer.unpacked[0], answer.unpacked[1], answer.unpacked[2]};
    expect(unpack_floats({points, 3 * sizeof(float)}, vertices, streams));
}

}  // namespace

void bounds_cpp(const float* points, float (*local)[instances], const float* transforms, const double* positions,
                bounds* answer) {
    bounds& to = *answer;
    bound_vertices(points, to);
    const LocalBoxes boxes = {{local[0], local[1], local[2], local[3], local[4], local[5], instances}};
    const Transforms all = {.first = transforms, .layout = TransformLayout::rows_3x4};
    const Hull hull = [&] {
        Hull made;
        expect(prepare_hull(to.unpacked[0], to.unpacked[1], to.unpacked[2], vertices, made));
        return made;
    }();
    HullInstances hulls;
    hulls.transforms = all;
    hulls.hulls = &hull;
    hulls.hull_count = 1;
    hulls.count = instances;
    expect(bounding_spheres(hulls, to.hull_spheres[0], to.hull_spheres[1], to.hull_spheres[2], to.hull_spheres[3]));
    expect(bounding_spheres(BoxInstances{all, boxes, instances}, to.box_spheres[0], to.box_spheres[1],
                            to.box_spheres[2], to.box_spheres[3]));
    auto& w = to.world_boxes;
    expect(world_boxes(boxes, all, instances, {w[0], w[1], w[2], w[3], w[4], w[5]}));
    auto& s = to.world_spheres;
    expect(world_spheres(boxes, all, instances, {s[0], s[1], s[2], s[3]}));
    auto& o = to.world_oriented;
    expect(world_oriented_boxes(boxes, all, instances,
                                {o[0], o[1], o[2], {}, {to.quaternions}, {to.half_extents}, nullptr}));
    OrientedBoxes oriented;
    oriented.x = o[0], oriented.y = o[1], oriented.z = o[2];
    oriented.quaternions = {to.quaternions};
    oriented.half_extents = {to.half_extents};
    oriented.count = instances;
    expect(bounding_radii(oriented, to.radii));
    const std::uint32_t first[] = {0, 20, instances};
    auto& j = to.joined;
    expect(join_boxes({w[0], w[1], w[2], w[3], w[4], w[5], instances}, first, 2, {j[0], j[1], j[2], j[3], j[4], j[5]}));
    const double origin[] = {100, 0, 0};
    expect(relative_spheres({positions}, nullptr, instances, origin, to.relative[0], to.relative[1], to.relative[2],
                            to.relative[3]));
}

int lit_cpp(const double* matrix, const double* positions, int k, const float* ball) {
    const double* const at = positions + 3 * k;
    const Lamp lamp = {{at[0], at[1], at[2]}, 40};
    ViewOptions options;
    options.lamp = &lamp;
    View view;
    expect(prepare_view(std::span<const double, 16>(matrix, 16), {}, view, options));
    const Batch batch = Spheres{ball, ball + 1, ball + 2, ball + 3, 1};
    std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
    Output output;
    expect(cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch));
    return static_cast<int>(output.visible_count);
}
