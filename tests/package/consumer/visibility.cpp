#include <lanecull/visibility.h>

/// Baked visibility from the installed target: of two balls one is behind a wall.
int main() {
    const float x[] = {5, 20}, zero[] = {0, 0}, r[] = {1, 1};
    const lanecull::Batch balls = lanecull::Spheres{x, zero, zero, r, 2};
    lanecull::Scene scene;
    lanecull::Handle names[2];
    if (!scene.add({&balls, 1}, names)) return 1;
    scene.refit();
    const lanecull::SolidBox wall = {{10, -50, -50}, {11, 50, 50}};
    lanecull::BakeScene world;
    lanecull::SolidSet solids;
    solids.boxes = wall;
    if (!world.prepare(scene, solids)) return 1;
    lanecull::CellGrid grid;
    lanecull::ConvexCell cell;
    if (!lanecull::cover_with_cells({-1, -1, -1}, {1, 1, 1}, {2, 2, 2}, grid)) return 1;
    if (!lanecull::cell_of(grid, 0, cell)) return 1;
    static std::byte scratch[1 << 20];
    static std::uint64_t words[64];
    const std::size_t count = world.visibility_words();
    if (world.scratch_bytes() > sizeof scratch || count > 64) return 1;
    lanecull::BakedCell baked;
    if (!lanecull::bake_cell(world, cell, {}, scratch, {words, count}, baked)) return 1;
    lanecull::CompressedSet set;
    if (!set.compress({words, count})) return 1;
    return baked.visible == 1 && baked.hidden == 1 && lanecull::expand_set(set.bytes(), {words, count}) ? 0 : 1;
}
