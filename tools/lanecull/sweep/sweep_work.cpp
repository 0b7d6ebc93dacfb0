#include "sweep/sweep_work.hpp"

#include <bit>
#include <glm/mat4x4.hpp>
#include <memory>
#include <utility>

#include "support/bytes.hpp"
#include "support/error.hpp"

namespace lanecull::program {

std::string SweepPlan::bytes() const {
    std::string bytes;
    append_array(bytes, std::span<const char>(views.bytes()));
    append_bytes(bytes, sun.has_value());
    append_bytes(bytes, sun.value_or(DirectionalLight{}));
    append_bytes(bytes, occluders);
    append_array(bytes, std::span<const SolidBox>(solids.boxes));
    append_array(bytes, std::span<const SolidBox>(solids.drawn));
    append_array(bytes, std::span<const SolidOrientedBox>(solids.oriented_boxes));
    append_bytes(bytes, isa);
    append_bytes(bytes, incidence);
    append_array(bytes, std::span<const std::uint32_t>(object_of));
    return bytes;
}

SweepPlan SweepPlan::of(std::string_view bytes) {
    ByteReader reader(bytes, "the description of a sweep");
    const std::vector<char> views = reader.array<char>();
    SweepPlan plan{.views = ViewSet(std::string_view(views.data(), views.size())), .sun = {}};
    const bool has_sun = reader.value<bool>();
    const DirectionalLight sun = reader.value<DirectionalLight>();
    if (has_sun) plan.sun = sun;
    plan.occluders = reader.value<OccluderSettings>();
    plan.solids.boxes = reader.array<SolidBox>();
    plan.solids.drawn = reader.array<SolidBox>();
    plan.solids.oriented_boxes = reader.array<SolidOrientedBox>();
    plan.isa = reader.value<Isa>();
    plan.incidence = reader.value<bool>();
    plan.object_of = reader.array<std::uint32_t>();
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
    std::unique_ptr<Memory> memory = memory_.take([&] { return make_memory(); });
    const View in_view = camera.view();
    VisibleRun first_run;  // runs are counted though they do not fit
    SceneOutput objects{.handles = memory->handles};
    Output unhidden{.runs = {&first_run, 1}, .scene = &objects};
    ViewCounts counts;
    if (memory->occluders) {
        Output seen{.visible = memory->in_view};
        cull(in_view, seen, *memory);
        counts.objects = static_cast<std::uint32_t>(seen.visible_count);
        unhidden.candidates = memory->in_view;
        unhidden.occluders = memory->occluders->choose_anew(camera, in_view);
    }
    cull(in_view, unhidden, *memory);
    counts.unhidden = static_cast<std::uint32_t>(unhidden.visible_count);
    counts.draws = static_cast<std::uint32_t>(unhidden.run_count);
    if (!memory->occluders) counts.objects = counts.unhidden;
    if (plan_.sun) {
        Output casters;
        cull(camera.view(*plan_.sun), casters, *memory);
        counts.casters = static_cast<std::uint32_t>(casters.visible_count);
    }
    std::string result;
    append_bytes(result, counts);
    if (plan_.incidence) append_objects(result, std::span(memory->handles).first(counts.unhidden), *memory);
    memory_.give_back(std::move(memory));
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
