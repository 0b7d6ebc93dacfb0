#ifndef LANECULL_TESTS_CHECK_H
#define LANECULL_TESTS_CHECK_H

/* What the tests in C share: a failure is printed and counted; main() returns failures(). */

#include <stdio.h>

#include <lanecull/lanecull.h>

static int failure_count = 0;
static lanecull_message why;

static int failures(void) { return failure_count != 0; }

#define CHECK(condition)                                                                  \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            ++failure_count;                                                              \
            printf("%s:%d: not so: %s (%s)\n", __FILE__, __LINE__, #condition, why.text); \
        }                                                                                 \
    } while (0)

#endif
