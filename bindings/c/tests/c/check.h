/* Checks of the tests. Each prints its place and what it saw, and counts; a program returns `check_result()`. */

#ifndef CHECK_H
#define CHECK_H

/* Threads, temporary files and folders. */
#define _POSIX_C_SOURCE 200809L

#include <lanecast.h>

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int check_failures;

static inline void check_failed(const char *file, int line)
{
    atomic_fetch_add(&check_failures, 1);
    fprintf(stderr, "%s:%d: ", file, line);
}

static inline int check_result(void)
{
    int failures = atomic_load(&check_failures);
    if (failures > 0) {
        fprintf(stderr, "%d checks failed\n", failures);
    }
    return failures > 0;
}

static inline void check_that(int holds, const char *text, const char *file, int line)
{
    if (!holds) {
        check_failed(file, line);
        fprintf(stderr, "%s does not hold\n", text);
    }
}

static inline void check_int(intmax_t seen, intmax_t expected, const char *text, const char *file, int line)
{
    if (seen != expected) {
        check_failed(file, line);
        fprintf(stderr, "%s is %" PRIdMAX "; %" PRIdMAX " was expected\n", text, seen, expected);
    }
}

/* Equal numbers, infinities too, or such as differ by no more than `tolerance`. */
static inline void check_near(double seen, double expected, double tolerance, const char *text, const char *file, int line)
{
    if (!(seen == expected || fabs(seen - expected) <= tolerance)) {
        check_failed(file, line);
        fprintf(stderr, "%s is %.17g; %.17g was expected, to %g\n", text, seen, expected, tolerance);
    }
}

static inline void check_passes(intmax_t result, const char *text, const char *file, int line)
{
    if (result != LANECAST_OK) {
        check_failed(file, line);
        fprintf(stderr, "%s is %" PRIdMAX ": %s\n", text, result, lanecast_last_error());
    }
}

#define CHECK(holds) check_that((holds) ? 1 : 0, #holds, __FILE__, __LINE__)
#define CHECK_INT(seen, expected) check_int((intmax_t)(seen), (intmax_t)(expected), #seen, __FILE__, __LINE__)
#define CHECK_NEAR(seen, expected, tolerance) check_near((double)(seen), (double)(expected), (tolerance), #seen, __FILE__, __LINE__)
/* A call that must succeed. */
#define PASSES(call) check_passes((call), #call, __FILE__, __LINE__)

/* The length of an array. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
