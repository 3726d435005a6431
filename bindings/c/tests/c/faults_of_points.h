/* What queries of points, regions and lines of sight refuse: included by `faults.c`. */

typedef lanecast_result (*point_query)(const lanecast_scene *, const lanecast_points *, const lanecast_options *);

static struct {
    point_query query;
    lanecast_points points;
    lanecast_column radius;
    lanecast_closest_points closest;
    lanecast_values values;
    double accuracy;
} near;

static lanecast_result ask_near(void)
{
    return near.query(scene, &near.points, NULL);
}

static lanecast_result ask_of_points(const void *points)
{
    return near.query(scene, points, NULL);
}

static lanecast_result ask_near_with(const void *options)
{
    return near.query(scene, &near.points, options);
}

static void refuses_points(point_query query, unsigned takes)
{
    near.query = query, near.points = good_points();
    lanecast_points *points = &near.points;
    const lanecast_points good = *points;
    const int32_t unknown[] = {0, 3, -1, INT32_MAX};

    REFUSES(query(NULL, points, NULL), "scene");
    refuses_struct("points", &good, sizeof good, 0, ask_of_points);
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        points->precision = unknown[k];
        REFUSES(ask_near(), "points.precision");
    }
    points->precision = LANECAST_F64;
    REFUSES(ask_near(), "points.precision");
    *points = good;
    REFUSES(query(scene64, points, NULL), "points.precision");
    refuses_vectors("points.position", &points->position, ask_near);
    points->count = SIZE_MAX;
    REFUSES(ask_near(), "points.position");
    *points = good;
    refuses_options(ask_near_with, takes);
}

static void refuses_radius(void)
{
    static const float radii[ROWS] = {1, 1, 1, 1};
    near.radius = (lanecast_column){radii, sizeof radii[0]};
    PASSES(ask_near());
    near.radius.stride = 0;
    PASSES(ask_near());
    const size_t wrong[] = {1, 2, 3, 5, SIZE_MAX, SIZE_MAX / 2 + 1};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        near.radius.stride = wrong[k];
        REFUSES(ask_near(), "radius");
    }
    near.radius = (lanecast_column){ASKEW, sizeof radii[0]};
    REFUSES(ask_near(), "radius");
    near.radius.stride = 0;
    REFUSES(ask_near(), "radius");
    near.radius = (lanecast_column){NULL, 0};
    PASSES(ask_near());
}

static lanecast_result closest_point(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    return lanecast_closest_point(at, points, near.radius, options, &near.closest);
}

static lanecast_result closest_point_into(const void *given)
{
    return lanecast_closest_point(scene, &near.points, near.radius, NULL, given);
}

static void of_closest_point(void)
{
    near.closest = good_closest();
    const lanecast_closest_points good = near.closest;
    lanecast_closest_points *into = &near.closest;
    refuses_points(closest_point, THREADS);
    refuses_radius();
    refuses_struct("closest", &good, sizeof good, 0, closest_point_into);
    into->count = ROWS - 1;
    REFUSES(ask_near(), "closest.count");
    *into = good;
    refuses_answers("status", &into->status, 1, 1, ask_near);
    refuses_answers("distance", &into->distance, 4, 4, ask_near);
    refuses_answers("point", &into->point, 12, 4, ask_near);
    refuses_answers("primitive_id", &into->primitive_id, 4, 4, ask_near);
    refuses_answers("geometry_id", &into->geometry_id, 4, 4, ask_near);
    refuses_answers("instance_id", &into->instance_id, 4, 4, ask_near);
    refuses_answers("u", &into->u, 4, 4, ask_near);
    refuses_answers("v", &into->v, 4, 4, ask_near);
    refuses_answers("normal", &into->normal, 12, 4, ask_near);
    into->point = into->normal;
    REFUSES(ask_near(), "point");
    REFUSES(ask_near(), "normal");
    into->point.data = (char *)into->normal.data + 4;
    REFUSES(ask_near(), "normal");
    /* Two vectors in one struct. */
    static float records[ROWS][6];
    into->point = (lanecast_answers){&records[0][3], sizeof records[0]};
    into->normal = (lanecast_answers){&records[0][0], sizeof records[0]};
    PASSES(ask_near());
}

static lanecast_result nearest_points(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    lanecast_point_lists *lists = NULL;
    lanecast_result result = lanecast_nearest_points(at, points, 2, near.radius, options, &lists);
    CHECK((lists != NULL) == (result == LANECAST_OK));
    lanecast_point_lists_free(lists);
    return result;
}

static lanecast_result points_within(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    lanecast_point_lists *lists = NULL;
    lanecast_result result = lanecast_points_within(at, points, near.radius, options, &lists);
    CHECK((lists != NULL) == (result == LANECAST_OK));
    lanecast_point_lists_free(lists);
    return result;
}

static void of_nearest_points(void)
{
    const lanecast_points points = good_points();
    const lanecast_column any_radius = {NULL, 0};
    refuses_points(nearest_points, THREADS);
    refuses_radius();
    REFUSES(lanecast_nearest_points(scene, &points, 1, any_radius, NULL, NULL), "lists");
}

static void of_points_within(void)
{
    const lanecast_points points = good_points();
    const lanecast_column any_radius = {NULL, 0};
    refuses_points(points_within, THREADS);
    refuses_radius();
    REFUSES(lanecast_points_within(scene, &points, any_radius, NULL, NULL), "lists");
}

static void of_point_lists_get(void)
{
    const lanecast_points points = good_points();
    const lanecast_column any_radius = {NULL, 0};
    lanecast_point_lists *lists = NULL;
    lanecast_point_lists_view view;
    PASSES(lanecast_points_within(scene, &points, any_radius, NULL, &lists));
    REFUSES(lanecast_point_lists_get(NULL, &view), "lists");
    REFUSES(lanecast_point_lists_get(lists, NULL), "view");
    REFUSES(lanecast_point_lists_get(lists, ASKEW), "view");
    lanecast_point_lists_free(lists);
}

static lanecast_result distance(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    return lanecast_distance(at, points, options, &near.values);
}

static lanecast_result signed_distance(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    return lanecast_signed_distance(at, points, options, &near.values);
}

static lanecast_result contains(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    return lanecast_contains(at, points, options, &near.values);
}

static lanecast_result winding_number(const lanecast_scene *at, const lanecast_points *points, const lanecast_options *options)
{
    return lanecast_winding_number(at, points, near.accuracy, options, &near.values);
}

static lanecast_result distance_into(const void *given)
{
    return lanecast_distance(scene, &near.points, NULL, given);
}

static lanecast_result signed_distance_into(const void *given)
{
    return lanecast_signed_distance(scene, &near.points, NULL, given);
}

static lanecast_result contains_into(const void *given)
{
    return lanecast_contains(scene, &near.points, NULL, given);
}

static lanecast_result winding_number_into(const void *given)
{
    return lanecast_winding_number(scene, &near.points, 2, NULL, given);
}

static void refuses_values(point_query query, unsigned takes, call_with into)
{
    near.values = good_values(), near.accuracy = 2;
    const lanecast_values good = near.values;
    refuses_points(query, takes);
    refuses_struct("values", &good, sizeof good, 0, into);
    const size_t wrong[] = {0, ROWS - 1, ROWS + 1, SIZE_MAX};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        near.values.count = wrong[k];
        REFUSES(ask_near(), "values.count");
    }
    near.values = good;
    refuses_answers("status", &near.values.status, 1, 1, ask_near);
    refuses_answers("value", &near.values.value, 4, 4, ask_near);
    near.values.status.data = near.values.value.data;
    REFUSES(ask_near(), "status");
    near.values = good;
}

/* One triangle, which has no inside. */
static lanecast_scene *open_surface(void)
{
    static const uint32_t one[1][3] = {{0, 1, 2}};
    lanecast_geometry *geometry = NULL;
    lanecast_scene *made = NULL;
    PASSES(lanecast_triangles(LANECAST_F32, ROWS_OF(vertices), ROWS_OF(one), &geometry));
    const lanecast_geometry *given = geometry;
    PASSES(lanecast_build(LANECAST_F32, &given, 1, NULL, 0, NULL, &made));
    lanecast_geometry_free(geometry);
    return made;
}

static void of_distance(void)
{
    refuses_values(distance, THREADS, distance_into);
}

static void of_signed_distance(void)
{
    lanecast_scene *open = open_surface();
    refuses_values(signed_distance, THREADS | WINDING, signed_distance_into);
    FAILS(signed_distance(open, &near.points, NULL), LANECAST_UNANSWERABLE, "open");
    lanecast_scene_free(open);
}

static void of_contains(void)
{
    lanecast_scene *open = open_surface();
    refuses_values(contains, THREADS | WINDING, contains_into);
    FAILS(contains(open, &near.points, NULL), LANECAST_UNANSWERABLE, "open");
    lanecast_scene_free(open);
}

static void of_winding_number(void)
{
    refuses_values(winding_number, THREADS, winding_number_into);
    const double unusable[] = {0, 0.5, -1, NAN};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        near.accuracy = unusable[k];
        FAILS(ask_near(), LANECAST_INVALID_INPUT, "accuracy");
    }
}

static const lanecast_grid good_grid = {{0, 0, 0}, {1, 1, 1}, {2, 1, 2}};

static lanecast_result occupancy_with(const void *options)
{
    return lanecast_occupancy(scene, &good_grid, options, places.status, ROWS);
}

static void of_occupancy(void)
{
    uint8_t *occupied = places.status;
    lanecast_scene *open = open_surface();
    PASSES(lanecast_occupancy(scene, &good_grid, NULL, occupied, 4));
    REFUSES(lanecast_occupancy(NULL, &good_grid, NULL, occupied, 4), "scene");
    REFUSES(lanecast_occupancy(scene, NULL, NULL, occupied, 4), "grid");
    REFUSES(lanecast_occupancy(scene, ASKEW_OF(good_grid), NULL, occupied, 4), "grid");
    REFUSES(lanecast_occupancy(scene, &good_grid, NULL, NULL, 4), "occupied");
    REFUSES(lanecast_occupancy(scene, &good_grid, NULL, occupied, 3), "cells");
    REFUSES(lanecast_occupancy(scene, &good_grid, NULL, occupied, 5), "cells");
    REFUSES(lanecast_occupancy(scene, &good_grid, NULL, NULL, 0), "cells");
    FAILS(lanecast_occupancy(open, &good_grid, NULL, occupied, 4), LANECAST_UNANSWERABLE, "open");
    lanecast_grid grid = good_grid;
    grid.origin[1] = NAN;
    FAILS(lanecast_occupancy(scene, &grid, NULL, occupied, 4), LANECAST_INVALID_INPUT, "grid");
    grid = good_grid, grid.spacing[2] = INFINITY;
    FAILS(lanecast_occupancy(scene, &grid, NULL, occupied, 4), LANECAST_INVALID_INPUT, "grid");
    grid = good_grid, grid.counts[0] = SIZE_MAX, grid.counts[1] = SIZE_MAX;
    CHECK(lanecast_occupancy(scene, &grid, NULL, occupied, 4) < 0);
    refuses_options(occupancy_with, THREADS | WINDING);
    lanecast_scene_free(open);
}

/* ---- Regions. ---- */

static const double good_box[6] = {-1, -1, -1, 1, 1, 1};

static lanecast_result overlaps_any_with(const void *options)
{
    int32_t result = lanecast_overlaps_any(scene, LANECAST_REGION_BOX, good_box, 6, options);
    return result < 0 ? result : LANECAST_OK;
}

static lanecast_result overlap(lanecast_region kind, const double *numbers, size_t n)
{
    lanecast_primitive_list *list = NULL;
    lanecast_result result = lanecast_overlap(scene, kind, numbers, n, NULL, &list);
    CHECK((list != NULL) == (result == LANECAST_OK));
    lanecast_primitive_list_free(list);
    return result;
}

static lanecast_result overlap_with(const void *options)
{
    lanecast_primitive_list *list = NULL;
    lanecast_result result = lanecast_overlap(scene, LANECAST_REGION_BOX, good_box, 6, options, &list);
    lanecast_primitive_list_free(list);
    return result;
}

static lanecast_result overlaps_any(lanecast_region kind, const double *numbers, size_t n)
{
    int32_t result = lanecast_overlaps_any(scene, kind, numbers, n, NULL);
    return result < 0 ? result : LANECAST_OK;
}

static void refuses_regions(lanecast_result (*call)(lanecast_region, const double *, size_t))
{
    const double planes[28] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    const double bad_box[6] = {-1, NAN, -1, 1, 1, 1}, bad_ball[4] = {0, 0, 0, NAN};
    const double no_normal[4] = {0, 0, 0, 1}, bad_plane[4] = {1, NAN, 0, 1};
    const int32_t unknown[] = {0, 4, -1, INT32_MAX};
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        REFUSES(call(unknown[k], good_box, 6), "kind");
    }
    REFUSES(call(LANECAST_REGION_BOX, NULL, 6), "numbers");
    REFUSES(call(LANECAST_REGION_BOX, ASKEW_OF(good_box), 6), "numbers");
    REFUSES(call(LANECAST_REGION_BOX, good_box, 5), "count");
    REFUSES(call(LANECAST_REGION_BOX, good_box, 0), "count");
    REFUSES(call(LANECAST_REGION_BOX, NULL, 0), "count");
    REFUSES(call(LANECAST_REGION_SPHERE, good_box, 6), "count");
    REFUSES(call(LANECAST_REGION_SPHERE, good_box, 3), "count");
    REFUSES(call(LANECAST_REGION_PLANES, planes, 3), "count");
    REFUSES(call(LANECAST_REGION_PLANES, planes, 5), "count");
    REFUSES(call(LANECAST_REGION_BOX, good_box, SIZE_MAX), "numbers");
    FAILS(call(LANECAST_REGION_BOX, bad_box, 6), LANECAST_INVALID_INPUT, "box");
    FAILS(call(LANECAST_REGION_SPHERE, bad_ball, 4), LANECAST_INVALID_INPUT, "sphere");
    FAILS(call(LANECAST_REGION_PLANES, no_normal, 4), LANECAST_INVALID_INPUT, "plane");
    FAILS(call(LANECAST_REGION_PLANES, bad_plane, 4), LANECAST_INVALID_INPUT, "plane");
    FAILS(call(LANECAST_REGION_PLANES, planes, 0), LANECAST_INVALID_INPUT, "plane");
    FAILS(call(LANECAST_REGION_PLANES, planes, 28), LANECAST_INVALID_INPUT, "plane");
    PASSES(call(LANECAST_REGION_PLANES, planes, 24));
}

static void of_overlaps_any(void)
{
    REFUSES(lanecast_overlaps_any(NULL, LANECAST_REGION_BOX, good_box, 6, NULL), "scene");
    refuses_regions(overlaps_any);
    refuses_options(overlaps_any_with, MASK | MASKS);
}

static void of_overlap(void)
{
    lanecast_primitive_list *list = NULL;
    REFUSES(lanecast_overlap(NULL, LANECAST_REGION_BOX, good_box, 6, NULL, &list), "scene");
    REFUSES(lanecast_overlap(scene, LANECAST_REGION_BOX, good_box, 6, NULL, NULL), "list");
    CHECK(list == NULL);
    refuses_regions(overlap);
    refuses_options(overlap_with, MASK | MASKS);
}

static void of_primitive_list_get(void)
{
    lanecast_primitive_list *list = NULL;
    lanecast_primitive_list_view view;
    PASSES(lanecast_overlap(scene, LANECAST_REGION_BOX, good_box, 6, NULL, &list));
    REFUSES(lanecast_primitive_list_get(NULL, &view), "list");
    REFUSES(lanecast_primitive_list_get(list, NULL), "view");
    REFUSES(lanecast_primitive_list_get(list, ASKEW), "view");
    lanecast_primitive_list_free(list);
}

/* ---- Sight. ---- */

static uint64_t words[ROWS];

static lanecast_sight_lines good_lines(void)
{
    lanecast_sight_lines lines = {.size = sizeof lines};
    lines.precision = LANECAST_F32;
    lines.observers = ROWS_OF(positions);
    lines.targets = (lanecast_rows){vertices, 2, sizeof vertices[0]};
    return lines;
}

static lanecast_result sight_of(const void *lines)
{
    return lanecast_sight(scene, lines, NULL, words, ROWS);
}

static lanecast_result sight_with(const void *options)
{
    const lanecast_sight_lines lines = good_lines();
    return lanecast_sight(scene, &lines, options, words, ROWS);
}

static lanecast_sight_lines sight_lines;

static lanecast_result ask_sight(void)
{
    return sight_of(&sight_lines);
}

static void of_sight(void)
{
    static const uint32_t ids[ROWS] = {0};
    const lanecast_sight_lines good = good_lines();
    lanecast_sight_lines *lines = &sight_lines;
    *lines = good;
    refuses_struct("lines", &good, sizeof good, 0, sight_of);
    REFUSES(lanecast_sight(NULL, lines, NULL, words, ROWS), "scene");
    REFUSES(lanecast_sight(scene64, lines, NULL, words, ROWS), "precision");
    REFUSES(lanecast_sight(scene, lines, NULL, NULL, ROWS), "words");
    REFUSES(lanecast_sight(scene, lines, NULL, ASKEW, ROWS), "words");
    REFUSES(lanecast_sight(scene, lines, NULL, words, ROWS - 1), "word_count");
    REFUSES(lanecast_sight(scene, lines, NULL, words, ROWS + 1), "word_count");
    REFUSES(lanecast_sight(scene, lines, NULL, NULL, 0), "word_count");
    lines->precision = 0;
    REFUSES(ask_sight(), "precision");
    lines->precision = LANECAST_F64;
    REFUSES(ask_sight(), "precision");
    *lines = good;
    refuses_rows("observers", &lines->observers, 12, ask_sight);
    refuses_rows("targets", &lines->targets, 12, ask_sight);
    const double unusable[] = {NAN, -0.1, 0.5, 1};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        *lines = good, lines->shortened = unusable[k];
        FAILS(ask_sight(), LANECAST_INVALID_INPUT, "shortened");
    }
    *lines = good, lines->observer_geometry_ids = ids;
    REFUSES(ask_sight(), "observers");
    *lines = good, lines->observer_primitive_ids = ids;
    REFUSES(ask_sight(), "observers");
    *lines = good, lines->target_geometry_ids = ids;
    REFUSES(ask_sight(), "targets");
    *lines = good, lines->target_primitive_ids = ids;
    REFUSES(ask_sight(), "targets");
    *lines = good, lines->observer_geometry_ids = ASKEW, lines->observer_primitive_ids = ids;
    REFUSES(ask_sight(), "observers");
    *lines = good, lines->target_geometry_ids = ids, lines->target_primitive_ids = ASKEW;
    REFUSES(ask_sight(), "targets");
    static float bad[ROWS][3];
    memcpy(bad, positions, sizeof bad);
    bad[2][1] = NAN;
    *lines = good, lines->observers = ROWS_OF(bad);
    FAILS(ask_sight(), LANECAST_INVALID_INPUT, "observers");
    *lines = good;
    refuses_options(sight_with, OF_RAYS);
}

static lanecast_result obstacle_of(const void *lines)
{
    lanecast_hit_f64 hit;
    const int32_t result = lanecast_first_obstacle(scene, lines, 0, 1, NULL, &hit);
    return result < 0 ? result : LANECAST_OK;
}

static lanecast_result obstacle_with(const void *options)
{
    const lanecast_sight_lines lines = good_lines();
    lanecast_hit_f64 hit;
    const int32_t result = lanecast_first_obstacle(scene, &lines, 0, 1, options, &hit);
    return result < 0 ? result : LANECAST_OK;
}

static void of_first_obstacle(void)
{
    const lanecast_sight_lines lines = good_lines();
    lanecast_hit_f64 hit;
    refuses_struct("lines", &lines, sizeof lines, 0, obstacle_of);
    refuses_options(obstacle_with, OF_RAYS);
    REFUSES(lanecast_first_obstacle(NULL, &lines, 0, 0, NULL, &hit), "scene");
    REFUSES(lanecast_first_obstacle(scene64, &lines, 0, 0, NULL, &hit), "precision");
    REFUSES(lanecast_first_obstacle(scene, &lines, 0, 0, NULL, NULL), "hit");
    REFUSES(lanecast_first_obstacle(scene, &lines, 0, 0, NULL, ASKEW), "hit");
    FAILS(lanecast_first_obstacle(scene, &lines, ROWS, 0, NULL, &hit), LANECAST_INVALID_INPUT, "observer");
    FAILS(lanecast_first_obstacle(scene, &lines, 0, 2, NULL, &hit), LANECAST_INVALID_INPUT, "target");
    FAILS(lanecast_first_obstacle(scene, &lines, SIZE_MAX, SIZE_MAX, NULL, &hit), LANECAST_INVALID_INPUT, "observer");
}
