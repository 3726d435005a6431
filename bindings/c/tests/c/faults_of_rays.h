/* What queries of rays refuse: included by `faults.c`. */

typedef lanecast_result (*ray_query)(const lanecast_scene *, const lanecast_rays *, const lanecast_options *);

static struct {
    ray_query query;
    lanecast_rays rays;
} asking;

static lanecast_result ask(void)
{
    return asking.query(scene, &asking.rays, NULL);
}

static lanecast_result ask_of_rays(const void *rays)
{
    return asking.query(scene, rays, NULL);
}

static lanecast_result ask_with_options(const void *options)
{
    return asking.query(scene, &asking.rays, options);
}

static void refuses_rays(ray_query query, unsigned takes)
{
    asking.query = query, asking.rays = good_rays();
    lanecast_rays *rays = &asking.rays;
    const lanecast_rays good = *rays;
    const int32_t unknown[] = {0, 3, -1, INT32_MAX};

    REFUSES(query(NULL, rays, NULL), "scene");
    refuses_struct("rays", &good, sizeof good, 0, ask_of_rays);
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        rays->precision = unknown[k];
        REFUSES(ask(), "rays.precision");
    }
    rays->precision = LANECAST_F64;
    REFUSES(ask(), "rays.precision");
    *rays = good;
    REFUSES(query(scene64, rays, NULL), "rays.precision");
    refuses_vectors("rays.origin", &rays->origin, ask);
    rays->direction = good.origin;
    refuses_vectors("rays.direction", &rays->direction, ask);
    *rays = good;

    const size_t wrong[] = {1, 2, 5, SIZE_MAX, SIZE_MAX / 2 + 1};
    rays->t_min.data = ASKEW, rays->t_min.stride = sizeof(float);
    REFUSES(ask(), "rays.t_min");
    *rays = good, rays->t_max.data = ASKEW, rays->t_max.stride = sizeof(float);
    REFUSES(ask(), "rays.t_max");
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        *rays = good, rays->t_min = (lanecast_column){positions, wrong[k]};
        REFUSES(ask(), "rays.t_min");
        *rays = good, rays->t_max = (lanecast_column){positions, wrong[k]};
        REFUSES(ask(), "rays.t_max");
    }
    /* Counts whose rows reach beyond memory. */
    *rays = good, rays->count = SIZE_MAX;
    REFUSES(ask(), "rays.origin");
    rays->count = SIZE_MAX / sizeof(float);
    REFUSES(ask(), "rays.origin");
    *rays = good;
    refuses_options(ask_with_options, takes);
}

static lanecast_hits hits;
static lanecast_counts counts;
static lanecast_costs costs;
static lanecast_values values;
static lanecast_answers any_status;
static size_t any_count;

static lanecast_result closest(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_closest_hit(at, rays, options, &hits);
}

static lanecast_result farthest(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_farthest_hit(at, rays, options, &hits);
}

static lanecast_result any(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_any_hit(at, rays, options, any_count, any_status);
}

static lanecast_result count(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_count_hits(at, rays, options, &counts);
}

static lanecast_result signed_count(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_signed_count(at, rays, options, &values);
}

static lanecast_result cost(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_cost(at, rays, options, &costs);
}

static lanecast_result all(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    lanecast_hit_lists *lists = NULL;
    lanecast_result result = lanecast_all_hits(at, rays, options, &lists);
    CHECK((lists != NULL) == (result == LANECAST_OK));
    lanecast_hit_lists_free(lists);
    return result;
}

static lanecast_result nearest(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    lanecast_hit_lists *lists = NULL;
    lanecast_result result = lanecast_nearest_hits(at, rays, 2, options, &lists);
    CHECK((lists != NULL) == (result == LANECAST_OK));
    lanecast_hit_lists_free(lists);
    return result;
}

static lanecast_result closest_into(const void *given)
{
    return lanecast_closest_hit(scene, &asking.rays, NULL, given);
}

static lanecast_result farthest_into(const void *given)
{
    return lanecast_farthest_hit(scene, &asking.rays, NULL, given);
}

static lanecast_result count_into(const void *given)
{
    return lanecast_count_hits(scene, &asking.rays, NULL, given);
}

static lanecast_result signed_count_into(const void *given)
{
    return lanecast_signed_count(scene, &asking.rays, NULL, given);
}

static lanecast_result cost_into(const void *given)
{
    return lanecast_cost(scene, &asking.rays, NULL, given);
}

static void refuses_hits(ray_query query, call_with into)
{
    hits = good_hits();
    const lanecast_hits good = hits;
    refuses_rays(query, OF_RAYS);
    asking.query = query;
    refuses_struct("hits", &good, sizeof good, 0, into);
    const size_t wrong[] = {0, 1, ROWS - 1, ROWS + 1, SIZE_MAX};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        hits.count = wrong[k];
        REFUSES(ask(), "hits.count");
    }
    hits = good;
    refuses_answers("status", &hits.status, 1, 1, ask);
    refuses_answers("t", &hits.t, 4, 4, ask);
    refuses_answers("primitive_id", &hits.primitive_id, 4, 4, ask);
    refuses_answers("geometry_id", &hits.geometry_id, 4, 4, ask);
    refuses_answers("instance_id", &hits.instance_id, 4, 4, ask);
    refuses_answers("u", &hits.u, 4, 4, ask);
    refuses_answers("v", &hits.v, 4, 4, ask);
    refuses_answers("normal", &hits.normal, 12, 4, ask);

    /* Columns that lie in the same memory. */
    hits.u = hits.v;
    REFUSES(ask(), "u");
    hits = good, hits.primitive_id = hits.geometry_id;
    REFUSES(ask(), "primitive_id");
    REFUSES(ask(), "geometry_id");
    /* The second begins at the last value of the first. */
    hits = good, hits.u.data = &places.t[ROWS - 1];
    REFUSES(ask(), "u");
    hits = good, hits.t.data = (char *)places.normal[0] + 8;
    REFUSES(ask(), "normal");
    /* A status within an id. */
    hits = good, hits.status = (lanecast_answers){(char *)places.primitive_id + 1, 4};
    REFUSES(ask(), "status");

    /* Fields of the same structs. */
    struct record {
        float normal[3];
        uint32_t geometry_id;
        float v;
        uint8_t status;
        uint32_t primitive_id;
        float u, t;
        uint32_t instance_id;
    } records[ROWS + 1];
    const size_t stride = sizeof records[0];
    hits.status = (lanecast_answers){&records[0].status, stride};
    hits.t = (lanecast_answers){&records[0].t, stride};
    hits.u = (lanecast_answers){&records[0].u, stride};
    hits.v = (lanecast_answers){&records[0].v, stride};
    hits.primitive_id = (lanecast_answers){&records[0].primitive_id, stride};
    hits.geometry_id = (lanecast_answers){&records[0].geometry_id, stride};
    hits.instance_id = (lanecast_answers){&records[0].instance_id, stride};
    hits.normal = (lanecast_answers){records[0].normal, stride};
    PASSES(ask());
    /* One of them a record later. */
    hits.normal.data = records[1].normal;
    PASSES(ask());
    hits.normal.data = records[0].normal, hits.t.data = &records[1].t;
    PASSES(ask());
    /* The normal reaches into the next field, and over the end of the struct into the next one. */
    hits.t.data = &records[0].t, hits.normal.data = &records[0].normal[1];
    REFUSES(ask(), "normal");
    hits.normal.data = &records[0].u, hits.u.data = NULL, hits.t.data = NULL, hits.instance_id.data = NULL;
    PASSES(ask());
    hits.normal.data = &records[0].t, hits.geometry_id.data = &records[0].normal[0];
    REFUSES(ask(), "geometry_id");
    /* No column is wanted. */
    hits = (lanecast_hits){.size = sizeof hits};
    hits.count = ROWS;
    PASSES(ask());
    hits = good;
}

static void of_closest_hit(void)
{
    refuses_hits(closest, closest_into);
}

static void of_farthest_hit(void)
{
    refuses_hits(farthest, farthest_into);
}

static void of_any_hit(void)
{
    any_status = PLACE(places.status), any_count = ROWS;
    refuses_rays(any, OF_RAYS);
    const size_t wrong[] = {0, ROWS - 1, ROWS + 1, SIZE_MAX};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        any_count = wrong[k];
        REFUSES(ask(), "count");
    }
    any_count = ROWS;
    refuses_answers("status", &any_status, 1, 1, ask);
    any_status.data = NULL;
    REFUSES(ask(), "status");
}

static void of_count_hits(void)
{
    counts = good_counts();
    const lanecast_counts good = counts;
    refuses_rays(count, OF_RAYS | CONTACT);
    refuses_struct("counts", &good, sizeof good, 0, count_into);
    counts.count = ROWS - 1;
    REFUSES(ask(), "counts.count");
    counts = good;
    refuses_answers("status", &counts.status, 1, 1, ask);
    refuses_answers("hits", &counts.hits, 4, 4, ask);
    counts.status.data = (char *)counts.hits.data + 3;
    REFUSES(ask(), "status");
}

static void of_signed_count(void)
{
    values = good_values();
    const lanecast_values good = values;
    refuses_rays(signed_count, OF_RAYS | CONTACT);
    refuses_struct("values", &good, sizeof good, 0, signed_count_into);
    values.count = ROWS - 1;
    REFUSES(ask(), "values.count");
    values = good;
    refuses_answers("status", &values.status, 1, 1, ask);
    refuses_answers("value", &values.value, 4, 4, ask);
}

static void of_cost(void)
{
    costs = good_costs();
    const lanecast_costs good = costs;
    refuses_rays(cost, OF_RAYS);
    refuses_struct("costs", &good, sizeof good, 0, cost_into);
    costs.count = ROWS + 1;
    REFUSES(ask(), "costs.count");
    costs = good;
    refuses_answers("status", &costs.status, 1, 1, ask);
    refuses_answers("nodes", &costs.nodes, 4, 4, ask);
    refuses_answers("boxes", &costs.boxes, 4, 4, ask);
    refuses_answers("leaves", &costs.leaves, 4, 4, ask);
    refuses_answers("primitives", &costs.primitives, 4, 4, ask);
    costs.leaves = costs.nodes;
    REFUSES(ask(), "leaves");
}

static void of_all_hits(void)
{
    const lanecast_rays rays = good_rays();
    refuses_rays(all, OF_RAYS | CONTACT);
    REFUSES(lanecast_all_hits(scene, &rays, NULL, NULL), "lists");
}

static void of_nearest_hits(void)
{
    const lanecast_rays rays = good_rays();
    refuses_rays(nearest, OF_RAYS | CONTACT);
    REFUSES(lanecast_nearest_hits(scene, &rays, 1, NULL, NULL), "lists");
}

static void of_hit_lists_get(void)
{
    const lanecast_rays rays = good_rays();
    lanecast_hit_lists *lists = NULL;
    lanecast_hit_lists_view view;
    PASSES(lanecast_all_hits(scene, &rays, NULL, &lists));
    REFUSES(lanecast_hit_lists_get(NULL, &view), "lists");
    REFUSES(lanecast_hit_lists_get(lists, NULL), "view");
    REFUSES(lanecast_hit_lists_get(lists, ASKEW), "view");
    lanecast_hit_lists_free(lists);
}

static lanecast_result pick(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    lanecast_picks *picks = NULL;
    const lanecast_result result = lanecast_pick_hits(at, rays, LANECAST_PICK_ALL, options, &picks);
    CHECK((picks != NULL) == (result == LANECAST_OK));
    lanecast_picks_free(picks);
    return result;
}

static lanecast_rays one_ray(void)
{
    lanecast_rays ray = good_rays();
    ray.count = 1;
    return ray;
}

static lanecast_result pick_of(const void *ray)
{
    return pick(scene, ray, NULL);
}

static lanecast_result pick_with(const void *options)
{
    const lanecast_rays ray = one_ray();
    return pick(scene, &ray, options);
}

static void of_pick_hits(void)
{
    const lanecast_rays good = one_ray();
    const float nan = NAN;
    const int32_t unknown[] = {-1, 3, INT32_MAX};
    lanecast_picks *picks = NULL;
    refuses_struct("rays", &good, sizeof good, 0, pick_of);
    refuses_options(pick_with, OF_RAYS | CONTACT);
    REFUSES(pick(NULL, &good, NULL), "scene");
    REFUSES(pick(scene64, &good, NULL), "rays.precision");
    REFUSES(lanecast_pick_hits(scene, &good, LANECAST_PICK_ALL, NULL, NULL), "picks");
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        REFUSES(lanecast_pick_hits(scene, &good, unknown[k], NULL, &picks), "limit");
    }
    lanecast_rays ray = good_rays();
    REFUSES(pick(scene, &ray, NULL), "rays.count");
    ray.count = 0;
    REFUSES(pick(scene, &ray, NULL), "rays.count");
    ray = good, ray.origin = (lanecast_vectors){&nan, &nan, &nan, 0};
    FAILS(pick(scene, &ray, NULL), LANECAST_INVALID_INPUT, "ray");
}

static void of_picks_get(void)
{
    const lanecast_rays ray = one_ray();
    lanecast_picks *picks = NULL;
    lanecast_picks_view view;
    PASSES(lanecast_pick_hits(scene, &ray, LANECAST_PICK_ALL, NULL, &picks));
    REFUSES(lanecast_picks_get(NULL, &view), "picks");
    REFUSES(lanecast_picks_get(picks, NULL), "view");
    REFUSES(lanecast_picks_get(picks, ASKEW), "view");
    lanecast_picks_free(picks);
}

static lanecast_receiver receiver;

static lanecast_result returns(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    lanecast_return_lists *lists = NULL;
    const lanecast_result result = lanecast_lidar_returns(at, rays, &receiver, options, &lists);
    CHECK((lists != NULL) == (result == LANECAST_OK));
    lanecast_return_lists_free(lists);
    return result;
}

static lanecast_result returns_by(const void *by)
{
    const lanecast_rays rays = good_rays();
    lanecast_return_lists *lists = NULL;
    const lanecast_result result = lanecast_lidar_returns(scene, &rays, by, NULL, &lists);
    lanecast_return_lists_free(lists);
    return result;
}

static void of_lidar_returns(void)
{
    const lanecast_receiver good = {.size = sizeof good};
    const lanecast_rays rays = good_rays();
    receiver = good;
    refuses_rays(returns, OF_RAYS);
    refuses_struct("receiver", &good, sizeof good, 1, returns_by);
    REFUSES(lanecast_lidar_returns(scene, &rays, NULL, NULL, NULL), "lists");
    const int32_t unknown[] = {-1, 4, INT32_MAX};
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        receiver = good, receiver.keep = unknown[k];
        REFUSES(returns_by(&receiver), "receiver.keep");
    }
    const double unusable[] = {NAN, -1, -INFINITY};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        receiver = good, receiver.range_noise[1] = unusable[k];
        FAILS(returns_by(&receiver), LANECAST_INVALID_INPUT, "noise");
        receiver = good, receiver.reference_range = unusable[k];
        FAILS(returns_by(&receiver), LANECAST_INVALID_INPUT, "reference_range");
        receiver = good, receiver.resolution = unusable[k];
        FAILS(returns_by(&receiver), LANECAST_INVALID_INPUT, "resolution");
    }
    const double weights[3] = {0.5, 0.25, 0.25}, bad[2] = {1, NAN};
    receiver = good, receiver.weight_count = 1;
    REFUSES(returns_by(&receiver), "receiver.weights");
    receiver.weights = weights, receiver.weight_count = 0;
    REFUSES(returns_by(&receiver), "receiver.weight_count");
    receiver.weight_count = SIZE_MAX;
    REFUSES(returns_by(&receiver), "receiver.weights");
    receiver.weight_count = 3;
    REFUSES(returns_by(&receiver), "rays.count");
    receiver.weight_count = 2;
    PASSES(returns_by(&receiver));
    receiver.weights = ASKEW;
    REFUSES(returns_by(&receiver), "receiver.weights");
    receiver.weights = bad;
    REFUSES(returns_by(&receiver), "receiver.weights");
    receiver = good, receiver.first_pulse = SIZE_MAX;
    REFUSES(returns_by(&receiver), "receiver.first_pulse");
    /* What is measured would be no distance. */
    const float long_way[3] = {0, 0, 2};
    lanecast_rays wrong = good_rays();
    wrong.direction = (lanecast_vectors){&long_way[0], &long_way[1], &long_way[2], 0};
    receiver = good;
    REFUSES(returns(scene, &wrong, NULL), "rays: row 0");
}

static void of_return_lists_get(void)
{
    const lanecast_rays rays = good_rays();
    lanecast_return_lists *lists = NULL;
    lanecast_return_lists_view view;
    PASSES(lanecast_lidar_returns(scene, &rays, NULL, NULL, &lists));
    REFUSES(lanecast_return_lists_get(NULL, &view), "lists");
    REFUSES(lanecast_return_lists_get(lists, NULL), "view");
    REFUSES(lanecast_return_lists_get(lists, ASKEW), "view");
    lanecast_return_lists_free(lists);
}

/* ---- Single rays. ---- */

static lanecast_result closest1_with(const void *options)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f32 hit;
    lanecast_result result = lanecast_closest1_f32(scene, &ray, options, &hit);
    return result < 0 ? result : LANECAST_OK;
}

static lanecast_result closest1_with64(const void *options)
{
    const lanecast_ray_f64 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f64 hit;
    lanecast_result result = lanecast_closest1_f64(scene64, &ray, options, &hit);
    return result < 0 ? result : LANECAST_OK;
}

static lanecast_result any1_with(const void *options)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_result result = lanecast_any1_f32(scene, &ray, options);
    return result < 0 ? result : LANECAST_OK;
}

static lanecast_result any1_with64(const void *options)
{
    const lanecast_ray_f64 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_result result = lanecast_any1_f64(scene64, &ray, options);
    return result < 0 ? result : LANECAST_OK;
}

#define OF_ONE_RAY (MASK | MASKS | CULLING | FILTER | SKIPS)

static void of_closest1_f32(void)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f32 hit;
    REFUSES(lanecast_closest1_f32(NULL, &ray, NULL, &hit), "scene");
    REFUSES(lanecast_closest1_f32(scene, NULL, NULL, &hit), "ray");
    REFUSES(lanecast_closest1_f32(scene, ASKEW_OF(ray), NULL, &hit), "ray");
    REFUSES(lanecast_closest1_f32(scene, &ray, NULL, NULL), "hit");
    REFUSES(lanecast_closest1_f32(scene, &ray, NULL, ASKEW), "hit");
    REFUSES(lanecast_closest1_f32(scene64, &ray, NULL, &hit), "scene");
    refuses_options(closest1_with, OF_ONE_RAY);
}

static void of_closest1_f64(void)
{
    const lanecast_ray_f64 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f64 hit;
    REFUSES(lanecast_closest1_f64(NULL, &ray, NULL, &hit), "scene");
    REFUSES(lanecast_closest1_f64(scene64, NULL, NULL, &hit), "ray");
    REFUSES(lanecast_closest1_f64(scene64, ASKEW_OF(ray), NULL, &hit), "ray");
    REFUSES(lanecast_closest1_f64(scene64, &ray, NULL, NULL), "hit");
    REFUSES(lanecast_closest1_f64(scene64, &ray, NULL, ASKEW), "hit");
    REFUSES(lanecast_closest1_f64(scene, &ray, NULL, &hit), "scene");
    refuses_options(closest1_with64, OF_ONE_RAY);
}

static void of_any1_f32(void)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    REFUSES(lanecast_any1_f32(NULL, &ray, NULL), "scene");
    REFUSES(lanecast_any1_f32(scene, NULL, NULL), "ray");
    REFUSES(lanecast_any1_f32(scene, ASKEW_OF(ray), NULL), "ray");
    REFUSES(lanecast_any1_f32(scene64, &ray, NULL), "scene");
    refuses_options(any1_with, OF_ONE_RAY);
}

static void of_any1_f64(void)
{
    const lanecast_ray_f64 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    REFUSES(lanecast_any1_f64(NULL, &ray, NULL), "scene");
    REFUSES(lanecast_any1_f64(scene64, NULL, NULL), "ray");
    REFUSES(lanecast_any1_f64(scene64, ASKEW_OF(ray), NULL), "ray");
    REFUSES(lanecast_any1_f64(scene, &ray, NULL), "scene");
    refuses_options(any1_with64, OF_ONE_RAY);
}

static lanecast_result closest1_with_normal(const void *options)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f32 hit;
    float normal[3];
    int32_t result = lanecast_closest1_with_normal_f32(scene, &ray, options, &hit, normal);
    return result < 0 ? result : LANECAST_OK;
}

static void of_closest1_with_normal_f32(void)
{
    const lanecast_ray_f32 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9};
    lanecast_hit_f32 hit;
    float normal[3];
    REFUSES(lanecast_closest1_with_normal_f32(NULL, &ray, NULL, &hit, normal), "scene");
    REFUSES(lanecast_closest1_with_normal_f32(scene64, &ray, NULL, &hit, normal), "scene");
    REFUSES(lanecast_closest1_with_normal_f32(scene, NULL, NULL, &hit, normal), "ray");
    REFUSES(lanecast_closest1_with_normal_f32(scene, ASKEW_OF(ray), NULL, &hit, normal), "ray");
    REFUSES(lanecast_closest1_with_normal_f32(scene, &ray, NULL, NULL, normal), "hit");
    REFUSES(lanecast_closest1_with_normal_f32(scene, &ray, NULL, ASKEW, normal), "hit");
    REFUSES(lanecast_closest1_with_normal_f32(scene, &ray, NULL, &hit, NULL), "normal");
    REFUSES(lanecast_closest1_with_normal_f32(scene, &ray, NULL, &hit, ASKEW), "normal");
    refuses_options(closest1_with_normal, OF_ONE_RAY);
    CHECK_INT(lanecast_closest1_with_normal_f32(scene, &ray, NULL, &hit, normal), LANECAST_HIT);
    CHECK(normal[2] < 0 && hit.t == 1);
}

static void of_closest1_with_normal_f64(void)
{
    const lanecast_ray_f64 ray = {{1, 1, -1}, {0, 0, 1}, 0, 9}, bad = {{1, 1, -1}, {0, 0, 0}, 0, 9};
    lanecast_hit_f64 hit;
    double normal[3];
    REFUSES(lanecast_closest1_with_normal_f64(NULL, &ray, NULL, &hit, normal), "scene");
    REFUSES(lanecast_closest1_with_normal_f64(scene, &ray, NULL, &hit, normal), "scene");
    REFUSES(lanecast_closest1_with_normal_f64(scene64, NULL, NULL, &hit, normal), "ray");
    REFUSES(lanecast_closest1_with_normal_f64(scene64, &ray, NULL, NULL, normal), "hit");
    REFUSES(lanecast_closest1_with_normal_f64(scene64, &ray, NULL, &hit, NULL), "normal");
    CHECK_INT(lanecast_closest1_with_normal_f64(scene64, &ray, NULL, &hit, normal), LANECAST_HIT);
    CHECK_INT(lanecast_closest1_with_normal_f64(scene64, &bad, NULL, &hit, normal), LANECAST_ZERO_DIRECTION);
}

static lanecast_hits behind;

static lanecast_result lines(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_line_hits(at, rays, options, &hits, &behind);
}

static lanecast_result ahead_into(const void *given)
{
    const lanecast_rays rays = good_rays();
    return lanecast_line_hits(scene, &rays, NULL, given, &behind);
}

static lanecast_result behind_into(const void *given)
{
    const lanecast_rays rays = good_rays();
    return lanecast_line_hits(scene, &rays, NULL, &hits, given);
}

static lanecast_result lines_again(void)
{
    const lanecast_rays rays = good_rays();
    return lines(scene, &rays, NULL);
}

static void of_line_hits(void)
{
    uint8_t status[ROWS];
    float t[ROWS];
    hits = good_hits(), behind = (lanecast_hits){.size = sizeof behind, .count = ROWS};
    behind.status = PLACE(status), behind.t = PLACE(t);
    const lanecast_hits good = behind;
    refuses_rays(lines, OF_RAYS);
    refuses_struct("ahead", &hits, sizeof hits, 0, ahead_into);
    refuses_struct("behind", &good, sizeof good, 0, behind_into);
    behind = good, behind.count = ROWS - 1;
    REFUSES(lines_again(), "behind.count");
    behind = good, hits.count = ROWS + 1;
    REFUSES(lines_again(), "ahead.count");
    hits.count = ROWS;
    refuses_answers("t", &behind.t, 4, 4, lines_again);
    /* The columns of both sides must be apart. */
    behind.t = hits.t;
    REFUSES(lines_again(), "t: it lies in the same memory");
}

static lanecast_surface surface;
static lanecast_vertex_normals of_vertices;
static size_t meshes_with_normals;

static lanecast_result locate(const lanecast_scene *at, const lanecast_rays *rays, const lanecast_options *options)
{
    return lanecast_locate(at, rays, &hits, true, &of_vertices, meshes_with_normals, options, &surface);
}

static lanecast_result locate_again(void)
{
    const lanecast_rays rays = good_rays();
    return locate(scene, &rays, NULL);
}

static lanecast_result locate_of(const void *given)
{
    const lanecast_rays rays = good_rays();
    return lanecast_locate(scene, &rays, given, true, NULL, 0, NULL, &surface);
}

static lanecast_result locate_into(const void *given)
{
    const lanecast_rays rays = good_rays();
    return lanecast_locate(scene, &rays, &hits, true, NULL, 0, NULL, given);
}

static void of_locate(void)
{
    static float points[ROWS][3], geometric[ROWS][3], shading[ROWS][3];
    static uint8_t status[ROWS];
    const lanecast_rays rays = good_rays();
    hits = good_hits();
    PASSES(lanecast_closest_hit(scene, &rays, NULL, &hits));
    const lanecast_hits found = hits;
    surface = (lanecast_surface){.size = sizeof surface, .count = ROWS};
    surface.status = PLACE(status), surface.point = PLACE(points);
    surface.geometric_normal = PLACE(geometric), surface.shading_normal = PLACE(shading);
    of_vertices = (lanecast_vertex_normals){NULL, 0, ROWS_OF(triangles), ROWS_OF(vertices)};
    meshes_with_normals = 1;
    const lanecast_surface good = surface;
    const lanecast_vertex_normals normals = of_vertices;
    PASSES(locate_again());

    refuses_rays(locate, THREADS);
    refuses_struct("hits", &found, sizeof found, 0, locate_of);
    refuses_struct("surface", &good, sizeof good, 0, locate_into);
    hits.count = ROWS - 1;
    REFUSES(locate_again(), "hits.count");
    hits = found, hits.t.data = NULL;
    REFUSES(locate_again(), "hits.t");
    hits = found, hits.status.data = NULL;
    REFUSES(locate_again(), "hits.status");
    hits = found, hits.primitive_id.data = ASKEW;
    REFUSES(locate_again(), "hits.primitive_id");
    hits = found, hits.geometry_id.stride = 3;
    REFUSES(locate_again(), "hits.geometry_id");
    hits = found, hits.instance_id.data = NULL;
    PASSES(locate_again());
    hits = found, surface.count = ROWS + 1;
    REFUSES(locate_again(), "surface.count");
    surface = good;
    refuses_answers("point", &surface.point, 12, 4, locate_again);
    refuses_answers("geometric_normal", &surface.geometric_normal, 12, 4, locate_again);
    surface.shading_normal = surface.point;
    REFUSES(locate_again(), "shading_normal");
    surface = good;

    REFUSES(lanecast_locate(scene, &rays, &hits, true, NULL, 1, NULL, &surface), "normals");
    REFUSES(lanecast_locate(scene, &rays, &hits, true, ASKEW_OF(normals), 1, NULL, &surface), "normals");
    REFUSES(lanecast_locate(scene, &rays, &hits, true, &normals, SIZE_MAX, NULL, &surface), "normals");
    of_vertices.scene = scene64;
    REFUSES(locate_again(), "normals[0].scene");
    of_vertices = normals, of_vertices.geometry_id = 7;
    FAILS(locate_again(), LANECAST_UNKNOWN_ID, "7");
    of_vertices = normals;
    refuses_rows("normals[0].triangles", &of_vertices.triangles, 12, locate_again);
    refuses_rows("normals[0].normals", &of_vertices.normals, 12, locate_again);
    /* A hit at something that is not there. */
    places.geometry_id[0] = 9;
    FAILS(locate_again(), LANECAST_UNKNOWN_ID, "9");
}
