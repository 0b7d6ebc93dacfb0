#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include <lanecull/flat.h>
#include <lanecull/pairs.h>
#include <lanecull/shadow.h>

#include "flat/figures.hpp"
#include "flat/kind_list.hpp"
#include "frame/world.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

/// Counts and strides at their limits: up to 2^32 - 1 objects, and arrays whose offsets do not fit 32 bits. Arrays are
/// reserved addresses; only what a test writes takes memory, the rest reads as zeros. Runners run the last ranges only,
/// so that a test takes no longer than a small one.

namespace {

using lanecull::Isa;
using lanecull::Runner;
using lanecull::Task;

/// Reserves zeros.
class ReservedMemory {
public:
    ReservedMemory() = default;
    ReservedMemory(const ReservedMemory&) = delete;
    ReservedMemory& operator=(const ReservedMemory&) = delete;
    ~ReservedMemory() {
        for (const auto& [first, bytes] : pieces_) munmap(first, bytes);
    }

    template <class T>
    std::span<T> array(std::size_t count) {
        const std::size_t bytes = count * sizeof(T) + 4096;
        void* first = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (first == MAP_FAILED) throw std::bad_alloc();
        pieces_.emplace_back(first, bytes);
        return {static_cast<T*>(first), count};
    }

private:
    std::vector<std::pair<void*, std::size_t>> pieces_;
};

/// Runs the last tasks of a call that has many. The others' results stay zero, as the scratch memory was.
Runner last_tasks() {
    return {nullptr, [](void*, std::uint32_t count, const Task* task) {
                for (std::uint32_t i = count - std::min(count, 3u); i < count; ++i) (*task)(i);
            }};
}

/// The last objects of a batch of `count`: an array of theirs, and where the batch's own begins.
struct LastObjects {
    ReservedMemory& memory;
    std::size_t count, last;

    /// `stride`: from one object's elements to the next one's.
    template <class T>
    const T* array_ending_with(const T* elements, std::size_t stride, std::size_t used) {
        const std::span<T> whole = memory.array<T>(count * stride);
        for (std::size_t i = 0; i < last; ++i) {
            std::copy_n(elements + i * stride, used, whole.data() + (count - last + i) * stride);
        }
        return whole.data();
    }
    template <class T>
    void extend(const T*& stream) {
        if (stream != nullptr) stream = array_ending_with(stream, 1, 1);
    }
    void extend(lanecull::Records& records, std::size_t floats) {
        if (records.first == nullptr) return;
        const std::size_t stride = records.stride_bytes == 0 ? floats : records.stride_bytes / sizeof(float);
        records.first = array_ending_with(records.first, stride, floats);
    }
    template <class... Streams>
    void extend_all(Streams&... streams) {
        (extend(streams), ...);
    }

    template <class Shapes>
    void extend_shapes(Shapes& s) {
        each_column(s, [&](const lanecull::Column<Shapes>& column) {
            if (column.stream != nullptr) extend(s.*column.stream);
            if (column.numbers != nullptr) extend(s.*column.numbers);
            if (column.records != nullptr) extend(s.*column.records, column.width);
        });
        if constexpr (lanecull::HasTransforms<Shapes>) {
            lanecull::Records records{s.transforms.first, s.transforms.stride_bytes};
            extend(records, s.transforms.layout == lanecull::TransformLayout::rows_3x4 ? 12 : 16);
            s.transforms.first = records.first;
        }
        if constexpr (lanecull::HasLocalBoxes<Shapes>) {
            extend(s.local.box_index);
            if (s.local.box_index != nullptr) return;
            extend_shapes(s.local.boxes);
            s.local.boxes.count = static_cast<std::uint32_t>(count);
        }
    }
    void extend_shapes(lanecull::flat::Circles& s) { extend_all(s.x, s.y, s.radius); }
    void extend_shapes(lanecull::flat::Boxes& s) { extend_all(s.min_x, s.min_y, s.max_x, s.max_y); }
    void extend_shapes(lanecull::flat::OrientedBoxes& s) {
        extend_all(s.x, s.y, s.axis_x, s.axis_y, s.half_x, s.half_y);
    }
    void extend_shapes(lanecull::flat::Capsules& s) { extend_all(s.a_x, s.a_y, s.b_x, s.b_y, s.radius); }
    void extend_shapes(lanecull::flat::PolygonInstances& s) { extend_all(s.x, s.y, s.turn_x, s.turn_y); }

    void extend_attributes(lanecull::Attributes& a) {
        extend_all(a.margin, a.sweep_x, a.sweep_y, a.sweep_z, a.flags, a.layers, a.max_distance, a.min_distance,
                   a.min_projected_size);
    }

    /// The batch with zeros before its objects.
    template <class Batch>
    Batch extended(Batch batch) {
        using Kinds =
            std::conditional_t<std::is_same_v<Batch, lanecull::Batch>, lanecull::Kinds, lanecull::flat::Kinds>;
        Kinds::visit(batch, [&](auto& shapes) {
            extend_shapes(shapes);
            shapes.count = static_cast<std::uint32_t>(count);
        });
        if constexpr (requires { batch.attributes; }) extend_attributes(batch.attributes);
        return batch;
    }
};

/// What a call says about its last objects.
struct Told {
    std::vector<std::uint64_t> words, inside, masks;
    std::vector<std::uint32_t> indices, drawn;
    std::vector<lanecull::VisibleRun> runs;
    std::vector<bool> culled;  ///< by their certificates
    bool operator==(const Told&) const = default;
};

/// Culls a batch and keeps what is said about the last objects. Indices are counted from the first of these.
template <class Batch, class View>
Told cull_last(const Batch& batch, const View& view, std::size_t last, const Runner& runner, Isa isa) {
    ReservedMemory memory;
    const std::size_t count = batch.count(), words = (count + 63) / 64, listed = 100'000;
    const std::span<lanecull::Certificate> certificates = memory.array<lanecull::Certificate>(count);
    const std::span<lanecull::DrawCommand> draws = memory.array<lanecull::DrawCommand>(listed);
    lanecull::Explanation why{.certificates = certificates};
    lanecull::Output output{.explanation = &why};
    output.visible = memory.array<std::uint64_t>(words);
    output.inside = memory.array<std::uint64_t>(words);
    output.indices = memory.array<std::uint32_t>(listed);
    output.runs = memory.array<lanecull::VisibleRun>(listed);
    output.draws.memory = std::as_writable_bytes(draws);
    lanecull::CullOptions options;
    options.isa = isa;
    options.runner = runner;
    options.view_masks = memory.array<std::uint64_t>(count);
    const std::span batches(&batch, 1);
    const std::span<std::byte> scratch = memory.array<std::byte>(scratch_bytes(batches, 1));
    const lanecull::Status status =
        cull(batches, std::span(&view, 1), std::span(&output, 1), scratch, options);  // 2D or 3D
    EXPECT_TRUE(status.ok()) << status.message();

    Told told;
    const std::size_t first = count - last;
    const auto begin = batch.first_index + static_cast<std::uint32_t>(first);
    const auto is_last = [&](std::uint32_t index) { return index - begin < last; };
    told.words.assign(&output.visible[first / 64], output.visible.end());
    told.inside.assign(&output.inside[first / 64], output.inside.end());
    told.masks.assign(&options.view_masks[first], options.view_masks.end());
    for (std::size_t i = first; i < count; ++i) told.culled.push_back(is_culled(certificates[i].reason));
    for (std::size_t i = 0; i < output.visible_count; ++i) {
        if (is_last(output.indices[i])) told.indices.push_back(output.indices[i] - begin);
        const std::uint32_t drawn = draws[i].first_instance - static_cast<std::uint32_t>(first);
        if (drawn < last) told.drawn.push_back(drawn);
    }
    for (std::size_t i = 0; i < output.run_count; ++i) {
        // A run may begin before the last objects.
        const std::size_t start = output.runs[i].first - batch.first_index, end = start + output.runs[i].count;
        const std::size_t from = std::max(start, first);
        if (from >= end) continue;
        told.runs.push_back({static_cast<std::uint32_t>(from - first), static_cast<std::uint32_t>(end - from)});
    }
    return told;
}

constexpr std::size_t last_objects = 2'047;  // 63 more than whole words
const lanecull::DrawCommand one_template{};

template <class Batch, class View>
void expect_as_alone(Batch batch, const View& view, std::size_t count, std::span<const Isa> sets) {
    batch.draws.first = &one_template;
    ReservedMemory memory;
    Batch large = LastObjects{memory, count, last_objects}.extended(batch);
    large.first_index = 0xffff'ff00u;
    for (const Isa isa : sets) {
        SCOPED_TRACE(lanecull::isa_name(isa));
        const Told alone = cull_last(batch, view, last_objects, {}, isa);
        const Told among = cull_last(large, view, last_objects, last_tasks(), isa);
        EXPECT_GT(alone.indices.size(), 10u);
        EXPECT_EQ(alone.words, among.words);
        EXPECT_EQ(alone.indices, among.indices);
        EXPECT_TRUE(alone == among) << "another output";
    }
}

constexpr std::size_t most_objects = 0xffff'ffffu;

class Limits : public testing::TestWithParam<Kind> {
protected:
    void check(std::size_t count, const Format& format, std::span<const Isa> sets) const {
        Random random(20 + static_cast<std::uint64_t>(GetParam()));
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        const HullSet hulls = random_hulls(random, 3);
        const auto objects = random_objects(random, GetParam(), prepared.camera, last_objects, hulls);
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(GetParam(), objects, hulls, memory, format);
        expect_as_alone(batch, prepared.view, count, sets);
    }
};

TEST_P(Limits, OfCounts) { check(most_objects, {}, runnable_isas()); }
TEST_P(Limits, OfCountsWithAttributes) { check(most_objects, {.streams = Streams::all()}, runnable_isas().last(1)); }
/// Offsets of 2^34 numbers.
TEST_P(Limits, OfStrides) {
    check((1u << 20) - 1, {.bounds = false, .stride_floats = 65'536 / sizeof(float)}, runnable_isas());
}

INSTANTIATE_TEST_SUITE_P(All, Limits, testing::ValuesIn(all_kinds),
                         [](const auto& kind) { return kind_name(kind.param); });

class FlatLimits : public testing::TestWithParam<flat_tests::Kind> {};

TEST_P(FlatLimits, OfCounts) {
    Random random(40 + static_cast<std::uint64_t>(GetParam()));
    const flat_tests::TestView view = flat_tests::random_view(random, flat_tests::ViewKind::turned, 1, 2, 3, 4);
    const lanecull::flat::Polygon polygon = flat_tests::random_polygon(random);
    const auto objects = flat_tests::random_objects(random, GetParam(), view, polygon, last_objects);
    HeapMemory memory;
    expect_as_alone(flat_tests::make_batch(GetParam(), objects, polygon, memory), view.view, most_objects,
                    runnable_isas());
}

INSTANTIATE_TEST_SUITE_P(All, FlatLimits, testing::ValuesIn(flat_tests::all_kinds),
                         [](const auto& kind) { return flat_tests::kind_name(kind.param); });

TEST(VisibleBoundsLimits, OfCounts) {
    ReservedMemory memory;
    const std::span<float> x = memory.array<float>(most_objects);
    x.back() = 5;
    const lanecull::Batch batch = lanecull::Spheres{x.data(), x.data(), x.data(), x.data(), 0xffff'ffffu};
    const std::span<std::uint64_t> visible = memory.array<std::uint64_t>(lanecull::visibility_words({&batch, 1}));
    ASSERT_EQ(visible.size(), std::size_t{1} << 26);
    visible.back() = std::uint64_t{3} << 62;  // the last object, and none
    lanecull::WorldBox bounds;
    ASSERT_TRUE(lanecull::visible_bounds({&batch, 1}, visible, bounds));
    EXPECT_NEAR(bounds.lower[0], 0, 1e-4);
    EXPECT_NEAR(bounds.upper[2], 10, 1e-4);
    const std::array<double, 16> along_z = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
    const double depths[] = {-2, -1, 11, 12};  // it is from 0 to 10
    lanecull::WorldBox slices[3];
    ASSERT_TRUE(lanecull::slice_bounds({&batch, 1}, visible, along_z, {}, depths, slices));
    EXPECT_GT(slices[0].lower[0], slices[0].upper[0]);
    EXPECT_NEAR(slices[1].upper[2], 10, 1e-4);
    EXPECT_GT(slices[2].lower[0], slices[2].upper[0]);
}

/// A pass over as many objects: its words and scratch memory take several gigabytes of addresses.
TEST(PassLimits, OfCounts) {
    ReservedMemory memory;
    const std::span<float> x = memory.array<float>(most_objects), z = memory.array<float>(most_objects);
    const std::span<float> radius = memory.array<float>(most_objects);
    z.back() = -50, radius.back() = 2;
    const lanecull::Batch batch = lanecull::Spheres{x.data(), x.data(), z.data(), radius.data(), 0xffff'ffffu};
    frame_tests::Made made;
    made.add_camera({}, 1);
    made.add_point_light({0, 0, -40}, 20);
    std::vector<lanecull::Output> outputs(lanecull::view_count(made.frame()));
    const std::size_t words = lanecull::visibility_words({&batch, 1});
    for (lanecull::Output& output : outputs) output.visible = memory.array<std::uint64_t>(words);
    lanecull::CullPass pass;
    ASSERT_TRUE(pass.reserve(made.limits(), {&batch, 1}));
    ASSERT_TRUE(pass.plan(made.frame(), {{-1, -1, -60}, {1, 1, -40}}));
    ASSERT_TRUE(pass.prepare());
    const lanecull::Status status = pass.cull({&batch, 1}, outputs, {.runner = last_tasks()});
    ASSERT_TRUE(status) << status.message();
    constexpr std::uint64_t last = std::uint64_t{1} << 62;
    // Of the camera, of the cascade, and of the face that looks along -z.
    for (const std::size_t v : {0u, 1u, 7u}) EXPECT_EQ(outputs[v].visible.back(), last) << v;
    EXPECT_EQ(outputs[6].visible.back(), 0u);
}

/// Pairs beyond the 2^33-th, of objects beyond the 2^30-th.
TEST(PairLimits, OfCounts) {
    ReservedMemory memory;
    constexpr std::size_t pairs = (std::size_t{1} << 33) + 5, objects = 0x7fff'ffff;
    const std::span<float> x = memory.array<float>(objects), zero = memory.array<float>(objects),
                           radius = memory.array<float>(objects);
    x[objects - 1] = 10, x[objects - 2] = 7;
    radius[objects - 1] = radius[objects - 2] = 1;
    const lanecull::Batch balls = lanecull::Spheres{x.data(), zero.data(), zero.data(), radius.data(), objects};
    const std::span<std::uint32_t> index = memory.array<std::uint32_t>(2 * pairs);
    index[2 * pairs - 2] = objects - 1, index[2 * pairs - 1] = objects - 2;
    // Out of range.
    constexpr std::uint32_t beyond[][2] = {
        {objects - 2, objects}, {0, 0x80000000u}, {0x80000000u, 0x80000000u}, {~0u, objects - 1}};
    for (std::size_t i = 0; i < 4; ++i) std::copy_n(beyond[i], 2, &index[2 * (pairs - 2 - i)]);
    const lanecull::PairIndices indices{index.data(), index.data() + 1, pairs, 8};
    const std::span<std::uint64_t> separated = memory.array<std::uint64_t>((pairs + 63) / 64);
    const std::span<float> lower = memory.array<float>(pairs), upper = memory.array<float>(pairs);
    const std::span<float> to_left = memory.array<float>(pairs), none = memory.array<float>(pairs);
    to_left.back() = -2;
    for (const Isa isa : runnable_isas()) {
        SCOPED_TRACE(lanecull::isa_name(isa));
        ASSERT_TRUE(lanecull::separate_pairs(balls, balls, indices, separated, {isa}, last_tasks()));
        EXPECT_EQ(separated.back(), 1u << 4);
        lanecull::PairDistanceOptions options;
        options.isa = isa;
        ASSERT_TRUE(
            lanecull::pair_distances(balls, balls, indices, {lower.data(), upper.data()}, options, last_tasks()));
        EXPECT_NEAR(lower.back(), 1, 1e-4f);
        EXPECT_NEAR(upper.back(), 1, 1e-4f);
        for (std::size_t i = pairs - 5; i < pairs - 1; ++i) {
            EXPECT_EQ(lower[i], 0);
            EXPECT_EQ(upper[i], std::numeric_limits<float>::infinity());
        }
        lanecull::PairCastOptions width;
        width.isa = isa;
        ASSERT_TRUE(lanecull::cast_pairs(balls, balls, indices, {to_left.data(), none.data(), none.data()},
                                         {lower.data(), upper.data()}, width, last_tasks()));
        EXPECT_NEAR(lower.back(), 0.5f, 1e-3f);
        EXPECT_NEAR(upper.back(), 0.5f, 1e-3f);
    }
}

/// Hulls whose transforms are up to 2^34 numbers from the first.
TEST(PairLimits, OfStrides) {
    ReservedMemory memory;
    constexpr std::uint32_t objects = 1u << 20;
    constexpr std::size_t stride = 65'536 / sizeof(float);
    const float x[] = {-1, 1, 0, 0}, y[] = {0, 0, 1, 0}, z[] = {0, 0, 0, 1};
    lanecull::Hull hull;
    ASSERT_TRUE(lanecull::prepare_hull(x, y, z, 4, hull));
    const std::span<float> transforms = memory.array<float>(objects * stride);
    for (const std::uint32_t i : {objects - 1, objects - 2}) {
        for (const std::size_t k : {0u, 5u, 10u}) transforms[i * stride + k] = 1;
    }
    transforms[(objects - 1) * stride + 3] = 3;
    const lanecull::Batch hulls =
        lanecull::HullInstances{.transforms = {transforms.data(), 65'536, lanecull::TransformLayout::rows_3x4},
                                .hulls = &hull,
                                .hull_count = 1,
                                .count = objects};
    const std::uint32_t a = objects - 1, b = objects - 2;
    for (const Isa isa : runnable_isas()) {
        std::uint64_t word = 0;
        float lower = 0, upper = 0;
        lanecull::PairDistanceOptions options;
        options.isa = isa;
        ASSERT_TRUE(lanecull::separate_pairs(hulls, hulls, {&a, &b, 1}, {&word, 1}, {isa}));
        ASSERT_TRUE(lanecull::pair_distances(hulls, hulls, {&a, &b, 1}, {&lower, &upper}, options));
        EXPECT_EQ(word, 1u) << lanecull::isa_name(isa);
        EXPECT_NEAR(lower, 1, 1e-4f) << lanecull::isa_name(isa);
        EXPECT_NEAR(upper, 1, 1e-4f) << lanecull::isa_name(isa);
    }
}

}  // namespace
