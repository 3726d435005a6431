/* What tests of faults share: calls that are well but for one argument, and what all functions refuse alike. */

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

static void check_fails(int result, int expected, const char *name, const char *text, const char *file, int line)
{
    const char *message = lanecast_last_error();
    if (result != expected) {
        check_failed(file, line);
        fprintf(stderr, "%s is %d; %d was expected, of %s\n", text, result, expected, name);
    } else if (strstr(message, name) == NULL || strstr(message, FORGOTTEN) != NULL) {
        check_failed(file, line);
        fprintf(stderr, "%s: the message is \"%s\"; one that names %s was expected\n", text, message, name);
    }
}

/* A call that must fail with that result and a message that has that text. */
#define FAILS(call, expected, name) check_fails((forget(), (int)(call)), (expected), (name), #call, __FILE__, __LINE__)
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
    /* Lines of sight are twice as many. */
    static const uint32_t ids[2 * ROWS] = {0};
    static const lanecast_culling cullings[2 * ROWS] = {LANECAST_CULL_NONE}, bad_cullings[2 * ROWS] = {-1};
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
    options = none, options.cullings = cullings;
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
        options = none, options.cullings = ASKEW;
        REFUSES(call(&options), "cullings");
        options = none, options.cullings = bad_cullings;
        REFUSES(call(&options), "cullings[0]");
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
