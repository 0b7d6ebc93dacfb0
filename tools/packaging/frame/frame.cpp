#include <cstdio>
#include <lanecull/lanecull.hpp>
#include <vector>

/// Culls a frame of three spheres and prints how many are visible, and on which instruction set.
int main() {
    const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
    const lanecull::Batch batches[] = {lanecull::Spheres{x, y, z, radius, 3}};

    const float clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1f, 0};
    lanecull::View views[1];
    if (!lanecull::prepare_view(clip_from_world, lanecull::ClipSpace::vulkan(), views[0])) return 1;

    std::vector<std::byte> scratch(lanecull::scratch_bytes(batches, 1));
    lanecull::Output outputs[1];
    if (lanecull::Status s = lanecull::cull(batches, views, outputs, scratch); !s) {
        std::fprintf(stderr, "%s\n", s.message());
        return 1;
    }
    lanecull::Isa isa{};
    if (!lanecull::resolve_isa(lanecull::Isa::automatic, isa)) return 1;
    std::printf("%d of 3 visible, lanecull %s, %s\n", static_cast<int>(outputs[0].visible_count), LANECULL_VERSION,
                lanecull::isa_name(isa));
    return 0;
}
