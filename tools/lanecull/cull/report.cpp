#include "cull/report.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cull/reasons.hpp"
#include "support/measuring.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

/// In milliseconds.
Report times(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto n = static_cast<double>(seconds.size());
    return {{"median_ms", 1e3 * median(seconds)},
            {"p99_ms", 1e3 * seconds[static_cast<std::size_t>(std::ceil(0.99 * n)) - 1]},
            {"mean_ms", 1e3 * std::accumulate(seconds.begin(), seconds.end(), 0.0) / n},
            {"fastest_ms", 1e3 * seconds.front()}};
}

Report vector(const glm::dvec3& v) { return {v.x, v.y, v.z}; }

/// Makes the report. Counts are means of all frames unless they say otherwise.
class Maker {
public:
    explicit Maker(const ReportInput& input) : in_(input), scene_(input.scene), m_(input.measurement) {}

    Report report() const {
        Report pass{{"method", "automatic"}};
        pass.update(culls(m_.pass.seconds));
        Report report{{"program", "lanecull " LANECULL_VERSION},
                      {"scene", scene()},
                      {"method", "automatic"},
                      {"isa", isa_name(m_.isa)},
                      {"lanes", isa_lanes(m_.isa)},
                      {"threads", m_.threads},
                      {"mean_per_frame", verdicts()},
                      {"times", Report::array({pass})},
                      {"groups", groups()},
                      {"frames", frames()}};
        if (!in_.kept.empty()) report["worst"] = worst(in_.kept.front());
        if (m_.occluders) report["occluders"] = occluders(*m_.occluders);
        if (m_.ordered) report["ordered"] = ordered(*m_.ordered);
        return report;
    }

private:
    [[nodiscard]] double mean(std::uint64_t total) const {
        return static_cast<double>(total) / static_cast<double>(m_.frames());
    }

    [[nodiscard]] Report culls(const std::vector<double>& seconds) const {
        Report result = times(seconds);
        result["objects_per_second"] = static_cast<double>(scene_.object_count()) / median(seconds);
        return result;
    }

    [[nodiscard]] Report scene() const {
        const Bounds bounds = scene_.bounds();
        Report result{{"name", scene_.name}, {"description", scene_.description}, {"objects", scene_.object_count()}};
        if (scene_.meshes != 0) result["meshes"] = scene_.meshes;
        result["up"] = vector(scene_.up);
        result["lower"] = vector(bounds.lower);
        result["upper"] = vector(bounds.upper);
        return result;
    }

    [[nodiscard]] Report verdicts() const {
        const Counts& counts = m_.pass.counts;
        Report result{{"visible", mean(counts.visible())}, {"culled", mean(counts.culled())}};
        for (const ReasonWords& reason : visible_reasons) result[reason.key] = mean(counts[reason.reason]);
        for (const ReasonWords& reason : culled_reasons) result[reason.key] = mean(counts[reason.reason]);
        const auto& needless = m_.frame_false_positives;
        result["kept_by_planes_alone"] = mean(std::accumulate(needless.begin(), needless.end(), std::uint64_t{0}));
        return result;
    }

    [[nodiscard]] Report groups() const {
        Report result = Report::array();
        for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
            const Group& group = scene_.groups[g];
            result.push_back({{"name", group.name},
                              {"kind", kind_name(group.arrays)},
                              {"objects", object_count(group.arrays)},
                              {"visible", mean(m_.pass.group_visible[g])},
                              {"kept_by_planes_alone", mean(m_.group_false_positives[g])}});
        }
        return result;
    }

    [[nodiscard]] Report frames() const {
        Report result = Report::array();
        for (std::size_t i = 0; i < m_.frames(); ++i) {
            result.push_back({{"eye", vector(in_.path[i].eye)},
                              {"visible", m_.pass.frame_visible[i]},
                              {"ms", 1e3 * m_.pass.seconds[i]},
                              {"kept_by_planes_alone", m_.frame_false_positives[i]}});
        }
        return result;
    }

    [[nodiscard]] Report worst(const KeptByPlanes& object) const {
        const std::string name = name_of(scene_, object.place);
        Report result{
            {"frame", m_.picked_frame}, {"object", object.object}, {"group", scene_.groups[object.place.group].name}};
        if (!name.empty()) result["name"] = name;
        result["gap"] = object.certificate.gap;
        result["explain"] = fmt::format("{} --frame {} --object {}", in_.explain, m_.picked_frame, object.object);
        return result;
    }

    /// What choosing, preparing and culling take, as a multiple of what culling without takes: the median of all
    /// frames.
    [[nodiscard]] double cost_of_occluders(std::span<const double> with, std::span<const double> without) const {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < without.size(); ++i) {
            ratios.push_back((m_.occluders->choose_seconds[i] + with[i]) / without[i]);
        }
        return median(ratios);
    }

    [[nodiscard]] Report occluders(const OccluderPass& pass) const {
        Report result{{"most", pass.most}, {"solids", pass.solids}, {"chosen", mean(pass.chosen)}};
        if (scene_.mesh_solids.meshes != 0) result["within_meshes"] = within_meshes(scene_.mesh_solids);
        result["hidden"] = mean(m_.hidden());
        result["hidden_by_all"] = mean(pass.hidden_by_all);
        result["without"] = {{"visible", mean(pass.without.counts.visible())}};
        result["without"].update(culls(pass.without.seconds));
        result["choosing"] = times(pass.choose_seconds);
        result["relative_time"] = cost_of_occluders(m_.pass.seconds, pass.without.seconds);
        return result;
    }

    /// Differences are a sum.
    [[nodiscard]] Report ordered(const OrderedPass& pass) const {
        Report result{{"build_seconds", pass.build_seconds}, {"bytes", pass.bytes}};
        result.update(culls(pass.seconds));
        result["outside_blocks"] = mean(pass.outside_blocks);
        result["inside_blocks"] = mean(pass.inside_blocks);
        if (m_.occluders) result["hidden_blocks"] = mean(pass.hidden_blocks);
        result["mixed_blocks"] = mean(pass.mixed_blocks);
        result["tested_objects"] = mean(pass.tested);
        result["differences"] = pass.differences;
        if (m_.occluders && pass.seconds_without.size() == m_.frames()) {  // each frame had some
            result["without"] = culls(pass.seconds_without);
            result["relative_time"] = cost_of_occluders(pass.seconds, pass.seconds_without);
        }
        return result;
    }

    const ReportInput& in_;
    const Scene& scene_;
    const Measurement& m_;
};

std::string milliseconds(const Report& number) { return fmt::format("{:.3f} ms", number.get<double>()); }

/// Rows of counts, each with its share of `whole`.
struct CountRows {
    Cells cells;

    void add(const std::string& name, double count, double whole, const char* of = "") {
        cells.push_back({name, count_text(count), percent(count, whole), of});
    }
};

std::string verdict_table(const Report& report) {
    const Report& mean = report.at("mean_per_frame");
    const double objects = report.at("scene").at("objects"), visible = mean.at("visible");
    CountRows rows{{{"objects, mean of all frames", "", "share"}}};
    const auto verdict = [&](const char* name, std::span<const ReasonWords> reasons) {
        rows.add(fmt::format("  {}", name), mean.at(name), objects);
        for (const ReasonWords& reason : reasons) {
            if (mean.at(reason.key) > 0) rows.add(fmt::format("    {}", reason.text), mean.at(reason.key), objects);
        }
    };
    verdict("visible", visible_reasons);
    verdict("culled", culled_reasons);
    rows.add("  six planes alone would keep besides", mean.at("kept_by_planes_alone"), visible, "of the visible");
    if (report.contains("occluders")) {
        const Report& occluders = report.at("occluders");
        const double hidden = occluders.at("hidden"), all = occluders.at("hidden_by_all");
        const double without = occluders.at("without").at("visible");
        rows.cells.push_back({""});
        rows.cells.push_back({"occluders, mean of all frames", count_text(occluders.at("chosen")), "of",
                              counted(occluders.at("solids").get<std::uint64_t>(), "solid")});
        if (occluders.contains("within_meshes")) {
            rows.cells.push_back(
                {"  of these within meshes", "", "", within_meshes_text(occluders.at("within_meshes"))});
        }
        rows.add("  in view without them", without, objects);
        rows.add("  hidden by them", hidden, without, "of what is in view");
        rows.cells.push_back(
            {"  all solid boxes hide, each alone", count_text(all), percent(hidden, all), "of these are hidden"});
    }
    return table(rows.cells, "<>><");
}

std::string time_table(const Report& report) {
    Cells rows{{"time a frame", "median", "99 %", "objects/s"}};
    const auto add = [&](const char* name, const Report& times) {
        rows.push_back({name, milliseconds(times.at("median_ms")), milliseconds(times.at("p99_ms"))});
        if (times.contains("objects_per_second")) {
            rows.back().push_back(fmt::format("{:.2f} M", 1e-6 * times.at("objects_per_second").get<double>()));
        }
    };
    const auto relative = [&](const Report& of, const char* name) {
        rows.push_back({name, fmt::format("{:.2f}", of.at("relative_time").get<double>()), "of the time without"});
    };
    const bool has_occluders = report.contains("occluders");
    add(has_occluders ? "  with occluders" : "  cull", report.at("times")[0]);
    if (has_occluders) {
        const Report& occluders = report.at("occluders");
        add("  without occluders", occluders.at("without"));
        add("  choosing and preparing occluders", occluders.at("choosing"));
        relative(occluders, "  choosing, preparing and culling");
    }
    if (!report.contains("ordered")) return table(rows);
    const Report& ordered = report.at("ordered");
    add("  ordered scene", ordered);
    if (ordered.contains("without")) {
        add("    without occluders", ordered.at("without"));
        relative(ordered, "    choosing, preparing and culling");
    }
    return table(rows);
}

std::string block_lines(const Report& report) {
    const Report& ordered = report.at("ordered");
    const double objects = report.at("scene").at("objects"), outside = ordered.at("outside_blocks");
    const double hidden = ordered.value("hidden_blocks", 0.0), inside = ordered.at("inside_blocks");
    const double mixed = ordered.at("mixed_blocks"), blocks = outside + hidden + inside + mixed;
    return fmt::format(
        "    built in {:.3f} s, {:.1f} bytes an object\n"
        "    blocks: {} outside, {} hidden, {} inside, {} mixed; {} of the objects tested\n"
        "    objects with another verdict than the flat batches': {}\n",
        ordered.at("build_seconds").get<double>(), ordered.at("bytes").get<double>() / objects,
        percent(outside, blocks), percent(hidden, blocks), percent(inside, blocks), percent(mixed, blocks),
        percent(ordered.at("tested_objects"), objects), grouped(ordered.at("differences").get<std::uint64_t>()));
}

std::string group_table(const Report& groups) {
    Cells rows{{"group", "kind", "objects", "visible", "share", "planes keep too"}};
    for (const Report& group : groups) {
        const double objects = group.at("objects"), visible = group.at("visible");
        rows.push_back({group.at("name"), group.at("kind"), grouped(objects, 0), count_text(visible),
                        percent(visible, objects), count_text(group.at("kept_by_planes_alone"))});
    }
    return table(rows, "<<>");
}

std::string worst_lines(const Report& report) {
    const Report& worst = report.at("worst");
    const std::size_t frame = worst.at("frame");
    const std::string name = worst.value("name", "");
    return fmt::format(
        "\nin frame {} six planes alone would keep {}; of these object {} is the farthest from the view volume:\n"
        "  {}{}{}, at least {:.6g} away\n  {}\n",
        frame, counted(report.at("frames")[frame].at("kept_by_planes_alone").get<std::uint64_t>(), "object"),
        worst.at("object").get<std::uint64_t>(), worst.at("group").get<std::string>(), name.empty() ? "" : ", ", name,
        worst.at("gap").get<double>(), worst.at("explain").get<std::string>());
}

}  // namespace

Report within_meshes(const MeshSolids& found) {
    return {{"boxes", found.boxes.size()},
            {"hulls", found.hulls.size()},
            {"meshes", found.meshes},
            {"closed_meshes", found.closed_meshes}};
}

std::string within_meshes_text(const Report& found) {
    const auto count = [&](const char* key) { return found.at(key).get<std::uint64_t>(); };
    return fmt::format("{} in {} closed of {}", grouped(count("boxes") + count("hulls")),
                       grouped(count("closed_meshes")), counted(count("meshes"), "mesh", "meshes"));
}

Report cull_report(const ReportInput& input) { return Maker(input).report(); }

std::string cull_table(const Report& report) {
    std::string text = report_heading(report, report.at("frames").size());
    text += verdict_table(report) + '\n' + time_table(report);
    if (report.contains("ordered")) text += block_lines(report);
    text += '\n' + group_table(report.at("groups"));
    if (report.contains("worst")) text += worst_lines(report);
    return text;
}

}  // namespace lanecull::program
