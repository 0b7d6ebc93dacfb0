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

TEST(OneOf, KnowsWhichItHolds) {
    using Shapes = Batch::Shapes;
    static_assert(std::is_trivially_copyable_v<Shapes> && Shapes::has<lanecull::Spheres> && !Shapes::has<int>);
    static_assert(std::is_same_v<Shapes::At<0>, lanecull::Spheres> &&
                  std::is_same_v<Shapes::At<Shapes::size - 1>, lanecull::BoxInstances>);
    EXPECT_EQ(Shapes().index(), 0u);
    lanecull::Capsules capsules;
    capsules.count = 7;
    Shapes shapes = lanecull::Boxes{};
    EXPECT_EQ(shapes.index(), 1u);
    shapes = capsules;
    EXPECT_EQ(shapes.index(), 4u);
    EXPECT_EQ(shapes.get_if<lanecull::Boxes>(), nullptr);
    ASSERT_NE(shapes.get_if<lanecull::Capsules>(), nullptr);
    shapes.get_if<lanecull::Capsules>()->count += 1;
    EXPECT_EQ(shapes.visit([](const auto& kind) { return kind.count; }), 8u);
    shapes.visit([](auto& kind) { kind.count += 1; });
    EXPECT_TRUE(std::as_const(shapes).visit(
        []<class Kind>(const Kind& kind) { return std::is_same_v<Kind, lanecull::Capsules> && kind.count == 9; }));
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
    EXPECT_TRUE(says("view.hpp", bytes(sizeof(lanecull::View)))) << sizeof(lanecull::View);
    EXPECT_TRUE(says("flat/view.hpp", bytes(sizeof(lanecull::flat::View)))) << sizeof(lanecull::flat::View);
    EXPECT_TRUE(says("occluder.hpp", bytes(sizeof(lanecull::Occluder)))) << sizeof(lanecull::Occluder);
    EXPECT_TRUE(says("c/occluder.h", bytes(sizeof(lanecull::Occluder)))) << sizeof(lanecull::Occluder);
    EXPECT_TRUE(says("certificate.hpp", bytes(sizeof(lanecull::Certificate)))) << sizeof(lanecull::Certificate);
    EXPECT_TRUE(says("batch.hpp", bytes(4 * sizeof(float)) + " an object"));
    EXPECT_LE(sizeof(lanecull::View), std::size_t{3500}) << "cull_pass.hpp says 3.5 KB for each view";
    EXPECT_NEAR(static_cast<double>(sizeof(lanecull::View)), 3400, 50) << "c/view.h says 3.4 KB a view";
    EXPECT_FALSE(says("view.hpp", "17 bytes")) << "the search finds anything";
}

/// runner.hpp: at most 16,384 objects a task, and as a rule some thousand.
TEST(Sizes, OfTasks) {
    constexpr std::uint32_t count = 1'000'000;
    const std::vector<float> zeros(count);
    const Batch batch = lanecull::Spheres{zeros.data(), zeros.data(), zeros.data(), zeros.data(), count};
    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    lanecull::View view;
    ASSERT_TRUE(prepare_view(matrix, lanecull::ClipSpace::opengl(), view));
    std::vector<std::uint64_t> bits(lanecull::visibility_words({&batch, 1}));
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output output;
    output.visible = bits;
    std::uint32_t tasks = 0;
    const lanecull::Runner runner{&tasks, [](void* self, std::uint32_t tasks_of_run, lanecull::Task task) {
                                      *static_cast<std::uint32_t*>(self) = tasks_of_run;
                                      for (std::uint32_t i = 0; i < tasks_of_run; ++i) task(i);
                                  }};
    ASSERT_TRUE(lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, {.runner = runner}));
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
