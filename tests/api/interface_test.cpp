#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <lanecull/flat.h>
#include <lanecull/lanecull.h>
#include <lanecull/shadow.h>

#include "calls/kinds.hpp"
#include "flat/prepared_view.hpp"
#include "support/culling.hpp"

/// What the headers say of their own types: which conversions there are, how large they are, which version this is.

namespace {

using lanecull::Batch;
using lanecull::Status;

template <class From>
constexpr bool makes_a_batch = std::is_convertible_v<From, Batch>&& std::is_constructible_v<Batch, From, unsigned>&&
    std::is_constructible_v<Batch, From, lanecull::Attributes>;

static_assert(makes_a_batch<lanecull::Spheres> && makes_a_batch<lanecull::Boxes> &&
              makes_a_batch<lanecull::CenteredBoxes> && makes_a_batch<lanecull::OrientedBoxes> &&
              makes_a_batch<lanecull::Capsules> && makes_a_batch<lanecull::HullInstances> &&
              makes_a_batch<lanecull::BoxInstances> && makes_a_batch<lanecull::Cylinders> &&
              makes_a_batch<lanecull::Ellipsoids> && makes_a_batch<lanecull::Cones>);
static_assert(!std::is_constructible_v<Batch, int> && !std::is_constructible_v<Batch, std::nullptr_t>);
static_assert(!std::is_constructible_v<Batch, lanecull::flat::Circles>);
static_assert(!std::is_constructible_v<Batch, const lanecull::Spheres*>);
static_assert(std::is_convertible_v<lanecull::flat::Circles, lanecull::flat::Batch>);
static_assert(!std::is_constructible_v<lanecull::flat::Batch, int>);
static_assert(!std::is_constructible_v<lanecull::flat::Batch, lanecull::Spheres>);
static_assert(std::is_trivially_copyable_v<Batch> && std::is_trivially_copyable_v<lanecull::flat::Batch>);

TEST(Batches, KnowWhichShapesTheyHold) {
    static_assert(std::is_same_v<lanecull::Kinds::At<0>, lanecull::Spheres> &&
                  std::is_same_v<lanecull::Kinds::At<lanecull::Kinds::size - 1>, lanecull::Cones>);
    EXPECT_EQ(Batch().kind, lanecull::Kind::none);
    EXPECT_EQ(Batch().count(), 0u);
    EXPECT_EQ(Batch().get_if<lanecull::Spheres>(), nullptr);
    EXPECT_GE(lanecull::place_of(Batch()), lanecull::Kinds::size);
    lanecull::Capsules capsules;
    capsules.count = 7;
    Batch batch = lanecull::Boxes{};
    EXPECT_EQ(batch.kind, lanecull::Kind::boxes);
    batch = capsules;
    EXPECT_EQ(lanecull::place_of(batch), 4u);
    EXPECT_EQ(batch.get_if<lanecull::Boxes>(), nullptr);
    ASSERT_NE(batch.get_if<lanecull::Capsules>(), nullptr);
    batch.get_if<lanecull::Capsules>()->count += 1;
    EXPECT_EQ(std::as_const(batch).get_if<lanecull::Capsules>()->count, 8u);
    lanecull::visit(batch, [](auto& kind) { kind.count += 1; });
    EXPECT_EQ(batch.count(), 9u);
    EXPECT_TRUE(lanecull::visit(std::as_const(batch), []<class Kind>(const Kind& kind) {
        return std::is_same_v<Kind, lanecull::Capsules> && kind.count == 9;
    }));
}

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
    EXPECT_TRUE(says("view.h", bytes(sizeof(lanecull::View)))) << sizeof(lanecull::View);
    EXPECT_TRUE(says("flat.h", bytes(sizeof(lanecull::flat::PreparedView)))) << sizeof(lanecull::flat::PreparedView);
    EXPECT_TRUE(says("types.h", bytes(sizeof(Status)))) << sizeof(Status);
    EXPECT_TRUE(says("cull.h", bytes(sizeof(lanecull::Certificate)))) << sizeof(lanecull::Certificate);
    EXPECT_TRUE(says("batch.h", bytes(4 * sizeof(float)) + " an object"));
    EXPECT_TRUE(says("batch.h", bytes(sizeof(lanecull::Shapes)))) << sizeof(lanecull::Shapes);
    EXPECT_NEAR(static_cast<double>(sizeof(lanecull::View)), 3700, 60) << "shadow.h says 3.7 KB for each view";
    EXPECT_FALSE(says("view.h", "17 bytes")) << "the search finds anything";
}

/// lanecull::Runner: at most 16,384 objects a task, and as a rule some thousand.
TEST(Sizes, OfTasks) {
    constexpr std::uint32_t count = 1'000'000;
    const std::vector<float> zeros(count);
    const Batch batch = lanecull::Spheres{zeros.data(), zeros.data(), zeros.data(), zeros.data(), count};
    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::View view;
    ASSERT_TRUE(prepare_view(matrix, lanecull::ClipSpace::opengl(), view));
    std::uint32_t tasks = 0;
    const lanecull::Runner runner{&tasks, [](void* self, std::uint32_t tasks_of_run, const lanecull::Task* task) {
                                      *static_cast<std::uint32_t*>(self) = tasks_of_run;
                                      for (std::uint32_t i = 0; i < tasks_of_run; ++i) (*task)(i);
                                  }};
    static_cast<void>(run_cull(batch, view, {.runner = runner}));
    EXPECT_GE(tasks, (count + 16'383) / 16'384);
    EXPECT_LE(tasks, count / 2'000);
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
