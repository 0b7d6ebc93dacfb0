#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "program/program.hpp"

/// The report as an HTML page, and the document that its script makes of it (shown_page.mjs).

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return result;
}

class Html : public Program {
protected:
    const std::vector<std::string> names_ = {"<img src=x onerror=\"document.title='stolen'\">",
                                             "</script><script>document.title='stolen'</script>", "\"}]};<!--<script>",
                                             "a & b &lt; {{data}}"};

    /// Boxes round the far left edge of the view, where no plane has them behind, with hostile names; one is visible.
    [[nodiscard]] std::string scene() const {
        std::string text = "name,minx,miny,minz,maxx,maxy,maxz\nseen,4,-1,-1,6,1,1\n";
        for (std::size_t i = 0; i < names_.size(); ++i) {
            std::string quoted;
            for (const char c : names_[i]) quoted += std::string(c == '"' ? 2 : 1, c);
            text += '"' + quoted + "\",8.9," + std::to_string(9.1 + 0.1 * static_cast<double>(i)) + ",-1,40,30,1\n";
        }
        write("camera.json", R"({"fov": 90, "aspect": 1, "near": 1, "far": 9,
            "cameras": [{"eye": [0, 0, 0], "target": [-1, 0, 0]}, {"eye": [0, 0, 0], "target": [1, 0, 0]},
                        {"eye": [0, 0, 0.5], "target": [-1, 0, 0.5]}]})");
        return write("<b>scene<b>.csv", text);
    }

    /// Writes page.html; the report of the same run.
    [[nodiscard]] json page(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments = {"cull",    scene(),  "--path",         path("camera.json"),
                                              "--quiet", "--html", path("page.html")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return report(arguments);
    }

    /// What the page's script makes of it, without its scripts.
    [[nodiscard]] std::string shown(const std::string& fragment = {}) const {
        const std::string command = "'" LANECULL_NODE "' '" LANECULL_SHOWN_PAGE "' '" + path("page.html") + "' '" +
                                    fragment + "' > '" + path("dom") + "' 2> '" + path("node.errors") + "'";
        EXPECT_EQ(std::system(command.c_str()), 0) << read(path("node.errors"));
        return read(path("dom"));
    }
};

TEST_F(Html, IsOneFileThatNeedsNoOther) {
    const json data = page({"--picture", path("picture.png")});
    const std::string html = read(path("page.html"));
    EXPECT_TRUE(html.starts_with("<!DOCTYPE html>"));
    for (const char* reference : {"src=\"http", "href=", "@import", "url("}) {
        EXPECT_EQ(html.find(reference), std::string::npos) << reference;
    }
    EXPECT_GT(fs::file_size(path("picture.png")) * 4 / 3, html.size() / 2) << "the picture is in it";
    EXPECT_EQ(count_of(html, "<script"), 2u) << "the page's own";
    EXPECT_EQ(count_of(html, "</script>"), 2u);
    // The data are those of the report.
    const std::string start = "<script id=\"data\" type=\"application/json\">";
    const std::size_t at = html.find(start) + start.size();
    const json embedded = json::parse(html.substr(at, html.find("</script>", at) - at));
    EXPECT_EQ(embedded.at("report").at("scene"), data.at("scene"));
    EXPECT_TRUE(embedded.at("picture").get<std::string>().starts_with("data:image/png;base64,iVBORw0KGgo"));
    EXPECT_EQ(embedded.at("picked"), 1);
    EXPECT_EQ(embedded.at("kept_objects"), names_.size());
    EXPECT_EQ(embedded.at("kept").at(0).at("object"), data.at("worst").at("object"));
}

/// Three graphs, a line of three frames in each.
void expect_graphs(const std::string& dom) {
    EXPECT_EQ(count_of(dom, "<svg "), 3u);
    for (const char* look : {"visible", "kept", "exact"}) {
        const std::string end = std::string("\" class=\"series ") + look + "\"></path>";
        const std::size_t at = dom.find(end);
        ASSERT_NE(at, std::string::npos) << look;
        const std::size_t begin = dom.rfind("d=\"M", at) + 4;
        const std::string path = dom.substr(begin, at - begin);
        EXPECT_EQ(count_of(path, "L"), 2u) << path;
        EXPECT_EQ(path.find("NaN"), std::string::npos) << path;
    }
}

TEST_F(Html, IsDrawnByItsScript) {
    const json data = page();
    const std::string dom = shown();
    const auto expect = [&](const std::string& part) {
        EXPECT_NE(dom.find(part), std::string::npos) << part << " is missing";
    };
    expect("data-ready=\"true\"");  // the page's script came to its end
    expect("<h1 id=\"scene\">&lt;b&gt;scene&lt;b&gt;.csv</h1>");
    expect("<p id=\"about\" class=\"pale\">5 objects (list of boxes); 3 frames; automatic");
    expect_graphs(dom);
    // The frame of the picture, in which there are objects to list.
    expect("<div id=\"frame\" data-frame=\"1\"><b>frame 1 of 3: </b><span>1 visible, six planes keep 4 besides");
    expect("Kept by six planes alone in frame 1: 4 objects");
    expect("<code>" + escaped(data.at("worst").at("explain")) + "</code>");
    expect("<td class=\"name\"><span>centre is in the volume</span>");
    // A name is a text, whatever it says.
    for (const std::string& name : names_) {
        expect("<td class=\"name\"><span>" + escaped(name) + "</span></td>");
    }
    expect("<title id=\"title\">lanecull: &lt;b&gt;scene&lt;b&gt;.csv</title>");
    EXPECT_EQ(count_of(dom, "<img "), 1u) << "the picture alone";
    EXPECT_EQ(count_of(dom, "<b>"), 1u + 4u) << "the frame's number and the figures at the top";
    // The address names a frame.
    const std::string other = shown("#frame=2");
    EXPECT_NE(other.find("data-frame=\"2\"><b>frame 2 of 3: </b><span>0 visible, six planes keep 0 besides"),
              std::string::npos);
}

/// One frame, in which planes keep nothing needlessly and a wall hides a box.
TEST_F(Html, IsDrawnWhereThereIsLittleToShow) {
    const std::string list = write("boxes.csv", "3 -4 -4 4 4 4\n8 -1 -1 9 1 1\n");
    write("camera.json", R"({"cameras": [{"eye": [0, 0, 0], "target": [1, 0, 0]}], "far": 20})");
    const Result result = run({"cull", list, "--path", path("camera.json"), "--quiet", "--html", path("page.html"),
                               "--occluders", "1", "--solid", "boxes"});
    ASSERT_EQ(result.status, 0) << result.errors;
    const std::string dom = shown();
    EXPECT_NE(dom.find("data-ready=\"true\""), std::string::npos);
    EXPECT_NE(dom.find("<span class=\"pale\">hidden by occluders</span><b>1</b>"), std::string::npos);
    EXPECT_NE(dom.find("Kept by six planes alone in frame 0: 0 objects"), std::string::npos);
    EXPECT_EQ(dom.find("NaN", dom.find("<h2>Frames")), std::string::npos) << "behind the picture, which may have it";
    EXPECT_EQ(count_of(dom, "<circle "), 3u) << "lines of one frame are points";
}

}  // namespace
