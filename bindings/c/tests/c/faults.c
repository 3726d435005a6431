/* What functions refuse: for each function every argument that cannot be, the result that the header names for it, and a
 * message that names the argument.
 *
 * The table at the end has a line for each function of the header; `c.rs` fails if one is missing. */

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#define ROWS 4
#define INVALID_ARGUMENT LANECAST_INVALID_ARGUMENT

/* A text that no other message has. */
#define FORGOTTEN "no-such-folder/forgotten"

/* Replaces the last message, so that one of an earlier call cannot pass for that of the next. */
static void forget(void)
{
    lanecast_scene *scene = NULL;
    CHECK_INT(lanecast_open(FORGOTTEN, NULL, NULL, &scene), LANECAST_FILE_ERROR);
    CHECK(strstr(lanecast_last_error(), FORGOTTEN) != NULL);
}

static void check_fails(int result, int expected, const char *name, const char *text, int line)
{
    const char *message = lanecast_last_error();
    if (result != expected) {
        check_failed(__FILE__, line);
        fprintf(stderr, "%s is %d; %d was expected, of %s\n", text, result, expected, name);
    } else if (strstr(message, name) == NULL || strstr(message, FORGOTTEN) != NULL) {
        check_failed(__FILE__, line);
        fprintf(stderr, "%s: the message is \"%s\"; one that names %s was expected\n", text, message, name);
    }
}

/* A call that must fail with that result and a message that has that text. */
#define FAILS(call, expected, name) check_fails((forget(), (int)(call)), (expected), (name), #call, __LINE__)
#define REFUSES(call, name) FAILS(call, INVALID_ARGUMENT, name)

/* An address that no number of more than a byte can have, within memory of the caller. */
static union {
    double aligned[600];
    char bytes[4800];
} room;
#define ASKEW ((void *)(room.bytes + 1))

/* A copy of an argument that is well but for its address. */
static void *askew(const void *good, size_t size)
{
    return memmove(ASKEW, good, size);
}

#define ASKEW_OF(object) askew(&(object), sizeof(object))

/* ---- What calls are given if all is well: a tetrahedron, rays at it, and places for answers. ---- */

static const float vertices[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
static const double vertices64[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const float positions[ROWS][3] = {{0.5F, 0.5F, -1}, {1, 0.5F, -1}, {0.5F, 1, -1}, {9, 9, -1}};
static const float up[3] = {0, 0, 1};

static lanecast_geometry *mesh, *mesh64, *deformable;
static lanecast_scene *scene, *scene64;
static lanecast_threads *one_thread;

static struct {
    uint8_t status[ROWS];
    float t[ROWS], u[ROWS], v[ROWS], distance[ROWS];
    float normal[ROWS][3], point[ROWS][3];
    uint32_t primitive_id[ROWS], geometry_id[ROWS], instance_id[ROWS], numbers[4][ROWS];
    int32_t value[ROWS];
} places;

#define COLUMN(array) {(array), sizeof(array)[0]}
#define PLACE(array) ((lanecast_answers){(array), sizeof((array)[0])})
#define ROWS_OF(array) ((lanecast_rows){(array), LENGTH(array), sizeof((array)[0])})

static lanecast_rays good_rays(void)
{
    lanecast_rays rays = {.size = sizeof rays};
    rays.precision = LANECAST_F32;
    rays.count = ROWS;
    rays.origin = (lanecast_vectors){&positions[0][0], &positions[0][1], &positions[0][2], sizeof positions[0]};
    rays.direction = (lanecast_vectors){&up[0], &up[1], &up[2], 0};
    return rays;
}

static lanecast_points good_points(void)
{
    lanecast_points points = {.size = sizeof points};
    points.precision = LANECAST_F32;
    points.count = ROWS;
    points.position = good_rays().origin;
    return points;
}

static lanecast_hits good_hits(void)
{
    lanecast_hits hits = {.size = sizeof hits};
    hits.count = ROWS;
    hits.status = PLACE(places.status);
    hits.t = PLACE(places.t);
    hits.u = PLACE(places.u);
    hits.v = PLACE(places.v);
    hits.primitive_id = PLACE(places.primitive_id);
    hits.geometry_id = PLACE(places.geometry_id);
    hits.instance_id = PLACE(places.instance_id);
    hits.normal = PLACE(places.normal);
    return hits;
}

static lanecast_closest_points good_closest(void)
{
    lanecast_closest_points closest = {.size = sizeof closest};
    closest.count = ROWS;
    closest.status = PLACE(places.status);
    closest.distance = PLACE(places.distance);
    closest.point = PLACE(places.point);
    closest.u = PLACE(places.u);
    closest.v = PLACE(places.v);
    closest.primitive_id = PLACE(places.primitive_id);
    closest.geometry_id = PLACE(places.geometry_id);
    closest.instance_id = PLACE(places.instance_id);
    closest.normal = PLACE(places.normal);
    return closest;
}

static lanecast_counts good_counts(void)
{
    lanecast_counts counts = {.size = sizeof counts};
    counts.count = ROWS;
    counts.status = PLACE(places.status);
    counts.hits = PLACE(places.numbers[0]);
    return counts;
}

static lanecast_costs good_costs(void)
{
    lanecast_costs costs = {.size = sizeof costs};
    costs.count = ROWS;
    costs.status = PLACE(places.status);
    costs.nodes = PLACE(places.numbers[0]);
    costs.boxes = PLACE(places.numbers[1]);
    costs.leaves = PLACE(places.numbers[2]);
    costs.primitives = PLACE(places.numbers[3]);
    return costs;
}

static lanecast_values good_values(void)
{
    lanecast_values values = {.size = sizeof values};
    values.count = ROWS;
    values.status = PLACE(places.status);
    values.value = PLACE(places.value);
    return values;
}

static void set_up(void)
{
    PASSES(lanecast_triangles(LANECAST_F32, ROWS_OF(vertices), ROWS_OF(triangles), &mesh));
    PASSES(lanecast_triangles(LANECAST_F64, ROWS_OF(vertices64), ROWS_OF(triangles), &mesh64));
    PASSES(lanecast_deformable_triangles(LANECAST_F32, ROWS_OF(vertices), ROWS_OF(triangles), &deformable));
    const lanecast_geometry *one = mesh, *one64 = mesh64;
    PASSES(lanecast_build(LANECAST_F32, &one, 1, NULL, 0, NULL, &scene));
    PASSES(lanecast_build(LANECAST_F64, &one64, 1, NULL, 0, NULL, &scene64));
    PASSES(lanecast_threads_new(1, &one_thread));
}

static void tear_down(void)
{
    lanecast_scene_free(scene);
    lanecast_scene_free(scene64);
    lanecast_geometry_free(mesh);
    lanecast_geometry_free(mesh64);
    lanecast_geometry_free(deformable);
    lanecast_threads_free(one_thread);
}

/* A scene of the tetrahedron that a test may change. */
static lanecast_scene *scene_to_change(void)
{
    const lanecast_geometry *one = deformable;
    lanecast_scene *made = NULL;
    PASSES(lanecast_build(LANECAST_F32, &one, 1, NULL, 0, NULL, &made));
    return made;
}

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static lanecast_instance instance_of(const lanecast_scene *placed)
{
    lanecast_instance instance = {placed, {0}};
    memcpy(instance.transform, identity, sizeof identity);
    return instance;
}

/* ---- Structs that begin with their size. ---- */

/* A call that is given a struct, of which all else is well. */
typedef lanecast_result (*call_with)(const void *given);

static void refuses_struct(const char *name, const void *good, size_t size, int may_be_null, call_with call)
{
    char *given = room.bytes;
    const size_t wrong[] = {0, 1, sizeof(size_t) - 1, (size_t)1 << 20, SIZE_MAX};
    size_t longer = size + 24;

    if (may_be_null) {
        PASSES(call(NULL));
    } else {
        REFUSES(call(NULL), name);
    }
    memset(given, 0, sizeof room);
    memcpy(given + 4, good, size);
    REFUSES(call(given + 4), name);
    memset(given, 0, sizeof room);
    memcpy(given, good, size);
    PASSES(call(given));
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        memcpy(given, &wrong[k], sizeof(size_t));
        REFUSES(call(given), name);
    }
    /* A struct of a later header, of which nothing is set that is unknown here. */
    memcpy(given, &longer, sizeof(size_t));
    PASSES(call(given));
    const size_t set[] = {size, longer - 1};
    for (size_t k = 0; k < LENGTH(set); k++) {
        given[set[k]] = 1;
        REFUSES(call(given), name);
        given[set[k]] = 0;
    }
    /* What lies beyond the size is not read. */
    given[longer] = 1;
    PASSES(call(given));
    memset(given, 0, sizeof room);
}

/* ---- Options of queries. ---- */

enum takes {
    THREADS = 1,
    COHERENCE = 2,
    MASK = 4,
    /* A column of masks. */
    MASKS = 8,
    CULLING = 16,
    FILTER = 32,
    SKIPS = 64,
    CONTACT = 128,
    WINDING = 256,
    OF_RAYS = THREADS | COHERENCE | MASK | MASKS | CULLING | FILTER | SKIPS
};

static bool accept(void *user, size_t row, const lanecast_hit_f64 *hit, lanecast_side side)
{
    (void)user, (void)row, (void)hit, (void)side;
    return true;
}

static bool go_on(void *user, size_t done, size_t total)
{
    (void)user, (void)done, (void)total;
    return true;
}

#define TAKES_OR_REFUSES(options, taken, name) \
    do { \
        if (taken) { \
            PASSES(call(&(options))); \
        } else { \
            REFUSES(call(&(options)), name); \
        } \
    } while (0)

static void refuses_options(call_with call, unsigned takes)
{
    static const uint32_t ids[ROWS] = {0};
    const lanecast_options none = {.size = sizeof none};
    const int32_t unknown[] = {-1, 4, 99, INT32_MAX, INT32_MIN};
    lanecast_options options;

    refuses_struct("options", &none, sizeof none, 1, call);
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        options = none, options.backend = unknown[k];
        REFUSES(call(&options), "backend");
        options = none, options.coherence = unknown[k];
        REFUSES(call(&options), "coherence");
        options = none, options.culling = unknown[k];
        REFUSES(call(&options), "culling");
        options = none, options.contact = unknown[k];
        REFUSES(call(&options), "contact");
    }
    options = none, options.backend = LANECAST_BACKEND_PORTABLE, options.brute_force = true;
    options.watch = go_on;
    PASSES(call(&options));
    /* A backend that this machine does not have is refused by its name. */
    options = none, options.backend = LANECAST_BACKEND_AVX512;
    if (call(&options) != LANECAST_OK) {
        REFUSES(call(&options), "avx512");
    }

    options = none, options.threads = one_thread;
    TAKES_OR_REFUSES(options, takes & THREADS, "threads");
    options = none, options.coherence = LANECAST_COHERENT;
    TAKES_OR_REFUSES(options, takes & COHERENCE, "coherence");
    options = none, options.mask = 1;
    TAKES_OR_REFUSES(options, takes & MASK, "mask");
    options = none, options.culling = LANECAST_CULL_FRONT;
    TAKES_OR_REFUSES(options, takes & CULLING, "culling");
    options = none, options.contact = LANECAST_CONTACT_TOUCH;
    TAKES_OR_REFUSES(options, takes & CONTACT, "contact");
    options = none, options.generalised_winding = 2;
    TAKES_OR_REFUSES(options, takes & WINDING, "generalised_winding");
    options = none, options.masks = ids;
    TAKES_OR_REFUSES(options, takes & MASKS, "mask");
    options = none, options.filter = accept;
    TAKES_OR_REFUSES(options, takes & FILTER, "filter");
    options = none, options.skip_geometry_ids = ids, options.skip_primitive_ids = ids;
    TAKES_OR_REFUSES(options, takes & SKIPS, "skip");
    options.skip_instance_ids = ids;
    TAKES_OR_REFUSES(options, takes & SKIPS, "skip");

    const double unusable[] = {NAN, -1, 0.5};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        options = none, options.generalised_winding = unusable[k];
        FAILS(call(&options), takes & WINDING ? LANECAST_INVALID_INPUT : INVALID_ARGUMENT, "generalised_winding");
    }
    if (takes & MASKS) {
        options = none, options.masks = ASKEW;
        REFUSES(call(&options), "masks");
    }
    if (takes & SKIPS) {
        options = none, options.skip_geometry_ids = ids;
        REFUSES(call(&options), "skip_primitive_ids");
        options = none, options.skip_primitive_ids = ids;
        REFUSES(call(&options), "skip_geometry_ids");
        options = none, options.skip_instance_ids = ids;
        REFUSES(call(&options), "skip_geometry_ids");
        options = none, options.skip_geometry_ids = ASKEW, options.skip_primitive_ids = ids;
        REFUSES(call(&options), "skip_geometry_ids");
        options = none, options.skip_geometry_ids = ids, options.skip_primitive_ids = ASKEW;
        REFUSES(call(&options), "skip_primitive_ids");
        options.skip_primitive_ids = ids, options.skip_instance_ids = ASKEW;
        REFUSES(call(&options), "skip_instance_ids");
    }
}

/* ---- Vectors, columns and answers. ---- */

/* Tests vectors of `float` at a place in the arguments of a call, which must have more than one row. */
static void refuses_vectors(const char *name, lanecast_vectors *vectors, lanecast_result (*call)(void))
{
    const lanecast_vectors good = *vectors;
    const size_t wrong[] = {1, 2, 3, 5, 13, SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1};

    vectors->x = NULL;
    REFUSES(call(), name);
    *vectors = good, vectors->y = NULL;
    REFUSES(call(), name);
    *vectors = good, vectors->z = NULL;
    REFUSES(call(), name);
    *vectors = good, vectors->x = ASKEW;
    REFUSES(call(), name);
    *vectors = good, vectors->y = ASKEW;
    REFUSES(call(), name);
    *vectors = good, vectors->z = ASKEW;
    REFUSES(call(), name);
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        *vectors = good, vectors->stride = wrong[k];
        REFUSES(call(), name);
    }
    *vectors = good;
    PASSES(call());
}

/* Tests a column of answers of values that have `size` bytes and are aligned to `align`. */
static void refuses_answers(const char *name, lanecast_answers *answers, size_t size, size_t align, lanecast_result (*call)(void))
{
    const lanecast_answers good = *answers;

    if (align > 1) {
        answers->data = ASKEW;
        REFUSES(call(), name);
        *answers = good, answers->stride = size + 1;
        REFUSES(call(), name);
        *answers = good, answers->stride = size + align / 2;
        REFUSES(call(), name);
    }
    const size_t wrong[] = {0, size - align, SIZE_MAX - align + 1, SIZE_MAX / 2 + 1, SIZE_MAX / 4 + 1};
    for (size_t k = 0; k < LENGTH(wrong); k++) {
        *answers = good, answers->stride = wrong[k];
        REFUSES(call(), name);
    }
    *answers = good;
    PASSES(call());
}

/* ---- Queries of rays. ---- */

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

/* ---- Queries of points. ---- */

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

static void refuses_rows(const char *name, lanecast_rows *rows, size_t size, lanecast_result (*call)(void));

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
    refuses_options(sight_with, THREADS | COHERENCE | MASK | CULLING | FILTER);
}

/* ---- Geometries. ---- */

/* Tests rows of `float` or `uint32_t` at a place in the arguments of a call, `size` bytes each. */
static void refuses_rows(const char *name, lanecast_rows *rows, size_t size, lanecast_result (*call)(void))
{
    const lanecast_rows good = *rows;
    const size_t wrong[] = {0, 1, size - 4, size - 1, size + 1, size + 2, SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2 + 1};

    rows->data = NULL;
    REFUSES(call(), name);
    *rows = good, rows->data = ASKEW;
    REFUSES(call(), name);
    *rows = good;
    if (good.count > 1) {
        for (size_t k = 0; k < LENGTH(wrong); k++) {
            rows->stride = wrong[k];
            REFUSES(call(), name);
        }
    }
    *rows = good, rows->count = SIZE_MAX;
    REFUSES(call(), name);
    rows->count = SIZE_MAX / 8;
    REFUSES(call(), name);
    *rows = good;
    PASSES(call());
}

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
    near.points = good_points(), near.values = good_values();
    FAILS(lanecast_distance(built, &near.points, NULL, &near.values), LANECAST_UNANSWERABLE, "geometry 0");
    FAILS(lanecast_contains(built, &near.points, NULL, &near.values), LANECAST_UNANSWERABLE, "geometry 0");
    FAILS(lanecast_save(built, "own.lanecast", NULL, NULL), LANECAST_FILE_ERROR, "geometry 0");
    lanecast_scene_free(built);
    lanecast_geometry_free(made);
}

/* ---- Scenes. ---- */

static lanecast_result build_with(const void *options)
{
    const lanecast_geometry *given = mesh;
    lanecast_scene *built = NULL;
    lanecast_result result = lanecast_build(LANECAST_F32, &given, 1, NULL, 0, options, &built);
    CHECK((built != NULL) == (result == LANECAST_OK));
    lanecast_scene_free(built);
    return result;
}

static bool stop(void *user, size_t done, size_t total)
{
    (void)user, (void)done, (void)total;
    return false;
}

static void refuses_build_options(call_with call)
{
    const lanecast_build_options none = {.size = sizeof none};
    const int32_t unknown[] = {-1, 4, 99, INT32_MAX};
    lanecast_build_options options;
    refuses_struct("options", &none, sizeof none, 1, call);
    for (size_t k = 0; k < LENGTH(unknown); k++) {
        options = none, options.quality = unknown[k];
        REFUSES(call(&options), "quality");
        options = none, options.backend = unknown[k];
        REFUSES(call(&options), "backend");
    }
    options = none, options.threads = one_thread, options.watch = go_on, options.quality = LANECAST_QUALITY_HIGH;
    PASSES(call(&options));
}

static void of_build(void)
{
    const lanecast_geometry *given[3] = {mesh, NULL, mesh64};
    lanecast_scene *const untouched = (lanecast_scene *)(void *)&room, *built = untouched;
    REFUSES(lanecast_build(0, given, 1, NULL, 0, NULL, &built), "precision");
    REFUSES(lanecast_build(3, given, 1, NULL, 0, NULL, &built), "precision");
    REFUSES(lanecast_build(LANECAST_F64, given, 1, NULL, 0, NULL, &built), "geometries[0]");
    REFUSES(lanecast_build(LANECAST_F32, given, 3, NULL, 0, NULL, &built), "geometries[1]");
    given[1] = mesh;
    REFUSES(lanecast_build(LANECAST_F32, given, 3, NULL, 0, NULL, &built), "geometries[2]");
    REFUSES(lanecast_build(LANECAST_F32, NULL, 1, NULL, 0, NULL, &built), "geometries");
    REFUSES(lanecast_build(LANECAST_F32, ASKEW_OF(given[0]), 1, NULL, 0, NULL, &built), "geometries");
    REFUSES(lanecast_build(LANECAST_F32, given, SIZE_MAX, NULL, 0, NULL, &built), "geometries");
    REFUSES(lanecast_build(LANECAST_F32, given, 1, NULL, 0, NULL, NULL), "scene");

    lanecast_instance instances[2] = {instance_of(scene), instance_of(NULL)};
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, NULL, 1, NULL, &built), "instances");
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, ASKEW_OF(instances[0]), 1, NULL, &built), "instances");
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, instances, 2, NULL, &built), "instances[1]");
    instances[1].scene = scene64;
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, instances, 2, NULL, &built), "instances[1]");
    instances[1] = instance_of(scene), instances[1].transform[0] = 0;
    FAILS(lanecast_build(LANECAST_F32, NULL, 0, instances, 2, NULL, &built), LANECAST_INVALID_INPUT, "instance 1");
    instances[1].transform[0] = NAN;
    FAILS(lanecast_build(LANECAST_F32, NULL, 0, instances, 2, NULL, &built), LANECAST_INVALID_INPUT, "instance 1");

    refuses_build_options(build_with);
    lanecast_build_options options = {.size = sizeof options};
    options.weld = true;
    const double unusable[] = {NAN, -1, INFINITY};
    for (size_t k = 0; k < LENGTH(unusable); k++) {
        options.weld_tolerance = unusable[k];
        FAILS(lanecast_build(LANECAST_F32, given, 1, NULL, 0, &options, &built), LANECAST_INVALID_INPUT, "tolerance");
    }
    options = (lanecast_build_options){.size = sizeof options}, options.watch = stop;
    FAILS(lanecast_build(LANECAST_F32, given, 1, NULL, 0, &options, &built), LANECAST_STOPPED, "stopped");
    CHECK(built == untouched);
}

static lanecast_result facts_of(const void *facts)
{
    return lanecast_scene_get_facts(scene, (lanecast_scene_facts *)(void *)room.bytes == facts
                                               ? (lanecast_scene_facts *)(void *)room.bytes
                                               : (lanecast_scene_facts *)facts);
}

static void of_scene_get_facts(void)
{
    lanecast_scene_facts facts = {.size = sizeof facts};
    REFUSES(lanecast_scene_get_facts(NULL, &facts), "scene");
    refuses_struct("facts", &facts, sizeof facts, 0, facts_of);
}

static void of_scene_set_mask(void)
{
    lanecast_scene *changed = scene_to_change();
    REFUSES(lanecast_scene_set_mask(NULL, 0, 1), "scene");
    FAILS(lanecast_scene_set_mask(changed, 1, 1), LANECAST_UNKNOWN_ID, "geometry 1");
    FAILS(lanecast_scene_set_mask(changed, UINT32_MAX, 1), LANECAST_UNKNOWN_ID, "geometry 4294967295");
    lanecast_scene_free(changed);
}

static void of_scene_set_instance_mask(void)
{
    lanecast_scene *changed = scene_to_change();
    REFUSES(lanecast_scene_set_instance_mask(NULL, 0, 1), "scene");
    FAILS(lanecast_scene_set_instance_mask(changed, 0, 1), LANECAST_UNKNOWN_ID, "instance 0");
    lanecast_scene_free(changed);
}

static void of_scene_set_user_data(void)
{
    lanecast_scene *changed = scene_to_change();
    REFUSES(lanecast_scene_set_user_data(NULL, 0, 1), "scene");
    FAILS(lanecast_scene_set_user_data(changed, 1, 1), LANECAST_UNKNOWN_ID, "geometry 1");
    lanecast_scene_free(changed);
}

static void of_scene_get_geometry(void)
{
    uint32_t mask = 7;
    uint64_t user_data = 7;
    REFUSES(lanecast_scene_get_geometry(NULL, 0, &mask, &user_data), "scene");
    REFUSES(lanecast_scene_get_geometry(scene, 0, ASKEW, &user_data), "mask");
    REFUSES(lanecast_scene_get_geometry(scene, 0, &mask, ASKEW), "user_data");
    FAILS(lanecast_scene_get_geometry(scene, 1, &mask, &user_data), LANECAST_UNKNOWN_ID, "geometry 1");
    CHECK_INT(mask, 7);
    CHECK_INT(user_data, 7);
    PASSES(lanecast_scene_get_geometry(scene, 0, NULL, NULL));
}

static void of_scene_get_transform(void)
{
    double transform[12];
    lanecast_instance instance = instance_of(scene);
    lanecast_scene *placed = NULL;
    PASSES(lanecast_build(LANECAST_F32, NULL, 0, &instance, 1, NULL, &placed));
    REFUSES(lanecast_scene_get_transform(NULL, 0, transform), "scene");
    REFUSES(lanecast_scene_get_transform(placed, 0, NULL), "transform");
    REFUSES(lanecast_scene_get_transform(placed, 0, ASKEW), "transform");
    FAILS(lanecast_scene_get_transform(placed, 1, transform), LANECAST_UNKNOWN_ID, "instance 1");
    lanecast_scene_free(placed);
}

/* ---- Changes. ---- */

/* A scene that is placed in another is not changed. */
#define IN_USE(call) \
    do { \
        lanecast_instance in_use = instance_of(changed); \
        lanecast_scene *around = NULL; \
        PASSES(lanecast_build(LANECAST_F32, NULL, 0, &in_use, 1, NULL, &around)); \
        FAILS(call, LANECAST_IN_USE, "scene"); \
        lanecast_scene_free(around); \
    } while (0)

static lanecast_result add_with(const void *options)
{
    const lanecast_geometry *given = mesh;
    lanecast_scene *changed = scene_to_change();
    lanecast_result result = lanecast_add(changed, &given, 1, options, NULL);
    lanecast_scene_free(changed);
    return result;
}

static void of_add(void)
{
    const lanecast_geometry *given[2] = {mesh, NULL};
    lanecast_scene *changed = scene_to_change();
    uint32_t ids[2] = {7, 7};
    REFUSES(lanecast_add(NULL, given, 1, NULL, ids), "scene");
    REFUSES(lanecast_add(changed, NULL, 1, NULL, ids), "geometries");
    REFUSES(lanecast_add(changed, ASKEW_OF(given[0]), 1, NULL, ids), "geometries");
    REFUSES(lanecast_add(changed, given, 2, NULL, ids), "geometries[1]");
    REFUSES(lanecast_add(changed, given, SIZE_MAX, NULL, ids), "geometries");
    given[1] = mesh64;
    REFUSES(lanecast_add(changed, given, 2, NULL, ids), "geometries[1]");
    REFUSES(lanecast_add(changed, given, 1, NULL, ASKEW), "ids");
    IN_USE(lanecast_add(changed, given, 1, NULL, ids));
    CHECK_INT(ids[0], 7);
    refuses_build_options(add_with);
    lanecast_scene_free(changed);
}

static lanecast_result replace_with(const void *options)
{
    const lanecast_geometry *given = mesh;
    const uint32_t id = 0;
    lanecast_scene *changed = scene_to_change();
    lanecast_result result = lanecast_replace(changed, &id, &given, 1, options);
    lanecast_scene_free(changed);
    return result;
}

static void of_replace(void)
{
    const lanecast_geometry *given[2] = {mesh, NULL};
    const uint32_t ids[2] = {0, 1}, unknown[1] = {1};
    lanecast_scene *changed = scene_to_change();
    REFUSES(lanecast_replace(NULL, ids, given, 1, NULL), "scene");
    REFUSES(lanecast_replace(changed, NULL, given, 1, NULL), "geometry_ids");
    REFUSES(lanecast_replace(changed, ASKEW_OF(ids[0]), given, 1, NULL), "geometry_ids");
    REFUSES(lanecast_replace(changed, ids, NULL, 1, NULL), "geometries");
    REFUSES(lanecast_replace(changed, ids, ASKEW_OF(given[0]), 1, NULL), "geometries");
    REFUSES(lanecast_replace(changed, ids, given, 2, NULL), "geometries[1]");
    REFUSES(lanecast_replace(changed, ids, given, SIZE_MAX, NULL), "geometry_ids");
    given[1] = mesh64;
    REFUSES(lanecast_replace(changed, ids, given, 2, NULL), "geometries[1]");
    FAILS(lanecast_replace(changed, unknown, given, 1, NULL), LANECAST_UNKNOWN_ID, "geometry 1");
    IN_USE(lanecast_replace(changed, ids, given, 1, NULL));
    refuses_build_options(replace_with);
    lanecast_scene_free(changed);
}

static lanecast_result remove_with(const void *options)
{
    const uint32_t id = 0;
    lanecast_scene *changed = scene_to_change();
    lanecast_result result = lanecast_remove(changed, &id, 1, options);
    lanecast_scene_free(changed);
    return result;
}

static void of_remove(void)
{
    const uint32_t ids[1] = {0}, unknown[1] = {1};
    lanecast_scene *changed = scene_to_change();
    REFUSES(lanecast_remove(NULL, ids, 1, NULL), "scene");
    REFUSES(lanecast_remove(changed, NULL, 1, NULL), "geometry_ids");
    REFUSES(lanecast_remove(changed, ASKEW_OF(ids[0]), 1, NULL), "geometry_ids");
    REFUSES(lanecast_remove(changed, ids, SIZE_MAX, NULL), "geometry_ids");
    FAILS(lanecast_remove(changed, unknown, 1, NULL), LANECAST_UNKNOWN_ID, "geometry 1");
    IN_USE(lanecast_remove(changed, ids, 1, NULL));
    refuses_build_options(remove_with);
    lanecast_scene_free(changed);
}

static lanecast_moved_mesh moved;
static lanecast_scene *refitted;

static lanecast_result refit(void)
{
    return lanecast_refit(refitted, &moved, 1, NULL);
}

static lanecast_result refit_with(const void *options)
{
    return lanecast_refit(refitted, &moved, 1, options);
}

static void of_refit(void)
{
    lanecast_scene *changed = refitted = scene_to_change();
    moved.geometry_id = 0, moved.vertices = ROWS_OF(vertices);
    REFUSES(lanecast_refit(NULL, &moved, 1, NULL), "scene");
    REFUSES(lanecast_refit(changed, NULL, 1, NULL), "meshes");
    REFUSES(lanecast_refit(changed, ASKEW_OF(moved), 1, NULL), "meshes");
    refuses_rows("meshes[0].vertices", &moved.vertices, 12, refit);
    moved.vertices.count = 3;
    CHECK(refit() < 0);
    moved.vertices.count = 4, moved.geometry_id = 1;
    FAILS(refit(), LANECAST_UNKNOWN_ID, "geometry 1");
    const lanecast_geometry *given = mesh;
    uint32_t id = 7;
    PASSES(lanecast_add(changed, &given, 1, NULL, &id));
    CHECK_INT(id, 1);
    FAILS(refit(), LANECAST_INVALID_INPUT, "geometry 1");
    static float bad[4][3];
    memcpy(bad, vertices, sizeof bad);
    bad[3][0] = INFINITY;
    moved.geometry_id = 0, moved.vertices = ROWS_OF(bad);
    FAILS(refit(), LANECAST_INVALID_INPUT, "vertex 3");
    moved.vertices = ROWS_OF(vertices);
    IN_USE(refit());
    refuses_build_options(refit_with);
    lanecast_scene_free(changed);
}

static lanecast_result rebuild_with(const void *options)
{
    return lanecast_rebuild(refitted, options);
}

static void of_rebuild(void)
{
    lanecast_scene *changed = refitted = scene_to_change();
    REFUSES(lanecast_rebuild(NULL, NULL), "scene");
    IN_USE(lanecast_rebuild(changed, NULL));
    refuses_build_options(rebuild_with);
    lanecast_scene_free(changed);
}

static void of_copy(void)
{
    lanecast_scene *copy = NULL;
    REFUSES(lanecast_copy(NULL, &copy), "scene");
    REFUSES(lanecast_copy(scene, NULL), "copy");
    CHECK(copy == NULL);
}

static void of_add_instances(void)
{
    lanecast_scene *changed = scene_to_change();
    lanecast_instance instances[2] = {instance_of(scene), instance_of(NULL)};
    uint32_t numbers[2] = {7, 7};
    REFUSES(lanecast_add_instances(NULL, instances, 1, numbers), "scene");
    REFUSES(lanecast_add_instances(changed, NULL, 1, numbers), "instances");
    REFUSES(lanecast_add_instances(changed, ASKEW_OF(instances[0]), 1, numbers), "instances");
    REFUSES(lanecast_add_instances(changed, instances, 2, numbers), "instances[1]");
    instances[1].scene = scene64;
    REFUSES(lanecast_add_instances(changed, instances, 2, numbers), "instances[1]");
    REFUSES(lanecast_add_instances(changed, instances, 1, ASKEW), "numbers");
    instances[1].scene = scene, instances[1].transform[5] = 0;
    FAILS(lanecast_add_instances(changed, instances, 2, numbers), LANECAST_INVALID_INPUT, "instance");
    IN_USE(lanecast_add_instances(changed, instances, 1, numbers));
    CHECK_INT(numbers[0], 7);
    lanecast_scene_free(changed);
}

static void of_remove_instances(void)
{
    lanecast_scene *changed = scene_to_change();
    lanecast_instance instance = instance_of(scene);
    const uint32_t numbers[1] = {0}, unknown[1] = {1};
    PASSES(lanecast_add_instances(changed, &instance, 1, NULL));
    REFUSES(lanecast_remove_instances(NULL, numbers, 1), "scene");
    REFUSES(lanecast_remove_instances(changed, NULL, 1), "instances");
    REFUSES(lanecast_remove_instances(changed, ASKEW_OF(numbers[0]), 1), "instances");
    REFUSES(lanecast_remove_instances(changed, numbers, SIZE_MAX), "instances");
    FAILS(lanecast_remove_instances(changed, unknown, 1), LANECAST_UNKNOWN_ID, "instance 1");
    IN_USE(lanecast_remove_instances(changed, numbers, 1));
    lanecast_scene_free(changed);
}

static void of_set_transforms(void)
{
    lanecast_scene *changed = scene_to_change();
    lanecast_instance instance = instance_of(scene);
    const uint32_t numbers[1] = {0}, unknown[1] = {1};
    const double singular[12] = {0};
    PASSES(lanecast_add_instances(changed, &instance, 1, NULL));
    REFUSES(lanecast_set_transforms(NULL, numbers, identity, 1), "scene");
    REFUSES(lanecast_set_transforms(changed, NULL, identity, 1), "instances");
    REFUSES(lanecast_set_transforms(changed, ASKEW_OF(numbers[0]), identity, 1), "instances");
    REFUSES(lanecast_set_transforms(changed, numbers, NULL, 1), "transforms");
    REFUSES(lanecast_set_transforms(changed, numbers, ASKEW_OF(identity), 1), "transforms");
    REFUSES(lanecast_set_transforms(changed, numbers, identity, SIZE_MAX), "count");
    REFUSES(lanecast_set_transforms(changed, numbers, identity, SIZE_MAX / 12), "transforms");
    FAILS(lanecast_set_transforms(changed, unknown, identity, 1), LANECAST_UNKNOWN_ID, "instance 1");
    FAILS(lanecast_set_transforms(changed, numbers, singular, 1), LANECAST_INVALID_INPUT, "instance 0");
    IN_USE(lanecast_set_transforms(changed, numbers, identity, 1));
    lanecast_scene_free(changed);
}

/* ---- Files. ---- */

static void of_save(void)
{
    REFUSES(lanecast_save(NULL, "a", NULL, NULL), "scene");
    REFUSES(lanecast_save(scene, NULL, NULL, NULL), "path");
    REFUSES(lanecast_save(scene, "\xff\xfe", NULL, NULL), "path");
    FAILS(lanecast_save(scene, "no-such-folder/a", NULL, NULL), LANECAST_FILE_ERROR, "no-such-folder/a");
    FAILS(lanecast_save(scene, "", NULL, NULL), LANECAST_FILE_ERROR, "");
}

static void of_open(void)
{
    lanecast_scene *opened = NULL;
    REFUSES(lanecast_open(NULL, NULL, NULL, &opened), "path");
    REFUSES(lanecast_open("\xff\xfe", NULL, NULL, &opened), "path");
    FAILS(lanecast_open("no-such-folder/a", NULL, NULL, &opened), LANECAST_FILE_ERROR, "no-such-folder/a");
    FAILS(lanecast_open(".", NULL, NULL, &opened), LANECAST_FILE_ERROR, ".");

    char path[] = "/tmp/lanecast-faults-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0);
    CHECK_INT(write(file, "no scene", 8), 8);
    FAILS(lanecast_open(path, NULL, NULL, &opened), LANECAST_FILE_ERROR, path);
    PASSES(lanecast_save(scene, path, NULL, NULL));
    REFUSES(lanecast_open(path, NULL, NULL, NULL), "scene");
    FAILS(lanecast_save(scene, path, stop, NULL), LANECAST_STOPPED, "stopped");
    FAILS(lanecast_open(path, stop, NULL, &opened), LANECAST_STOPPED, "stopped");
    CHECK(opened == NULL);
    /* A file of which the end is missing. */
    PASSES(lanecast_open(path, NULL, NULL, &opened));
    lanecast_scene_free(opened);
    opened = NULL;
    CHECK_INT(truncate(path, 100), 0);
    FAILS(lanecast_open(path, NULL, NULL, &opened), LANECAST_FILE_ERROR, path);
    CHECK(opened == NULL);
    close(file);
    CHECK_INT(unlink(path), 0);
}

static void of_check(void)
{
    REFUSES(lanecast_check(NULL, NULL, NULL), "scene");

    lanecast_scene *opened = NULL;
    char path[] = "/tmp/lanecast-faults-XXXXXX";
    close(mkstemp(path));
    PASSES(lanecast_save(scene, path, NULL, NULL));
    PASSES(lanecast_open(path, NULL, NULL, &opened));
    PASSES(lanecast_check(opened, go_on, NULL));
    FAILS(lanecast_check(opened, stop, NULL), LANECAST_STOPPED, "stopped");
    lanecast_scene_free(opened);
    CHECK_INT(unlink(path), 0);
}

/* ---- Threads, and all that cannot fail. ---- */

static void of_threads_new(void)
{
    lanecast_threads *threads = NULL;
    REFUSES(lanecast_threads_new(0, &threads), "count");
    REFUSES(lanecast_threads_new(1025, &threads), "count");
    REFUSES(lanecast_threads_new(SIZE_MAX, &threads), "count");
    REFUSES(lanecast_threads_new(1, NULL), "threads");
    CHECK(threads == NULL);
}

/* Freeing null does nothing. */
static void of_frees(void)
{
    forget();
    lanecast_scene_free(NULL);
    lanecast_geometry_free(NULL);
    lanecast_hit_lists_free(NULL);
    lanecast_point_lists_free(NULL);
    lanecast_primitive_list_free(NULL);
    lanecast_threads_free(NULL);
    CHECK(strstr(lanecast_last_error(), FORGOTTEN) != NULL);
}

/* A call that succeeds keeps the message of the last one that failed. */
static void of_last_error(void)
{
    forget();
    PASSES(lanecast_any1_f32(scene, &(lanecast_ray_f32){{9, 9, 9}, {0, 0, 1}, 0, 1}, NULL));
    CHECK(strstr(lanecast_last_error(), FORGOTTEN) != NULL);
}

static void of_version(void)
{
    int parts[3], length = 0;
    CHECK_INT(sscanf(lanecast_version(), "%d.%d.%d%n", &parts[0], &parts[1], &parts[2], &length), 3);
    CHECK(length >= 5);
}

static const struct {
    const char *function;
    void (*test)(void);
} tests[] = {
    {"lanecast_last_error", of_last_error},
    {"lanecast_version", of_version},
    {"lanecast_add", of_add},
    {"lanecast_replace", of_replace},
    {"lanecast_remove", of_remove},
    {"lanecast_refit", of_refit},
    {"lanecast_rebuild", of_rebuild},
    {"lanecast_copy", of_copy},
    {"lanecast_add_instances", of_add_instances},
    {"lanecast_remove_instances", of_remove_instances},
    {"lanecast_save", of_save},
    {"lanecast_open", of_open},
    {"lanecast_check", of_check},
    {"lanecast_triangles", of_triangles},
    {"lanecast_deformable_triangles", of_deformable_triangles},
    {"lanecast_quads", of_quads},
    {"lanecast_boxes", of_boxes},
    {"lanecast_oriented_boxes", of_oriented_boxes},
    {"lanecast_spheres", of_spheres},
    {"lanecast_round_cones", of_round_cones},
    {"lanecast_cylinders", of_cylinders},
    {"lanecast_height_field", of_height_field},
    {"lanecast_signed_distance_field", of_signed_distance_field},
    {"lanecast_own_primitives", of_own_primitives},
    {"lanecast_geometry_free", of_frees},
    {"lanecast_all_hits", of_all_hits},
    {"lanecast_nearest_hits", of_nearest_hits},
    {"lanecast_hit_lists_get", of_hit_lists_get},
    {"lanecast_hit_lists_free", of_frees},
    {"lanecast_nearest_points", of_nearest_points},
    {"lanecast_points_within", of_points_within},
    {"lanecast_point_lists_get", of_point_lists_get},
    {"lanecast_point_lists_free", of_frees},
    {"lanecast_closest_point", of_closest_point},
    {"lanecast_distance", of_distance},
    {"lanecast_signed_distance", of_signed_distance},
    {"lanecast_contains", of_contains},
    {"lanecast_winding_number", of_winding_number},
    {"lanecast_occupancy", of_occupancy},
    {"lanecast_closest_hit", of_closest_hit},
    {"lanecast_farthest_hit", of_farthest_hit},
    {"lanecast_any_hit", of_any_hit},
    {"lanecast_count_hits", of_count_hits},
    {"lanecast_cost", of_cost},
    {"lanecast_overlaps_any", of_overlaps_any},
    {"lanecast_overlap", of_overlap},
    {"lanecast_primitive_list_get", of_primitive_list_get},
    {"lanecast_primitive_list_free", of_frees},
    {"lanecast_build", of_build},
    {"lanecast_scene_free", of_frees},
    {"lanecast_scene_get_facts", of_scene_get_facts},
    {"lanecast_scene_set_mask", of_scene_set_mask},
    {"lanecast_scene_set_instance_mask", of_scene_set_instance_mask},
    {"lanecast_scene_set_user_data", of_scene_set_user_data},
    {"lanecast_scene_get_geometry", of_scene_get_geometry},
    {"lanecast_scene_get_transform", of_scene_get_transform},
    {"lanecast_set_transforms", of_set_transforms},
    {"lanecast_sight", of_sight},
    {"lanecast_closest1_f32", of_closest1_f32},
    {"lanecast_closest1_f64", of_closest1_f64},
    {"lanecast_any1_f32", of_any1_f32},
    {"lanecast_any1_f64", of_any1_f64},
    {"lanecast_threads_new", of_threads_new},
    {"lanecast_threads_free", of_frees},
};

int main(void)
{
    /* No call has failed yet. */
    CHECK_INT(strlen(lanecast_last_error()), 0);
    set_up();
    for (size_t k = 0; k < LENGTH(tests); k++) {
        const int before = atomic_load(&check_failures);
        tests[k].test();
        if (atomic_load(&check_failures) != before) {
            fprintf(stderr, "^ %s\n", tests[k].function);
        }
    }
    tear_down();
    return check_result();
}
