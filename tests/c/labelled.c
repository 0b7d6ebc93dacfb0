/* The labelled cases, asked through the C interface on every set that runs here, by all methods: the labels hold, and
 * each verdict is that of the C++ interface. labelled CASES, a file of tests/conformance/pack_cases. */

#include "labelled.h"

#include <string.h>

#include "check.h"

enum { most_vertices = 4096 };

static void to_doubles(const float* from, double* to, int count) {
    int i;
    for (i = 0; i < count; ++i) to[i] = (double)from[i];
}

static lanecull_status prepare(const struct labelled_case* one, lanecull_views* views) {
    double numbers[24];
    lanecull_clip_space space = {sizeof(lanecull_clip_space), LANECULL_ROW_MAJOR, LANECULL_ZERO_TO_ONE, {0, 0, 0}};
    lanecull_sun sun;
    lanecull_lamp lamp;
    lanecull_view_options options;
    memset(&sun, 0, sizeof sun);
    memset(&lamp, 0, sizeof lamp);
    memset(&options, 0, sizeof options);
    sun.size = sizeof sun;
    lamp.size = sizeof lamp;
    options.size = sizeof options;
    if (one->light_kind == 1) {
        to_doubles(one->light, sun.toward, 3);
        sun.reach = (double)one->light[3];
        options.sun = &sun;
    } else if (one->light_kind == 2) {
        to_doubles(one->light, lamp.at, 3);
        options.lamp = &lamp;
    }
    to_doubles(one->view, numbers, one->view_kind == 2 ? 24 : 16);
    if (one->view_kind == 2) return lanecull_prepare_view_from_corners(views, 0, numbers, &options, &why);
    if (one->view_kind == 1) space.depth = LANECULL_MINUS_ONE_TO_ONE;
    return lanecull_prepare_view(views, 0, numbers, &space, &options, &why);
}

/* Makes the one object of `batches` that of the case. Hulls keep their vertices in static memory. */
static lanecull_status set_object(const struct labelled_case* one, lanecull_batches* batches) {
    static const float in_place[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    static float axes[3][most_vertices];
    static lanecull_hull hull;
    const float* n = one->shape;
    lanecull_spheres spheres = {sizeof(lanecull_spheres), n, n + 1, n + 2, n + 3, 1};
    lanecull_boxes boxes = {sizeof(lanecull_boxes), n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
    lanecull_centered_boxes centered = {sizeof(lanecull_centered_boxes), n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
    lanecull_capsules capsules = {sizeof(lanecull_capsules), n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
    lanecull_oriented_boxes oriented;
    lanecull_transforms transforms;
    lanecull_hull_instances instances;
    lanecull_attributes attributes;
    lanecull_batch batch;
    uint32_t i;
    memset(&oriented, 0, sizeof oriented);
    memset(&transforms, 0, sizeof transforms);
    memset(&instances, 0, sizeof instances);
    memset(&attributes, 0, sizeof attributes);
    memset(&batch, 0, sizeof batch);
    attributes.size = sizeof attributes;
    attributes.sweep_x = one->sweep;
    attributes.sweep_y = one->sweep + 1;
    attributes.sweep_z = one->sweep + 2;
    batch.size = sizeof batch;
    if (one->sweep[0] != 0 || one->sweep[1] != 0 || one->sweep[2] != 0) batch.attributes = &attributes;
    switch (one->shape_kind) {
        case 0:
            batch.spheres = &spheres;
            break;
        case 1:
            batch.boxes = &boxes;
            break;
        case 2:
            batch.centered_boxes = &centered;
            break;
        case 3:
            oriented.size = sizeof oriented;
            oriented.x = n;
            oriented.y = n + 1;
            oriented.z = n + 2;
            oriented.axes.first = n + 3;
            oriented.half_extents.first = n + 12;
            oriented.count = 1;
            batch.oriented_boxes = &oriented;
            break;
        case 4:
            batch.capsules = &capsules;
            break;
        default:
            CHECK(one->vertices <= most_vertices);
            for (i = 0; i < 3 * one->vertices; ++i) axes[i % 3][i / 3] = n[i];
            CHECK(lanecull_prepare_hull(axes[0], axes[1], axes[2], one->vertices, &hull, &why) == LANECULL_OK);
            transforms.size = sizeof transforms;
            transforms.first = in_place;
            transforms.layout = LANECULL_ROWS_3X4;
            instances.size = sizeof instances;
            instances.transforms = &transforms;
            instances.hulls = &hull;
            instances.hull_count = 1;
            instances.count = 1;
            batch.hull_instances = &instances;
            break;
    }
    return lanecull_set_batch(batches, 0, &batch, &why);
}

static int ask(lanecull_batches* batches, lanecull_views* views, uint32_t isa, uint32_t method) {
    static unsigned char scratch[65536];
    lanecull_cull_options options = {sizeof(lanecull_cull_options), 0, 0, NULL, 0};
    lanecull_view_output output;
    uint64_t word = 0;
    options.isa = isa;
    options.method = method;
    memset(&output, 0, sizeof output);
    output.size = sizeof output;
    output.visible = &word;
    output.visible_words = 1;
    CHECK(lanecull_cull(batches, views, 0, 1, &output, scratch, sizeof scratch, &options, NULL, &why) == LANECULL_OK);
    CHECK(output.visible_count == word);
    return word != 0;
}

int main(int count, char** arguments) {
    lanecull_batches* batches = NULL;
    lanecull_views* views = NULL;
    const uint32_t cases = count == 2 ? read_labelled(arguments[1]) : 0;
    uint32_t i, isa, method;
    unsigned asked = 0;
    CHECK(cases > 2000);
    CHECK(lanecull_create_batches(1, &batches, &why) == LANECULL_OK);
    CHECK(lanecull_create_views(1, &views, &why) == LANECULL_OK);
    for (i = 0; i < cases; ++i) {
        const struct labelled_case one = labelled(i);
        CHECK(prepare(&one, views) == LANECULL_OK);
        CHECK(set_object(&one, batches) == LANECULL_OK);
        for (isa = LANECULL_ISA_SCALAR; lanecull_isa_lanes(isa) > 0; ++isa) {
            if (!lanecull_isa_runnable(isa)) continue;
            for (method = LANECULL_METHOD_AUTOMATIC; method <= LANECULL_METHOD_PLANES; ++method) {
                const int visible = ask(batches, views, isa, method);
                ++asked;
                CHECK(visible == ask_cpp(i, isa, method));
                CHECK(visible || one.expect != 1);
                CHECK(!visible || one.expect != 2 || method == LANECULL_METHOD_PLANES);
            }
        }
    }
    printf("%u cases, %u verdicts\n", (unsigned)cases, asked);
    lanecull_destroy_views(views);
    lanecull_destroy_batches(batches);
    return failures();
}
