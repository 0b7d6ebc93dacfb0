#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <lanecull/bounds.h>
#include <lanecull/pairs.h>
#include <lanecull/scene.h>

#include "base/failure.hpp"
#include "calls/kinds.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"

/// Every rule that cull() and the other calls have for their arguments. A call that breaks one fails with a status that
/// names the argument, and writes nothing.

namespace {

using lanecull::Batch;
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
    static constexpr std::uint32_t count = 100;

    Arguments() {
        Random random(1);
        const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        const HullSet hulls = random_hulls(random, 3);
        for (const Kind kind : all_kinds) {
            const auto objects = random_objects(random, kind, prepared.camera, count, hulls);
            batches.push_back(make_batch(kind, objects, hulls, memory));
        }
        views.assign(2, prepared.view);
        outputs.resize(2);
        words.assign(2, std::vector<std::uint64_t>(lanecull::visibility_words(batches), sentinel));
        indices.assign(2,
                       std::vector<std::uint32_t>(std::size(all_kinds) * count, static_cast<std::uint32_t>(sentinel)));
        for (std::size_t v = 0; v < 2; ++v) {
            outputs[v] = untouched(words[v], indices[v]);
            outputs[v].explanation = &whys[v];
        }
        scratch.assign(lanecull::scratch_bytes(batches, 2), std::byte{0x77});
    }

    static lanecull::Output untouched(std::span<std::uint64_t> visible = {}, std::span<std::uint32_t> list = {}) {
        lanecull::Output output = make_output(visible, list);
        output.visible_count = sentinel;
        return output;
    }

    /// That many outputs, each with an explanation.
    void give_outputs(std::size_t given) {
        outputs.assign(given, untouched());
        whys.assign(given, {});
        for (std::size_t v = 0; v < given; ++v) outputs[v].explanation = &whys[v];
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
        }
        for (const lanecull::Output& output : outputs) EXPECT_EQ(output.visible_count, sentinel) << "count written";
        for (const lanecull::Explanation& why : whys) EXPECT_EQ(why.counts, lanecull::Counts{}) << "counts written";
    }

    /// Sets a member, expects failure, puts it back.
    template <class T, class Value>
    void expect_failure_with(T& member, Value value, const std::string& named) {
        const T before = member;
        member = static_cast<T>(value);
        expect_failure_naming(named);
        member = before;
    }

    static constexpr std::uint64_t sentinel = 0x7777777777777777u;
    HeapMemory memory;
    std::vector<Batch> batches;
    std::vector<View> views;
    std::vector<lanecull::Output> outputs;
    std::vector<lanecull::Explanation> whys = std::vector<lanecull::Explanation>(2);
    std::vector<std::vector<std::uint64_t>> words;
    std::vector<std::vector<std::uint32_t>> indices;
    std::vector<std::byte> scratch;
    lanecull::CullOptions options;
};

TEST_F(Arguments, SucceedUnbroken) {
    const Status status = call();
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_STREQ(status.message(), "");
    EXPECT_NE(outputs[0].visible_count, sentinel);
    EXPECT_EQ(words[0], words[1]) << "two equal views";
}

TEST_F(Arguments, OneToSixtyFourPreparedViews) {
    views.clear();
    outputs.clear();
    expect_failure_naming("views");
}

TEST_F(Arguments, NoMoreThanSixtyFourViews) {
    views.assign(65, views[0]);
    give_outputs(65);
    scratch.resize(lanecull::scratch_bytes(batches, 65));
    expect_failure_naming("views");
}

TEST_F(Arguments, OneOutputAView) {
    outputs.pop_back();
    expect_failure_naming("outputs");
    give_outputs(3);
    expect_failure_naming("outputs");
}

TEST_F(Arguments, PreparedViews) {
    EXPECT_FALSE(View().prepared());
    views[1] = View();
    expect_failure_naming("views[1]");
}

TEST_F(Arguments, ExactlyTheWordsOfTheBatches) {
    outputs[1].visible = std::span(words[1]).first(words[1].size() - 1);
    expect_failure_naming("outputs[1].visible");
    words[1].push_back(sentinel);
    outputs[1].visible = words[1];
    expect_failure_naming("outputs[1].visible");
}

TEST_F(Arguments, EnoughScratch) {
    scratch.pop_back();
    expect_failure_naming("scratch");
    scratch.clear();
    expect_failure_naming("scratch");
}

TEST_F(Arguments, KnownMethodsAndSets) {
    for (const int method : {2, 3, 254}) expect_failure_with(options.method, method, "method");
    expect_failure_with(options.isa, 77, "isa");
}

TEST_F(Arguments, EveryStreamOfEveryKind) {
    auto& spheres = shapes<lanecull::Spheres>(Kind::sphere);
    for (const float** stream : {&spheres.x, &spheres.y, &spheres.z, &spheres.radius}) {
        expect_failure_with(*stream, nullptr, "batches[0]");
    }
    auto& boxes = shapes<lanecull::Boxes>(Kind::box);
    for (const float** stream : {&boxes.min_x, &boxes.min_y, &boxes.min_z, &boxes.max_x, &boxes.max_y, &boxes.max_z}) {
        expect_failure_with(*stream, nullptr, "batches[1]");
    }
    auto& centered = shapes<lanecull::CenteredBoxes>(Kind::centered_box);
    for (const float** stream :
         {&centered.x, &centered.y, &centered.z, &centered.half_x, &centered.half_y, &centered.half_z}) {
        expect_failure_with(*stream, nullptr, "batches[2]");
    }
    auto& oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    for (const float** stream :
         {&oriented.x, &oriented.y, &oriented.z, &oriented.axes.first, &oriented.half_extents.first}) {
        expect_failure_with(*stream, nullptr, "batches[3]");
    }
    auto& capsules = shapes<lanecull::Capsules>(Kind::capsule);
    for (const float** stream :
         {&capsules.a_x, &capsules.a_y, &capsules.a_z, &capsules.b_x, &capsules.b_y, &capsules.b_z, &capsules.radius}) {
        expect_failure_with(*stream, nullptr, "batches[4]");
    }
    auto& instances = shapes<lanecull::HullInstances>(Kind::hull);
    expect_failure_with(instances.transforms.first, nullptr, "batches[5]");
    expect_failure_with(instances.hulls, nullptr, "batches[5]");
    expect_failure_with(instances.hull_count, 0, "batches[5]");
    expect_failure_with(instances.hull_index, nullptr, "batches[5]");
    // Bounding streams: all four or none.
    for (const float** stream :
         {&instances.bounding_x, &instances.bounding_y, &instances.bounding_z, &instances.bounding_radius}) {
        expect_failure_with(*stream, nullptr, "batches[5]");
    }
}

TEST_F(Arguments, TransformsAndLocalBoxes) {
    auto& instances = shapes<lanecull::BoxInstances>(Kind::box_instance);
    lanecull::Transforms& transforms = instances.transforms;
    const std::string name = "batches[" + std::to_string(static_cast<int>(Kind::box_instance)) + "].";
    expect_failure_with(transforms.first, nullptr, name + "transforms.first");
    for (const int number : {0, 5, 255}) {
        const auto layout = static_cast<lanecull::TransformLayout>(number);
        expect_failure_with(transforms.layout, layout, name + "transforms.layout");
    }
    for (const std::size_t stride : {4u, 44u, 46u, 49u, 65'540u}) {
        expect_failure_with(transforms.stride_bytes, stride, name + "transforms.stride_bytes");
    }
    transforms.layout = lanecull::TransformLayout::rows_4x4;
    expect_failure_with(transforms.stride_bytes, 60, name + "transforms.stride_bytes");
    transforms.layout = lanecull::TransformLayout::rows_3x4;
    const std::vector<double> positions(3 * count);
    transforms.positions.first = positions.data();
    for (const std::size_t stride : {8u, 16u, 28u, 65'544u}) {
        expect_failure_with(transforms.positions.stride_bytes, stride, name + "transforms.positions.stride_bytes");
    }
    for (double& coordinate : transforms.origin) {
        expect_failure_with(coordinate, std::numeric_limits<double>::quiet_NaN(), name + "transforms.origin");
    }
    lanecull::Boxes& boxes = instances.local.boxes;
    for (const float** stream : {&boxes.min_x, &boxes.min_y, &boxes.min_z, &boxes.max_x, &boxes.max_y, &boxes.max_z}) {
        expect_failure_with(*stream, nullptr, name + "local.boxes.");
    }
    expect_failure_with(boxes.count, count - 1, name + "local.boxes.count");
    const std::vector<std::uint32_t> index(count);
    instances.local.box_index = index.data();
    expect_failure_with(boxes.count, 0, name + "local.boxes.count");
    expect_failure_with(boxes.count, 0x80000000u, name + "local.boxes.count");
    // Streams or records, not both; both corners.
    const std::vector<float> corners(6 * count);
    lanecull::LocalBoxes& local = instances.local;
    expect_failure_with(local.lower.first, corners.data(), name + "local: boxes must be streams or records");
    boxes = {.count = count};
    local.lower = {corners.data(), 24}, local.upper = {corners.data() + 3, 24};
    for (lanecull::Records* records : {&local.lower, &local.upper}) {
        const std::string corner = records == &local.lower ? "lower" : "upper";
        expect_failure_with(records->first, nullptr, name + "local." + corner + ".first");
        for (const std::size_t stride : {8u, 14u, 65'540u}) {
            expect_failure_with(records->stride_bytes, stride, name + "local." + corner + ".stride_bytes");
        }
    }
}

TEST_F(Arguments, StridesOfRecords) {
    auto& oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    auto& instances = shapes<lanecull::HullInstances>(Kind::hull);
    for (const std::size_t stride : {1u, 2u, 4u, 32u, 37u, 65'537u, 65'540u}) {
        expect_failure_with(oriented.axes.stride_bytes, stride, "stride");
    }
    for (const std::size_t stride : {4u, 8u, 11u, 13u, 65'540u}) {
        expect_failure_with(oriented.half_extents.stride_bytes, stride, "stride");
    }
    for (const std::size_t stride : {4u, 44u, 46u, 49u, 65'540u}) {
        expect_failure_with(instances.transforms.stride_bytes, stride, "stride");
    }
    expect_failure_with(instances.transforms.stride_bytes, ~std::size_t{0} - 3, "stride");
}

/// Records that follow one another need no stride.
TEST_F(Arguments, StridesOfZeroArePacked) {
    auto& oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    auto& turned = shapes<lanecull::OrientedBoxes>(Kind::quaternion_box);
    auto& hulls = shapes<lanecull::HullInstances>(Kind::hull);
    auto& boxes = shapes<lanecull::BoxInstances>(Kind::box_instance);
    const std::vector<double> positions(3 * count, 0.25);
    const std::vector<float> corners(6 * count, -1);
    boxes.transforms.positions.first = positions.data();
    boxes.local.boxes = {.count = count};
    boxes.local.lower.first = corners.data(), boxes.local.upper.first = corners.data() + 3 * count;
    struct Stride {
        std::size_t& bytes;
        std::size_t packed;
    };
    const Stride strides[] = {{oriented.axes.stride_bytes, 36},
                              {oriented.half_extents.stride_bytes, 12},
                              {turned.quaternions.stride_bytes, 16},
                              {turned.half_extents.stride_bytes, 12},
                              {hulls.transforms.stride_bytes, 48},
                              {boxes.transforms.stride_bytes, 48},
                              {boxes.transforms.positions.stride_bytes, 24},
                              {boxes.local.lower.stride_bytes, 12},
                              {boxes.local.upper.stride_bytes, 12}};
    for (const auto& [bytes, packed] : strides) {
        ASSERT_TRUE(bytes == 0 || bytes == packed) << "the batches' records follow one another";
        bytes = packed;
    }
    ASSERT_TRUE(call().ok()) << call().message();
    const std::vector<std::vector<std::uint64_t>> expected = words;
    for (const auto& [bytes, packed] : strides) {
        bytes = 0;
        for (std::vector<std::uint64_t>& cleared : words) std::ranges::fill(cleared, sentinel);
        ASSERT_TRUE(call().ok()) << call().message();
        EXPECT_EQ(words, expected) << packed << " bytes";
    }
}

/// Commands and templates that follow one another need no stride.
TEST_F(Arguments, DrawsThatFollowOneAnother) {
    std::vector<lanecull::DrawCommand> templates(count), commands(batches.size() * count);
    for (std::uint32_t i = 0; i < count; ++i) templates[i].first_index = 3 * i;
    outputs[1].draws.memory = commands;
    for (const lanecull::DrawPer per : {lanecull::DrawPer::batch, lanecull::DrawPer::object}) {
        std::vector<lanecull::DrawCommand> expected;
        for (const std::uint32_t stride : {20u, 0u}) {
            for (Batch& batch : batches) batch.draws = {templates.data(), per, stride};
            outputs[1].draws.stride_bytes = stride;
            std::ranges::fill(commands, lanecull::DrawCommand{.index_count = 77});
            ASSERT_TRUE(call().ok()) << call().message();
            EXPECT_GT(outputs[1].draw_count, 0u);
            if (stride != 0) {
                expected = commands;
            } else {
                EXPECT_EQ(std::memcmp(commands.data(), expected.data(), 20 * commands.size()), 0);
            }
        }
    }
}

TEST_F(Arguments, AxesOrQuaternions) {
    auto& oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    expect_failure_with(oriented.quaternions.first, oriented.half_extents.first, "quaternions");
    auto& turned = shapes<lanecull::OrientedBoxes>(Kind::quaternion_box);
    expect_failure_with(turned.quaternions.first, nullptr, "quaternions");
    for (const std::size_t stride : {4u, 12u, 17u, 65'540u}) {
        expect_failure_with(turned.quaternions.stride_bytes, stride, "quaternions.stride_bytes");
    }
}

TEST_F(Arguments, AllOfASweepOrNothing) {
    lanecull::Attributes& attributes = batches[1].attributes;
    const std::vector<float> zeros(count);
    attributes.sweep_x = attributes.sweep_y = attributes.sweep_z = zeros.data();
    for (const float** stream : {&attributes.sweep_x, &attributes.sweep_y, &attributes.sweep_z}) {
        expect_failure_with(*stream, nullptr, "batches[1].attributes.sweep");
    }
}

/// What one of the six outputs of each view, and scratch, may not share with another.
TEST_F(Arguments, OutputsThatDoNotOverlap) {
    struct Place {
        std::size_t view;
        const char* name;
    };
    std::vector<lanecull::DrawCommand> templates(1);
    for (Batch& batch : batches) batch.draws.first = templates.data();
    // Words for everything: every output starts at the front, or ends where another one ends.
    std::vector<std::uint64_t> own(80 * words[0].size(), sentinel);
    const auto piece = [&](std::size_t i) { return std::span(own).subspan(i * words[0].size(), words[0].size()); };
    const auto give = [&](const Place& place, std::span<std::uint64_t> bytes) {
        lanecull::Output& output = outputs[place.view];
        const std::string name = place.name;
        if (name == "visible") output.visible = bytes;
        if (name == "inside") output.inside = bytes;
        if (name == "indices") {
            output.indices = {reinterpret_cast<std::uint32_t*>(bytes.data()), 2 * bytes.size()};
        }
        if (name == "runs") output.runs = {reinterpret_cast<lanecull::VisibleRun*>(bytes.data()), bytes.size()};
        if (name == "draws.memory") output.draws.memory = std::as_writable_bytes(bytes);
        if (name == "draws.count") output.draws.count = reinterpret_cast<std::uint32_t*>(bytes.data());
    };
    std::vector<Place> places;
    for (const std::size_t v : {0u, 1u}) {
        for (const char* name : {"visible", "inside", "indices", "runs", "draws.memory", "draws.count"}) {
            places.push_back({v, name});
        }
    }
    const auto give_all = [&] {
        for (std::size_t i = 0; i < places.size(); ++i) give(places[i], piece(i));
    };
    give_all();
    ASSERT_TRUE(call().ok());
    for (lanecull::Output& output : outputs) output = untouched();
    for (std::size_t i = 0; i < places.size(); ++i) {
        for (std::size_t j = 0; j < places.size(); ++j) {
            if (i == j) continue;
            give_all();
            give(places[i], piece(j));
            const Status status = call();
            expect_failure(status, std::string(".") + places[i].name);
            expect_failure(status, std::string(".") + places[j].name);
            expect_failure(status, "overlaps");
        }
        give_all();
        // The last word of one is the first of the scratch memory.
        const std::span<std::uint64_t> shared = std::span(own).last(scratch.size() / 8 + words[0].size() + 2);
        give(places[i], shared.first(words[0].size()));
        const bool single = std::string(places[i].name) == "draws.count";
        const std::span<std::byte> reaching =
            std::as_writable_bytes(shared.subspan(single ? 0 : words[0].size() - 1)).first(scratch.size());
        const Status status = lanecull::cull(batches, views, outputs, reaching, options);
        expect_failure(status, std::string(".") + places[i].name);
        expect_failure(status, "overlaps scratch");
    }
}

TEST_F(Arguments, DrawsThatFit) {
    std::vector<lanecull::DrawCommand> templates(1), commands(10);
    for (Batch& batch : batches) batch.draws.first = templates.data();
    outputs[1].draws.memory = std::as_writable_bytes(std::span(commands));
    ASSERT_TRUE(call().ok());
    for (std::size_t v = 0; v < 2; ++v) {
        std::ranges::fill(words[v], sentinel);
        std::ranges::fill(indices[v], static_cast<std::uint32_t>(sentinel));
        outputs[v].visible_count = sentinel;
        whys[v].counts = {};
    }
    for (const std::size_t stride : {4u, 16u, 21u, 22u}) {
        expect_failure_with(outputs[1].draws.stride_bytes, stride, "outputs[1].draws.stride_bytes");
    }
    expect_failure_with(outputs[1].draws.offset_bytes, 201, "outputs[1].draws.offset_bytes");
    for (const std::size_t offset : {1u, 2u, 3u}) {
        expect_failure_with(outputs[1].draws.offset_bytes, offset, "outputs[1].draws");
    }
    expect_failure_with(batches[2].draws.first, nullptr, "batches[2].draws.first");
    batches[2].draws.per = lanecull::DrawTemplates::Per::object;
    for (const std::uint32_t stride : {4u, 16u, 21u, 65'540u}) {
        expect_failure_with(batches[2].draws.stride_bytes, stride, "batches[2].draws.stride_bytes");
    }
    expect_failure_with(batches[2].draws.per, lanecull::DrawTemplates::Per{7}, "batches[2].draws.per");
}

TEST_F(Arguments, TheWordsOfInside) {
    std::vector<std::uint64_t> inside(words[0].size() - 1);
    outputs[0].inside = inside;
    expect_failure_naming("outputs[0].inside");
}

TEST_F(Arguments, OneCertificateAnObject) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    std::vector<lanecull::Certificate> certificates(objects + 1);
    for (const std::size_t given : {std::size_t{1}, objects - 1, objects + 1}) {
        whys[1].certificates = std::span(certificates).first(given);
        expect_failure_naming("outputs[1].certificates");
    }
    whys[1].certificates = std::span(certificates).first(objects);
    whys[0].certificates = whys[1].certificates;
    expect_failure_naming("outputs[");  // overlap
}

TEST_F(Arguments, AnExplanationForOneViewAlone) {
    outputs[1].explanation = outputs[0].explanation;
    expect_failure_naming("explanation: overlaps outputs[");
}

TEST_F(Arguments, NothingThatOnlyScenesHave) {
    lanecull::SceneOutput of_scene;
    expect_failure_with(outputs[1].scene, &of_scene, "outputs[1].scene");
}

TEST_F(Arguments, OneMaskAnObject) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    std::vector<std::uint64_t> masks(objects + 1);
    for (const std::size_t given : {std::size_t{1}, objects - 1, objects + 1}) {
        options.view_masks = std::span(masks).first(given);
        expect_failure_naming("options.view_masks");
    }
    options.view_masks = std::span(masks).first(objects);
    outputs[1].visible = options.view_masks.subspan(objects - words[1].size());
    expect_failure_naming("outputs[1].visible: overlaps options.view_masks");
    outputs[1].visible = words[1];
    std::vector<std::uint64_t> shared((scratch.size() + 7) / 8 + objects);
    options.view_masks = std::span(shared).first(objects);
    const Status status = lanecull::cull(batches, views, outputs, std::as_writable_bytes(std::span(shared)), options);
    expect_failure(status, "options.view_masks: overlaps scratch");
}

TEST_F(Arguments, PreparedHulls) {
    auto& instances = shapes<lanecull::HullInstances>(Kind::hull);
    std::vector<lanecull::Hull> hulls(instances.hulls, instances.hulls + instances.hull_count);
    instances.hulls = hulls.data();
    expect_failure_with(hulls[1].count, 0, "hull");
}

TEST_F(Arguments, PointersOfEmptyBatchesDoNotMatter) {
    for (Batch& batch : batches) {
        lanecull::visit(batch, [](auto& kind) { kind = {}; });
    }
    for (std::size_t v = 0; v < 2; ++v) outputs[v].visible = {};
    const Status status = call();
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(outputs[0].visible_count, 0u);
}

TEST(PrepareHull, RefusesWhatIsNoHull) {
    std::vector<float> x = {0, 1, 2}, y = {0, 3, 1}, z = {5, 5, 5};
    const lanecull::Hull untouched = {.x = x.data(), .count = 77};
    const auto expect_refused = [&](const Status& status, const lanecull::Hull& hull, const std::string& named) {
        expect_failure(status, named);
        EXPECT_EQ(hull.x, untouched.x);
        EXPECT_EQ(hull.count, untouched.count);
    };
    lanecull::Hull hull = untouched;
    expect_refused(lanecull::prepare_hull(nullptr, y.data(), z.data(), 3, hull), hull, "x");
    expect_refused(lanecull::prepare_hull(x.data(), nullptr, z.data(), 3, hull), hull, "y");
    expect_refused(lanecull::prepare_hull(x.data(), y.data(), nullptr, 3, hull), hull, "z");
    expect_refused(lanecull::prepare_hull(x.data(), y.data(), z.data(), 0, hull), hull, "count");
    const std::vector<float> many(65'536, 1.0f);
    expect_refused(lanecull::prepare_hull(many.data(), many.data(), many.data(), 65'536, hull), hull, "count");
    for (std::vector<float>* component : {&x, &y, &z}) {
        for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            const float before = std::exchange((*component)[1], bad);
            expect_refused(lanecull::prepare_hull(x.data(), y.data(), z.data(), 3, hull), hull, "1");
            (*component)[1] = before;
        }
    }
    EXPECT_TRUE(lanecull::prepare_hull(many.data(), many.data(), many.data(), 65'535, hull));
    ASSERT_TRUE(lanecull::prepare_hull(x.data(), y.data(), z.data(), 3, hull));
    EXPECT_EQ(hull.count, 3u);
    EXPECT_EQ(hull.lower[0], 0);
    EXPECT_EQ(hull.upper[0], 2);
    EXPECT_EQ(hull.lower[2], 5);
    EXPECT_EQ(hull.upper[2], 5);
}

TEST_F(Arguments, OfBounds) {
    std::vector<float> radius(count, 77.0f);
    std::vector<float> x = radius, y = radius, z = radius;
    lanecull::OrientedBoxes oriented = shapes<lanecull::OrientedBoxes>(Kind::oriented_box);
    expect_failure(lanecull::bounding_radii(oriented, nullptr), "radius");
    oriented.axes.first = nullptr;
    expect_failure(lanecull::bounding_radii(oriented, radius.data()), "axes");
    lanecull::HullInstances instances = shapes<lanecull::HullInstances>(Kind::hull);
    expect_failure(lanecull::bounding_spheres(instances, nullptr, y.data(), z.data(), radius.data()), "x");
    expect_failure(lanecull::bounding_spheres(instances, x.data(), y.data(), z.data(), nullptr), "radius");
    instances.transforms.stride_bytes = 44;
    expect_failure(lanecull::bounding_spheres(instances, x.data(), y.data(), z.data(), radius.data()), "stride");
    lanecull::BoxInstances boxes = shapes<lanecull::BoxInstances>(Kind::box_instance);
    expect_failure(lanecull::bounding_spheres(boxes, x.data(), nullptr, z.data(), radius.data()), "y");
    boxes.local.boxes.max_y = nullptr;
    expect_failure(lanecull::bounding_spheres(boxes, x.data(), y.data(), z.data(), radius.data()), "max_y");
    EXPECT_EQ(radius, std::vector<float>(count, 77.0f));
    EXPECT_EQ(x, std::vector<float>(count, 77.0f));
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
    float to[18];
    const auto refused = [](const Status& status) {
        expect_failure(status, "transforms.layout: 0 is not a known value");
    };
    for (const lanecull::Batch& batch : {lanecull::Batch(boxes), lanecull::Batch(hulls)}) {
        refused(lanecull::cull({&batch, 1}, views, {outputs.data(), 2}, scratch));
        lanecull::Scene scene;
        lanecull::Handle handle;
        refused(scene.add({&batch, 1}, {&handle, 1}));
        refused(lanecull::pair_distances(batch, batch, {.count = 1}, {.lower = to}));
    }
    refused(lanecull::bounding_spheres(boxes, to, to + 1, to + 2, to + 3));
    refused(lanecull::bounding_spheres(hulls, to, to + 1, to + 2, to + 3));
    refused(lanecull::world_boxes(box, transforms, 1, {to, to + 1, to + 2, to + 3, to + 4, to + 5}));
    refused(lanecull::world_spheres(box, transforms, 1, {to, to + 1, to + 2, to + 3}));
}

TEST(StatusText, IsCutNotOverrun) {
    const std::string long_text(1000, 'a');
    const Status status = lanecull::failure("%s", lanecull::lasting(long_text.c_str()));
    EXPECT_FALSE(status.ok());
    EXPECT_EQ(std::string(status.message()), std::string(223, 'a'));
    EXPECT_TRUE(Status().ok());
    EXPECT_STREQ(Status().message(), "");
    for (const std::size_t bytes : {0u, 1u, 2u, 5u}) {
        char text[] = "xxxxxxxx";
        EXPECT_EQ(lanecull_explain(&status, text, bytes), text);
        const std::size_t written = bytes > 0 ? bytes - 1 : 0;
        EXPECT_EQ(std::string(text, written), std::string(written, 'a')) << bytes;
        if (bytes > 0) {
            EXPECT_EQ(text[written], '\0') << bytes;
        }
        EXPECT_EQ(std::string(text + bytes, 8 - bytes), std::string(8 - bytes, 'x')) << "written beyond " << bytes;
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

TEST(StatusCodes, SayWhatKindOfFailure) {
    EXPECT_EQ(Status().code, StatusCode::ok);
    EXPECT_EQ(lanecull::failure("a").code, StatusCode::invalid_argument);
    const Status status = lanecull::failure(StatusCode::system_error, "%s: %d", lanecull::lasting("a"), 7);
    EXPECT_EQ(status.code, StatusCode::system_error);
    EXPECT_EQ(lanecull::within(status, "b.").code, StatusCode::system_error);
    EXPECT_STREQ(status.message(), "a: 7");
    EXPECT_FALSE(lanecull::failure("%s", lanecull::lasting("")).ok()) << "a failure without a text";
}

TEST_F(Arguments, CodesGoThroughWhatNamesTheArgument) {
    views[1] = View();
    EXPECT_EQ(call().code, StatusCode::not_ready);
    views[1] = views[0];
    lanecull::Hull unprepared;
    shapes<lanecull::HullInstances>(Kind::hull).hulls = &unprepared;
    shapes<lanecull::HullInstances>(Kind::hull).hull_count = 1;
    EXPECT_EQ(call().code, StatusCode::not_ready);
    shapes<lanecull::Spheres>(Kind::sphere).x = nullptr;
    EXPECT_EQ(call().code, StatusCode::invalid_argument);
}

}  // namespace
