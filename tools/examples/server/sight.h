#ifndef SIGHT_H
#define SIGHT_H

/* Which enemies may a player see within the next 100 ms? A game's server sends these; one that is proved to be hidden
 * until then it does not send, so no program on the player's machine can show him. */

#include <lanecull/lanecull.h>

#define SIGHT_RUN 0.6f  /* how far one gets within the lag: 6 m/s, 100 ms */
#define SIGHT_RISE 0.4f /* and how far up or down */
#define SIGHT_EYE 1.6f  /* above the feet */
#define SIGHT_HEIGHT 1.8f
#define SIGHT_HALF_WIDTH 0.4f /* of a body */
#define SIGHT_LEAN 0.2f       /* the eye may be so far from its middle */
#define SIGHT_NEAR 0.1        /* the cameras' near planes reach no farther */
#define SIGHT_ROAM 0.5f       /* a cell is kept until its player is farther from where it was made, */
#define SIGHT_CLIMB 0.1f      /* or so much higher or lower */
#define SIGHT_SQUARE 3.0f     /* of floor */

/* So many new cells are made in a tick. Who waits for one is sent everyone. */
enum { sight_players = 64, sight_occluders = 24, sight_new_cells = 24 };

/* A box along the world's axes. */
typedef struct sight_box {
    float low[3], high[3];
} sight_box;

/* Numbers of solids, first the one that hides most. */
typedef struct sight_choice {
    uint32_t count, solid[sight_occluders];
} sight_choice;

/* What is kept for a player from tick to tick. */
typedef struct sight_cell {
    sight_box home; /* the cell is good while the feet are in here: */
    sight_box eyes; /* the eye stays in here for 100 ms */
    uint32_t count;
    lanecull_occluder occluders[sight_occluders]; /* prepared for all of the cell */
} sight_cell;

typedef struct sight {
    lanecull_solid_set solids; /* of the map: boxes and oriented boxes, one at least; the caller's */
    float low[2];              /* corner of the floor */
    uint32_t squares[2];
    sight_choice* choices; /* for each square of the floor */
    sight_cell cells[sight_players];
    /* Of this tick: where the bodies may be until the lag is over. */
    float body_low[3][sight_players], body_high[3][sight_players];
    uint32_t made; /* new cells */
    lanecull_view everywhere[sight_players];
    lanecull_output outputs[sight_players];
    unsigned char scratch[32768];
} sight;

/* Once a map (sight_map.c): chooses solids for each square of the floor from `low` to `high`. Null if there is no
 * memory. */
sight* sight_of_map(const lanecull_solid_set* solids, const float low[2], const float high[2]);
void sight_end(sight* s);

/* Each tick: bit e of sent[p] is set if player p may see player e before the lag is over. feet: where players stand.
 * Not 0: it failed, and everyone has to be sent to all. */
int sight_tick(sight* s, const float (*feet)[3], uint32_t players, uint64_t* sent);

/* Parts of these: where a body and the eyes of a new cell may be until the lag is over; and occluders for all eyes of a
 * box. A solid that cannot hide anything is passed over. */
sight_box sight_body(const float feet[3]);
sight_box sight_eyes(const float feet[3]);
int sight_prepare(const sight* s, const sight_box* eyes, const uint32_t* solids, uint32_t count,
                  lanecull_occluder* occluders, uint32_t* prepared);

#endif
