/* What builds, changes and files of scenes refuse: included by `faults.c`. */

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
    lanecast_scene *of_askew = NULL;
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, ASKEW_OF(instances[0]), 1, NULL, &of_askew), "instances");
    lanecast_scene_free(of_askew);
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

static lanecast_result copy_with(const void *options)
{
    lanecast_scene *copy = NULL;
    lanecast_result result = lanecast_copy(scene, options, &copy);
    lanecast_scene_free(copy);
    return result;
}

static void of_copy(void)
{
    lanecast_scene *copy = NULL;
    REFUSES(lanecast_copy(NULL, NULL, &copy), "scene");
    REFUSES(lanecast_copy(scene, NULL, NULL), "copy");
    refuses_build_options(copy_with);
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
    /* A scene in itself. */
    lanecast_scene *itself = scene_to_change();
    instances[1] = instance_of(itself);
    FAILS(lanecast_add_instances(itself, instances, 2, numbers), LANECAST_IN_USE, "scene");
    PASSES(lanecast_scene_set_mask(itself, 0, 1));
    lanecast_scene_free(itself);
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

/* More structs than memory holds. These are the last tests: a call that looks at them all does not return. */
static void counts_beyond_memory(void)
{
    lanecast_scene *changed = scene_to_change(), *built = NULL;
    const lanecast_instance instance = instance_of(scene);
    const lanecast_moved_mesh one = {0, ROWS_OF(vertices)};
    REFUSES(lanecast_refit(changed, &one, SIZE_MAX, NULL), "meshes: ");
    REFUSES(lanecast_add_instances(changed, &instance, SIZE_MAX, NULL), "instances: ");
    REFUSES(lanecast_build(LANECAST_F32, NULL, 0, &instance, SIZE_MAX, NULL, &built), "instances: ");
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

static void of_bytes(void)
{
    lanecast_bytes *bytes = NULL;
    lanecast_bytes_view view = {0};
    REFUSES(lanecast_to_bytes(NULL, NULL, NULL, &bytes), "scene");
    REFUSES(lanecast_to_bytes(scene, NULL, NULL, NULL), "bytes");
    FAILS(lanecast_to_bytes(scene, stop, NULL, &bytes), LANECAST_STOPPED, "stopped");
    CHECK(bytes == NULL);
    PASSES(lanecast_to_bytes(scene, go_on, NULL, &bytes));
    REFUSES(lanecast_bytes_get(NULL, &view), "bytes");
    REFUSES(lanecast_bytes_get(bytes, NULL), "view");
    PASSES(lanecast_bytes_get(bytes, &view));

    lanecast_scene *opened = NULL;
    REFUSES(lanecast_from_bytes(NULL, view.count, NULL, NULL, &opened), "bytes");
    REFUSES(lanecast_from_bytes(view.data, view.count, NULL, NULL, NULL), "scene");
    REFUSES(lanecast_from_bytes(view.data, SIZE_MAX, NULL, NULL, &opened), "bytes");
    FAILS(lanecast_from_bytes(NULL, 0, NULL, NULL, &opened), LANECAST_FILE_ERROR, "an empty file");
    FAILS(lanecast_from_bytes(view.data, view.count - 1, NULL, NULL, &opened), LANECAST_FILE_ERROR, "truncated");
    FAILS(lanecast_from_bytes(view.data, view.count, stop, NULL, &opened), LANECAST_STOPPED, "stopped");
    CHECK(opened == NULL);
    PASSES(lanecast_from_bytes(view.data, view.count, go_on, NULL, &opened));
    lanecast_bytes_free(bytes);
    lanecast_bytes_free(NULL);
    PASSES(lanecast_check(opened, NULL, NULL));
    lanecast_scene_free(opened);
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

static void run_nothing(void *user, size_t tasks, lanecast_task task, void *context)
{
    (void)user, (void)tasks, (void)task, (void)context;
}

static void of_threads_of_tasks(void)
{
    lanecast_threads *threads = NULL;
    REFUSES(lanecast_threads_of_tasks(0, run_nothing, NULL, &threads), "count");
    REFUSES(lanecast_threads_of_tasks(1025, run_nothing, NULL, &threads), "count");
    REFUSES(lanecast_threads_of_tasks(2, NULL, NULL, &threads), "run");
    REFUSES(lanecast_threads_of_tasks(2, run_nothing, NULL, NULL), "threads");
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
    lanecast_picks_free(NULL);
    lanecast_return_lists_free(NULL);
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

static void of_scene_get_instance_path(void)
{
    const lanecast_instance instance = instance_of(scene);
    lanecast_scene *placed = NULL;
    PASSES(lanecast_build(LANECAST_F32, NULL, 0, &instance, 1, NULL, &placed));
    uint32_t path[2] = {7, 7};
    size_t depth = 0;
    REFUSES(lanecast_scene_get_instance_path(NULL, 0, path, 2, &depth), "scene");
    REFUSES(lanecast_scene_get_instance_path(placed, 0, NULL, 2, &depth), "path");
    REFUSES(lanecast_scene_get_instance_path(placed, 0, ASKEW, 2, &depth), "path");
    REFUSES(lanecast_scene_get_instance_path(placed, 0, path, 2, NULL), "depth");
    REFUSES(lanecast_scene_get_instance_path(placed, 0, path, 2, ASKEW), "depth");
    FAILS(lanecast_scene_get_instance_path(placed, 1, path, 2, &depth), LANECAST_UNKNOWN_ID, "1");
    PASSES(lanecast_scene_get_instance_path(placed, 0, NULL, 0, &depth));
    CHECK_INT(depth, 1);
    PASSES(lanecast_scene_get_instance_path(placed, 0, path, 2, &depth));
    CHECK_INT(path[0], 0);
    CHECK_INT(path[1], 7);
    lanecast_scene_free(placed);
}
