#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>

#include <lanecull/cull_pass.hpp>
#include <lanecull/flat.hpp>
#include <lanecull/lanecull.hpp>

/// What the headers say of their own types: which conversions there are, how large they are, which version this is.

namespace {

using lanecull::Batch;

template <class From>
constexpr bool makes_a_batch = std::is_convertible_v<From, Batch>&& std::is_constructible_v<Batch, From, unsigned>&&
    std::is_constructible_v<Batch, From, lanecull::Attributes>;

static_assert(makes_a_batch<lanecull::Spheres> && makes_a_batch<lanecull::Boxes> &&
              makes_a_batch<lanecull::CenteredBoxes> && makes_a_batch<lanecull::OrientedBoxes> &&
              makes_a_batch<lanecull::Capsules> && makes_a_batch<lanecull::HullInstances> &&
              makes_a_batch<lanecull::BoxInstances>);
static_assert(!std::is_constructible_v<Batch, int> && !std::is_constructible_v<Batch, std::nullptr_t>);
static_assert(!std::is_constructible_v<Batch, lanecull::flat::Circles>);
static_assert(!std::is_constructible_v<Batch, const lanecull::Spheres*>);
static_assert(std::is_convertible_v<lanecull::flat::Circles, lanecull::flat::Batch>);
static_assert(!std::is_constructible_v<lanecull::flat::Batch, int>);
static_assert(!std::is_constructible_v<lanecull::flat::Batch, lanecull::Spheres>);
static_assert(std::is_trivially_copyable_v<Batch> && std::is_trivially_copyable_v<lanecull::flat::Batch>);

/// Whether a header says a size, such as "968 bytes".
bool says(const char* header, const std::string& size) {
    std::ifstream file(std::filesystem::path(LANECULL_TEST_DATA) / "../../include/lanecull" / header);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return text.find(" " + size) != std::string::npos;
}

std::string bytes(std::size_t size) {
    std::string digits = std::to_string(size);
    if (digits.size() > 3) digits.insert(digits.size() - 3, ",");
    return digits + " bytes";
}

TEST(Sizes, AreThoseThatCommentsName) {
    EXPECT_TRUE(says("view.hpp", bytes(sizeof(lanecull::View)))) << sizeof(lanecull::View);
    EXPECT_TRUE(says("flat/view.hpp", bytes(sizeof(lanecull::flat::View)))) << sizeof(lanecull::flat::View);
    EXPECT_TRUE(says("occluder.hpp", bytes(sizeof(lanecull::Occluder)))) << sizeof(lanecull::Occluder);
    EXPECT_TRUE(says("c/occluder.h", bytes(sizeof(lanecull::Occluder)))) << sizeof(lanecull::Occluder);
    EXPECT_TRUE(says("cull.hpp", bytes(sizeof(lanecull::Certificate)))) << sizeof(lanecull::Certificate);
    EXPECT_TRUE(says("batch.hpp", bytes(4 * sizeof(float)) + " an object"));
    EXPECT_LE(sizeof(lanecull::View), std::size_t{3500}) << "cull_pass.hpp says 3.5 KB for each view";
    EXPECT_NEAR(static_cast<double>(sizeof(lanecull::View)), 3400, 50) << "c/view.h says 3.4 KB a view";
    EXPECT_FALSE(says("view.hpp", "17 bytes")) << "the search finds anything";
}

TEST(Version, IsTheSameInEveryMacro) {
    const std::string version = std::to_string(LANECULL_VERSION_MAJOR) + "." + std::to_string(LANECULL_VERSION_MINOR) +
                                "." + std::to_string(LANECULL_VERSION_PATCH);
    EXPECT_EQ(version, LANECULL_VERSION);
    EXPECT_EQ(version, LANECULL_TEST_VERSION) << "CMake's";
    EXPECT_EQ(LANECULL_VERSION_NUMBER,
              10'000 * LANECULL_VERSION_MAJOR + 100 * LANECULL_VERSION_MINOR + LANECULL_VERSION_PATCH);
}

}  // namespace
