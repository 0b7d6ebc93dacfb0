#include "sight.h"

static const float millimetre = 0.001f; /* for what floats round */

static sight_box box_around(const float feet[3], float across, float below, float above) {
    const sight_box box = {{feet[0] - across, feet[1] - across, feet[2] - below},
                           {feet[0] + across, feet[1] + across, feet[2] + above}};
    return box;
}

sight_box sight_body(const float feet[3]) {
    const float rise = SIGHT_RISE + millimetre;
    return box_around(feet, SIGHT_HALF_WIDTH + SIGHT_RUN + millimetre, rise, SIGHT_HEIGHT + rise);
}

sight_box sight_eyes(const float feet[3]) {
    const float rise = SIGHT_CLIMB + SIGHT_RISE + millimetre;
    return box_around(feet, SIGHT_LEAN + SIGHT_ROAM + SIGHT_RUN + millimetre, rise - SIGHT_EYE, rise + SIGHT_EYE);
}

static lanecull_refusal prepare_solid(const lanecull_solid_set* of, uint32_t i, const lanecull_viewpoint* from,
                                      lanecull_occluder* occluder) {
    if (i < of->boxes.count) return lanecull_prepare_occluder_box(&of->boxes.items[i], from, NULL, occluder);
    return lanecull_prepare_occluder_oriented_box(&of->oriented_boxes.items[i - of->boxes.count], from, NULL, occluder);
}

int sight_prepare(const sight* s, const sight_box* eyes, const uint32_t* solids, uint32_t count,
                  lanecull_occluder* occluders, uint32_t* prepared) {
    double corners[8][3];
    lanecull_viewpoint from;
    uint32_t k, a;
    *prepared = 0;
    for (k = 0; k < 8; ++k) {
        for (a = 0; a < 3; ++a) corners[k][a] = k >> a & 1 ? eyes->high[a] : eyes->low[a];
    }
    if (lanecull_prepare_viewpoint_from_eyes(corners[0], 24, SIGHT_NEAR, &from).code) return 1;
    for (k = 0; k < count; ++k) {
        *prepared += prepare_solid(&s->solids, solids[k], &from, &occluders[*prepared]) == LANECULL_REFUSED_NOT;
    }
    return 0;
}

/* The solids to try where the feet are; none beyond the map. */
static const sight_choice* choice_at(const sight* s, const float feet[3]) {
    static const sight_choice nothing;
    const float x = (feet[0] - s->low[0]) / SIGHT_SQUARE, y = (feet[1] - s->low[1]) / SIGHT_SQUARE;
    if (!(x >= 0 && y >= 0 && x < (float)s->squares[0] && y < (float)s->squares[1])) return &nothing;
    return &s->choices[(uint32_t)y * s->squares[0] + (uint32_t)x];
}

static int is_inside(const float p[3], const sight_box* box) {
    return p[0] >= box->low[0] && p[0] <= box->high[0] && p[1] >= box->low[1] && p[1] <= box->high[1] &&
           p[2] >= box->low[2] && p[2] <= box->high[2];
}

/* Makes the player's cell anew when he has left the one that there is. */
static int update_cell(sight* s, const float feet[3], sight_cell* cell) {
    const sight_box nowhere = {{1, 1, 1}, {0, 0, 0}};
    const sight_choice* const choice = choice_at(s, feet);
    if (is_inside(feet, &cell->home)) return 0;
    cell->home = nowhere;
    cell->count = 0;
    if (s->made == sight_new_cells) return 0;
    ++s->made;
    cell->home = box_around(feet, SIGHT_ROAM, SIGHT_CLIMB, SIGHT_CLIMB);
    cell->eyes = sight_eyes(feet);
    return sight_prepare(s, &cell->eyes, choice->solid, choice->count, cell->occluders, &cell->count);
}

int sight_tick(sight* s, const float (*feet)[3], uint32_t players, uint64_t* sent) {
    const lanecull_batch bodies = {.kind = LANECULL_BOXES,
                                   .shapes.boxes = {s->body_low[0], s->body_low[1], s->body_low[2], s->body_high[0],
                                                    s->body_high[1], s->body_high[2], players}};
    const lanecull_cull_call call = {.objects.batches = {&bodies, 1},
                                     .views = {s->everywhere, players},
                                     .outputs = {s->outputs, players},
                                     .scratch = {s->scratch, sizeof s->scratch}};
    uint32_t p, a;
    if (players > sight_players) return 1;
    s->made = 0;
    for (p = 0; p < players; ++p) {
        const sight_box body = sight_body(feet[p]);
        const lanecull_words word = {&sent[p], 1};
        for (a = 0; a < 3; ++a) s->body_low[a][p] = body.low[a], s->body_high[a][p] = body.high[a];
        if (update_cell(s, feet[p], &s->cells[p])) return 1;
        s->outputs[p].visible = word;
        s->outputs[p].occluders.items = s->cells[p].occluders;
        s->outputs[p].occluders.count = s->cells[p].count;
    }
    return lanecull_cull(&call).code != LANECULL_OK;
}
