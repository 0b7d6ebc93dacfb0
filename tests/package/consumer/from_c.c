#include <lanecull/lanecull.h>

/* Two spheres against the cube [-1, 1]^3, as in two_spheres.hpp. */
int main(void) {
    const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const float x[2] = {0, 3}, zero[2] = {0, 0}, radius[2] = {1, 1};
    const lanecull_clip_space clip_space = {.depth = LANECULL_MINUS_ONE_TO_ONE};
    const lanecull_batch spheres = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, zero, zero, radius, 2}};
    static char scratch[4096];
    lanecull_view view;
    uint64_t visible = 0;
    lanecull_output output = {.visible = {&visible, 1}};
    const lanecull_cull_call call = {.objects.batches = {&spheres, 1},
                                     .views = {&view, 1},
                                     .outputs = {&output, 1},
                                     .scratch = {scratch, sizeof scratch}};
    if (lanecull_prepare_view(identity, &clip_space, NULL, &view).code != LANECULL_OK) return 1;
    return lanecull_cull(&call).code == LANECULL_OK && visible == 1 && output.visible_count == 1 ? 0 : 1;
}
