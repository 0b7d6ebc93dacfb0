#include "scene/box_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/error.hpp"
#include "support/input_file.hpp"

namespace lanecull::program {
namespace {

constexpr std::string_view blank = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// Takes the first field off `line`, and the one separator behind it: a comma or semicolon with blanks around it, or
/// blanks.
std::string_view take_field(std::string_view& line) {
    const std::size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
    const std::string_view field = line.substr(0, end);
    line = trimmed(line.substr(end));
    if (line.starts_with(',') || line.starts_with(';')) {
        const std::string_view separator = line.substr(0, 1);
        line = trimmed(line.substr(1));
        if (line.empty()) line = separator;  // one at the end: an empty field behind it
    }
    return field;
}

/// The nearest double. "nan" and "inf" are numbers here: what to think of them is the caller's business.
bool parse(std::string_view field, double& number) {
    if (field.starts_with('+')) field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc() && end == field.data() + field.size();
}

/// The greatest float that is not more, infinite beyond all floats.
float at_most(double number) {
    const float nearest = static_cast<float>(number);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return static_cast<double>(nearest) > number ? std::nextafter(nearest, -infinity) : nearest;
}

/// Of so many axes: the least coordinates, then the greatest.
template <std::size_t Axes>
using Corners = std::array<float, 2 * Axes>;

/// Rounded outwards.
template <std::size_t Axes>
Corners<Axes> parse_box(std::string_view line, const std::string& where) {
    constexpr std::string_view names = Axes == 3 ? "minx miny minz maxx maxy maxz" : "minx miny maxx maxy";
    Corners<Axes> corners{};
    std::array<double, 2 * Axes> numbers{};
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (line.empty()) fail("{}: a box takes {} numbers ({}), here are {}", where, 2 * Axes, names, i);
        const std::string_view field = take_field(line);
        double number = 0;
        if (!parse(field, number)) fail("{}: '{}' is not a number", where, field.substr(0, 40));
        if (!std::isfinite(number)) fail("{}: '{}' is not finite", where, field.substr(0, 40));
        corners[i] = i < Axes ? at_most(number) : -at_most(-number);
        if (!std::isfinite(corners[i])) fail("{}: '{}' is beyond what a float holds", where, field.substr(0, 40));
        numbers[i] = number;
    }
    if (!line.empty()) fail("{}: a box takes {} numbers, here are more", where, 2 * Axes);
    for (std::size_t axis = 0; axis < Axes; ++axis) {
        if (numbers[axis] > numbers[axis + Axes]) {
            fail("{}: min{} = {} is greater than max{} = {}", where, "xyz"[axis], numbers[axis], "xyz"[axis],
                 numbers[axis + Axes]);
        }
    }
    return corners;
}

/// Whether no field of the line is a number: a line with one is a box, or the attempt at one.
bool is_header(std::string_view line) {
    double number = 0;
    while (!line.empty()) {
        if (parse(take_field(line), number)) return false;
    }
    return true;
}

/// Calls `visit(line, number)` for each line that holds a box, until it returns false.
template <class Visit>
void visit_boxes(std::string_view text, const Visit& visit) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // UTF-8's byte order mark
    bool header_possible = true;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line = trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        if (std::exchange(header_possible, false) && is_header(line)) continue;
        if (!visit(line, line_number)) return;
    }
}

/// Calls `add` with the corners of each box; fails where there is none.
template <std::size_t Axes, class Add>
void read_boxes(std::string_view text, const std::string& file, const Add& add) {
    bool found = false;
    visit_boxes(text, [&](std::string_view line, std::size_t number) {
        add(parse_box<Axes>(line, fmt::format("{}, line {}", file, number)));
        return found = true;
    });
    if (!found) fail("{}: no boxes in it", file);
}

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace

Scene read_box_list(const std::string& file) { return parse_box_list(read_file(file), file); }

Scene parse_box_list(std::string_view text, const std::string& file) {
    BoxArrays boxes;
    read_boxes<3>(text, file, [&](const Corners<3>& c) { boxes.add({c[0], c[1], c[2]}, {c[3], c[4], c[5]}); });
    Scene scene;
    scene.name = std::filesystem::path(file).filename().string();
    scene.description = "list of boxes";
    scene.add("boxes", std::move(boxes));
    return scene;
}

bool is_box_list(const std::string& file) {
    const std::string extension = lower_case(std::filesystem::path(file).extension().string());
    return extension == ".txt" || extension == ".csv" || extension == ".tsv";
}

bool is_flat_box_list(const std::string& file) {
    std::error_code none;
    if (!is_box_list(file) || !std::filesystem::is_regular_file(file, none)) return false;
    std::size_t fields = 0;
    visit_boxes(read_file(file), [&](std::string_view line, std::size_t) {
        for (; !line.empty(); ++fields) (void)take_field(line);
        return false;
    });
    return fields == 4;
}

FlatBoxes read_flat_box_list(const std::string& file) {
    FlatBoxes boxes;
    read_boxes<2>(read_file(file), file, [&](const Corners<2>& c) {
        boxes.min_x.push_back(c[0]);
        boxes.min_y.push_back(c[1]);
        boxes.max_x.push_back(c[2]);
        boxes.max_y.push_back(c[3]);
    });
    return boxes;
}

}  // namespace lanecull::program
