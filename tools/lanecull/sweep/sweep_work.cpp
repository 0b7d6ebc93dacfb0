#include <bit>
#include <glm/mat4x4.hpp>
#include <utility>

#include "support/bytes.hpp"
#include "support/error.hpp"
#include "sweep/sweep.hpp"

namespace lanecull::program {

std::string SweepPlan::bytes() const {
    std::string bytes;
    append_all(bytes, views.bytes(), sun.has_value(), sun.value_or(DirectionalLight{}), occluders, solids.boxes,
               solids.drawn, solids.oriented_boxes, isa, incidence, object_of);
    return bytes;
}

SweepPlan SweepPlan::of(std::string_view bytes) {
    ByteReader reader(bytes, "the description of a sweep");
    SweepPlan plan{.views = ViewSet(reader.text()), .sun = {}};
    bool has_sun = false;
    DirectionalLight sun;
    reader.read_all(has_sun, sun, plan.occluders, plan.solids.boxes, plan.solids.drawn, plan.solids.oriented_boxes,
                    plan.isa, plan.incidence, plan.object_of);
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
    if (plan_.incidence) {
        memory.handles.resize(scene_.object_count());
        memory.bits.resize((scene_.object_count() + 63) / 64);
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
    SceneOutput objects{.handles = memory.handles};
    Output unhidden{.runs = {&first_run, 1}, .scene = &objects};
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
    if (plan_.incidence) append_objects(result, std::span(memory.handles).first(counts.unhidden), memory);
    return result;
}

void SweepWork::append_objects(std::string& result, std::span<const Handle> handles, Memory& memory) const {
    for (const Handle handle : handles) {
        const std::uint32_t object = plan_.object_of.empty() ? handle : plan_.object_of[handle];
        memory.bits[object / 64] |= std::uint64_t{1} << object % 64;
    }
    std::uint64_t last = 0;
    for (std::size_t w = 0; w < memory.bits.size(); ++w) {
        for (std::uint64_t word = std::exchange(memory.bits[w], 0); word != 0; word &= word - 1) {
            const std::uint64_t object = 64 * w + static_cast<std::uint64_t>(std::countr_zero(word));
            append_varint(result, object - last);
            last = object;
        }
    }
}

}  // namespace lanecull::program
