/* What makers of geometries refuse: included by `faults.c`. */

typedef lanecast_result (*make_mesh)(lanecast_precision, lanecast_rows, lanecast_rows, lanecast_geometry **);
typedef lanecast_result (*make_shapes)(lanecast_precision, lanecast_rows, lanecast_geometry **);

static struct {
    make_mesh mesh;
    make_shapes shapes;
    lanecast_precision precision;
    lanecast_rows vertices, elements;
} making;

static lanecast_result finish(lanecast_result result, lanecast_geometry *made)
{
    CHECK((made != NULL) == (result == LANECAST_OK));
    lanecast_geometry_free(made);
    return result;
}

static lanecast_result make_the_mesh(void)
{
    lanecast_geometry *made = NULL;
    lanecast_result result = making.mesh(making.precision, making.vertices, making.elements, &made);
    return finish(result, made);
}

static lanecast_result make_the_shapes(void)
{
    lanecast_geometry *made = NULL;
    lanecast_result result = making.shapes(making.precision, making.elements, &made);
    return finish(result, made);
}

static void refuses_precisions(lanecast_result (*call)(void))
{
    const int32_t unknown[] = {0, 3, -1, INT32_MAX, INT32_MIN};
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        making.precision = unknown[k];
        REFUSES(call(), "precision");
    }
    making.precision = LANECAST_F32;
}

/* Makes the geometry and builds a scene of it, which is where content is looked at. */
static lanecast_result build_of(lanecast_result result, lanecast_geometry *made)
{
    lanecast_scene *built = NULL;
    if (result == LANECAST_OK) {
        const lanecast_geometry *given = made;
        result = lanecast_build(LANECAST_F32, &given, 1, NULL, 0, NULL, &built);
        CHECK((built != NULL) == (result == LANECAST_OK));
    }
    lanecast_scene_free(built);
    lanecast_geometry_free(made);
    return result;
}

static lanecast_result build_the_mesh(void)
{
    lanecast_geometry *made = NULL;
    lanecast_result result = making.mesh(making.precision, making.vertices, making.elements, &made);
    return build_of(result, made);
}

static lanecast_result build_the_shapes(void)
{
    lanecast_geometry *made = NULL;
    lanecast_result result = making.shapes(making.precision, making.elements, &made);
    return build_of(result, made);
}

static void refuses_mesh(make_mesh make, const char *name, lanecast_rows elements, size_t size, lanecast_rows one_beyond)
{
    making.mesh = make, making.precision = LANECAST_F32;
    making.vertices = ROWS_OF(vertices), making.elements = elements;
    refuses_rows("vertices", &making.vertices, 12, make_the_mesh);
    refuses_rows(name, &making.elements, size, make_the_mesh);
    refuses_precisions(make_the_mesh);
    REFUSES(make(LANECAST_F32, making.vertices, elements, NULL), "geometry");
    PASSES(build_the_mesh());

    /* Content that a scene refuses. */
    static float bad[4][3];
    memcpy(bad, vertices, sizeof bad);
    bad[2][1] = NAN;
    making.vertices = ROWS_OF(bad);
    FAILS(build_the_mesh(), LANECAST_INVALID_INPUT, "vertex 2");
    bad[2][1] = 0x1p101F;
    FAILS(build_the_mesh(), LANECAST_INVALID_INPUT, "vertex 2");
    making.vertices = ROWS_OF(vertices), making.elements = one_beyond;
    FAILS(build_the_mesh(), LANECAST_INVALID_INPUT, "vertex 4");
    /* No vertices and no triangles are a mesh, wherever the pointers point. */
    making.vertices = making.elements = (lanecast_rows){NULL, 0, 0};
    PASSES(build_the_mesh());
    making.vertices = making.elements = (lanecast_rows){ASKEW, 0, 1};
    PASSES(build_the_mesh());
}

static const uint32_t triangles_beyond[2][3] = {{0, 1, 2}, {0, 1, 4}};

static void of_triangles(void)
{
    refuses_mesh(lanecast_triangles, "triangles", ROWS_OF(triangles), 12, ROWS_OF(triangles_beyond));
}

static void of_deformable_triangles(void)
{
    refuses_mesh(lanecast_deformable_triangles, "triangles", ROWS_OF(triangles), 12, ROWS_OF(triangles_beyond));
}

static void of_quads(void)
{
    static const uint32_t quads[2][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}}, beyond[2][4] = {{0, 1, 2, 3}, {0, 1, 2, 4}};
    refuses_mesh(lanecast_quads, "quads", ROWS_OF(quads), 16, ROWS_OF(beyond));
}

/* `good` is two rows of so many numbers of `float`; `bad` is one that scenes refuse. */
static void refuses_shapes(make_shapes make, const char *name, const float *good, const float *bad, size_t numbers)
{
    const size_t size = numbers * sizeof(float);
    making.shapes = make, making.precision = LANECAST_F32;
    making.elements = (lanecast_rows){good, 2, size};
    refuses_rows(name, &making.elements, size, make_the_shapes);
    refuses_precisions(make_the_shapes);
    REFUSES(make(LANECAST_F32, making.elements, NULL), "geometry");
    PASSES(build_the_shapes());
    if (bad != NULL) {
        making.elements = (lanecast_rows){bad, 1, size};
        const lanecast_result result = (forget(), build_the_shapes());
        CHECK_INT(result, LANECAST_INVALID_INPUT);
        CHECK(strstr(lanecast_last_error(), FORGOTTEN) == NULL);
    }
    making.elements = (lanecast_rows){NULL, 0, 0};
    PASSES(build_the_shapes());
}

static void of_boxes(void)
{
    const float good[2][6] = {{0, 0, 0, 1, 1, 1}, {2, 2, 2, 3, 3, 3}}, bad[6] = {0, 0, NAN, 1, 1, 1};
    refuses_shapes(lanecast_boxes, "boxes", good[0], bad, 6);
}

static void of_oriented_boxes(void)
{
    const float good[2][15] = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, {4, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1}};
    const float bad[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1};
    refuses_shapes(lanecast_oriented_boxes, "oriented_boxes", good[0], bad, 15);
}

static void of_spheres(void)
{
    const float good[2][4] = {{0, 0, 0, 1}, {4, 0, 0, 1}}, bad[4] = {0, INFINITY, 0, 1};
    refuses_shapes(lanecast_spheres, "spheres", good[0], bad, 4);
}

static void of_round_cones(void)
{
    const float good[2][8] = {{0, 0, 0, 4, 0, 0, 1, 0.5F}, {0, 9, 0, 4, 9, 0, 1, 0.5F}};
    const float bad[8] = {0, 0, NAN, 4, 0, 0, 1, 0.5F};
    refuses_shapes(lanecast_round_cones, "round_cones", good[0], bad, 8);
}

static void of_cylinders(void)
{
    const float good[2][7] = {{0, 0, 0, 4, 0, 0, 1}, {0, 9, 0, 4, 9, 0, 1}}, bad[7] = {0, 0, NAN, 4, 0, 0, 1};
    refuses_shapes(lanecast_cylinders, "cylinders", good[0], bad, 7);
}

static void of_height_field(void)
{
    const float heights[2][3] = {{0, 0, 0}, {0, 0, 0}};
    const double origin[2] = {0, 0}, spacing[2] = {1, 1}, bad[2] = {0, NAN}, zero[2] = {0, 1};
    lanecast_geometry *made = NULL;
    REFUSES(lanecast_height_field(0, heights, 2, 3, origin, spacing, &made), "precision");
    REFUSES(lanecast_height_field(3, heights, 2, 3, origin, spacing, &made), "precision");
    REFUSES(lanecast_height_field(LANECAST_F32, NULL, 2, 3, origin, spacing, &made), "heights");
    REFUSES(lanecast_height_field(LANECAST_F32, ASKEW, 2, 3, origin, spacing, &made), "heights");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, SIZE_MAX, 3, origin, spacing, &made), "rows");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, SIZE_MAX / 4, 3, origin, spacing, &made), "heights");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, 2, 3, NULL, spacing, &made), "origin");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, 2, 3, ASKEW, spacing, &made), "origin");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, 2, 3, origin, NULL, &made), "spacing");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, 2, 3, origin, ASKEW, &made), "spacing");
    REFUSES(lanecast_height_field(LANECAST_F32, heights, 2, 3, origin, spacing, NULL), "geometry");
    FAILS(lanecast_height_field(LANECAST_F32, heights, 2, 3, bad, spacing, &made), LANECAST_INVALID_INPUT, "origin");
    FAILS(lanecast_height_field(LANECAST_F32, heights, 2, 3, origin, zero, &made), LANECAST_INVALID_INPUT, "spacing");
    FAILS(lanecast_height_field(LANECAST_F32, heights, 2, 3, origin, bad, &made), LANECAST_INVALID_INPUT, "spacing");
    CHECK(made == NULL);
}

static double ball(void *user, const double *point)
{
    (void)user;
    return sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]) - 1;
}

static void of_signed_distance_field(void)
{
    const double around[6] = {-2, -2, -2, 2, 2, 2}, bad[6] = {-2, NAN, -2, 2, 2, 2};
    lanecast_geometry *made = NULL;
    REFUSES(lanecast_signed_distance_field(0, ball, NULL, around, 1, 1e-3, &made), "precision");
    REFUSES(lanecast_signed_distance_field(LANECAST_F32, NULL, NULL, around, 1, 1e-3, &made), "function");
    REFUSES(lanecast_signed_distance_field(LANECAST_F32, ball, NULL, NULL, 1, 1e-3, &made), "bounds");
    REFUSES(lanecast_signed_distance_field(LANECAST_F32, ball, NULL, ASKEW, 1, 1e-3, &made), "bounds");
    REFUSES(lanecast_signed_distance_field(LANECAST_F32, ball, NULL, around, 1, 1e-3, NULL), "geometry");
    const double unusable[] = {NAN, 0, -1, INFINITY};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        FAILS(lanecast_signed_distance_field(LANECAST_F32, ball, NULL, around, unusable[k], 1e-3, &made), LANECAST_INVALID_INPUT, "Lipschitz");
        FAILS(lanecast_signed_distance_field(LANECAST_F32, ball, NULL, around, 1, unusable[k], &made), LANECAST_INVALID_INPUT, "tolerance");
    }
    CHECK(made == NULL);
    lanecast_result result = lanecast_signed_distance_field(LANECAST_F32, ball, NULL, bad, 1, 1e-3, &made);
    CHECK_INT(build_of(result, made), LANECAST_INVALID_INPUT);
}

static void own_bounds(void *user, uint32_t primitive_id, double *bounds)
{
    (void)primitive_id;
    memcpy(bounds, user, 6 * sizeof(double));
}

static void own_intersect(void *user, uint32_t primitive_id, const double *ray, lanecast_meet meet, void *context)
{
    (void)user, (void)primitive_id, (void)ray, (void)meet, (void)context;
}

static lanecast_result make_own(const void *given)
{
    lanecast_geometry *made = NULL;
    lanecast_result result = lanecast_own_primitives(LANECAST_F32, given, &made);
    return finish(result, made);
}

static void of_own_primitives(void)
{
    double around[6] = {0, 0, 0, 1, 1, 1}, bad[6] = {0, 0, NAN, 1, 1, 1};
    lanecast_geometry *made = NULL;
    lanecast_primitives primitives = {.size = sizeof primitives};
    primitives.count = 2, primitives.user = around;
    primitives.bounds = own_bounds, primitives.intersect = own_intersect;
    const lanecast_primitives good = primitives;
    refuses_struct("primitives", &good, sizeof good, 0, make_own);
    REFUSES(lanecast_own_primitives(0, &good, &made), "precision");
    REFUSES(lanecast_own_primitives(3, &good, &made), "precision");
    REFUSES(lanecast_own_primitives(LANECAST_F32, &good, NULL), "geometry");
    primitives.bounds = NULL;
    REFUSES(make_own(&primitives), "bounds");
    primitives = good, primitives.intersect = NULL;
    REFUSES(make_own(&primitives), "intersect");
    CHECK(made == NULL);
    primitives = good, primitives.user = bad;
    PASSES(lanecast_own_primitives(LANECAST_F32, &primitives, &made));
    forget();
    CHECK_INT(build_of(LANECAST_OK, made), LANECAST_INVALID_INPUT);
    CHECK(strstr(lanecast_last_error(), "primitive 0") != NULL);

    /* Closest points and an inside of primitives that have none. */
    lanecast_scene *built = NULL;
    made = NULL;
    PASSES(lanecast_own_primitives(LANECAST_F32, &good, &made));
    const lanecast_geometry *given = made;
    PASSES(lanecast_build(LANECAST_F32, &given, 1, NULL, 0, NULL, &built));
    const lanecast_points points = good_points();
    const lanecast_values values = good_values();
    FAILS(lanecast_distance(built, &points, NULL, &values), LANECAST_UNANSWERABLE, "geometry 0");
    FAILS(lanecast_contains(built, &points, NULL, &values), LANECAST_UNANSWERABLE, "geometry 0");
    FAILS(lanecast_save(built, "own.lanecast", NULL, NULL), LANECAST_FILE_ERROR, "geometry 0");
    lanecast_scene_free(built);
    lanecast_geometry_free(made);
}
