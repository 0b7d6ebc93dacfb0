#include "../../tools/lanecull/scene/mesh_solids.hpp"

#include <gtest/gtest.h>

#include <lanecull/cull.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/mat4x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <vector>

#include "../../tools/lanecull/explain/explanation.hpp"
#include "../../tools/lanecull/picture/solids.hpp"
#include "../../tools/lanecull/scene/camera.hpp"
#include "../../tools/lanecull/scene/scene_solids.hpp"
#include "oracle/exact.hpp"
#include "solids/meshes.hpp"
#include "support/random.hpp"

/// Solid boxes of a file's meshes, where its objects stand: each lies within what is drawn, in rationals, and what they
/// hide is behind the mesh's triangles.

namespace {

using namespace lanecull::program;
using exact::Point;
using exact::Rational;
using glm::dvec3;
using lanecull::SolidOrientedBox;

HullMesh hull_mesh(const meshes::Mesh& source) {
    HullMesh mesh;
    for (const meshes::Corner& v : source.vertices) {
        mesh.x.push_back(v[0]);
        mesh.y.push_back(v[1]);
        mesh.z.push_back(v[2]);
    }
    mesh.triangles.assign(source.triangles.begin(), source.triangles.end());
    mesh.name = "mesh";
    return mesh;
}

/// Turned, stretched, mirrored, sheared, and far away or not.
glm::mat4x3 random_placement(Random& random, double size) {
    const auto direction = [&] { return dvec3(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)); };
    const dvec3 a = glm::normalize(direction()), b = glm::normalize(glm::cross(a, direction()));
    glm::dmat3 axes(a, b, glm::cross(a, b));
    if (random.chance(0.2)) axes = glm::dmat3(1);
    for (int k = 0; k < 3; ++k) {
        if (random.chance(0.3)) axes[k] *= random.log_range(1e-3, 1e3);
    }
    if (random.chance(0.2)) axes[0] *= -1;
    if (random.chance(0.2)) axes[1] += random.range(-2, 2) * axes[0];
    if (random.chance(0.1)) axes[2] = axes[0] + random.log_range(1e-8, 1) * axes[2];  // nearly flat, or flat
    const double reach = size * (random.chance(0.3) ? random.log_range(1, 1e8) : random.range(0, 5));
    return {glm::vec3(axes[0]), glm::vec3(axes[1]), glm::vec3(axes[2]), glm::vec3(reach * direction())};
}

Rational determinant(const Point& a, const Point& b, const Point& c) {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/// Whether the corners of the placed box, moved back by the exact inverse of the matrix, lie in box i.
bool lies_within(const SolidOrientedBox& placed, const lanecull::Boxes& boxes, std::uint32_t i, const float* m) {
    const Point column[3] = {exact::point(m[0], m[4], m[8]), exact::point(m[1], m[5], m[9]),
                             exact::point(m[2], m[6], m[10])};
    const Rational volume = determinant(column[0], column[1], column[2]);
    const float low[3] = {boxes.min_x[i], boxes.min_y[i], boxes.min_z[i]};
    const float high[3] = {boxes.max_x[i], boxes.max_y[i], boxes.max_z[i]};
    for (unsigned corner = 0; corner < 8; ++corner) {
        Point p = exact::point(placed.center[0], placed.center[1], placed.center[2]) - exact::point(m[3], m[7], m[11]);
        for (unsigned k = 0; k < 3; ++k) {
            const Rational s =
                exact::rational((corner >> k & 1U) != 0 ? placed.half_extents[k] : -placed.half_extents[k]);
            p = p + s * exact::point(placed.axes[k][0], placed.axes[k][1], placed.axes[k][2]);
        }
        const Rational at[3] = {determinant(p, column[1], column[2]) / volume,
                                determinant(column[0], p, column[2]) / volume,
                                determinant(column[0], column[1], p) / volume};
        for (int k = 0; k < 3; ++k) {
            if (at[k] < exact::rational(low[k]) || at[k] > exact::rational(high[k])) return false;
        }
    }
    return true;
}

TEST(MeshSolids, LieWithinTheirBoxesWhereTheyArePlaced) {
    Random random(20261125);
    const int meshes = scaled(150);
    int tried = 0, kept = 0, large = 0;
    for (int n = 0; n < meshes; ++n) {
        const auto family = static_cast<meshes::Family>(n % static_cast<int>(meshes::Family::extreme));
        const meshes::Mesh mesh = meshes::random_mesh(random, family);
        lanecull::SolidBoxes found;
        ASSERT_TRUE(lanecull::solid_boxes(mesh.view(), found, {.resolution = 12, .max_boxes = 4}));
        ASSERT_EQ(meshes::what_is_wrong(mesh, found, random, family == meshes::Family::several), "");
        const lanecull::Boxes boxes = found.boxes();
        for (int place = 0; place < 8; ++place) {
            HullInstanceArrays instances;
            instances.add(0, random_placement(random, 10));
            for (std::uint32_t i = 0; i < boxes.count; ++i) {
                const auto box = placed(boxes, i, instances.transforms.data());
                ++tried;
                if (!box) continue;
                ++kept;
                ASSERT_TRUE(lies_within(*box, boxes, i, instances.transforms.data())) << "mesh " << n << ", box " << i;
                large += box->half_extents[0] > 0.499 * (double(boxes.max_x[i]) - double(boxes.min_x[i])) ? 1 : 0;
            }
        }
    }
    std::printf("[ figures  ] %d of %d boxes left, %d of them nearly as large as they were\n", kept, tried, large);
    EXPECT_GT(kept, 0.8 * tried);
    EXPECT_LT(kept, tried);
    EXPECT_GT(large, 0.7 * tried);
}

/// Without these rules a box that lies within its mesh could be said to hide something that is seen.
TEST(MeshSolids, AreNoneWhereNothingCanBeProved) {
    const auto of = [](const glm::mat4x3& transform, float size) {
        const float low[1] = {-size}, high[1] = {size};
        HullInstanceArrays instances;
        instances.add(0, transform);
        return placed({low, low, low, high, high, high, 1}, 0, instances.transforms.data());
    };
    const glm::vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
    EXPECT_TRUE(of({x, y, z, {5, 6, 7}}, 1));
    EXPECT_FALSE(of({x, y, x + y, {0, 0, 0}}, 1)) << "flat";
    EXPECT_FALSE(of({x, y, {0, 0, 0}, {0, 0, 0}}, 1)) << "flat";
    EXPECT_TRUE(of({x, y, {1, 1, 1e-8F}, {0, 0, 0}}, 1)) << "nearly flat, and its centre is exact";
    EXPECT_FALSE(of({x, y, {NAN, 0, 1}, {0, 0, 0}}, 1));
    EXPECT_FALSE(of({x, y, z, {INFINITY, 0, 0}}, 1));
    HullInstanceArrays far;
    far.add(0, {0.7F * x, y, z, {16777216.0F, 0, 0}});
    const float low[1] = {0.3F}, high[1] = {0.5F};  // its middle is at 16777216.28, 0.28 from a float
    EXPECT_FALSE(placed({low, low, low, high, high, high, 1}, 0, far.transforms.data()))
        << "smaller than its centre's rounding";
}

/// Meshes of a scene, by one file's name.
Scene scene_of(const std::vector<meshes::Mesh>& sources, const std::vector<glm::mat4x3>& placements) {
    HullInstanceArrays instances;
    for (const meshes::Mesh& source : sources) instances.meshes.push_back(hull_mesh(source));
    for (std::size_t i = 0; i < placements.size(); ++i) {
        instances.add(static_cast<std::uint32_t>(i % sources.size()), placements[i]);
    }
    Scene scene;
    scene.name = "meshes.obj";
    scene.meshes = sources.size();
    scene.add("meshes", std::move(instances));
    return scene;
}

/// Whether the segment from `eye` to `point` meets a triangle of the object.
bool is_behind(const HullInstanceArrays& instances, std::uint32_t object, const dvec3& eye, const dvec3& point) {
    const HullMesh& mesh = instances.meshes[instances.hull_index[object]];
    const float* m = &instances.transforms[std::size_t{12} * object];
    const auto corner = [&](std::uint32_t i) {
        const dvec3 p(mesh.x[i], mesh.y[i], mesh.z[i]);
        dvec3 world;
        for (int row = 0; row < 3; ++row) {
            world[row] = glm::dot(dvec3(m[4 * row], m[4 * row + 1], m[4 * row + 2]), p) + m[4 * row + 3];
        }
        return world - eye;
    };
    const dvec3 d = point - eye;
    return std::ranges::any_of(mesh.triangles, [&](const auto& triangle) {
        const dvec3 a = corner(triangle[0]), b = corner(triangle[1]), c = corner(triangle[2]);
        const double u = glm::dot(d, glm::cross(a, b)), v = glm::dot(d, glm::cross(b, c));
        const double w = glm::dot(d, glm::cross(c, a)), volume = glm::dot(a, glm::cross(b, c));
        const bool through = (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
        return through && std::abs(volume) <= std::abs(u + v + w);
    });
}

TEST(MeshSolids, HideOnlyWhatIsBehindTheirMeshes) {
    Random random(20261126);
    const int scenes = std::max(20, scaled(60));  // a scene may have nothing that hides
    int hidden = 0, seen = 0;
    for (int n = 0; n < scenes; ++n) {
        const meshes::Mesh mesh = meshes::random_mesh(random, static_cast<meshes::Family>(n % 2));
        const glm::mat3 turn(random_placement(random, 0));
        std::vector<glm::mat4x3> placements;
        for (int i = 0; i < 3; ++i) {
            const dvec3 at(random.range(-8, 8), random.range(25, 40), random.range(-8, 8));
            glm::mat3 axes = turn;
            for (int k = 0; k < 3; ++k) axes[k] = glm::normalize(axes[k]);
            placements.push_back({axes[0], axes[1], axes[2], glm::vec3(at)});
        }
        Scene scene = scene_of({random.chance(0.3) ? mesh.flipped() : mesh}, placements);
        ASSERT_EQ(MeshSolidFinder(scene).add_closed(), 1u);
        SphereArrays balls;
        for (int i = 0; i < 400; ++i) {
            const dvec3 at(random.range(-20, 20), random.range(2, 90), random.range(-20, 20));
            balls.add(glm::vec3(at), static_cast<float>(random.range(0.05, 0.5)));
        }
        scene.add("balls", std::move(balls));
        const Camera camera{.forward = {0, 1, 0}, .vertical_fov = 1.5, .near = 0.1, .far = 200};
        const SceneSolids solids(scene);
        std::vector<std::uint32_t> owner_of;
        std::vector<lanecull::Occluder> occluders;
        for (std::size_t i = 0; i < solids.count() && occluders.size() < 64; ++i) {
            lanecull::Occluder occluder;
            const auto refusal = solids.visit(i, [&](const auto& solid) {
                return prepare_occluder(solid, camera.viewpoint(), occluder, {.drawn = &solids.drawn[i]});
            });
            if (refusal != lanecull::OccluderRefusal::none) continue;
            occluders.push_back(occluder);
            owner_of.push_back(solids.owners[i].object);
        }
        const std::vector<lanecull::Batch> all = scene.batches();
        const lanecull::View view = camera.view();
        std::vector<lanecull::Certificate> certificates(scene.object_count());
        std::vector<std::byte> scratch(lanecull::scratch_bytes(all, 1));
        lanecull::Explanation why{.certificates = certificates};
        lanecull::Output output;
        output.explanation = &why;
        output.occluders = occluders;
        ASSERT_TRUE(lanecull::cull(all, {&view, 1}, {&output, 1}, scratch));
        const auto& meshes = std::get<HullInstanceArrays>(scene.groups[0].arrays);
        const auto& spheres = std::get<SphereArrays>(scene.groups[1].arrays);
        for (std::size_t i = 0; i < spheres.x.size(); ++i) {
            const lanecull::Certificate& certificate = certificates[all[1].first_index + i];
            if (certificate.reason != lanecull::Reason::culled_occluded) {
                ++seen;
                continue;
            }
            ++hidden;
            for (int sample = 0; sample < 6; ++sample) {
                const dvec3 way(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1));
                const dvec3 point = dvec3(spheres.x[i], spheres.y[i], spheres.z[i]) +
                                    (sample == 0 ? 0.0 : double(spheres.radius[i])) * glm::normalize(way);
                ASSERT_TRUE(is_behind(meshes, owner_of[certificate.occluder], camera.eye, point))
                    << "scene " << n << ", ball " << i;
            }
        }
    }
    std::printf("[ figures  ] %d balls hidden, %d not\n", hidden, seen);
    EXPECT_GT(hidden, 10 * scenes);
    EXPECT_GT(seen, hidden);
}

/// Boxes count once, however often objects are requested; what is drawn for them is the whole mesh.
TEST(MeshSolids, CountOnceAndKnowWhatIsDrawn) {
    const meshes::Mesh house = meshes::house();
    Scene scene = scene_of({house}, {glm::mat4x3(1), glm::mat4x3({0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {100, 0, 0})});
    MeshSolidFinder finder(scene);
    const std::uint32_t both[2] = {0, 1};
    finder.add_named("house", 0, both);
    const std::size_t boxes = scene.mesh_solids.boxes.size();
    EXPECT_EQ(boxes, 8u);
    finder.add_named("house", 0, both);
    EXPECT_EQ(finder.add_closed(), 1u);
    EXPECT_EQ(scene.mesh_solids.boxes.size(), boxes);
    EXPECT_EQ(scene.mesh_solids.meshes, 1u);
    EXPECT_EQ(scene.mesh_solids.closed_meshes, 1u);
    for (const MeshSolids::Box& box : scene.mesh_solids.boxes) {
        const dvec3 low = box.owner.object == 0 ? dvec3(0) : dvec3(100 - 18.7, 0, 0);
        for (int k = 0; k < 3; ++k) {
            EXPECT_LE(box.drawn.min[k], low[k] + 1e-5);
            EXPECT_NEAR(box.drawn.min[k], low[k], 1e-4);
            EXPECT_NEAR(box.drawn.max[k], low[k] + (k == 2 ? 6.5 : 18.7), 1e-4);
        }
    }
}

/// A hull shrinks until each facet has moved by the inset; what is drawn is still the whole mesh.
TEST(MeshSolids, HullsShrinkByAnInset) {
    const auto roof = [](double x, double y, double z) { return std::array<double, 3>{z > 0 ? 0.1 * x : x, y, z}; };
    Scene scene = scene_of({meshes::box({-3, -4, -1}, {3, 4, 1}).mapped(roof)},
                           {glm::mat4x3({0, 2, 0}, {-2, 0, 0}, {0, 0.5F, 3}, {1000, 20, 30})});
    MeshSolidFinder(scene).add_closed();
    ASSERT_EQ(scene.mesh_solids.hulls.size(), 1u);
    for (const double inset : {0.0, 0.25, 100.0}) {
        const SceneSolids solids(scene, inset);
        ASSERT_EQ(solids.hulls.size(), 1u);
        ASSERT_EQ(solids.count(), solids.drawn.size());
        ASSERT_EQ(solids.count(), solids.owners.size());
        const lanecull::SolidHullInstance& hull = solids.hulls[0];
        const std::array<float, 12> given = scene.mesh_solids.hulls[0].transform;
        const auto corner = [&](const float* m, std::uint32_t c) {
            const float* const p = hull.hull->corner[c];
            dvec3 at;
            for (int k = 0; k < 3; ++k) {
                const float* const row = m + 4 * k;
                at[k] = double(row[0]) * double(p[0]) + double(row[1]) * double(p[1]) + double(row[2]) * double(p[2]) +
                        double(row[3]);
            }
            return at;
        };
        for (std::uint32_t t = 0; t < hull.hull->triangle_count && inset < 100; ++t) {
            const std::uint8_t* const v = hull.hull->triangle[t];
            const dvec3 a = corner(given.data(), v[0]), b = corner(given.data(), v[1]), c = corner(given.data(), v[2]);
            const dvec3 outward = glm::normalize(glm::cross(b - a, c - a));
            double nearest = 1e30;
            for (std::uint32_t i = 0; i < hull.hull->corner_count; ++i) {
                nearest = std::min(nearest, glm::dot(outward, a - corner(hull.transform, i)));
            }
            EXPECT_GE(nearest, inset - 1e-9) << "triangle " << t;
        }
        lanecull::Viewpoint from;
        ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{900.0, 20.0, 30.0}, 0, from));
        lanecull::Occluder occluder;
        const lanecull::OccluderRefusal refusal = lanecull::prepare_occluder(hull, from, occluder);
        EXPECT_EQ(refusal == lanecull::OccluderRefusal::none, inset < 100) << name_of(refusal);
        const SceneSolids boxes = solids.boxes_alone();
        EXPECT_EQ(boxes.count(), boxes.drawn.size());
        EXPECT_EQ(boxes.count() + 1, solids.count());
        const BoxEdges edges = edges_of(hull);
        const double left = inset == 0 ? 1 : inset < 1 ? std::pow(1 - 0.25 / 1.5, 3) : 0;  // at least, of the volume
        EXPECT_GE(8 * std::abs(glm::determinant(edges.half)), left * 0.99 * 12 * 52.8) << inset;
        EXPECT_LE(8 * std::abs(glm::determinant(edges.half)), 12 * 52.8) << inset;
    }
}

/// Facets move by the inset in the scene's unit, whatever the length of the axes; what is drawn reaches as much
/// farther.
TEST(MeshSolids, ShrinkByAnInset) {
    Scene scene = scene_of({meshes::box({-1, -1, -1}, {1, 1, 1})},
                           {glm::mat4x3({4, 0, 0}, {0, 0.5F, 0}, {0, 0.5F, 2}, {0, 0, 0})});
    MeshSolidFinder(scene).add_closed();
    const SceneSolids whole(scene), less(scene, 0.125);
    ASSERT_EQ(whole.count(), 1u);
    EXPECT_NEAR(whole.oriented_boxes[0].half_extents[0], 1, 1e-5);
    const SolidOrientedBox& box = less.oriented_boxes[0];
    EXPECT_NEAR(box.half_extents[0], 1 - 0.125 / 4, 1e-5);
    EXPECT_NEAR(box.half_extents[1], 1 - 0.125 / (0.5 * 2 / std::hypot(0.5, 2)), 1e-5)
        << "the facets beside are slanted";
    EXPECT_NEAR(box.half_extents[2], 1 - 0.125 / 2, 1e-5);
    EXPECT_NEAR(less.drawn[0].max[0], whole.drawn[0].max[0] + 0.125, 1e-5);
    EXPECT_NEAR(less.drawn[0].min[2], whole.drawn[0].min[2] - 0.125, 1e-5);
}

/// Around what a picture shows of an object.
Bounds drawn_bounds(const Arrays& arrays) {
    const Solid solid = solid_of(arrays, {}, 0);
    const SolidMesh& mesh = solid.mesh != nullptr ? *solid.mesh : ball_mesh(16);
    Bounds bounds;
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
        const glm::vec3 shift = 2 * k < mesh.points.size() ? solid.shift : -solid.shift;
        bounds.add(solid.center + dvec3(solid.axes * mesh.points[k] + shift));
    }
    return bounds;
}

/// The box around an object is the same by its half-axes and by its support in each direction, and what is drawn of it
/// fills the box but for the facets.
TEST(RoundObjects, HaveTheBoundsOfWhatIsDrawn) {
    Random random(5);
    const auto point = [&](double size) {
        return glm::vec3(random.range(-size, size), random.range(-size, size), random.range(-size, size));
    };
    for (int trial = 0; trial < 200; ++trial) {
        const glm::vec3 a = point(10), b = point(10);
        const auto radius = static_cast<float>(random.range(0.1, 5));
        CapsuleArrays capsule;
        CylinderArrays cylinder;
        ConeArrays cone;
        RoundConeArrays round_cone;
        EllipsoidArrays ellipsoid;
        for (AxisArrays* of : std::initializer_list<AxisArrays*>{&capsule, &cylinder, &cone, &round_cone}) {
            of->add(a, b, radius);
        }
        ellipsoid.add(a, glm::vec4(point(1), random.range(0.5, 3)), glm::abs(b) + 0.01F);
        for (const Arrays& arrays :
             {Arrays(capsule), Arrays(cylinder), Arrays(cone), Arrays(round_cone), Arrays(ellipsoid)}) {
            SCOPED_TRACE(kind_name(arrays));
            const Bounds bounds = object_bounds(arrays, 0), exact = exact_bounds(arrays, 0);
            const Bounds drawn = drawn_bounds(arrays);
            const double size = glm::length(bounds.size());
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(bounds.lower[k], exact.lower[k], 1e-12 * size);
                EXPECT_NEAR(bounds.upper[k], exact.upper[k], 1e-12 * size);
                EXPECT_GE(drawn.lower[k], bounds.lower[k] - 1e-5 * size);
                EXPECT_LE(drawn.upper[k], bounds.upper[k] + 1e-5 * size);
                EXPECT_NEAR(drawn.size()[k], bounds.size()[k], 0.02 * size);
            }
        }
    }
}

}  // namespace
