#include <nlohmann/json.hpp>

#include "cull/reasons.hpp"
#include "cull/report.hpp"
#include "cull/report_page.hpp"

namespace lanecull::program {
namespace {

constexpr std::size_t most_listed = 500;

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            word = word << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) text += k <= count ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

/// JSON within a <script>, which a "</script>" in a string would end. Outside strings JSON has no "<".
std::string in_script(const std::string& json) {
    std::string result;
    for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return result;
}

}  // namespace

std::string html_report(const ReportInput& input, const Report& report, std::string_view picture) {
    Report data{{"report", report},
                {"picture", "data:image/png;base64," + base64(picture)},
                {"picked", input.measurement.picked_frame},
                {"kept_objects", input.kept.size()},
                {"kept", Report::array()},
                {"reasons", Report::object()},
                {"explain", input.explain}};
    for (std::size_t i = 0; i < std::min(most_listed, input.kept.size()); ++i) {
        const KeptByPlanes& kept = input.kept[i];
        data["kept"].push_back({{"object", kept.object},
                                {"group", input.scene.groups[kept.place.group].name},
                                {"name", name_of(input.scene, kept.place)},
                                {"gap", kept.certificate.gap}});
    }
    for (const ReasonWords& words : reason_words) data["reasons"][words.key] = words.text;
    constexpr std::string_view place = "{{data}}";
    std::string page(report_page);
    return page.replace(page.find(place), place.size(), in_script(text_of(data, -1)));
}

}  // namespace lanecull::program
