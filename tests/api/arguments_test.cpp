#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <lanecull/bounds.h>
#include <lanecull/pairs.h>
#include <lanecull/scene.h>

#include "base/failure.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

/// Every rule that cull() and the other calls have for their arguments. A call that breaks one fails with a status that
/// names the argument, and writes nothing.

namespace {

using lanecull::Batch;
using lanecull::Output;
using lanecull::Status;
using lanecull::StatusCode;
using lanecull::View;

void expect_failure(const Status& status, const std::string& named) {
    EXPECT_FALSE(status.ok()) << "wanted a failure naming " << named;
    EXPECT_NE(std::string(status.message()).find(named), std::string::npos)
        << "\"" << status.message() << "\" does not name " << named;
    EXPECT_EQ(std::strchr(status.message().text, '\n'), nullptr) << status.message();
}

/// A call that would succeed, for tests to break in one place.
class Arguments : public testing::Test {
protected:
    static constexpr std::uint32_t count = 100, objects = std::size(all_kinds) * count;
    static constexpr std::uint64_t sentinel = 0x7777777777777777u;

    Arguments() {
        Random random(1);
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        const HullSet hulls = random_hulls(random, 3);
        for (const Kind kind : all_kinds) {
            const auto of_kind = random_objects(random, kind, prepared.camera, count, hulls);
            batches.push_back(make_batch(kind, of_kind, hulls, memory));
        }
        views.assign(2, prepared.view);
        words.assign(2, std::vector<std::uint64_t>(lanecull::visibility_words(batches)));
        indices.assign(2, std::vector<std::uint32_t>(objects));
        scratch.assign(lanecull::scratch_bytes(batches, 2), std::byte{0x77});
        restore();
    }

    /// Outputs that nothing has been written to.
    void restore() {
        outputs.assign(2, {});
        for (std::size_t v = 0; v < 2; ++v) {
            std::ranges::fill(words[v], sentinel);
            std::ranges::fill(indices[v], static_cast<std::uint32_t>(sentinel));
            whys[v] = {};
            outputs[v].visible = words[v], outputs[v].indices = indices[v];
            outputs[v].visible_count = sentinel;
            outputs[v].explanation = &whys[v];
        }
    }

    template <class Shapes>
    Shapes& shapes(Kind kind) {
        return *batches[static_cast<std::size_t>(kind)].get_if<Shapes>();
    }

    Status call() { return lanecull::cull(batches, views, outputs, scratch, options); }

    void expect_failure_naming(const std::string& named) {
        expect_failure(call(), named);
        for (std::size_t v = 0; v < 2; ++v) {
            EXPECT_EQ(words[v], std::vector<std::uint64_t>(words[v].size(), sentinel)) << "bits written";
            EXPECT_EQ(indices[v], std::vector<std::uint32_t>(indices[v].size(), static_cast<std::uint32_t>(sentinel)))
                << "indices written";
            EXPECT_EQ(whys[v].counts, lanecull::Counts{}) << "counts written";
        }
        for (const Output& output : outputs) EXPECT_EQ(output.visible_count, sentinel) << "count written";
    }

    /// Sets a member, expects failure, puts it back.
    template <class T, class Value>
    void expect_failure_with(T& member, const Value& value, const std::string& named) {
        const T before = member;
        member = static_cast<T>(value);
        expect_failure_naming(named);
        member = before;
    }
    template <class T, class Value>
    void expect_failure_with(T& member, std::initializer_list<Value> values, const std::string& named) {
        for (const Value& value : values) expect_failure_with(member, value, named);
    }

    HeapMemory memory;
    std::vector<Batch> batches;
    std::vector<View> views;
    std::vector<Output> outputs;
    std::vector<lanecull::Explanation> whys = std::vector<lanecull::Explanation>(2);
    std::vector<std::vector<std::uint64_t>> words;
    std::vector<std::vector<std::uint32_t>> indices;
    std::vector<std::byte> scratch;
    lanecull::CullOptions options;
};

TEST_F(Arguments, SucceedUnbroken) {
    const Status status = call();
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_NE(outputs[0].visible_count, sentinel);
    EXPECT_EQ(words[0], words[1]) << "two equal views";
}

TEST_F(Arguments, ViewsAndTheirOutputs) {
    EXPECT_FALSE(View().prepared());
    expect_failure_with(views[1], View(), "views[1]");
    const Output untouched{.visible_count = sentinel};
    scratch.resize(lanecull::scratch_bytes(batches, 65));
    for (const std::size_t given : {0u, 65u}) {
        outputs.assign(given, untouched);
        expect_failure_with(views, std::vector<View>(given, views[0]), "views");
    }
    for (const std::size_t given : {0u, 1u, 3u}) {
        outputs.assign(given, untouched);
        expect_failure_naming("outputs");
    }
}

TEST_F(Arguments, TheLengthsOfArrays) {
    for (std::size_t bytes = scratch.size(); bytes > 0; bytes /= 2) {
        scratch.resize(bytes - 1);
        expect_failure_naming("bytes are too few, scratch_bytes() asks for ");
    }
    scratch.resize(lanecull::scratch_bytes(batches, 2));
    std::vector<std::uint64_t> bits(words[1].size() + 1, sentinel), masks(objects + 1);
    std::vector<lanecull::Certificate> certificates(objects + 1);
    for (const std::size_t given : {std::size_t{1}, words[1].size() - 1, words[1].size() + 1}) {
        const std::span<std::uint64_t> part = std::span(bits).first(given);
        expect_failure_with(outputs[1].visible, part, "outputs[1].visible");
        expect_failure_with(outputs[1].inside, part, "outputs[1].inside");
    }
    for (const std::size_t given : {1u, objects - 1, objects + 1}) {
        expect_failure_with(whys[1].certificates, std::span(certificates).first(given), "outputs[1].certificates");
        expect_failure_with(options.view_masks, std::span(masks).first(given), "options.view_masks");
    }
}

TEST_F(Arguments, OrdersKeysAndTheirMemory) {
    using lanecull::ListOrder;
    outputs[1].order = ListOrder::front_to_back;
    expect_failure_naming("scratch");
    expect_failure_naming("bytes are too few, scratch_bytes() and order_bytes() together ask for ");
    scratch.resize(lanecull::scratch_bytes(batches, 2) + lanecull::order_bytes(batches, 1));
    expect_failure_with(outputs[1].order, ListOrder{4}, "outputs[1].order: 4 is not a known value");
    View slab;
    const lanecull::Plane planes[] = {{{1, 0, 0}, 5}, {{-1, 0, 0}, 5}};
    ASSERT_TRUE(lanecull::prepare_view_from_planes(planes, slab));
    expect_failure_with(views[1], slab, "outputs[1].order: the view has no depth");
    outputs[1].order = ListOrder::by_key;
    expect_failure_naming("outputs[1].keys: there must be ");
    std::uint64_t most = 0;
    for (const Batch& batch : batches) most = std::max(most, std::uint64_t{batch.first_index} + batch.count());
    std::vector<std::uint32_t> keys(4 * most);
    outputs[1].keys = std::span(keys).first(most - 1);
    expect_failure_naming("outputs[1].keys");
    outputs[1].keys = std::span(keys).first(most);
    expect_failure_with(outputs[1].key_stride_bytes, {2u, 6u, 65'540u}, "outputs[1].key_stride_bytes");
    expect_failure_with(outputs[1].keys, lanecull::Span<const std::uint32_t>(nullptr, most), "outputs[1].keys");
    expect_failure_with(outputs[0].indices, lanecull::Span<std::uint32_t>(keys.data() + most - 1, 9),
                        "outputs[1].keys");
    outputs[1].key_stride_bytes = 16;
    expect_failure_with(outputs[0].indices, lanecull::Span<std::uint32_t>(keys.data() + 4 * (most - 1), 1),
                        "outputs[1].keys");
    EXPECT_TRUE(call().ok()) << call().message();
}

TEST_F(Arguments, KnownMethodsAndSets) {
    expect_failure_with(options.method, {2, 3, 254}, "method");
    expect_failure_with(options.isa, 77, "isa");
    lanecull::SceneOutput of_scene;
    expect_failure_with(outputs[1].scene, &of_scene, "outputs[1].scene");
}

TEST_F(Arguments, EveryColumnOfEveryKind) {
    for (std::size_t b = 0; b < batches.size(); ++b) {
        lanecull::visit(batches[b], [&]<class Shapes>(Shapes& of) {
            each_column(of, [&](const lanecull::Column<Shapes>& column) {
                const std::string name = "batches[" + std::to_string(b) + "]." + column.name;
                if (column.stream != nullptr && column.bound == column.not_a_bound) {
                    expect_failure_with(of.*column.stream, nullptr, name);
                }
                if (column.numbers != nullptr) expect_failure_with(of.*column.numbers, nullptr, name);
                if (column.records != nullptr) {
                    expect_failure_with((of.*column.records).first, nullptr, std::string(column.name) + ".first");
                }
                if (column.transforms != nullptr) expect_failure_with((of.*column.transforms).first, nullptr, name);
                if constexpr (lanecull::HasLocalBoxes<Shapes>) {
                    if (column.local != nullptr) expect_failure_with(of.local.boxes.*column.local, nullptr, name);
                }
            });
        });
    }
    auto& instances = shapes<lanecull::HullInstances>(Kind::hull);
    expect_failure_with(instances.hulls, nullptr, "batches[5]");
    expect_failure_with(instances.hull_count, 0, "batches[5]");
    for (const float** stream : {&instances.bounding_x, &instances.bounding_y, &instances.bounding_z,
                                 &instances.bounding_radius}) {  // all four or none
        expect_failure_with(*stream, nullptr, "batches[5]");
    }
    std::vector<lanecull::Hull> hulls(instances.hulls, instances.hulls + instances.hull_count);
    instances.hulls = hulls.data();
    expect_failure_with(hulls[1].count, 0, "hull");
    lanecull::Attributes& attributes = batches[1].attributes;
    const std::vector<float> zeros(count);
    attributes.sweep_x = attributes.sweep_y = attributes.sweep_z = zeros.data();
    for (const float** stream : {&attributes.sweep_x, &attributes.sweep_y, &attributes.sweep_z}) {
        expect_failure_with(*stream, nullptr, "batches[1].attributes.sweep");
    }
}

TEST_F(Arguments, Transforms) {
    lanecull::Transforms& transforms = shapes<lanecull::BoxInstances>(Kind::box_instance).transforms;
    const std::string name = "batches[" + std::to_string(static_cast<int>(Kind::box_instance)) + "].transforms.";
    expect_failure_with(transforms.layout, {0, 5, 255}, name + "layout");
    expect_failure_with(transforms.stride_bytes, {4u, 44u, 46u, 49u, 65'540u}, name + "stride_bytes");
    expect_failure_with(transforms.stride_bytes, ~std::size_t{0} - 3, name + "stride_bytes");
    transforms.layout = lanecull::TransformLayout::rows_4x4;
    expect_failure_with(transforms.stride_bytes, 60, name + "stride_bytes");
    transforms.layout = lanecull::TransformLayout::rows_3x4;
    const std::vector<double> positions(3 * count);
    transforms.positions.first = positions.data();
    expect_failure_with(transforms.positions.stride_bytes, {8u, 16u, 28u, 65'544u}, name + "positions.stride_bytes");
    for (double& coordinate : transforms.origin) {
        expect_failure_with(coordinate, std::numeric_limits<double>::quiet_NaN(), name + "origin");
    }
    expect_failure_with(shapes<lanecull::HullInstances>(Kind::hull).transforms.stride_bytes,
                        {4u, 44u, 46u, 49u, 65'540u}, "stride");
}

TEST_F(Arguments, LocalBoxes) {
    lanecull::LocalBoxes& local = shapes<lanecull::BoxInstances>(Kind::box_instance).local;
    const std::string name = "batches[" + std::to_string(static_cast<int>(Kind::box_instance)) + "].local";
    expect_failure_with(local.boxes.count, count - 1, name + ".boxes.count");
    const std::vector<std::uint32_t> index(count);
    local.box_index = index.data();
    expect_failure_with(local.boxes.count, {0u, 0x80000000u}, name + ".boxes.count");
    // Streams or records, not both; both corners.
    const std::vector<float> corners(6 * count);
    expect_failure_with(local.lower.first, corners.data(), name + ": boxes must be streams or records");
    local.boxes = {.count = count};
    local.lower = {corners.data(), 24}, local.upper = {corners.data() + 3, 24};
    for (lanecull::Records* records : {&local.lower, &local.upper}) {
        const std::string corner = name + (records == &local.lower ? ".lower" : ".upper");
        expect_failure_with(records->first, nullptr, corner + ".first");
        expect_failure_with(records->stride_bytes, {8u, 14u, 65'540u}, corner + ".stride_bytes");
    }
}

TEST_F(Arguments, OrientedBoxes) {
    auto& oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    expect_failure_with(oriented.quaternions.first, oriented.half_extents.first, "quaternions");
    expect_failure_with(oriented.axes.stride_bytes, {1u, 2u, 4u, 32u, 37u, 65'537u, 65'540u}, "stride");
    expect_failure_with(oriented.half_extents.stride_bytes, {4u, 8u, 11u, 13u, 65'540u}, "stride");
    auto& turned = shapes<lanecull::OrientedBoxes>(Kind::quaternion_box);
    expect_failure_with(turned.quaternions.stride_bytes, {4u, 12u, 17u, 65'540u}, "quaternions.stride_bytes");
}

TEST_F(Arguments, Ellipsoids) {
    auto& ellipsoids = shapes<lanecull::Ellipsoids>(Kind::ellipsoid);
    expect_failure_with(ellipsoids.quaternions.stride_bytes, {4u, 12u, 17u, 65'540u}, "quaternions.stride_bytes");
    expect_failure_with(ellipsoids.half_axes.stride_bytes, {4u, 8u, 13u, 65'540u}, "half_axes.stride_bytes");
}

/// Positions and corners that follow one another need no stride. (Families of properties have other records.)
TEST_F(Arguments, StridesOfZeroArePacked) {
    auto& boxes = shapes<lanecull::BoxInstances>(Kind::box_instance);
    const std::vector<double> positions(3 * count, 0.25);
    const std::vector<float> corners(6 * count, -1);
    boxes.transforms.positions = {positions.data(), 24};
    boxes.local.boxes = {.count = count};
    boxes.local.lower = {corners.data(), 12}, boxes.local.upper = {corners.data() + 3 * count, 12};
    ASSERT_TRUE(call().ok()) << call().message();
    const std::vector<std::vector<std::uint64_t>> expected = words;
    for (std::size_t* bytes :
         {&boxes.transforms.positions.stride_bytes, &boxes.local.lower.stride_bytes, &boxes.local.upper.stride_bytes}) {
        *bytes = 0;
        restore();
        ASSERT_TRUE(call().ok()) << call().message();
        EXPECT_EQ(words, expected);
    }
}

/// Nor do commands, and templates of one an object.
TEST_F(Arguments, DrawsThatFollowOneAnother) {
    std::vector<lanecull::DrawCommand> templates(count), commands(objects), expected;
    for (std::uint32_t i = 0; i < count; ++i) templates[i].first_index = 3 * i;
    outputs[1].draws.memory = commands;
    for (const std::uint32_t stride : {20u, 0u}) {
        for (Batch& batch : batches) batch.draws = {templates.data(), lanecull::DrawPer::object, stride};
        outputs[1].draws.stride_bytes = stride;
        std::ranges::fill(commands, lanecull::DrawCommand{.index_count = 77});
        ASSERT_TRUE(call().ok()) << call().message();
        if (stride != 0) expected = commands;
        EXPECT_EQ(std::memcmp(commands.data(), expected.data(), 20 * commands.size()), 0);
    }
}

TEST_F(Arguments, DrawsThatFit) {
    std::vector<lanecull::DrawCommand> templates(1), commands(10);
    for (Batch& batch : batches) batch.draws.first = templates.data();
    restore();
    lanecull::DrawOutput& draws = outputs[1].draws;
    draws.memory = std::as_writable_bytes(std::span(commands));
    expect_failure_with(draws.stride_bytes, {4u, 16u, 21u, 22u}, "outputs[1].draws.stride_bytes");
    expect_failure_with(draws.offset_bytes, 201, "outputs[1].draws.offset_bytes");
    expect_failure_with(draws.offset_bytes, {1u, 2u, 3u}, "outputs[1].draws");
    expect_failure_with(batches[2].draws.first, nullptr, "batches[2].draws.first");
    batches[2].draws.per = lanecull::DrawTemplates::Per::object;
    expect_failure_with(batches[2].draws.stride_bytes, {4u, 16u, 21u, 65'540u}, "batches[2].draws.stride_bytes");
    expect_failure_with(batches[2].draws.per, lanecull::DrawTemplates::Per{7}, "batches[2].draws.per");
    EXPECT_TRUE(call().ok()) << call().message();
}

/// An output that takes its memory from some words.
struct Place {
    std::string name;
    void (*give)(Output& output, std::span<std::uint64_t> words);
};
const Place places[] = {
    {".visible", [](Output& output, std::span<std::uint64_t> words) { output.visible = words; }},
    {".inside", [](Output& output, std::span<std::uint64_t> words) { output.inside = words; }},
    {".indices",
     [](Output& output, std::span<std::uint64_t> words) {
         output.indices = {reinterpret_cast<std::uint32_t*>(words.data()), 2 * words.size()};
     }},
    {".runs",
     [](Output& output, std::span<std::uint64_t> words) {
         output.runs = {reinterpret_cast<lanecull::VisibleRun*>(words.data()), words.size()};
     }},
    {".draws.memory",
     [](Output& output, std::span<std::uint64_t> words) { output.draws.memory = std::as_writable_bytes(words); }},
    {".draws.count", [](Output& output, std::span<std::uint64_t> words) {
         output.draws.count = reinterpret_cast<std::uint32_t*>(words.data());
     }}};

/// What one of the six outputs of each view, and scratch, may not share with another.
TEST_F(Arguments, OutputsThatDoNotOverlap) {
    constexpr std::size_t all = 2 * std::size(places);
    std::vector<lanecull::DrawCommand> templates(1);
    for (Batch& batch : batches) batch.draws.first = templates.data();
    // Words for everything: every output starts at the front, or ends where another one ends.
    const std::size_t size = words[0].size();
    std::vector<std::uint64_t> own(80 * size, sentinel);
    const auto give = [&](std::size_t to, std::span<std::uint64_t> part) {
        places[to / 2].give(outputs[to % 2], part);
    };
    const auto give_all = [&] {
        for (std::size_t i = 0; i < all; ++i) give(i, std::span(own).subspan(i * size, size));
    };
    const auto expect_overlap = [](const Status& status, std::size_t i, const std::string& other) {
        for (const std::string& words_of_it : {places[i / 2].name, other, std::string("overlaps")}) {
            expect_failure(status, words_of_it);
        }
    };
    give_all();
    ASSERT_TRUE(call().ok());
    for (std::size_t i = 0; i < all; ++i) {
        for (std::size_t j = 0; j < all; ++j) {
            if (i == j) continue;
            give_all();
            give(i, std::span(own).subspan(j * size, size));
            expect_overlap(call(), i, places[j / 2].name);
        }
        give_all();
        // The last word of one is the first of the scratch memory.
        const std::span<std::uint64_t> shared = std::span(own).last(scratch.size() / 8 + size + 2);
        give(i, shared.first(size));
        const bool single = places[i / 2].name == ".draws.count";
        const auto reaching = std::as_writable_bytes(shared.subspan(single ? 0 : size - 1)).first(scratch.size());
        expect_overlap(lanecull::cull(batches, views, outputs, reaching, options), i, "overlaps scratch");
    }
}

TEST_F(Arguments, OtherMemoryThatDoesNotOverlap) {
    std::vector<lanecull::Certificate> certificates(objects);
    whys[0].certificates = certificates;
    expect_failure_with(whys[1].certificates, std::span(certificates), "outputs[");
    whys[0].certificates = {};
    expect_failure_with(outputs[1].explanation, outputs[0].explanation, "explanation: overlaps outputs[");
    std::vector<std::uint64_t> shared((scratch.size() + 7) / 8 + objects);
    options.view_masks = std::span(shared).first(objects);
    expect_failure_with(outputs[1].visible, options.view_masks.subspan(objects - words[1].size()),
                        "outputs[1].visible: overlaps options.view_masks");
    expect_failure(lanecull::cull(batches, views, outputs, std::as_writable_bytes(std::span(shared)), options),
                   "options.view_masks: overlaps scratch");
}

TEST_F(Arguments, PointersOfEmptyBatchesDoNotMatter) {
    for (Batch& batch : batches) {
        lanecull::visit(batch, [](auto& kind) { kind = {}; });
    }
    for (Output& output : outputs) output.visible = {};
    const Status status = call();
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(outputs[0].visible_count, 0u);
}

TEST(PrepareHull, RefusesWhatIsNoHull) {
    std::vector<float> x = {0, 1, 2}, y = {0, 3, 1}, z = {5, 5, 5};
    const std::vector<float> many(65'536, 1.0f);
    lanecull::Hull hull = {.x = x.data(), .count = 77};
    const auto expect_refused = [&](const float* of_x, const float* of_y, const float* of_z, std::uint32_t count,
                                    const std::string& named) {
        expect_failure(lanecull::prepare_hull(of_x, of_y, of_z, count, hull), named);
        EXPECT_EQ(hull.x, x.data());
        EXPECT_EQ(hull.count, 77u);
    };
    expect_refused(nullptr, y.data(), z.data(), 3, "x");
    expect_refused(x.data(), nullptr, z.data(), 3, "y");
    expect_refused(x.data(), y.data(), nullptr, 3, "z");
    expect_refused(x.data(), y.data(), z.data(), 0, "count");
    expect_refused(many.data(), many.data(), many.data(), 65'536, "count");
    for (std::vector<float>* component : {&x, &y, &z}) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            const float before = std::exchange((*component)[1], bad);
            expect_refused(x.data(), y.data(), z.data(), 3, "1");
            (*component)[1] = before;
        }
    }
    EXPECT_TRUE(lanecull::prepare_hull(many.data(), many.data(), many.data(), 65'535, hull));
    ASSERT_TRUE(lanecull::prepare_hull(x.data(), y.data(), z.data(), 3, hull));
    EXPECT_EQ(hull.count, 3u);
}

TEST_F(Arguments, OfBounds) {
    const std::vector<float> untouched(count, 77.0f);
    std::vector<float> x = untouched, radius = untouched;
    float *const to = x.data(), *const r = radius.data();
    lanecull::OrientedBoxes oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    expect_failure(lanecull::bounding_radii(oriented, nullptr), "radius");
    oriented.axes.first = nullptr;
    expect_failure(lanecull::bounding_radii(oriented, r), "axes");
    lanecull::HullInstances instances = shapes<lanecull::HullInstances>(Kind::hull);
    expect_failure(lanecull::bounding_spheres(instances, nullptr, to, to, r), "x");
    expect_failure(lanecull::bounding_spheres(instances, to, to, to, nullptr), "radius");
    instances.transforms.stride_bytes = 44;
    expect_failure(lanecull::bounding_spheres(instances, to, to, to, r), "stride");
    lanecull::BoxInstances boxes = shapes<lanecull::BoxInstances>(Kind::box_instance);
    expect_failure(lanecull::bounding_spheres(boxes, to, nullptr, to, r), "y");
    boxes.local.boxes.max_y = nullptr;
    expect_failure(lanecull::bounding_spheres(boxes, to, to, to, r), "max_y");
    EXPECT_TRUE(x == untouched && radius == untouched);
}

/// Whoever fills in matrices alone, as glm has them, has not said how they are stored.
TEST_F(Arguments, TransformsWithoutALayout) {
    constexpr float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 48, 0, -40, 1};
    constexpr float low = -0.01f, high = 0.01f;
    const lanecull::Transforms transforms{matrix};
    const lanecull::LocalBoxes box{{&low, &low, &low, &high, &high, &high, 1}};
    const lanecull::Hull* const hull = shapes<lanecull::HullInstances>(Kind::hull).hulls;
    const lanecull::BoxInstances boxes{transforms, box, 1};
    const lanecull::HullInstances hulls{.transforms = transforms, .hulls = hull, .hull_count = 1, .count = 1};
    float to[4];
    const auto refused = [](const Status& status) {
        expect_failure(status, "transforms.layout: 0 is not a known value");
    };
    for (const Batch& batch : {Batch(boxes), Batch(hulls)}) {
        refused(lanecull::cull({&batch, 1}, views, {outputs.data(), 2}, scratch));
        lanecull::Scene scene;
        lanecull::Handle handle;
        refused(scene.add({&batch, 1}, {&handle, 1}));
        refused(lanecull::pair_distances(batch, batch, {.count = 1}, {.lower = to}));
    }
    refused(lanecull::bounding_spheres(boxes, to, to + 1, to + 2, to + 3));
    refused(lanecull::bounding_spheres(hulls, to, to + 1, to + 2, to + 3));
}

TEST_F(Arguments, ConesThatEndLikeNone) {
    lanecull::Cones cones = shapes<lanecull::Cones>(Kind::round_cone);
    EXPECT_EQ(cones.end, lanecull::ConeEnd::round);
    cones.end = static_cast<lanecull::ConeEnd>(2);
    const Batch batch = cones;
    expect_failure(lanecull::cull({&batch, 1}, views, {outputs.data(), 2}, scratch), "end: 2 is not a known value");
}

TEST(StatusText, IsCutNotOverrun) {
    const std::string long_text(1000, 'a');
    const Status status = lanecull::failure("%s", lanecull::lasting(long_text.c_str()));
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(std::string(status.message()), std::string(223, 'a'));
    for (const std::size_t bytes : {0u, 1u, 2u, 5u}) {
        char text[] = "xxxxxxxx";
        EXPECT_EQ(lanecull_explain(&status, text, bytes), text);
        std::string expected(8, 'x');
        if (bytes > 0) expected.replace(0, bytes, std::string(bytes - 1, 'a') + '\0');
        EXPECT_EQ(std::string(text, 8), expected) << bytes;
    }
}

TEST(StatusText, PrintsNumbersOfEveryForm) {
    const auto text = [](const Status& status) { return std::string(status.message()); };
    EXPECT_EQ(text(lanecull::failure("%u of %zu, %d, 100%%: %g, %.2f", 7u, ~std::size_t{0}, -3, 0.5f, 1e3)),
              "7 of 18446744073709551615, -3, 100%: 0.5, 1000.00");
    const Status part = lanecull::failure("count: %u is more than %s", 9u, lanecull::lasting("eight"));
    EXPECT_EQ(text(lanecull::within(part, "frame.point_lights[%zu].", std::size_t{3})),
              "frame.point_lights[3].count: 9 is more than eight");
    EXPECT_EQ(text(lanecull::renamed(part, "count", "point_lights[%d].sides", 5)),
              "point_lights[5].sides: 9 is more than eight");
    EXPECT_EQ(text(lanecull::renamed(part, "counted", "point_lights[%d]", 5)), text(part)) << "another argument";
}

TEST_F(Arguments, CodesSayWhatKindOfFailure) {
    EXPECT_EQ(Status().code, StatusCode::ok);
    EXPECT_STREQ(Status().message(), "");
    EXPECT_EQ(lanecull::failure("a").code, StatusCode::invalid_argument);
    const Status status = lanecull::failure(StatusCode::system_error, "%s: %d", lanecull::lasting("a"), 7);
    EXPECT_EQ(status.code, StatusCode::system_error);
    EXPECT_EQ(lanecull::within(status, "b.").code, StatusCode::system_error);
    EXPECT_STREQ(status.message(), "a: 7");
    EXPECT_FALSE(lanecull::failure("%s", lanecull::lasting("")).ok()) << "a failure without a text";
    // Codes go through what names the argument.
    const View prepared = std::exchange(views[1], View());
    EXPECT_EQ(call().code, StatusCode::not_ready);
    views[1] = prepared;
    const lanecull::Hull unprepared;
    auto& instances = shapes<lanecull::HullInstances>(Kind::hull);
    instances.hulls = &unprepared, instances.hull_count = 1;
    EXPECT_EQ(call().code, StatusCode::not_ready);
    shapes<lanecull::Spheres>(Kind::sphere).x = nullptr;
    EXPECT_EQ(call().code, StatusCode::invalid_argument);
}

}  // namespace
