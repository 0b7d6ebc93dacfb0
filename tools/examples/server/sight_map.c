/* Once a map: which solids to try from each square of the floor. Bodies stand on all squares; the first solid is the
 * one that hides most of them from here, and each next one hides most of what those before it leave. */

#include <stdlib.h>

#include "sight.h"

/* Memory for one square's choice. */
typedef struct chooser {
    uint32_t solids, bodies;
    size_t words;                 /* of a bit for each body */
    uint32_t* gain;               /* [solid]: of what is left it hides so many, or fewer */
    float* body;                  /* [axis, low and high][body] */
    uint64_t* visible;            /* [solid][word]: what it does not hide */
    uint64_t* left;               /* [word]: what no chosen one hides */
    lanecull_occluder* occluders; /* [solid] */
    lanecull_batch batch;
    void* scratch;
    size_t scratch_bytes;
} chooser;

static void middle_of(const sight* s, uint32_t square, float feet[3]) {
    feet[0] = s->low[0] + SIGHT_SQUARE * ((float)(square % s->squares[0]) + 0.5f);
    feet[1] = s->low[1] + SIGHT_SQUARE * ((float)(square / s->squares[0]) + 0.5f);
    feet[2] = 0;
}

static int start(const sight* s, chooser* c) {
    const uint32_t n = s->squares[0] * s->squares[1];
    const lanecull_objects objects = {.batches = {&c->batch, 1}};
    uint32_t i, a;
    c->solids = (uint32_t)(s->solids.boxes.count + s->solids.oriented_boxes.count);
    c->bodies = n;
    c->words = (n + 63) / 64;
    c->gain = malloc(c->solids * sizeof *c->gain);
    c->body = malloc(6 * n * sizeof *c->body);
    c->visible = malloc(c->solids * c->words * sizeof *c->visible);
    c->left = malloc(c->words * sizeof *c->left);
    c->occluders = calloc(c->solids, sizeof *c->occluders); /* without owners */
    if (!c->gain || !c->body || !c->visible || !c->left || !c->occluders) return 1;
    for (i = 0; i < n; ++i) {
        float feet[3];
        sight_box body;
        middle_of(s, i, feet);
        body = sight_body(feet);
        for (a = 0; a < 3; ++a) c->body[a * n + i] = body.low[a], c->body[(a + 3) * n + i] = body.high[a];
    }
    c->batch.kind = LANECULL_BOXES;
    c->batch.shapes.boxes =
        (lanecull_boxes){c->body, c->body + n, c->body + 2 * n, c->body + 3 * n, c->body + 4 * n, c->body + 5 * n, n};
    c->scratch_bytes = lanecull_scratch_bytes(&objects, sight_players);
    c->scratch = malloc(c->scratch_bytes);
    return c->scratch == NULL;
}

static void end(chooser* c) {
    free(c->gain);
    free(c->body);
    free(c->visible);
    free(c->left);
    free(c->occluders);
    free(c->scratch);
}

/* What each solid does not hide from the cell: many solids in a call, each by a view of its own. */
static int test_solids(const sight* s, const sight_box* eyes, chooser* c) {
    lanecull_output outputs[sight_players];
    const lanecull_output nothing = {.visible = {NULL, 0}};
    uint32_t first, k, count;
    for (first = 0; first < c->solids; first += count) {
        const uint32_t rest = c->solids - first;
        lanecull_cull_call call = {.objects.batches = {&c->batch, 1}, .scratch = {c->scratch, c->scratch_bytes}};
        count = rest < sight_players ? rest : sight_players;
        for (k = 0; k < count; ++k) {
            const uint32_t i = first + k;
            uint32_t prepared;
            if (sight_prepare(s, eyes, &i, 1, &c->occluders[i], &prepared)) return 1;
            outputs[k] = nothing;
            outputs[k].visible.items = c->visible + i * c->words;
            outputs[k].visible.count = c->words;
            outputs[k].occluders.items = &c->occluders[i];
            outputs[k].occluders.count = prepared;
        }
        call.views.items = s->everywhere;
        call.outputs.items = outputs;
        call.views.count = call.outputs.count = count;
        if (lanecull_cull(&call).code) return 1;
        for (k = 0; k < count; ++k) c->gain[first + k] = c->bodies - (uint32_t)outputs[k].visible_count;
    }
    return 0;
}

static uint32_t bits_of(uint64_t x) {
    uint32_t n = 0;
    for (; x != 0; x &= x - 1) ++n;
    return n;
}

static void choose(chooser* c, sight_choice* choice) {
    size_t w;
    for (w = 0; w < c->words; ++w) c->left[w] = UINT64_MAX;
    if (c->bodies % 64 != 0) c->left[c->words - 1] >>= 64 - c->bodies % 64;
    for (choice->count = 0; choice->count < sight_occluders; ++choice->count) {
        uint32_t i, best = 0, most = 0;
        for (i = 0; i < c->solids; ++i) {
            if (c->gain[i] <= most) continue; /* it has not become more */
            for (c->gain[i] = 0, w = 0; w < c->words; ++w) {
                c->gain[i] += bits_of(c->left[w] & ~c->visible[i * c->words + w]);
            }
            if (c->gain[i] > most) most = c->gain[i], best = i;
        }
        if (most == 0) break;
        choice->solid[choice->count] = best;
        for (w = 0; w < c->words; ++w) c->left[w] &= c->visible[best * c->words + w];
    }
}

static int choose_everywhere(sight* s) {
    chooser c = {0};
    uint32_t q;
    int failed = start(s, &c);
    for (q = 0; !failed && q < c.bodies; ++q) {
        float feet[3];
        sight_box eyes;
        middle_of(s, q, feet);
        eyes = sight_eyes(feet);
        failed = test_solids(s, &eyes, &c);
        if (!failed) choose(&c, &s->choices[q]);
    }
    end(&c);
    return failed;
}

sight* sight_of_map(const lanecull_solid_set* solids, const float low[2], const float high[2]) {
    const lanecull_plane above_the_deep = {{0, 0, 1}, 1e6};
    sight* const s = calloc(1, sizeof *s);
    uint32_t k;
    if (s == NULL) return NULL;
    s->solids = *solids;
    for (k = 0; k < 2; ++k) {
        s->low[k] = low[k];
        s->squares[k] = (uint32_t)((high[k] - low[k]) / SIGHT_SQUARE) + 1;
    }
    for (k = 0; k < sight_players; ++k) {
        if (lanecull_prepare_view_from_planes(&above_the_deep, 1, NULL, &s->everywhere[k]).code) break;
    }
    s->choices = calloc(s->squares[0] * s->squares[1], sizeof *s->choices);
    if (k == sight_players && s->choices != NULL && !choose_everywhere(s)) return s;
    sight_end(s);
    return NULL;
}

void sight_end(sight* s) {
    if (s == NULL) return;
    free(s->choices);
    free(s);
}
