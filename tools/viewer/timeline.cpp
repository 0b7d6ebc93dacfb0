#include "timeline.hpp"

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

namespace lanecull::program {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string timeline_json(const std::vector<TimelineFrame>& frames, const std::string& device,
                          const std::string& scene) {
    using nlohmann::json;
    const double start = frames.empty() ? 0 : frames.front().cull_begin;
    const auto ms = [&](double seconds) { return 1e3 * (seconds - start); };
    json list = json::array();
    for (const TimelineFrame& frame : frames) {
        json entry = {{"draws", frame.drawn.frame_draws()},
                      {"casters", frame.drawn.caster_draws()},
                      {"submitted_ms", ms(frame.submitted)}};
        json passes =
            json::array({{{"name", "cull"}, {"begin_ms", ms(frame.cull_begin)}, {"end_ms", ms(frame.cull_end)}}});
        for (const PassTime& pass : frame.passes) {
            passes.push_back({{"name", pass.name}, {"begin_ms", ms(pass.begin)}, {"end_ms", ms(pass.end)}});
        }
        json views = json::object();
        for (std::size_t v = 0; v < frame.drawn.draws.size(); ++v) views[view_name(v)] = frame.drawn.draws[v];
        entry["passes"] = std::move(passes);
        entry["views"] = std::move(views);
        list.push_back(std::move(entry));
    }
    return json{{"program", "lanecull view"}, {"device", device}, {"scene", scene}, {"frames", list}}.dump(1) + "\n";
}

std::size_t overlapping(const std::vector<TimelineFrame>& frames) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < frames.size(); ++i) {
        if (frames[i - 1].passes.empty()) continue;
        const double begin = frames[i - 1].submitted, end = frames[i - 1].passes.back().end;
        if (frames[i].cull_begin >= begin && frames[i].cull_begin < end) ++count;
    }
    return count;
}

}  // namespace lanecull::program
