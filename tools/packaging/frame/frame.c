#include <lanecull/lanecull.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(lanecull_status status) {
    lanecull_message why;
    fprintf(stderr, "%s\n", lanecull_explain(&status, why.text, sizeof why.text));
    return 1;
}

/* Culls the frame of frame.cpp, from C, and prints the same. */
int main(void) {
    const float x[] = {0, 90, 0}, y[] = {0, 0, 0}, z[] = {-5, -5, 20}, radius[] = {1, 1, 1};
    const double clip_from_world[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.1, 0};
    const lanecull_batch spheres = {.kind = LANECULL_SPHERES, .shapes.spheres = {x, y, z, radius, 3}};
    lanecull_view view;
    lanecull_output output = {0};
    lanecull_cull_call call = {.objects.batches = {&spheres, 1}, .views = {&view, 1}, .outputs = {&output, 1}};
    lanecull_isa isa;
    lanecull_status status;

    if ((status = lanecull_prepare_view(clip_from_world, NULL, NULL, &view)).code != LANECULL_OK) return fail(status);
    call.scratch.bytes = lanecull_scratch_bytes(&call.objects, 1);
    call.scratch.first = malloc(call.scratch.bytes);
    if ((status = lanecull_cull(&call)).code != LANECULL_OK) return fail(status);
    free(call.scratch.first);
    if ((status = lanecull_resolve_isa(LANECULL_ISA_AUTOMATIC, &isa)).code != LANECULL_OK) return fail(status);
    printf("%u of 3 visible, lanecull from C, %s\n", (unsigned)output.visible_count, lanecull_isa_name(isa));
    return 0;
}
