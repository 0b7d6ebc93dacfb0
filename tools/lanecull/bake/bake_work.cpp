
#include "bake/bake.hpp"
#include "support/bytes.hpp"

namespace lanecull::program {
namespace {

/// Calls `each` with all members of a plan.
void with_members(auto& plan, const auto& each) {
    each(plan.grid.lower, plan.grid.size, plan.grid.count, plan.options.near_reach, plan.options.distance,
         plan.options.raster, plan.options.max_occluders, plan.options.max_parts, plan.options.isa, plan.boxes,
         plan.drawn, plan.oriented_boxes);
}

}  // namespace

std::string BakePlan::bytes() const {
    std::string bytes;
    with_members(*this, [&](const auto&... members) { append_all(bytes, members...); });
    return bytes;
}

BakePlan BakePlan::of(std::string_view bytes) {
    ByteReader reader(bytes, "the description of a bake");
    BakePlan plan;
    with_members(plan, [&](auto&... members) { reader.read_all(members...); });
    return plan;
}

BakeWork::BakeWork(lanecull::Scene scene, BakePlan plan, const Runner& runner)
    : scene_(std::move(scene)), plan_(std::move(plan)) {
    Isa isa{};
    require(resolve_isa(plan_.options.isa, isa));
    if (isa != plan_.options.isa) fail("this machine does not run {}: --isa names one", isa_name(plan_.options.isa));
    require(world_.prepare(scene_, plan_.solids(), runner));
}

BakeWork::Memory BakeWork::make_memory() const {
    Memory memory;
    memory.scratch.resize(world_.scratch_bytes());
    memory.words.resize(world_.visibility_words());
    return memory;
}

std::string BakeWork::result(std::uint64_t cell) const {
    Memory& memory = memory_.local();
    ConvexCell corners;
    BakedCell baked;
    require(cell_of(plan_.grid, cell, corners));
    require(bake_cell(world_, corners, plan_.options, memory.scratch, memory.words, baked));
    require(memory.set.compress(memory.words));
    const std::span<const std::byte> set = memory.set.bytes();
    std::string result;
    append_array(result, set);
    return result;
}

}  // namespace lanecull::program
