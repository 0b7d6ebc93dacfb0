#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include "solids/meshes.hpp"
#include "support/random.hpp"

/// solid_boxes(): each box lies within the mesh, in rational arithmetic, and the boxes cover a good part of it. What is
/// not closed is refused.

namespace {

using lanecull::MeshSolidOptions;
using lanecull::MeshVolumes;
using lanecull::SolidBoxes;
using lanecull::Status;
using meshes::Mesh;

struct Found {
    SolidBoxes boxes;
    MeshVolumes volumes;
    [[nodiscard]] double share() const { return volumes.boxes / volumes.mesh; }
};

Found find(const Mesh& mesh, const MeshSolidOptions& options = {}) {
    Found found;
    const Status status = lanecull::solid_boxes(mesh.view(), found.boxes, options, &found.volumes);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_LE(found.boxes.count(), options.max_boxes == 0 ? 16 : options.max_boxes);
    return found;
}

void expect_inside(const Mesh& mesh, const Found& found) {
    Random random(20261130);
    EXPECT_EQ(meshes::what_is_wrong(mesh, found.boxes, random), "");
}

TEST(SolidBoxesOfMeshes, ABoxIsFoundExactly) {
    const Mesh box = meshes::box({0.1f, -3.7f, 100.3f}, {7.9f, 1.3f, 111.1f});
    const Found found = find(box);
    ASSERT_EQ(found.boxes.count(), 1u);
    const lanecull::Boxes b = found.boxes.boxes();
    EXPECT_EQ(b.min_x[0], 0.1f);
    EXPECT_EQ(b.min_y[0], -3.7f);
    EXPECT_EQ(b.min_z[0], 100.3f);
    EXPECT_EQ(b.max_x[0], 7.9f);
    EXPECT_EQ(b.max_y[0], 1.3f);
    EXPECT_EQ(b.max_z[0], 111.1f);
    EXPECT_NEAR(found.share(), 1, 1e-12);
    EXPECT_TRUE(found.boxes.owners(0).empty());
    expect_inside(box, found);
}

/// Shares of the volume, with the default options; and how they grow with boxes and cells.
TEST(SolidBoxesOfMeshes, CoverAGoodPart) {
    const Mesh turned_box = meshes::box({-1, -2, -3}, {1, 2, 3}).mapped([](double x, double y, double z) {
        return std::array{0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z};
    });
    const struct {
        const char* name;
        Mesh mesh;
        double least, least_of_64;
    } all[] = {{"sphere", meshes::sphere(5, 48, 24), 0.70, 0.80},
               {"torus", meshes::torus(5, 2, 48, 24), 0.55, 0.70},
               {"L", meshes::l_prism(), 1 - 1e-12, 1 - 1e-12},
               {"house", meshes::house(), 0.9, 1 - 1e-12},
               {"turned box", turned_box, 0.70, 0.80}};
    for (const auto& [name, mesh, least, least_of_64] : all) {
        const Found found = find(mesh), more = find(mesh, {.resolution = 64, .max_boxes = 64});
        const Found one = find(mesh, {.max_boxes = 1}), not_grown = find(mesh, {.is_ungrown = 1});
        std::printf("[ figures  ] %-10s %5zu triangles: 1 box %.3f, %u boxes %.3f (not grown %.3f), %u of 64^3 %.3f\n",
                    name, mesh.triangles.size(), one.share(), found.boxes.count(), found.share(), not_grown.share(),
                    more.boxes.count(), more.share());
        EXPECT_GE(found.share(), least) << name;
        EXPECT_GE(more.share(), least_of_64) << name;
        EXPECT_LE(more.share(), 1 + 1e-12) << name;
        EXPECT_GE(found.share(), not_grown.share()) << name;
        expect_inside(mesh, found);
        expect_inside(mesh, one);
    }
}

/// A hull about the middle of the first box, or why there is none.
struct FoundHull {
    lanecull::SolidHull hull;
    double volume = -1;
    Status status;

    explicit FoundHull(const Mesh& mesh) {
        const meshes::Corner middle = meshes::middle_of(find(mesh).boxes, 0);
        const float inside[3] = {middle[0], middle[1], middle[2]};
        status = lanecull::solid_hull(mesh.view(), inside, hull, &volume);
    }
};

TEST(SolidHullsOfMeshes, FillWhatIsConvex) {
    const auto cylinder = [](double x, double y, double z) {
        const double r = std::max(std::hypot(x, y), 1e-9), from = std::max(std::fabs(x), std::fabs(y));
        return std::array<double, 3>{x * from / r, y * from / r, z};
    };
    const auto roof = [](double x, double y, double z) { return std::array<double, 3>{z > 0 ? 0.1 * x : x, y, z}; };
    const auto turned = [](double x, double y, double z) {
        return std::array<double, 3>{0.8 * x - 0.6 * y + 100, 0.6 * x + 0.8 * y, z};
    };
    std::vector<float> lines;
    for (int i = -8; i <= 8; ++i) lines.push_back(static_cast<float>(i) / 8);
    const Mesh block = meshes::surface_of({lines, lines, {-1, 1}}, [](int, int, int) { return true; });
    const struct {
        const char* name;
        Mesh mesh;
        double least;  // share of the mesh's volume
    } all[] = {{"box", meshes::box({0, 0, 0}, {1, 2, 3}), 0.99},
               {"turned box", meshes::box({0, 0, 0}, {1, 2, 3}).mapped(turned), 0.99},
               {"roof", meshes::box({-3, -4, -1}, {3, 4, 1}).mapped(roof), 0.99},
               {"ball", meshes::sphere(2, 24, 12), 0.6},
               {"cylinder", block.mapped(cylinder), 0.8}};
    for (const auto& [name, mesh, least] : all) {
        for (const Mesh& either : {mesh, mesh.flipped()}) {
            const FoundHull found(either);
            ASSERT_TRUE(found.status.ok()) << name << ": " << found.status.message();
            const double share = found.volume / find(either).volumes.mesh;
            std::printf("%s: %u corners, %.3f of its volume\n", name, found.hull.corner_count, share);
            EXPECT_GE(share, least) << name;
            Random random(20261127);
            EXPECT_EQ(meshes::what_is_wrong(either, found.hull, random), "") << name;
            lanecull::Viewpoint from;
            ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{-50.0, 3.0, 0.5}, 0, from).ok());
            lanecull::Occluder occluder;
            EXPECT_EQ(prepare_occluder(lanecull::SolidHullInstance{&found.hull}, from, occluder),
                      lanecull::OccluderRefusal::none);
        }
    }
}

TEST(SolidHullsOfMeshes, BadArgumentsAreNamed) {
    const Mesh mesh = meshes::box({0, 0, 0}, {1, 1, 1});
    const auto expect_refused = [](const Mesh& of, const std::array<float, 3>& at, const std::string& named) {
        const float inside[3] = {at[0], at[1], at[2]};
        lanecull::SolidHull hull;
        double volume = 7;
        const Status status = lanecull::solid_hull(of.view(), inside, hull, &volume);
        EXPECT_FALSE(status.ok());
        EXPECT_NE(std::string(status.message()).find(named), std::string::npos) << status.message();
        EXPECT_EQ(volume, 7);
        EXPECT_EQ(hull.corner_count, 0u);
    };
    expect_refused(mesh, {0.5F, 0.5F, std::numeric_limits<float>::quiet_NaN()}, "inside[2]");
    expect_refused(mesh, {2, 0.5F, 0.5F}, "no hull");
    expect_refused(mesh, {0.5F, 0.5F, 1}, "no hull");
    expect_refused(meshes::torus(3, 1, 24, 12), {3, 0, 0}, "no hull");
    Mesh open = mesh;
    open.triangles.pop_back();
    expect_refused(open, {0.5F, 0.5F, 0.5F}, "not closed");
}

TEST(SolidBoxesOfMeshes, WhatIsInside) {
    const Mesh outer = meshes::box({0, 0, 0}, {8, 8, 8}), inner = meshes::box({2, 2, 2}, {6, 6, 6});
    Mesh cavity = outer, nested = outer, apart = outer, apart_flipped = outer;
    cavity.add(inner.flipped());
    nested.add(inner);
    apart.add(meshes::box({20, 0, 0}, {24, 4, 4}));
    apart_flipped.add(meshes::box({20, 0, 0}, {24, 4, 4}).flipped());
    const Found hollow = find(cavity, {.max_boxes = 64});
    EXPECT_NEAR(hollow.volumes.mesh, 512 - 64, 1e-9);
    EXPECT_NEAR(hollow.volumes.boxes, 512 - 64, 1e-9);
    expect_inside(cavity, hollow);
    // Cells on both sides of the inner box's faces are inside, so a box goes through them.
    const Found whole = find(nested);
    EXPECT_EQ(whole.boxes.count(), 1u);
    EXPECT_NEAR(whole.volumes.boxes, 512, 1e-9);
    EXPECT_NEAR(find(apart).volumes.boxes, 512 + 64, 1e-9);
    EXPECT_NEAR(find(apart_flipped).volumes.boxes, 512, 1e-9);
    // All the other way round is the same.
    const Found flipped = find(cavity.flipped(), {.max_boxes = 64});
    EXPECT_NEAR(flipped.volumes.mesh, 512 - 64, 1e-9);
    EXPECT_NEAR(flipped.volumes.boxes, 512 - 64, 1e-9);
    // Boxes that abut, each a closed mesh by itself, and boxes that overlap.
    Mesh modules = meshes::box({0, 0, 0}, {3, 2, 2}), overlapping = modules;
    modules.add(meshes::box({3, 0, 0}, {5, 2, 2}));
    overlapping.add(meshes::box({2, 0, 0}, {5, 2, 2}));
    EXPECT_EQ(find(modules).boxes.count(), 1u);
    EXPECT_NEAR(find(modules).volumes.boxes, 20, 1e-9);
    EXPECT_NEAR(find(overlapping).volumes.boxes, 20, 1e-9);
    EXPECT_NEAR(find(overlapping).volumes.mesh, 24, 1e-9);
}

TEST(SolidBoxesOfMeshes, WhatHasNoInsideHasNoBox) {
    Mesh flat = meshes::box({0, 0, 0}, {1, 1, 1}).mapped([](double x, double y, double) {
        return std::array{x, y, 2.0};
    });
    EXPECT_EQ(find(flat).boxes.count(), 0u);
    flat = meshes::sphere(1, 8, 6).mapped([](double x, double y, double) { return std::array{x, y, x + y}; });
    EXPECT_EQ(find(flat).boxes.count(), 0u);
    const Mesh point = meshes::box({0, 0, 0}, {1, 1, 1}).mapped([](double, double, double) {
        return std::array{1.0, 1.0, 1.0};
    });
    EXPECT_EQ(find(point).boxes.count(), 0u);
    // A surface that goes twice along itself, once each way, encloses nothing.
    Mesh twice = meshes::sphere(3, 12, 8);
    twice.add(twice.flipped());
    EXPECT_EQ(find(twice).boxes.count(), 0u);
}

/// 32 cells, 16 boxes.
TEST(SolidBoxesOfMeshes, HaveUsualOptions) {
    const Mesh mesh = meshes::torus(5, 2, 48, 24);
    const Found usual = find(mesh), named = find(mesh, {.resolution = 32, .max_boxes = 16});
    EXPECT_EQ(usual.boxes.count(), 16u);
    EXPECT_EQ(usual.boxes.count(), named.boxes.count());
    EXPECT_EQ(usual.volumes.boxes, named.volumes.boxes);
    EXPECT_NE(usual.volumes.boxes, find(mesh, {.resolution = 31}).volumes.boxes);
    EXPECT_NE(usual.volumes.boxes, find(mesh, {.max_boxes = 15}).volumes.boxes);
}

/// A call that fails names what is wrong and writes nothing.
void expect_refused(const lanecull::TriangleMesh& mesh, const MeshSolidOptions& options, const std::string& named) {
    Found found = find(meshes::box({0, 0, 0}, {1, 1, 1}), {.resolution = 2});
    found.volumes = {7, 7};
    const Status status = lanecull::solid_boxes(mesh, found.boxes, options, &found.volumes);
    EXPECT_NE(std::string(status.message()).find(named), std::string::npos)
        << '"' << status.message() << "\" does not name " << named;
    EXPECT_EQ(found.boxes.count(), 1u);
    EXPECT_EQ(found.volumes.mesh, 7);
}

TEST(SolidBoxesOfMeshes, OpenAndFlippedOnesAreRefused) {
    for (const Mesh& whole : {meshes::house(), meshes::sphere(2, 12, 8), meshes::torus(3, 1, 12, 8)}) {
        Mesh less = whole, flipped = whole, more = whole, moved = whole;
        less.triangles.pop_back();
        expect_refused(less.view(), {}, "mesh: not closed");
        std::swap(flipped.triangles[7][0], flipped.triangles[7][1]);
        expect_refused(flipped.view(), {}, "flipped");
        more.triangles.push_back(more.triangles[7]);
        expect_refused(more.view(), {}, "there twice");
        // A corner moved by a step: its edges end elsewhere than their neighbours'.
        moved.vertices.push_back(moved.vertices[moved.triangles[7][0]]);
        moved.vertices.back()[0] = std::nextafter(moved.vertices.back()[0], 100.0f);
        moved.triangles[7][0] = static_cast<std::uint32_t>(moved.vertices.size() - 1);
        expect_refused(moved.view(), {}, "mesh: not closed");
    }
}

TEST(SolidBoxesOfMeshes, BadArgumentsAreNamed) {
    const Mesh mesh = meshes::box({0, 0, 0}, {1, 1, 1});
    lanecull::TriangleMesh view = mesh.view();
    expect_refused(view, {.resolution = 257}, "options.resolution");
    expect_refused(view, {.max_boxes = 257}, "options.max_boxes");
    view.vertices.y = nullptr;
    expect_refused(view, {}, "vertices.y");
    view = mesh.view(), view.indices = nullptr;
    expect_refused(view, {}, "mesh.indices");
    view = mesh.view(), view.triangle_count = 0;
    expect_refused(view, {}, "mesh.triangle_count");
    view = mesh.view(), view.vertices.stride_bytes = 3;
    expect_refused(view, {}, "vertices.stride_bytes");
    Mesh broken = mesh;
    broken.triangles[3][1] = 24;
    expect_refused(broken.view(), {}, "mesh.indices[10]");
    broken = mesh;
    broken.vertices[5][2] = std::numeric_limits<float>::quiet_NaN();
    expect_refused(broken.view(), {}, "mesh.vertices.z[5]");
}

TEST(SolidBoxesOfMeshes, TrianglesWithoutAreaChangeNothing) {
    const Mesh mesh = meshes::l_prism();
    Mesh with = mesh;
    // One with equal corners, and two of which each is the other's way back.
    with.triangles.push_back({0, 0, 5});
    with.triangles.push_back({1, 2, 3});
    with.triangles.push_back({3, 2, 1});
    const Found found = find(with);
    EXPECT_NEAR(found.share(), 1, 1e-12);
    // A corner in the middle of an edge: a triangle without area between the edge and its two halves.
    Mesh split = meshes::box({0, 0, 0}, {2, 2, 2});
    const meshes::Index3 t = split.triangles[0];
    const meshes::Corner a = split.vertices[t[0]], b = split.vertices[t[1]];
    split.vertices.push_back({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
    const auto middle = static_cast<std::uint32_t>(split.vertices.size() - 1);
    split.triangles[0] = {t[0], middle, t[2]};
    split.triangles.push_back({middle, t[1], t[2]});
    expect_refused(split.view(), {}, "mesh: not closed");
    split.triangles.push_back({t[0], t[1], middle});
    EXPECT_NEAR(find(split).share(), 1, 1e-12);
}

}  // namespace
