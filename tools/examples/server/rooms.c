#include "rooms.h"

#include <math.h>
#include <string.h>

enum { cells = 15 };
static const double widths[3] = {9, 9, 3}, thickness = 0.3, door = 1.2;

/* SplitMix64. */
double rooms_random(rooms* r, double low, double high) {
    uint64_t z = r->random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0);
}

/* A wall along axis a, from one place to another, across the other axis at `line`. It stands below the floor. */
static void add_wall(rooms* r, int a, double line, double from, double to) {
    lanecull_solid_box* const wall = &r->walls[r->solids.boxes.count];
    if (!(to > from) || r->solids.boxes.count == rooms_solids) return;
    wall->min[a] = (float)from;
    wall->max[a] = (float)to;
    wall->min[1 - a] = (float)(line - thickness / 2);
    wall->max[1 - a] = (float)(line + thickness / 2);
    wall->min[2] = -1;
    wall->max[2] = 4;
    ++r->solids.boxes.count;
}

/* The walls along one line: through as far as there is no door. Corridors run across few lines. */
static void add_line(rooms* r, int a, double line, int is_outer) {
    double from = 0, at = 0;
    int k;
    for (k = 0; k < cells; ++k) {
        const double width = widths[k % 3], chance = rooms_random(r, 0, 1), place = rooms_random(r, 0.2, 0.8);
        const int is_corridor = k % 3 == 2;
        if (!is_outer && (is_corridor ? chance < 0.85 : chance < 0.1)) {
            add_wall(r, a, line, from, at);
            from = at + width;
        } else if (!is_outer && !is_corridor && chance < 0.75) {
            const double gap = at + place * (width - door);
            add_wall(r, a, line, from, gap);
            from = gap + door;
        }
        at += width;
    }
    add_wall(r, a, line, from, at);
}

static void add_crate(rooms* r) {
    lanecull_solid_oriented_box* const crate = &r->crates[r->solids.oriented_boxes.count];
    const double turn = rooms_random(r, 0, 1.5707963), size = rooms_random(r, 0.5, 1.1);
    const double at[2] = {rooms_random(r, r->low[0], r->high[0]), rooms_random(r, r->low[1], r->high[1])};
    const float c = (float)cos(turn), s = (float)sin(turn);
    const lanecull_solid_oriented_box made = {{(float)at[0], (float)at[1], (float)size},
                                              {(float)size, (float)(1.2 * size), (float)size},
                                              {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
    if (!rooms_is_free(r, at, 2 * size)) return;
    *crate = made;
    ++r->solids.oriented_boxes.count;
}

void rooms_make(rooms* r, uint64_t seed) {
    int a, k;
    memset(r, 0, sizeof *r);
    r->random = seed;
    r->solids.boxes.items = r->walls;
    r->solids.oriented_boxes.items = r->crates;
    for (a = 0; a < 2; ++a) {
        double line = 0;
        for (k = 0; k <= cells; ++k) {
            add_line(r, a, line, k == 0 || k == cells);
            r->high[0] = r->high[1] = (float)line;
            line += widths[k % 3];
        }
    }
    while (r->solids.boxes.count + r->solids.oriented_boxes.count < rooms_solids) add_crate(r);
}

int rooms_is_free(const rooms* r, const double p[2], double half_width) {
    size_t i;
    int a;
    for (i = 0; i < r->solids.boxes.count; ++i) {
        const lanecull_solid_box* const w = &r->walls[i];
        int in = 1;
        for (a = 0; a < 2; ++a) in = in && p[a] > w->min[a] - half_width && p[a] < w->max[a] + half_width;
        if (in) return 0;
    }
    for (i = 0; i < r->solids.oriented_boxes.count; ++i) {
        const lanecull_solid_oriented_box* const c = &r->crates[i];
        const double x = p[0] - c->center[0], y = p[1] - c->center[1], around = half_width * sqrt(2.0);
        int in = 1;
        for (a = 0; a < 2; ++a) in = in && fabs(x * c->axes[a][0] + y * c->axes[a][1]) < c->half_extents[a] + around;
        if (in) return 0;
    }
    return 1;
}

static void turn(rooms* r, runner* player) {
    const double angle = rooms_random(r, 0, 6.2831853);
    player->way[0] = (float)cos(angle);
    player->way[1] = (float)sin(angle);
}

void rooms_place(rooms* r, runner* players, uint32_t count) {
    uint32_t p;
    for (p = 0; p < count; ++p) {
        double at[2];
        do {
            at[0] = rooms_random(r, r->low[0], r->high[0]);
            at[1] = rooms_random(r, r->low[1], r->high[1]);
        } while (!rooms_is_free(r, at, 0.45));
        players[p].feet[0] = (float)at[0];
        players[p].feet[1] = (float)at[1];
        players[p].feet[2] = 0;
        turn(r, &players[p]);
    }
}

void rooms_run(rooms* r, runner* players, uint32_t count, float step) {
    uint32_t p;
    int tried;
    for (p = 0; p < count; ++p) {
        for (tried = 0; tried < 8; ++tried) {
            const float x = players[p].feet[0] + step * players[p].way[0];
            const float y = players[p].feet[1] + step * players[p].way[1];
            const double at[2] = {x, y};
            if (rooms_is_free(r, at, 0.42)) {
                players[p].feet[0] = x;
                players[p].feet[1] = y;
                break;
            }
            turn(r, &players[p]);
        }
    }
}
