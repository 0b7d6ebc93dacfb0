/// Lists of boxes give an error that names the file, or valid boxes.

#include <cmath>
#include <string_view>

#include "fuzz/check.hpp"
#include "scene/formats.hpp"
#include "support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanecull::program;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Scene scene = parse_box_list(text, "list.csv");
        check(!scene.groups.empty() && scene.object_count() > 0, "a scene has boxes");
        for (const Group& group : scene.groups) {
            const auto& boxes = std::get<BoxArrays>(group.arrays);
            check(group.names.empty() || group.names.size() == boxes.min_x.size(), "a name an object, or none");
            for (std::size_t i = 0; i < boxes.min_x.size(); ++i) {
                check(boxes.min_x[i] <= boxes.max_x[i] && boxes.min_y[i] <= boxes.max_y[i] &&
                          boxes.min_z[i] <= boxes.max_z[i] && !boxes.bounds(i).empty(),
                      "min <= max");
            }
        }
        const Bounds bounds = scene.bounds();
        check(std::isfinite(bounds.size().x + bounds.size().y + bounds.size().z), "bounds are finite");
    } catch (const Error& error) {
        check(std::string_view(error.what()).starts_with("list.csv"), "an error names the file", error.what());
    }
    return 0;
}
