#include "scene/box_columns.hpp"

#include <algorithm>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

/// "Min_X" and "min x" are "minx".
std::string simplified(const std::string& name) {
    std::string result;
    for (const char c : name) {
        if (c == ' ' || c == '\t' || c == '_') continue;
        result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return result;
}

/// The column that has one of the names.
std::optional<std::size_t> find(const std::vector<std::string>& columns, std::initializer_list<std::string> names,
                                const std::string& where) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (std::ranges::find(names, columns[i]) == names.end()) continue;
        if (found) fail("{}: two columns are named {}", where, columns[i]);
        found = i;
    }
    return found;
}

}  // namespace

BoxColumns columns_by_place(std::size_t fields) {
    BoxColumns columns;
    if (fields == 4) columns.axes = 2;
    columns.count = 2 * columns.axes;
    return columns;
}

BoxColumns columns_by_name(const std::vector<std::string>& names, Separator separator, const std::string& where) {
    std::vector<std::string> columns(names.size());
    std::ranges::transform(names, columns.begin(), simplified);
    std::vector<std::string> missing;
    std::array<std::optional<std::size_t>, 6> found;
    for (std::size_t i = 0; i < 6; ++i) {
        const std::string end(i < 3 ? "min" : "max"), axis(1, "xyz"[i % 3]);
        found[i] = find(columns, {end + axis, axis + end}, where);
        if (!found[i]) missing.push_back(end + axis);
    }
    if (missing.size() == 6) {
        fail(
            "{}: a header is to name the columns minx, miny, minz, maxx, maxy and maxz (flat boxes: without z), and "
            "this "
            "one names none of them; a line that begins with # is a comment",
            where);
    }
    BoxColumns result;
    result.axes = found[2] || found[5] ? 3 : 2;
    std::erase_if(missing, [&](const std::string& name) { return result.axes == 2 && name.ends_with('z'); });
    if (!missing.empty()) fail("{}: the header has no column {}", where, missing.front());
    for (std::size_t axis = 0; axis < result.axes; ++axis) {
        result.corners[axis] = *found[axis];
        result.corners[result.axes + axis] = *found[3 + axis];
    }
    result.count = columns.size();
    result.name = find(columns, {"name"}, where);
    if (!result.name) result.name = find(columns, {"id"}, where);
    result.group = find(columns, {"group"}, where);
    result.named = true;
    result.separator = separator;
    return result;
}

}  // namespace lanecull::program
