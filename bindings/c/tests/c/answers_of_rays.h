/* Queries of rays, of one precision: included by `answers.c` for each. */

static const REAL OF(down)[1][3] = {{0, 0, -1}};

static void OF(each_query_has_its_answer)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL origins[3][3] = {{1, 1, 5}, {1, 1, (REAL)0.5}, {9, 9, 5}};
    const lanecast_rays rays = OF(rays)(origins, OF(down), 3);
    struct OF(hit) hits[3];
    lanecast_hits places = OF(hits_of)(hits, 3);
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &places));
    CHECK_INT(hits[0].status, LANECAST_HIT);
    CHECK_INT(hits[0].geometry_id, 1);
    CHECK_NEAR(hits[0].t, 4, 0);
    CHECK_INT(hits[1].geometry_id, 0);
    CHECK_NEAR(hits[1].t, 0.5, 0);
    CHECK_INT(hits[2].status, LANECAST_MISS);
    CHECK_NEAR(hits[2].t, INFINITY, 0);
    CHECK_INT(hits[2].geometry_id, LANECAST_INVALID_ID);
    PASSES(lanecast_farthest_hit(scene, &rays, NULL, &places));
    CHECK_INT(hits[0].geometry_id, 0);
    CHECK_NEAR(hits[0].t, 5, 0);
    CHECK_INT(hits[1].geometry_id, 0);
    CHECK_INT(hits[2].status, LANECAST_MISS);

    uint8_t status[3] = {9, 9, 9};
    PASSES(lanecast_any_hit(scene, &rays, NULL, 3, PLACE(status)));
    CHECK_INT(status[0], LANECAST_HIT);
    CHECK_INT(status[1], LANECAST_HIT);
    CHECK_INT(status[2], LANECAST_MISS);

    uint32_t numbers[3] = {9, 9, 9};
    lanecast_counts counts = {.size = sizeof counts};
    counts.count = 3, counts.hits = PLACE(numbers), counts.status = PLACE(status);
    memset(status, 9, sizeof status);
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    CHECK_INT(numbers[0], 2);
    CHECK_INT(numbers[1], 1);
    CHECK_INT(numbers[2], 0);
    CHECK_INT(status[0], LANECAST_HIT);
    CHECK_INT(status[2], LANECAST_MISS);

    uint32_t cost[4][3];
    lanecast_costs costs = {.size = sizeof costs};
    costs.count = 3, costs.status = PLACE(status);
    costs.nodes = PLACE(cost[0]), costs.boxes = PLACE(cost[1]), costs.leaves = PLACE(cost[2]), costs.primitives = PLACE(cost[3]);
    PASSES(lanecast_cost(scene, &rays, NULL, &costs));
    CHECK_INT(status[0], LANECAST_HIT);
    /* A hit is found by a test of the primitive in a leaf. */
    CHECK(cost[2][0] >= 1 && cost[3][0] >= 1);
    CHECK(cost[1][0] >= cost[0][0] && cost[3][0] >= cost[2][0]);

    for (uint32_t limit = 1; limit <= 3; limit++) {
        lanecast_hit_lists *lists = NULL;
        lanecast_hit_lists_view view;
        /* All hits, after the nearest one and the nearest two. */
        if (limit < 3) {
            PASSES(lanecast_nearest_hits(scene, &rays, limit, NULL, &lists));
        } else {
            PASSES(lanecast_all_hits(scene, &rays, NULL, &lists));
        }
        PASSES(lanecast_hit_lists_get(lists, &view));
        const size_t of_first = limit == 1 ? 1 : 2;
        CHECK_INT(view.rows, 3);
        CHECK_INT(view.hits, of_first + 1);
        CHECK_INT(view.offsets[0], 0);
        CHECK_INT(view.offsets[1], of_first);
        CHECK_INT(view.offsets[2], of_first + 1);
        CHECK_INT(view.offsets[3], of_first + 1);
        CHECK_INT(view.status[0], LANECAST_HIT);
        CHECK_INT(view.status[1], LANECAST_HIT);
        CHECK_INT(view.status[2], LANECAST_MISS);
        for (size_t row = 0; row < of_first; row++) {
            const char *t = view.t.data, *u = view.u.data, *v = view.v.data;
            const char *primitive_id = view.primitive_id.data, *geometry_id = view.geometry_id.data;
            const char *instance_id = view.instance_id.data;
            CHECK_NEAR(*(const REAL *)(const void *)(t + row * view.t.stride), 4 + row, 0);
            CHECK_NEAR(*(const REAL *)(const void *)(u + row * view.u.stride), 0.25, 0);
            CHECK_NEAR(*(const REAL *)(const void *)(v + row * view.v.stride), 0.25, 0);
            CHECK_INT(*(const uint32_t *)(const void *)(primitive_id + row * view.primitive_id.stride), 0);
            CHECK_INT(*(const uint32_t *)(const void *)(geometry_id + row * view.geometry_id.stride), 1 - row);
            CHECK_INT(*(const uint32_t *)(const void *)(instance_id + row * view.instance_id.stride), LANECAST_INVALID_ID);
        }
        lanecast_hit_lists_free(lists);
    }
    lanecast_scene_free(scene);
}

static void OF(the_lowest_ids_win_at_equal_t)(void)
{
    lanecast_geometry *geometries[3] = {OF(triangle)(0, false), OF(triangle)(0, false), OF(triangle)(0, false)};
    lanecast_scene *scene = OF(scene_of)(geometries, 3);
    const struct OF(hit) hit = OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1));
    CHECK_INT(hit.geometry_id, 0);
    lanecast_scene_free(scene);
}

static void OF(intervals_have_both_ends)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL origins[6][3] = {{1, 1, 5}, {1, 1, 5}, {1, 1, 5}, {1, 1, 5}, {1, 1, 5}, {1, 1, 5}};
    const REAL t_min[6] = {4, (REAL)4.5, 0, 0, 0, -1}, t_max[6] = {9, 9, 4, (REAL)3.5, (REAL)4.5, 0};
    const uint32_t expected[6] = {2, 1, 1, 0, 1, 0};
    lanecast_rays rays = OF(rays)(origins, OF(down), 6);
    rays.t_min = (lanecast_column){t_min, sizeof t_min[0]};
    rays.t_max = (lanecast_column){t_max, sizeof t_max[0]};
    uint32_t numbers[6];
    lanecast_counts counts = {.size = sizeof counts};
    counts.count = 6, counts.hits = PLACE(numbers);
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    for (int row = 0; row < 6; row++) {
        CHECK_INT(numbers[row], expected[row]);
    }
    /* One end of all rays: that of the third. */
    rays.t_min.data = NULL, rays.t_max = (lanecast_column){&t_max[2], 0};
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    for (int row = 0; row < 6; row++) {
        CHECK_INT(numbers[row], 1);
    }
    /* No ends: from 0, not from behind the origin. */
    const REAL above[1][3] = {{1, 1, (REAL)0.5}};
    rays.origin = OF(vectors)(above, 0), rays.t_max.data = NULL;
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    CHECK_INT(numbers[0], 1);
    CHECK_INT(numbers[5], 1);
    lanecast_scene_free(scene);
}

static void OF(signed_counts_are_entries_less_exits)(void)
{
    lanecast_geometry *geometry = NULL;
    REAL box[1][6] = {{0, 0, 0, 2, 2, 2}};
    PASSES(lanecast_boxes(PRECISION, ROWS_OF(box), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    /* From above into it, through it, and from within. */
    const REAL origins[3][3] = {{1, 1, 5}, {1, 1, 5}, {1, 1, 1}};
    const REAL t_max[3] = {4, 9, 9};
    const int32_t expected[3] = {1, 0, -1};
    lanecast_rays rays = OF(rays)(origins, OF(down), 3);
    rays.t_max = (lanecast_column){t_max, sizeof t_max[0]};
    int32_t numbers[3];
    uint8_t status[3];
    lanecast_values values = {.size = sizeof values, .count = 3, .status = PLACE(status), .value = PLACE(numbers)};
    PASSES(lanecast_signed_count(scene, &rays, NULL, &values));
    for (int row = 0; row < 3; row++) {
        CHECK_INT(numbers[row], expected[row]);
        CHECK_INT(status[row], LANECAST_HIT);
    }
    lanecast_scene_free(scene);
}

static void OF(bad_rays_get_their_status)(void)
{
    const double most = sizeof(REAL) == sizeof(float) ? 0x1p100 : 0x1p300;
    const REAL nan = (REAL)NAN, infinite = (REAL)INFINITY, far = (REAL)(2 * most), tiny = (REAL)(0.5 / most);
    static const uint8_t expected[14] = {
        LANECAST_HIT, LANECAST_INVALID_ORIGIN, LANECAST_INVALID_ORIGIN, LANECAST_INVALID_ORIGIN,
        LANECAST_INVALID_DIRECTION, LANECAST_INVALID_DIRECTION, LANECAST_ZERO_DIRECTION,
        LANECAST_DIRECTION_OUT_OF_RANGE, LANECAST_DIRECTION_OUT_OF_RANGE, LANECAST_INVALID_INTERVAL,
        LANECAST_INVALID_INTERVAL, LANECAST_EMPTY_INTERVAL, LANECAST_HIT, LANECAST_MISS,
    };
    struct {
        REAL origin[3], direction[3], t_min, t_max;
    } given[14];
    for (int row = 0; row < 14; row++) {
        memcpy(given[row].origin, ((REAL[3]){1, 1, 5}), sizeof given[0].origin);
        memcpy(given[row].direction, OF(down)[0], sizeof given[0].direction);
        given[row].t_min = 0, given[row].t_max = 9;
    }
    given[1].origin[0] = nan, given[2].origin[1] = infinite, given[3].origin[2] = far;
    given[4].direction[0] = nan, given[5].direction[2] = -infinite, given[6].direction[2] = 0;
    given[7].direction[2] = -far, given[8].direction[2] = -tiny;
    given[9].t_min = nan, given[10].t_max = nan, given[11].t_min = 10;
    /* What is not empty: one t, and infinity. */
    given[12].t_min = given[12].t_max = 4;
    given[13].t_min = 6, given[13].t_max = infinite;
    lanecast_scene *scene = OF(two_triangles)();
    lanecast_rays rays = {.size = sizeof rays};
    const size_t stride = sizeof given[0];
    rays.precision = PRECISION, rays.count = 14;
    rays.origin = (lanecast_vectors){&given[0].origin[0], &given[0].origin[1], &given[0].origin[2], stride};
    rays.direction = (lanecast_vectors){&given[0].direction[0], &given[0].direction[1], &given[0].direction[2], stride};
    rays.t_min = (lanecast_column){&given[0].t_min, stride}, rays.t_max = (lanecast_column){&given[0].t_max, stride};

    struct OF(hit) hits[14];
    const lanecast_hits places = OF(hits_of)(hits, 14);
    uint8_t status[14];
    uint32_t numbers[14];
    lanecast_counts counts = {.size = sizeof counts};
    counts.count = 14, counts.status = PLACE(status), counts.hits = PLACE(numbers);
    lanecast_hit_lists *lists = NULL;
    lanecast_hit_lists_view view;
    PASSES(lanecast_all_hits(scene, &rays, NULL, &lists));
    PASSES(lanecast_hit_lists_get(lists, &view));
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &places));
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    for (int row = 0; row < 14; row++) {
        CHECK_INT(hits[row].status, expected[row]);
        CHECK_INT(status[row], expected[row]);
        CHECK_INT(view.status[row], expected[row]);
        if (expected[row] != LANECAST_HIT) {
            CHECK_INT(hits[row].geometry_id, LANECAST_INVALID_ID);
            CHECK_INT(numbers[row], 0);
            CHECK_INT(view.offsets[row + 1], view.offsets[row]);
        }
    }
    PASSES(lanecast_any_hit(scene, &rays, NULL, 14, PLACE(status)));
    for (int row = 0; row < 14; row++) {
        CHECK_INT(status[row], expected[row]);
    }
    lanecast_hit_lists_free(lists);
    lanecast_scene_free(scene);
}

static void OF(rays_and_answers_may_be_fields_of_structs)(void)
{
    enum { COUNT = 70 };
    struct ray {
        uint16_t pixel;
        REAL direction[3], weight, origin[3], t_max;
    };
    struct answer {
        uint8_t before[3], status, after[4];
        REAL normal[3], gap, t;
        uint32_t geometry_id, gap2, primitive_id;
        REAL v, gap3, u;
        uint32_t instance_id, last;
    };
    static struct ray given[COUNT];
    static struct answer answers[COUNT], expected[COUNT];
    static REAL x[COUNT], y[COUNT];
    memset(given, 0x7F, sizeof given);
    memset(answers, 0xA5, sizeof answers);
    memset(expected, 0xA5, sizeof expected);
    lanecast_scene *scene = OF(two_triangles)();
    for (int row = 0; row < COUNT; row++) {
        x[row] = (REAL)(row % 8), y[row] = (REAL)(row / 8);
        memcpy(given[row].origin, ((REAL[3]){x[row], y[row], 5}), sizeof given[0].origin);
        memcpy(given[row].direction, OF(down)[0], sizeof given[0].direction);
        given[row].t_max = 4;
        const struct OF(hit) hit = OF(hit_by)(scene, false, RAY(x[row], y[row], 5, 0, 0, -1));
        expected[row].status = hit.status, expected[row].t = hit.t, expected[row].u = hit.u, expected[row].v = hit.v;
        memcpy(expected[row].normal, hit.normal, sizeof hit.normal);
        expected[row].primitive_id = hit.primitive_id, expected[row].geometry_id = hit.geometry_id;
        expected[row].instance_id = hit.instance_id;
    }
    lanecast_rays rays = {.size = sizeof rays};
    const size_t step = sizeof given[0], stride = sizeof answers[0];
    rays.precision = PRECISION, rays.count = COUNT;
    rays.origin = (lanecast_vectors){&given[0].origin[0], &given[0].origin[1], &given[0].origin[2], step};
    rays.direction = (lanecast_vectors){&given[0].direction[0], &given[0].direction[1], &given[0].direction[2], step};
    rays.t_max = (lanecast_column){&given[0].t_max, step};
    lanecast_hits hits = {.size = sizeof hits};
    hits.count = COUNT;
    hits.status = (lanecast_answers){&answers[0].status, stride};
    hits.t = (lanecast_answers){&answers[0].t, stride};
    hits.u = (lanecast_answers){&answers[0].u, stride};
    hits.v = (lanecast_answers){&answers[0].v, stride};
    hits.normal = (lanecast_answers){answers[0].normal, stride};
    hits.primitive_id = (lanecast_answers){&answers[0].primitive_id, stride};
    hits.geometry_id = (lanecast_answers){&answers[0].geometry_id, stride};
    hits.instance_id = (lanecast_answers){&answers[0].instance_id, stride};
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &hits));
    CHECK(memcmp(answers, expected, sizeof answers) == 0);

    /* Columns of x and y, one z and one direction of all. */
    static struct answer by_columns[COUNT];
    memset(by_columns, 0xA5, sizeof by_columns);
    const REAL z[COUNT] = {5}, t_max = 4;
    REAL all_z[COUNT];
    for (int row = 0; row < COUNT; row++) {
        all_z[row] = z[0];
    }
    rays.origin = (lanecast_vectors){x, y, all_z, sizeof x[0]};
    rays.direction = OF(vectors)(OF(down), 0);
    rays.t_max = (lanecast_column){&t_max, 0};
    hits.status.data = &by_columns[0].status, hits.t.data = &by_columns[0].t;
    hits.geometry_id.data = &by_columns[0].geometry_id;
    hits.u.data = hits.v.data = hits.normal.data = hits.primitive_id.data = hits.instance_id.data = NULL;
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &hits));
    for (int row = 0; row < COUNT; row++) {
        /* Columns that are not wanted are not written. */
        memset(&expected[row].u, 0xA5, sizeof(REAL));
        memset(&expected[row].v, 0xA5, sizeof(REAL));
        memset(expected[row].normal, 0xA5, sizeof expected[row].normal);
        memset(&expected[row].primitive_id, 0xA5, sizeof(uint32_t));
        memset(&expected[row].instance_id, 0xA5, sizeof(uint32_t));
    }
    CHECK(memcmp(by_columns, expected, sizeof by_columns) == 0);
    lanecast_scene_free(scene);
}

static void OF(no_rays_are_a_batch)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    lanecast_rays rays = {.size = sizeof rays};
    rays.precision = PRECISION;
    lanecast_hits hits = {.size = sizeof hits};
    lanecast_counts counts = {.size = sizeof counts};
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &hits));
    PASSES(lanecast_count_hits(scene, &rays, NULL, &counts));
    PASSES(lanecast_any_hit(scene, &rays, NULL, 0, (lanecast_answers){NULL, 0}));
    lanecast_hit_lists *lists = NULL;
    lanecast_hit_lists_view view;
    PASSES(lanecast_all_hits(scene, &rays, NULL, &lists));
    PASSES(lanecast_hit_lists_get(lists, &view));
    CHECK_INT(view.rows, 0);
    CHECK_INT(view.hits, 0);
    CHECK_INT(view.offsets[0], 0);
    lanecast_hit_lists_free(lists);

    lanecast_points points = {.size = sizeof points};
    points.precision = PRECISION;
    lanecast_point_lists *near = NULL;
    lanecast_point_lists_view near_view;
    const lanecast_column any_radius = {NULL, 0};
    lanecast_closest_points closest = {.size = sizeof closest};
    PASSES(lanecast_closest_point(scene, &points, any_radius, NULL, &closest));
    PASSES(lanecast_points_within(scene, &points, any_radius, NULL, &near));
    PASSES(lanecast_point_lists_get(near, &near_view));
    CHECK_INT(near_view.rows, 0);
    CHECK_INT(near_view.points, 0);
    CHECK_INT(near_view.offsets[0], 0);
    lanecast_point_lists_free(near);
    lanecast_scene_free(scene);
}

static void OF(selections_select)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL origins[3][3] = {{1, 1, 5}, {1, 1, 5}, {1, 1, 5}};
    const lanecast_rays rays = OF(rays)(origins, OF(down), 3);
    struct OF(hit) hits[3];
    const lanecast_hits places = OF(hits_of)(hits, 3);
    PASSES(lanecast_scene_set_mask(scene, 0, 1));
    PASSES(lanecast_scene_set_mask(scene, 1, 6));

    /* Masks: of each ray, then of all. */
    const uint32_t masks[3] = {1, 4, 8};
    lanecast_options options = {.size = sizeof options};
    options.masks = masks, options.mask = 8;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[0].geometry_id, 0);
    CHECK_INT(hits[1].geometry_id, 1);
    CHECK_INT(hits[2].status, LANECAST_MISS);
    options.masks = NULL, options.mask = 1;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[2].geometry_id, 0);
    options.mask = 0;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[2].geometry_id, 1);

    /* Skips. */
    const uint32_t geometry_ids[3] = {1, 0, LANECAST_INVALID_ID}, primitive_ids[3] = {0, 0, LANECAST_INVALID_ID};
    options.skip_geometry_ids = geometry_ids, options.skip_primitive_ids = primitive_ids;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[0].geometry_id, 0);
    CHECK_INT(hits[1].geometry_id, 1);
    CHECK_INT(hits[2].geometry_id, 1);
    /* In an instance, of which there is none. */
    const uint32_t instance_ids[3] = {LANECAST_INVALID_ID, 0, 0};
    const uint32_t first[3] = {1, 1, 1}, zeros[3] = {0, 0, 0};
    options.skip_geometry_ids = first, options.skip_primitive_ids = zeros, options.skip_instance_ids = instance_ids;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[0].geometry_id, 0);
    CHECK_INT(hits[1].geometry_id, 1);

    /* A filter. */
    options = (lanecast_options){.size = sizeof options};
    struct refused refused = {.row = 1, .geometry_id = 1};
    options.filter = filter, options.filter_user = &refused;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[0].geometry_id, 1);
    CHECK_INT(hits[1].geometry_id, 0);
    CHECK_INT(hits[2].geometry_id, 1);
    CHECK(atomic_load(&refused.fronts) >= 4);
    CHECK_INT(atomic_load(&refused.backs), 0);

    /* Culling, of rays from above and from below. */
    options = (lanecast_options){.size = sizeof options};
    for (int from_below = 0; from_below < 2; from_below++) {
        const REAL from[1][3] = {{1, 1, from_below ? -5 : 5}}, towards[1][3] = {{0, 0, from_below ? 1 : -1}};
        const lanecast_rays ray = OF(rays)(from, towards, 1);
        for (int culling = LANECAST_CULL_NONE; culling <= LANECAST_CULL_FRONT; culling++) {
            uint8_t status[1];
            options.culling = culling;
            PASSES(lanecast_any_hit(scene, &ray, &options, 1, PLACE(status)));
            const int culled = from_below ? LANECAST_CULL_BACK : LANECAST_CULL_FRONT;
            CHECK_INT(status[0], culling == culled ? LANECAST_MISS : LANECAST_HIT);
        }
    }
    /* Of each ray from above, which goes before that of all. */
    const lanecast_culling cullings[3] = {LANECAST_CULL_FRONT, LANECAST_CULL_NONE, LANECAST_CULL_BACK};
    options.culling = LANECAST_CULL_FRONT, options.cullings = cullings;
    PASSES(lanecast_closest_hit(scene, &rays, &options, &places));
    CHECK_INT(hits[0].status, LANECAST_MISS);
    CHECK_INT(hits[1].geometry_id, 1);
    CHECK_INT(hits[2].geometry_id, 1);
    lanecast_scene_free(scene);
}

static void OF(contacts_differ_at_shared_edges)(void)
{
    const REAL vertices[4][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
    const uint32_t quads[1][4] = {{0, 1, 2, 3}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_quads(PRECISION, ROWS_OF(vertices), ROWS_OF(quads), &geometry));
    lanecast_scene *scene = OF(scene_of)(&geometry, 1);
    /* Through the diagonal of the quad. */
    const REAL origin[1][3] = {{1, 1, 5}};
    const lanecast_rays ray = OF(rays)(origin, OF(down), 1);
    for (int contact = LANECAST_CONTACT_CROSSING; contact <= LANECAST_CONTACT_TOUCH; contact++) {
        const uint32_t expected = contact == LANECAST_CONTACT_TOUCH ? 2 : 1;
        uint32_t numbers[1];
        lanecast_counts counts = {.size = sizeof counts};
        lanecast_options options = {.size = sizeof options};
        lanecast_hit_lists *lists = NULL;
        lanecast_hit_lists_view view;
        counts.count = 1, counts.hits = PLACE(numbers), options.contact = contact;
        PASSES(lanecast_count_hits(scene, &ray, &options, &counts));
        CHECK_INT(numbers[0], expected);
        PASSES(lanecast_all_hits(scene, &ray, &options, &lists));
        PASSES(lanecast_hit_lists_get(lists, &view));
        CHECK_INT(view.hits, expected);
        lanecast_hit_lists_free(lists);
        PASSES(lanecast_nearest_hits(scene, &ray, 9, &options, &lists));
        PASSES(lanecast_hit_lists_get(lists, &view));
        CHECK_INT(view.hits, expected);
        lanecast_hit_lists_free(lists);
    }
    lanecast_scene_free(scene);
}

/* A scene of many triangles and spheres, and rays at it. */
enum { OF(MANY) = 3000 };

static lanecast_scene *OF(many)(lanecast_quality quality, REAL (*origins)[3], REAL (*directions)[3])
{
    static REAL vertices[600][3], spheres[40][4];
    static uint32_t triangles[200][3];
    uint32_t state = 7;
    for (uint32_t row = 0; row < 600; row++) {
        for (int axis = 0; axis < 3; axis++) {
            vertices[row][axis] = (REAL)(20 * draw(&state) - 10);
        }
        triangles[row / 3][row % 3] = row;
    }
    for (int row = 0; row < 40; row++) {
        for (int place = 0; place < 4; place++) {
            spheres[row][place] = (REAL)(place == 3 ? draw(&state) : 20 * draw(&state) - 10);
        }
    }
    for (int row = 0; row < OF(MANY); row++) {
        for (int axis = 0; axis < 3; axis++) {
            origins[row][axis] = (REAL)(20 * draw(&state) - 10);
            directions[row][axis] = (REAL)(2 * draw(&state) - 1);
        }
    }
    lanecast_geometry *geometries[2] = {NULL, NULL};
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(vertices), ROWS_OF(triangles), &geometries[0]));
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(spheres), &geometries[1]));
    const lanecast_geometry *given[2] = {geometries[0], geometries[1]};
    lanecast_build_options options = {.size = sizeof options};
    options.quality = quality;
    lanecast_scene *scene = NULL;
    PASSES(lanecast_build(PRECISION, given, 2, NULL, 0, &options, &scene));
    lanecast_geometry_free(geometries[0]);
    lanecast_geometry_free(geometries[1]);
    return scene;
}

static void OF(no_answer_depends_on_how_it_is_found)(void)
{
    static REAL origins[OF(MANY)][3], directions[OF(MANY)][3];
    static struct OF(hit) expected[OF(MANY)], hits[OF(MANY)];
    lanecast_scene *scene = OF(many)(LANECAST_QUALITY_BALANCED, origins, directions);
    lanecast_rays rays = OF(rays)((const REAL(*)[3])origins, (const REAL(*)[3])directions, OF(MANY));
    rays.direction.stride = sizeof directions[0];
    lanecast_hits places = OF(hits_of)(expected, OF(MANY));
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &places));
    size_t met = 0;
    for (int row = 0; row < OF(MANY); row++) {
        met += expected[row].status == LANECAST_HIT;
    }
    CHECK(met > OF(MANY) / 4 && met < OF(MANY));

    lanecast_threads *threads[2] = {NULL, NULL};
    PASSES(lanecast_threads_new(1, &threads[0]));
    PASSES(lanecast_threads_new(3, &threads[1]));
    places = OF(hits_of)(hits, OF(MANY));
    size_t backends = 0;
    for (int way = 0; way < 10; way++) {
        lanecast_options options = {.size = sizeof options};
        if (way < 4) {
            options.backend = way;
        } else if (way < 6) {
            options.coherence = way - 4 + LANECAST_COHERENT;
        } else if (way < 8) {
            options.threads = threads[way - 6];
        } else {
            options.brute_force = true, options.backend = way == 9 ? LANECAST_BACKEND_PORTABLE : LANECAST_BACKEND_BEST;
        }
        memset(hits, 0, sizeof hits);
        const lanecast_result result = lanecast_closest_hit(scene, &rays, &options, &places);
        if (way < 4 && result == LANECAST_INVALID_ARGUMENT) {
            /* This machine does not have it. */
            CHECK(options.backend > LANECAST_BACKEND_PORTABLE);
            continue;
        }
        backends += way < 4;
        PASSES(result);
        for (int row = 0; row < OF(MANY); row++) {
            CHECK_INT(hits[row].status, expected[row].status);
            CHECK_INT(hits[row].primitive_id, expected[row].primitive_id);
            CHECK_INT(hits[row].geometry_id, expected[row].geometry_id);
            /* The same bits, in rows without hits too. */
            CHECK(memcmp(&hits[row].t, &expected[row].t, sizeof(REAL)) == 0);
            CHECK(memcmp(&hits[row].u, &expected[row].u, sizeof(REAL)) == 0);
            CHECK(memcmp(&hits[row].v, &expected[row].v, sizeof(REAL)) == 0);
        }
    }
    CHECK(backends >= 2);
    lanecast_threads_free(threads[0]);
    lanecast_threads_free(threads[1]);
    lanecast_scene_free(scene);

    /* Nor on the effort of building. */
    for (int quality = LANECAST_QUALITY_FAST; quality <= LANECAST_QUALITY_HIGH; quality++) {
        scene = OF(many)(quality, origins, directions);
        PASSES(lanecast_closest_hit(scene, &rays, NULL, &places));
        for (int row = 0; row < OF(MANY); row++) {
            CHECK_INT(hits[row].primitive_id, expected[row].primitive_id);
            CHECK(memcmp(&hits[row].t, &expected[row].t, sizeof(REAL)) == 0);
        }
        lanecast_scene_free(scene);
    }
}

static void OF(watchers_hear_and_stop)(void)
{
    static REAL origins[OF(MANY)][3], directions[OF(MANY)][3];
    static uint8_t status[OF(MANY)];
    lanecast_scene *scene = OF(many)(LANECAST_QUALITY_BALANCED, origins, directions);
    lanecast_rays rays = OF(rays)((const REAL(*)[3])origins, (const REAL(*)[3])directions, OF(MANY));
    rays.direction.stride = sizeof directions[0];
    struct heard heard = {.goes_on = true};
    lanecast_options options = {.size = sizeof options};
    options.watch = watch, options.watch_user = &heard;
    PASSES(lanecast_any_hit(scene, &rays, &options, OF(MANY), PLACE(status)));
    CHECK(atomic_load(&heard.calls) > 0);
    CHECK_INT(heard.total, OF(MANY));
    heard = (struct heard){.goes_on = false};
    CHECK_INT(lanecast_any_hit(scene, &rays, &options, OF(MANY), PLACE(status)), LANECAST_STOPPED);
    CHECK(atomic_load(&heard.calls) > 0);
    lanecast_hit_lists *lists = NULL;
    CHECK_INT(lanecast_all_hits(scene, &rays, &options, &lists), LANECAST_STOPPED);
    CHECK(lists == NULL);

    /* Points, and a build. */
    static REAL distances[OF(MANY)];
    lanecast_points points = {.size = sizeof points};
    points.precision = PRECISION, points.count = OF(MANY), points.position = rays.origin;
    lanecast_values values = {.size = sizeof values};
    values.count = OF(MANY), values.value = PLACE(distances);
    heard = (struct heard){.goes_on = true};
    PASSES(lanecast_distance(scene, &points, &options, &values));
    CHECK(atomic_load(&heard.calls) > 0);
    CHECK_INT(heard.total, OF(MANY));
    heard = (struct heard){.goes_on = false};
    CHECK_INT(lanecast_distance(scene, &points, &options, &values), LANECAST_STOPPED);
    lanecast_build_options how = {.size = sizeof how};
    how.watch = watch, how.watch_user = &heard;
    CHECK_INT(lanecast_rebuild(scene, &how), LANECAST_STOPPED);
    heard = (struct heard){.goes_on = true};
    PASSES(lanecast_rebuild(scene, &how));
    CHECK(atomic_load(&heard.calls) > 0);
    lanecast_scene_free(scene);
}


static void OF(single_rays_answer_as_batches)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    OF(lanecast_ray) ray = {{1, 1, 5}, {0, 0, -1}, 0, 9};
    OF(lanecast_hit) hit;
    memset(&hit, 0xA5, sizeof hit);
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, NULL, &hit), LANECAST_HIT);
    CHECK_NEAR(hit.t, 4, 0);
    CHECK_NEAR(hit.u, 0.25, 0);
    CHECK_NEAR(hit.v, 0.25, 0);
    CHECK_INT(hit.primitive_id, 0);
    CHECK_INT(hit.geometry_id, 1);
    CHECK_INT(hit.instance_id, LANECAST_INVALID_ID);
    CHECK_INT(OF(lanecast_any1)(scene, &ray, NULL), LANECAST_HIT);

    /* With options. */
    const uint32_t geometry_id = 1, primitive_id = 0, mask = 1;
    lanecast_options options = {.size = sizeof options};
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 1);
    options.skip_geometry_ids = &geometry_id, options.skip_primitive_ids = &primitive_id;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 0);
    options = (lanecast_options){.size = sizeof options};
    options.culling = LANECAST_CULL_FRONT;
    CHECK_INT(OF(lanecast_any1)(scene, &ray, &options), LANECAST_MISS);
    PASSES(lanecast_scene_set_mask(scene, 1, 2));
    options = (lanecast_options){.size = sizeof options};
    options.masks = &mask;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 0);
    options.masks = NULL, options.mask = 2;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 1);
    struct refused refused = {.row = 0, .geometry_id = 1};
    options = (lanecast_options){.size = sizeof options};
    options.filter = filter, options.filter_user = &refused;
    options.brute_force = true, options.backend = LANECAST_BACKEND_PORTABLE;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_HIT);
    CHECK_INT(hit.geometry_id, 0);

    /* Without a hit, `hit` stays as it is. */
    OF(lanecast_hit) untouched;
    memset(&untouched, 0xA5, sizeof untouched);
    hit = untouched;
    ray.t_max = 3;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, NULL, &hit), LANECAST_MISS);
    CHECK_INT(OF(lanecast_any1)(scene, &ray, NULL), LANECAST_MISS);
    ray.t_max = -1;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, NULL, &hit), LANECAST_EMPTY_INTERVAL);
    CHECK_INT(OF(lanecast_any1)(scene, &ray, NULL), LANECAST_EMPTY_INTERVAL);
    ray.direction[2] = 0, ray.t_max = 9;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, NULL, &hit), LANECAST_ZERO_DIRECTION);
    CHECK_INT(OF(lanecast_any1)(scene, &ray, &options), LANECAST_ZERO_DIRECTION);
    ray.origin[0] = (REAL)NAN;
    CHECK_INT(OF(lanecast_closest1)(scene, &ray, &options, &hit), LANECAST_INVALID_ORIGIN);
    CHECK_INT(OF(lanecast_any1)(scene, &ray, NULL), LANECAST_INVALID_ORIGIN);
    CHECK(memcmp(&hit, &untouched, sizeof hit) == 0);
    lanecast_scene_free(scene);
}

static void OF(check_vector)(const double *seen, double x, double y, double z)
{
    CHECK_NEAR(seen[0], x, ROUNDING);
    CHECK_NEAR(seen[1], y, ROUNDING);
    CHECK_NEAR(seen[2], z, ROUNDING);
}

static void OF(picks_have_points_and_the_way_to_them)(void)
{
    /* Two triangles and, twelve to the right, two more. */
    lanecast_scene *placed = OF(two_triangles)(), *scene = NULL;
    const lanecast_instance instances[2] = {placed_at(placed, 0, 0, 0), placed_at(placed, 12, 0, 0)};
    PASSES(lanecast_build(PRECISION, NULL, 0, instances, 2, NULL, &scene));
    const REAL origin[1][3] = {{13, 1, 5}}, nothing[1][3] = {{9, 9, 5}};
    const lanecast_rays ray = OF(rays)(origin, OF(down), 1), missing = OF(rays)(nothing, OF(down), 1);
    const size_t expected[3] = {2, 2, 1};
    for (int limit = LANECAST_PICK_ALL; limit <= LANECAST_PICK_NEAREST; limit++) {
        lanecast_picks *picks = NULL;
        lanecast_picks_view view;
        PASSES(lanecast_pick_hits(scene, &ray, limit, NULL, &picks));
        PASSES(lanecast_picks_get(picks, &view));
        CHECK_INT(view.count, expected[limit]);
        for (size_t k = 0; k < view.count; k++) {
            const lanecast_pick *pick = &view.picks[k];
            const double z = 1 - (double)k;
            CHECK_NEAR(pick->hit.t, 5 - z, 0);
            CHECK_INT(pick->hit.geometry_id, 1 - k);
            CHECK_INT(pick->depth, 1);
            CHECK_INT(pick->instance_path[0], 1);
            OF(check_vector)(pick->point, 13, 1, z);
            OF(check_vector)(pick->local_point, 1, 1, z);
            OF(check_vector)(pick->normal, 0, 0, 1);
            OF(check_vector)(pick->local_normal, 0, 0, 1);
        }
        lanecast_picks_free(picks);
        PASSES(lanecast_pick_hits(scene, &missing, limit, NULL, &picks));
        PASSES(lanecast_picks_get(picks, &view));
        CHECK_INT(view.count, 0);
        lanecast_picks_free(picks);
    }
    lanecast_scene_free(scene);

    /* A ray meets a box twice, which are two hits of one geometry; and what is in no instance has no way to it. */
    REAL box[1][6] = {{12, 0, 0, 14, 2, 2}};
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_boxes(PRECISION, ROWS_OF(box), &geometry));
    scene = OF(scene_of)(&geometry, 1);
    for (int limit = LANECAST_PICK_ALL; limit <= LANECAST_PICK_NEAREST; limit++) {
        lanecast_picks *picks = NULL;
        lanecast_picks_view view;
        PASSES(lanecast_pick_hits(scene, &ray, limit, NULL, &picks));
        PASSES(lanecast_picks_get(picks, &view));
        CHECK_INT(view.count, limit == LANECAST_PICK_ALL ? 2 : 1);
        CHECK_INT(view.picks[0].depth, 0);
        CHECK_INT(view.picks[0].hit.instance_id, LANECAST_INVALID_ID);
        lanecast_picks_free(picks);
    }
    lanecast_scene_free(scene);
    lanecast_scene_free(placed);
}

static void OF(returns_are_those_of_pulses)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL origins[3][3] = {{1, 1, 5}, {9, 9, 5}, {1, 1, (REAL)0.5}};
    const lanecast_rays rays = OF(rays)(origins, OF(down), 3);
    lanecast_return_lists *lists = NULL;
    lanecast_return_lists_view view;
    /* Each ray is a pulse, and the receiver has no errors: hits as they are. */
    PASSES(lanecast_lidar_returns(scene, &rays, NULL, NULL, &lists));
    PASSES(lanecast_return_lists_get(lists, &view));
    CHECK_INT(view.rays, 3);
    CHECK_INT(view.rows, 3);
    CHECK_INT(view.returns, 2);
    const size_t offsets[4] = {0, 1, 1, 2};
    const uint8_t status[3] = {LANECAST_HIT, LANECAST_MISS, LANECAST_HIT};
    CHECK(memcmp(view.offsets, offsets, sizeof offsets) == 0);
    CHECK(memcmp(view.status, status, sizeof status) == 0);
    for (size_t k = 0; k < view.returns; k++) {
        const char *distance = view.distance.data, *point = view.point.data, *number = view.number.data;
        const char *count = view.count.data, *geometry_id = view.geometry_id.data, *instance_id = view.instance_id.data;
        const REAL *at = (const REAL *)(const void *)(point + k * view.point.stride);
        CHECK_NEAR(*(const REAL *)(const void *)(distance + k * view.distance.stride), k == 0 ? 4 : 0.5, 0);
        CHECK_NEAR(at[0], 1, 0);
        CHECK_NEAR(at[2], k == 0 ? 1 : 0, 0);
        CHECK_INT(*(const uint32_t *)(const void *)(number + k * view.number.stride), 1);
        CHECK_INT(*(const uint32_t *)(const void *)(count + k * view.count.stride), 1);
        CHECK_INT(*(const uint32_t *)(const void *)(geometry_id + k * view.geometry_id.stride), k == 0);
        CHECK_INT(*(const uint32_t *)(const void *)(instance_id + k * view.instance_id.stride), LANECAST_INVALID_ID);
    }
    lanecast_return_lists_free(lists);

    /* Beams from points that widen: a scan as a whole, and its pulses one by one. */
    enum { BEAMS = 3, RAYS = 7 };
    lanecast_maker *beams = NULL, *cones = NULL;
    const REAL from[BEAMS][3] = {{1, 1, 5}, {(REAL)3.9, (REAL)0.05, 5}, {3, (REAL)0.9, 5}};
    const double towards[1][3] = {{0, 0, -1}};
    PASSES(lanecast_sunlight(PRECISION, ROWS_OF(from), ROWS_OF(towards), &beams));
    PASSES(lanecast_footprint(beams, 100, RAYS, &cones));
    double weights[RAYS], sum = 0;
    PASSES(lanecast_footprint_weights(cones, RAYS, weights));
    for (int k = 0; k < RAYS; k++) {
        sum += weights[k];
    }
    CHECK_NEAR(sum, 1, 1e-12);
    REAL origin[BEAMS * RAYS][3], direction[BEAMS * RAYS][3];
    PASSES(lanecast_make_rays(cones, PRECISION, 0, BEAMS * RAYS, PLACE(origin), PLACE(direction)));
    lanecast_receiver receiver = {.size = sizeof receiver};
    receiver.seed = 7, receiver.range_noise[0] = 0.01, receiver.resolution = 0.1, receiver.keep = LANECAST_KEEP_ALL;
    lanecast_rays made = {.size = sizeof made};
    made.precision = PRECISION, made.count = BEAMS * RAYS, made.maker = cones;
    PASSES(lanecast_lidar_returns(scene, &made, &receiver, NULL, &lists));
    PASSES(lanecast_return_lists_get(lists, &view));
    CHECK_INT(view.rows, BEAMS);
    CHECK_INT(view.rays, BEAMS * RAYS);
    CHECK(view.returns > 0);
    receiver.weights = weights, receiver.weight_count = RAYS;
    for (size_t pulse = 0; pulse < BEAMS; pulse++) {
        lanecast_rays part = {.size = sizeof part};
        part.precision = PRECISION, part.count = RAYS;
        part.origin = OF(vectors)((const REAL(*)[3])&origin[pulse * RAYS], sizeof origin[0]);
        part.direction = OF(vectors)((const REAL(*)[3])&direction[pulse * RAYS], sizeof direction[0]);
        lanecast_return_lists *of_pulse = NULL;
        lanecast_return_lists_view seen;
        receiver.first_pulse = pulse;
        PASSES(lanecast_lidar_returns(scene, &part, &receiver, NULL, &of_pulse));
        PASSES(lanecast_return_lists_get(of_pulse, &seen));
        CHECK_INT(seen.returns, view.offsets[pulse + 1] - view.offsets[pulse]);
        for (size_t k = 0; k < seen.returns; k++) {
            const char *one = seen.distance.data, *all = view.distance.data;
            const size_t row = view.offsets[pulse] + k;
            CHECK_NEAR(*(const REAL *)(const void *)(one + k * seen.distance.stride),
                       *(const REAL *)(const void *)(all + row * view.distance.stride), 0);
        }
        lanecast_return_lists_free(of_pulse);
    }
    lanecast_return_lists_free(lists);

    /* Far beyond the reference range nothing is received. */
    receiver = (lanecast_receiver){.size = sizeof receiver};
    receiver.reference_range = 1e-6;
    PASSES(lanecast_lidar_returns(scene, &rays, &receiver, NULL, &lists));
    PASSES(lanecast_return_lists_get(lists, &view));
    CHECK_INT(view.returns, 0);
    CHECK_INT(view.status[0], LANECAST_HIT);
    lanecast_return_lists_free(lists);
    lanecast_maker_free(beams);
    lanecast_maker_free(cones);
    lanecast_scene_free(scene);
}
