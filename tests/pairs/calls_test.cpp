#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <lanecull/gjk/contacts.hpp>

#include "properties/pairs/setting.hpp"
#include "support/culling.hpp"
#include "support/new_threads.hpp"
#include "support/small_stack.hpp"

/// Arguments, memory, options and runners of the calls about pairs.

namespace {

using lanecull::Batch;
using lanecull::PairIndices;
using lanecull::Status;
using properties::ask;
using properties::PairAnswers;
using properties::PairBatches;

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Unit balls at 0, 3, 6, ...: neighbours are 1 apart.
struct Row {
    std::vector<float> x, zero, one;
    explicit Row(std::size_t count) : zero(count), one(count, 1.0f) {
        for (std::size_t i = 0; i < count; ++i) x.push_back(3 * static_cast<float>(i));
    }
    [[nodiscard]] lanecull::Spheres spheres() const {
        return {x.data(), zero.data(), zero.data(), one.data(), static_cast<std::uint32_t>(x.size())};
    }
};

TEST(PairCalls, SayWhichRuleWasBroken) {
    const Row row(4);
    const Batch good = row.spheres();
    const std::uint32_t index[] = {0, 1, 2};
    const PairIndices pairs{index, index + 1, 2};
    std::vector<std::uint64_t> words(1, 77);
    float number[2] = {77, 77};
    const auto message = [](const Status& status) { return std::string(status ? "" : status.message()); };
    const auto separate = [&](const Batch& a, const Batch& b, const PairIndices& p, std::span<std::uint64_t> to) {
        return message(lanecull::separate_pairs(a, b, p, to));
    };

    lanecull::Spheres bad = row.spheres(), many = row.spheres();
    bad.y = nullptr;
    many.count = 0x80000000u;
    const lanecull::PairMotions motions{number, number, number};
    const auto measure = [&](const lanecull::PairDistances& to, float limit, float relative) {
        lanecull::PairDistanceOptions options;
        options.limit = limit, options.relative = relative;
        return message(lanecull::pair_distances(good, good, pairs, to, options));
    };
    const auto measure_signed = [&](const lanecull::PairSignedDistances& to, float limit) {
        lanecull::PairDistanceOptions options;
        options.limit = limit;
        return message(lanecull::signed_pair_distances(good, good, pairs, to, options));
    };
    const auto touch = [&](const lanecull::PairContacts& to, float tolerance) {
        lanecull::PairContactOptions options;
        options.tolerance = tolerance;
        return message(lanecull::pair_contacts(good, good, pairs, to, options));
    };
    const auto cast = [&](const lanecull::PairMotions& of, float width) {
        lanecull::PairCastOptions options;
        options.width = width;
        return message(lanecull::cast_pairs(good, good, pairs, of, {number}, options));
    };
    const std::pair<std::string, const char*> cases[] = {
        {separate(bad, good, pairs, words), "a.y: must not be null"},
        {separate(good, bad, pairs, words), "b.y: must not be null"},
        {separate(good, many, pairs, words), "b.count: pairs are of fewer than 2^31 objects"},
        {separate(good, good, {nullptr, index, 2}, words), "pairs.a: must not be null"},
        {separate(good, good, {index, nullptr, 2}, words), "pairs.b: must not be null"},
        {separate(good, good, {index, index, 2, 2}, words),
         "pairs.stride_bytes: 2 is not a multiple of 4 from 4 to 65536"},
        {separate(good, good, {index, index, 2, 65'540}, words),
         "pairs.stride_bytes: 65540 is not a multiple of 4 from 4 to 65536"},
        {separate(good, good, pairs, {}), "separated: must have 1 words, not 0"},
        {separate(good, good, {nullptr, nullptr, 0}, {}), ""},
        {measure({number}, -1, 0), "options.limit: must be at least 0, not -1"},
        {measure({number}, 1, std::nanf("")), "options.relative: must be at least 0, not nan"},
        {measure({number, number, number}, 1, 0), "distances.a_x .. b_z: all six must be given, or none"},
        {touch({}, -1), "options.tolerance: must be at least 0 and finite, not -1"},
        {touch({}, infinity), "options.tolerance: must be at least 0 and finite, not inf"},
        {touch({nullptr, number, number, number}, 0),
         "contacts.direction_x .. direction_z: all three must be given, or none"},
        {touch({nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, number}, 0),
         "contacts.a_x .. a_z: all three must be given, or none"},
        {measure_signed({number}, -1), "options.limit: must be at least 0, not -1"},
        {measure_signed({number, number, number}, 1),
         "distances.direction_x .. direction_z: all three must be given, or none"},
        {measure_signed({number, number, nullptr, nullptr, nullptr, number}, 1),
         "distances.a_x .. b_z: all six must be given, or none"},
        {cast({number, nullptr, number}, 0), "motions.y: must not be null"},
        {cast({number, number, number, number}, 0), "motions.turn_x .. center_z: all six must be given, or none"},
        {cast({number, number, number, number, number, number, number, number}, 0),
         "motions.turn_x .. center_z: all six must be given, or none"},
        {cast(motions, -1), "options.width: must be at least 0 and finite, not -1"},
    };
    for (const auto& [said, expected] : cases) EXPECT_EQ(said, expected);
    EXPECT_EQ(words[0], 77u);
    EXPECT_EQ(number[0], 77);
}

/// Indices beside each other or in structs, out of range, for every count of pairs; nothing else is read or written.
TEST(PairCalls, ReadAndWriteWhatIsTheirs) {
    const Row row(6);
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
            for (std::size_t count = 1; count < 40; ++count) {
                GuardedMemory memory(against);
                auto* index = memory.array<std::uint32_t>(2 * count);
                for (std::size_t i = 0; i < 2 * count; ++i) index[i] = static_cast<std::uint32_t>(i * i % 7);
                const PairIndices pairs{index, index + 1, count, 8};
                const std::span words(memory.array<std::uint64_t>(1), 1);
                lanecull::PairDistanceOptions options;
                options.isa = isa;
                lanecull::PairDistances to{memory.array<float>(count), memory.array<float>(count)};
                lanecull::PairSignedDistances with_sign;
                for (float** stream :
                     {&to.a_x, &to.a_y, &to.a_z, &to.b_x, &to.b_y, &to.b_z, &with_sign.lower, &with_sign.upper,
                      &with_sign.direction_x, &with_sign.direction_y, &with_sign.direction_z, &with_sign.a_x,
                      &with_sign.a_y, &with_sign.a_z, &with_sign.b_x, &with_sign.b_y, &with_sign.b_z}) {
                    *stream = memory.array<float>(count);
                }
                lanecull::PairContacts contacts;
                lanecull::PairContactOptions touching;
                touching.isa = isa, touching.tolerance = 1.5f;
                contacts.counts = memory.array<std::uint32_t>(count);
                for (float** stream : {&contacts.lower, &contacts.upper, &contacts.direction_x, &contacts.direction_y,
                                       &contacts.direction_z}) {
                    *stream = memory.array<float>(count);
                }
                for (float** stream : {&contacts.a_x, &contacts.a_y, &contacts.a_z, &contacts.distance})
                    *stream = memory.array<float>(4 * count);
                ASSERT_TRUE(lanecull::separate_pairs(row.spheres(), row.spheres(), pairs, words, {isa}));
                ASSERT_TRUE(lanecull::pair_distances(row.spheres(), row.spheres(), pairs, to, options));
                ASSERT_TRUE(lanecull::signed_pair_distances(row.spheres(), row.spheres(), pairs, with_sign, options));
                ASSERT_TRUE(lanecull::pair_contacts(row.spheres(), row.spheres(), pairs, contacts, touching));
                for (std::size_t i = 0; i < count; ++i) {
                    const std::uint32_t a = index[2 * i], b = index[2 * i + 1];
                    const bool valid = a < 6 && b < 6;
                    const float distance = 3 * std::abs(static_cast<float>(a) - static_cast<float>(b)) - 2;
                    EXPECT_EQ(words[0] >> i & 1, valid && a != b ? 1u : 0u);
                    EXPECT_NEAR(to.lower[i], valid && a != b ? distance : 0, 1e-4f);
                    EXPECT_EQ(std::isinf(to.upper[i]), !valid);
                    EXPECT_EQ(std::isnan(to.a_x[i]), !valid);
                    EXPECT_TRUE(valid ? std::fabs(with_sign.lower[i] - distance) < 1e-4f
                                      : with_sign.lower[i] == -infinity);
                    EXPECT_TRUE(valid ? std::fabs(with_sign.upper[i] - distance) < 1e-4f
                                      : with_sign.upper[i] == infinity);
                    EXPECT_EQ(std::isnan(with_sign.direction_x[i]), !valid);
                    EXPECT_EQ(std::isnan(with_sign.b_z[i]), !valid);
                    const bool touches = valid && distance < 1.5f;
                    EXPECT_EQ(contacts.counts[i], touches ? 1u : 0u);
                    EXPECT_EQ(std::isnan(contacts.a_y[4 * i]), !touches);
                    EXPECT_TRUE(std::isnan(contacts.a_z[4 * i + 3]) && std::isnan(contacts.distance[4 * i + 1]));
                    EXPECT_EQ(contacts.lower[i] > 1.5f, valid && !touches);
                    if (!valid || a == b) continue;
                    const float side = row.x[a] + (a < b ? 1 : -1);
                    EXPECT_TRUE(!touches || std::fabs(contacts.distance[4 * i] - distance) < 1e-4f);
                    EXPECT_TRUE(!touches || std::fabs(contacts.a_x[4 * i] - side) < 1e-4f);
                    EXPECT_NEAR(with_sign.direction_x[i], a < b ? 1 : -1, 1e-5f);
                    EXPECT_NEAR(to.a_x[i], row.x[a] + (a < b ? 1 : -1), 1e-4f);
                    EXPECT_NEAR(to.b_x[i], row.x[b] + (a < b ? -1 : 1), 1e-4f);
                }
                EXPECT_EQ(words[0] >> count, 0u);
            }
        }
    }
}

/// Contacts of single pairs are those of lanes: as many, as deep, and in the same places.
TEST(PairCalls, FindTheContactsOfSinglePairs) {
    namespace gjk = lanecull::gjk;
    Random random(85);
    const properties::PairSetting setting =
        properties::ordinary_pairs(random, Kind::oriented_box, Kind::oriented_box, 400);
    const auto box = [](const Object& object) {
        const auto at = [&](std::size_t k) {
            const auto& f = object.fields;
            return gjk::Vec3<double>{static_cast<double>(f[k]), static_cast<double>(f[k + 1]),
                                     static_cast<double>(f[k + 2])};
        };
        return gjk::OrientedBox<double>{at(0), {{at(3), at(6), at(9)}}, at(12)};
    };
    for (const lanecull::Isa isa : runnable_isas()) {
        const PairAnswers of = ask(setting, isa);
        int same = 0, alike = 0;
        for (std::size_t i = 0; i < setting.pairs.size(); ++i) {
            const auto a = box(setting.pairs[i].a), b = box(setting.pairs[i].b);
            const auto found = gjk::contacts(a, b);
            const double size = a.magnitude() + b.magnitude();
            if (std::fabs(found.nearest.distance) < 1e-4 * size) continue;
            ASSERT_EQ(of.counts[i] > 0, found.count > 0) << i;
            if (found.count == 0) continue;
            EXPECT_NEAR(static_cast<double>(of.contacts[3][4 * i]), found.contacts[0].distance, 1e-4 * size);
            const auto is_found = [&](const gjk::Contact<gjk::Vec3<double>>& contact) {
                for (std::size_t k = 4 * i; k < 4 * i + of.counts[i]; ++k) {
                    const auto at = [&](std::size_t j) { return static_cast<double>(of.contacts[j][k]); };
                    if (length(contact.a - gjk::Vec3<double>{at(0), at(1), at(2)}) < 1e-3 * size) return true;
                }
                return false;
            };
            // Of two directions that are as good either may be taken.
            const auto along = [&](std::size_t k) { return static_cast<double>(of.contact_direction[k][i]); };
            if (length(found.direction - gjk::Vec3<double>{along(0), along(1), along(2)}) > 1e-4) continue;
            ++alike;
            same += of.counts[i] == static_cast<std::uint32_t>(found.count) &&
                    std::all_of(found.begin(), found.end(), is_found);
        }
        EXPECT_GT(alike, 80);
        // ... and either face of a sliver.
        EXPECT_GE(same, 0.97 * alike) << lanecull::isa_name(isa);
    }
}

/// More pairs than a call takes, or than there is memory for, are refused before anything is read.
TEST(PairCalls, RefuseCountsThatWrap) {
    const Row row(4);
    const Batch shapes = row.spheres();
    const std::uint32_t index = 0;
    const float way = 1;
    std::uint64_t word = 77;
    float number = 77;
    constexpr std::size_t most = std::size_t{4096} * 0xffffffffu;
    for (const std::size_t count : {most + 1, std::size_t{1} << 60, ~std::size_t{0} - 62, ~std::size_t{0}}) {
        const PairIndices pairs{&index, &index, count};
        for (const Status& status : {lanecull::separate_pairs(shapes, shapes, pairs, {&word, 1}),
                                     lanecull::pair_distances(lanecull::Capsules{}, shapes, pairs, {&number}),
                                     lanecull::signed_pair_distances(shapes, shapes, pairs, {&number}),
                                     lanecull::pair_contacts(shapes, shapes, pairs, {nullptr, &number}),
                                     lanecull::cast_pairs(shapes, shapes, pairs, {&way, &way, &way}, {&number})}) {
            ASSERT_FALSE(status);
            EXPECT_STREQ(status.message(), "pairs.count: too many for one call");
        }
    }
    EXPECT_STREQ(lanecull::separate_pairs(shapes, shapes, {&index, &index, most}, {&word, 1}).message(),
                 "separated: must have 274877906880 words, not 1");
    EXPECT_EQ(word, 77u);
    EXPECT_EQ(number, 77);
}

/// The longest strides, of indices and of records.
TEST(PairCalls, TakeStridesOf65536Bytes) {
    constexpr std::size_t stride = 65536, floats = stride / sizeof(float), count = 5;
    std::vector<float> zero(count), records(count * floats, NAN), x;
    std::vector<std::uint32_t> index((count - 1) * floats + 2, ~0u);
    for (std::size_t i = 0; i < count; ++i) {
        x.push_back(3 * static_cast<float>(i));
        const float numbers[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
        std::copy(std::begin(numbers), std::end(numbers), records.begin() + static_cast<std::ptrdiff_t>(i * floats));
        index[i * floats] = static_cast<std::uint32_t>(i);
        index[i * floats + 1] = static_cast<std::uint32_t>(count - 1 - i);
    }
    lanecull::OrientedBoxes boxes;
    boxes.x = x.data(), boxes.y = boxes.z = zero.data();
    boxes.axes = {records.data(), stride}, boxes.half_extents = {records.data() + 9, stride};
    boxes.count = count;
    const Batch shapes = boxes;
    const PairIndices pairs{index.data(), index.data() + 1, count, stride};
    for (const lanecull::Isa isa : runnable_isas()) {
        EXPECT_EQ(ask(shapes, shapes, pairs, {}, isa).words[0], 0b11011u);
    }
    EXPECT_FALSE(lanecull::pair_distances(shapes, shapes, {index.data(), index.data(), 1, stride + 4}, {}));
}

TEST(PairCalls, BatchesWithoutObjects) {
    const Row row(3);
    const std::uint32_t index = 0;
    const float way = 1;
    const PairAnswers found =
        ask(lanecull::Capsules{}, row.spheres(), {&index, &index, 1}, {&way, &way, &way}, lanecull::Isa::automatic);
    EXPECT_EQ(found.words[0], 0u);
    EXPECT_EQ(found.lower[0], 0);
    EXPECT_EQ(found.upper[0], infinity);
    EXPECT_EQ(found.earliest[0], 0);
    EXPECT_EQ(found.latest[0], infinity);
    EXPECT_EQ(found.signed_lower[0], -infinity);
    EXPECT_EQ(found.signed_upper[0], infinity);
    EXPECT_TRUE(std::isnan(found.direction[2][0]) && std::isnan(found.signed_points[5][0]));
    EXPECT_EQ(found.counts[0], 0u);
    EXPECT_EQ(found.contact_lower[0], -infinity);
    EXPECT_EQ(found.contact_upper[0], infinity);
    EXPECT_TRUE(std::isnan(found.contact_direction[2][0]));
    for (const auto& stream : found.contacts) EXPECT_TRUE(std::isnan(stream[0]) && std::isnan(stream[3]));
}

/// By the smallest limit depths are as by none, and what is apart is known to be.
TEST(PairCalls, FindDepthsAlone) {
    Random random(81);
    const PairBatches batches(properties::ordinary_pairs(random, Kind::oriented_box, Kind::quaternion_box, 300));
    const PairAnswers all = ask(batches.a, batches.b, batches.pairs(), {}, lanecull::Isa::automatic);
    lanecull::PairDistanceOptions options;
    options.limit = std::numeric_limits<float>::denorm_min();
    PairAnswers deep(300);
    ASSERT_TRUE(
        lanecull::signed_pair_distances(batches.a, batches.b, batches.pairs(), deep.signed_distances(), options));
    int apart = 0;
    for (std::size_t i = 0; i < 300; ++i) {
        EXPECT_EQ(deep.signed_lower[i] > 0, all.signed_lower[i] > 0) << i;
        apart += deep.signed_lower[i] > 0;
        if (deep.signed_lower[i] > 0) continue;
        EXPECT_EQ(deep.signed_lower[i], all.signed_lower[i]);
        EXPECT_EQ(deep.signed_upper[i], all.signed_upper[i]);
    }
    EXPECT_GT(apart, 50);
    EXPECT_LT(apart, 250);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
/// Depths of curved shapes are found by a polytope on the stack.
TEST(PairCalls, NeedNoMoreStackThanPromised) {
    Random random(83);
    const PairBatches batches(properties::ordinary_pairs(random, Kind::cylinder, Kind::ellipsoid, 64));
    for (const lanecull::Isa isa : runnable_isas()) {
        SmallStack stack;
        (void)ask(batches.a, batches.b, batches.pairs(), batches.motions(), isa, {&stack, SmallStack::run});
        lanecull::PairMotions turning = batches.motions();
        turning.turn_x = turning.turn_y = turning.turn_z = turning.x;
        turning.center_x = turning.center_y = turning.center_z = turning.y;
        PairAnswers times(64);
        lanecull::PairCastOptions options;
        options.isa = isa;
        ASSERT_TRUE(lanecull::cast_pairs(batches.a, batches.b, batches.pairs(), turning, times.casts(), options,
                                         {&stack, SmallStack::run}));
        stack.expect_promised(lanecull::isa_name(isa));
    }
}
#endif

/// A blade that turns once about its middle, or a fan's centre, beside a post: it meets the post when its angle has the
/// sine of the post's place. So it does in the other order, with no turn it misses, and a turn more is left to doubles.
TEST(PairCalls, CastTurningBlades) {
    const float zero = 0, minus = -2, two = 2, tenth = 0.1f, half = 0.5f, low = 1, high = 1.4f, turn = 6.2f, more = 62;
    const lanecull::Capsules blade{&minus, &zero, &zero, &two, &zero, &zero, &tenth, 1};
    const lanecull::Boxes post{&low, &low, &minus, &high, &high, &two, 1};
    const std::uint32_t index = 0;
    const double square = 1.4 * 1.4, angle = std::atan2(1.0, 1.4) - std::asin(0.1 / std::sqrt(1 + square));
    for (const lanecull::Isa isa : runnable_isas()) {
        lanecull::PairCastOptions options;
        options.isa = isa;
        const auto cast = [&](const float* speed) {
            lanecull::PairMotions motions{&zero, &zero, &zero, &zero, &zero, speed, &zero, &zero, &half};
            float earliest = -1, latest = -1;
            EXPECT_TRUE(lanecull::cast_pairs(blade, post, {&index, &index, 1}, motions, {&earliest, &latest}, options));
            return std::pair(earliest, latest);
        };
        for (const float* speed : {&turn, &more}) {
            const auto [earliest, latest] = cast(speed);
            const auto time = static_cast<float>(angle / static_cast<double>(*speed));
            EXPECT_LE(earliest, time * 1.000001f);
            EXPECT_GE(latest, time * 0.999999f);
            EXPECT_LE(latest - earliest, 1.25e-4f);
        }
        EXPECT_EQ(cast(&zero), std::pair(infinity, infinity));
        float earliest = -1, latest = -1;  // the post about the blade, backwards
        const float back = -turn;
        const lanecull::PairMotions motions{&zero, &zero, &zero, &zero, &zero, &back, &zero, &zero, &half};
        EXPECT_TRUE(lanecull::cast_pairs(post, blade, {&index, &index, 1}, motions, {&earliest, &latest}, options));
        const auto [first, last] = cast(&turn);
        EXPECT_NEAR(earliest, first, 2e-4f);
        EXPECT_NEAR(latest, last, 2e-4f);
    }
}

/// No limit, bounds within 1e-6, contacts within 1e-4; indices that follow one another.
TEST(PairCalls, HaveUsualOptions) {
    Random random(79);
    const PairBatches batches(properties::ordinary_pairs(random, Kind::oriented_box, Kind::hull, 200));
    const PairAnswers usual = ask(batches.a, batches.b, batches.pairs(), batches.motions(), lanecull::Isa::automatic);
    std::vector<std::uint32_t> index(200);
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::uint32_t>(i);
    lanecull::PairDistanceOptions options;
    options.limit = infinity, options.relative = 1e-6f;
    for (const std::size_t stride : {std::size_t{0}, std::size_t{4}}) {
        const PairIndices pairs{index.data(), index.data(), index.size(), stride};
        PairAnswers named(index.size());
        ASSERT_TRUE(lanecull::pair_distances(batches.a, batches.b, pairs, named.distances(), options));
        EXPECT_EQ(named.lower, usual.lower);
        EXPECT_EQ(named.upper, usual.upper);
    }
    const auto latest = [&](float width) {
        lanecull::PairCastOptions how;
        how.width = width;
        PairAnswers to(index.size());
        EXPECT_TRUE(lanecull::cast_pairs(batches.a, batches.b, batches.pairs(), batches.motions(), to.casts(), how));
        return to.latest;
    };
    EXPECT_EQ(latest(0), usual.latest);
    EXPECT_EQ(latest(1e-4f), usual.latest);
    EXPECT_NE(latest(1e-2f), usual.latest);
}

/// Any split and any thread give the same bytes; so do batches that change places.
TEST(PairCalls, DoNotDependOnTheRunner) {
    Random random(77);
    const PairBatches batches(properties::ordinary_pairs(random, Kind::oriented_box, Kind::hull, 200));
    constexpr std::size_t count = 20'000;
    std::vector<std::uint32_t> a, b;
    std::vector<float> way[3];
    for (std::size_t i = 0; i < count; ++i) {
        a.push_back(static_cast<std::uint32_t>(random.below(200)));
        b.push_back(static_cast<std::uint32_t>(random.below(200)));
        for (std::size_t k = 0; k < 3; ++k) way[k].push_back(batches.motion[k][i % 200]);
    }
    const PairIndices pairs{a.data(), b.data(), count}, turned{b.data(), a.data(), count};
    const lanecull::PairMotions motions{way[0].data(), way[1].data(), way[2].data()};
    const lanecull::Isa isa = lanecull::Isa::automatic;
    const unsigned four = 4;
    const PairAnswers serial = ask(batches.a, batches.b, pairs, motions, isa);
    const PairAnswers threads = ask(batches.a, batches.b, pairs, motions, isa, on_new_threads(four));
    const PairAnswers back = ask(batches.b, batches.a, turned, {}, isa);
    EXPECT_EQ(threads.words, serial.words);
    EXPECT_EQ(back.counts, serial.counts);
    EXPECT_EQ(back.words, serial.words);
    const auto same = [](const std::vector<float>& p, const std::vector<float>& q) {
        return std::memcmp(p.data(), q.data(), p.size() * sizeof(float)) == 0;
    };
    EXPECT_TRUE(same(serial.lower, back.lower) && same(serial.upper, back.upper));
    EXPECT_TRUE(same(serial.contacts[3], back.contacts[3]));
    EXPECT_TRUE(same(serial.signed_lower, back.signed_lower) && same(serial.signed_upper, back.signed_upper));
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(serial.direction[0][i], -back.direction[0][i]);
    for (std::size_t k = 0; k < 6; ++k) EXPECT_TRUE(same(serial.points[k], back.points[(k + 3) % 6]));
    for (std::size_t i = 0; i < count; ++i) EXPECT_TRUE(serial.same(i, threads, i)) << i;
}

}  // namespace
