#include "bake/bake_work.hpp"

#include <memory>
#include <utility>

#include "support/bytes.hpp"
#include "support/error.hpp"

namespace lanecull::program {

std::string BakePlan::bytes() const {
    std::string bytes;
    append_bytes(bytes, grid.lower);
    append_bytes(bytes, grid.size);
    append_bytes(bytes, grid.count);
    append_bytes(bytes, options.near_reach);
    append_bytes(bytes, options.distance);
    append_bytes(bytes, options.raster);
    append_bytes(bytes, options.max_occluders);
    append_bytes(bytes, options.max_parts);
    append_bytes(bytes, options.isa);
    append_array(bytes, std::span<const SolidBox>(boxes));
    append_array(bytes, std::span<const SolidBox>(drawn));
    append_array(bytes, std::span<const SolidOrientedBox>(oriented_boxes));
    return bytes;
}

BakePlan BakePlan::of(std::string_view bytes) {
    ByteReader reader(bytes, "the description of a bake");
    const auto read = [&]<class T>(T& value) { value = reader.value<T>(); };
    BakePlan plan;
    for (double& low : plan.grid.lower) read(low);
    for (double& size : plan.grid.size) read(size);
    for (std::uint32_t& count : plan.grid.count) read(count);
    read(plan.options.near_reach);
    read(plan.options.distance);
    read(plan.options.raster);
    read(plan.options.max_occluders);
    read(plan.options.max_parts);
    read(plan.options.isa);
    plan.boxes = reader.array<SolidBox>();
    plan.drawn = reader.array<SolidBox>();
    plan.oriented_boxes = reader.array<SolidOrientedBox>();
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

void BakeWork::bake_into(std::uint64_t cell, Memory& memory, BakedCell& baked) const {
    ConvexCell corners;
    require(cell_of(plan_.grid, cell, corners));
    require(bake_cell(world_, corners, plan_.options, memory.scratch, memory.words, baked));
}

std::string BakeWork::result(std::uint64_t cell) const {
    std::unique_ptr<Memory> memory = memory_.take([&] { return make_memory(); });
    BakedCell baked;
    bake_into(cell, *memory, baked);
    require(memory->set.compress(memory->words));
    const std::span<const std::byte> set = memory->set.bytes();
    std::string result;
    append_varint(result, set.size());
    result.append(reinterpret_cast<const char*>(set.data()), set.size());
    memory_.give_back(std::move(memory));
    return result;
}

std::vector<std::uint64_t> BakeWork::bake(std::uint64_t cell, std::vector<std::uint32_t>& hiding) const {
    Memory memory = make_memory();
    hiding.resize(plan_.options.max_occluders);
    BakedCell baked;
    baked.occluders = hiding;
    bake_into(cell, memory, baked);
    hiding.resize(baked.occluder_count);
    return std::move(memory.words);
}

}  // namespace lanecull::program
