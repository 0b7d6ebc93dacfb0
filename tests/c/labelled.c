/* The labelled cases on every set that runs here, by all methods: what shares a point with its view is visible, what is
 * apart is culled. labelled CASES [some]: CASES is a file of tests/conformance/pack_cases, which says what is in it;
 * `some`: the library may lack kinds, whose cases are passed over. */

#include "check.h"

enum { most_words = 1 << 20, most_vertices = 4096 };

/* A case as it stands in the file. */
struct labelled {
    uint32_t expect, shape_kind, view_kind, light_kind, vertices; /* expect: 0 either, 1 visible, 2 culled */
    const float *view, *light, *sweep, *shape;
};

/* Of whole words: numbers of the cases, and floats. */
static union {
    uint32_t numbers[most_words];
    float floats[most_words];
} file;

static const float* take(size_t* at, size_t count) {
    const float* const first = file.floats + *at;
    *at += count;
    return first;
}

static struct labelled take_case(size_t* at) {
    static const uint32_t shape_numbers[5] = {4, 6, 6, 15, 7}, light_numbers[3] = {0, 4, 3};
    const uint32_t* const head = file.numbers + *at;
    struct labelled one = {head[0], head[1], head[2], head[3], head[4], NULL, NULL, NULL, NULL};
    *at += 5;
    one.view = take(at, one.view_kind == 2 ? 24 : 16);
    one.light = take(at, light_numbers[one.light_kind % 3]);
    one.sweep = take(at, 3);
    one.shape = take(at, one.shape_kind < 5 ? shape_numbers[one.shape_kind] : 3 * one.vertices);
    return one;
}

static lanecull_status prepare(const struct labelled* one, lanecull_view* view) {
    double numbers[24];
    lanecull_clip_space space = {.layout = LANECULL_ROW_MAJOR};
    lanecull_directional_light directional_light = {.reach = one->light_kind == 1 ? (double)one->light[3] : 0};
    lanecull_point_light point_light = {.range = 0};
    lanecull_view_options options = {.directional_light = one->light_kind == 1 ? &directional_light : NULL,
                                     .point_light = one->light_kind == 2 ? &point_light : NULL};
    int i;
    for (i = 0; i < 3 && one->light_kind != 0; ++i) {
        directional_light.toward[i] = point_light.at[i] = (double)one->light[i];
    }
    for (i = 0; i < (one->view_kind == 2 ? 24 : 16); ++i) numbers[i] = (double)one->view[i];
    if (one->view_kind == 2) return lanecull_prepare_view_from_corners(numbers, &options, view);
    if (one->view_kind == 1) space.depth = LANECULL_MINUS_ONE_TO_ONE;
    return lanecull_prepare_view(numbers, &space, &options, view);
}

/* The case's object. A hull keeps its vertices in static memory. */
static lanecull_batch object_of(const struct labelled* one) {
    static const float in_place[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    static float axes[3][most_vertices];
    static lanecull_hull hull;
    const float *const n = one->shape, *const sweep = one->sweep;
    lanecull_batch batch = {.kind = LANECULL_SPHERES + one->shape_kind}; /* the file's order */
    lanecull_shapes* const shapes = &batch.shapes;
    uint32_t i;
    if (sweep[0] != 0 || sweep[1] != 0 || sweep[2] != 0) {
        batch.attributes.sweep_x = sweep, batch.attributes.sweep_y = sweep + 1, batch.attributes.sweep_z = sweep + 2;
    }
    switch (one->shape_kind) {
        case 0:
            shapes->spheres = (lanecull_spheres){n, n + 1, n + 2, n + 3, 1};
            break;
        case 1:
            shapes->boxes = (lanecull_boxes){n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
            break;
        case 2:
            shapes->centered_boxes = (lanecull_centered_boxes){n, n + 1, n + 2, n + 3, n + 4, n + 5, 1};
            break;
        case 3:
            shapes->oriented_boxes =
                (lanecull_oriented_boxes){n, n + 1, n + 2, {n + 3, 0}, {NULL, 0}, {n + 12, 0}, NULL, 1};
            break;
        case 4:
            shapes->capsules = (lanecull_capsules){n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, 1};
            break;
        default:
            CHECK(one->vertices <= most_vertices);
            for (i = 0; i < 3 * one->vertices; ++i) axes[i % 3][i / 3] = n[i];
            CHECK_OK(lanecull_prepare_hull(axes[0], axes[1], axes[2], one->vertices, &hull));
            shapes->hull_instances = (lanecull_hull_instances){.hulls = &hull, .hull_count = 1, .count = 1};
            shapes->hull_instances.transforms.first = in_place;
            shapes->hull_instances.transforms.layout = LANECULL_ROWS_3X4;
            break;
    }
    return batch;
}

int main(int count, char** arguments) {
    FILE* const from = count >= 2 ? fopen(arguments[1], "rb") : NULL;
    const int may_lack = count > 2;
    const size_t words = from != NULL ? fread(&file, sizeof(uint32_t), most_words, from) : 0;
    size_t at = 1;
    uint32_t i, verdicts = 0, lacking = 0;
    CHECK(words < most_words && file.numbers[0] > 2000);
    for (i = 0; i < file.numbers[0] && at < words; ++i) {
        const struct labelled one = take_case(&at);
        const lanecull_batch batch = object_of(&one);
        lanecull_view view = {0};
        uint64_t word = 0;
        lanecull_output output = {.visible = {&word, 1}};
        lanecull_cull_call call = {.objects.batches = {&batch, 1},
                                   .views = {&view, 1},
                                   .outputs = {&output, 1},
                                   .scratch = {scratch, sizeof scratch}};
        CHECK_OK(prepare(&one, &view));
        for (call.options.isa = 1; lanecull_isa_lanes(call.options.isa) > 0; ++call.options.isa) {
            if (lanecull_isa_runnable(call.options.isa) == 0) continue;
            for (call.options.method = 0; call.options.method <= LANECULL_METHOD_PLANES; ++call.options.method) {
                const lanecull_status status = lanecull_cull(&call);
                ++verdicts;
                if (may_lack && status.code == LANECULL_UNSUPPORTED) {
                    ++lacking;
                    continue;
                }
                CHECK_OK(status);
                CHECK(output.visible_count == word && (word == 1 || one.expect != 1));
                CHECK(word == 0 || one.expect != 2 || call.options.method == LANECULL_METHOD_PLANES);
            }
        }
    }
    CHECK(at == words && verdicts >= 2 * file.numbers[0] && lacking < verdicts);
    printf("%u verdicts, %u of kinds that the library lacks\n", (unsigned)verdicts, (unsigned)lacking);
    if (from != NULL) fclose(from);
    return failures();
}
