#include <nlohmann/json.hpp>

#include "cull/report.hpp"
#include "support/measuring.hpp"

namespace lanecull::program {
namespace {

enum class Verdict : std::uint8_t { visible, hidden, kept_by_planes, culled };
constexpr std::array verdict_names = {"visible", "hidden", "kept_by_planes", "culled"};

constexpr const char* name_of(Verdict verdict) { return verdict_names[static_cast<std::size_t>(verdict)]; }

/// Calls `visit(object, group, index, verdict)` for each object in order.
template <class Visit>
void visit_objects(const Scene& scene, const Measurement& m, const Visit& visit) {
    const std::vector<std::uint64_t>& without = m.occluders ? m.occluders->picked_without : m.picked_visible;
    std::uint64_t object = 0;
    std::size_t first_word = 0;  // each group's bits begin with a word of their own
    for (const Group& group : scene.groups) {
        const std::uint32_t count = object_count(group.arrays);
        for (std::uint32_t i = 0; i < count; ++i, ++object) {
            const auto bit = [&](const std::vector<std::uint64_t>& words) {
                return has_bit(words, 64 * first_word + i);
            };
            const Verdict verdict = bit(m.picked_visible)  ? Verdict::visible
                                    : bit(without)         ? Verdict::hidden
                                    : bit(m.picked_planes) ? Verdict::kept_by_planes
                                                           : Verdict::culled;
            visit(object, group, i, verdict);
        }
        first_word += (count + std::size_t{63}) / 64;
    }
}

std::string name_in(const Group& group, std::uint32_t i) {
    return group.names.empty() ? std::string() : group.names[i];
}

/// A field of CSV (RFC 4180), which no spreadsheet takes for a formula: an apostrophe stands before what looks like
/// one.
std::string csv_field(std::string text) {
    constexpr std::string_view formula_starts = "=+-@";
    if (!text.empty() && formula_starts.find(text.front()) != std::string_view::npos) text.insert(0, 1, '\'');
    if (text.find_first_of(",;\"'\r\n\t #") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

}  // namespace

std::string object_list_csv(const Scene& scene, const Measurement& measurement) {
    std::string text = "object,verdict,group,name\n";
    visit_objects(scene, measurement, [&](std::uint64_t object, const Group& group, std::uint32_t i, Verdict verdict) {
        text += std::to_string(object) + ',' + name_of(verdict) + ',' + csv_field(group.name) + ',' +
                csv_field(name_in(group, i)) + '\n';
    });
    return text;
}

/// A line an object, written as it comes: a document of millions of objects takes JSON libraries gigabytes.
std::string object_list_json(const Scene& scene, const Measurement& measurement) {
    std::array<std::uint64_t, verdict_names.size()> counts{};
    std::string objects;
    visit_objects(scene, measurement, [&](std::uint64_t object, const Group& group, std::uint32_t i, Verdict verdict) {
        ++counts[static_cast<std::size_t>(verdict)];
        Report entry{{"object", object}, {"verdict", name_of(verdict)}, {"group", group.name}};
        if (!group.names.empty()) entry["name"] = group.names[i];
        objects += (object == 0 ? "" : ",\n") + entry.dump(-1, ' ', false, Report::error_handler_t::replace);
    });
    Report head{{"scene", scene.name}, {"frame", measurement.picked_frame}, {"frames", measurement.frames()}};
    for (std::size_t k = 0; k < counts.size(); ++k) head["counts"][verdict_names[k]] = counts[k];
    const std::string text = text_of(head, -1);
    return text.substr(0, text.size() - 2) + ",\"objects\":[\n" + objects + "\n]}\n";  // without the brace at the end
}

}  // namespace lanecull::program
