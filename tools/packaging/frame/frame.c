#include <lanecull/lanecull.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Culls the frame of frame.cpp, from C, and prints the same. */
int main(void) {
    const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
    const double clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    lanecull_spheres spheres = {sizeof(lanecull_spheres), x, y, z, radius, 3};
    lanecull_message why;
    lanecull_batches* batches = NULL;
    lanecull_views* views = NULL;
    lanecull_batch batch;
    lanecull_view_output output;
    uint64_t visible = 0;
    uint32_t isa = 0;
    size_t scratch_bytes;
    void* scratch;
    int count = 0;

    memset(&batch, 0, sizeof batch);
    batch.size = sizeof batch;
    batch.spheres = &spheres;
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    output.visible = &visible;
    output.visible_words = 1;
    if (lanecull_create_batches(1, &batches, &why) != LANECULL_OK ||
        lanecull_set_batch(batches, 0, &batch, &why) != LANECULL_OK ||
        lanecull_create_views(1, &views, &why) != LANECULL_OK ||
        lanecull_prepare_view(views, 0, clip_from_world, NULL, NULL, &why) != LANECULL_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    scratch_bytes = lanecull_scratch_bytes(batches, 1);
    scratch = malloc(scratch_bytes);
    if (lanecull_cull(batches, views, 0, 1, &output, scratch, scratch_bytes, NULL, NULL, &why) != LANECULL_OK ||
        lanecull_resolve_isa(LANECULL_ISA_AUTOMATIC, &isa, &why) != LANECULL_OK) {
        fprintf(stderr, "%s\n", why.text);
        return 1;
    }
    for (; visible != 0; visible &= visible - 1) ++count;
    printf("%d of 3 visible, lanecull from C, %s\n", count, lanecull_isa_name(isa));
    free(scratch);
    lanecull_destroy_views(views);
    lanecull_destroy_batches(batches);
    return 0;
}
