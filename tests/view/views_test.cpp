#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/samples.hpp"
#include "support/scale.hpp"
#include "view/prepared_view.hpp"

/// Views that are more than a matrix: by corners, by planes, with clip planes, for both eyes; each with and without a
/// margin, on every instruction set, by every method, compared with the exact oracle. Nothing visible is culled. Where
/// the volume's corners are known, everything well apart is culled: apart by more than 2^-14 of the coordinates
/// involved, which are the object's relative to the volume's near end, and that end's size.

namespace {

using lanecull::Isa;
using lanecull::Method;
using lanecull::Plane;
using lanecull::Status;
using lanecull::View;
using lanecull::ViewOptions;

constexpr double well_apart = 0x1p-14;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// Objects.

Object random_object_near(Random& random, Kind kind, const Sample& sample, const HullSet& hulls) {
    const auto anchor = [&] {
        return sample.anchors[static_cast<std::size_t>(random.below(static_cast<int>(sample.anchors.size())))];
    };
    // A corner, or a point between two, three or four.
    Double3 at = anchor();
    const Double3 first = at;
    for (int k = random.below(4); k > 0; --k) at = at + random.unit() * (anchor() - at);
    double scale = length(anchor() - first);
    if (!(scale > 0)) scale = sample.near_size > 0 ? sample.near_size : 1;
    const double size = scale * random.log_range(1e-3, 0.5);
    return object_at(random, kind, at + random.range(0, 2) * size * random_direction(random), size, hulls);
}

/// The object pushed into the volume by bisection until it overlaps it by a float's step or so.
Object pushed(Kind kind, const Object& object, const exact::Volume& volume, const Double3& way, const HullSet& hulls) {
    constexpr int bisections = 26;
    const auto at = [&](double share) { return moved(kind, object, share * way); };
    const auto visible = [&](const Object& candidate) {
        return decide(exact_solid_of(kind, candidate, hulls), volume).verdict == exact::Verdict::visible;
    };
    double low = 0, high = 1;
    if (visible(at(low)) || !visible(at(high))) return object;
    for (int i = 0; i < bisections; ++i) {
        const double share = (low + high) / 2;
        (visible(at(share)) ? high : low) = share;
    }
    return at(high);
}

/// An object that grazes the volume, more often than not.
Object grazing_object(Random& random, Kind kind, const Sample& sample, const exact::Volume& volume,
                      const HullSet& hulls) {
    const Object object = random_object_near(random, kind, sample, hulls);
    Double3 middle{}, weight{};
    for (const Double3& anchor : sample.anchors) {
        const double share = random.unit();
        middle = middle + share * anchor, weight[0] += share;
    }
    const oracle::Vec p = solid_of(kind, object, hulls).points[0];
    const Double3 start = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    return pushed(kind, object, volume, 1 / weight[0] * middle - start, hulls);
}

struct Tally {
    std::uint64_t visible = 0, apart = 0, false_culls = 0;
    std::uint64_t well_apart = 0, stage_two = 0, kept = 0;
};
using Tallies = std::map<std::pair<Isa, Method>, Tally>;

struct Counts {
    int views = 0, empty = 0, planes_only = 0;
};

struct Case {
    Object object;
    bool visible, well_apart;
};

Case judge(const Sample& sample, const exact::Volume& volume, double margin, Kind kind, const Object& object,
           const HullSet& hulls) {
    const exact::Solid solid = exact_solid_of(kind, object, hulls);
    const exact::Verdict verdict = decide(solid, volume).verdict;
    EXPECT_NE(verdict, exact::Verdict::unclear);
    double extent = 0;
    for (const exact::Point& p : solid.points) {
        const auto at = exact::to_double(p);
        extent = std::max(extent, length(Double3{at.x, at.y, at.z} - sample.near_end));
    }
    extent += exact::to_double({solid.radius, 0, 0}).x + margin + sample.near_size;
    const bool apart = verdict == exact::Verdict::apart &&
                       decide(solid, volume, exact::rational(well_apart * extent)).verdict == exact::Verdict::apart;
    return {object, verdict == exact::Verdict::visible, apart};
}

void cull_sample(Random& random, const Sample& sample, const View& view, double margin, std::uint64_t seed,
                 Tallies& tallies) {
    const exact::Volume volume = sample.volume->widened(exact::rational(margin));
    const Kind kind = all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
    const HullSet hulls = random_hulls(random, 3);
    std::vector<Object> objects;
    std::vector<Case> cases;
    while (objects.size() < 32) {
        const bool grazes = objects.size() % 8 == 0;
        objects.push_back(grazes ? grazing_object(random, kind, sample, volume, hulls)
                                 : random_object_near(random, kind, sample, hulls));
        cases.push_back(judge(sample, volume, margin, kind, objects.back(), hulls));
    }
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = random.chance(0.5)});
    const bool is_exact = view.exact();
    for (const Isa isa : runnable_isas()) {
        const ViewResult planes = run_cull(batch, view, {.method = Method::planes, .isa = isa});
        for (const Method method : all_methods) {
            const ViewResult result = run_cull(batch, view, {.method = method, .isa = isa});
            Tally& tally = tallies[{isa, method}];
            for (std::size_t i = 0; i < cases.size(); ++i) {
                tally.visible += cases[i].visible;
                tally.apart += !cases[i].visible;
                if (cases[i].visible && !result.visible(i) && ++tally.false_culls <= 3) {
                    ADD_FAILURE() << "culled by " << method_name(method) << " on " << lanecull::isa_name(isa)
                                  << ", seed " << seed << ", object " << i << ", margin " << margin << "\n"
                                  << sample.text << "\nclip planes" << describe(sample.clip_planes) << "\n"
                                  << ::describe(kind, objects[i], hulls);
                }
                if (!is_exact || !cases[i].well_apart) continue;
                ++tally.well_apart;
                tally.stage_two += planes.visible(i);
                tally.kept += result.visible(i);
            }
        }
    }
}

struct Family {
    const char* name;
    Sample (*make)(Random&);
    int views;
    double planes_only_allowed, kept_allowed;  ///< shares: of the views, and of what is well apart
};

std::ostream& operator<<(std::ostream& out, const Family& family) { return out << family.name; }

class Views : public testing::TestWithParam<Family> {};

TEST_P(Views, AreNeverWrongAndExact) {
    const Family& family = GetParam();
    Tallies tallies;
    Counts counts;
    for (int v = 0; v < scaled(family.views); ++v) {
        const std::uint64_t seed = 7'000'000 + static_cast<std::uint64_t>(v);
        Random random(seed);
        const Sample sample = family.make(random);
        const double size = std::max(sample.near_size, 1e-3);
        const bool widened = random.chance(0.5) && sample.takes_margin;
        const double margin = widened ? size * random.log_range(1e-4, 1) : 0;
        View view;
        const Status status = sample.prepare(view, {.clip_planes = sample.clip_planes, .margin = margin});
        ++counts.views;
        counts.empty += sample.volume->empty();
        EXPECT_TRUE(status.ok()) << status.message() << ", seed " << seed << sample.text
                                 << describe(sample.clip_planes);
        if (!status) continue;
        EXPECT_TRUE(!view.sees_nothing() || sample.volume->empty())
            << "seed " << seed << sample.text << describe(sample.clip_planes);
        counts.planes_only += !view.exact();
        cull_sample(random, sample, view, margin, seed, tallies);
    }
    // Three standard deviations more: reduced runs have few views.
    const auto most = [&](double share) {
        return counts.views * share + 3 * std::sqrt(counts.views * share * (1 - share));
    };
    EXPECT_LE(counts.planes_only, most(family.planes_only_allowed));
    for (const auto& [key, tally] : tallies) {
        SCOPED_TRACE(std::string(lanecull::isa_name(key.first)) + " " + method_name(key.second));
        EXPECT_EQ(tally.false_culls, 0u);
        const double all = static_cast<double>(tally.visible + tally.apart);
        EXPECT_GT(static_cast<double>(tally.visible), 0.1 * all);
        EXPECT_GT(static_cast<double>(tally.apart), 0.1 * all);
        if (key.second == Method::planes || tally.well_apart < 500) continue;
        EXPECT_LE(static_cast<double>(tally.kept), family.kept_allowed * static_cast<double>(tally.well_apart));
    }
    const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
    const Tally& t = tallies.at({runnable_isas().back(), Method::automatic});
    std::printf(
        "[ figures  ] %-20s views %d empty %d planes alone %d | objects %llu visible %llu | well apart "
        "%llu, "
        "open to planes %llu, kept %llu\n",
        family.name, counts.views, counts.empty, counts.planes_only, number(t.visible + t.apart), number(t.visible),
        number(t.well_apart), number(t.stage_two), number(t.kept));
}

constexpr Family families[] = {{"corners_of_a_camera", corners_of_a_camera, 120, 0, 0.005},
                               {"any_corners", any_corners, 120, 0, 0.002},
                               {"planes_of_a_camera", planes_of_a_camera, 120, 0.15, 0.005},
                               {"any_polytope", any_polytope, 120, 0.3, 0.005},
                               {"endless_planes", endless_planes, 120, 0.85, 0.005},
                               {"clipped_camera", clipped_camera, 160, 0.05, 0.005},
                               {"stereo_pair", stereo_pair, 120, 0, 0.01},
                               {"sun_casters", sun_casters, 120, 0.05, 0.005},
                               {"endless_sun_casters", endless_sun_casters, 120, 0.15, 0.005},
                               {"lamp_casters", lamp_casters, 120, 0.05, 0.005},
                               {"spot_casters", spot_casters, 120, 0.15, 0.01},
                               {"casters_of_any_view", casters_of_any_view, 160, 0.3, 0.01}};

INSTANTIATE_TEST_SUITE_P(All, Views, testing::ValuesIn(families),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// Two eyes apart, each off centre, as two views of one call; and in one pass by the joint volume, which keeps all that
/// either keeps and, of what both lose, little: what is between the two.
TEST(Views, TwoEyesAndTheirJointVolume) {
    std::uint64_t pairs = 0, either = 0, joint_only = 0, lost = 0;
    for (int v = 0; v < scaled(60); ++v) {
        Random random(8'500'000 + static_cast<std::uint64_t>(v));
        const Camera left = random_camera(random, Projection::off_centre);
        Camera right = left;
        const double apart = left.size_at(left.depth[0]) * random.log_range(0.01, 1);
        const bool by_rows = left.clip_space.layout == lanecull::MatrixLayout::row_major;
        for (std::size_t r = 0; r < 4; ++r) {
            const auto at = [&](std::size_t c) { return by_rows ? 4 * r + c : 4 * c + r; };
            for (std::size_t c = 0; c < 3; ++c) right.matrix[at(3)] -= apart * left.matrix[at(c)] * left.axis[0][c];
        }
        right.single = false;
        std::array<View, 3> views;
        if (!left.prepare(views[0]) || !right.prepare(views[1])) continue;
        const Status status = lanecull::prepare_stereo_view(left.matrix, right.matrix, left.clip_space, views[2]);
        ASSERT_TRUE(status.ok()) << status.message();
        ++pairs;
        const HullSet hulls = random_hulls(random, 2);
        for (const Kind kind : all_kinds) {
            HeapMemory memory;
            const std::vector<Object> objects = random_objects(random, kind, left, 300, hulls);
            const lanecull::Batch batch = make_batch(kind, objects, hulls, memory);
            const std::vector<ViewResult> results = run_cull({&batch, 1}, views);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                const bool seen = results[0].visible(i) || results[1].visible(i), kept = results[2].visible(i);
                either += seen;
                joint_only += kept && !seen;
                lost += seen && !kept;
            }
        }
    }
    // An eye may keep what touches it more or less, and the joint volume prove it apart.
    EXPECT_LE(lost, either / 1000);
    EXPECT_GT(either, 300 * pairs);
    EXPECT_LT(joint_only, either / 4);
}

/// Between the four sides of the matrix 17 more touch the same cone, as clip planes and as a lamp's sides. With the two
/// eyes' 42 corners, 21 rays and the lamp there is room for no other.
TEST(Views, EndlessEyesOfManySidesKnowTheirCorners) {
    const auto eye = [](double near) {
        return std::array<double, 16>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -near, 0, 0, 1, 0};
    };
    constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
    constexpr int in_quadrant[] = {5, 4, 4, 4};
    for (int turn = 0; turn < 20; ++turn) {
        SCOPED_TRACE(testing::Message() << "turn " << turn);
        std::vector<Plane> tangents;
        for (int quadrant = 0; quadrant < 4; ++quadrant) {
            for (int k = 1; k <= in_quadrant[quadrant]; ++k) {
                const double share = (k + 0.02 * (turn - 10)) / (in_quadrant[quadrant] + 1);
                const double angle = (quadrant + share) * 1.5707963267948966;
                tangents.push_back({{-std::cos(angle), -std::sin(angle), 1}, 0});
            }
        }
        const std::span<const Plane> all(tangents);
        const lanecull::Lamp lamp = {.at = {3, 2, -1}, .sides = all.subspan(10)};
        View view;
        const ViewOptions options = {.clip_planes = all.first(10), .lamp = &lamp};
        ASSERT_TRUE(lanecull::prepare_stereo_view(eye(1), eye(2), by_rows, view, options));
        EXPECT_EQ(contents_of(view).volume, lanecull::VolumeKind::polytope);
    }
}

// Arguments.

bool same_bytes(const View& a, const View& b) {
    return std::memcmp(&contents_of(a), &contents_of(b), sizeof(lanecull::PreparedView)) == 0;
}

/// Row by row: looks along +z, |x| <= z, |y| <= z, 1 <= z <= 10; and |x| <= 2, |y| <= 4, 0 <= z <= 8.
constexpr std::array<double, 16> perspective = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 10.0 / 9, -10.0 / 9, 0, 0, 1, 0};
constexpr std::array<double, 16> orthographic = {0.5, 0, 0, 0, 0, 0.25, 0, 0, 0, 0, 0.125, 0, 0, 0, 0, 1};
constexpr lanecull::ClipSpace by_rows = {.layout = lanecull::MatrixLayout::row_major};
constexpr std::array<double, 24> cube = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
const std::vector<Plane> cube_planes = {{{1, 0, 0}, 0},  {{-1, 0, 0}, 1}, {{0, 1, 0}, 0},
                                        {{0, -1, 0}, 1}, {{0, 0, 1}, 0},  {{0, 0, -1}, 1}};

template <class Prepare>
void expect_refused(const std::string& named, const Prepare& prepare) {
    View view;
    ASSERT_TRUE(lanecull::prepare_view(perspective, by_rows, view));
    const View before = view;
    const Status status = prepare(view);
    ASSERT_FALSE(status.ok()) << "wanted a failure naming " << named;
    EXPECT_EQ(std::string(status.message()).find(named), 0u) << '"' << status.message() << "\" does not name " << named;
    EXPECT_TRUE(same_bytes(view, before)) << named << ": a refused view must stay as it was";
}

/// The rules of options are the same for every kind of view.
TEST(ViewArguments, CullOptions) {
    const auto refused = [](const std::string& named, const ViewOptions& options) {
        SCOPED_TRACE(named);
        expect_refused(named, [&](View& v) { return lanecull::prepare_view(perspective, by_rows, v, options); });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view(orthographic, by_rows, v, options); });
        expect_refused(named, [&](View& v) {
            return lanecull::prepare_stereo_view(perspective, perspective, by_rows, v, options);
        });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_corners(cube, v, options); });
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_planes(cube_planes, v, options); });
    };
    for (const double value : {-1.0, -1e-300, nan_value, infinity, 1e31}) {
        refused("options.margin", {.margin = value});
        refused("options.size_scale", {.size_scale = value});
    }
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1e31}) {
            Double3 eye{};
            eye[k] = value;
            refused("options.eye", {.eye = eye.data()});
        }
    }
    const std::vector<Plane> eleven(11, Plane{{1, 0, 0}, 100});
    refused("options.clip_planes", {.clip_planes = eleven});
    for (std::size_t k = 0; k < 4; ++k) {
        for (const double value : {nan_value, infinity, -infinity}) {
            std::vector<Plane> planes(2, Plane{{1, 0, 0}, 100});
            (k < 3 ? planes[1].normal[k] : planes[1].offset) = value;
            refused("options.clip_planes[1]", {.clip_planes = planes});
        }
    }
    const Plane none[] = {{{0, 0, 0}, 1}};
    refused("options.clip_planes[0]", {.clip_planes = none});
}

TEST(ViewArguments, Corners) {
    for (std::size_t k = 0; k < 24; ++k) {
        for (const double value : {nan_value, infinity, -infinity, 1.1e30, -1.1e30}) {
            std::array<double, 24> corners = cube;
            corners[k] = value;
            expect_refused("corners", [&](View& v) { return lanecull::prepare_view_from_corners(corners, v); });
        }
    }
}

TEST(ViewArguments, Planes) {
    const auto refused = [](const std::string& named, const std::vector<Plane>& planes) {
        expect_refused(named, [&](View& v) { return lanecull::prepare_view_from_planes(planes, v); });
    };
    refused("planes", {});
    refused("planes", std::vector<Plane>(17, Plane{{1, 0, 0}, 1}));
    refused("planes[1]", {{{1, 0, 0}, 1}, {{0, 0, 0}, 1}});
    refused("planes[0]", {{{nan_value, 0, 0}, 1}});
    refused("planes[0]", {{{1, 0, infinity}, 1}});
    refused("planes[0]", {{{1, 0, 0}, nan_value}});
    refused("planes[0]", {{{1, 0, 0}, -infinity}});
    const std::vector<Plane> ten(10, Plane{{1, 0, 0}, 100}), seven(7, Plane{{1, 0, 0}, 100});
    expect_refused("planes",
                   [&](View& v) { return lanecull::prepare_view_from_planes(seven, v, {.clip_planes = ten}); });
    View view;
    EXPECT_TRUE(lanecull::prepare_view_from_planes(std::span(seven).first(6), view, {.clip_planes = ten}));
}

TEST(ViewArguments, Stereo) {
    const auto refused = [](const std::string& named, const std::array<double, 16>& left,
                            const std::array<double, 16>& right, const lanecull::ClipSpace& clip_space) {
        expect_refused(named, [&](View& v) { return lanecull::prepare_stereo_view(left, right, clip_space, v); });
    };
    for (std::size_t k = 0; k < 16; ++k) {
        for (const double value : {nan_value, infinity}) {
            std::array<double, 16> matrix = perspective;
            matrix[k] = value;
            refused("left", matrix, perspective, by_rows);
            refused("right", perspective, matrix, by_rows);
        }
    }
    refused("left", orthographic, perspective, by_rows);
    refused("right", perspective, orthographic, by_rows);
    refused("left", {}, perspective, by_rows);
    refused("right", perspective, {}, by_rows);
    refused("clip_space.origin", perspective, perspective, {.origin = {0, nan_value, 0}});
    // Endless in opposite ways.
    std::array<double, 16> forward = perspective;
    forward[10] = 1, forward[11] = -1;
    std::array<double, 16> backward = forward;
    for (const std::size_t k : {10u, 14u}) backward[k] = -backward[k];
    refused("left, right", forward, backward, by_rows);
}

}  // namespace
