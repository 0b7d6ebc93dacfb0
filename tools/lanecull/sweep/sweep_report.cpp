#include "sweep/sweep_report.hpp"

#include <fmt/core.h>

#include <lanecull/library.h>
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>

#include "support/bytes.hpp"
#include "support/grouped.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

constexpr std::string_view results_name = "a result of the sweep";

/// Of one count over all views.
struct Distribution {
    std::uint64_t least = 0, median = 0, percentile = 0, most = 0;  ///< of which 99 % are no more
    double mean = 0;
};

Distribution distribution(const Sweep& sweep, const Measure& measure) {
    std::vector<std::uint32_t> values;
    values.reserve(sweep.counts.size());
    for (const ViewCounts& counts : sweep.counts) values.push_back(counts.*measure.count);
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) {
        return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    };
    const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    return {at(0), at(0.5), at(0.99), at(1), static_cast<double>(sum) / static_cast<double>(values.size())};
}

std::string point(const glm::dvec3& p) { return fmt::format("({:g}, {:g}, {:g})", p.x, p.y, p.z); }

std::string title(const Sweep& sweep) {
    return fmt::format("{}: {}, {}: {}; {}\n\n", sweep.scene.name, counted(sweep.scene.object_count(), "object"),
                       counted(sweep.counts.size(), "view"), sweep.plan.views.description(), isa_name(sweep.plan.isa));
}

/// Calls row(view, counts, objects) for each view in order, `objects` reading the numbers of what it sees.
void for_each_result(const Results& results, const Bundles& bundles,
                     const std::function<void(const ViewCounts&, ByteReader&)>& row) {
    for (std::uint64_t b = 0; b < bundles.count(); ++b) {
        const std::string bytes = results.read(b);
        ByteReader reader(bytes, results_name);
        for (std::uint64_t i = 0; i < bundles.length(b); ++i) row(reader.value<ViewCounts>(), reader);
        if (!reader.at_end()) fail("{} is damaged", results_name);
    }
}

}  // namespace

std::vector<Measure> Sweep::measured() const {
    std::vector<Measure> result(measures.begin(), measures.end());
    std::erase_if(result, [&](const Measure& measure) {
        return (measure.count == &ViewCounts::casters && !plan.sun) ||
               (measure.count == &ViewCounts::unhidden && plan.occluders.most == 0);
    });
    return result;
}

std::vector<ViewCounts> counts_of(const Results& results, const Bundles& bundles, bool incidence) {
    std::vector<ViewCounts> all;
    all.reserve(bundles.items);
    for_each_result(results, bundles, [&](const ViewCounts& counts, ByteReader& objects) {
        all.push_back(counts);
        for (std::uint32_t k = 0; incidence && k < counts.unhidden; ++k) static_cast<void>(objects.varint());
    });
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

std::string sweep_table(const Sweep& sweep) {
    std::string text = title(sweep);
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<18} {:>12} {:>14} {:>12} {:>12} {:>12}\n", "of a view", "least", "mean", "median", "99 %",
                   "most");
    for (const Measure& measure : sweep.measured()) {
        const Distribution d = distribution(sweep, measure);
        fmt::format_to(out, "{:<18} {:>12} {:>14} {:>12} {:>12} {:>12}\n", measure.phrase, grouped(d.least),
                       grouped(d.mean, 1), grouped(d.median), grouped(d.percentile), grouped(d.most));
    }
    if (sweep.worst.empty()) return text;
    fmt::format_to(out, "\nworst by {}, one of each viewpoint:\n{:>4} {:>9}", sweep.ranked.phrase, "", "view");
    for (const Measure& measure : sweep.measured()) fmt::format_to(out, " {:>12}", measure.name);
    text += "  eye, looking along\n";
    for (std::size_t k = 0; k < sweep.worst.size(); ++k) {
        const std::uint64_t view = sweep.worst[k];
        const Camera camera = sweep.plan.views.camera(view);
        fmt::format_to(out, "{:>4} {:>9}", k + 1, view);
        for (const Measure& measure : sweep.measured()) {
            fmt::format_to(out, " {:>12}", grouped(sweep.count(measure, view)));
        }
        fmt::format_to(out, "  {}, {}\n", point(camera.eye), point(camera.forward));
    }
    return text;
}

std::string sweep_json(const Sweep& sweep) {
    Json scene;
    scene.set("name", sweep.scene.name).set("objects", sweep.scene.object_count());
    Json document;
    document.set("program", "lanecull " LANECULL_VERSION).set("scene", std::move(scene));
    document.set("isa", isa_name(sweep.plan.isa)).set("views", sweep.counts.size());
    if (sweep.plan.occluders.most > 0) {
        Json occluders;
        occluders.set("most", std::uint64_t{sweep.plan.occluders.most});
        occluders.set("solids", std::uint64_t{sweep.plan.solids.count()});
        document.set("occluders", std::move(occluders));
    }
    const ViewSet& views = sweep.plan.views;
    if (views.is_grid()) {
        Json grid;
        grid.set("viewpoints",
                 Json::array({static_cast<double>(views.grid()[0]), static_cast<double>(views.grid()[1])}));
        grid.set("directions", views.directions());
        document.set("grid", std::move(grid));
    }
    for (const Measure& measure : sweep.measured()) {
        const Distribution d = distribution(sweep, measure);
        Json json;
        json.set("least", d.least).set("mean", d.mean).set("median", d.median);
        json.set("percentile_99", d.percentile).set("most", d.most);
        document.set(measure.name, std::move(json));
    }
    Json worst = Json::array();
    for (const std::uint64_t view : sweep.worst) {
        const Camera camera = views.camera(view);
        Json row;
        row.set("view", view).set("eye", Json::array({camera.eye.x, camera.eye.y, camera.eye.z}));
        row.set("forward", Json::array({camera.forward.x, camera.forward.y, camera.forward.z}));
        for (const Measure& measure : sweep.measured()) row.set(measure.name, sweep.count(measure, view));
        worst.add(std::move(row));
    }
    document.set("worst_by", sweep.ranked.name).set("worst", std::move(worst));
    return document.dump(2) + "\n";
}

void write_sweep_csv(const Sweep& sweep, OutputStream& file) {
    std::string line = "view,x,y,z,dx,dy,dz";
    for (const Measure& measure : sweep.measured()) line += fmt::format(",{}", measure.name);
    for (std::uint64_t view = 0; view < sweep.counts.size(); ++view) {
        file.append(line += '\n');
        const Camera camera = sweep.plan.views.camera(view);
        line = fmt::format("{},{},{},{},{},{},{}", view, camera.eye.x, camera.eye.y, camera.eye.z, camera.forward.x,
                           camera.forward.y, camera.forward.z);
        for (const Measure& measure : sweep.measured()) line += fmt::format(",{}", sweep.count(measure, view));
    }
    file.append(line += '\n');
}

void write_incidence(const Sweep& sweep, const Results& results, const Bundles& bundles, OutputStream& file) {
    std::vector<std::uint64_t> offsets{0};
    offsets.reserve(sweep.counts.size() + 1);
    for (const ViewCounts& counts : sweep.counts) offsets.push_back(offsets.back() + counts.unhidden);
    std::string bytes = "lanecull rows 1\n";
    append_bytes(bytes, std::uint64_t{sweep.counts.size()});
    append_bytes(bytes, sweep.scene.object_count());
    append_bytes(bytes, offsets.back());
    file.append(bytes);
    file.append({reinterpret_cast<const char*>(offsets.data()), offsets.size() * sizeof(std::uint64_t)});
    std::vector<std::uint32_t> row;
    for_each_result(results, bundles, [&](const ViewCounts& counts, ByteReader& objects) {
        row.clear();
        std::uint64_t object = 0;
        for (std::uint32_t k = 0; k < counts.unhidden; ++k) {
            object += objects.varint();
            row.push_back(static_cast<std::uint32_t>(object));
        }
        file.append({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(std::uint32_t)});
    });
}

}  // namespace lanecull::program
