#include <lanecull/lanecull.h>
#include <cstddef>
#include <cstdio>
#include <vector>

/// Culls a frame of three spheres and prints how many are visible, and on which instruction set.
int main() {
    const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
    const lanecull::Batch spheres = lanecull::Spheres{x, y, z, radius, 3};

    const float clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1f, 0};
    lanecull::View view;
    if (!lanecull::prepare_view(clip_from_world, lanecull::ClipSpace::vulkan(), view)) return 1;

    std::vector<std::byte> scratch(lanecull::scratch_bytes(spheres, 1));
    lanecull::Output output;
    if (lanecull::Status s = lanecull::cull(spheres, view, output, scratch); !s) {
        std::fprintf(stderr, "%s\n", s.message().text);
        return 1;
    }
    lanecull::Isa isa{};
    if (!lanecull::resolve_isa(lanecull::Isa::automatic, isa)) return 1;
    std::printf("%d of 3 visible, lanecull %s, %s\n", static_cast<int>(output.visible_count), LANECULL_VERSION,
                lanecull::isa_name(isa));
    return 0;
}
