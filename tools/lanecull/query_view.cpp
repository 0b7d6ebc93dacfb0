#include "query_view.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "error.hpp"
#include "query_numbers.hpp"

namespace lanecull::program {
namespace {

using nlohmann::json;

DepthRange read_depth(const json& depth) {
    if (depth == "zero_to_one") return DepthRange::zero_to_one;
    if (depth == "minus_one_to_one") return DepthRange::minus_one_to_one;
    fail("depth is to be \"zero_to_one\" or \"minus_one_to_one\"");
}

View read_clip_matrix(const json& view) {
    const json& rows = view["clip_from_world"];
    const auto is_four = [](const json& value) { return value.is_array() && value.size() == 4; };
    if (!is_four(rows)) fail("clip_from_world is to be an array of 4 rows");
    std::array<double, 16> matrix{};
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        const json& row = rows[i / 4];
        if (!is_four(row)) fail("clip_from_world is to have rows of 4 numbers");
        matrix[i] = number(row[i % 4], "clip_from_world");
    }
    const ClipSpace clip_space{.layout = MatrixLayout::row_major, .depth = read_depth(member(view, "depth"))};
    View prepared;
    require(prepare_view(matrix, clip_space, prepared));
    return prepared;
}

}  // namespace

View read_query_view(const json& view) {
    if (!view.is_object()) fail("view is to be an object");
    for (const char* name : {"corners", "planes"}) {
        if (view.contains(name)) fail("{}: not supported", name);
    }
    if (!view.contains("clip_from_world")) fail("clip_from_world is missing");
    return read_clip_matrix(view);
}

}  // namespace lanecull::program
