#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scene/text_table.hpp"

namespace lanecull::program {

/// Where a line of a list of boxes has what.
struct BoxColumns {
    std::size_t axes = 3;
    std::array<std::size_t, 6> corners{0, 1, 2, 3, 4, 5};  ///< the least coordinates, one an axis, then the greatest
    std::size_t count = 6;                                 ///< of all columns
    std::optional<std::size_t> name, group;
    bool named = false;  ///< by a header
    Separator separator = Separator::any;
};

/// Of a list without names of columns, in the plane if its first line has four numbers.
[[nodiscard]] BoxColumns columns_by_place(std::size_t fields);

/// Of a list whose header has these names, in any order, with others between them: minx or xmin, and so on; name or id;
/// group. Blanks, underscores and upper case make no difference. Without z the boxes are those of the plane. Fails,
/// with `where` it is, unless the header names each of them, once: numbers under other names may mean anything.
[[nodiscard]] BoxColumns columns_by_name(const std::vector<std::string>& names, Separator separator,
                                         const std::string& where);

}  // namespace lanecull::program
