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

/// solid_boxes() and solid_hull(): how much of a mesh they fill, and their arguments. That a box or hull lies within
/// the mesh, and that what is not closed is refused, is a property (properties/solids).

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

/// Shares of the volume, with the default options; and how they grow with boxes and cells.
TEST(SolidBoxesOfMeshes, CoverAGoodPart) {
    const Mesh turned_box = meshes::box({-1, -2, -3}, {1, 2, 3}).mapped([](double x, double y, double z) {
        return std::array{0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, z};
    });
    const struct {
        const char* name;
        Mesh mesh;
        double least, least_of_64;
    } all[] = {{"box", meshes::box({0.1f, -3.7f, 100.3f}, {7.9f, 1.3f, 111.1f}), 1 - 1e-12, 1 - 1e-12},
               {"sphere", meshes::sphere(5, 48, 24), 0.70, 0.80},
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
        EXPECT_TRUE(found.boxes.owners(0).empty());
    }
}

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
               {"ball", meshes::sphere(2, 24, 12).flipped(), 0.6},
               {"cylinder", block.mapped(cylinder), 0.8}};
    lanecull::Viewpoint from;
    ASSERT_TRUE(lanecull::prepare_viewpoint_from_eyes(std::array{-50.0, 3.0, 0.5}, 0, from).ok());
    for (const auto& [name, mesh, least] : all) {
        const Found boxes = find(mesh);
        const meshes::Corner middle = meshes::middle_of(boxes.boxes, 0);
        lanecull::SolidHull hull;
        double volume = -1;
        const Status status = lanecull::solid_hull(mesh.view(), {middle[0], middle[1], middle[2]}, hull, &volume);
        ASSERT_TRUE(status.ok()) << name << ": " << status.message();
        std::printf("%s: %u corners, %.3f of its volume\n", name, hull.corner_count, volume / boxes.volumes.mesh);
        EXPECT_GE(volume / boxes.volumes.mesh, least) << name;
        lanecull::Occluder occluder;
        EXPECT_EQ(prepare_occluder(lanecull::SolidHullInstance{&hull}, from, occluder),
                  lanecull::OccluderRefusal::none);
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

/// What is inside of the mesh, and what of it boxes find.
TEST(SolidBoxesOfMeshes, FillWhatIsInside) {
    const Mesh outer = meshes::box({0, 0, 0}, {8, 8, 8}), inner = meshes::box({2, 2, 2}, {6, 6, 6});
    const Mesh beside = meshes::box({20, 0, 0}, {24, 4, 4}), module = meshes::box({0, 0, 0}, {3, 2, 2});
    const auto both = [](Mesh a, const Mesh& b) { return a.add(b), a; };
    const auto flat = [](const Mesh& mesh, double scale) {
        return mesh.mapped([=](double x, double y, double) { return std::array{scale * x, y, x + scale * y}; });
    };
    // Triangles without area: one with equal corners, and two of which each is the other's way back.
    Mesh with_others = meshes::l_prism();
    with_others.triangles.insert(with_others.triangles.end(), {{0, 0, 5}, {1, 2, 3}, {3, 2, 1}});
    // A corner in the middle of an edge: a triangle without area between the edge and its two halves.
    Mesh split = meshes::box({0, 0, 0}, {2, 2, 2});
    const meshes::Index3 t = split.triangles[0];
    const meshes::Corner a = split.vertices[t[0]], b = split.vertices[t[1]];
    split.vertices.push_back({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2});
    const auto middle = static_cast<std::uint32_t>(split.vertices.size() - 1);
    split.triangles[0] = {t[0], middle, t[2]};
    split.triangles.insert(split.triangles.end(), {{middle, t[1], t[2]}, {t[0], t[1], middle}});
    const double l = find(meshes::l_prism()).volumes.mesh;
    const struct {
        const char* name;
        Mesh mesh;
        double volume, of_boxes;
    } all[] = {{"a cavity", both(outer, inner.flipped()), 512 - 64, 512 - 64},
               {"a cavity, the other way round", both(outer, inner.flipped()).flipped(), 512 - 64, 512 - 64},
               {"nested: cells on both sides of the inner faces are inside", both(outer, inner), 512 + 64, 512},
               {"apart", both(outer, beside), 512 + 64, 512 + 64},
               {"apart, one the other way round", both(outer, beside.flipped()), 512 - 64, 512},
               {"abutting", both(module, meshes::box({3, 0, 0}, {5, 2, 2})), 20, 20},
               {"overlapping", both(module, meshes::box({2, 0, 0}, {5, 2, 2})), 24, 20},
               {"a flat box", flat(outer, 0), 0, 0},
               {"a flat ball", flat(meshes::sphere(1, 8, 6), 1), 0, 0},
               {"twice along itself, once each way", both(outer, outer.flipped()), 0, 0},
               {"triangles without area", with_others, l, l},
               {"a corner on an edge", split, 8, 8}};
    for (const auto& [name, mesh, volume, of_boxes] : all) {
        const Found found = find(mesh, {.max_boxes = 64});
        EXPECT_NEAR(found.volumes.mesh, volume, 1e-9) << name;
        EXPECT_NEAR(found.volumes.boxes, of_boxes, 1e-9) << name;
    }
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
TEST(SolidBoxesOfMeshes, BadArgumentsAreNamed) {
    const auto expect_refused = [](const lanecull::TriangleMesh& mesh, const std::string& named,
                                   const MeshSolidOptions& options = {}) {
        Found found = find(meshes::box({0, 0, 0}, {1, 1, 1}), {.resolution = 2});
        found.volumes = {7, 7};
        const Status status = lanecull::solid_boxes(mesh, found.boxes, options, &found.volumes);
        EXPECT_NE(std::string(status.message()).find(named), std::string::npos)
            << '"' << status.message() << "\" does not name " << named;
        EXPECT_EQ(found.boxes.count(), 1u);
        EXPECT_EQ(found.volumes.mesh, 7);
    };
    const Mesh mesh = meshes::box({0, 0, 0}, {1, 1, 1});
    lanecull::TriangleMesh view = mesh.view();
    expect_refused(view, "options.resolution", {.resolution = 257});
    expect_refused(view, "options.max_boxes", {.max_boxes = 257});
    view.vertices.y = nullptr;
    expect_refused(view, "vertices.y");
    view = mesh.view(), view.indices = nullptr;
    expect_refused(view, "mesh.indices");
    view = mesh.view(), view.triangle_count = 0;
    expect_refused(view, "mesh.triangle_count");
    view = mesh.view(), view.vertices.stride_bytes = 3;
    expect_refused(view, "vertices.stride_bytes");
    const std::pair<const char*, void (*)(Mesh&)> changes[] = {
        {"mesh.indices[10]", [](Mesh& m) { m.triangles[3][1] = 24; }},
        {"mesh.vertices.z[5]", [](Mesh& m) { m.vertices[5][2] = std::numeric_limits<float>::quiet_NaN(); }},
        {"mesh: not closed", [](Mesh& m) { m.triangles.pop_back(); }},
        {"flipped", [](Mesh& m) { std::swap(m.triangles[7][0], m.triangles[7][1]); }},
        {"there twice", [](Mesh& m) { m.triangles.push_back(m.triangles[7]); }}};
    for (const auto& [named, change] : changes) {
        Mesh broken = mesh;
        change(broken);
        expect_refused(broken.view(), named);
    }
}

}  // namespace
