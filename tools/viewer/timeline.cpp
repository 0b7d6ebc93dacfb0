#include "timeline.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/report.hpp"

namespace lanecull::program {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string timeline_json(const std::vector<TimelineFrame>& frames, const std::string& device,
                          const std::string& scene) {
    const double start = frames.empty() ? 0 : frames.front().cull_begin;
    const auto pass_json = [&](const char* name, double begin, double end) {
        return Report{{"begin_ms", 1e3 * (begin - start)}, {"end_ms", 1e3 * (end - start)}, {"name", name}};
    };
    Report list = Report::array();
    for (const TimelineFrame& frame : frames) {
        Report passes = Report::array();
        passes.push_back(pass_json("cull", frame.cull_begin, frame.cull_end));
        for (const PassTime& pass : frame.passes) passes.push_back(pass_json(pass.name, pass.begin, pass.end));
        std::map<std::string, std::uint64_t> draws;
        for (std::size_t v = 0; v < frame.drawn.draws.size(); ++v) draws[view_name(v)] = frame.drawn.draws[v];
        list.push_back({{"casters", frame.drawn.caster_draws()},
                        {"draws", frame.drawn.frame_draws()},
                        {"hidden", frame.drawn.hidden},
                        {"light_entries", frame.drawn.light_entries},
                        {"occluders", frame.drawn.occluders},
                        {"passes", passes},
                        {"submitted_ms", 1e3 * (frame.submitted - start)},
                        {"views", draws}});
    }
    return text_of({{"device", device}, {"frames", list}, {"program", "lanecull view"}, {"scene", scene}}, 1);
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
