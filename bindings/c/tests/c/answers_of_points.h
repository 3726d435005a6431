/* Queries of points, regions and lines of sight, of one precision: included by `answers.c` for each. */

static lanecast_points OF(points)(const REAL (*positions)[3], size_t count)
{
    lanecast_points points = {.size = sizeof points};
    points.precision = PRECISION, points.count = count;
    points.position = OF(vectors)(positions, sizeof positions[0]);
    return points;
}

static const lanecast_column OF(any_radius) = {NULL, 0};

static void OF(points_find_surfaces)(void)
{
    lanecast_scene *scene = OF(tetrahedron)();
    const REAL at[2][3] = {{1, (REAL)0.5, 1}, {-3, -4, 1}};
    const lanecast_points points = OF(points)(at, 2);

    struct record {
        uint8_t status, gap[7];
        REAL point[3], gap1, normal[3], distance, u, v;
        uint32_t primitive_id, geometry_id, instance_id, gap2;
    } found[2];
    const size_t stride = sizeof found[0];
    memset(found, 0xA5, sizeof found);
    lanecast_closest_points closest = {.size = sizeof closest};
    closest.count = 2;
    closest.status = (lanecast_answers){&found[0].status, stride};
    closest.distance = (lanecast_answers){&found[0].distance, stride};
    closest.point = (lanecast_answers){found[0].point, stride};
    closest.normal = (lanecast_answers){found[0].normal, stride};
    closest.u = (lanecast_answers){&found[0].u, stride};
    closest.v = (lanecast_answers){&found[0].v, stride};
    closest.primitive_id = (lanecast_answers){&found[0].primitive_id, stride};
    closest.geometry_id = (lanecast_answers){&found[0].geometry_id, stride};
    closest.instance_id = (lanecast_answers){&found[0].instance_id, stride};
    PASSES(lanecast_closest_point(scene, &points, OF(any_radius), NULL, &closest));
    CHECK_INT(found[0].status, LANECAST_HIT);
    CHECK_NEAR(found[0].distance, 0.5, 0);
    CHECK_NEAR(found[0].point[0], 1, 0);
    CHECK_NEAR(found[0].point[1], 0, 0);
    CHECK_NEAR(found[0].point[2], 1, 0);
    /* Face 1 is of vertices 0, 1 and 3. */
    CHECK_INT(found[0].primitive_id, 1);
    CHECK_INT(found[0].geometry_id, 0);
    CHECK_INT(found[0].instance_id, LANECAST_INVALID_ID);
    CHECK_NEAR(found[0].u, 0.25, 0);
    CHECK_NEAR(found[0].v, 0.25, 0);
    CHECK_NEAR(found[0].normal[0], 0, 0);
    CHECK_NEAR(found[0].normal[1], -16, 0);
    CHECK_NEAR(found[0].normal[2], 0, 0);
    CHECK_NEAR(found[1].distance, 5, 0);
    CHECK_NEAR(found[1].point[2], 1, 0);
    const unsigned char *bytes = (const unsigned char *)&found[0];
    for (size_t place = 0; place < sizeof found[0].gap; place++) {
        CHECK_INT(found[0].gap[place], 0xA5);
    }
    for (size_t place = 0; place < sizeof found[0].gap1; place++) {
        CHECK_INT(bytes[offsetof(struct record, gap1) + place], 0xA5);
    }
    CHECK_INT(found[1].gap2, 0xA5A5A5A5);

    REAL distances[2];
    uint8_t status[2];
    lanecast_values values = {.size = sizeof values};
    values.count = 2, values.value = PLACE(distances), values.status = PLACE(status);
    PASSES(lanecast_distance(scene, &points, NULL, &values));
    CHECK_NEAR(distances[0], 0.5, 0);
    CHECK_NEAR(distances[1], 5, 0);
    CHECK_INT(status[0], LANECAST_HIT);
    PASSES(lanecast_signed_distance(scene, &points, NULL, &values));
    CHECK_NEAR(distances[0], -0.5, 0);
    CHECK_NEAR(distances[1], 5, 0);
    lanecast_scene_free(scene);

    /* Lists: three balls in a row. */
    const REAL balls[3][4] = {{1, 0, 0, (REAL)0.5}, {4, 0, 0, (REAL)0.5}, {9, 0, 0, (REAL)0.5}};
    const REAL from[2][3] = {{0, 0, 0}, {8, 0, 0}};
    const lanecast_points two = OF(points)(from, 2);
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(balls), &geometry));
    scene = OF(scene_of)(&geometry, 1);
    lanecast_point_lists *lists = NULL;
    lanecast_point_lists_view view;
    PASSES(lanecast_nearest_points(scene, &two, 2, OF(any_radius), NULL, &lists));
    PASSES(lanecast_point_lists_get(lists, &view));
    CHECK_INT(view.rows, 2);
    CHECK_INT(view.points, 4);
    CHECK_INT(view.offsets[0], 0);
    CHECK_INT(view.offsets[1], 2);
    CHECK_INT(view.offsets[2], 4);
    const double expected[4] = {0.5, 3.5, 0.5, 3.5}, x[4] = {0.5, 3.5, 8.5, 4.5};
    const uint32_t ids[4] = {0, 1, 2, 1};
    for (size_t row = 0; row < 4; row++) {
        const char *distance = view.distance.data, *point = view.point.data, *primitive_id = view.primitive_id.data;
        const char *geometry_id = view.geometry_id.data, *instance_id = view.instance_id.data;
        const REAL *position = (const REAL *)(const void *)(point + row * view.point.stride);
        CHECK_NEAR(*(const REAL *)(const void *)(distance + row * view.distance.stride), expected[row], 4 * ROUNDING);
        CHECK_NEAR(position[0], x[row], 8 * ROUNDING);
        CHECK_NEAR(position[1], 0, 4 * ROUNDING);
        CHECK_INT(*(const uint32_t *)(const void *)(primitive_id + row * view.primitive_id.stride), ids[row]);
        CHECK_INT(*(const uint32_t *)(const void *)(geometry_id + row * view.geometry_id.stride), 0);
        CHECK_INT(*(const uint32_t *)(const void *)(instance_id + row * view.instance_id.stride), LANECAST_INVALID_ID);
    }
    lanecast_point_lists_free(lists);
    const REAL four = 4;
    PASSES(lanecast_points_within(scene, &two, (lanecast_column){&four, 0}, NULL, &lists));
    PASSES(lanecast_point_lists_get(lists, &view));
    CHECK_INT(view.offsets[1], 2);
    CHECK_INT(view.points, 4);
    CHECK_INT(view.status[0], LANECAST_HIT);
    lanecast_point_lists_free(lists);
    lanecast_scene_free(scene);
}

static void OF(radii_limit_and_have_statuses)(void)
{
    lanecast_scene *scene = OF(tetrahedron)();
    const REAL at[5][3] = {{1, 1, -2}, {1, 1, -2}, {1, 1, -2}, {1, 1, -2}, {(REAL)NAN, 1, 1}};
    const lanecast_points points = OF(points)(at, 5);
    const uint8_t expected[5] = {
        LANECAST_HIT, LANECAST_MISS, LANECAST_INVALID_INTERVAL, LANECAST_EMPTY_INTERVAL, LANECAST_INVALID_ORIGIN,
    };
    /* The radius is included. */
    const REAL radii[5] = {2, (REAL)1.5, (REAL)NAN, -1, 2};
    uint8_t status[5];
    REAL distances[5];
    lanecast_closest_points closest = {.size = sizeof closest};
    closest.count = 5, closest.status = PLACE(status), closest.distance = PLACE(distances);
    PASSES(lanecast_closest_point(scene, &points, (lanecast_column){radii, sizeof radii[0]}, NULL, &closest));
    lanecast_point_lists *lists = NULL;
    lanecast_point_lists_view view;
    PASSES(lanecast_points_within(scene, &points, (lanecast_column){radii, sizeof radii[0]}, NULL, &lists));
    PASSES(lanecast_point_lists_get(lists, &view));
    for (int row = 0; row < 5; row++) {
        CHECK_INT(status[row], expected[row]);
        CHECK_INT(view.status[row], expected[row]);
    }
    CHECK_NEAR(distances[0], 2, 0);
    CHECK_INT(view.points, 1);
    lanecast_point_lists_free(lists);
    /* One of all: the second. */
    PASSES(lanecast_closest_point(scene, &points, (lanecast_column){&radii[1], 0}, NULL, &closest));
    CHECK_INT(status[0], LANECAST_MISS);
    PASSES(lanecast_closest_point(scene, &points, OF(any_radius), NULL, &closest));
    CHECK_INT(status[3], LANECAST_HIT);

    /* Radii in structs with the points. */
    struct {
        REAL position[3], radius;
    } given[5];
    for (int row = 0; row < 5; row++) {
        memcpy(given[row].position, at[row], sizeof at[0]);
        given[row].radius = radii[row];
    }
    lanecast_points in_structs = points;
    in_structs.position =
        (lanecast_vectors){&given[0].position[0], &given[0].position[1], &given[0].position[2], sizeof given[0]};
    memset(status, 9, sizeof status);
    PASSES(lanecast_closest_point(scene, &in_structs, (lanecast_column){&given[0].radius, sizeof given[0]}, NULL, &closest));
    for (int row = 0; row < 5; row++) {
        CHECK_INT(status[row], expected[row]);
    }
    lanecast_scene_free(scene);
}

static void OF(insides_are_inside)(void)
{
    lanecast_scene *scene = OF(tetrahedron)();
    const REAL at[3][3] = {{1, 1, 1}, {-1, 1, 1}, {(REAL)INFINITY, 0, 0}};
    const lanecast_points points = OF(points)(at, 3);
    int32_t winding[3] = {7, 7, 7};
    uint8_t status[3];
    lanecast_values values = {.size = sizeof values};
    values.count = 3, values.value = PLACE(winding), values.status = PLACE(status);
    lanecast_options options = {.size = sizeof options};
    for (int generalised = 0; generalised < 2; generalised++) {
        options.generalised_winding = generalised ? 2 : 0;
        PASSES(lanecast_contains(scene, &points, &options, &values));
        CHECK_INT(winding[0], 1);
        CHECK_INT(winding[1], 0);
        CHECK_INT(status[0], LANECAST_HIT);
        CHECK_INT(status[1], LANECAST_MISS);
        CHECK_INT(status[2], LANECAST_INVALID_ORIGIN);
    }

    /* x changes fastest, then y: of eight points at 1 and 5 only the first is inside. */
    lanecast_grid grid = {{1, 1, 1}, {4, 4, 4}, {2, 2, 2}};
    uint8_t occupied[9];
    memset(occupied, 9, sizeof occupied);
    PASSES(lanecast_occupancy(scene, &grid, NULL, occupied, 8));
    for (int cell = 0; cell < 8; cell++) {
        CHECK_INT(occupied[cell], cell == 0);
    }
    CHECK_INT(occupied[8], 9);
    /* Points (0.5, 0.5 + y, 0.5 + 2 z) for y below 3 and z below 2: (y, z) is (0, 0), (1, 0), (2, 0), (0, 1) and so on. */
    grid = (lanecast_grid){{0.5, 0.5, 0.5}, {1, 1, 2}, {1, 3, 2}};
    const uint8_t expected[6] = {1, 1, 1, 1, 0, 0};
    options.generalised_winding = 0;
    PASSES(lanecast_occupancy(scene, &grid, &options, occupied, 6));
    for (int cell = 0; cell < 6; cell++) {
        CHECK_INT(occupied[cell], expected[cell]);
    }
    grid.counts[1] = 0;
    PASSES(lanecast_occupancy(scene, &grid, NULL, NULL, 0));
    lanecast_scene_free(scene);
}

static void OF(open_surfaces_have_winding_numbers)(void)
{
    /* A tetrahedron without its slanting face, which is an eighth of what the corner sees. */
    lanecast_geometry *geometry = NULL;
    lanecast_rows faces = ROWS_OF(OF(faces));
    faces.count = 3;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(OF(corners)), faces, &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    const REAL at[2][3] = {{(REAL)0.25, (REAL)0.25, (REAL)0.25}, {-9, -9, -9}};
    const lanecast_points points = OF(points)(at, 2);
    int32_t winding[2];
    lanecast_values values = {.size = sizeof values};
    values.count = 2, values.value = PLACE(winding);
    CHECK_INT(lanecast_contains(scene, &points, NULL, &values), LANECAST_UNANSWERABLE);
    lanecast_options options = {.size = sizeof options};
    options.generalised_winding = 2;
    PASSES(lanecast_contains(scene, &points, &options, &values));
    CHECK_INT(winding[0], 1);
    CHECK_INT(winding[1], 0);
    float numbers[2];
    values.value = PLACE(numbers);
    PASSES(lanecast_winding_number(scene, &points, 2, NULL, &values));
    CHECK(numbers[0] > 0.75F && numbers[0] < 1);
    CHECK_NEAR(numbers[1], 0, 0.1);
    REAL distances[2];
    values.value = PLACE(distances);
    PASSES(lanecast_signed_distance(scene, &points, &options, &values));
    CHECK_NEAR(distances[0], -0.25, ROUNDING);
    CHECK(distances[1] > 0);
    lanecast_scene_free(scene);

    scene = OF(tetrahedron)();
    values.value = PLACE(numbers);
    PASSES(lanecast_winding_number(scene, &points, 4, NULL, &values));
    CHECK_NEAR(numbers[0], 1, 0.01);
    CHECK_NEAR(numbers[1], 0, 0.01);
    lanecast_scene_free(scene);
}

static void OF(regions_overlap)(void)
{
    const REAL vertices[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(vertices), ROWS_OF(triangles), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    const double below[6] = {0.5, 0, -1, 1, 0.25, 0}, all[6] = {0, 0, -1, 1, 1, 1}, away[6] = {2, 2, 2, 3, 3, 3};
    /* Touching counts; between x = 0.75 and x = 1.5, below y = 0.5. */
    const double ball[4] = {0, 2, 0, 1}, planes[12] = {1, 0, 0, -0.75, -1, 0, 0, 1.5, 0, -2, 0, 1};
    static const struct {
        lanecast_region kind;
        size_t numbers, found;
        uint32_t first;
    } expected[5] = {
        {LANECAST_REGION_BOX, 6, 1, 0}, {LANECAST_REGION_BOX, 6, 2, 0}, {LANECAST_REGION_BOX, 6, 0, 0},
        {LANECAST_REGION_SPHERE, 4, 1, 1}, {LANECAST_REGION_PLANES, 12, 1, 0},
    };
    const double *const regions[5] = {below, all, away, ball, planes};
    for (int row = 0; row < 5; row++) {
        lanecast_primitive_list *list = NULL;
        lanecast_primitive_list_view view;
        CHECK_INT(lanecast_overlaps_any(scene, expected[row].kind, regions[row], expected[row].numbers, NULL), expected[row].found > 0);
        PASSES(lanecast_overlap(scene, expected[row].kind, regions[row], expected[row].numbers, NULL, &list));
        PASSES(lanecast_primitive_list_get(list, &view));
        CHECK_INT(view.count, expected[row].found);
        for (size_t place = 0; place < view.count; place++) {
            const char *primitive_id = view.primitive_id.data, *geometry_id = view.geometry_id.data;
            const char *instance_id = view.instance_id.data;
            CHECK_INT(*(const uint32_t *)(const void *)(primitive_id + place * view.primitive_id.stride), expected[row].first + place);
            CHECK_INT(*(const uint32_t *)(const void *)(geometry_id + place * view.geometry_id.stride), 0);
            CHECK_INT(*(const uint32_t *)(const void *)(instance_id + place * view.instance_id.stride), LANECAST_INVALID_ID);
        }
        lanecast_primitive_list_free(list);
    }
    lanecast_options options = {.size = sizeof options};
    PASSES(lanecast_scene_set_mask(scene, 0, 2));
    options.mask = 1;
    CHECK_INT(lanecast_overlaps_any(scene, LANECAST_REGION_BOX, all, 6, &options), 0);
    options.mask = 2, options.brute_force = true;
    CHECK_INT(lanecast_overlaps_any(scene, LANECAST_REGION_BOX, all, 6, &options), 1);
    lanecast_scene_free(scene);
}

static void OF(sight_is_blocked_by_walls)(void)
{
    /* A wall in the plane of z, from y = -9 to the origin. */
    const REAL vertices[3][3] = {{-9, -9, 0}, {9, -9, 0}, {0, 0, 0}};
    const uint32_t triangles[1][3] = {{0, 1, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(vertices), ROWS_OF(triangles), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    enum { TARGETS = 70 };
    const REAL observers[2][3] = {{0, -1, 5}, {0, -1, -5}};
    REAL targets[TARGETS][3];
    for (int target = 0; target < TARGETS; target++) {
        /* Odd ones are seen by the second observer, even ones by both. */
        memcpy(targets[target], ((REAL[3]){0, target % 2 ? -1 : 99, target % 2 ? -4 : 0}), sizeof targets[0]);
    }
    lanecast_sight_lines lines = {.size = sizeof lines};
    lines.precision = PRECISION;
    lines.observers = ROWS_OF(observers), lines.targets = ROWS_OF(targets);
    uint64_t words[5];
    memset(words, 0xA5, sizeof words);
    PASSES(lanecast_sight(scene, &lines, NULL, words, 4));
    for (int target = 0; target < TARGETS; target++) {
        CHECK_INT(words[target / 64] >> target % 64 & 1, target % 2 == 0);
        CHECK_INT(words[2 + target / 64] >> target % 64 & 1, 1);
    }
    CHECK_INT(words[4] == 0xA5A5A5A5A5A5A5A5, 1);

    /* Targets in structs of more than their position. */
    REAL wide[TARGETS][5];
    for (int target = 0; target < TARGETS; target++) {
        memcpy(wide[target], targets[target], sizeof targets[0]);
        wide[target][3] = wide[target][4] = (REAL)NAN;
    }
    uint64_t again[4] = {0};
    lines.targets = ROWS_OF(wide);
    PASSES(lanecast_sight(scene, &lines, NULL, again, 4));
    CHECK(memcmp(again, words, sizeof again) == 0);

    /* A target just behind the wall, which hides it unless the line is shortened or the wall is named. */
    const REAL on_wall[1][3] = {{0, -1, (REAL)-0.001}};
    const uint32_t zeros[2] = {0, 0};
    lines.targets = ROWS_OF(on_wall);
    PASSES(lanecast_sight(scene, &lines, NULL, words, 2));
    CHECK_INT(words[0], 0);
    CHECK_INT(words[1], 1);
    lines.shortened = 1e-3;
    PASSES(lanecast_sight(scene, &lines, NULL, words, 2));
    CHECK_INT(words[0], 1);
    CHECK_INT(words[1], 1);
    lines.shortened = 0, lines.target_geometry_ids = zeros, lines.target_primitive_ids = zeros;
    PASSES(lanecast_sight(scene, &lines, NULL, words, 2));
    CHECK_INT(words[0], 1);
    /* An observer there. */
    lines.target_geometry_ids = lines.target_primitive_ids = NULL;
    lines.observers = ROWS_OF(on_wall), lines.targets = ROWS_OF(observers);
    PASSES(lanecast_sight(scene, &lines, NULL, words, 1));
    CHECK_INT(words[0], 2);
    lines.observer_geometry_ids = zeros, lines.observer_primitive_ids = zeros;
    PASSES(lanecast_sight(scene, &lines, NULL, words, 1));
    CHECK_INT(words[0], 3);
    lines.observers = (lanecast_rows){NULL, 0, 0};
    PASSES(lanecast_sight(scene, &lines, NULL, NULL, 0));
    lanecast_scene_free(scene);
}

static void OF(obstacles_are_the_first_on_lines)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL observers[2][3] = {{9, 9, 5}, {1, 1, 5}}, targets[2][3] = {{1, 1, 3}, {1, 1, -3}};
    const uint32_t on[2] = {0, 1}, zeros[2] = {0, 0};
    lanecast_sight_lines lines = {.size = sizeof lines};
    lines.precision = PRECISION, lines.observers = ROWS_OF(observers), lines.targets = ROWS_OF(targets);
    lanecast_hit_f64 hit;
    CHECK_INT(lanecast_first_obstacle(scene, &lines, 1, 0, NULL, &hit), LANECAST_MISS);
    CHECK_INT(lanecast_first_obstacle(scene, &lines, 1, 1, NULL, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 1);
    CHECK_NEAR(hit.t, 0.5, ROUNDING);
    CHECK_NEAR(hit.u, 0.25, ROUNDING);
    CHECK_INT(hit.instance_id, LANECAST_INVALID_ID);
    /* What the observer lies on hides nothing. */
    lines.observer_geometry_ids = on, lines.observer_primitive_ids = zeros;
    CHECK_INT(lanecast_first_obstacle(scene, &lines, 1, 1, NULL, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 0);
    CHECK_NEAR(hit.t, 0.625, ROUNDING);
    /* Masks are those of all lines, of which this is the last. */
    const uint32_t masks[4] = {1, 1, 1, 2};
    lanecast_options options = {.size = sizeof options};
    options.masks = masks;
    PASSES(lanecast_scene_set_mask(scene, 0, 1));
    PASSES(lanecast_scene_set_mask(scene, 1, 1));
    CHECK_INT(lanecast_first_obstacle(scene, &lines, 1, 1, &options, &hit), LANECAST_MISS);
    lanecast_scene_free(scene);
}
