#include "scene/formats.hpp"

#include <cmath>
#include <limits>
#include <system_error>
#include <unordered_map>

#include "scene/text_table.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// The greatest float that is not more, infinite beyond all floats.
float at_most(double number) {
    const float nearest = static_cast<float>(number);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return static_cast<double>(nearest) > number ? std::nextafter(nearest, -infinity) : nearest;
}

/// "Min_X" and "min x" are "minx".
std::string simplified(const std::string& name) {
    std::string result;
    for (const char c : name) {
        if (c == ' ' || c == '\t' || c == '_') continue;
        result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

/// A list in the reading: its lines with boxes, and where a line has what.
class BoxLines {
public:
    BoxLines(std::string_view text, const std::string& file) : table_(text), file_(file) {}

    /// Goes to the next line with a box.
    bool next() {
        if (!table_.next()) return false;
        split();
        if (std::exchange(is_first_, false)) {
            const bool has_number =
                std::ranges::any_of(fields_, [](const auto& field) { return number_of(field).has_value(); });
            if (!has_number) {
                read_header();
                return next();
            }
            axes_ = fields_.size() == 4 ? 2 : 3;
        }
        return true;
    }

    /// How many: 2 of boxes of the plane. Valid from the first line on.
    [[nodiscard]] std::size_t axes() const { return axes_; }
    [[nodiscard]] std::optional<std::string> name() const { return printable_field(name_); }
    [[nodiscard]] std::optional<std::string> group() const { return printable_field(group_); }

    /// Rounded outwards: the least coordinates, then the greatest.
    template <std::size_t Axes>
    [[nodiscard]] std::array<float, 2 * Axes> box() const {
        check_count(Axes);
        std::array<float, 2 * Axes> corners{};
        std::array<double, 2 * Axes> numbers{};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const std::string& field = fields_[columns_ == 0 ? i : corners_[i]];
            const std::optional<double> number = number_of(field);
            if (!number) fail("{}: '{}' is not a number", where(), field.substr(0, 40));
            if (!std::isfinite(*number)) fail("{}: '{}' is not finite", where(), field.substr(0, 40));
            corners[i] = i < Axes ? at_most(*number) : -at_most(-*number);
            if (!std::isfinite(corners[i])) fail("{}: '{}' is beyond what a float holds", where(), field.substr(0, 40));
            numbers[i] = *number;
        }
        for (std::size_t axis = 0; axis < Axes; ++axis) {
            if (numbers[axis] <= numbers[axis + Axes]) continue;
            fail("{0}: min{1} = {2} is greater than max{1} = {3}", where(), "xyz"[axis], numbers[axis],
                 numbers[axis + Axes]);
        }
        return corners;
    }

private:
    [[nodiscard]] std::string where() const { return fmt::format("{}, line {}", file_, table_.number()); }
    [[nodiscard]] std::optional<std::string> printable_field(std::optional<std::size_t> column) const {
        return column ? std::optional(printable(fields_[*column])) : std::nullopt;
    }

    void split() {
        if (!table_.split(separator_, fields_)) fail("{}: a quote is not closed", where());
    }

    void check_count(std::size_t axes) const {
        const std::size_t count = fields_.size();
        if (columns_ != 0 && count != columns_)
            fail("{}: the header has {} columns, here are {}", where(), columns_, count);
        if (columns_ != 0 || count == 2 * axes) return;
        if (count > 2 * axes) fail("{}: a box takes {} numbers, here are more", where(), 2 * axes);
        fail("{}: a box takes {} numbers ({}), here are {}", where(), 2 * axes,
             axes == 3 ? "minx miny minz maxx maxy maxz" : "minx miny maxx maxy", count);
    }

    /// Takes the line for a header, and fails if it names no boxes.
    void read_header() {
        separator_ = table_.separator();
        split();
        columns_ = fields_.size();
        std::vector<std::string> missing;
        std::array<std::optional<std::size_t>, 6> found;
        for (std::size_t i = 0; i < 6; ++i) {
            const std::string end(i < 3 ? "min" : "max"), axis(1, "xyz"[i % 3]);
            found[i] = column({end + axis, axis + end});
            if (!found[i]) missing.push_back(end + axis);
        }
        if (missing.size() == 6) {
            fail(
                "{}: a header is to name the columns minx, miny, minz, maxx, maxy and maxz (flat boxes: without z), "
                "and "
                "this one names none of them; a line that begins with # is a comment",
                where());
        }
        axes_ = found[2] || found[5] ? 3 : 2;
        std::erase_if(missing, [&](const std::string& name) { return axes_ == 2 && name.ends_with('z'); });
        if (!missing.empty()) fail("{}: the header has no column {}", where(), missing.front());
        for (std::size_t axis = 0; axis < axes_; ++axis) {
            corners_[axis] = *found[axis];
            corners_[axes_ + axis] = *found[3 + axis];
        }
        name_ = column({"name"});
        if (!name_) name_ = column({"id"});
        group_ = column({"group"});
    }

    /// The column that has one of the names.
    [[nodiscard]] std::optional<std::size_t> column(std::initializer_list<std::string> names) const {
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const std::string name = simplified(fields_[i]);
            if (std::ranges::find(names, name) == names.end()) continue;
            if (found) fail("{}: two columns are named {}", where(), name);
            found = i;
        }
        return found;
    }

    TextTable table_;
    const std::string& file_;
    std::vector<std::string> fields_;
    bool is_first_ = true;
    Separator separator_ = Separator::any;
    std::size_t axes_ = 3, columns_ = 0;  ///< columns_: of the header; 0: there is none
    std::array<std::size_t, 6> corners_{};
    std::optional<std::size_t> name_, group_;
};

}  // namespace

Scene read_box_list(const std::string& file) { return parse_box_list(read_input(file), input_name(file)); }

Scene parse_box_list(std::string_view text, const std::string& file) {
    struct BoxGroup {
        std::string name;
        BoxArrays boxes;
        std::vector<std::string> names;
    };
    std::vector<BoxGroup> groups;  // in the order in which they first come
    std::unordered_map<std::string, std::size_t> index;
    for (BoxLines lines(text, file); lines.next();) {
        const auto c = lines.box<3>();
        const std::string name = lines.group().value_or("boxes");
        const auto [entry, is_new] = index.try_emplace(name, groups.size());
        if (is_new) groups.push_back({name.empty() ? "(no group)" : name, {}, {}});
        BoxGroup& group = groups[entry->second];
        group.boxes.add({c[0], c[1], c[2]}, {c[3], c[4], c[5]});
        if (auto of_box = lines.name()) group.names.push_back(*std::move(of_box));
    }
    Scene scene;
    scene.name = std::filesystem::path(file).filename().string();
    scene.description = "list of boxes";
    for (BoxGroup& group : groups) scene.add(group.name, std::move(group.boxes), std::move(group.names));
    if (scene.groups.empty()) fail("{}: no boxes in it", file);
    return scene;
}

bool is_box_list(const std::string& file) {
    return is_standard_input(file) || ends_in(file, ".txt") || ends_in(file, ".csv") || ends_in(file, ".tsv");
}

bool is_flat_box_list(const std::string& file) {
    std::error_code none;
    if (!is_box_list(file)) return false;
    if (!is_standard_input(file) && !std::filesystem::is_regular_file(file, none)) return false;
    const std::string text = read_input(file), name = input_name(file);
    BoxLines lines(text, name);
    return lines.next() && lines.axes() == 2;
}

FlatBoxes read_flat_box_list(const std::string& file) {
    const std::string text = read_input(file), name = input_name(file);
    FlatBoxes boxes;
    for (BoxLines lines(text, name); lines.next();) {
        const auto c = lines.box<2>();
        boxes.min_x.push_back(c[0]);
        boxes.min_y.push_back(c[1]);
        boxes.max_x.push_back(c[2]);
        boxes.max_y.push_back(c[3]);
    }
    return boxes;
}

}  // namespace lanecull::program
