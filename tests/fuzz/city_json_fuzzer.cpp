/// CityJSON gives an error that names the file, or a scene of finite coordinates with a name an object.

#include <cmath>
#include <string_view>

#include "fuzz/check.hpp"
#include "scene/formats.hpp"
#include "support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanecull::program;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Scene scene = parse_city_json(text, "city.json");
        check(scene.object_count() > 0, "a scene has objects");
        for (const Group& group : scene.groups) {
            check(group.names.size() == object_count(group.arrays), "each object has a name");
        }
    } catch (const Error& error) {
        check_names(error.what(), "city.json");
    }
    return 0;
}
