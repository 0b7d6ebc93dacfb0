/// PLY gives an error that names the file, or a scene of one object or more, whose bytes are those of the same scene.

#include <string>
#include <string_view>

#include "fuzz/check.hpp"
#include "scene/formats.hpp"
#include "scene/scene_bytes.hpp"
#include "support/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace lanecull::program;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Scene scene = parse_ply(text, "a.ply");
        check(scene.object_count() > 0, "a scene has objects");
        const std::string bytes = bytes_of(scene);
        check(bytes_of(scene_of(bytes, "a.ply")) == bytes, "a scene comes back from its bytes");
    } catch (const Error& error) {
        check_names(error.what(), "a.ply");
    }
    return 0;
}
