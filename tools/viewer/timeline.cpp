#include "timeline.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "support/json.hpp"

namespace lanecull::program {

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string timeline_json(const std::vector<TimelineFrame>& frames, const std::string& device,
                          const std::string& scene) {
    const double start = frames.empty() ? 0 : frames.front().cull_begin;
    const auto pass_json = [&](const char* name, double begin, double end) {
        Json pass;
        pass.set("begin_ms", 1e3 * (begin - start)).set("end_ms", 1e3 * (end - start)).set("name", name);
        return pass;
    };
    Json list = Json::array();
    for (const TimelineFrame& frame : frames) {
        Json passes = Json::array();
        passes.add(pass_json("cull", frame.cull_begin, frame.cull_end));
        for (const PassTime& pass : frame.passes) passes.add(pass_json(pass.name, pass.begin, pass.end));
        std::map<std::string, std::uint64_t> draws;
        for (std::size_t v = 0; v < frame.drawn.draws.size(); ++v) draws[view_name(v)] = frame.drawn.draws[v];
        Json views = Json::object();
        for (const auto& [name, count] : draws) views.set(name.c_str(), count);
        Json entry;
        entry.set("casters", frame.drawn.caster_draws()).set("draws", frame.drawn.frame_draws());
        entry.set("hidden", frame.drawn.hidden).set("occluders", std::uint64_t{frame.drawn.occluders});
        entry.set("passes", std::move(passes)).set("submitted_ms", 1e3 * (frame.submitted - start));
        entry.set("views", std::move(views));
        list.add(std::move(entry));
    }
    Json document;
    document.set("device", device).set("frames", std::move(list)).set("program", "lanecull view").set("scene", scene);
    return document.dump(1) + "\n";
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
