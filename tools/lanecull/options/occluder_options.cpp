#include "options/occluder_options.hpp"

#include <algorithm>
#include <cstdint>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

void make_solid(const std::string& name, Scene& scene) {
    const auto group = std::ranges::find(scene.groups, name, &Group::name);
    if (group == scene.groups.end()) {
        std::string names;
        for (const Group& one : scene.groups) names += (names.empty() ? "" : ", ") + one.name;
        refuse("--solid {}: no group of {} has that name; there are {}", name, scene.name, names);
    }
    if (!is_of_boxes(*group)) refuse("--solid {}: its objects are no boxes, but {}", name, kind_name(group->arrays));
    if (group->stand_in) refuse("--solid {}: these boxes are not drawn; they are around what is", name);
    group->solid = true;
}

}  // namespace

CommandOption OccluderCommandOptions::add_choice_to(Command command, const char* help) {
    const CommandOption occluders =
        command.option("--occluders", given, help).within(std::uint64_t{0}, std::uint64_t{64}).type_name("N");
    CommandOption names =
        command.option("--solid", solid, "A group of boxes that are solid, in addition to the city's buildings")
            .type_name("NAME");
    if (by_default == 0) names.needs(occluders);
    return occluders;
}

void OccluderCommandOptions::add_to(Command command) {
    const CommandOption occluders =
        add_choice_to(command, "Solid boxes that may hide objects, so many a frame, up to 64 (0: none)");
    command
        .option("--margin-pixels", margin_pixels,
                "They shrink by so many pixels of a picture of 1080 rows, against rounding rasterisers (0)")
        .type_name("X")
        .needs(occluders);
}

void OccluderCommandOptions::check() const { check_number("--margin-pixels", margin_pixels, 0, 1000); }

std::optional<OccluderSettings> OccluderCommandOptions::settings(Scene& scene) const {
    for (const std::string& name : solid) make_solid(name, scene);
    if (most() == 0) return std::nullopt;
    return OccluderSettings{.most = most(), .margin_pixels = margin_pixels};
}

}  // namespace lanecull::program
