#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scene/formats.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"

/// The reader of PLY: text and both binary orders say the same, and what is cut off is refused.

namespace {

using namespace lanecull::program;

/// A pyramid as a file of one format. Numbers are appended as the format has them.
class Pyramid {
public:
    explicit Pyramid(std::string format) : format_(std::move(format)) {}

    std::string file() {
        text_ = "ply\nformat " + format_ + " 1.0\ncomment of five points\nelement vertex 5\nproperty double x\n" +
                "property uchar red\nproperty float y\nproperty short z\nelement face 3\n" +
                "property list uchar int vertex_indices\nproperty ushort flags\nend_header\n";
        header_ = text_.size();
        for (const auto& [x, y, z] : {std::array{10, 0, -5}, {12, 0, -5}, {12, 2, -5}, {10, 2, -5}, {11, 1, 300}}) {
            number(double(x)), number(std::uint8_t{10}), number(float(y)), number(static_cast<std::int16_t>(z));
        }
        for (const std::vector<int>& face : {std::vector{0, 1, 2, 3}, {0, 1, 4}, {1, 2, 4}}) {
            number(static_cast<std::uint8_t>(face.size()));
            for (const int corner : face) number(std::int32_t{corner});
            number(std::uint16_t{258});
        }
        return text_;
    }
    /// Of the file that was made last.
    [[nodiscard]] std::size_t header() const { return header_; }

private:
    template <class T>
    void number(T value) {
        if (format_ == "ascii") {
            text_ += std::to_string(value) + (text_.size() % 3 == 0 ? "\r\n" : " ");
            return;
        }
        auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (format_ == "binary_big_endian") std::ranges::reverse(bytes);
        text_.append(bytes.data(), bytes.size());
    }

    std::string format_, text_;
    std::size_t header_ = 0;
};

const HullMesh& mesh_of(const Scene& scene) {
    return std::get<HullInstanceArrays>(scene.groups.at(0).arrays).meshes.at(0);
}

std::string failure(const std::string& text) {
    try {
        const Scene scene = parse_ply(text, "a.ply");
        return "read: " + std::to_string(scene.object_count()) + " objects";
    } catch (const Error& error) {
        return error.what();
    }
}

const char* const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};

TEST(Ply, SaysTheSameInAnyFormat) {
    for (const char* format : formats) {
        SCOPED_TRACE(format);
        const Scene scene = parse_ply(Pyramid(format).file(), "a.ply");
        const Bounds bounds = scene.bounds();
        EXPECT_EQ(bounds.lower, glm::dvec3(10, 0, -5));
        EXPECT_EQ(bounds.upper, glm::dvec3(12, 2, 300));
        EXPECT_EQ(mesh_of(scene).x.size(), 5U);
        EXPECT_EQ(mesh_of(scene).triangles.size(), 4U) << "two of the square and the two others";
    }
}

/// The byte behind the header is one that ends lines elsewhere; assimp 5.2 skips it.
TEST(Ply, ReadsDataThatBeginWithALineFeed) {
    const Scene scene = read_scene(LANECULL_TEST_DATA "/ply/cube_binary_lf.ply");
    EXPECT_EQ(mesh_of(scene).x.size(), 8U);
    EXPECT_EQ(mesh_of(scene).triangles.size(), 12U);
    EXPECT_NEAR(scene.bounds().size().x, 1, 1e-5);
}

TEST(Ply, IsRefusedWhereverItIsCutOff) {
    for (const char* format : formats) {
        Pyramid pyramid(format);
        const std::string whole = pyramid.file();
        // The last number of a text may be shorter; it is one that nothing depends on.
        const std::size_t end = whole.size() - (std::string(format) == "ascii" ? 5 : 1);
        for (std::size_t length = 0; length <= end; ++length) {
            const std::string said = failure(whole.substr(0, length));
            EXPECT_TRUE(said.starts_with("a.ply: ")) << format << ", " << length << " bytes: " << said;
            if (length <= pyramid.header()) continue;
            EXPECT_NE(said.find("cut off within"), std::string::npos) << said;
        }
    }
}

TEST(Ply, HasStripsAndClouds) {
    const std::string points =
        "ply\rformat ascii 1.0\relement vertex 5\rproperty float x\rproperty float y\rproperty float z\r";
    const std::string rows = "0 0 0\r1 0 0\r0 1 0\r1 1 0\r0 0 1\r";
    const Scene cloud = parse_ply(points + "end_header\r" + rows, "a.ply");
    EXPECT_EQ(mesh_of(cloud).x.size(), 5U);
    EXPECT_TRUE(mesh_of(cloud).triangles.empty());
    const std::string strips = "element tristrips 1\rproperty list int int vertex_indices\rend_header\r";
    const Scene strip = parse_ply(points + strips + rows + "8 0 1 2 3 -1 0 1 4\r", "a.ply");
    EXPECT_EQ(mesh_of(strip).triangles.size(), 3U);
    EXPECT_EQ(mesh_of(strip).x.size(), 5U);
}

TEST(Ply, SaysWhatIsWrong) {
    const std::string whole = Pyramid("ascii").file();
    for (const auto& [old, changed, words] : std::vector<std::array<std::string_view, 3>>{
             {"ply\n", "solid cube\n", "not PLY"},
             {"format ascii", "format roman", "its header has 'format roman 1.0'"},
             {"format ascii 1.0", "comment", "no format"},
             {"vertex 5", "vertex five", "its header has 'element vertex five'"},
             {"uchar red", "quaternion red", "its header has 'property quaternion red'"},
             {"uchar int vertex", "uchar vertex", "its header has 'property list uchar vertex_indices'"},
             {"float y", "float t", "its vertices have no y"},
             {"vertex 5", "vertex 4", "cut off within face 2 of 3"},
             {"vertex 5", "vertex 18446744073709551615", "cut off within vertex"},
             {"10.000000", "nan", "vertex 0 is not finite"},
             {"10.000000", "ten", "vertex 0 has something that is not a number"}}) {
        std::string text = whole;
        text.replace(text.find(old), old.size(), changed);
        EXPECT_NE(failure(text).find(words), std::string::npos) << failure(text);
    }
    std::string far = whole;
    far.replace(far.rfind('4'), 1, "9");
    EXPECT_EQ(failure(far), "a.ply: a face names vertex 9 of 5");
}

/// Two splats as programs that train them write them, with other numbers between: one along the axes, one turned about
/// z by 90 degrees by a quaternion of length 2.
std::string splats(const std::string& more = {}) {
    std::string text =
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n"
        "property float z\nproperty float nx\nproperty float opacity\n";
    for (const char* name : {"scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"}) {
        text += std::string("property float ") + name + "\n";
    }
    return text + more + "end_header\n1 2 3 0 -5 0 -0.69314718 0.69314718 1 0 0 0\n" +
           "-7 0 0 0 9 0 -0.69314718 0.69314718 1.41421356 0 0 1.41421356\n";
}

TEST(Ply, ReadsSplatsAsEllipsoids) {
    for (const double deviations : {3.0, 0.5}) {
        const Scene scene = parse_ply(splats(), "a.ply", deviations);
        ASSERT_EQ(scene.object_count(), 2U);
        EXPECT_EQ(scene.groups[0].name, "splats");
        const auto& ellipsoids = std::get<EllipsoidArrays>(scene.groups[0].arrays);
        for (std::size_t i = 0; i < 2; ++i) {
            const glm::dvec3 center = i == 0 ? glm::dvec3(1, 2, 3) : glm::dvec3(-7, 0, 0);
            const glm::dvec3 half = deviations * (i == 0 ? glm::dvec3(1, 0.5, 2) : glm::dvec3(0.5, 1, 2));
            const Bounds bounds = ellipsoids.bounds(i);
            for (int k = 0; k < 3; ++k) {
                EXPECT_NEAR(bounds.center()[k], center[k], 1e-6);
                EXPECT_NEAR(bounds.size()[k], 2 * half[k], 1e-5);
            }
            EXPECT_FLOAT_EQ(ellipsoids.bounding_radius[i], static_cast<float>(2 * deviations));
        }
    }
    EXPECT_EQ(parse_ply(splats(), "a.ply").description, "2 splats, half-axes of 3 deviations");
    // Vertices of faces are those of a mesh, whatever else they have.
    const Scene mesh = parse_ply(splats("element face 1\nproperty list int int vertex_index\n") + "2 0 1\n", "a.ply");
    EXPECT_EQ(mesh_of(mesh).x.size(), 2U);
}

TEST(Ply, SaysWhatIsWrongWithSplats) {
    for (const auto& [old, changed, words] :
         std::vector<std::array<std::string, 3>>{{"1 2 3", "1 inf 3", "a.ply: vertex 0 is not finite"},
                                                 {"1 0 0 0", "0 0 0 0", "a.ply: vertex 0 has no rotation"},
                                                 {"1 0 0 0", "nan 0 0 0", "a.ply: vertex 0 has no rotation"},
                                                 {"9 0 -", "9 400 -", "a.ply: vertex 1 has a scale beyond 1e+15"},
                                                 {"9 0 -", "9 nan -", "a.ply: vertex 1 has a scale beyond 1e+15"},
                                                 {"vertex 2", "vertex 0", "a.ply: no splats in it"},
                                                 {"vertex 2", "vertex 3", "a.ply: cut off within vertex 2 of 3"},
                                                 {"float rot_3", "float rotated", "read: 1 objects"}}) {
        std::string text = splats();
        text.replace(text.find(old), old.size(), changed);
        EXPECT_EQ(failure(text), words);
    }
}

}  // namespace
