#ifndef ROOMS_H
#define ROOMS_H

/* A made-up map for tests and benchmarks: rooms of 9 m along corridors of 3 m, 105 m across, with doors and crates; and
 * players who run about in it. */

#include <lanecull/lanecull.h>

enum { rooms_solids = 360 };

typedef struct rooms {
    uint64_t random;
    float low[2], high[2];
    lanecull_solid_box walls[rooms_solids];
    lanecull_solid_oriented_box crates[rooms_solids];
    lanecull_solid_set solids; /* of these: 360 */
} rooms;

/* Where a player stands, and where he runs to. */
typedef struct runner {
    float feet[3], way[2];
} runner;

/* The same map on every machine. */
void rooms_make(rooms* r, uint64_t seed);
/* In [low, high). */
double rooms_random(rooms* r, double low, double high);
/* 1: a body at p, so wide to each side, is in no wall and no crate. */
int rooms_is_free(const rooms* r, const double p[2], double half_width);
void rooms_place(rooms* r, runner* players, uint32_t count);
/* Each runs as far as `step` and turns where something is in the way. */
void rooms_run(rooms* r, runner* players, uint32_t count, float step);

#endif
