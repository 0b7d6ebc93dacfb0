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

#include "occluders/mesh_steps.hpp"
#include "solids/meshes.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

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

TEST(SolidHullsOfMeshes, LieWithinWhatIsNotConvex) {
    Random random(28);
    int found_any = 0;
    for (int i = 0; i < scaled(60); ++i) {
        const Mesh mesh =
            meshes::random_mesh(random, static_cast<meshes::Family>(i % static_cast<int>(meshes::Family::families)));
        if (find(mesh).boxes.count() == 0) continue;
        const FoundHull found(mesh);
        if (!found.status) {
            EXPECT_EQ(found.volume, -1);
            EXPECT_EQ(found.hull.corner_count, 0u);
            continue;
        }
        ++found_any;
        EXPECT_EQ(meshes::what_is_wrong(mesh, found.hull, random), "") << mesh.describe();
    }
    EXPECT_GT(found_any, 0);
    EXPECT_FALSE(FoundHull(meshes::torus(3, 1, 24, 12)).status.ok());
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
    Random random(20261201);
    for (const Mesh& whole : {meshes::house(), meshes::sphere(2, 12, 8), meshes::torus(3, 1, 12, 8)}) {
        for (int round = 0; round < scaled(20); ++round) {
            const auto t = static_cast<std::size_t>(random.below(static_cast<int>(whole.triangles.size())));
            Mesh mesh = whole;
            mesh.triangles.erase(mesh.triangles.begin() + static_cast<std::ptrdiff_t>(t));
            expect_refused(mesh.view(), {}, "mesh: not closed");
            mesh = whole;
            std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
            expect_refused(mesh.view(), {}, "flipped");
            mesh = whole;
            mesh.triangles.push_back(mesh.triangles[t]);
            expect_refused(mesh.view(), {}, "there twice");
            // A corner moved by a step: its edges end elsewhere than their neighbours'.
            mesh = whole;
            mesh.vertices.push_back(mesh.vertices[mesh.triangles[t][0]]);
            mesh.vertices.back()[0] = std::nextafter(mesh.vertices.back()[0], 100.0f);
            mesh.triangles[t][0] = static_cast<std::uint32_t>(mesh.vertices.size() - 1);
            expect_refused(mesh.view(), {}, "mesh: not closed");
        }
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

/// However many coordinates the corners have, time and memory are those of the resolution.
TEST(SolidBoxesOfMeshes, NoAxisHasMoreCellsThanAsked) {
    Random random(20261208);
    std::size_t full = 0;
    for (int round = 0; round < scaled(300); ++round) {
        lanecull::Array<lanecull::solids::Triangle> triangles;
        const int corners = 1 + random.below(60);
        for (int i = 0; i < corners; ++i) {
            lanecull::solids::Triangle t{};
            for (auto& corner : t.corner) {
                for (float& x : corner) x = static_cast<float>(random.below(40)) * (random.chance(0.2) ? 1.1f : 1.0f);
            }
            ASSERT_TRUE(triangles.push(t));
        }
        const auto resolution = static_cast<std::uint32_t>(1 + random.below(90));
        lanecull::solids::CellGrid grid;
        ASSERT_TRUE(lanecull::solids::lay_lines(triangles, resolution, grid));
        for (std::size_t k = 0; k < 3; ++k) {
            ASSERT_LE(grid.cells(k), resolution) << round;
            full += grid.cells(k) == resolution;
        }
    }
    EXPECT_GT(static_cast<double>(full), 50 * test_scale());
}

class SolidBoxesOf : public testing::TestWithParam<meshes::Family> {};
INSTANTIATE_TEST_SUITE_P(All, SolidBoxesOf,
                         testing::Values(meshes::Family::rectilinear, meshes::Family::round, meshes::Family::turned,
                                         meshes::Family::several, meshes::Family::thin, meshes::Family::extreme),
                         [](const auto& test) { return std::string(meshes::name(test.param)); });

TEST_P(SolidBoxesOf, LieWithinTheMesh) {
    const std::uint64_t seed = 20261202 + static_cast<std::uint64_t>(GetParam());
    Random random(seed);
    std::size_t boxes = 0, empty = 0;
    double share = 0;
    const int rounds = scaled(60);
    for (int round = 0; round < rounds; ++round) {
        const Mesh mesh = meshes::random_mesh(random, GetParam());
        const Found found = find(mesh, {.resolution = static_cast<std::uint32_t>(1 + random.below(16)),
                                        .max_boxes = static_cast<std::uint32_t>(1 + random.below(12)),
                                        .is_ungrown = random.chance(0.3)});
        const bool sheets = GetParam() == meshes::Family::several;
        ASSERT_EQ(meshes::what_is_wrong(mesh, found.boxes, random, sheets), "")
            << "seed " << seed << " round " << round << '\n'
            << mesh.describe();
        boxes += found.boxes.count();
        empty += found.boxes.count() == 0;
        if (found.volumes.mesh > 0) share += found.share() / rounds;
    }
    std::printf("[ figures  ] %-11s seed %llu: %zu boxes of %d meshes, %zu without, mean share %.2f\n",
                meshes::name(GetParam()), static_cast<unsigned long long>(seed), boxes, rounds, empty, share);
    // Cells of a thin mesh that is turned are as wide as it is.
    const bool thin = GetParam() == meshes::Family::thin;
    EXPECT_GT(static_cast<double>(boxes), (thin ? 0.4 : 1) * rounds);
    EXPECT_LT(static_cast<double>(empty), (thin ? 0.9 : 0.6) * rounds + 1);
}

}  // namespace
