#include "scene/box_list.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "scene/box_columns.hpp"
#include "scene/text_table.hpp"
#include "support/error.hpp"
#include "support/input_file.hpp"
#include "support/output_file.hpp"
#include "support/printable.hpp"

namespace lanecull::program {
namespace {

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

/// A list in the reading: its lines with boxes, and their columns.
class BoxLines {
public:
    BoxLines(std::string_view text, const std::string& file) : table_(text), file_(file) {}

    /// Goes to the next line with a box.
    bool next() {
        if (!table_.next()) return false;
        if (!columns_) {
            require_split(Separator::any);
            if (is_header()) return skip_header();
            columns_ = columns_by_place(fields_.size());
        }
        require_split(columns_->separator);
        return true;
    }

    /// Valid from the first line on.
    [[nodiscard]] const BoxColumns& columns() const { return *columns_; }
    /// Of a column that there is.
    [[nodiscard]] const std::string& field(std::size_t column) const { return fields_[column]; }

    /// Rounded outwards.
    template <std::size_t Axes>
    [[nodiscard]] Corners<Axes> box() const {
        check_count<Axes>();
        Corners<Axes> corners{};
        std::array<double, 2 * Axes> numbers{};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const std::string& field = fields_[columns_->corners[i]];
            double number = 0;
            if (!parse(field, number)) fail("{}: '{}' is not a number", where(), field.substr(0, 40));
            if (!std::isfinite(number)) fail("{}: '{}' is not finite", where(), field.substr(0, 40));
            corners[i] = i < Axes ? at_most(number) : -at_most(-number);
            if (!std::isfinite(corners[i])) fail("{}: '{}' is beyond what a float holds", where(), field.substr(0, 40));
            numbers[i] = number;
        }
        for (std::size_t axis = 0; axis < Axes; ++axis) {
            if (numbers[axis] > numbers[axis + Axes]) {
                fail("{}: min{} = {} is greater than max{} = {}", where(), "xyz"[axis], numbers[axis], "xyz"[axis],
                     numbers[axis + Axes]);
            }
        }
        return corners;
    }

private:
    [[nodiscard]] std::string where() const { return fmt::format("{}, line {}", file_, table_.number()); }

    void require_split(Separator separator) {
        if (!table_.split(separator, fields_)) fail("{}: a quote is not closed", where());
    }

    /// Whether no field of the line is a number: a line with one is a box, or the attempt at one.
    [[nodiscard]] bool is_header() const {
        return std::ranges::none_of(fields_, [](const std::string& field) {
            double number = 0;
            return parse(field, number);
        });
    }

    bool skip_header() {
        const Separator separator = table_.separator();
        require_split(separator);
        columns_ = columns_by_name(fields_, separator, where());
        if (!table_.next()) return false;
        require_split(separator);
        return true;
    }

    template <std::size_t Axes>
    void check_count() const {
        constexpr std::string_view names = Axes == 3 ? "minx miny minz maxx maxy maxz" : "minx miny maxx maxy";
        const std::size_t count = fields_.size();
        if (columns_->named && count != columns_->count) {
            fail("{}: the header has {} columns, here are {}", where(), columns_->count, count);
        }
        if (columns_->named) return;
        if (count < 2 * Axes) fail("{}: a box takes {} numbers ({}), here are {}", where(), 2 * Axes, names, count);
        if (count > 2 * Axes) fail("{}: a box takes {} numbers, here are more", where(), 2 * Axes);
    }

    TextTable table_;
    const std::string& file_;
    std::vector<std::string> fields_;
    std::optional<BoxColumns> columns_;
};

/// The boxes of a list that have one group, "boxes" where it has no such column.
struct BoxGroup {
    std::string name;
    BoxArrays boxes;
    std::vector<std::string> names;
};

/// In the order in which they first come.
class BoxGroups {
public:
    BoxGroup& named(const std::string& name) {
        const auto [entry, is_new] = index_.try_emplace(name, groups_.size());
        if (is_new) groups_.push_back({name.empty() ? "(no group)" : name, {}, {}});
        return groups_[entry->second];
    }

    std::vector<BoxGroup> take() { return std::move(groups_); }

private:
    std::unordered_map<std::string, std::size_t> index_;
    std::vector<BoxGroup> groups_;
};

}  // namespace

Scene read_box_list(const std::string& file) { return parse_box_list(read_input(file), input_name(file)); }

Scene parse_box_list(std::string_view text, const std::string& file) {
    BoxGroups groups;
    BoxLines lines(text, file);
    while (lines.next()) {
        const auto c = lines.box<3>();
        const BoxColumns& columns = lines.columns();
        BoxGroup& group = groups.named(columns.group ? printable(lines.field(*columns.group)) : "boxes");
        group.boxes.add({c[0], c[1], c[2]}, {c[3], c[4], c[5]});
        if (columns.name) group.names.push_back(printable(lines.field(*columns.name)));
    }
    Scene scene;
    scene.name = std::filesystem::path(file).filename().string();
    scene.description = "list of boxes";
    for (BoxGroup& group : groups.take()) scene.add(group.name, std::move(group.boxes), std::move(group.names));
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
    return lines.next() && lines.columns().axes == 2;
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
