
#include <nlohmann/json.hpp>

#include "support/bytes.hpp"
#include "support/text.hpp"
#include "sweep/sweep.hpp"

namespace lanecull::program {
namespace {

/// Of one count over all views.
Report distribution(const Sweep& sweep, const Measure& measure) {
    std::vector<std::uint32_t> values;
    values.reserve(sweep.counts.size());
    for (const ViewCounts& counts : sweep.counts) values.push_back(counts.*measure.count);
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    return {{"least", at(0)},
            {"mean", static_cast<double>(sum) / static_cast<double>(values.size())},
            {"median", at(0.5)},
            {"percentile_99", at(0.99)},
            {"most", at(1)}};
}

std::string count_of(const Report& number) { return grouped(number.get<std::uint64_t>()); }

}  // namespace

std::vector<Measure> Sweep::measured() const {
    std::vector<Measure> result(measures.begin(), measures.end());
    std::erase_if(result, [&](const Measure& measure) {
        return (measure.count == &ViewCounts::casters && !plan.sun) ||
               (measure.count == &ViewCounts::unhidden && plan.occluders.most == 0);
    });
    return result;
}

std::vector<ViewCounts> counts_of(const std::vector<std::string>& results) {
    std::vector<ViewCounts> all;
    for (const std::string& bundle : results) {
        ByteReader reader(bundle, "a result of the sweep");
        while (!reader.at_end()) all.push_back(reader.value<ViewCounts>());
    }
    return all;
}

std::vector<std::uint64_t> worst_views(const Sweep& sweep, std::size_t most) {
    const std::uint64_t directions = sweep.plan.views.directions();
    std::vector<std::uint64_t> views(sweep.counts.size() / directions);
    const auto is_worse = [&](std::uint64_t a, std::uint64_t b) {
        const std::uint64_t x = sweep.count(sweep.ranked, a), y = sweep.count(sweep.ranked, b);
        return x != y ? x > y : a < b;
    };
    for (std::uint64_t place = 0; place < views.size(); ++place) {
        views[place] = place * directions;
        for (std::uint64_t v = place * directions; v < (place + 1) * directions; ++v) {
            if (is_worse(v, views[place])) views[place] = v;
        }
    }
    const auto end = views.begin() + static_cast<std::ptrdiff_t>(std::min(most, views.size()));
    std::partial_sort(views.begin(), end, views.end(), is_worse);
    views.erase(end, views.end());
    return views;
}

Report sweep_report(const Sweep& sweep) {
    const ViewSet& views = sweep.plan.views;
    Report report{{"program", "lanecull " LANECULL_VERSION},
                  {"scene", {{"name", sweep.scene.name}, {"objects", sweep.scene.object_count()}}},
                  {"isa", isa_name(sweep.plan.isa)},
                  {"views", sweep.counts.size()}};
    if (sweep.plan.occluders.most > 0) {
        report["occluders"] = {{"most", sweep.plan.occluders.most}, {"solids", sweep.plan.solids.count()}};
    }
    if (views.is_grid()) {
        // As doubles, which they have been from the first.
        report["grid"] = {{"viewpoints", {static_cast<double>(views.grid()[0]), static_cast<double>(views.grid()[1])}},
                          {"directions", views.directions()}};
    }
    for (const Measure& measure : sweep.measured()) report[measure.name] = distribution(sweep, measure);
    report["worst_by"] = sweep.ranked.name;
    report["worst"] = Report::array();
    for (const std::uint64_t view : sweep.worst) {
        const Camera camera = views.camera(view);
        Report row{{"view", view},
                   {"eye", {camera.eye.x, camera.eye.y, camera.eye.z}},
                   {"forward", {camera.forward.x, camera.forward.y, camera.forward.z}}};
        for (const Measure& measure : sweep.measured()) row[measure.name] = sweep.count(measure, view);
        report["worst"].push_back(std::move(row));
    }
    return report;
}

std::string sweep_table(const Report& report, const std::string& views) {
    Cells counts{{"of a view", "least", "mean", "median", "99 %", "most"}};
    Cells worst{{"", "view"}};
    for (const Measure& measure : measures) {
        if (!report.contains(measure.name)) continue;
        const Report& of = report.at(measure.name);
        counts.push_back({measure.phrase, count_of(of.at("least")), grouped(of.at("mean").get<double>(), 1),
                          count_of(of.at("median")), count_of(of.at("percentile_99")), count_of(of.at("most"))});
        worst[0].emplace_back(measure.name);
    }
    worst[0].emplace_back("eye, looking along");
    for (const Report& view : report.at("worst")) {
        auto& row = worst.emplace_back();
        row = {std::to_string(worst.size() - 1), std::to_string(view.at("view").get<std::uint64_t>())};
        for (const Measure& measure : measures) {
            if (view.contains(measure.name)) row.push_back(count_of(view.at(measure.name)));
        }
        const auto at = [&](const char* key, std::size_t k) { return view.at(key)[k].get<double>(); };
        row.push_back(fmt::format("({:g}, {:g}, {:g}), ({:g}, {:g}, {:g})", at("eye", 0), at("eye", 1), at("eye", 2),
                                  at("forward", 0), at("forward", 1), at("forward", 2)));
    }
    const Report& scene = report.at("scene");
    std::string text = fmt::format("{}: {}, {}: {}; {}\n\n", scene.at("name").get<std::string>(),
                                   counted(scene.at("objects").get<std::uint64_t>(), "object"),
                                   counted(report.at("views").get<std::uint64_t>(), "view"), views,
                                   report.at("isa").get<std::string>()) +
                       table(counts);
    if (worst.size() == 1) return text;
    const auto by = std::ranges::find_if(measures, [&](const Measure& m) { return report.at("worst_by") == m.name; });
    return text + fmt::format("\nworst by {}, one of each viewpoint:\n", by->phrase) +
           table(worst, std::string(worst[0].size() - 1, '>') + '<');
}

void write_sweep_csv(const Sweep& sweep, OutputFile& file) {
    constexpr std::size_t enough = std::size_t{1} << 20;
    std::string text = "view,x,y,z,dx,dy,dz";
    for (const Measure& measure : sweep.measured()) text += fmt::format(",{}", measure.name);
    for (std::uint64_t view = 0; view < sweep.counts.size(); ++view) {
        const Camera camera = sweep.plan.views.camera(view);
        text += fmt::format("\n{},{},{},{},{},{},{}", view, camera.eye.x, camera.eye.y, camera.eye.z, camera.forward.x,
                            camera.forward.y, camera.forward.z);
        for (const Measure& measure : sweep.measured()) text += fmt::format(",{}", sweep.count(measure, view));
        if (text.size() < enough) continue;
        file.append(text);
        text.clear();
    }
    file.commit(text + '\n');
}

}  // namespace lanecull::program
