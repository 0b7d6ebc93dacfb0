#include "box_list.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "error.hpp"

namespace lanecull::program {
namespace {

constexpr std::string_view blank = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Takes the first field off `line`, and the one separator behind it: a comma with blanks around it, or blanks.
std::string_view take_field(std::string_view& line) {
    const std::size_t end = std::min(line.find_first_of(" \t\r,"), line.size());
    const std::string_view field = line.substr(0, end);
    line = trimmed(line.substr(end));
    if (line.starts_with(',')) {
        line = trimmed(line.substr(1));
        if (line.empty()) line = ",";  // a comma at the end: an empty field behind it
    }
    return field;
}

/// The nearest float. "nan" and "inf" are numbers here: what to think of them is the caller's business.
bool parse(std::string_view field, float& number) {
    if (field.starts_with('+')) field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc() && end == field.data() + field.size();
}

using Corners = std::array<float, 6>;

Corners parse_box(std::string_view line, const std::string& where) {
    Corners corners{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (line.empty()) fail("{}: a box takes 6 numbers (minx miny minz maxx maxy maxz), here are {}", where, i);
        const std::string_view field = take_field(line);
        if (!parse(field, corners[i])) fail("{}: '{}' is not a number that a float holds", where, field.substr(0, 40));
        if (!std::isfinite(corners[i])) fail("{}: '{}' is not finite", where, field);
    }
    if (!line.empty()) fail("{}: a box takes 6 numbers, here are more", where);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (corners[axis] > corners[axis + 3]) {
            fail("{}: min{} = {} is greater than max{} = {}", where, "xyz"[axis], corners[axis], "xyz"[axis],
                 corners[axis + 3]);
        }
    }
    return corners;
}

bool begins_with_number(std::string_view line) {
    float number;
    return parse(take_field(line), number);
}

std::string contents_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) fail("cannot read {}", file);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (stream.bad()) fail("cannot read {}", file);
    return text;
}

}  // namespace

Scene read_box_list(const std::string& file) { return parse_box_list(contents_of(file), file); }

Scene parse_box_list(std::string_view text, const std::string& file) {
    std::string_view rest = text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // UTF-8's byte order mark

    BoxArrays boxes;
    bool header_possible = true;
    for (std::size_t line_number = 1; !rest.empty(); ++line_number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        if (std::exchange(header_possible, false) && !begins_with_number(line)) continue;
        const Corners c = parse_box(line, fmt::format("{}, line {}", file, line_number));
        boxes.add({c[0], c[1], c[2]}, {c[3], c[4], c[5]});
    }

    if (boxes.min_x.empty()) fail("{}: no boxes in it", file);
    Scene scene;
    scene.name = std::filesystem::path(file).filename().string();
    scene.description = "list of boxes";
    scene.add("boxes", std::move(boxes));
    return scene;
}

}  // namespace lanecull::program
