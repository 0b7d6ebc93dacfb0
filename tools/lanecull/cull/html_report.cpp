#include "cull/html_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "cull/reasons.hpp"
#include "cull/report_page.hpp"
#include "scene/object_names.hpp"
#include "support/json.hpp"

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

/// As text between tags.
std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return result;
}

/// JSON within a <script>, which a "</script>" in a string would end. Outside strings JSON has no "<".
std::string in_script(const std::string& json) {
    std::string result;
    for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return result;
}

Json kept_json(const ReportInput& input) {
    Json result = Json::array();
    for (std::size_t i = 0; i < std::min(most_listed, input.kept.size()); ++i) {
        const KeptByPlanes& kept = input.kept[i];
        Json entry;
        entry.set("object", kept.object).set("group", input.scene.groups[kept.place.group].name);
        entry.set("name", name_of(input.scene, kept.place)).set("gap", kept.certificate.gap);
        entry.set("explain", explain_line(input, kept));
        result.add(std::move(entry));
    }
    return result;
}

/// Those that occurred.
Json reasons_json(const Measurement& m) {
    Json result = Json::array();
    const auto add = [&](const char* verdict, std::span<const ReasonWords> reasons) {
        for (const ReasonWords& words : reasons) {
            const std::uint64_t total = m.pass.counts[words.reason];
            if (total == 0) continue;
            Json entry;
            entry.set("verdict", verdict).set("text", words.text);
            entry.set("mean", static_cast<double>(total) / static_cast<double>(m.frames()));
            result.add(std::move(entry));
        }
    };
    add("visible", visible_reasons);
    add("culled", culled_reasons);
    return result;
}

std::string page_data(const ReportInput& input) {
    Json data;
    data.set("report", report_data(input)).set("picked", input.measurement.picked_frame);
    data.set("kept", kept_json(input)).set("kept_objects", input.kept.size());
    data.set("reasons", reasons_json(input.measurement)).set("explain", input.explain);
    return in_script(data.line());
}

}  // namespace

std::string html_report(const ReportInput& input, std::string_view picture) {
    const std::pair<std::string_view, std::string> parts[] = {{"{{title}}", escaped("lanecull: " + input.scene.name)},
                                                              {"{{picture}}", base64(picture)},
                                                              {"{{data}}", page_data(input)}};
    std::string html;
    std::string_view rest = report_page;
    for (const auto& [place, text] : parts) {  // in the order of the page
        const std::size_t at = rest.find(place);
        html += rest.substr(0, at);
        html += text;
        rest.remove_prefix(at + place.size());
    }
    html += rest;
    return html;
}

}  // namespace lanecull::program
