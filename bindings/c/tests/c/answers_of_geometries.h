/* What each kind of geometry is, of one precision: included by `answers.c` for each. */

static void OF(triangles_are_met_where_they_are)(void)
{
    lanecast_geometry *geometry = OF(triangle)(0, false);
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    const struct OF(hit) hit = OF(hit_by)(scene, false, RAY(1, 2, 5, 0, 0, -2));
    CHECK_INT(hit.status, LANECAST_HIT);
    CHECK_NEAR(hit.t, 2.5, 0);
    CHECK_NEAR(hit.u, 0.25, 0);
    CHECK_NEAR(hit.v, 0.5, 0);
    CHECK_INT(hit.primitive_id, 0);
    CHECK_INT(hit.geometry_id, 0);
    CHECK_INT(hit.instance_id, LANECAST_INVALID_ID);
    /* (v1 - v0) x (v2 - v0). */
    CHECK_NEAR(hit.normal[0], 0, 0);
    CHECK_NEAR(hit.normal[1], 0, 0);
    CHECK_NEAR(hit.normal[2], 16, 0);
    MISSES(scene, RAY(3, 3, 5, 0, 0, -1));
    MISSES(scene, RAY(1, 1, 5, 0, 0, 1));
    lanecast_scene_free(scene);
}

static void OF(rows_of_meshes_may_lie_in_structs)(void)
{
    struct vertex {
        REAL weight, position[3], more;
    };
    struct triangle {
        uint32_t material, vertices[3], more[2];
    };
    struct vertex vertices[4];
    struct triangle triangles[4];
    memset(vertices, 0x7F, sizeof vertices);
    memset(triangles, 0x7F, sizeof triangles);
    for (int row = 0; row < 4; row++) {
        memcpy(vertices[row].position, OF(corners)[row], sizeof OF(corners)[0]);
        memcpy(triangles[row].vertices, OF(faces)[row], sizeof OF(faces)[0]);
    }
    lanecast_geometry *geometry = NULL;
    lanecast_rows of_vertices = {vertices[0].position, 4, sizeof vertices[0]};
    lanecast_rows of_triangles = {triangles[0].vertices, 4, sizeof triangles[0]};
    PASSES(lanecast_triangles(PRECISION, of_vertices, of_triangles, &geometry));
    const lanecast_geometry *given = geometry;
    lanecast_scene *scene = NULL;
    PASSES(lanecast_build(PRECISION, &given, 1, NULL, 0, NULL, &scene));
    lanecast_geometry_free(geometry);
    if (scene != NULL) {
        MEETS(scene, RAY(-1, 1, 1, 1, 0, 0), 1, 3, 2, 0);
        MEETS(scene, RAY(1, 1, -1, 0, 0, 1), 1, 3, 0, 0);
    }
    lanecast_scene_free(scene);

    /* Boxes in structs, too. */
    REAL boxes[2][8] = {{-1, -1, -1, 1, 1, 1, 99, 99}, {3, -1, -1, 5, 1, 1, 99, 99}};
    geometry = NULL;
    PASSES(lanecast_boxes(PRECISION, ROWS_OF(boxes), &geometry));
    scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 10, 0, ROUNDING);
    lanecast_scene_free(scene);
}

static void OF(buffers_of_meshes_are_free_after_the_build)(void)
{
    REAL vertices[3][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    uint32_t triangles[1][3] = {{0, 1, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(vertices), ROWS_OF(triangles), &geometry));
    /* They are read when the geometry is given to a scene. */
    vertices[0][2] = vertices[1][2] = vertices[2][2] = 1;
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    memset(vertices, 0xFF, sizeof vertices);
    memset(triangles, 0xFF, sizeof triangles);
    MEETS(scene, RAY(1, 1, 5, 0, 0, -1), 4, 4, 0, 0);
    lanecast_scene_free(scene);

    /* Those of other kinds are copied at once. */
    REAL spheres[1][4] = {{0, 0, 0, 1}};
    geometry = NULL;
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(spheres), &geometry));
    memset(spheres, 0xFF, sizeof spheres);
    scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 6, 0, 8 * ROUNDING);
    lanecast_scene_free(scene);
}

static void OF(quads_are_two_triangles_each)(void)
{
    const REAL vertices[6][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {4, 0, 0}, {4, 2, 0}};
    const uint32_t quads[2][4] = {{0, 1, 2, 3}, {1, 4, 5, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_quads(PRECISION, ROWS_OF(vertices), ROWS_OF(quads), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    /* a, b, d of a quad, then c, d, b. */
    struct OF(hit) hit = OF(hit_by)(scene, false, RAY(0.5, 0.25, 5, 0, 0, -1));
    CHECK_INT(hit.primitive_id, 0);
    CHECK_NEAR(hit.u, 0.25, 0);
    CHECK_NEAR(hit.v, 0.125, 0);
    hit = OF(hit_by)(scene, false, RAY(1.5, 1, 5, 0, 0, -1));
    CHECK_INT(hit.primitive_id, 1);
    CHECK_NEAR(hit.u, 0.25, 0);
    CHECK_NEAR(hit.v, 0.5, 0);
    MEETS(scene, RAY(2.5, 0.5, 5, 0, 0, -1), 5, 5, 2, 0);
    MEETS(scene, RAY(3.5, 1.5, 5, 0, 0, -1), 5, 5, 3, 0);
    lanecast_scene_free(scene);
}

static void OF(boxes_are_met)(void)
{
    const REAL boxes[2][6] = {{-1, -1, -1, 1, 1, 1}, {9, -1, -1, 10, 1, 1}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_boxes(PRECISION, ROWS_OF(boxes), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 15, 0, 0);
    MEETS(scene, RAY(5, 0, 0, 1, 0, 0), 4, 5, 1, 0);
    MISSES(scene, RAY(-5, 2, 0, 1, 0, 0));
    const struct OF(hit) hit = OF(hit_by)(scene, false, RAY(-5, 0, 0, 1, 0, 0));
    CHECK(hit.normal[0] < 0 && hit.normal[1] == 0 && hit.normal[2] == 0);
    lanecast_scene_free(scene);
}

static void OF(oriented_boxes_are_met)(void)
{
    /* Turned by 45 degrees around z. */
    const REAL s = (REAL)0.70710678118654752440;
    const REAL boxes[1][15] = {{0, 0, 0, s, s, 0, -s, s, 0, 0, 0, 1, 1, 1, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_oriented_boxes(PRECISION, ROWS_OF(boxes), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 5 - sqrt(2), 5 + sqrt(2), 0, 4 * ROUNDING);
    MEETS(scene, RAY(0, 0, 5, 0, 0, -1), 3, 7, 0, 4 * ROUNDING);
    MISSES(scene, RAY(-5, 1.5, 0, 1, 0, 0));
    lanecast_scene_free(scene);
}

static void OF(spheres_are_met)(void)
{
    const REAL spheres[2][4] = {{0, 0, 0, 1}, {9, 0, 0, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(spheres), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 16, 0, 8 * ROUNDING);
    MEETS(scene, RAY(9, 0, 0, 1, 0, 0), 2, 2, 1, 8 * ROUNDING);
    MISSES(scene, RAY(-5, 2.5, 0, 1, 0, 0));
    lanecast_scene_free(scene);
}

static void OF(round_cones_are_met)(void)
{
    const REAL cones[2][8] = {{0, 0, 0, 4, 0, 0, 1, 1}, {0, 9, 0, 4, 9, 0, 2, 1}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_round_cones(PRECISION, ROWS_OF(cones), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 10, 0, 8 * ROUNDING);
    MEETS(scene, RAY(2, 0, 5, 0, 0, -1), 4, 6, 0, 8 * ROUNDING);
    MEETS(scene, RAY(-5, 9, 0, 1, 0, 0), 3, 10, 1, 8 * ROUNDING);
    lanecast_scene_free(scene);
}

static void OF(cylinders_are_met)(void)
{
    const REAL cylinders[2][7] = {{0, 0, 0, 4, 0, 0, 1}, {0, 9, 0, 0, 9, 3, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_cylinders(PRECISION, ROWS_OF(cylinders), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 5, 9, 0, 8 * ROUNDING);
    MEETS(scene, RAY(2, 0, 5, 0, 0, -1), 4, 6, 0, 8 * ROUNDING);
    MEETS(scene, RAY(-5, 9, 1, 1, 0, 0), 3, 7, 1, 8 * ROUNDING);
    lanecast_scene_free(scene);
}

static void OF(height_fields_are_met_but_for_holes)(void)
{
    /* Two rows along x of three vertices each: z = 1 + x, and a hole at the end of the second. */
    const REAL heights[2][4] = {{1, 2, 3, 4}, {1, 2, 3, (REAL)NAN}};
    const double origin[2] = {10, 20}, spacing[2] = {1, 2};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_height_field(PRECISION, heights, 2, 4, origin, spacing, &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    struct OF(hit) hit = OF(hit_by)(scene, false, RAY(10.5, 21, 9, 0, 0, -1));
    CHECK_INT(hit.status, LANECAST_HIT);
    CHECK_NEAR(hit.t, 7.5, 4 * ROUNDING);
    /* The front is above. */
    CHECK(hit.normal[2] > 0);
    hit = OF(hit_by)(scene, false, RAY(11.5, 20.5, 9, 0, 0, -1));
    CHECK_NEAR(hit.t, 6.5, 4 * ROUNDING);
    MISSES(scene, RAY(12.9, 21.9, 9, 0, 0, -1));
    MISSES(scene, RAY(9.5, 21, 9, 0, 0, -1));
    lanecast_scene_free(scene);
}

static void OF(signed_distances_are_met)(void)
{
    const double around[6] = {-2, -2, -2, 2, 2, 2};
    double radius = 1;
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_signed_distance_field(PRECISION, ball_distance, &radius, around, 1, 1e-4, &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    MEETS(scene, RAY(-5, 0, 0, 1, 0, 0), 4, 6, 0, 2e-4);
    MISSES(scene, RAY(-5, 1.5, 0, 1, 0, 0));
    lanecast_scene_free(scene);
}

static void OF(own_primitives_answer_as_built_in_ones)(void)
{
    static const double balls[3][4] = {{0, 0, 0, 1}, {3, 0, 0, 1.5}, {0, 4, 0, 0.5}};
    REAL spheres[3][4];
    for (int row = 0; row < 3; row++) {
        for (int place = 0; place < 4; place++) {
            spheres[row][place] = (REAL)balls[row][place];
        }
    }
    struct balls user = {balls};
    lanecast_primitives primitives = {.size = sizeof primitives};
    primitives.count = 3, primitives.user = &user;
    primitives.bounds = ball_bounds, primitives.intersect = ball_intersect, primitives.nearest = ball_nearest;
    primitives.is_closed = true;
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_own_primitives(PRECISION, &primitives, &geometry));
    /* The struct is copied. */
    memset(&primitives, 0, sizeof primitives);
    lanecast_scene *own = OF(scene_of)(&geometry, 1);
    geometry = NULL;
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(spheres), &geometry));
    lanecast_scene *built_in = OF(scene_of)(&geometry, 1);

    enum { COUNT = 400 };
    static REAL origins[COUNT][3];
    const REAL direction[1][3] = {{(REAL)0.6, (REAL)0.8, (REAL)0.1}};
    static struct OF(hit) hits[2][COUNT];
    uint32_t state = 1;
    for (int row = 0; row < COUNT; row++) {
        for (int axis = 0; axis < 3; axis++) {
            origins[row][axis] = (REAL)(12 * draw(&state) - 6);
        }
    }
    const lanecast_rays rays = OF(rays)((const REAL(*)[3])origins, direction, COUNT);
    lanecast_hits places = OF(hits_of)(hits[0], COUNT);
    PASSES(lanecast_closest_hit(own, &rays, NULL, &places));
    places = OF(hits_of)(hits[1], COUNT);
    PASSES(lanecast_closest_hit(built_in, &rays, NULL, &places));
    size_t met = 0;
    for (int row = 0; row < COUNT; row++) {
        CHECK_INT(hits[0][row].status, hits[1][row].status);
        CHECK_INT(hits[0][row].primitive_id, hits[1][row].primitive_id);
        if (hits[0][row].status == LANECAST_HIT && hits[1][row].status == LANECAST_HIT) {
            met++;
            CHECK_NEAR(hits[0][row].t, hits[1][row].t, 1e4 * ROUNDING);
            CHECK_NEAR(hits[0][row].u, 0.25, 0);
            CHECK_NEAR(hits[0][row].v, 0.5, 0);
        }
    }
    CHECK(met > 20 && met < COUNT);

    lanecast_points points = {.size = sizeof points};
    points.precision = PRECISION, points.count = COUNT;
    points.position = rays.origin;
    static REAL distances[2][COUNT];
    static int32_t winding[2][COUNT];
    lanecast_values values = {.size = sizeof values};
    values.count = COUNT, values.value = PLACE(distances[0]);
    PASSES(lanecast_signed_distance(own, &points, NULL, &values));
    values.value = PLACE(distances[1]);
    PASSES(lanecast_signed_distance(built_in, &points, NULL, &values));
    values.value = PLACE(winding[0]);
    PASSES(lanecast_contains(own, &points, NULL, &values));
    values.value = PLACE(winding[1]);
    PASSES(lanecast_contains(built_in, &points, NULL, &values));
    size_t inside = 0;
    for (int row = 0; row < COUNT; row++) {
        CHECK_NEAR(distances[0][row], distances[1][row], 100 * ROUNDING);
        CHECK_INT(winding[0][row], winding[1][row]);
        inside += winding[0][row] != 0;
    }
    CHECK(inside > 0 && inside < COUNT);

    /* Placed elsewhere: the map to the frame of the point is given. */
    lanecast_instance instance = placed_at(own, 100, 0, 0);
    lanecast_scene *placed = NULL;
    PASSES(lanecast_build(PRECISION, NULL, 0, &instance, 1, NULL, &placed));
    const REAL at[1][3] = {{95, 0, 0}};
    points.count = 1, points.position = OF(vectors)(at, 0);
    values.count = 1, values.value = PLACE(distances[0]);
    PASSES(lanecast_distance(placed, &points, NULL, &values));
    CHECK_NEAR(distances[0][0], 4, 100 * ROUNDING);
    lanecast_scene_free(placed);
    lanecast_scene_free(own);
    lanecast_scene_free(built_in);
}

static void OF(welded_meshes_are_closed)(void)
{
    /* A tetrahedron each of whose faces has vertices of its own, which differ a little. */
    REAL vertices[12][3];
    uint32_t triangles[4][3];
    for (uint32_t corner = 0; corner < 12; corner++) {
        memcpy(vertices[corner], OF(corners)[OF(faces)[corner / 3][corner % 3]], sizeof vertices[0]);
        vertices[corner][0] += (REAL)(corner / 3) / 1024;
        triangles[corner / 3][corner % 3] = corner;
    }
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(vertices), ROWS_OF(triangles), &geometry));
    const lanecast_geometry *given = geometry;
    lanecast_build_options options = {.size = sizeof options};
    lanecast_points points = {.size = sizeof points};
    const REAL at[1][3] = {{1, 1, 1}};
    points.precision = PRECISION, points.count = 1, points.position = OF(vectors)(at, 0);
    int32_t winding[1] = {7};
    lanecast_values values = {.size = sizeof values};
    values.count = 1, values.value = PLACE(winding);
    for (int weld = 0; weld < 2; weld++) {
        lanecast_scene *scene = NULL;
        options.weld = weld, options.weld_tolerance = 1.0 / 128;
        PASSES(lanecast_build(PRECISION, &given, 1, NULL, 0, &options, &scene));
        CHECK_INT(lanecast_contains(scene, &points, NULL, &values), weld ? LANECAST_OK : LANECAST_UNANSWERABLE);
        lanecast_scene_free(scene);
    }
    CHECK_INT(winding[0], 1);
    lanecast_geometry_free(geometry);
}

static void OF(facts_are_those_of_the_content)(void)
{
    const REAL spheres[2][4] = {{9, 0, 0, 1}, {0, 9, 0, 1}};
    lanecast_scene *tetrahedron = OF(tetrahedron)(), *scene = NULL;
    lanecast_geometry *geometries[2] = {OF(triangle)(0, false), NULL};
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(spheres), &geometries[1]));
    const lanecast_geometry *given[2] = {geometries[0], geometries[1]};
    const lanecast_instance instances[2] = {placed_at(tetrahedron, -100, 0, 0), placed_at(tetrahedron, 0, 0, 50)};
    PASSES(lanecast_build(PRECISION, given, 2, instances, 2, NULL, &scene));
    lanecast_scene_facts facts;
    memset(&facts, 0xA5, sizeof facts);
    facts.size = sizeof facts;
    PASSES(lanecast_scene_get_facts(scene, &facts));
    CHECK_INT(facts.size, sizeof facts);
    CHECK_INT(facts.precision, PRECISION);
    CHECK_INT(facts.geometry_count, 2);
    CHECK_INT(facts.triangle_count, 1);
    CHECK_INT(facts.primitive_count, 3);
    CHECK_INT(facts.instance_count, 2);
    CHECK_INT(facts.instance_id_count, 2);
    const double bounds[6] = {-100, -1, -1, 10, 10, 54};
    for (int place = 0; place < 6; place++) {
        CHECK_NEAR(facts.bounds[place], bounds[place], 100 * ROUNDING);
    }
    /* An older struct, which ends before the bounds. */
    memset(&facts, 0xA5, sizeof facts);
    facts.size = offsetof(lanecast_scene_facts, bounds);
    PASSES(lanecast_scene_get_facts(scene, &facts));
    CHECK_INT(facts.size, offsetof(lanecast_scene_facts, bounds));
    CHECK_INT(facts.instance_id_count, 2);
    for (size_t place = 0; place < sizeof facts.bounds; place++) {
        CHECK_INT(((const unsigned char *)facts.bounds)[place], 0xA5);
    }

    /* Instances in instances count again for each. */
    lanecast_scene *nested = NULL;
    const lanecast_instance outer[2] = {placed_at(scene, 0, 0, 0), placed_at(scene, 0, 500, 0)};
    PASSES(lanecast_build(PRECISION, NULL, 0, outer, 2, NULL, &nested));
    facts.size = sizeof facts;
    PASSES(lanecast_scene_get_facts(nested, &facts));
    CHECK_INT(facts.instance_count, 2);
    CHECK_INT(facts.instance_id_count, 6);
    CHECK_INT(facts.primitive_count, 0);
    lanecast_scene_free(nested);
    lanecast_scene_free(scene);
    lanecast_scene_free(tetrahedron);
    lanecast_geometry_free(geometries[0]);
    lanecast_geometry_free(geometries[1]);
}

static void OF(nothing_at_all_is_a_scene)(void)
{
    lanecast_scene *scene = NULL;
    PASSES(lanecast_build(PRECISION, NULL, 0, NULL, 0, NULL, &scene));
    lanecast_scene_facts facts = {.size = sizeof facts};
    PASSES(lanecast_scene_get_facts(scene, &facts));
    CHECK_INT(facts.geometry_count, 0);
    CHECK_INT(facts.primitive_count, 0);
    for (int axis = 0; axis < 3; axis++) {
        CHECK_NEAR(facts.bounds[axis], INFINITY, 0);
        CHECK_NEAR(facts.bounds[3 + axis], -INFINITY, 0);
    }
    MISSES(scene, RAY(0, 0, 0, 0, 0, 1));
    lanecast_scene_free(scene);
}

static void OF(instances_are_met_where_they_are_placed)(void)
{
    lanecast_scene *tetrahedron = OF(tetrahedron)(), *scene = NULL;
    /* Twice as large and moved along x, and a mirror image in x. */
    lanecast_instance instances[2] = {placed_at(tetrahedron, 10, 0, 0), placed_at(tetrahedron, -10, 0, 0)};
    instances[0].transform[0] = instances[0].transform[5] = instances[0].transform[10] = 2;
    instances[1].transform[0] = -1;
    PASSES(lanecast_build(PRECISION, NULL, 0, instances, 2, NULL, &scene));
    /* It keeps the scene that it places. */
    lanecast_scene_free(tetrahedron);
    struct OF(hit) hit = OF(hit_by)(scene, false, RAY(11, 1, -2, 0, 0, 1));
    CHECK_INT(hit.status, LANECAST_HIT);
    CHECK_NEAR(hit.t, 2, 10 * ROUNDING);
    CHECK_INT(hit.primitive_id, 0);
    CHECK_INT(hit.geometry_id, 0);
    CHECK_INT(hit.instance_id, 0);
    hit = OF(hit_by)(scene, false, RAY(-11, 1, -2, 0, 0, 1));
    CHECK_NEAR(hit.t, 2, 10 * ROUNDING);
    CHECK_INT(hit.instance_id, 1);
    /* Normals of hits point to the front, mirrored or not. */
    hit = OF(hit_by)(scene, false, RAY(-20, 1, 1, 1, 0, 0));
    CHECK_INT(hit.primitive_id, 3);
    MISSES(scene, RAY(1, 1, -2, 0, 0, 1));

    /* The map comes back as it was given. */
    double transform[13];
    transform[12] = 99;
    PASSES(lanecast_scene_get_transform(scene, 0, transform));
    CHECK(memcmp(transform, instances[0].transform, sizeof identity) == 0);
    PASSES(lanecast_scene_get_transform(scene, 1, transform));
    CHECK(memcmp(transform, instances[1].transform, sizeof identity) == 0);
    CHECK_NEAR(transform[12], 99, 0);
    lanecast_scene_free(scene);
}
