/* Small scenes with answers that are known, asked by every function, of `float` and of `double`.
 *
 * The files `answers_of_*.h` are the tests; they are included once for each precision. */

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- Callbacks of tests. ---- */

/* What a watcher hears. */
struct heard {
    atomic_size_t calls, most, total;
    size_t stops_at;
    bool goes_on;
};

static bool watch(void *user, size_t done, size_t total)
{
    struct heard *heard = user;
    atomic_fetch_add(&heard->calls, 1);
    CHECK(done <= total);
    size_t most = atomic_load(&heard->most);
    while (done > most && !atomic_compare_exchange_weak(&heard->most, &most, done)) {
    }
    heard->total = total;
    return heard->goes_on || done < heard->stops_at;
}

/* Balls as a caller would write them: four numbers each. */
struct balls {
    const double (*ball)[4];
};

static void ball_bounds(void *user, uint32_t primitive_id, double *bounds)
{
    const double *ball = ((const struct balls *)user)->ball[primitive_id];
    for (int axis = 0; axis < 3; axis++) {
        bounds[axis] = ball[axis] - ball[3];
        bounds[3 + axis] = ball[axis] + ball[3];
    }
}

static void ball_intersect(void *user, uint32_t primitive_id, const double *ray, lanecast_meet meet, void *context)
{
    const double *ball = ((const struct balls *)user)->ball[primitive_id];
    double from[3], a = 0, b = 0, c = -ball[3] * ball[3];
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = ray[axis] - ball[axis];
        a += ray[3 + axis] * ray[3 + axis];
        b += ray[3 + axis] * from[axis];
        c += from[axis] * from[axis];
    }
    const double discriminant = b * b - a * c;
    if (discriminant < 0) {
        return;
    }
    /* In any order: the far one first. */
    for (int way = 1; way >= -1; way -= 2) {
        lanecast_surface_point point = {.t = (-b + way * sqrt(discriminant)) / a, .u = 0.25, .v = 0.5};
        for (int axis = 0; axis < 3; axis++) {
            point.normal[axis] = from[axis] + point.t * ray[3 + axis];
        }
        meet(context, &point);
    }
}

/* In the frame of the point, to which `placed` only moves and turns here. */
static bool ball_nearest(void *user, uint32_t primitive_id, const double *point, const double *placed, lanecast_surface_point *nearest)
{
    const double *ball = ((const struct balls *)user)->ball[primitive_id];
    double away[3], length = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double *row = placed + 4 * axis;
        const double center = row[0] * ball[0] + row[1] * ball[1] + row[2] * ball[2] + row[3];
        away[axis] = point[axis] - center;
        length += away[axis] * away[axis];
        nearest->point[axis] = center;
    }
    length = sqrt(length);
    for (int axis = 0; axis < 3; axis++) {
        nearest->normal[axis] = away[axis] / length;
        nearest->point[axis] += ball[3] * away[axis] / length;
    }
    nearest->u = 0.25, nearest->v = 0.5;
    return true;
}

/* The ball around the center whose radius `user` points to. */
static double ball_distance(void *user, const double *point)
{
    return sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]) - *(const double *)user;
}

/* What a filter refuses: hits of a geometry to rays in a row. */
struct refused {
    size_t row;
    uint32_t geometry_id;
    atomic_int fronts, backs;
};

static bool filter(void *user, size_t row, const lanecast_hit_f64 *hit, lanecast_side side)
{
    struct refused *refused = user;
    CHECK(side == LANECAST_FRONT || side == LANECAST_BACK);
    atomic_fetch_add(side == LANECAST_FRONT ? &refused->fronts : &refused->backs, 1);
    CHECK_INT(hit->primitive_id, 0);
    CHECK_INT(hit->instance_id, LANECAST_INVALID_ID);
    CHECK_NEAR(hit->t, hit->geometry_id == 0 ? 5 : 4, 0);
    CHECK_NEAR(hit->u, 0.25, 0);
    CHECK_NEAR(hit->v, 0.25, 0);
    return row != refused->row || hit->geometry_id != refused->geometry_id;
}

/* A number from 0 to 1, the same each time. */
static double draw(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (*state >> 8) / 16777216.0;
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static lanecast_instance placed_at(const lanecast_scene *scene, double x, double y, double z)
{
    lanecast_instance instance = {scene, {0}};
    memcpy(instance.transform, identity, sizeof identity);
    instance.transform[3] = x, instance.transform[7] = y, instance.transform[11] = z;
    return instance;
}

#define ROWS_OF(array) ((lanecast_rows){(array), LENGTH(array), sizeof((array)[0])})
#define PLACE(array) ((lanecast_answers){(array), sizeof((array)[0])})

#define REAL float
#define OF(name) name##_f32
#define PRECISION LANECAST_F32
#define ROUNDING 2e-6
#include "answers_of_scenes.h"
#include "answers_of_geometries.h"
#include "answers_of_rays.h"
#include "answers_of_points.h"
#include "answers_of_changes.h"
#undef REAL
#undef OF
#undef PRECISION
#undef ROUNDING

#define REAL double
#define OF(name) name##_f64
#define PRECISION LANECAST_F64
#define ROUNDING 2e-15
#include "answers_of_scenes.h"
#include "answers_of_geometries.h"
#include "answers_of_rays.h"
#include "answers_of_points.h"
#include "answers_of_changes.h"

#define TEST(name) {#name "_f32", name##_f32}, {#name "_f64", name##_f64}

static const struct {
    const char *name;
    void (*test)(void);
} tests[] = {
    TEST(triangles_are_met_where_they_are),
    TEST(rows_of_meshes_may_lie_in_structs),
    TEST(buffers_of_meshes_are_free_after_the_build),
    TEST(quads_are_two_triangles_each),
    TEST(boxes_are_met),
    TEST(oriented_boxes_are_met),
    TEST(spheres_are_met),
    TEST(round_cones_are_met),
    TEST(cylinders_are_met),
    TEST(height_fields_are_met_but_for_holes),
    TEST(signed_distances_are_met),
    TEST(own_primitives_answer_as_built_in_ones),
    TEST(welded_meshes_are_closed),
    TEST(facts_are_those_of_the_content),
    TEST(nothing_at_all_is_a_scene),
    TEST(instances_are_met_where_they_are_placed),
    TEST(each_query_has_its_answer),
    TEST(the_lowest_ids_win_at_equal_t),
    TEST(intervals_have_both_ends),
    TEST(signed_counts_are_entries_less_exits),
    TEST(bad_rays_get_their_status),
    TEST(rays_and_answers_may_be_fields_of_structs),
    TEST(no_rays_are_a_batch),
    TEST(selections_select),
    TEST(contacts_differ_at_shared_edges),
    TEST(no_answer_depends_on_how_it_is_found),
    TEST(watchers_hear_and_stop),
    TEST(single_rays_answer_as_batches),
    TEST(picks_have_points_and_the_way_to_them),
    TEST(returns_are_those_of_pulses),
    TEST(points_find_surfaces),
    TEST(radii_limit_and_have_statuses),
    TEST(insides_are_inside),
    TEST(open_surfaces_have_winding_numbers),
    TEST(regions_overlap),
    TEST(sight_is_blocked_by_walls),
    TEST(obstacles_are_the_first_on_lines),
    TEST(refits_move_and_rebuilds_keep),
    TEST(geometries_come_and_go),
    TEST(copies_change_alone),
    TEST(builds_and_changes_tell_progress_and_stop),
    TEST(instances_come_go_and_move),
    TEST(masks_and_user_data_are_kept),
    TEST(files_hold_scenes),
};

int main(void)
{
    for (size_t k = 0; k < LENGTH(tests); k++) {
        const int before = atomic_load(&check_failures);
        tests[k].test();
        if (atomic_load(&check_failures) != before) {
            fprintf(stderr, "^ %s\n", tests[k].name);
        }
    }
    return check_result();
}
