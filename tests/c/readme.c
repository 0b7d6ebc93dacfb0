#include <lanecull/lanecull.h>
#include <stdio.h>

int main(void) {
    const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
    const double matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.0001, -1, 0, 0, -0.10001, 0}; /* looks along -z */
    const lanecull_batch spheres = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, 3}};
    uint32_t indices[3];
    lanecull_output output = {.indices = {indices, 3}};
    lanecull_view view;
    char scratch[512]; /* lanecull_scratch_bytes() says how many */
    const lanecull_cull_call call = {.objects.batches = {&spheres, 1},
                                     .views = {&view, 1},
                                     .outputs = {&output, 1},
                                     .scratch = {scratch, sizeof scratch}};
    if (lanecull_prepare_view(matrix, NULL, NULL, &view).code || lanecull_cull(&call).code) return 1;
    printf("%u of 3 spheres is in view: number %u\n", (unsigned)output.visible_count, (unsigned)indices[0]);
}
