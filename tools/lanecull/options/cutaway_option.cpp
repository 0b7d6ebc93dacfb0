#include "options/cutaway_option.hpp"

namespace lanecull::program {

CommandOption CutawayOption::add_to(Command command) {
    return command
        .option("--cutaway", word,
                "Cut the scene open at the camera's height: auto does so where it hides what the picture shows (auto)")
        .among({"auto", "on", "off"})
        .type_name("auto|on|off");
}

CutawayChoice CutawayOption::choice() const {
    if (word == "on") return CutawayChoice::on;
    return word == "off" ? CutawayChoice::off : CutawayChoice::automatic;
}

}  // namespace lanecull::program
