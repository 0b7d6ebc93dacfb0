#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <lanecull/gjk.hpp>
#include <lanecull/gjk/turning_cast.hpp>

#include "properties/pairs/setting.hpp"
#include "support/culling.hpp"
#include "support/queries.hpp"

/// Pairs for which the truth is known. By their numbers: small objects beside large ones, transforms as large as what
/// they map is small, and slivers. By independent labels, and those of public reports about depths.

namespace {

using properties::ask;
using properties::PairAnswers;
using properties::PairOfObjects;
using properties::PairSetting;

/// Calls check(answers, i, what) for each pair of a setting on each instruction set.
template <class Check>
void for_answers(const PairSetting& setting, const Check& check) {
    for (const lanecull::Isa isa : runnable_isas()) {
        const PairAnswers answers = ask(setting, isa);
        for (std::size_t i = 0; i < setting.pairs.size(); ++i) {
            check(answers, i, setting.describe(i) + ", by " + lanecull::isa_name(isa));
        }
    }
}

/// The corners of a box from `low` to `high`.
Vertices corners(const std::array<float, 3>& low, const std::array<float, 3>& high) {
    Vertices vertices;
    for (unsigned corner = 0; corner < 8; ++corner) {
        auto& vertex = vertices.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) vertex[k] = (corner >> k & 1) != 0 ? high[k] : low[k];
    }
    return vertices;
}

/// Puts fields one after the other.
Object object_of(std::initializer_list<float> fields, std::uint32_t hull = 0) {
    Object object;
    std::copy(fields.begin(), fields.end(), object.fields.begin());
    object.hull = hull;
    return object;
}

/// A floor whose upper face is level or tilted as 3 to 4, goes through the origin and reaches `half` to each side; it
/// is `depth` thick. All numbers are integers times powers of two.
Object floor_of(Kind kind, float half, float depth, bool tilts, HullSet& hulls) {
    // Along the face, out of it, and along it: as long as 1, or as 5.
    const float rows[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {4, 3, 0, -3, 4, 0, 0, 0, 5}};
    const float* const n = rows[tilts];
    const float unit = tilts ? 5.0f : 1.0f, h = half / unit, d = depth / 2 / unit;
    const float x = -d * n[3], y = -d * n[4], z = -d * n[5];
    switch (kind) {
        case Kind::oriented_box:
            return object_of({x, y, z, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], h, d, h});
        case Kind::box:
            return object_of({-h, -2 * d, -h, h, 0, h});
        case Kind::centered_box:
            return object_of({x, y, z, h, d, h});
        default:
            hulls.push_back(corners({-h, -2 * d, -h}, {h, 0, h}));
            return object_of({n[0], n[3], n[6], 0, n[1], n[4], n[7], 0, n[2], n[5], n[8], 0, -h, -2 * d, -h, h, 0, h},
                             static_cast<std::uint32_t>(hulls.size() - 1));
    }
}

/// A ball `height` above a floor.
PairOfObjects ball_above(Kind kind, bool tilts, float half, float depth, float along, float height, float radius,
                         HullSet& hulls) {
    // Out of the face by `height`, and along it. All of it is exact.
    const float n = tilts ? height / 5 : height;
    return {.a = floor_of(kind, half, depth, tilts, hulls),
            .b = tilts ? object_of({along - 3 * n, 0.75f * along + 4 * n, -0.25f * along, radius})
                       : object_of({along, n, -0.25f * along, radius})};
}

/// Balls above floors of many sizes, of every kind that can have the shape of a floor, in both orders.
TEST(LargeTargets, AreApartByLittle) {
    constexpr float height = 5 * 0x1.ap-4f, gap = 0x1p-12f;  // a fifth of the height is a float, too
    const std::pair<Kind, bool> floors[] = {{Kind::oriented_box, false}, {Kind::oriented_box, true},
                                            {Kind::box_instance, false}, {Kind::box_instance, true},
                                            {Kind::hull, false},         {Kind::hull, true},
                                            {Kind::box, false},          {Kind::centered_box, false}};
    for (const auto& [kind, tilts] : floors) {
        PairSetting setting{kind, Kind::sphere, {}, {}};
        for (const float half : {5.0f, 50.0f, 500.0f, 5000.0f, 50000.0f}) {
            for (const float depth : {0.5f, 2 * half}) {
                for (const float share : {0.0f, 0.25f, 0.75f}) {
                    for (const float radius : {height - gap, height + gap}) {
                        setting.pairs.push_back(ball_above(kind, tilts, half, depth, std::floor(share * half), height,
                                                           radius, setting.hulls));
                    }
                }
            }
        }
        const auto check = [](const PairAnswers& of, std::size_t i, const std::string& what) {
            EXPECT_EQ(of.separated(i), i % 2 == 0) << what;
        };
        for_answers(setting, check);
        std::swap(setting.kind_a, setting.kind_b);
        for (PairOfObjects& pair : setting.pairs) std::swap(pair.a, pair.b);
        for_answers(setting, check);
    }
}

/// Scaled so that the pair's size is 1, the columns are 2^110 to 2^150, an axis of its own each. A ball touches the
/// cube, another is apart from it by half of the cube's size.
TEST(PairHulls, AreNotKeptForLargeColumns) {
    for (const int e : {-149, -140, -130, -100, -90}) {
        const float tiny = std::ldexp(1.0f, e);
        for (const std::array<float, 3>& s : {std::array{tiny, tiny, tiny}, {tiny, 1.0f, 0x1p30f}}) {
            constexpr float half = 0x1p-25f;  // of the placed cube: columns of up to 2^124
            const Object cube = object_of({half / s[0], 0, 0, 0, 0, half / s[1], 0, 0, 0, 0, half / s[2], 0});
            PairSetting setting{Kind::hull, Kind::sphere, {corners({-s[0], -s[1], -s[2]}, s)}, {}};
            for (const float x : {2 * half, 2.5f * half}) {
                setting.pairs.push_back({.a = cube, .b = object_of({x, 0, 0, half}), .motion = {1, 1, 1}});
            }
            for_answers(setting, [&](const PairAnswers& of, std::size_t i, const std::string& what) {
                EXPECT_EQ(of.separated(i), i == 1) << what;
                EXPECT_NEAR(of.lower[i], i == 1 ? half / 2 : 0, i == 1 ? 1e-4f * half : 0) << what;
                if (i == 1) {
                    EXPECT_NEAR(of.upper[i], half / 2, 1e-4f * half) << what;
                } else {
                    EXPECT_EQ(of.earliest[i], 0) << what;
                }
            });
        }
    }
}

/// Pairs of slivers whose simplex seems to enclose the origin 12 bounds away: the prover found them. Once `latest` was
/// such a time.
TEST(PairCasts, OfSliversEndWhereTheyTouch) {
    const PairSetting settings[] = {
        {Kind::oriented_box,
         Kind::box,
         {{{0, 0, 0}}},
         {{.a = object_of({-0x1.7d6636p+21f, 0x1.8895c6p+17f, 0x1.03237ap+21f, -0x1.51d384p+1f, 0x1.7b1692p+1f,
                           0x1.c40234p+1f, -0x1.543e86p-1f, -0x1.83abe8p-4f, -0x1.4ad29ep-2f, 0x1.3adb12p-2f,
                           -0x1.49c28cp+1f, 0x1.860e16p-3f, 0x1.6a3bcap+7f, 0x1.b7fb8cp-2f, 0x1.c60f8ap+0f}),
           .b = object_of({-0x1.7d6646p+21f, 0x1.88924ep+17f, 0x1.032382p+21f, -0x1.7d663ep+21f, 0x1.8893f4p+17f,
                           0x1.032398p+21f}),
           .motion = {-0x1.1b072cp+0f, -0x1.f93228p-5f, -0x1.6294a8p+0f}}}},
        {Kind::capsule,
         Kind::oriented_box,
         {{{0, 0, 0}}},
         {{.a = object_of(
               {-0x1.29cafep+4f, 0x1.3f50fap+0f, -0x1.c6a8fep+2f, -0x1.299624p+4f, 0x1.ed27eep+0f, -0x1.ce3eecp+2f, 0}),
           .b = object_of({-0x1.28f332p+4f, 0x1.8b1072p+0f, -0x1.c80de4p+2f, 0x1.e60102p+1f, 0x1.76f93p+0f,
                           -0x1.775048p+0f, -0x1.15010ap+0f, -0x1.20aa38p-1f, -0x1.204d32p+2f, 0x1.5b807cp+1f,
                           0x1.cd4828p-1f, -0x1.7e2144p+2f, 0x1.704cccp+7f, 0x1.63acdcp-15f, 0}),
           .motion = {0x1.c2afe6p-1f, 0x1.da6456p-3f, 0x1.3c3a54p-2f}}}}};
    for (const PairSetting& setting : settings) {
        for (const lanecull::Isa isa : runnable_isas()) {
            Random random(1);
            const properties::Plan plan{.isas = {isa}};
            properties::Tally tally;
            std::vector<std::string> failures;
            properties::Fingerprint answers;
            properties::Trial trial{random, plan, "slivers", tally, failures, answers};
            run_pairs(setting, trial);
            EXPECT_EQ(tally.failures(), 0u) << testing::PrintToString(failures);
        }
    }
}

/// A box that turns about a place of its own while it falls onto another. Another library finds no contact:
/// https://github.com/dimforge/parry/issues/317
TEST(PairCasts, MeetWhileOneTurns) {
    namespace gjk = lanecull::gjk;
    const float z = -0.84035015f, w = -0.542044f;
    const Object a =
        object_of({6458.7905f, -209.1331f, 1014.52124f, 5.3359954e-20f, 9.459897e-20f, z, w, 235, 105, 110});
    const Object b = object_of(
        {6079.4917f, -849.3108f, 853.8756f, 0.002524775f, -0.00026210435f, -0.0012064485f, 0.99999607f, 650, 330, 275});
    const float way[] = {588.2583f, -553.06335f, 471.54688f}, turn[] = {0, 0, -1.770823f};
    const float center[] = {a.fields[0] + 99.97085f * (w * w - z * z), a.fields[1] + 99.97085f * 2 * w * z,
                            a.fields[2] - 35};
    const auto hull_of = [](const Object& box) {
        std::vector<gjk::Vec3<double>> corners;
        for (const auto& p : properties::body_of(Kind::quaternion_box, box, {}, {}).points)
            corners.push_back({p.x, p.y, p.z});
        return corners;
    };
    const auto vector = [](const float(&v)[3]) {
        return gjk::Vec3<double>{static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
    };
    const auto corners_a = hull_of(a), corners_b = hull_of(b);
    const auto single = gjk::cast_turning(gjk::Hull<double>(corners_a), {vector(way), vector(turn), vector(center)},
                                          gjk::Hull<double>(corners_b));
    ASSERT_EQ(single.verdict, gjk::Verdict::intersecting);
    EXPECT_GT(single.earliest, 0.01);
    EXPECT_LT(single.latest - single.earliest, 1e-7);

    const properties::PairBatches batches(
        PairSetting{Kind::quaternion_box, Kind::quaternion_box, {}, {{.a = a, .b = b}}});
    for (const lanecull::Isa isa : runnable_isas()) {
        lanecull::PairCastOptions options;
        options.isa = isa;
        float earliest = -1, latest = -1;
        ASSERT_TRUE(
            lanecull::cast_pairs(batches.a, batches.b, batches.pairs(),
                                 {way, way + 1, way + 2, turn, turn + 1, turn + 2, center, center + 1, center + 2},
                                 {&earliest, &latest}, options));
        EXPECT_LE(static_cast<double>(earliest), single.latest);
        EXPECT_GE(static_cast<double>(latest), single.earliest);
        EXPECT_LE(latest - earliest, 1.25e-4f);
    }
}

/// Calls check(answers, query) for each pair of a file on each instruction set. Returns how many there are.
template <class Check>
int for_labelled(const char* file, const Check& check) {
    int count = 0;
    for (const PairQuery& query : read_pair_queries(file)) {
        SCOPED_TRACE(query.id);
        properties::PairSetting setting{query.kind_a, query.kind_b, query.hulls, {{query.a, query.b}}};
        if (setting.hulls.empty()) setting.hulls.push_back({{0, 0, 0}});
        for (const lanecull::Isa isa : runnable_isas()) check(properties::ask(setting, isa), query);
        ++count;
    }
    return count;
}

/// Labels are of numbers before they are rounded to floats.
void expect_label(const properties::PairAnswers& answers, const PairQuery& query) {
    const auto lower = static_cast<double>(answers.signed_lower[0]),
               upper = static_cast<double>(answers.signed_upper[0]);
    const double off = 2e-6 * std::max(1.0, query.size), wide = 1.5e-4 * std::max(1.0, query.size);
    if (query.has_depth || query.signed_distance > 0) {
        EXPECT_LE(lower, query.signed_distance + off);
        EXPECT_GE(upper, query.signed_distance - off);
    }
    EXPECT_LE(upper - lower, wide);
    EXPECT_LE(std::fabs(static_cast<double>(answers.lower[0]) - std::max(0.0, query.signed_distance)), wide);
}

TEST(LabelledPairs, HaveTheirSignedDistances) {
    EXPECT_EQ(for_labelled("suites.jsonl", expect_label), 322);
    EXPECT_EQ(for_labelled("field.jsonl", expect_label), 14);
}

}  // namespace
