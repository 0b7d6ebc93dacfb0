#include "support/report.hpp"

#include <lanecull/library.h>
#include <nlohmann/json.hpp>

#include "support/text.hpp"

namespace lanecull::program {

std::string text_of(const Report& report, int indent) {
    return report.dump(indent, ' ', false, Report::error_handler_t::replace) + "\n";
}

std::string table(const Cells& rows, std::string_view sides) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string blanks(widths[i] - row[i].size(), ' ');
            line += sides[std::min(i, sides.size() - 1)] == '>' ? blanks + row[i] : row[i] + blanks;
            line += "  ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string count_text(double value) { return grouped(value, value > 0 && value < 100 ? 1 : 0); }

std::string percent(double part, double whole, int decimals) {
    return whole > 0 ? fmt::format("{:.{}f} %", 100 * part / whole, decimals) : "-";
}

std::string report_heading(const Report& report, std::uint64_t frames) {
    const Report& scene = report.at("scene");
    Isa isa{};
    static_cast<void>(isa_from_name(report.at("isa").get_ref<const std::string&>().c_str(), isa));
    std::string text = fmt::format("{}: {}", scene.at("name").get<std::string>(),
                                   counted(scene.at("objects").get<std::uint64_t>(), "object"));
    if (scene.contains("description")) text += fmt::format(" ({})", scene.at("description").get<std::string>());
    return text + fmt::format("\n{}, {} ({}), {}\n\n", counted(frames, "frame"), isa_name(isa),
                              counted(isa_lanes(isa), "lane"),
                              counted(report.at("threads").get<std::uint64_t>(), "thread"));
}

}  // namespace lanecull::program
