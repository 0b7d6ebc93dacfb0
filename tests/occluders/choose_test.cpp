#include <gtest/gtest.h>
#include <lanecull/cull.h>
#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "calls/kernel_table.hpp"
#include "support/culling.hpp"
#include "support/random.hpp"

/// choose_occluders(): what it chooses hides most, keeps the rules, and is the same on every set; and the margin of
/// rasterisers.

namespace {

using namespace lanecull;

/// How a picture is off its middle, across and up, as parts of its half width and height, and mirrored.
struct Lens {
    double across = 0, up = 0;
    bool is_mirrored = false;
};

/// An eye that looks along +x: the view and the viewpoint of it.
struct Eye {
    View view;
    Viewpoint viewpoint;

    explicit Eye(std::array<double, 3> at, const Lens& lens = {}) {
        constexpr double n = 0.1, far = 1000;
        const double a = 16.0 / 9, f = far / (far - n), right = lens.is_mirrored ? 1 : -1;
        // Rows of clip: y, z and x are across, up and depth.
        const double clip[16] = {lens.across, right, 0, 0, lens.up, 0, a, 0, f, 0, 0, -n * f, 1, 0, 0, 0};
        ClipSpace space;
        space.layout = MatrixLayout::row_major;
        std::copy(at.begin(), at.end(), space.origin);
        EXPECT_TRUE(prepare_view(std::span<const double, 16>(clip), space, view));
        EXPECT_TRUE(prepare_viewpoint(std::span<const double, 16>(clip), space, viewpoint));
    }
};

struct Chosen {
    std::vector<Occluder> occluders;
    std::vector<std::uint32_t> indices;
    std::vector<std::byte> scratch;
    std::uint32_t count = 0;
    Status status;

    explicit Chosen(std::size_t most) : occluders(most), indices(most) {}
    Chosen& choose(const SolidSet& solids, const Eye& eye, const ChooseOptions& options = {}) {
        scratch.resize(choose_scratch_bytes(solids.count()));
        status = choose_occluders(solids, eye.view, eye.viewpoint, occluders, indices, scratch, count, options);
        return *this;
    }
    [[nodiscard]] std::vector<std::uint32_t> list() const { return {indices.begin(), indices.begin() + count}; }
};

SolidBox box(float x, float y, float half, float height) {
    return {{x - half, y - half, 0}, {x + half, y + half, height}};
}

/// Houses on both sides of streets, every third turned, and small objects between them.
struct Town {
    std::vector<SolidBox> boxes;
    std::vector<SolidOrientedBox> turned;
    std::vector<SolidHullInstance> placed;  ///< where a hull that reaches from -1 to 1 fills each house
    std::vector<float> stream[4];           ///< of the objects

    explicit Town(std::uint64_t seed) {
        Random random(seed);
        const auto single = [&](double low, double high) { return static_cast<float>(random.range(low, high)); };
        for (int i = 0; i < 25 * 25; ++i) {
            const auto cx = static_cast<float>(40 * (i / 25 - 12) + 20),
                       cy = static_cast<float>(40 * (i % 25 - 12) + 20);
            const float half = single(6, 13), h = 0.5F * single(4, 30);
            const bool is_turned = random.chance(0.3);
            const float c = is_turned ? std::cos(0.3F) : 1, s = is_turned ? std::sin(0.3F) : 0;
            if (!is_turned) boxes.push_back(box(cx, cy, half, 2 * h));
            if (is_turned) turned.push_back({{cx, cy, h}, {half, half, h}, {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}});
            placed.push_back({nullptr, {half * c, -half * s, 0, cx, half * s, half * c, 0, cy, 0, 0, h, h}});
        }
        for (int k = 0; k < 3000; ++k) {
            const float object[] = {single(-480, 500), single(-480, 500), single(0, 3), single(0.1, 1)};
            for (std::size_t j = 0; j < 4; ++j) stream[j].push_back(object[j]);
        }
    }
    [[nodiscard]] SolidSet solids() const { return {.boxes = boxes, .oriented_boxes = turned}; }
    [[nodiscard]] std::vector<SolidHullInstance> hulls(const SolidHull& hull) const {
        std::vector<SolidHullInstance> all = placed;
        for (SolidHullInstance& one : all) one.hull = &hull;
        return all;
    }
};

std::uint64_t count(const std::vector<std::uint64_t>& words) {
    std::uint64_t sum = 0;
    for (const std::uint64_t word : words) sum += static_cast<std::uint64_t>(std::popcount(word));
    return sum;
}

/// What a view sees of a town with these occluders, and how many objects each hid.
struct Culled {
    std::vector<std::uint64_t> visible;
    std::vector<std::uint32_t> hidden;  ///< by occluders[k] and by none before it
    std::uint64_t hidden_in_all = 0;

    Culled(const Town& town, const Eye& eye, std::span<const Occluder> occluders) : hidden(occluders.size()) {
        const auto& s = town.stream;
        const auto n = static_cast<std::uint32_t>(s[0].size());
        const Batch batch{Spheres{s[0].data(), s[1].data(), s[2].data(), s[3].data(), n}};
        visible.resize(visibility_words({&batch, 1}));
        std::vector<std::byte> scratch(scratch_bytes({&batch, 1}, 1));
        Output output{.visible = visible, .occluders = occluders, .hidden_counts = hidden};
        const Status status = cull({&batch, 1}, {&eye.view, 1}, {&output, 1}, scratch);
        EXPECT_TRUE(status) << status.message();
        for (const std::uint32_t by_one : hidden) hidden_in_all += by_one;
    }
};

/// How many objects the solids hide, each alone.
std::uint64_t hidden_by_all(const Town& town, const Eye& eye) {
    std::vector<Occluder> all;
    const auto take = [&](const auto& solid) {
        Occluder occluder;
        if (prepare_occluder(solid, eye.viewpoint, occluder) == OccluderRefusal::none) all.push_back(occluder);
    };
    for (const SolidBox& b : town.boxes) take(b);
    for (const SolidOrientedBox& b : town.turned) take(b);
    std::vector<std::uint64_t> visible = Culled(town, eye, {}).visible;
    const std::uint64_t before = count(visible);
    for (std::size_t first = 0; first < all.size(); first += 64) {
        const std::size_t n = std::min<std::size_t>(64, all.size() - first);
        const Culled some(town, eye, std::span(all).subspan(first, n));
        for (std::size_t w = 0; w < visible.size(); ++w) visible[w] &= some.visible[w];
    }
    return before - count(visible);
}

/// Houses as boxes; as hulls that are cubes; as wedges, which are half of each; as boxes and wedges at once.
TEST(ChooseOccluders, HidesMostOfWhatAllHide) {
    const float at[3][8] = {{-1, 1, -1, 1, -1, 1, -1, 1}, {-1, -1, 1, 1, -1, -1, 1, 1}, {-1, -1, -1, -1, 1, 1, 1, 1}};
    SolidHull cube, wedge;
    ASSERT_TRUE(inscribe_hull({at[0], at[1], at[2], 8}, cube));
    ASSERT_TRUE(inscribe_hull({at[0], at[1], at[2], 6}, wedge));
    const Town town(5);
    const std::vector<SolidHullInstance> cubes = town.hulls(cube), wedges = town.hulls(wedge);
    double all = 0, of_16 = 0, of_64 = 0, of_cubes = 0, of_wedges = 0, of_both = 0;
    for (int frame = 0; frame < scaled(8); ++frame) {
        const Eye eye({-400.0 + 60 * frame, 40.0 * (frame % 4), 1.8});
        const auto hidden_by = [&](const SolidSet& solids, std::size_t most) {
            const Chosen chosen = Chosen(most).choose(solids, eye);
            EXPECT_TRUE(chosen.status) << chosen.status.message();
            const Culled culled(town, eye, std::span(chosen.occluders).first(chosen.count));
            return static_cast<double>(culled.hidden_in_all);
        };
        SolidSet both = town.solids();
        both.hulls = wedges;
        all += static_cast<double>(hidden_by_all(town, eye));
        of_16 += hidden_by(town.solids(), 16), of_64 += hidden_by(town.solids(), 64);
        of_cubes += hidden_by({.hulls = cubes}, 16), of_wedges += hidden_by({.hulls = wedges}, 16);
        of_both += hidden_by(both, 16);
    }
    std::printf("of %.0f hidden, 16 hide %.4f, 64 hide %.4f; 16 cubes %.4f, wedges %.4f, boxes and wedges %.4f\n", all,
                of_16 / all, of_64 / all, of_cubes / all, of_wedges / all, of_both / all);
    EXPECT_GT(all, 0);
    EXPECT_GE(of_16, 0.90 * all);
    EXPECT_GE(of_64, 0.97 * all);
    EXPECT_GE(of_cubes, 0.99 * of_16);
    EXPECT_GE(of_both, 0.97 * of_16);
    EXPECT_GT(of_wedges, of_16 / 3);
}

/// Calls what(isa) with each instruction set that this machine runs as the automatic one.
template <class Do>
void on_every_set(const Do& what) {
    const char* const before = std::getenv("LANECULL_ISA");
    const std::string restored = before != nullptr ? before : "";
    for (const Isa isa : runnable_isas()) {
        setenv("LANECULL_ISA", isa_name(isa), 1);
        forget_environment();
        what(isa);
    }
    before != nullptr ? setenv("LANECULL_ISA", restored.c_str(), 1) : unsetenv("LANECULL_ISA");
    forget_environment();
}

/// From above, by pictures that are not around the middle of what the eye sees, either way round.
TEST(ChooseOccluders, AnyPictureShowsWhatHides) {
    const Town town(7);
    double all = 0, chosen_hide = 0;
    for (int k = 0; k < 16; ++k) {
        const Lens lens{k % 2 == 0 ? 0.8 : -0.8, k / 2 % 2 == 0 ? 0.9 : -0.5, k / 4 % 2 == 0};
        const Eye eye({-400.0 + 40 * k, 40.0 * (k % 3), k / 2 % 2 == 0 ? 25 : 1.8}, lens);
        const Chosen chosen = Chosen(64).choose(town.solids(), eye);
        ASSERT_TRUE(chosen.status) << chosen.status.message();
        const auto of_all = static_cast<double>(hidden_by_all(town, eye));
        const Culled culled(town, eye, std::span(chosen.occluders).first(chosen.count));
        all += of_all;
        chosen_hide += static_cast<double>(culled.hidden_in_all);
        EXPECT_GE(static_cast<double>(culled.hidden_in_all), 0.8 * of_all) << k;
    }
    EXPECT_GT(all, 500);
    EXPECT_GE(chosen_hide, 0.95 * all);
}

/// From cameras, along a direction, and from a light with houses on all sides, whose picture has six faces.
TEST(ChooseOccluders, TheChoiceDoesNotDependOnTheSet) {
    const Town town(6);
    std::size_t chosen_in_all = 0;
    for (int camera = 0; camera < 12; ++camera) {
        Eye eye({-420.0 + 60 * camera, 40.0 * (camera % 3), 1.8});
        if (camera % 4 == 1) {
            ASSERT_TRUE(prepare_viewpoint_along({1, 0.3, -0.4}, {0, 0, 0}, eye.viewpoint));
        }
        if (camera % 4 == 2) {
            const double lamp[] = {0, 40, 60};
            ASSERT_TRUE(prepare_view_from_ball(lamp, 300, eye.view));
            ASSERT_TRUE(prepare_viewpoint_from_eyes(lamp, 0, eye.viewpoint));
        }
        std::vector<std::uint32_t> first;
        on_every_set([&](Isa isa) {
            const Chosen chosen = Chosen(48).choose(town.solids(), eye);
            ASSERT_TRUE(chosen.status) << chosen.status.message();
            if (first.empty()) first = chosen.list();
            EXPECT_EQ(chosen.list(), first) << isa_name(isa) << ", camera " << camera;
        });
        EXPECT_GE(first.size(), 6U) << camera;
        chosen_in_all += first.size();
    }
    std::printf("%zu chosen\n", chosen_in_all);
}

/// Boxes, and small ones at at(0), at(1) and so on.
template <class At>
std::vector<SolidBox> before(std::vector<SolidBox> boxes, int count, const At& at) {
    for (int k = 0; k < count; ++k) {
        const auto [x, y] = at(k);
        boxes.push_back(box(static_cast<float>(x), static_cast<float>(y), 0.5F, 2));
    }
    return boxes;
}

/// What it may not choose anyway is a property (properties/occluders).
TEST(ChooseOccluders, ByHand) {
    using Numbers = std::vector<std::uint32_t>;
    Eye eye({0, 0, 1.8});
    const auto expect = [&](const char* what, const Numbers& expected, const SolidSet& solids, std::size_t most = 8,
                            const ChooseOptions& options = {}) {
        const Chosen chosen = Chosen(most).choose(solids, eye, options);
        EXPECT_TRUE(chosen.status) << chosen.status.message();
        EXPECT_EQ(chosen.list(), expected) << what;
    };
    const SolidBox left{{20, -12, 0}, {21, -2, 8}}, right{{20, 2, 0}, {21, 12, 8}};
    const auto more_right = [](int k) { return std::pair(60 + k / 2 * 2, k % 2 == 0 ? 18 : -18); };
    const auto most_left = [](int k) { return std::pair(60 + k, k < 30 ? -18 : 18); };
    const auto far_left = [](int k) { return std::pair(60 + 2 * k, -30); };
    std::vector<SolidBox> boxes = before({left, right}, 41, more_right);
    expect("the right one hides one solid more", {1}, {.boxes = boxes}, 1);
    boxes = before({left, right}, 90, most_left);
    expect("where many are in view, those that hide none are not chosen", {1, 0}, {.boxes = boxes}, 8);
    boxes = before({left, {{22, -13.5F, 0}, {23, -2.5F, 8}}, right}, 40, most_left);
    expect("the second hides what the first does but for a margin", {0, 2}, {.boxes = boxes}, 2);
    boxes = before({left, {{40, -14, 0}, {41, 2, 6}}, {{20, 10, 0}, {21, 17, 10}}, box(60, 0, 0.5F, 2)}, 4, far_left);
    expect("the first hides the second one's middle, which hides one solid more", {0, 1}, {.boxes = boxes}, 2);
    boxes = {box(60, 0, 4, 6), {{20, -10, 0}, {22, 10, 12}}, box(60, 25, 4, 6)};
    const std::vector<std::uint64_t> without_wall = {0b101};
    const SolidOrientedBox turned{{60, 0, 3}, {3, 3, 3}, {{0.8F, 0.6F, 0}, {-0.6F, 0.8F, 0}, {0, 0, 1}}};
    expect("a wall hides the first", {1, 2}, {.boxes = boxes});
    expect("without the wall", {2, 0}, {.boxes = boxes}, 8, {.candidates = without_wall});
    expect("a wall hides a turned one", {0}, {.boxes = std::span(boxes).subspan(1, 1), .oriented_boxes = {&turned, 1}});
    expect("the turned one alone", {0}, {.oriented_boxes = {&turned, 1}});
    boxes = {box(-50, 0, 5, 9), box(50, 300, 5, 9), box(2000, 0, 5, 9)};
    expect("behind the eye, beside the view and beyond its far plane", {}, {.boxes = boxes});
    expect("none", {}, {});
    const SolidBox thin{{50, -5, 0}, {51, 5, 9}};
    expect("a thin one", {0}, {.boxes = {&thin, 1}});
    expect("of which its margin leaves nothing", {}, {.boxes = {&thin, 1}}, 8, {.raster = {.per_distance = 0.05}});
    eye = Eye({-20, 0, 1.8});
    ASSERT_TRUE(prepare_viewpoint_along({1, 0, 0}, {0, 0, 0}, eye.viewpoint));
    boxes = {box(20, 20, 2, 4), {{10, -10, -1}, {12, 10, 12}}};
    expect("parallel sight", {1, 0}, {.boxes = before(boxes, 30, [](int k) { return std::pair(60 + k, k % 5 - 2); })});
}

TEST(ChooseOccluders, ArgumentsThatBreakARuleAreNamed) {
    const Eye eye({0, 0, 1.8});
    const std::vector<SolidBox> boxes = {box(60, 25, 4, 6), box(60, -25, 4, 6)};
    const std::vector<Owner> one_owner(1);
    const auto expect = [&](const char* message, const SolidSet& solids, const ChooseOptions& options,
                            std::size_t most = 4) {
        Chosen chosen(most);
        chosen.count = 77;
        chosen.choose(solids, eye, options);
        EXPECT_FALSE(chosen.status);
        EXPECT_NE(std::string(chosen.status.message()).find(message), std::string::npos) << chosen.status.message();
        EXPECT_EQ(chosen.count, 77u);
        EXPECT_TRUE(std::ranges::none_of(chosen.occluders, &Occluder::prepared));
    };
    const SolidSet good{.boxes = boxes};
    const std::vector<SolidBox> many(65, boxes[0]);
    const std::vector<std::uint64_t> word(1);
    expect("solids.drawn: 1", {.boxes = boxes, .drawn = std::span(boxes).first(1)}, {});
    expect("solids.owners: 1", {.boxes = boxes, .owners = one_owner}, {});
    expect("occluders: 1 to 64, not 0", good, {}, 0);
    expect("occluders: 1 to 64, not 65", good, {}, 65);
    expect("options.raster", good, {.raster = {.per_distance = -1}});
    expect("options.raster", good, {.raster = {.depth_per_square = std::nan("")}});
    expect("options.candidates: 1 words", {.boxes = many}, {.candidates = word});

    std::vector<Occluder> occluders(4);
    std::vector<std::uint32_t> indices(3);
    std::vector<std::byte> scratch(choose_scratch_bytes(2));
    std::uint32_t count = 77;
    EXPECT_FALSE(choose_occluders(good, eye.view, eye.viewpoint, occluders, indices, scratch, count));
    indices.resize(4);
    EXPECT_FALSE(choose_occluders(good, View(), eye.viewpoint, occluders, indices, scratch, count));
    EXPECT_FALSE(choose_occluders(good, eye.view, Viewpoint(), occluders, indices, scratch, count));
    const Status short_of_scratch = choose_occluders(good, eye.view, eye.viewpoint, occluders, indices,
                                                     std::span(scratch).first(scratch.size() - 1), count);
    EXPECT_NE(std::string(short_of_scratch.message()).find("too few, choose_scratch_bytes() asks for "),
              std::string::npos)
        << short_of_scratch.message();
    EXPECT_EQ(count, 77u);
    // At any alignment the bytes suffice.
    for (std::size_t skip = 0; skip < 8; ++skip) {
        std::vector<std::byte> more(choose_scratch_bytes(2) + skip);
        EXPECT_TRUE(
            choose_occluders(good, eye.view, eye.viewpoint, occluders, indices, std::span(more).subspan(skip), count));
        EXPECT_EQ(count, 2u);
    }
}

// raster_margin(): the figures of the rules, and its refusals.

TEST(RasterMargin, IsThatOfTheRules) {
    using R = Rasterization;
    using Change = void (*)(R&);
    constexpr double pixel = 2.0 / 1080, unit = 0x1p-24;
    /// Of 1920 x 1080 pixels, 90 degrees up, with a change.
    const auto expect = [](Change change, const RasterMargin& expected, const std::string& refused = "") {
        R r{.width = 1920, .height = 1080, .scale_x = 1080.0 / 1920, .scale_y = 1, .near_depth = 0.1};
        r.is_camera_relative = true;
        change(r);
        RasterMargin margin{77, 77, 77};
        const std::string message(raster_margin(r, margin).message());
        EXPECT_EQ(message.substr(0, refused.size()), refused);
        EXPECT_EQ(message.empty(), refused.empty()) << message;
        EXPECT_DOUBLE_EQ(margin.per_distance, expected.per_distance);
        EXPECT_DOUBLE_EQ(margin.depth_per_square, expected.depth_per_square);
        EXPECT_DOUBLE_EQ(margin.depth_per_distance, expected.depth_per_distance);
    };
    expect([](R&) {}, {pixel / 64, 4 * unit / 0.1, 0});
    expect([](R& r) { r.sub_pixel_bits = 8; }, {pixel / 64, 4 * unit / 0.1, 0});
    expect([](R& r) { r.sub_pixel_bits = 4; }, {pixel / 8, 4 * unit / 0.1, 0});
    expect([](R& r) { r.sub_pixel_bits = 16; }, {pixel / 64, 4 * unit / 0.1, 0});
    expect([](R& r) { r.is_camera_relative = false, r.largest_coordinate = 4096, r.least_distance = 2; },
           {pixel * (1.0 / 16 + 8 * unit * 1920 * 2048), 4 * unit / 0.1, 0});
    expect([](R& r) { r.depth = DepthFormat::unorm_16; }, {pixel / 64, 4 * 0x1p-16 / 0.1, 0});
    expect([](R& r) { r.depth = DepthFormat::float_32_reversed; }, {pixel / 64, 0, 4 * unit});
    expect([](R& r) { r.width = 960; }, {2 * pixel / 64, 4 * unit / 0.1, 0});
    // Of an orthographic projection it does not grow with distance.
    const Change parallel = [](R& r) {
        r.is_orthographic = true, r.scale_x = r.scale_y = 2.0 / 200, r.near_depth = -50, r.far_depth = 350;
        r.width = r.height = 1000;
    };
    expect(parallel, {0.2 / 64, 0, 4 * unit * 400});
    const RasterMargin untouched{77, 77, 77};
    expect([](R& r) { r.width = 0; }, untouched, "width");
    expect([](R& r) { r.scale_x = std::nan(""); }, untouched, "scale_x");
    expect([](R& r) { r.scale_y = -1; }, untouched, "scale_x");
    expect([](R& r) { r.near_depth = 0; }, untouched, "near_depth");
    expect([](R& r) { r.is_orthographic = true; }, untouched, "far");
    expect([](R& r) { r.sub_pixel_bits = 3; }, untouched, "sub_pixel_bits");
    expect([](R& r) { r.sub_pixel_bits = 17; }, untouched, "sub_pixel_bits");
    expect([](R& r) { r.depth = static_cast<DepthFormat>(9); }, untouched, "depth");
    expect([](R& r) { r.is_camera_relative = false; }, untouched, "least_distance");
    expect([](R& r) { r.is_camera_relative = false, r.largest_coordinate = INFINITY; }, untouched,
           "largest_coordinate");
    expect([](R& r) { r.near_depth = 1e-38; }, untouched, "margin");
}

}  // namespace
