#include <gtest/gtest.h>
#include <lanecull/occluder.h>

#include <cmath>
#include <string>

/// raster_margin(): the figures of the rules, and its refusals.

namespace {

using namespace lanecull;

/// 1920 x 1080 pixels, 90 degrees up.
Rasterization usual() {
    Rasterization r;
    r.width = 1920;
    r.height = 1080;
    r.scale_y = 1;
    r.scale_x = 1080.0 / 1920;
    r.near_depth = 0.1;
    r.is_camera_relative = true;
    return r;
}

RasterMargin margin_of(const Rasterization& r) {
    RasterMargin margin;
    const Status status = raster_margin(r, margin);
    EXPECT_TRUE(status) << status.message();
    return margin;
}

TEST(RasterMargin, IsThatOfTheRules) {
    const double pixel = 2.0 / 1080;
    Rasterization r = usual();
    EXPECT_DOUBLE_EQ(margin_of(r).per_distance, pixel / 64);
    EXPECT_DOUBLE_EQ(margin_of(r).depth_per_square, 4 * 0x1p-24 / 0.1);
    EXPECT_EQ(margin_of(r).depth_per_distance, 0);
    r.sub_pixel_bits = 8;
    EXPECT_EQ(margin_of(r).per_distance, margin_of(usual()).per_distance) << "8 bits are usual";
    r.sub_pixel_bits = 4;
    EXPECT_DOUBLE_EQ(margin_of(r).per_distance, pixel / 8);
    r.sub_pixel_bits = 16;
    EXPECT_DOUBLE_EQ(margin_of(r).per_distance, pixel / 64);
    r.is_camera_relative = false;
    r.largest_coordinate = 4096;
    r.least_distance = 2;
    EXPECT_DOUBLE_EQ(margin_of(r).per_distance, pixel * (1.0 / 16 + 8 * 0x1p-24 * 1920 * 2048));
    r.depth = DepthFormat::unorm_16;
    EXPECT_DOUBLE_EQ(margin_of(r).depth_per_square, 4 * 0x1p-16 / 0.1);
    r.depth = DepthFormat::float_32_reversed;
    EXPECT_EQ(margin_of(r).depth_per_square, 0);
    EXPECT_DOUBLE_EQ(margin_of(r).depth_per_distance, 4 * 0x1p-24);
    // Pixels that are wider than high.
    r = usual();
    r.width = 960;
    EXPECT_DOUBLE_EQ(margin_of(r).per_distance, 2 * pixel / 64);
}

TEST(RasterMargin, OfOrthographicProjectionsDoesNotGrow) {
    Rasterization r = usual();
    r.is_orthographic = true;
    r.scale_x = r.scale_y = 2.0 / 200;
    r.near_depth = -50;
    r.far_depth = 350;
    r.width = r.height = 1000;
    const RasterMargin margin = margin_of(r);
    EXPECT_DOUBLE_EQ(margin.per_distance, 0.2 / 64);
    EXPECT_DOUBLE_EQ(margin.depth_per_distance, 4 * 0x1p-24 * 400);
    EXPECT_EQ(margin.depth_per_square, 0);
}

TEST(RasterMargin, RefusesWhatBreaksARule) {
    const auto expect = [](const char* name, const auto& change) {
        Rasterization r = usual();
        change(r);
        RasterMargin margin{77, 77, 77};
        const Status status = raster_margin(r, margin);
        EXPECT_FALSE(status) << name;
        EXPECT_EQ(std::string(status.message()).find(name), 0u) << status.message();
        EXPECT_EQ(margin.per_distance + margin.depth_per_square + margin.depth_per_distance, 3 * 77);
    };
    using R = Rasterization;
    expect("width", [](R& r) { r.width = 0; });
    expect("scale_x", [](R& r) { r.scale_x = std::nan(""); });
    expect("scale_x", [](R& r) { r.scale_y = -1; });
    expect("near_depth", [](R& r) { r.near_depth = 0; });
    expect("far", [](R& r) { r.is_orthographic = true; });
    expect("sub_pixel_bits", [](R& r) { r.sub_pixel_bits = 3; });
    expect("sub_pixel_bits", [](R& r) { r.sub_pixel_bits = 17; });
    expect("depth", [](R& r) { r.depth = static_cast<DepthFormat>(9); });
    expect("least_distance", [](R& r) { r.is_camera_relative = false; });
    expect("largest_coordinate", [](R& r) { r.is_camera_relative = false, r.largest_coordinate = INFINITY; });
    expect("margin", [](R& r) { r.near_depth = 1e-38; });
}

}  // namespace
