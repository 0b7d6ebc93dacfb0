/* A server's ticks: 64 players run about on a map of 360 solids. What sight_tick() says is checked by lines of sight in
 * doubles, which know nothing of the library: of a hidden pair each line hits a solid, and a cell and a body's box hold
 * whatever their player may do within the lag. With an argument the first tick is drawn to that file. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rooms.h"
#include "sight.h"

enum { ticks = 128, checked_every = 32, walks = 256, lines = 2000 };

static rooms map;
static runner players[sight_players];
static float feet[sight_players][3];
static double ends[sight_players][walks][3]; /* where each may stand once the lag is over */

/* 1: the line from a to b meets solid i. */
static int meets(const rooms* r, size_t i, const double a[3], const double b[3]) {
    double enter = 0, leave = 1;
    int k, j;
    for (k = 0; k < 3; ++k) {
        double from = 0, way = 0, low, high, first, last;
        if (i < r->solids.boxes.count) {
            from = a[k], way = b[k] - a[k], low = r->walls[i].min[k], high = r->walls[i].max[k];
        } else {
            const lanecull_solid_oriented_box* const c = &r->crates[i - r->solids.boxes.count];
            for (j = 0; j < 3; ++j) {
                from += (a[j] - c->center[j]) * c->axes[k][j];
                way += (b[j] - a[j]) * c->axes[k][j];
            }
            low = -c->half_extents[k], high = c->half_extents[k];
        }
        if (way == 0) {
            if (from < low || from > high) return 0;
            continue;
        }
        first = (way > 0 ? low - from : high - from) / way;
        last = (way > 0 ? high - from : low - from) / way;
        enter = first > enter ? first : enter;
        leave = last < leave ? last : leave;
    }
    return enter <= leave;
}

/* 1: no solid is in the way. */
static int is_free_line(const rooms* r, const double a[3], const double b[3]) {
    static size_t latest; /* most lines of a pair hit the same one */
    const size_t count = r->solids.boxes.count + r->solids.oriented_boxes.count;
    size_t i;
    if (latest < count && meets(r, latest, a, b)) return 0;
    for (i = 0; i < count; ++i) {
        if (!meets(r, i, a, b)) continue;
        latest = i;
        return 0;
    }
    return 1;
}

/* A straight way as far as `length`, or as far as nothing is in it. */
static double walk(double at[2], double length) {
    const double angle = rooms_random(&map, 0, 6.2831853), step = 0.02;
    double gone = 0;
    for (; gone + step <= length; gone += step) {
        const double next[2] = {at[0] + step * cos(angle), at[1] + step * sin(angle)};
        if (!rooms_is_free(&map, next, SIGHT_HALF_WIDTH)) break;
        at[0] = next[0];
        at[1] = next[1];
    }
    return gone;
}

static int is_in(const sight_box* box, const double p[3]) {
    int k, in = 1;
    for (k = 0; k < 3; ++k) in = in && p[k] >= box->low[k] && p[k] <= box->high[k];
    return in;
}

static sight_box body_of(const sight* s, uint32_t p) {
    sight_box box;
    int k;
    for (k = 0; k < 3; ++k) box.low[k] = s->body_low[k][p], box.high[k] = s->body_high[k][p];
    return box;
}

/* Players go around corners and jump. Returns how often one leaves his cell, or his body's box. */
static unsigned wander(const sight* s) {
    unsigned left = 0;
    uint32_t p, w;
    int k;
    for (p = 0; p < sight_players; ++p) {
        const sight_box body = body_of(s, p);
        for (w = 0; w < walks; ++w) {
            double* const end = ends[p][w];
            double eye[3], low[3], high[3], gone;
            for (k = 0; k < 3; ++k) end[k] = feet[p][k];
            gone = walk(end, rooms_random(&map, 0, SIGHT_RUN));
            walk(end, SIGHT_RUN - gone);
            end[2] += rooms_random(&map, -SIGHT_RISE, SIGHT_RISE);
            for (k = 0; k < 3; ++k) {
                eye[k] = end[k] + (k == 2 ? SIGHT_EYE : 0);
                low[k] = end[k] - (k == 2 ? 0 : SIGHT_HALF_WIDTH);
                high[k] = end[k] + (k == 2 ? SIGHT_HEIGHT : SIGHT_HALF_WIDTH);
            }
            left += !is_in(&s->cells[p].eyes, eye) || !is_in(&body, low) || !is_in(&body, high);
        }
    }
    return left;
}

/* Any point of the box; a corner in one case of four. */
static void sample(const sight_box* box, double p[3]) {
    const int at_corner = rooms_random(&map, 0, 1) < 0.25;
    int k;
    for (k = 0; k < 3; ++k) {
        const double low = box->low[k], high = box->high[k], u = rooms_random(&map, 0, 1);
        p[k] = at_corner ? (u < 0.5 ? low : high) : low + u * (high - low);
    }
}

/* How many of the lines from a cell to a body are free in the map `through`. */
static unsigned free_lines(const sight* s, const rooms* through, uint32_t p, uint32_t e) {
    const sight_box body = body_of(s, e);
    unsigned found = 0;
    int n;
    for (n = 0; n < lines; ++n) {
        double eye[3], point[3];
        sample(&s->cells[p].eyes, eye);
        sample(&body, point);
        found += (unsigned)is_free_line(through, eye, point);
    }
    return found;
}

/* 1: some walks of the two end where one sees the other. */
static int may_see(uint32_t p, uint32_t e) {
    int n;
    for (n = 0; n < lines; ++n) {
        const double* const a = ends[p][(int)rooms_random(&map, 0, walks)];
        const double* const b = ends[e][(int)rooms_random(&map, 0, walks)];
        const double eye[3] = {a[0], a[1], a[2] + SIGHT_EYE};
        const double point[3] = {b[0] + rooms_random(&map, -SIGHT_HALF_WIDTH, SIGHT_HALF_WIDTH),
                                 b[1] + rooms_random(&map, -SIGHT_HALF_WIDTH, SIGHT_HALF_WIDTH),
                                 b[2] + rooms_random(&map, 0, SIGHT_HEIGHT)};
        if (is_free_line(&map, eye, point)) return 1;
    }
    return 0;
}

typedef struct tally {
    unsigned pairs, hidden, hidden_in_truth, plain, wrong, left, open_without_walls;
} tally;

/* 1: the two stand in each other's plain sight. */
static int is_plain(uint32_t p, uint32_t e) {
    const double a[3] = {feet[p][0], feet[p][1], feet[p][2] + SIGHT_EYE};
    const double b[3] = {feet[e][0], feet[e][1], feet[e][2] + SIGHT_HEIGHT / 2};
    return is_free_line(&map, a, b);
}

static void check(const sight* s, const uint64_t* sent, tally* of) {
    static const rooms nothing;
    uint32_t p, e;
    of->left += wander(s);
    for (p = 0; p < sight_players; ++p) {
        for (e = 0; e < sight_players; ++e) {
            const int is_hidden = !(sent[p] >> e & 1), plain = is_plain(p, e);
            ++of->pairs;
            of->plain += p != e && plain;
            of->hidden += (unsigned)is_hidden;
            of->hidden_in_truth += is_hidden || !may_see(p, e);
            of->wrong += is_hidden && (plain || may_see(p, e) || free_lines(s, &map, p, e) > 0);
            of->open_without_walls += is_hidden && free_lines(s, &nothing, p, e) == lines;
        }
    }
}

static void draw_box(FILE* file, const float low[3], const float high[3]) {
    fprintf(file, "M%.1f %.1fH%.1fV%.1fH%.1fz", (double)low[0], (double)low[1], (double)high[0], (double)high[1],
            (double)low[0]);
}

static void draw_bodies(FILE* file, const sight* s, uint64_t chosen, const char* colour) {
    uint32_t e;
    fprintf(file, "<path fill=\"%s\" d=\"", colour);
    for (e = 0; e < sight_players; ++e) {
        const sight_box body = body_of(s, e);
        if (chosen >> e & 1) draw_box(file, body.low, body.high);
    }
    fprintf(file, "\"/>\n");
}

/* The map from above: the first player's cell, and whom he gets. */
static int draw(const char* path, const sight* s, uint64_t sent) {
    FILE* const file = fopen(path, "w");
    size_t i;
    if (file == NULL) return 1;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"640\" viewBox=\"-1 -1 107 107\">\n"
            "<path fill=\"#fff\" d=\"M-1-1h107v107h-107z\"/>\n");
    draw_bodies(file, s, ~sent, "#b9b3c9");
    draw_bodies(file, s, sent & ~UINT64_C(1), "#e8590c");
    fprintf(file, "<path fill=\"#1971c2\" d=\"");
    draw_box(file, s->cells[0].eyes.low, s->cells[0].eyes.high);
    fprintf(file, "\"/>\n<path fill=\"#222\" d=\"");
    for (i = 0; i < map.solids.boxes.count; ++i) draw_box(file, map.walls[i].min, map.walls[i].max);
    for (i = 0; i < map.solids.oriented_boxes.count; ++i) {
        const lanecull_solid_oriented_box* const c = &map.crates[i];
        const double x = (double)c->half_extents[0] * c->axes[0][0], y = (double)c->half_extents[0] * c->axes[0][1];
        const double u = (double)c->half_extents[1] * c->axes[1][0], v = (double)c->half_extents[1] * c->axes[1][1];
        fprintf(file, "M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz", c->center[0] - x - u, c->center[1] - y - v, 2 * x,
                2 * y, 2 * u, 2 * v, -2 * x, -2 * y);
    }
    fprintf(file, "\"/>\n</svg>\n");
    return fclose(file) != 0;
}

int main(int argc, char** argv) {
    uint64_t sent[sight_players];
    tally of = {0};
    unsigned waiting = 0; /* for a cell, and sent everyone */
    sight* s;
    uint32_t p;
    int t;
    rooms_make(&map, 7);
    s = sight_of_map(&map.solids, map.low, map.high);
    if (s == NULL) return 1;
    for (t = 0; t < ticks; ++t) {
        const int is_start = t % (ticks / 2) == 0; /* of a round: everyone is elsewhere */
        if (is_start) rooms_place(&map, players, sight_players);
        rooms_run(&map, players, sight_players, SIGHT_RUN * 10 / 64);
        for (p = 0; p < sight_players; ++p) memcpy(feet[p], players[p].feet, sizeof feet[p]);
        if (sight_tick(s, (const float(*)[3])feet, sight_players, sent)) return 1;
        for (p = sight_new_cells; is_start && p < sight_players; ++p) waiting += sent[p] == UINT64_MAX;
        if (t == 0 && argc > 1 && draw(argv[1], s, sent[0])) return 1;
        if (t % checked_every == checked_every - 1) check(s, sent, &of);
    }
    sight_end(s);
    printf("%d players, %d solids: of %u pairs %u are hidden, %.1f %% of those that no line of sight connects\n",
           sight_players, rooms_solids, of.pairs, of.hidden, 100.0 * of.hidden / of.hidden_in_truth);
    printf("hidden but seen: %u; in plain sight: %u; left cell or box: %u\n", of.wrong, of.plain, of.left);
    return waiting != 2 * (sight_players - sight_new_cells) || of.wrong || of.left ||
           of.open_without_walls != of.hidden || of.plain < 100 || 20 * of.hidden < 17 * of.hidden_in_truth;
}
