#include "options/occluder_options.hpp"

#include <fmt/core.h>
#include <cstdint>

#include "scene/named_solids.hpp"
#include "support/error.hpp"
#include "support/progress.hpp"

namespace lanecull::program {
CommandOption OccluderCommandOptions::add_choice_to(Command command, const char* help) {
    const CommandOption occluders =
        command.option("--occluders", given, help).within(std::uint64_t{0}, std::uint64_t{64}).type_name("N");
    CommandOption names =
        command
            .option("--solid", solid,
                    "What is solid besides the city's buildings: a group, object or mesh of that name (boxes, closed "
                    "meshes), or all closed meshes")
            .type_name("NAME|all-closed");
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

std::optional<OccluderSettings> OccluderCommandOptions::settings(Scene& scene, bool quiet) const {
    if (!solid.empty() && scene.meshes != 0) announce("looking for boxes within closed meshes", quiet);
    make_solid(scene, solid);
    if (most() == 0) return std::nullopt;
    return OccluderSettings{.most = most(), .margin_pixels = margin_pixels};
}

}  // namespace lanecull::program
