#include <gtest/gtest.h>

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <lanecull/bounds.h>

#include "support/culling.hpp"
#include "support/memory.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

/// unpack_floats() writes the same bits to the right places and nothing else. The spheres of relative_spheres() contain
/// the given ones, in rational arithmetic.

namespace {

using lanecull::Isa;
using lanecull::Status;
using Rational = boost::multiprecision::cpp_rational;

constexpr std::uint32_t sentinel = 0x77777777u;

/// Any bits, many of which are NaNs; never the sentinel's.
std::uint32_t random_bits(Random& random) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    return random.chance(0.1) ? (bits | 0x7f800000u) : bits == sentinel ? 0 : bits;
}

class Unpack : public testing::TestWithParam<Isa> {
protected:
    /// Takes `count` records of `floats` floats apart, everything in `memory`; streams named by `skipped` are null.
    static void check(std::size_t floats, std::size_t stride, std::uint32_t count, Memory& memory,
                      std::uint32_t skipped = 0, bool packed = false) {
        SCOPED_TRACE(std::to_string(count) + " records of " + std::to_string(floats) + " floats at " +
                     std::to_string(stride) + ", skipping " + std::to_string(skipped));
        Random random(floats * 1000 + stride);
        const std::size_t size = count > 0 ? (count - 1) * stride + floats : 0;
        float* records = memory.array<float>(size);
        std::vector<std::uint32_t> bits(size);
        for (std::uint32_t& b : bits) b = random_bits(random);
        if (size > 0) std::memcpy(records, bits.data(), size * sizeof(float));

        std::vector<float*> streams(floats);
        for (std::size_t k = 0; k < floats; ++k) {
            if ((skipped >> k % 32 & 1) != 0) continue;
            streams[k] = memory.array<float>(count);
            for (std::uint32_t i = 0; i < count; ++i) std::memcpy(&streams[k][i], &sentinel, sizeof sentinel);
        }
        const Status status =
            lanecull::unpack_floats({records, packed ? 0 : stride * sizeof(float)}, count, streams, GetParam());
        ASSERT_TRUE(status.ok()) << status.message();
        for (std::size_t k = 0; k < floats; ++k) {
            for (std::uint32_t i = 0; i < count && streams[k] != nullptr; ++i) {
                std::uint32_t got = 0;
                std::memcpy(&got, &streams[k][i], sizeof got);
                ASSERT_EQ(got, bits[i * stride + k]) << "float " << k << " of record " << i;
            }
        }
        for (std::size_t i = 0; i < size; ++i) {
            ASSERT_EQ(std::memcmp(&records[i], &bits[i], sizeof(float)), 0) << "a record was written to";
        }
    }

    static std::uint32_t most() { return 4 * lanecull::isa_lanes(GetParam()) + 1; }
};

TEST_P(Unpack, StaysWithinGuardPages) {
    for (const std::size_t floats : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 16u, 17u}) {
        for (std::uint32_t count = 0; count <= most(); ++count) {
            for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
                GuardedMemory memory(against);
                check(floats, floats, count, memory, 0, count % 2 == 0);
            }
            GuardedMemory memory(GuardedMemory::Against::end);
            check(floats, floats + count % 4, count, memory);
        }
    }
}

TEST_P(Unpack, WorksAtAnyAlignmentAndStride) {
    for (const std::size_t floats : {1u, 3u, 4u, 6u, 9u, 12u}) {
        for (std::uint32_t count = 0; count <= most(); ++count) {
            for (const std::size_t offset : {1u, 3u}) {
                for (const std::size_t more : {0u, 1u, 3u, 4u}) {
                    HeapMemory memory(offset);
                    check(floats, floats + more, count, memory);
                }
            }
        }
    }
}

TEST_P(Unpack, SkipsNullStreams) {
    for (const std::size_t floats : {1u, 3u, 4u, 6u, 7u}) {
        for (std::uint32_t skipped = 1; skipped < 1u << floats; ++skipped) {
            GuardedMemory memory(GuardedMemory::Against::end);
            check(floats, floats, most(), memory, skipped);
        }
    }
    HeapMemory memory;
    check(6, 6, 1'000, memory, 0b100101);
}

TEST_P(Unpack, WorksForManyRecordsAndAtTheLargestStride) {
    HeapMemory memory(1);
    for (const std::uint32_t count : {255u, 256u, 257u, 1'000u, 70'001u}) check(3, 3, count, memory);
    for (const std::size_t floats : {1u, 3u, 6u}) check(floats, 65'536 / sizeof(float), most(), memory);
    check(65'536 / sizeof(float), 65'536 / sizeof(float), 17, memory);
}

TEST_P(Unpack, RefusesBrokenArguments) {
    float records[12] = {}, out[12];
    std::fill(std::begin(out), std::end(out), 5.0f);
    const std::array<float*, 3> streams = {out, out + 4, out + 8};
    const auto expect_failure = [&](const Status& status, const char* named) {
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        for (const float value : out) EXPECT_EQ(value, 5.0f) << named;
    };
    expect_failure(lanecull::unpack_floats({}, 4, streams, GetParam()), "records.first");
    for (const std::size_t stride : {1u, 8u, 11u, 13u, 65'540u}) {
        expect_failure(lanecull::unpack_floats({records, stride}, 4, streams, GetParam()), "records.stride_bytes");
    }
    expect_failure(lanecull::unpack_floats({records}, 4, {}, GetParam()), "streams");
    expect_failure(lanecull::unpack_floats({records}, 4, std::vector<float*>(16'385), GetParam()), "streams");
    expect_failure(lanecull::unpack_floats({records}, 4, streams, static_cast<Isa>(9)), "isa");
    EXPECT_TRUE(lanecull::unpack_floats({}, 0, {}, GetParam()).ok()) << "nothing is looked at";
}

INSTANTIATE_TEST_SUITE_P(All, Unpack, testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                         [](const auto& parameter) { return isa_label(parameter.param); });

Rational square(const Rational& a) { return a * a; }

/// Whether the sphere contains every point within `radius` of `position`, seen from the origin: the centres are no
/// farther apart than the radii differ.
bool contains(const float (&center)[3], float sphere_radius, const double (&position)[3], const double (&origin)[3],
              float radius) {
    Rational squared = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        squared += square(Rational(position[k]) - Rational(origin[k]) - Rational(center[k]));
    }
    const Rational difference = Rational(sphere_radius) - Rational(radius);
    return difference >= 0 && squared <= square(difference);
}

TEST(RelativeSpheres, ContainWhatTheyAreMadeOfAndLittleMore) {
    Random random(91);
    const int cases = scaled(5'000);
    for (int n = 0; n < cases; ++n) {
        const double scale = random.log_range(1e-30, 1e12);
        const double origin[3] = {random.sign() * scale, random.range(-scale, scale), 0};
        // Near the origin, far from it, equal to it in some coordinates, or much smaller than floats can be.
        const double reach = random.chance(0.1) ? 1e-300 : scale * random.log_range(1e-12, 100);
        double position[3];
        for (std::size_t k = 0; k < 3; ++k) {
            position[k] = random.chance(0.2) ? origin[k] : origin[k] + random.range(-reach, reach);
        }
        const float radius = random.chance(0.3) ? 0 : static_cast<float>(reach * random.log_range(1e-9, 10));
        float center[3], sphere_radius = radius;
        ASSERT_TRUE(lanecull::relative_spheres({position}, &sphere_radius, 1, origin, &center[0], &center[1],
                                               &center[2], &sphere_radius));
        ASSERT_TRUE(contains(center, sphere_radius, position, origin, radius)) << "case " << n;
        const float growth = sphere_radius - radius;
        const double distance = std::hypot(position[0] - origin[0], position[1] - origin[1], position[2] - origin[2]);
        ASSERT_LE(static_cast<double>(growth), 0x1p-23 * (distance + static_cast<double>(radius)) + 2e-44)
            << "case " << n;
    }
}

TEST(RelativeSpheres, OfInvalidPositionsAreInvalid) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
    const double origin[3] = {1, 2, 3};
    for (const double bad : {infinity, -infinity, nan_value, 1e39, -1e300}) {
        for (std::size_t k = 0; k < 3; ++k) {
            double position[3] = {4, 5, 6};
            position[k] = bad;
            float x, y, z, radius;
            ASSERT_TRUE(lanecull::relative_spheres({position}, nullptr, 1, origin, &x, &y, &z, &radius));
            EXPECT_FALSE(std::isfinite(x + y + z + radius)) << bad;
        }
    }
    const double position[3] = {4, 5, 6};
    for (const float bad : {-1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        float x, y, z, radius;
        ASSERT_TRUE(lanecull::relative_spheres({position}, &bad, 1, origin, &x, &y, &z, &radius));
        EXPECT_FALSE(radius >= 0 && std::isfinite(radius)) << bad;
    }
}

TEST(RelativeSpheres, StayWithinGuardPagesAtAnyStride) {
    const double origin[3] = {1e6, 0, -1e6};
    for (std::uint32_t count = 0; count <= 9; ++count) {
        for (const std::size_t stride : {3u, 4u, 8'192u}) {
            for (const auto against : {GuardedMemory::Against::end, GuardedMemory::Against::start}) {
                GuardedMemory memory(against);
                const std::size_t size = count > 0 ? (count - 1) * stride + 3 : 0;
                double* positions = memory.array<double>(size);
                for (std::size_t j = 0; j < size; ++j) positions[j] = 1e6 + static_cast<double>(j);
                float* out[4];
                for (float*& stream : out) stream = memory.array<float>(count);
                const std::size_t stride_bytes = stride == 3 ? 0 : stride * sizeof(double);
                ASSERT_TRUE(lanecull::relative_spheres({positions, stride_bytes}, nullptr, count, origin, out[0],
                                                       out[1], out[2], out[3]));
                for (std::uint32_t i = 0; i < count; ++i) {
                    const auto at = static_cast<float>(i * stride);
                    EXPECT_EQ(out[0][i], at);
                    EXPECT_EQ(out[1][i], 1e6f + at + 1);
                    EXPECT_EQ(out[2][i], 2e6f + at + 2);
                }
            }
        }
    }
}

TEST(RelativeSpheres, RefuseBrokenArguments) {
    const double positions[6] = {}, origin[3] = {};
    float x = 5, y = 5, z = 5, radius = 5;
    const auto expect_failure = [&](const Status& status, const char* named) {
        EXPECT_FALSE(status.ok()) << named;
        EXPECT_EQ(std::string(status.message()).rfind(named, 0), 0u) << status.message();
        EXPECT_TRUE(x == 5 && y == 5 && z == 5 && radius == 5) << named;
    };
    expect_failure(lanecull::relative_spheres({}, nullptr, 1, origin, &x, &y, &z, &radius), "positions.first");
    for (const std::size_t stride : {4u, 16u, 28u, 65'544u}) {
        expect_failure(lanecull::relative_spheres({positions, stride}, nullptr, 1, origin, &x, &y, &z, &radius),
                       "positions.stride_bytes");
    }
    const double bad[3] = {0, std::numeric_limits<double>::quiet_NaN(), 0};
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, bad, &x, &y, &z, &radius), "origin[1]");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, nullptr, &y, &z, &radius), "x");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, &x, &y, nullptr, &radius), "z");
    expect_failure(lanecull::relative_spheres({positions}, nullptr, 1, origin, &x, &y, &z, nullptr), "sphere_radius");
    EXPECT_TRUE(lanecull::relative_spheres({}, nullptr, 0, origin, nullptr, nullptr, nullptr, nullptr).ok());
}

}  // namespace
