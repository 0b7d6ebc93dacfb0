#include <gtest/gtest.h>

#include <sys/mman.h>
#include <cmath>
#include <cstring>
#include <limits>

#include "pairs/cases.hpp"
#include "support/culling.hpp"
#include "support/new_threads.hpp"

/// Arguments of the calls about pairs, and the answers for invalid pairs.

namespace {

using namespace pair_tests;
using lanecull::Batch;
using lanecull::PairIndices;
using lanecull::Status;

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

    lanecull::Spheres bad = row.spheres();
    bad.y = nullptr;
    EXPECT_EQ(separate(bad, good, pairs, words), "a.y: must not be null");
    EXPECT_EQ(separate(good, bad, pairs, words), "b.y: must not be null");
    bad = row.spheres();
    bad.count = 0x80000000u;
    EXPECT_EQ(separate(good, bad, pairs, words), "b.count: pairs are of fewer than 2^31 objects");
    EXPECT_EQ(separate(good, good, {nullptr, index, 2}, words), "pairs.a: must not be null");
    EXPECT_EQ(separate(good, good, {index, nullptr, 2}, words), "pairs.b: must not be null");
    EXPECT_EQ(separate(good, good, {index, index, 2, 6}, words),
              "pairs.stride_bytes: 6 is not a multiple of 4 from 4 to 65536");
    EXPECT_EQ(separate(good, good, pairs, {}), "separated: must have 1 words, not 0");
    EXPECT_EQ(separate(good, good, {nullptr, nullptr, 0}, {}), "");

    lanecull::PairDistanceOptions options;
    options.limit = -1;
    EXPECT_EQ(message(lanecull::pair_distances(good, good, pairs, {number}, options)),
              "options.limit: must be at least 0, not -1");
    options = {};
    options.relative = std::nanf("");
    EXPECT_EQ(message(lanecull::pair_distances(good, good, pairs, {number}, options)),
              "options.relative: must be at least 0, not nan");
    EXPECT_EQ(message(lanecull::pair_distances(good, good, pairs, {number, number, number})),
              "distances.a_x .. b_z: all six must be given, or none");
    EXPECT_EQ(message(lanecull::cast_pairs(good, good, pairs, {number, nullptr, number}, {number})),
              "motions.y: must not be null");
    lanecull::PairCastOptions width;
    width.width = -1;
    EXPECT_EQ(message(lanecull::cast_pairs(good, good, pairs, {number, number, number}, {number}, width)),
              "options.width: must be at least 0 and finite, not -1");
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
                for (float** stream : {&to.a_x, &to.a_y, &to.a_z, &to.b_x, &to.b_y, &to.b_z}) {
                    *stream = memory.array<float>(count);
                }
                ASSERT_TRUE(lanecull::separate_pairs(row.spheres(), row.spheres(), pairs, words, {isa}));
                ASSERT_TRUE(lanecull::pair_distances(row.spheres(), row.spheres(), pairs, to, options));
                for (std::size_t i = 0; i < count; ++i) {
                    const std::uint32_t a = index[2 * i], b = index[2 * i + 1];
                    const bool valid = a < 6 && b < 6;
                    const float distance = 3 * std::abs(static_cast<float>(a) - static_cast<float>(b)) - 2;
                    EXPECT_EQ(words[0] >> i & 1, valid && a != b ? 1u : 0u);
                    EXPECT_NEAR(to.lower[i], valid && a != b ? distance : 0, 1e-4f);
                    EXPECT_EQ(std::isinf(to.upper[i]), !valid);
                    EXPECT_EQ(std::isnan(to.a_x[i]), !valid);
                    if (!valid || a == b) continue;
                    EXPECT_NEAR(to.a_x[i], row.x[a] + (a < b ? 1 : -1), 1e-4f);
                    EXPECT_NEAR(to.b_x[i], row.x[b] + (a < b ? -1 : 1), 1e-4f);
                }
                EXPECT_EQ(words[0] >> count, 0u);
            }
        }
    }
}

/// Zeros, of which the system only stores the pages that are written.
class SparseFloats {
public:
    explicit SparseFloats(std::size_t count) : bytes_(count * sizeof(float)) {
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    SparseFloats(const SparseFloats&) = delete;
    SparseFloats& operator=(const SparseFloats&) = delete;
    ~SparseFloats() {
        if (exists()) munmap(memory_, bytes_);
    }
    [[nodiscard]] bool exists() const { return memory_ != MAP_FAILED; }
    [[nodiscard]] float* data() const { return static_cast<float*>(memory_); }

private:
    std::size_t bytes_;
    void* memory_;
};

/// The greatest number of objects, and indices around it: the last object is found, and there is none beyond it.
TEST(PairCalls, ReachTheLastObject) {
    constexpr std::uint32_t count = 0x7fffffffu;
    const SparseFloats x(count), zero(count);
    if (!x.exists() || !zero.exists()) GTEST_SKIP() << "no room for 2^31 numbers";
    x.data()[0x40000000u] = 5;
    x.data()[count - 1] = 9;
    const Batch points = lanecull::Spheres{x.data(), zero.data(), zero.data(), zero.data(), count};
    const std::uint32_t a[] = {count - 1, 0, count - 1, 0x40000000u, count, 0, 0x80000000u, ~0u};
    const std::uint32_t b[] = {0, 0x40000000u, 0x40000000u, 0x40000000u, 0, 0x80000000u, 0x80000000u, count - 1};
    const float expected[] = {9, 5, 4, 0, 0, 0, 0, 0};
    for (const lanecull::Isa isa : runnable_isas()) {
        lanecull::PairDistanceOptions options;
        options.isa = isa;
        const PairIndices pairs{a, b, std::size(a)};
        EXPECT_EQ(run_separate(points, points, pairs, isa).words[0], 0b111u);
        const Distances found = run_distances(points, points, pairs, options);
        for (std::size_t i = 0; i < std::size(a); ++i) {
            EXPECT_NEAR(found.lower[i], expected[i], 1e-4f) << i;
            EXPECT_EQ(std::isinf(found.upper[i]), i >= 4) << i;
        }
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
        const Status statuses[] = {
            lanecull::separate_pairs(shapes, shapes, pairs, {&word, 1}),
            lanecull::separate_pairs(shapes, shapes, pairs, {}),
            lanecull::pair_distances(shapes, shapes, pairs, {&number}),
            lanecull::pair_distances(lanecull::Capsules{}, shapes, pairs, {&number}),
            lanecull::cast_pairs(shapes, shapes, pairs, {&way, &way, &way}, {&number}),
        };
        for (const Status& status : statuses) {
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
        EXPECT_EQ(run_separate(shapes, shapes, pairs, isa).words[0], 0b11011u);
    }
    EXPECT_FALSE(lanecull::pair_distances(shapes, shapes, {index.data(), index.data(), 1, stride + 4}, {}));
}

TEST(PairCalls, BatchesWithoutObjects) {
    const Row row(3);
    const std::uint32_t index[] = {0, 0};
    const PairIndices pairs{index, index + 1, 1};
    std::vector<std::uint64_t> words(1, 77);
    float lower = 77, upper = 77, earliest = 77, latest = 77;
    ASSERT_TRUE(lanecull::separate_pairs(lanecull::Capsules{}, row.spheres(), pairs, words));
    ASSERT_TRUE(lanecull::pair_distances(lanecull::Capsules{}, row.spheres(), pairs, {&lower, &upper}));
    const float way = 1;
    ASSERT_TRUE(
        lanecull::cast_pairs(row.spheres(), lanecull::Boxes{}, pairs, {&way, &way, &way}, {&earliest, &latest}));
    EXPECT_EQ(words[0], 0u);
    EXPECT_EQ(lower, 0);
    EXPECT_EQ(upper, infinity);
    EXPECT_EQ(earliest, 0);
    EXPECT_EQ(latest, infinity);
}

/// Who asks for distances up to a limit gets to know that it is more, and nothing wrong.
TEST(PairCalls, StopAtTheLimit) {
    const Row row(200);
    std::vector<std::uint32_t> first, second;
    for (std::uint32_t i = 0; i < 200; ++i) {
        first.push_back(i);
        second.push_back((i * i) % 200);
    }
    const PairIndices pairs{first.data(), second.data(), first.size()};
    for (const lanecull::Isa isa : runnable_isas()) {
        lanecull::PairDistanceOptions options;
        options.isa = isa;
        options.limit = 10;
        const Distances found = run_distances(row.spheres(), row.spheres(), pairs, options);
        for (std::size_t i = 0; i < first.size(); ++i) {
            const float way = std::abs(row.x[first[i]] - row.x[second[i]]);
            const float distance = std::max(0.0f, way - 2);
            EXPECT_LE(found.lower[i], distance);
            EXPECT_GE(found.upper[i], distance);
            EXPECT_EQ(found.lower[i] > 10, distance > 10);
        }
    }
}

/// No limit, bounds within 1e-6, contacts within 1e-4; indices that follow one another.
TEST(PairCalls, HaveUsualOptions) {
    Random random(79);
    const Cases cases(random, Kind::oriented_box, Kind::hull, 200);
    const Batches batches(cases);
    const std::size_t count = batches.pairs().count;
    lanecull::PairDistanceOptions options;
    options.limit = infinity, options.relative = 1e-6f;
    PairIndices named = batches.pairs();
    ASSERT_TRUE(named.stride_bytes == 0 || named.stride_bytes == 4);
    for (const std::size_t stride : {std::size_t{0}, std::size_t{4}}) {
        named.stride_bytes = stride;
        const Distances found = run_distances(batches.a, batches.b, named, options);
        const Distances usual = run_distances(batches.a, batches.b, batches.pairs(), {});
        EXPECT_EQ(found.lower, usual.lower);
        EXPECT_EQ(found.upper, usual.upper);
    }
    const std::vector<float> way(count, 3.0f);
    const auto casts = [&](float width) {
        lanecull::PairCastOptions how;
        how.width = width;
        std::vector<float> times(2 * count);
        EXPECT_TRUE(lanecull::cast_pairs(batches.a, batches.b, batches.pairs(), {way.data(), way.data(), way.data()},
                                         {times.data(), times.data() + count}, how));
        return times;
    };
    EXPECT_EQ(casts(0), casts(1e-4f));
    EXPECT_NE(casts(0), casts(1e-2f));
}

/// Any split and any thread give the same bytes; so do batches that change places.
TEST(PairCalls, DoNotDependOnTheRunner) {
    Random random(77);
    const Cases cases(random, Kind::oriented_box, Kind::hull, 200);
    const Batches batches(cases);
    std::vector<std::uint32_t> a, b;
    for (int i = 0; i < 20'000; ++i) {
        a.push_back(static_cast<std::uint32_t>(random.below(200)));
        b.push_back(static_cast<std::uint32_t>(random.below(200)));
    }
    const PairIndices pairs{a.data(), b.data(), a.size()}, turned{b.data(), a.data(), a.size()};
    const unsigned threads = 4;
    const Separated serial = run_separate(batches.a, batches.b, pairs, lanecull::Isa::automatic);
    EXPECT_EQ(run_separate(batches.a, batches.b, pairs, lanecull::Isa::automatic, on_new_threads(threads)), serial);
    EXPECT_EQ(run_separate(batches.b, batches.a, turned, lanecull::Isa::automatic), serial);
    const Distances one = run_distances(batches.a, batches.b, pairs, {});
    const Distances more = run_distances(batches.a, batches.b, pairs, {}, on_new_threads(threads));
    const Distances back = run_distances(batches.b, batches.a, turned, {});
    const auto same = [](const std::vector<float>& p, const std::vector<float>& q) {
        return std::memcmp(p.data(), q.data(), p.size() * sizeof(float)) == 0;
    };
    EXPECT_TRUE(same(one.lower, more.lower) && same(one.upper, more.upper));
    EXPECT_TRUE(same(one.lower, back.lower) && same(one.upper, back.upper));
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_TRUE(same(one.points[k], more.points[k]));
        EXPECT_TRUE(same(one.points[k], back.points[(k + 3) % 6]));
    }
    const Casts casts = run_casts(batches, cases, lanecull::Isa::automatic);
    EXPECT_EQ(run_casts(batches, cases, lanecull::Isa::automatic, on_new_threads(threads)), casts);
}

class PairInvalid : public testing::TestWithParam<std::tuple<Kind, bool>> {};

/// A bad number in any field of either object: not apart, at distance 0, never missed; and the neighbours none the
/// worse.
TEST_P(PairInvalid, NumbersThatAreNone) {
    const auto [kind, first] = GetParam();
    Random random(99);
    Cases cases(random, first ? kind : Kind::capsule, first ? Kind::capsule : kind, 40);
    const Separated before = [&] {
        const Batches batches(cases);
        return run_separate(batches.a, batches.b, batches.pairs(), lanecull::Isa::automatic);
    }();
    std::size_t bad = 0;
    while (!before[bad]) ++bad;
    PairCase& changed = cases.pairs[bad];
    Object& object = first ? changed.a : changed.b;
    const Object good = object;
    for (const lanecull::Isa isa : runnable_isas()) {
        for (std::size_t field = 0; field < field_count(kind); ++field) {
            for (const float number : {std::nanf(""), infinity, -infinity}) {
                object.fields[field] = number;
                const Batches batches(cases);
                const Separated separated = run_separate(batches.a, batches.b, batches.pairs(), isa);
                lanecull::PairDistanceOptions options;
                options.isa = isa;
                const Distances distances = run_distances(batches.a, batches.b, batches.pairs(), options);
                const Casts casts = run_casts(batches, cases, isa);
                const std::string text = "field " + std::to_string(field) + " " + std::to_string(number);
                EXPECT_FALSE(separated[bad]) << text;
                EXPECT_EQ(distances.lower[bad], 0) << text;
                EXPECT_EQ(distances.upper[bad], infinity) << text;
                EXPECT_TRUE(std::isnan(distances.points[0][bad])) << text;
                EXPECT_EQ(casts.earliest[bad], 0) << text;
                EXPECT_EQ(casts.latest[bad], infinity) << text;
                std::size_t others = 0;
                for (std::size_t i = 0; i < cases.pairs.size(); ++i) others += i != bad && separated[i] != before[i];
                EXPECT_LE(others, 1u) << text;  // sets may differ where two nearly touch
                object = good;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, PairInvalid, testing::Combine(testing::ValuesIn(all_kinds), testing::Bool()),
                         [](const testing::TestParamInfo<std::tuple<Kind, bool>>& test) {
                             return std::string(kind_name(std::get<0>(test.param))) +
                                    (std::get<1>(test.param) ? "_first" : "_second");
                         });

}  // namespace
