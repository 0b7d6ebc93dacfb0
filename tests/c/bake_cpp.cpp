#include "bake.h"

#include <array>
#include <lanecull/visibility.hpp>
#include <vector>

using namespace lanecull;

namespace {

Status bake(const char* path, const float (*objects)[object_count], const float* solids, baked_totals& totals) {
    const auto& o = objects;
    const Batch boxes = Boxes{o[0], o[1], o[2], o[3], o[4], o[5], object_count};
    Scene scene;
    std::vector<Handle> handles(object_count);
    Status status = scene.add({&boxes, 1}, handles);
    scene.refit();

    std::vector<SolidBox> hiding;
    for (const float* s = solids; s != solids + 6 * solid_count; s += 6) {
        hiding.push_back({{s[0], s[1], s[2]}, {s[3], s[4], s[5]}});
    }
    SolidSet set;
    set.boxes = hiding;
    BakeScene world;
    if (status) status = world.prepare(scene, set);
    BakeOptions options;
    options.near_reach = 0.25;
    options.distance = 60;
    options.max_parts = 8;
    CellGrid grid;
    if (status) status = cover_with_cells({-1, -1, -1}, {1, 1, 1}, {1, 1, 1}, grid);
    VisibilityWriter file;
    if (status) {
        VisibilityHeader header;
        header.objects = scene.slot_count();
        header.fingerprint = slot_fingerprint(scene);
        header.grid = grid;
        header.options = options;
        status = file.open(path, header);
    }
    std::vector<std::byte> scratch(world.scratch_bytes());
    std::vector<std::uint64_t> words(world.visibility_words());
    for (std::uint64_t i = 0; i < grid_cells && status; ++i) {
        ConvexCell cell;
        BakedCell baked;
        status = cell_of(grid, i, cell);
        if (status) status = bake_cell(world, cell, options, scratch, words, baked);
        if (status) status = file.add(words);
        totals.visible += baked.visible;
        totals.hidden += baked.hidden;
        totals.distant += baked.distant;
        totals.occluders += baked.occluder_count;
        totals.rounds += baked.rounds;
        totals.parts += baked.parts[0] * baked.parts[1] * baked.parts[2];
    }
    return status ? file.commit() : status;
}

}  // namespace

int bake_cpp(const char* path, const float (*objects)[object_count], const float* solids, baked_totals* totals) {
    return bake(path, objects, solids, *totals) ? 1 : 0;
}
