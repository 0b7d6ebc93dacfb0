
#include "support/bytes.hpp"
#include "sweep/sweep.hpp"

namespace lanecull::program {

std::string SweepPlan::bytes() const {
    std::string bytes;
    append_all(bytes, views.bytes(), sun.has_value(), sun.value_or(DirectionalLight{}), occluders, solids.boxes,
               solids.drawn, solids.oriented_boxes, isa);
    return bytes;
}

SweepPlan SweepPlan::of(std::string_view bytes) {
    ByteReader reader(bytes, "the description of a sweep");
    SweepPlan plan{.views = ViewSet(reader.text()), .sun = {}};
    bool has_sun = false;
    DirectionalLight sun;
    reader.read_all(has_sun, sun, plan.occluders, plan.solids.boxes, plan.solids.drawn, plan.solids.oriented_boxes,
                    plan.isa);
    if (has_sun) plan.sun = sun;
    return plan;
}

SweepWork::SweepWork(lanecull::Scene scene, SweepPlan plan) : scene_(std::move(scene)), plan_(std::move(plan)) {
    Isa isa{};
    require(resolve_isa(plan_.isa, isa));
    if (isa != plan_.isa) fail("this machine does not run {}, which --isa may replace", isa_name(plan_.isa));
}

SweepWork::Memory SweepWork::make_memory() const {
    Memory memory;
    memory.scratch.resize(scratch_bytes(scene_, 1));
    if (plan_.occluders.most > 0) {
        memory.occluders.emplace(plan_.solids, plan_.occluders);
        memory.in_view.resize(visibility_words(scene_));
    }
    return memory;
}

void SweepWork::cull(const View& view, Output& output, Memory& memory) const {
    require(lanecull::cull(scene_, {&view, 1}, {&output, 1}, memory.scratch, {.isa = plan_.isa}));
}

std::string SweepWork::result(std::uint64_t view) const {
    const Camera camera = plan_.views.camera(view);
    Memory& memory = memory_.local();
    const View in_view = camera.view();
    VisibleRun first_run;  // runs are counted though they do not fit
    Output unhidden{.runs = {&first_run, 1}};
    ViewCounts counts;
    if (memory.occluders) {
        Output seen{.visible = memory.in_view};
        cull(in_view, seen, memory);
        counts.objects = static_cast<std::uint32_t>(seen.visible_count);
        unhidden.candidates = memory.in_view;
        unhidden.occluders = memory.occluders->choose(camera, in_view);
    }
    cull(in_view, unhidden, memory);
    counts.unhidden = static_cast<std::uint32_t>(unhidden.visible_count);
    counts.draws = static_cast<std::uint32_t>(unhidden.run_count);
    if (!memory.occluders) counts.objects = counts.unhidden;
    if (plan_.sun) {
        Output casters;
        cull(camera.view(*plan_.sun), casters, memory);
        counts.casters = static_cast<std::uint32_t>(casters.visible_count);
    }
    std::string result;
    append_bytes(result, counts);
    return result;
}

}  // namespace lanecull::program
