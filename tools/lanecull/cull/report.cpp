#include "cull/report.hpp"

#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <lanecull/library.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "cull/reasons.hpp"
#include "scene/mesh_solids.hpp"
#include "scene/object_names.hpp"
#include "support/grouped.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

struct Times {
    double median, p99, mean, fastest;  ///< seconds
};

Times times_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const std::size_t n = seconds.size();
    const auto rank = static_cast<std::size_t>(std::ceil(0.99 * static_cast<double>(n)));
    return {0.5 * (seconds[(n - 1) / 2] + seconds[n / 2]), seconds[rank - 1],
            std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(n), seconds.front()};
}

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

double mean(std::uint64_t total, const Measurement& measurement) {
    return static_cast<double>(total) / static_cast<double>(measurement.frames());
}

/// A mean count: with a decimal where rounding to whole objects would hide it.
std::string count_text(double value) { return grouped(value, value > 0 && value < 100 ? 1 : 0); }

std::string percent(double part, double whole) { return whole > 0 ? fmt::format("{:.2f} %", 100 * part / whole) : "-"; }

double mean_chosen(const Measurement& m) {
    std::size_t sum = 0;
    for (const std::size_t chosen : m.occluders->frame_chosen) sum += chosen;
    return mean(sum, m);
}

/// What choosing, preparing and culling take, as a multiple of what culling without takes: the median of all frames.
double cost_of_occluders(const Measurement& m, std::span<const double> with, std::span<const double> without) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < without.size(); ++i) {
        ratios.push_back((m.occluders->choose_seconds[i] + with[i]) / without[i]);
    }
    return times_of(ratios).median;
}
double cost_of_occluders(const Measurement& m) {
    return cost_of_occluders(m, m.pass.seconds, m.occluders->without.seconds);
}

/// Whether every frame had occluders, so that the ordered scene was culled without them as well.
bool has_ordered_without(const Measurement& m) {
    return m.occluders && m.ordered && m.ordered->seconds_without.size() == m.frames();
}

class Table {
public:
    explicit Table(const ReportInput& input) : in_(input), scene_(input.scene), m_(input.measurement) {}

    std::string text() {
        heading();
        verdicts();
        times();
        groups();
        if (!in_.kept.empty()) worst(in_.kept.front());
        return std::move(text_);
    }

private:
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_.erase(text_.find_last_not_of(' ') + 1);
        text_ += '\n';
    }

    void heading() {
        line("{}: {} ({})", scene_.name, counted(scene_.object_count(), "object"), scene_.description);
        line("{} frame{}, {} ({} lane{}), {} thread{}", grouped(m_.frames()), m_.frames() == 1 ? "" : "s",
             isa_name(m_.isa), isa_lanes(m_.isa), isa_lanes(m_.isa) == 1 ? "" : "s", m_.threads,
             m_.threads == 1 ? "" : "s");
    }

    void count_row(const std::string& name, std::uint64_t total) {
        const auto objects = static_cast<double>(scene_.object_count());
        const double value = mean(total, m_);
        line("{:<42} {:>13} {:>10}", name, count_text(value), percent(value, objects));
    }

    /// Only reasons that occurred.
    void reason_rows(std::span<const ReasonWords> reasons) {
        for (const ReasonWords& reason : reasons) {
            const std::uint64_t total = m_.pass.counts[reason.reason];
            if (total != 0) count_row(fmt::format("    {}", reason.text), total);
        }
    }

    void verdicts() {
        const Counts& counts = m_.pass.counts;
        line("");
        line("{:<42} {:>13} {:>10}", "objects, mean of all frames", "", "share");
        count_row("  visible", counts.visible());
        reason_rows(visible_reasons);
        count_row("  culled", counts.culled());
        reason_rows(culled_reasons);
        if (!m_.has_planes) return;
        const double extra = mean(sum(m_.group_false_positives), m_);
        line("{:<42} {:>13} {:>10} of the visible", "  six planes alone would keep besides", count_text(extra),
             percent(extra, mean(counts.visible(), m_)));
        if (m_.occluders) occluders(*m_.occluders);
    }

    void occluders(const OccluderPass& pass) {
        line("");
        line("{:<42} {:>13} of {} {}", "occluders, mean of all frames", count_text(mean_chosen(m_)),
             grouped(pass.solids), scene_.mesh_solids.hulls.empty() ? "solid boxes" : "solid boxes and hulls");
        mesh_solids(scene_.mesh_solids);
        count_row("  in view without them", pass.without.counts.visible());
        line("{:<42} {:>13} {:>10} of what is in view", "  hidden by them", count_text(mean(m_.hidden(), m_)),
             percent(mean(m_.hidden(), m_), mean(pass.without.counts.visible(), m_)));
        line("{:<42} {:>13} {:>10} of these are hidden", "  all solid boxes hide, each alone",
             count_text(mean(pass.hidden_by_all, m_)), percent(mean(m_.hidden(), m_), mean(pass.hidden_by_all, m_)));
    }

    void mesh_solids(const MeshSolids& found) {
        if (found.meshes == 0) return;
        line("{:<42} {:>13} in {} closed of {}", "  of these within meshes",
             grouped(found.boxes.size() + found.hulls.size()), grouped(found.closed_meshes),
             counted(found.meshes, "mesh", "meshes"));
    }

    void time_row(const MethodPass& pass, const char* how) {
        const bool exact = pass.method != Method::planes;
        time_row(fmt::format("  {}{}", exact ? "exact" : "six planes alone", how), pass.seconds);
    }

    void time_row(const std::string& name, const std::vector<double>& seconds) {
        const Times t = times_of(seconds);
        line("{:<42} {:>10.3f} ms {:>10.3f} ms {:>11}", name, 1e3 * t.median, 1e3 * t.p99,
             rate(static_cast<double>(scene_.object_count()) / t.median));
    }

    static std::string rate(double per_second) {
        if (per_second >= 1e9) return fmt::format("{:.2f} G", per_second * 1e-9);
        return fmt::format("{:.2f} M", per_second * 1e-6);
    }

    void times() {
        line("");
        line("{:<42} {:>13} {:>13} {:>11}", "time a frame", "median", "99 %", "objects/s");
        time_row(m_.pass, m_.occluders ? ", with occluders" : "");
        if (m_.occluders) occluder_times(*m_.occluders);
        if (m_.ordered) ordered(*m_.ordered);
    }

    void occluder_times(const OccluderPass& pass) {
        time_row(pass.without, ", without occluders");
        time_row("  choosing and preparing occluders", pass.choose_seconds);
        line("{:<42} {:>10.2f} of the time without", "  choosing, preparing and culling", cost_of_occluders(m_));
    }

    void ordered(const OrderedPass& pass) {
        time_row(fmt::format("  ordered scene, {}", method_name(m_.pass.method)), pass.seconds);
        if (has_ordered_without(m_)) {
            time_row("    without occluders", pass.seconds_without);
            line("{:<42} {:>10.2f} of the time without", "    choosing, preparing and culling",
                 cost_of_occluders(m_, pass.seconds, pass.seconds_without));
        }
        const auto objects = static_cast<double>(scene_.object_count());
        line("    built in {:.3f} s, {:.1f} bytes an object", pass.build_seconds,
             static_cast<double>(pass.bytes) / objects);
        const double blocks =
            mean(pass.outside_blocks + pass.hidden_blocks + pass.inside_blocks + pass.mixed_blocks, m_);
        if (m_.occluders) line("    blocks: {} hidden", percent(mean(pass.hidden_blocks, m_), blocks));
        line("    blocks: {} outside, {} inside, {} mixed; {} of the objects looked at",
             percent(mean(pass.outside_blocks, m_), blocks), percent(mean(pass.inside_blocks, m_), blocks),
             percent(mean(pass.mixed_blocks, m_), blocks), percent(mean(pass.tested, m_), objects));
        line("    objects with another verdict than the flat batches': {}", grouped(pass.differences));
    }

    void groups() {
        line("");
        line("{:<20} {:<15} {:>12} {:>12} {:>10} {:>18}", "group", "kind", "objects", "visible", "share",
             m_.has_planes ? "planes keep too" : "");
        for (std::size_t g = 0; g < scene_.groups.size(); ++g) {
            const Group& group = scene_.groups[g];
            const auto objects = static_cast<double>(object_count(group.arrays));
            const double visible = mean(m_.pass.group_visible[g], m_);
            line("{:<20} {:<15} {:>12} {:>12} {:>10} {:>18}", group.name, kind_name(group.arrays),
                 grouped(object_count(group.arrays)), count_text(visible), percent(visible, objects),
                 m_.has_planes ? count_text(mean(m_.group_false_positives[g], m_)) : "");
        }
    }

    void worst(const KeptByPlanes& object) {
        const std::string name = name_of(scene_, object.place);
        line("\nin frame {} six planes alone would keep {}; of these object {} is the farthest from the view volume:",
             m_.picked_frame, counted(in_.kept.size(), "object"), object.object);
        line("  {}{}{}, at least {:.6g} away", scene_.groups[object.place.group].name, name.empty() ? "" : ", ", name,
             object.certificate.gap);
        line("  {}", explain_line(in_, object));
    }

    const ReportInput& in_;
    const Scene& scene_;
    const Measurement& m_;
    std::string text_;
};

Json vector_json(const glm::dvec3& v) { return Json::array({v.x, v.y, v.z}); }

Json scene_json(const Scene& scene) {
    const Bounds bounds = scene.bounds();
    Json result;
    result.set("name", scene.name).set("description", scene.description).set("objects", scene.object_count());
    if (scene.meshes != 0) result.set("meshes", scene.meshes);
    result.set("up", vector_json(scene.up));
    result.set("lower", vector_json(bounds.lower)).set("upper", vector_json(bounds.upper));
    return result;
}

Json verdicts_json(const Measurement& m) {
    const Counts& counts = m.pass.counts;
    Json result;
    result.set("visible", mean(counts.visible(), m)).set("culled", mean(counts.culled(), m));
    for (const ReasonWords& reason : visible_reasons) result.set(reason.key, mean(counts[reason.reason], m));
    for (const ReasonWords& reason : culled_reasons) result.set(reason.key, mean(counts[reason.reason], m));
    if (m.has_planes) result.set("kept_by_planes_alone", mean(sum(m.group_false_positives), m));
    return result;
}

void set_times(Json& entry, const std::vector<double>& seconds, const Scene& scene) {
    const Times t = times_of(seconds);
    entry.set("median_ms", 1e3 * t.median).set("p99_ms", 1e3 * t.p99);
    entry.set("mean_ms", 1e3 * t.mean).set("fastest_ms", 1e3 * t.fastest);
    entry.set("objects_per_second", static_cast<double>(scene.object_count()) / t.median);
}

Json time_json(const MethodPass& pass, const Scene& scene) {
    Json result;
    result.set("method", method_name(pass.method));
    set_times(result, pass.seconds, scene);
    return result;
}

/// Blocks and objects are means of all frames, differences a sum.
Json ordered_scene_json(const OrderedPass& pass, const Scene& scene, const Measurement& m) {
    Json result;
    result.set("build_seconds", pass.build_seconds).set("bytes", pass.bytes);
    set_times(result, pass.seconds, scene);
    result.set("outside_blocks", mean(pass.outside_blocks, m)).set("inside_blocks", mean(pass.inside_blocks, m));
    if (m.occluders) result.set("hidden_blocks", mean(pass.hidden_blocks, m));
    result.set("mixed_blocks", mean(pass.mixed_blocks, m)).set("tested_objects", mean(pass.tested, m));
    result.set("differences", pass.differences);
    if (has_ordered_without(m)) {
        Json without;
        set_times(without, pass.seconds_without, scene);
        result.set("without", std::move(without));
        result.set("relative_time", cost_of_occluders(m, pass.seconds, pass.seconds_without));
    }
    return result;
}

/// Counts are means of all frames.
Json occluders_json(const OccluderPass& pass, const Scene& scene, const Measurement& m) {
    Json without, choosing, result;
    without.set("visible", mean(pass.without.counts.visible(), m));
    set_times(without, pass.without.seconds, scene);
    const Times t = times_of(pass.choose_seconds);
    choosing.set("median_ms", 1e3 * t.median).set("p99_ms", 1e3 * t.p99);
    choosing.set("mean_ms", 1e3 * t.mean).set("fastest_ms", 1e3 * t.fastest);
    result.set("most", pass.most).set("solids", pass.solids).set("chosen", mean_chosen(m));
    if (scene.mesh_solids.meshes != 0) result.set("within_meshes", mesh_solids_json(scene.mesh_solids));
    result.set("hidden", mean(m.hidden(), m)).set("hidden_by_all", mean(pass.hidden_by_all, m));
    result.set("without", std::move(without)).set("choosing", std::move(choosing));
    result.set("relative_time", cost_of_occluders(m));
    return result;
}

Json groups_json(const Scene& scene, const Measurement& m) {
    Json result = Json::array();
    for (std::size_t g = 0; g < scene.groups.size(); ++g) {
        const Group& group = scene.groups[g];
        Json entry;
        entry.set("name", group.name).set("kind", kind_name(group.arrays)).set("objects", object_count(group.arrays));
        entry.set("visible", mean(m.pass.group_visible[g], m));
        if (m.has_planes) entry.set("kept_by_planes_alone", mean(m.group_false_positives[g], m));
        result.add(std::move(entry));
    }
    return result;
}

Json frames_json(const CameraPath& path, const Measurement& m) {
    Json result = Json::array();
    for (std::size_t i = 0; i < m.frames(); ++i) {
        Json entry;
        entry.set("eye", vector_json(path[i].eye)).set("visible", m.pass.frame_visible[i]);
        entry.set("ms", 1e3 * m.pass.seconds[i]);
        if (m.has_planes) entry.set("kept_by_planes_alone", m.frame_false_positives[i]);
        result.add(std::move(entry));
    }
    return result;
}

Json worst_json(const ReportInput& input, const KeptByPlanes& object) {
    const std::string name = name_of(input.scene, object.place);
    Json result;
    result.set("frame", input.measurement.picked_frame).set("object", object.object);
    result.set("group", input.scene.groups[object.place.group].name);
    if (!name.empty()) result.set("name", name);
    result.set("gap", object.certificate.gap).set("explain", explain_line(input, object));
    return result;
}

}  // namespace

const char* method_name(Method method) {
    switch (method) {
        case Method::automatic:
            return "automatic";
        case Method::planes:
            return "planes";
    }
    return "";
}

std::string explain_line(const ReportInput& input, const KeptByPlanes& object) {
    return fmt::format("{} --frame {} --object {}", input.explain, input.measurement.picked_frame, object.object);
}

std::string report_table(const ReportInput& input) { return Table(input).text(); }

Json report_data(const ReportInput& input) {
    const auto& [scene, path, measurement, kept, explain] = input;
    Json times = Json::array();
    times.add(time_json(measurement.pass, scene));
    Json document;
    document.set("program", "lanecull " LANECULL_VERSION).set("scene", scene_json(scene));
    document.set("method", method_name(measurement.pass.method)).set("isa", isa_name(measurement.isa));
    document.set("lanes", isa_lanes(measurement.isa)).set("threads", measurement.threads);
    document.set("mean_per_frame", verdicts_json(measurement)).set("times", std::move(times));
    document.set("groups", groups_json(scene, measurement)).set("frames", frames_json(path, measurement));
    if (!kept.empty()) document.set("worst", worst_json(input, kept.front()));
    if (measurement.occluders) document.set("occluders", occluders_json(*measurement.occluders, scene, measurement));
    if (measurement.ordered) document.set("ordered", ordered_scene_json(*measurement.ordered, scene, measurement));
    return document;
}

std::string report_json(const ReportInput& input) { return report_data(input).dump(2) + "\n"; }

}  // namespace lanecull::program
