#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <sstream>

#include "program/pixels.hpp"
#include "program/program.hpp"

/// lanecull shadow: its counts agree with the geometry, and its rows add up.

namespace {

/// A row's figures: frames, in the light's frustum, kept, not covered.
struct Row {
    double frames = 0, in_frustum = 0, kept = 0, uncovered = 0;
};

class Shadow : public Program {
protected:
    /// From the origin along x, z up: |y|, |z| <= x, 1 <= x <= 9.
    std::string camera() const {
        return write("camera.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9,
                                        "cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}]})");
    }

    /// A sun at the zenith, one cascade and no lamps.
    [[nodiscard]] std::vector<std::string> below_the_sun(const std::string& boxes) const {
        return {"shadow",     boxes, "--path",  camera(), "--sun-height", "90",
                "--cascades", "1",   "--lamps", "0",      "--quiet"};
    }

    /// Rows by name, names being what stands before two spaces.
    static std::map<std::string, Row> rows_of(const std::string& table) {
        std::map<std::string, Row> rows;
        std::istringstream lines(table);
        for (std::string line; std::getline(lines, line);) {
            const std::size_t end = line.find("  ");
            Row row;
            char saved[20];
            std::string numbers = end == std::string::npos ? "" : line.substr(end);
            std::erase(numbers, ',');  // between thousands
            if (std::sscanf(numbers.c_str(), "%lf %lf %lf %19s %*[%]%lf", &row.frames, &row.in_frustum, &row.kept,
                            saved, &row.uncovered) >= 3) {
                rows[line.substr(0, end)] = row;
            }
        }
        return rows;
    }
};

TEST_F(Shadow, CountsWhatCastsShadowsIntoTheView) {
    // On the ground in view; 20 above it; 20 above where nothing is visible, though in the light's frustum; 20 below.
    const std::string boxes = write("boxes.csv",
                                    "4 -0.5 -1 5 0.5 -0.8\n"
                                    "4.2 -0.2 20 4.8 0.2 21\n"
                                    "4.2 3 20 4.8 3.4 21\n"
                                    "4.2 -0.2 -20 4.8 0.2 -19\n");
    const std::vector<std::string> sun = below_the_sun(boxes);
    const Result result = run(sun);
    ASSERT_EQ(result.status, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    const auto rows = rows_of(result.output);
    ASSERT_EQ(rows.count("all cascades"), 1u) << result.output;
    EXPECT_EQ(rows.at("all cascades").frames, 1);
    EXPECT_EQ(rows.at("all cascades").in_frustum, 3) << result.output;
    EXPECT_EQ(rows.at("all cascades").kept, 2) << result.output;
    EXPECT_EQ(rows.at("sun, cascade 0").kept, 2) << result.output;
    // A lamp stands half its range before the camera: 2 of 4. Its ball reaches the first box alone.
    const Result lamp = run({"shadow", boxes, "--path", camera(), "--lamps", "1", "--lamp-range", "4", "--quiet"});
    ASSERT_EQ(lamp.status, 0) << lamp.errors;
    EXPECT_EQ(rows_of(lamp.output).at("lamp 0").in_frustum, 1) << lamp.output;
    EXPECT_EQ(rows_of(lamp.output).at("lamp 0").kept, 1) << lamp.output;
}

TEST_F(Shadow, AddsUp) {
    const Result result =
        run({"shadow", "--objects", "5000", "--frames", "7", "--lamps", "3", "--quiet", "--json", path("shadow.json")});
    ASSERT_EQ(result.status, 0) << result.errors;
    const auto rows = rows_of(result.output);
    double in_frustum = 0, kept = 0;
    for (int k = 0; k < 4; ++k) {
        const Row& row = rows.at("sun, cascade " + std::to_string(k));
        EXPECT_EQ(row.frames, 7);
        EXPECT_LE(row.kept, row.in_frustum);
        in_frustum += row.in_frustum, kept += row.kept;
    }
    const Row& all = rows.at("all cascades");
    EXPECT_NEAR(all.in_frustum, in_frustum, 0.3);
    EXPECT_NEAR(all.kept, kept, 0.3);
    EXPECT_GT(kept, 0);
    EXPECT_LT(kept, 0.9 * in_frustum);
    EXPECT_EQ(rows.count("lamp 2"), 1u);
    EXPECT_EQ(rows.count("lamp 3"), 0u);
    const nlohmann::json data = nlohmann::json::parse(read(path("shadow.json")));
    EXPECT_EQ(data.at("frames"), 7);
    ASSERT_EQ(data.at("lights").size(), 7u);
    for (const nlohmann::json& light : data.at("lights")) {
        const Row& row = rows.at(light.at("name"));
        EXPECT_NEAR(light.at("in_frustum"), row.in_frustum, 0.051);
        EXPECT_NEAR(light.at("casters"), row.kept, 0.051);
        EXPECT_NEAR(row.kept - light.value("covered", 0.0), row.uncovered, 0.11);
    }
}

constexpr unsigned seen = 0x1F6FB5, kept = 0xE8870E, rejected = 0xC48CB8;

TEST_F(Shadow, DrawsAPicture) {
    // Seen; the sun, 45 degrees high towards +y, behind it: casts onto it; in the map's box, but before what is seen,
    // its shadow falls away from it.
    const std::string boxes = write("boxes.csv",
                                    "4 -0.5 -1 5 0.5 -0.8\n"
                                    "4 7.5 7 5 8.5 8\n"
                                    "4 5.5 10 5 6.5 11\n");
    std::vector<std::string> arguments = {"shadow",        boxes, "--path",     camera(),   "--sun-height", "45",
                                          "--sun-bearing", "0",   "--cascades", "1",        "--lamps",      "1",
                                          "--lamp-range",  "4",   "--quiet",    "--picture"};
    const auto draw = [&](const std::string& name, const std::vector<std::string>& more) {
        std::vector<std::string> all = arguments;
        all.push_back(path(name));
        all.insert(all.end(), more.begin(), more.end());
        const Result result = run(all);
        EXPECT_EQ(result.status, 0) << result.errors;
        EXPECT_EQ(result.errors, "");
        EXPECT_EQ(rows_of(result.output).count("all cascades"), 1u) << "the table is printed too";
        return Pixels(read(path(name)));
    };
    const Pixels sun = draw("sun.png", {});
    ASSERT_EQ(sun.width, 1600);
    ASSERT_EQ(sun.height, 900);
    for (const unsigned color : {seen, kept, rejected}) {
        EXPECT_GT(sun.in_legend(color), 50) << std::hex << color;
        EXPECT_GT(sun.on_map(color), 50) << std::hex << color;
    }
    // The lamp reaches the first box alone, which is seen.
    const Pixels lamp = draw("lamp.png", {"--picture-light", "1"});
    ASSERT_EQ(lamp.width, 1600);
    EXPECT_GT(lamp.on_map(seen), 50);
    EXPECT_EQ(lamp.on_map(kept), 0);
    EXPECT_EQ(lamp.on_map(rejected), 0);
    EXPECT_GT(lamp.in_legend(rejected), 50);

    arguments.push_back(path("other.png"));
    const auto refuses = [&](const std::string& option, const std::string& value, int status) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), {option, value});
        expect_error(all, status, option);
    };
    refuses("--picture-light", "2", wrong_usage);
    refuses("--picture-frame", "1", wrong_usage);
    arguments.back() = path("missing/other.png");
    expect_error(arguments, failed, "other.png");
    std::filesystem::create_directory(path("folder.png"));
    arguments.back() = path("folder.png");
    expect_error(arguments, failed, "cannot write");
    EXPECT_EQ(run({"shadow", "--picture-light", "0"}).status, wrong_usage) << "of no picture";
}

/// Without a frame the picture is of the one that has most to show, which is lit.
TEST_F(Shadow, DrawsAFrameThatShowsSomething) {
    const std::string boxes = write("boxes.csv", "4 -0.5 -1 5 0.5 -0.8\n4.2 -0.2 20 4.8 0.2 21\n");
    // In the first frame alone there is something in view; the lamp stands before the camera that looks at it.
    const std::string turning = write("turning.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9, "cameras": [
        {"eye": [0, 0, 0], "target": [1, 0, 0]}, {"eye": [0, 0, 0], "target": [-1, 0, 0]},
        {"eye": [0, 0, 0], "target": [-1, 0.1, 0]}]})");
    const std::vector<std::string> common = {"shadow",       boxes,        "--path",  turning,     "--sun-height",
                                             "90",           "--cascades", "1",       "--lamps",   "3",
                                             "--lamp-range", "4",          "--quiet", "--picture", path("map.png")};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        return more;
    };
    // The box in the sky is over the one that is seen: cut open, it would be see-through.
    ASSERT_EQ(run(with({"--cutaway", "off"})).status, 0);
    const Pixels sun(read(path("map.png")));
    EXPECT_GT(sun.on_map(seen), 50);
    EXPECT_GT(sun.on_map(kept), 50);
    const Result lamp = run(with({"--picture-light", "1"}));
    ASSERT_EQ(lamp.status, 0) << lamp.errors;
    EXPECT_GT(Pixels(read(path("map.png"))).on_map(seen), 50);
    // It lights nothing of what is seen in that frame, and the message says who asked for it.
    expect_error(with({"--picture-light", "1", "--picture-frame", "1"}), wrong_usage,
                 "--picture-light 1, --picture-frame 1");
}

TEST_F(Shadow, RefusesWrongCommandLines) {
    for (const auto& [option, value] : std::initializer_list<std::array<const char*, 2>>{{"--cascades", "0"},
                                                                                         {"--cascades", "17"},
                                                                                         {"--lamps", "-1"},
                                                                                         {"--threads", "x"},
                                                                                         {"--sun-height", "up"},
                                                                                         {"--method", "planes"}}) {
        EXPECT_EQ(run({"shadow", option, value}).status, wrong_usage) << option << " " << value;
    }
    for (const auto& [option, value] : std::initializer_list<std::array<const char*, 2>>{{"--sun-height", "91"},
                                                                                         {"--sun-height", "nan"},
                                                                                         {"--sun-bearing", "1e9"},
                                                                                         {"--split", "1.5"},
                                                                                         {"--lamp-range", "-1"},
                                                                                         {"--isa", "mmx"},
                                                                                         {"--fov", "180"}}) {
        const Result result = run({"shadow", option, value});
        EXPECT_EQ(result.status, wrong_usage) << option << " " << value;
        EXPECT_NE(result.errors.find(option), std::string::npos) << result.errors;
    }
}

/// Occluders drop casters that are wholly in another's shadow, which changes no map.
TEST_F(Shadow, DropsWhatIsInAnothersShadow) {
    // A slab; below it a box, and farther below a box in view. Beside the slab: the same two.
    const std::string boxes = write("boxes.csv",
                                    "3 -2 20 7 2 21\n"
                                    "4.2 -0.2 10 4.8 0.2 11\n"
                                    "4 -0.5 -1 5 0.5 -0.8\n"
                                    "4.2 -2.8 10 4.8 -2.5 11\n"
                                    "4 -3.2 -1 5 -2.4 -0.8\n");
    const std::vector<std::string> sun = below_the_sun(boxes);
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), sun.begin(), sun.end());
        return more;
    };
    const nlohmann::json none = report(with({})), four = report(with({"--occluders", "4", "--solid", "boxes"}));
    EXPECT_FALSE(none.at("lights")[0].contains("shaded"));
    EXPECT_EQ(none.at("lights")[0].at("casters"), 5);
    EXPECT_EQ(four.at("lights")[0].at("casters"), 5);
    EXPECT_EQ(four.at("lights")[0].at("shaded"), 2);
    expect_error(with({"--occluders", "4"}), failed, "--solid names what is");
    expect_error(with({"--occluders", "65"}), wrong_usage, "--occluders");
    expect_error(with({"--margin-pixels", "1"}), wrong_usage, "--margin-pixels");

    const nlohmann::json city = report({"shadow", "--objects", "20000", "--path", "street", "--frames", "3", "--lamps",
                                        "3", "--occluders", "16", "--quiet"});
    double casters = 0, shaded = 0;
    for (const nlohmann::json& light : city.at("lights")) {
        EXPECT_LE(light.at("shaded"), light.at("casters"));
        casters += light.at("casters").get<double>();
        shaded += light.at("shaded").get<double>();
    }
    EXPECT_GT(shaded, 0.05 * casters);
    const Result table =
        run({"shadow", "--objects", "2000", "--path", "street", "--frames", "1", "--lamps", "0", "--occluders", "4"});
    EXPECT_NE(table.output.find("not shaded"), std::string::npos) << table.output;
}

}  // namespace
