#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <variant>
#include <vector>

#include <lanecull/visibility.h>

#include "../../tools/lanecull/scene/city.hpp"
#include "../../tools/lanecull/scene/scene_solids.hpp"
#include "oracle/exact_hiding.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"
#include "view/prepared_occluder.hpp"

/// Cells at street level in the program's city, against exact arithmetic: what is left out of a cell's set is hidden
/// from eyes in the cell by a single solid; and sets are little larger than what eyes in the cell may see together.
///
/// LANECULL_VISIBILITY_OBJECTS, _CELLS, _EYES, _SAMPLES and _TRIPLES run more (tests/PROVER.md); _PARTS is
/// BakeOptions::max_parts.

namespace {

using lanecull::program::SceneSolids;

constexpr double cell_size[3] = {8, 8, 2};
constexpr double near_reach = 0.2;

std::size_t wanted(const char* variable, std::size_t otherwise) {
    const char* value = std::getenv(variable);
    return value != nullptr ? std::strtoull(value, nullptr, 10) : otherwise;
}

/// Object i of a group as the oracle knows it.
exact::Solid exact_object(const lanecull::program::Arrays& arrays, std::size_t i) {
    using namespace lanecull::program;
    if (const auto* s = std::get_if<SphereArrays>(&arrays)) {
        const float centre[3] = {s->x[i], s->y[i], s->z[i]};
        return exact::sphere(centre, s->radius[i]);
    }
    if (const auto* b = std::get_if<BoxArrays>(&arrays)) {
        const float min[3] = {b->min_x[i], b->min_y[i], b->min_z[i]}, max[3] = {b->max_x[i], b->max_y[i], b->max_z[i]};
        return exact::box(min, max);
    }
    if (const auto* b = std::get_if<CenteredBoxArrays>(&arrays)) {
        const float centre[3] = {b->x[i], b->y[i], b->z[i]}, half[3] = {b->half_x[i], b->half_y[i], b->half_z[i]};
        return exact::centered_box(centre, half);
    }
    if (const auto* b = std::get_if<OrientedBoxArrays>(&arrays)) {
        const float centre[3] = {b->x[i], b->y[i], b->z[i]};
        return exact::oriented_box(centre, &b->axes[9 * i], &b->half_extents[3 * i]);
    }
    if (const auto* c = std::get_if<CapsuleArrays>(&arrays)) {
        const float a[3] = {c->a_x[i], c->a_y[i], c->a_z[i]}, b[3] = {c->b_x[i], c->b_y[i], c->b_z[i]};
        return exact::capsule(a, b, c->radius[i]);
    }
    const auto& hulls = std::get<HullInstanceArrays>(arrays);
    const HullMesh& mesh = hulls.meshes[hulls.hull_index[i]];
    std::vector<std::array<float, 3>> vertices;
    for (std::size_t v = 0; v < mesh.x.size(); ++v) vertices.push_back({mesh.x[v], mesh.y[v], mesh.z[v]});
    return exact::hull(&hulls.transforms[12 * i], vertices);
}

/// The city with all that a bake needs.
struct City {
    lanecull::program::Scene scene;
    SceneSolids solids;
    lanecull::Scene ordered;
    static constexpr std::uint32_t vacant = ~std::uint32_t{0};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> object_of_slot;  ///< group, index; vacant slots have no group
    lanecull::BakeScene world;
    lanecull::CellGrid grid;

    explicit City(std::uint64_t objects) : scene(lanecull::program::make_city(objects)), solids(scene) {
        const std::vector<lanecull::Batch> batches = scene.batches();
        std::vector<lanecull::Handle> handles(scene.object_count());
        EXPECT_TRUE(ordered.add(batches, handles).ok());
        ordered.refit();
        object_of_slot.resize(ordered.slot_count(), {vacant, 0});
        std::size_t n = 0;
        for (std::uint32_t g = 0; g < batches.size(); ++g) {
            for (std::uint32_t i = 0; i < batches[g].count(); ++i) {
                std::uint32_t slot = 0;
                EXPECT_TRUE(ordered.slot_of(handles[n++], slot).ok());
                object_of_slot[slot] = {g, i};
            }
        }
        const lanecull::Status prepared = world.prepare(ordered, solids.set());
        EXPECT_TRUE(prepared.ok()) << prepared.message();
        const auto bounds = scene.bounds();
        const double low[3] = {bounds.lower.x, bounds.lower.y, 0.5}, high[3] = {bounds.upper.x, bounds.upper.y, 2.5};
        EXPECT_TRUE(lanecull::cover_with_cells(low, high, cell_size, grid).ok());
    }
    [[nodiscard]] exact::HalfSpaces facets(std::uint32_t solid) const {
        if (solid < solids.boxes.size()) return exact::facets_of_box(solids.boxes[solid].min, solids.boxes[solid].max);
        const lanecull::SolidOrientedBox& box = solids.oriented_boxes[solid - solids.boxes.size()];
        return exact::facets_of_oriented_box(box.center, box.half_extents, &box.axes[0][0]);
    }
};

City& city() {
    static City one(wanted("LANECULL_VISIBILITY_OBJECTS", static_cast<std::size_t>(std::max(4'000, scaled(20'000)))));
    return one;
}

struct Baked {
    lanecull::ConvexCell cell;
    std::vector<std::uint64_t> words;
    std::vector<std::uint32_t> occluders;
    lanecull::BakedCell result;
    double milliseconds;
};

Baked bake(const City& city, std::uint64_t cell) {
    static std::vector<std::byte> scratch;
    Baked baked;
    baked.words.resize(city.world.visibility_words());
    baked.occluders.resize(4096);
    baked.result.occluders = baked.occluders;
    scratch.resize(city.world.scratch_bytes());
    EXPECT_TRUE(lanecull::cell_of(city.grid, cell, baked.cell).ok());
    const auto parts =
        static_cast<std::uint32_t>(wanted("LANECULL_VISIBILITY_PARTS", std::size_t{lanecull::BakeOptions{}.max_parts}));
    const lanecull::BakeOptions options{.near_reach = near_reach, .max_parts = parts};
    const std::clock_t start = std::clock();
    const lanecull::Status status =
        lanecull::bake_cell(city.world, baked.cell, options, scratch, baked.words, baked.result);
    baked.milliseconds = 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_TRUE(status.ok()) << status.message();
    baked.occluders.resize(baked.result.occluder_count);
    return baked;
}

bool has(const std::vector<std::uint64_t>& words, std::size_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

std::array<double, 3> random_eye(Random& random, const lanecull::ConvexCell& cell) {
    std::array<double, 3> eye;
    for (std::size_t k = 0; k < 3; ++k) eye[k] = random.range(cell.corner[0][k], cell.corner[7][k]);
    return eye;
}

/// An object's points in doubles.
struct RoughObject {
    std::vector<exact::Vec<double>> points;
    double radius;

    explicit RoughObject(const exact::Solid& object) : radius(static_cast<double>(object.radius)) {
        for (const exact::Point& point : object.points) points.push_back(exact::to_double(point));
    }
    [[nodiscard]] bool lies_within(const lanecull::PreparedOccluder& occluder) const {
        for (std::uint32_t i = 0; i < occluder.count; ++i) {
            const auto part = [&](std::size_t k, double at) {
                return double{occluder.normal[i][k]} * (at - double{occluder.origin[k]});
            };
            for (const exact::Vec<double>& p : points) {
                const double inward = part(0, p.x) + part(1, p.y) + part(2, p.z) + double{occluder.offset[i]};
                if (inward < radius) return false;
            }
        }
        return true;
    }
};

/// Prepares a solid of the city, as bakes do; none that may be cut by a near plane.
lanecull::Occluder prepare(const City& city, std::uint32_t solid, const lanecull::Viewpoint& viewpoint) {
    lanecull::Occluder occluder;
    city.solids.visit(solid, [&](const auto& box) {
        const lanecull::OccluderOptions options{.drawn = &city.solids.drawn[solid]};
        static_cast<void>(lanecull::prepare_occluder(box, viewpoint, occluder, options));
    });
    return occluder;
}

/// The solids that hide from a cell, prepared again.
struct Hiders {
    std::vector<std::uint32_t> solids;
    std::vector<lanecull::Occluder> occluders;

    Hiders(const City& city, const Baked& baked) : solids(baked.occluders), occluders(baked.occluders.size()) {
        lanecull::Viewpoint viewpoint;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes({&baked.cell.corner[0][0], 24}, near_reach, viewpoint).ok());
        for (std::size_t k = 0; k < solids.size(); ++k) {
            occluders[k] = prepare(city, solids[k], viewpoint);
            EXPECT_TRUE(occluders[k].prepared());
        }
    }
    /// Whether one solid hides the object from the eye, by rationals: one of the cell's that seems to first, then one
    /// that seems to from the eye, for the cell may have been baked in parts, then all.
    [[nodiscard]] bool hide(const City& city, const exact::Solid& object, const std::array<double, 3>& eye) const {
        const exact::Sight sight{{exact::point(eye[0], eye[1], eye[2])}, {}};
        const auto hides = [&](std::uint32_t solid) {
            const auto hidden = exact::hidden_by(city.facets(solid), sight);
            return hidden.has_value() && contain(*hidden, object);
        };
        const RoughObject rough(object);
        for (std::size_t k = 0; k < solids.size(); ++k) {
            if (rough.lies_within(contents_of(occluders[k])) && hides(solids[k])) return true;
        }
        lanecull::Viewpoint viewpoint;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, near_reach, viewpoint).ok());
        for (std::uint32_t solid = 0; solid < city.solids.count(); ++solid) {
            const lanecull::Occluder occluder = prepare(city, solid, viewpoint);
            if (occluder.prepared() && rough.lies_within(contents_of(occluder)) && hides(solid)) return true;
        }
        for (std::uint32_t solid = 0; solid < city.solids.count(); ++solid) {
            if (hides(solid)) return true;
        }
        return false;
    }
};

TEST(CityVisibility, LeavesOutWhatOneSolidHides) {
    const City& city = ::city();
    const std::size_t triples = wanted("LANECULL_VISIBILITY_TRIPLES", static_cast<std::size_t>(scaled(4'000)));
    const std::size_t cells = std::max<std::size_t>(8, triples / 1000);
    Random random(1);
    std::size_t asked = 0, seen = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        const std::uint64_t cell = random.bits() % city.grid.cell_count();
        const Baked baked = bake(city, cell);
        const Hiders hiders(city, baked);
        for (std::size_t n = 0; n < triples / cells && baked.result.hidden > 0;) {
            const std::size_t slot = random.bits() % city.object_of_slot.size();
            const auto [group, index] = city.object_of_slot[slot];
            if (has(baked.words, slot) || group == City::vacant) continue;
            const std::array<double, 3> eye = random_eye(random, baked.cell);
            const exact::Solid object = exact_object(city.scene.groups[group].arrays, index);
            ++asked, ++n;
            if (hiders.hide(city, object, eye)) continue;
            ++seen;
            ADD_FAILURE() << "cell " << cell << " eye " << eye[0] << " " << eye[1] << " " << eye[2] << " object "
                          << index << " of group " << group;
            ASSERT_LT(seen, 10u);
        }
    }
    std::printf("[ figures  ] %zu triples of %zu cells: %zu seen past every single solid\n", asked, cells, seen);
    EXPECT_GT(asked, triples / 2);
}

/// What single solids leave to an eye, among the objects in `asked`: culled with all solids, 64 at a time.
class EyeCull {
public:
    explicit EyeCull(const City& city)
        : city_(city),
          scratch_(lanecull::scratch_bytes(city.ordered, 1)),
          choose_(lanecull::choose_scratch_bytes(city.solids.count())) {
        lanecull::Plane plane;
        plane.normal[2] = 1;
        plane.offset = 1e30;
        EXPECT_TRUE(lanecull::prepare_view_from_planes({&plane, 1}, everything_).ok());
    }
    void cull(const std::array<double, 3>& eye, std::vector<std::uint64_t>& words) {
        lanecull::Viewpoint viewpoint;
        EXPECT_TRUE(lanecull::prepare_viewpoint_from_eyes(eye, near_reach, viewpoint).ok());
        std::vector<std::uint64_t> open(city_.solids.count() / 64 + 1, ~std::uint64_t{0}), left(words.size());
        std::vector<lanecull::Occluder> occluders(64);
        std::vector<std::uint32_t> indices(64);
        for (int round = 0; round < 20; ++round) {
            std::uint32_t count = 0;
            EXPECT_TRUE(lanecull::choose_occluders(city_.solids.set(), everything_, viewpoint, occluders, indices,
                                                   choose_, count, {.candidates = open})
                            .ok());
            if (count == 0) return;
            for (std::uint32_t k = 0; k < count; ++k) {
                open[indices[k] / 64] &= ~(std::uint64_t{1} << indices[k] % 64);
                occluders[k].owners = {};
            }
            lanecull::Output output;
            output.visible = left;
            output.candidates = words;
            output.occluders = std::span(occluders).first(count);
            EXPECT_TRUE(lanecull::cull(city_.ordered, {&everything_, 1}, {&output, 1}, scratch_).ok());
            words = left;
        }
    }

private:
    const City& city_;
    std::vector<std::byte> scratch_, choose_;
    lanecull::View everything_;
};

std::size_t count_of(const std::vector<std::uint64_t>& words) {
    std::size_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

double compressed_bytes(const std::vector<std::uint64_t>& words) {
    lanecull::CompressedSet set;
    EXPECT_TRUE(set.compress(words).ok());
    return static_cast<double>(set.bytes().size());
}

TEST(CityVisibility, SetsAreLittleLargerThanWhatEyesSee) {
    const City& city = ::city();
    const std::size_t cells = wanted("LANECULL_VISIBILITY_CELLS", static_cast<std::size_t>(scaled(4)));
    const std::size_t eyes = wanted("LANECULL_VISIBILITY_EYES", 200);
    Random random(2);
    const std::size_t samples = wanted("LANECULL_VISIBILITY_SAMPLES", 0);
    std::size_t missed = 0, seen_by_any = 0;
    EyeCull by_eye(city);
    double sum = 0, worst = 0, share = 0, time = 0, slowest = 0, occluders = 0, bytes = 0, changed_bytes = 0;
    for (std::size_t c = 0; c < cells; ++c) {
        const std::uint64_t cell = random.bits() % (city.grid.cell_count() - 1);
        const Baked baked = bake(city, cell);
        bytes += compressed_bytes(baked.words);
        std::vector<std::uint64_t> changed = bake(city, cell + 1).words;
        for (std::size_t w = 0; w < changed.size(); ++w) changed[w] ^= baked.words[w];
        changed_bytes += compressed_bytes(changed);
        std::vector<std::uint64_t> unseen = baked.words;  // of the set, by no eye so far
        const auto look_from = [&](const std::array<double, 3>& eye) {
            std::vector<std::uint64_t> seen = unseen;
            by_eye.cull(eye, seen);
            for (std::size_t w = 0; w < seen.size(); ++w) unseen[w] &= ~seen[w];
        };
        for (std::size_t e = 0; e < eyes; ++e) look_from(random_eye(random, baked.cell));
        if (samples > 0) {  // what views from the corners and from random places see, and what they miss of that
            const std::vector<std::uint64_t> unseen_by_eyes = unseen;
            unseen = baked.words;
            for (const auto& corner : baked.cell.corner) look_from({corner[0], corner[1], corner[2]});
            for (std::size_t e = 0; e < samples; ++e) look_from(random_eye(random, baked.cell));
            for (std::size_t w = 0; w < unseen.size(); ++w) {
                missed += static_cast<std::size_t>(std::popcount(unseen[w] & ~unseen_by_eyes[w]));
                seen_by_any +=
                    static_cast<std::size_t>(std::popcount(baked.words[w] & ~(unseen[w] & unseen_by_eyes[w])));
            }
            unseen = unseen_by_eyes;
        }
        const auto set = static_cast<double>(baked.result.visible);
        const double ratio = set / std::max(1.0, set - static_cast<double>(count_of(unseen)));
        sum += ratio, worst = std::max(worst, ratio);
        share += set / static_cast<double>(city.ordered.object_count());
        time += baked.milliseconds, slowest = std::max(slowest, baked.milliseconds),
                                    occluders += baked.result.occluder_count;
    }
    const auto n = static_cast<double>(cells);
    std::printf(
        "[ figures  ] %llu objects, %zu cells: %.2f %% visible, %.1f ms of a core (slowest %.1f), %.1f occluders, "
        "%.0f bytes a cell (%.0f of what differs from its neighbour)\n",
        static_cast<unsigned long long>(city.ordered.object_count()), cells, 100 * share / n, time / n, slowest,
        occluders / n, bytes / n, changed_bytes / n);
    if (eyes > 0) {
        std::printf("[ figures  ] set / union of %zu eyes: mean %.3f, worst %.3f\n", eyes, sum / n, worst);
    }
    if (samples > 0) {
        std::printf("[ figures  ] of %zu objects that some eye sees, the corners and %zu random eyes miss %zu\n",
                    seen_by_any, samples, missed);
    }
    EXPECT_TRUE(eyes == 0 || sum / n <= 1.3);
}

}  // namespace
