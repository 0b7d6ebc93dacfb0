/// Text that the program reads, by the reader that LANECULL_FUZZ_READER names. A file gives an error that names it, or
/// a valid scene; a line for `lanecull query` an answer or an error, as a line of JSON.

#include <lanecull/library.h>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "fuzz/check.hpp"
#include "query/query.hpp"
#include "scene/formats.hpp"
#include "scene/reading.hpp"
#include "support/error.hpp"

namespace {

using namespace lanecull::program;

void check_box_list(std::string_view text) {
    const Scene scene = parse_box_list(text, "file");
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
}

void check_meshes(const Scene& scene) {
    check(scene.object_count() > 0, "a scene has objects");
    const std::string bytes = bytes_of(scene);
    check(bytes_of(scene_of(bytes, "file")) == bytes, "a scene comes back from its bytes");
}

void check_city_json(std::string_view text) {
    const Scene scene = parse_city_json(text, "file");
    check_meshes(scene);
    for (const Group& group : scene.groups) {
        check(group.names.size() == object_count(group.arrays), "each object has a name");
    }
}

void check_ply(std::string_view text) { check_meshes(parse_ply(text, "file")); }

void check_query(std::string_view line) {
    const std::string reply = reply_to(std::string(line), {.isa = lanecull::Isa::scalar}).text;
    check(reply.find('\n') == std::string::npos, "a reply is a line", reply);
    const nlohmann::json parsed = nlohmann::json::parse(reply, nullptr, false);
    check(parsed.is_object(), "a reply is an object", reply);
    check(parsed.contains("error") != parsed.contains("verdict"), "a reply is an answer or an error", reply);
    check(!parsed.contains("verdict") || parsed.contains("why") || parsed.contains("distance"),
          "an answer has a reason or a distance", reply);
    check(!parsed.contains("distance") || parsed["distance"].is_number(), "a distance is a number", reply);
}

struct Reader {
    std::string_view name;
    void (*check_text)(std::string_view text);
    void (*check_error)(std::string_view message);
};

void check_names_file(std::string_view message) { check_names(message, "file"); }

constexpr Reader readers[] = {
    {"box_list", check_box_list,
     [](std::string_view message) {
         check(message.starts_with("file"), "an error names the file", std::string(message));
     }},
    {"city_json", check_city_json, check_names_file},
    {"ply", check_ply, check_names_file},
    {"query", check_query, [](std::string_view message) { check(false, "nothing is thrown", std::string(message)); }}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const Reader& reader : readers) {
        if (reader.name != LANECULL_FUZZ_READER) continue;
        try {
            reader.check_text({reinterpret_cast<const char*>(data), size});
        } catch (const Error& error) {
            reader.check_error(error.what());
        }
    }
    return 0;
}
