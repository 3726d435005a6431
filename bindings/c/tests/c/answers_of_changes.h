/* Changes of scenes, and files, of one precision: included by `answers.c` for each. */

static void OF(refits_move_and_rebuilds_keep)(void)
{
    lanecast_geometry *geometries[2] = {OF(triangle)(0, false), OF(triangle)(1, true)};
    lanecast_scene *scene = OF(scene_of)(geometries, 2);
    const REAL vertices[3][3] = {{0, 0, 3}, {4, 0, 3}, {0, 4, 3}};
    const lanecast_moved_mesh moved = {1, ROWS_OF(vertices)};
    MEETS(scene, RAY(1, 1, -5, 0, 0, 1), 5, 6, 0, 0);
    PASSES(lanecast_refit(scene, &moved, 1, NULL));
    MEETS(scene, RAY(1, 1, -5, 0, 0, 1), 5, 8, 0, 0);
    PASSES(lanecast_rebuild(scene, NULL));
    MEETS(scene, RAY(1, 1, -5, 0, 0, 1), 5, 8, 0, 0);
    PASSES(lanecast_refit(scene, NULL, 0, NULL));
    /* Vertices in structs. */
    const REAL wide[3][4] = {{0, 0, 2, 99}, {4, 0, 2, 99}, {0, 4, 2, 99}};
    const lanecast_moved_mesh again = {1, ROWS_OF(wide)};
    PASSES(lanecast_refit(scene, &again, 1, NULL));
    MEETS(scene, RAY(1, 1, -5, 0, 0, 1), 5, 7, 0, 0);
    lanecast_scene_free(scene);
}

static void OF(geometries_come_and_go)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    const REAL sphere[1][4] = {{0, 0, 50, 1}};
    lanecast_geometry *spheres = NULL, *triangles[2] = {OF(triangle)(2, false), OF(triangle)(3, false)};
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(sphere), &spheres));
    const lanecast_geometry *given[2] = {triangles[0], spheres};
    uint32_t ids[3] = {7, 7, 7};
    const uint32_t zero = 0;
    lanecast_scene_facts facts = {.size = sizeof facts};

    PASSES(lanecast_scene_set_mask(scene, 1, 5));
    PASSES(lanecast_scene_set_user_data(scene, 1, 77));
    PASSES(lanecast_remove(scene, &zero, 1, NULL));
    MISSES(scene, RAY(1, 1, (REAL)0.5, 0, 0, -1));
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1)).geometry_id, 1);
    PASSES(lanecast_scene_get_facts(scene, &facts));
    CHECK_INT(facts.geometry_count, 1);
    CHECK_INT(lanecast_remove(scene, &zero, 1, NULL), LANECAST_UNKNOWN_ID);
    /* The lowest ids that are free. */
    PASSES(lanecast_add(scene, given, 2, NULL, ids));
    CHECK_INT(ids[0], 0);
    CHECK_INT(ids[1], 2);
    CHECK_INT(ids[2], 7);
    struct OF(hit) hit = OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1));
    CHECK_INT(hit.geometry_id, 0);
    CHECK_NEAR(hit.t, 3, 0);
    hit = OF(hit_by)(scene, false, RAY(0, 0, 60, 0, 0, -1));
    CHECK_INT(hit.geometry_id, 2);
    CHECK_NEAR(hit.t, 9, 100 * ROUNDING);
    given[0] = triangles[1];
    PASSES(lanecast_add(scene, given, 1, NULL, NULL));
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1)).geometry_id, 3);
    PASSES(lanecast_add(scene, NULL, 0, NULL, NULL));

    /* By another kind; the mask and the number stay. */
    const uint32_t replaced[2] = {1, 3};
    const lanecast_geometry *others[2] = {spheres, triangles[0]};
    PASSES(lanecast_replace(scene, replaced, others, 2, NULL));
    hit = OF(hit_by)(scene, false, RAY(0, 0, 60, 0, 0, -1));
    CHECK_INT(hit.geometry_id, 1);
    hit = OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1));
    CHECK_INT(hit.geometry_id, 0);
    CHECK_NEAR(hit.t, 3, 0);
    uint32_t mask = 0;
    uint64_t user_data = 0;
    PASSES(lanecast_scene_get_geometry(scene, 1, &mask, &user_data));
    CHECK_INT(mask, 5);
    CHECK_INT(user_data, 77);
    lanecast_geometry_free(spheres);
    lanecast_geometry_free(triangles[0]);
    lanecast_geometry_free(triangles[1]);
    CHECK_INT(OF(hit_by)(scene, false, RAY(0, 0, 60, 0, 0, -1)).geometry_id, 1);
    lanecast_scene_free(scene);
}

static void OF(copies_change_alone)(void)
{
    lanecast_scene *scene = OF(two_triangles)(), *copy = NULL;
    const uint32_t one = 1;
    PASSES(lanecast_copy(scene, NULL, &copy));
    PASSES(lanecast_remove(copy, &one, 1, NULL));
    PASSES(lanecast_scene_set_mask(copy, 0, 4));
    CHECK_NEAR(OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1)).t, 4, 0);
    CHECK_NEAR(OF(hit_by)(copy, false, RAY(1, 1, 5, 0, 0, -1)).t, 5, 0);
    uint32_t mask = 0;
    PASSES(lanecast_scene_get_geometry(scene, 0, &mask, NULL));
    CHECK_INT(mask, UINT32_MAX);
    lanecast_scene_free(scene);
    CHECK_NEAR(OF(hit_by)(copy, false, RAY(1, 1, 5, 0, 0, -1)).t, 5, 0);
    lanecast_scene_free(copy);
}

enum { OF(SIDE) = 60, OF(SQUARES) = OF(SIDE) * OF(SIDE) };

/* Work that a watcher hears of. */
enum { OF(BUILD), OF(REFIT), OF(REBUILD), OF(ADD), OF(REPLACE), OF(REMOVE), OF(COPY), OF(WORKS) };

static void OF(builds_and_changes_tell_progress_and_stop)(void)
{
    /* A field at z = 0, and the same at 1. */
    static REAL low[(OF(SIDE) + 1) * (OF(SIDE) + 1)][3], high[LENGTH(low)][3], balls[1000][4];
    static uint32_t triangles[2 * OF(SQUARES)][3];
    for (size_t row = 0; row < LENGTH(low); row++) {
        low[row][0] = high[row][0] = (REAL)(row % (OF(SIDE) + 1)), low[row][1] = high[row][1] = (REAL)(row / (OF(SIDE) + 1));
        high[row][2] = 1;
    }
    for (uint32_t square = 0; square < OF(SQUARES); square++) {
        const uint32_t first = square / OF(SIDE) * (OF(SIDE) + 1) + square % OF(SIDE), above = first + OF(SIDE) + 1;
        const uint32_t corners[6] = {first, first + 1, above, above, first + 1, above + 1};
        memcpy(triangles[2 * square], corners, sizeof corners);
    }
    for (size_t row = 0; row < LENGTH(balls); row++) {
        balls[row][0] = -(REAL)row - 9, balls[row][3] = 1;
    }
    lanecast_geometry *field = NULL, *many = NULL;
    PASSES(lanecast_deformable_triangles(PRECISION, ROWS_OF(low), ROWS_OF(triangles), &field));
    PASSES(lanecast_spheres(PRECISION, ROWS_OF(balls), &many));
    const lanecast_geometry *given[2] = {field, many};
    const lanecast_moved_mesh moved = {0, ROWS_OF(high)};
    const uint32_t one = 1;
    const size_t total[OF(WORKS)] = {
        [OF(BUILD)] = LENGTH(triangles) + LENGTH(balls),
        [OF(REFIT)] = LENGTH(triangles),
        [OF(REBUILD)] = LENGTH(triangles) + LENGTH(balls),
        [OF(ADD)] = 2 * LENGTH(triangles) + LENGTH(balls),
        [OF(REPLACE)] = 2 * LENGTH(triangles),
        [OF(REMOVE)] = LENGTH(triangles),
        [OF(COPY)] = LENGTH(triangles) + LENGTH(balls),
    };
    for (int work = 0; work < OF(WORKS); work++) {
        lanecast_scene *scene = NULL, *made = NULL;
        PASSES(lanecast_build(PRECISION, given, 2, NULL, 0, NULL, &scene));
        /* At first the watcher stops it, at once or when half is done. */
        for (int way = 0; way < 3; way++) {
            struct heard heard = {.goes_on = way == 2, .stops_at = way == 1 ? total[work] / 2 : 0};
            lanecast_build_options how = {.size = sizeof how};
            how.watch = watch, how.watch_user = &heard;
            const lanecast_result result = work == OF(BUILD)     ? lanecast_build(PRECISION, given, 2, NULL, 0, &how, &made)
                                           : work == OF(REFIT)   ? lanecast_refit(scene, &moved, 1, &how)
                                           : work == OF(REBUILD) ? lanecast_rebuild(scene, &how)
                                           : work == OF(ADD)     ? lanecast_add(scene, &given[0], 1, &how, NULL)
                                           : work == OF(REPLACE) ? lanecast_replace(scene, &one, &given[0], 1, &how)
                                           : work == OF(REMOVE)  ? lanecast_remove(scene, &one, 1, &how)
                                                                 : lanecast_copy(scene, &how, &made);
            CHECK_INT(result, way == 2 ? LANECAST_OK : LANECAST_STOPPED);
            CHECK_INT(heard.total, total[work]);
            const size_t most = atomic_load(&heard.most);
            CHECK(way == 2 ? most == total[work] : way == 1 ? most >= total[work] / 2 && most < total[work] : most < total[work]);
            if (way < 2) {
                lanecast_scene_facts facts = {.size = sizeof facts};
                PASSES(lanecast_scene_get_facts(scene, &facts));
                CHECK_INT(facts.primitive_count, LENGTH(triangles) + LENGTH(balls));
                CHECK_NEAR(OF(hit_by)(scene, false, RAY((REAL)0.25, (REAL)0.25, 9, 0, 0, -1)).t, 9, 0);
                CHECK(made == NULL);
            }
        }
        lanecast_scene_free(scene);
        lanecast_scene_free(made);
    }
    lanecast_geometry_free(field);
    lanecast_geometry_free(many);
}

static void OF(instances_come_go_and_move)(void)
{
    lanecast_geometry *geometry = OF(triangle)(0, false);
    lanecast_scene *placed = OF(scene_of)(&geometry, 1), *scene = OF(two_triangles)();
    const lanecast_instance instances[3] = {
        placed_at(placed, 100, 0, 0), placed_at(placed, 200, 0, 0), placed_at(placed, 300, 0, 0),
    };
    uint32_t numbers[4] = {7, 7, 7, 7};
    PASSES(lanecast_add_instances(scene, instances, 3, numbers));
    CHECK_INT(numbers[0], 0);
    CHECK_INT(numbers[1], 1);
    CHECK_INT(numbers[2], 2);
    CHECK_INT(numbers[3], 7);
    CHECK_INT(OF(hit_by)(scene, false, RAY(201, 1, 5, 0, 0, -1)).instance_id, 1);
    /* A scene that is placed is not changed. */
    CHECK_INT(lanecast_scene_set_mask(placed, 0, 1), LANECAST_IN_USE);
    PASSES(lanecast_remove_instances(scene, &numbers[1], 1));
    MISSES(scene, RAY(201, 1, 5, 0, 0, -1));
    CHECK_INT(OF(hit_by)(scene, false, RAY(301, 1, 5, 0, 0, -1)).instance_id, 2);
    CHECK_INT(lanecast_remove_instances(scene, &numbers[1], 1), LANECAST_UNKNOWN_ID);

    /* Moved: the first and the third. */
    double transforms[24];
    memcpy(transforms, placed_at(NULL, 0, 100, 0).transform, 12 * sizeof(double));
    memcpy(transforms + 12, placed_at(NULL, 0, 200, 0).transform, 12 * sizeof(double));
    const uint32_t moved[2] = {2, 0};
    PASSES(lanecast_set_transforms(scene, moved, transforms, 2));
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 101, 5, 0, 0, -1)).instance_id, 2);
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 201, 5, 0, 0, -1)).instance_id, 0);
    MISSES(scene, RAY(101, 1, 5, 0, 0, -1));
    PASSES(lanecast_set_transforms(scene, NULL, NULL, 0));

    /* The number of the one that was removed. */
    PASSES(lanecast_add_instances(scene, instances, 1, numbers));
    CHECK_INT(numbers[0], 1);
    /* A skip in an instance does not skip the same primitive in others. */
    const REAL origins[2][3] = {{101, 1, 5}, {1, 101, 5}}, down[1][3] = {{0, 0, -1}};
    const lanecast_rays rays = OF(rays)(origins, down, 2);
    const uint32_t zeros[2] = {0, 0}, in[2] = {1, 1};
    uint8_t status[2];
    lanecast_options options = {.size = sizeof options};
    options.skip_geometry_ids = options.skip_primitive_ids = zeros, options.skip_instance_ids = in;
    PASSES(lanecast_any_hit(scene, &rays, &options, 2, PLACE(status)));
    CHECK_INT(status[0], LANECAST_MISS);
    CHECK_INT(status[1], LANECAST_HIT);

    PASSES(lanecast_scene_set_instance_mask(scene, 2, 0));
    MISSES(scene, RAY(1, 101, 5, 0, 0, -1));
    PASSES(lanecast_scene_set_instance_mask(scene, 2, 2));
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 101, 5, 0, 0, -1)).instance_id, 2);
    lanecast_scene_free(scene);
    /* No scene has it any more. */
    PASSES(lanecast_scene_set_mask(placed, 0, 1));
    lanecast_scene_free(placed);
}

static void OF(masks_and_user_data_are_kept)(void)
{
    lanecast_scene *scene = OF(two_triangles)();
    uint32_t mask = 7;
    uint64_t user_data = 7;
    PASSES(lanecast_scene_get_geometry(scene, 1, &mask, &user_data));
    CHECK_INT(mask, UINT32_MAX);
    CHECK_INT(user_data, 0);
    PASSES(lanecast_scene_set_mask(scene, 1, 0));
    PASSES(lanecast_scene_set_user_data(scene, 1, UINT64_MAX - 1));
    PASSES(lanecast_scene_get_geometry(scene, 1, &mask, NULL));
    PASSES(lanecast_scene_get_geometry(scene, 1, NULL, &user_data));
    CHECK_INT(mask, 0);
    CHECK(user_data == UINT64_MAX - 1);
    /* A mask of 0 hides from all queries. */
    CHECK_INT(OF(hit_by)(scene, false, RAY(1, 1, 5, 0, 0, -1)).geometry_id, 0);
    const REAL at[1][3] = {{1, 1, 3}};
    const lanecast_points points = OF(points)(at, 1);
    REAL distance[1];
    lanecast_values values = {.size = sizeof values};
    values.count = 1, values.value = PLACE(distance);
    PASSES(lanecast_distance(scene, &points, NULL, &values));
    CHECK_NEAR(distance[0], 3, 0);
    const double above[6] = {0, 0, 0.5, 4, 4, 2};
    CHECK_INT(lanecast_overlaps_any(scene, LANECAST_REGION_BOX, above, 6, NULL), 0);
    lanecast_scene_free(scene);
}

static void OF(files_hold_scenes)(void)
{
    lanecast_scene *tetrahedron = OF(tetrahedron)(), *scene = OF(two_triangles)(), *opened = NULL;
    const lanecast_instance instance = placed_at(tetrahedron, 100, 0, 0);
    PASSES(lanecast_add_instances(scene, &instance, 1, NULL));
    PASSES(lanecast_scene_set_mask(scene, 1, 5));
    PASSES(lanecast_scene_set_user_data(scene, 1, 77));
    char folder[] = "/tmp/lanecast-answers-XXXXXX", path[64];
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/\xc3\xa4.lanecast", folder);
    struct heard heard = {.goes_on = true};
    PASSES(lanecast_save(scene, path, watch, &heard));
    CHECK(atomic_load(&heard.calls) > 0);
    CHECK(heard.total > 0);
    /* It replaces a file of that name. */
    PASSES(lanecast_save(scene, path, NULL, NULL));
    heard = (struct heard){.goes_on = true};
    PASSES(lanecast_open(path, watch, &heard, &opened));
    CHECK(atomic_load(&heard.calls) > 0);
    heard = (struct heard){.goes_on = true};
    PASSES(lanecast_check(opened, watch, &heard));
    CHECK(atomic_load(&heard.calls) > 0);
    PASSES(lanecast_check(opened, NULL, NULL));

    lanecast_scene_facts facts[2] = {{.size = sizeof facts[0]}, {.size = sizeof facts[0]}};
    PASSES(lanecast_scene_get_facts(scene, &facts[0]));
    PASSES(lanecast_scene_get_facts(opened, &facts[1]));
    CHECK_INT(facts[1].precision, PRECISION);
    CHECK_INT(facts[1].primitive_count, facts[0].primitive_count);
    CHECK_INT(facts[1].instance_count, 1);
    uint32_t mask = 0;
    uint64_t user_data = 0;
    PASSES(lanecast_scene_get_geometry(opened, 1, &mask, &user_data));
    CHECK_INT(mask, 5);
    CHECK_INT(user_data, 77);
    CHECK_NEAR(OF(hit_by)(opened, false, RAY(1, 1, 5, 0, 0, -1)).t, 4, 0);
    CHECK_INT(OF(hit_by)(opened, false, RAY(101, 1, -5, 0, 0, 1)).instance_id, 0);
    lanecast_scene_free(scene);
    lanecast_scene_free(tetrahedron);

    /* A byte that is changed is found, by the open or by the check. */
    FILE *file = fopen(path, "r+b");
    CHECK(file != NULL);
    lanecast_scene_free(opened);
    opened = NULL;
    CHECK_INT(fseek(file, -40, SEEK_END), 0);
    const int byte = fgetc(file);
    CHECK_INT(fseek(file, -40, SEEK_END), 0);
    CHECK(fputc(byte ^ 0x55, file) != EOF);
    CHECK_INT(fclose(file), 0);
    lanecast_result result = lanecast_open(path, NULL, NULL, &opened);
    if (result == LANECAST_OK) {
        result = lanecast_check(opened, NULL, NULL);
    }
    CHECK_INT(result, LANECAST_FILE_ERROR);
    lanecast_scene_free(opened);
    CHECK_INT(unlink(path), 0);
    CHECK_INT(rmdir(folder), 0);
}
