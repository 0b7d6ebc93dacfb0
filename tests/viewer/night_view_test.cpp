#include <gtest/gtest.h>

#include <algorithm>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// Frames by night: lamps and spotlights light each pixel by the list of its cell.

namespace {

class NightView : public Program {
protected:
    /// A triangle on the ground; above it a lamp and a spotlight that shines down, a lamp far away between them.
    void write_scene(const std::string& name, const std::string& range) const {
        write(name, R"({"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_lights_punctual"],
            "extensions": {"KHR_lights_punctual": {"lights": [
                {"type": "point", "range": )" +
                        range + R"(}, {"type": "spot", "range": )" + range +
                        R"(, "spot": {"outerConeAngle": 0.5}}]}},
            "nodes": [{"mesh": 0, "matrix": [0, 1, 0, 0, 80, 0, 0, 0, 0, 0, 80, 0, -30, 0, -30, 1]},
                      {"translation": [-6, 3, 0], "extensions": {"KHR_lights_punctual": {"light": 0}}},
                      {"translation": [6, 5, 0], "rotation": [-0.70710678, 0, 0, 0.70710678],
                       "extensions": {"KHR_lights_punctual": {"light": 1}}},
                      {"translation": [0, 3, 500], "extensions": {"KHR_lights_punctual": {"light": 0}}}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
            "bufferViews": [{"buffer": 0, "byteLength": 36}],
            "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                        R"(AAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"}]})");
        write("path.json", R"({"up": [0, 1, 0], "near": 1, "far": 100,
                               "cameras": [{"eye": [0, 20, 20], "target": [0, 0, 0]}]})");
    }
    [[nodiscard]] static std::string night(const std::string& more) {
        return "view --night --headless --quiet --validate --sun-texels 64 --lamp-texels 64 " + more;
    }
    [[nodiscard]] Pixels picture_of(const std::string& more, const char* frame = "frame_0000.png") const {
        const std::string report = output_of(night(more + " --out " + path("out")));
        EXPECT_NE(report.find("lights of cells a frame"), std::string::npos) << report;
        return Pixels(read(path("out/") + frame));
    }
};

/// The lights of a pixel's cell have the same sum, to the bit, as all lights.
TEST_F(NightView, CellsHaveAllLightsOfTheirPixels) {
    for (const char* path : {"--path street --culling occluders", "--culling exact"}) {
        const std::string table =
            output_of(night(std::string(path) + " --objects 10000 --frames 3 --size 240x135 --parity"));
        EXPECT_NE(table.find("97200"), std::string::npos) << table;  // 3 * 240 * 135
        const std::size_t entries = table.find(" lights of cells a frame");
        ASSERT_NE(entries, std::string::npos) << table;
        EXPECT_GT(std::stod(table.substr(table.rfind(' ', entries - 1))), 200) << table;
    }
}

TEST_F(NightView, LampsLightTheStreets) {
    const std::string street = "--objects 10000 --path street --frames 5 --size 160x90 ";
    const char* const second = "frame_0001.png";  // the viewer's own lamp is before the third
    const Pixels cells = picture_of(street, second), all = picture_of(street + "--lighting all --culling off", second);
    EXPECT_EQ(cells.colors, all.colors);
    const auto light = [](const Pixels& picture) {
        double sum = 0;
        for (const unsigned color : picture.colors) sum += (color & 0xFF) + (color >> 8 & 0xFF) + (color >> 16);
        return sum / (3.0 * static_cast<double>(picture.colors.size()));
    };
    EXPECT_GT(light(cells), 30);
    EXPECT_LT(light(picture_of(street + "--lights 1", second)), 0.6 * light(cells));
}

/// Numbers of lights: the lamp, the far lamp, the spotlight. The far one lights nothing that is seen.
TEST_F(NightView, ALightThatCellsLackIsFound) {
    write_scene("lamps.gltf", "8");
    const std::string parity = night("lamps.gltf --path path.json --size 160x90 --culling exact --parity ");
    for (const char* light : {"0", "2"}) {
        const Result result = run(words(parity + "--drop-light " + light));
        EXPECT_EQ(result.status, failed) << result.output;
        EXPECT_NE(result.errors.find("a light may be missing from its cells"), std::string::npos) << result.errors;
    }
    static_cast<void>(output_of(parity + "--drop-light 1"));
}

TEST_F(NightView, CellsHaveTheColoursOfTheirLights) {
    write_scene("lamps.gltf", "8"), write_scene("dark.gltf", "0.1");
    const std::string rest = " --path path.json --size 320x180 ";
    const Pixels lit = picture_of("lamps.gltf" + rest), dark = picture_of("dark.gltf" + rest);
    const Pixels counts = picture_of("lamps.gltf" + rest + "--lighting counts");
    constexpr unsigned none = 0x1B1F4B, one = 0x234A75, two = 0x265C7C;
    int pixels = 0, cells = 0;
    for (std::size_t i = 0; i < lit.colors.size(); ++i) {
        const bool has_lights = counts.colors[i] == one || counts.colors[i] == two;
        cells += has_lights ? 1 : 0;
        if (lit.colors[i] == dark.colors[i]) continue;
        ++pixels;
        EXPECT_TRUE(has_lights) << i;
    }
    EXPECT_GT(pixels, 500);
    EXPECT_GT(cells, pixels);
    EXPECT_LT(cells, 6 * pixels);
    EXPECT_GT(std::ranges::count(counts.colors, none), 500);
}

TEST_F(NightView, RefusesWhatIsWrong) {
    expect_error(words("view --headless --lights 5"), wrong_usage, "--night");
    expect_error(words("view --headless --lighting all"), wrong_usage, "--night");
    expect_error(words(night("--lights 0")), wrong_usage, "--lights");
    expect_error(words(night("--lighting bright")), wrong_usage, "--lighting");
    expect_error(words(night("--lighting all --parity")), wrong_usage, "--parity");
    expect_error(words(night("--objects 10 --frames 1")), failed, "has no lamps");
    write_scene("lamps.gltf", "8");
    expect_error(words(night("lamps.gltf --lights 4097")), wrong_usage, "--lights");
}

}  // namespace
