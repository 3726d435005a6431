/* Many threads at one scene: answers, messages of failures, and the threads from which callbacks are called. */

#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { CALLERS = 6, ROWS = 20000, ROUNDS = 10, BALLS = 500 };

static float origins[ROWS][3], directions[ROWS][3], spheres[BALLS][4];
static float expected_t[ROWS];
static uint32_t expected_id[ROWS];
static lanecast_scene *scene;
static lanecast_threads *shared;

static float draw(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (float)(*state >> 8) / 16777216.0F;
}

static lanecast_rays rays_of(size_t count)
{
    lanecast_rays rays = {.size = sizeof rays};
    rays.precision = LANECAST_F32, rays.count = count;
    rays.origin = (lanecast_vectors){&origins[0][0], &origins[0][1], &origins[0][2], sizeof origins[0]};
    rays.direction = (lanecast_vectors){&directions[0][0], &directions[0][1], &directions[0][2], sizeof directions[0]};
    return rays;
}

static void set_up(void)
{
    uint32_t state = 1;
    for (int row = 0; row < BALLS; row++) {
        for (int place = 0; place < 4; place++) {
            spheres[row][place] = place == 3 ? 0.5F : 20 * draw(&state) - 10;
        }
    }
    for (int row = 0; row < ROWS; row++) {
        for (int axis = 0; axis < 3; axis++) {
            origins[row][axis] = 20 * draw(&state) - 10;
            directions[row][axis] = 2 * draw(&state) - 1;
        }
    }
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_spheres(LANECAST_F32, (lanecast_rows){spheres, BALLS, sizeof spheres[0]}, &geometry));
    const lanecast_geometry *given = geometry;
    PASSES(lanecast_build(LANECAST_F32, &given, 1, NULL, 0, NULL, &scene));
    lanecast_geometry_free(geometry);
    PASSES(lanecast_threads_new(2, &shared));
}

static lanecast_result cast(const lanecast_scene *at, const lanecast_options *options, float *t, uint32_t *id)
{
    const lanecast_rays rays = rays_of(ROWS);
    lanecast_hits hits = {.size = sizeof hits};
    hits.count = ROWS;
    hits.t = (lanecast_answers){t, sizeof *t};
    hits.primitive_id = (lanecast_answers){id, sizeof *id};
    return lanecast_closest_hit(at, &rays, options, &hits);
}

/* ---- Answers. ---- */

static void *cast_again_and_again(void *number)
{
    const int caller = *(const int *)number;
    float *t = malloc(ROWS * sizeof *t);
    uint32_t *id = malloc(ROWS * sizeof *id);
    CHECK(t != NULL && id != NULL);
    for (int round = 0; round < ROUNDS; round++) {
        lanecast_options options = {.size = sizeof options};
        /* All cores, threads that all callers share, or threads of the call's own. */
        lanecast_threads *own = NULL;
        if (caller % 3 == 1) {
            options.threads = shared;
        } else if (caller % 3 == 2) {
            PASSES(lanecast_threads_new(2, &own));
            options.threads = own;
        }
        memset(t, 0, ROWS * sizeof *t);
        memset(id, 0, ROWS * sizeof *id);
        PASSES(cast(scene, &options, t, id));
        CHECK(memcmp(t, expected_t, sizeof expected_t) == 0);
        CHECK(memcmp(id, expected_id, sizeof expected_id) == 0);
        lanecast_threads_free(own);
    }
    free(t);
    free(id);
    return NULL;
}

static void *copy_and_change(void *unused)
{
    (void)unused;
    for (int round = 0; round < ROUNDS; round++) {
        lanecast_scene *copy = NULL, *around = NULL;
        const uint32_t zero = 0;
        lanecast_instance instance = {scene, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
        PASSES(lanecast_copy(scene, NULL, &copy));
        PASSES(lanecast_remove(copy, &zero, 1, NULL));
        PASSES(lanecast_build(LANECAST_F32, NULL, 0, &instance, 1, NULL, &around));
        lanecast_scene_free(copy);
        lanecast_scene_free(around);
    }
    return NULL;
}

static void many_callers_get_the_same_answers(void)
{
    pthread_t callers[CALLERS], changer;
    int numbers[CALLERS];
    PASSES(cast(scene, NULL, expected_t, expected_id));
    size_t met = 0;
    for (int row = 0; row < ROWS; row++) {
        met += expected_id[row] != LANECAST_INVALID_ID;
    }
    CHECK(met > ROWS / 10 && met < ROWS);
    for (int caller = 0; caller < CALLERS; caller++) {
        numbers[caller] = caller;
        CHECK_INT(pthread_create(&callers[caller], NULL, cast_again_and_again, &numbers[caller]), 0);
    }
    CHECK_INT(pthread_create(&changer, NULL, copy_and_change, NULL), 0);
    for (int caller = 0; caller < CALLERS; caller++) {
        CHECK_INT(pthread_join(callers[caller], NULL), 0);
    }
    CHECK_INT(pthread_join(changer, NULL), 0);
}

/* ---- Messages. ---- */

static void *fail_in_its_own_way(void *number)
{
    const int caller = *(const int *)number;
    char expected[32];
    snprintf(expected, sizeof expected, "geometry %d", 100 + caller);
    /* A thread on which no call has failed. */
    CHECK_INT(strlen(lanecast_last_error()), 0);
    for (int round = 0; round < 1000; round++) {
        const uint32_t geometry_id = 100 + (uint32_t)caller;
        CHECK_INT(lanecast_scene_get_geometry(scene, geometry_id, NULL, NULL), LANECAST_UNKNOWN_ID);
        CHECK(strstr(lanecast_last_error(), expected) != NULL);
    }
    return NULL;
}

static void each_thread_has_its_own_message(void)
{
    pthread_t callers[CALLERS];
    int numbers[CALLERS];
    CHECK_INT(lanecast_scene_get_geometry(scene, 99, NULL, NULL), LANECAST_UNKNOWN_ID);
    const char *message = lanecast_last_error();
    CHECK(strstr(message, "geometry 99") != NULL);
    for (int caller = 0; caller < CALLERS; caller++) {
        numbers[caller] = caller;
        CHECK_INT(pthread_create(&callers[caller], NULL, fail_in_its_own_way, &numbers[caller]), 0);
    }
    for (int caller = 0; caller < CALLERS; caller++) {
        CHECK_INT(pthread_join(callers[caller], NULL), 0);
    }
    /* It stays where it is until a call fails on this thread. */
    CHECK(lanecast_last_error() == message);
    CHECK(strstr(message, "geometry 99") != NULL);
}

/* ---- Callbacks. ---- */

/* The threads that called. Each waits a while for a second one, so that one alone cannot do all the work. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    pthread_t first;
    int threads;
    bool waits;
};

static void arrive(struct meeting *meeting)
{
    pthread_mutex_lock(&meeting->lock);
    if (meeting->threads == 0) {
        meeting->first = pthread_self();
        meeting->threads = 1;
    } else if (meeting->threads == 1 && !pthread_equal(meeting->first, pthread_self())) {
        meeting->threads = 2;
        pthread_cond_broadcast(&meeting->arrived);
    }
    struct timespec end;
    timespec_get(&end, TIME_UTC);
    end.tv_sec += 20;
    while (meeting->waits && meeting->threads == 1) {
        if (pthread_cond_timedwait(&meeting->arrived, &meeting->lock, &end) != 0) {
            /* Nobody else came. */
            meeting->waits = false;
        }
    }
    pthread_mutex_unlock(&meeting->lock);
}

static bool watch(void *user, size_t done, size_t total)
{
    CHECK(done <= total);
    CHECK_INT(total, ROWS);
    arrive(user);
    return true;
}

static bool filter(void *user, size_t row, const lanecast_hit_f64 *hit, lanecast_side side)
{
    (void)side;
    CHECK(row < ROWS);
    CHECK(hit->primitive_id < BALLS);
    arrive(user);
    return true;
}

static void callbacks_come_from_the_threads_of_the_call(void)
{
    static float t[ROWS];
    static uint32_t id[ROWS];
    lanecast_threads *one = NULL;
    PASSES(lanecast_threads_new(1, &one));
    for (int way = 0; way < 4; way++) {
        struct meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .arrived = PTHREAD_COND_INITIALIZER};
        const bool several = way < 2;
        meeting.waits = several;
        lanecast_options options = {.size = sizeof options};
        options.threads = several ? shared : one;
        if (way % 2 == 0) {
            options.watch = watch, options.watch_user = &meeting;
        } else {
            options.filter = filter, options.filter_user = &meeting;
        }
        PASSES(cast(scene, &options, t, id));
        CHECK(memcmp(t, expected_t, sizeof t) == 0);
        /* One thread is the caller's. */
        CHECK_INT(meeting.threads, several ? 2 : 1);
        if (!several) {
            CHECK(pthread_equal(meeting.first, pthread_self()));
        }
    }
    lanecast_threads_free(one);
}

/* ---- Tasks of the caller. ---- */

/* A system that starts a thread for each task, or does some of them, from the last on, or none. */
struct system {
    enum { EACH_A_THREAD, HALF_BACKWARDS, NONE } way;
    atomic_int runs, calls;
};

struct task {
    struct system *system;
    lanecast_task call;
    void *context;
    size_t number;
};

static void *do_task(void *given)
{
    struct task *task = given;
    atomic_fetch_add(&task->system->calls, 1);
    task->call(task->context, task->number);
    return NULL;
}

static void run_tasks(void *user, size_t count, lanecast_task call, void *context)
{
    struct system *system = user;
    atomic_fetch_add(&system->runs, 1);
    CHECK(count >= 1 && count <= 4);
    struct task tasks[4];
    pthread_t threads[4];
    for (size_t number = 0; number < count; number++) {
        tasks[number] = (struct task){system, call, context, number};
    }
    for (size_t number = 0; number < count && system->way == EACH_A_THREAD; number++) {
        CHECK_INT(pthread_create(&threads[number], NULL, do_task, &tasks[number]), 0);
    }
    for (size_t number = 0; number < count && system->way == EACH_A_THREAD; number++) {
        CHECK_INT(pthread_join(threads[number], NULL), 0);
    }
    for (size_t number = count; number-- > count / 2 && system->way == HALF_BACKWARDS;) {
        do_task(&tasks[number]);
    }
}

/* A bumpy square of enough triangles that its build spreads out. */
static lanecast_scene *build_ground(const lanecast_threads *threads)
{
    enum { SIDE = 120 };
    static float vertices[SIDE * SIDE][3];
    static uint32_t triangles[2 * (SIDE - 1) * (SIDE - 1)][3];
    uint32_t state = 7, next = 0;
    for (uint32_t row = 0; row < SIDE * SIDE; row++) {
        vertices[row][0] = (float)(row % SIDE) / 6 - 10, vertices[row][1] = (float)(row / SIDE) / 6 - 10;
        vertices[row][2] = draw(&state);
        if (row % SIDE + 1 < SIDE && row / SIDE + 1 < SIDE) {
            triangles[next][0] = row, triangles[next][1] = row + 1, triangles[next++][2] = row + SIDE;
            triangles[next][0] = row + 1, triangles[next][1] = row + SIDE + 1, triangles[next++][2] = row + SIDE;
        }
    }
    CHECK_INT(next, LENGTH(triangles));
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(LANECAST_F32, (lanecast_rows){vertices, LENGTH(vertices), sizeof vertices[0]},
                              (lanecast_rows){triangles, LENGTH(triangles), sizeof triangles[0]}, &geometry));
    lanecast_build_options options = {.size = sizeof options};
    options.threads = threads;
    const lanecast_geometry *given = geometry;
    lanecast_scene *built = NULL;
    PASSES(lanecast_build(LANECAST_F32, &given, 1, NULL, 0, &options, &built));
    lanecast_geometry_free(geometry);
    return built;
}

static void tasks_of_the_caller_give_the_same_answers(void)
{
    static float t[ROWS], ground_t[ROWS];
    static uint32_t id[ROWS], ground_id[ROWS];
    lanecast_scene *ground = build_ground(NULL);
    PASSES(cast(ground, NULL, ground_t, ground_id));
    for (int way = 0; way < 3; way++) {
        struct system system = {.way = way};
        lanecast_threads *threads = NULL;
        PASSES(lanecast_threads_of_tasks(4, run_tasks, &system, &threads));
        lanecast_options options = {.size = sizeof options};
        options.threads = threads;
        PASSES(cast(scene, &options, t, id));
        CHECK(memcmp(t, expected_t, sizeof t) == 0 && memcmp(id, expected_id, sizeof id) == 0);
        CHECK(system.runs > 0 && (system.calls > 0) == (way != NONE));
        atomic_store(&system.runs, 0);
        atomic_store(&system.calls, 0);
        lanecast_scene *built = build_ground(threads);
        CHECK(system.runs > 1 && (system.calls > 1) == (way != NONE));
        PASSES(cast(built, &options, t, id));
        CHECK(memcmp(t, ground_t, sizeof t) == 0 && memcmp(id, ground_id, sizeof id) == 0);
        lanecast_scene_free(built);
        lanecast_threads_free(threads);
    }
    lanecast_scene_free(ground);
}

int main(void)
{
    set_up();
    many_callers_get_the_same_answers();
    each_thread_has_its_own_message();
    callbacks_come_from_the_threads_of_the_call();
    tasks_of_the_caller_give_the_same_answers();
    lanecast_scene_free(scene);
    lanecast_threads_free(shared);
    return check_result();
}
