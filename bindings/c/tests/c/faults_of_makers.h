/* What makers of rays refuse: included by `faults.c`. */

static const double origin3[3] = {0, 0, -1}, ahead[3] = {0, 0, 1}, sideways[3] = {1, 0, 0};
static const double edges6[6] = {1, 0, 0, 0, 1, 0};

/* Three numbers that a maker cannot use. */
static const double not_a_vector[3] = {NAN, 0, 0};

/* A call of a maker: what it makes is freed. */
#define MADE(call) (made = NULL, keep_result(call))

static lanecast_maker *made;

static lanecast_result keep_result(lanecast_result result)
{
    CHECK((made != NULL) == (result == LANECAST_OK));
    lanecast_maker_free(made);
    made = NULL;
    return result;
}

static lanecast_maker *pinhole(void)
{
    lanecast_maker *maker = NULL;
    PASSES(lanecast_pinhole(origin3, ahead, sideways, 60, 2, 2, &maker));
    return maker;
}

static void of_pinhole(void)
{
    REFUSES(MADE(lanecast_pinhole(NULL, ahead, sideways, 60, 2, 2, &made)), "eye");
    REFUSES(MADE(lanecast_pinhole(origin3, NULL, sideways, 60, 2, 2, &made)), "target");
    REFUSES(MADE(lanecast_pinhole(origin3, ahead, NULL, 60, 2, 2, &made)), "up");
    REFUSES(MADE(lanecast_pinhole(askew(origin3, sizeof origin3), ahead, sideways, 60, 2, 2, &made)), "eye");
    REFUSES(lanecast_pinhole(origin3, ahead, sideways, 60, 2, 2, NULL), "maker");
    FAILS(MADE(lanecast_pinhole(not_a_vector, ahead, sideways, 60, 2, 2, &made)), LANECAST_INVALID_INPUT, "eye");
    FAILS(MADE(lanecast_pinhole(origin3, ahead, sideways, 180, 2, 2, &made)), LANECAST_INVALID_INPUT, "field_of_view");
    FAILS(MADE(lanecast_pinhole(origin3, ahead, sideways, 60, 0, 2, &made)), LANECAST_INVALID_INPUT, "size");
    PASSES(MADE(lanecast_pinhole(origin3, ahead, sideways, 60, 2, 2, &made)));
}

static void of_pinhole_of_matrices(void)
{
    const double intrinsic[9] = {2, 0, 1, 0, 2, 1, 0, 0, 1}, flat[9] = {0};
    const double extrinsic[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    REFUSES(MADE(lanecast_pinhole_of_matrices(NULL, extrinsic, 2, 2, &made)), "intrinsic");
    REFUSES(MADE(lanecast_pinhole_of_matrices(intrinsic, NULL, 2, 2, &made)), "extrinsic");
    REFUSES(lanecast_pinhole_of_matrices(intrinsic, extrinsic, 2, 2, NULL), "maker");
    FAILS(MADE(lanecast_pinhole_of_matrices(flat, extrinsic, 2, 2, &made)), LANECAST_INVALID_INPUT, "intrinsic");
    PASSES(MADE(lanecast_pinhole_of_matrices(intrinsic, extrinsic, 2, 2, &made)));
}

static void of_panorama(void)
{
    REFUSES(MADE(lanecast_panorama(NULL, ahead, sideways, 4, 2, &made)), "eye");
    REFUSES(MADE(lanecast_panorama(origin3, NULL, sideways, 4, 2, &made)), "forward");
    REFUSES(MADE(lanecast_panorama(origin3, ahead, NULL, 4, 2, &made)), "up");
    REFUSES(lanecast_panorama(origin3, ahead, sideways, 4, 2, NULL), "maker");
    FAILS(MADE(lanecast_panorama(origin3, ahead, ahead, 4, 2, &made)), LANECAST_INVALID_INPUT, "forward");
    PASSES(MADE(lanecast_panorama(origin3, ahead, sideways, 4, 2, &made)));
}

static void of_orthographic(void)
{
    REFUSES(MADE(lanecast_orthographic(NULL, ahead, sideways, 2, 2, 2, &made)), "eye");
    REFUSES(MADE(lanecast_orthographic(origin3, NULL, sideways, 2, 2, 2, &made)), "target");
    REFUSES(MADE(lanecast_orthographic(origin3, ahead, NULL, 2, 2, 2, &made)), "up");
    REFUSES(lanecast_orthographic(origin3, ahead, sideways, 2, 2, 2, NULL), "maker");
    FAILS(MADE(lanecast_orthographic(origin3, ahead, sideways, 0, 2, 2, &made)), LANECAST_INVALID_INPUT, "height");
    PASSES(MADE(lanecast_orthographic(origin3, ahead, sideways, 2, 2, 2, &made)));
}

static void of_ray_grid(void)
{
    REFUSES(MADE(lanecast_ray_grid(NULL, edges6, ahead, 2, 2, &made)), "corner");
    REFUSES(MADE(lanecast_ray_grid(origin3, NULL, ahead, 2, 2, &made)), "edges");
    REFUSES(MADE(lanecast_ray_grid(origin3, edges6, NULL, 2, 2, &made)), "direction");
    REFUSES(lanecast_ray_grid(origin3, edges6, ahead, 2, 2, NULL), "maker");
    FAILS(MADE(lanecast_ray_grid(origin3, edges6, not_a_vector, 2, 2, &made)), LANECAST_INVALID_INPUT, "direction");
    PASSES(MADE(lanecast_ray_grid(origin3, edges6, ahead, 2, 2, &made)));
}

static const double beams[2][3] = {{0, 0, 0}, {10, 0, 0}};
static const double pose[1][8] = {{0, 0, 0, 0, 0, 0, 0, 1}};

static lanecast_lidar_pattern pattern;

static lanecast_result lidar_of(const void *given)
{
    return MADE(lanecast_lidar(given, &made));
}

static lanecast_result lidar(void)
{
    return lidar_of(&pattern);
}

static void of_lidar(void)
{
    const lanecast_lidar_pattern good = {.size = sizeof good, .beams = {beams, 2, sizeof beams[0]}, .steps = 4,
                                         .turns = 1, .seconds = 0.1, .poses = {pose, 1, sizeof pose[0]}};
    refuses_struct("pattern", &good, sizeof good, 0, lidar_of);
    pattern = good;
    REFUSES(lanecast_lidar(&pattern, NULL), "maker");
    const size_t strides[] = {0, 1, 8, 20, 25, SIZE_MAX};
    for (size_t k = 0; k < LENGTH(strides); k++) {
        pattern = good, pattern.beams.stride = strides[k];
        REFUSES(lidar(), "beams");
    }
    pattern = good, pattern.beams.data = NULL;
    REFUSES(lidar(), "beams");
    pattern = good, pattern.beams.count = SIZE_MAX;
    REFUSES(lidar(), "beams");
    pattern = good, pattern.poses.data = NULL;
    REFUSES(lidar(), "poses");
    pattern = good, pattern.poses.stride = 56;
    REFUSES(lidar(), "poses");
    pattern = good, pattern.beams.count = 0;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "beams");
    pattern = good, pattern.steps = 0;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "steps");
    pattern = good, pattern.turns = 0;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "turns");
    pattern = good, pattern.seconds = NAN;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "seconds");
    pattern = good, pattern.poses.count = 0;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "poses");
    pattern = good, pattern.sector[0] = NAN;
    FAILS(lidar(), LANECAST_INVALID_INPUT, "sector");
    pattern = good;
    PASSES(lidar());
}

static lanecast_maker *scanner;
static lanecast_answers pulse_times, pulse_beams, pulse_azimuths;

static lanecast_result pulses(void)
{
    return lanecast_lidar_pulses(scanner, 8, pulse_times, pulse_beams, pulse_azimuths);
}

static void of_lidar_pulses(void)
{
    double times[8], azimuths[8];
    uint32_t numbers[8];
    const lanecast_lidar_pattern good = {.size = sizeof good, .beams = {beams, 2, sizeof beams[0]}, .steps = 4,
                                         .turns = 1, .seconds = 0.1, .poses = {pose, 1, sizeof pose[0]}};
    lanecast_maker *camera = pinhole();
    PASSES(lanecast_lidar(&good, &scanner));
    pulse_times = PLACE(times), pulse_beams = PLACE(numbers), pulse_azimuths = PLACE(azimuths);
    REFUSES(lanecast_lidar_pulses(NULL, 8, pulse_times, pulse_beams, pulse_azimuths), "maker");
    REFUSES(lanecast_lidar_pulses(camera, 4, pulse_times, pulse_beams, pulse_azimuths), "lidar");
    REFUSES(lanecast_lidar_pulses(scanner, 7, pulse_times, pulse_beams, pulse_azimuths), "count");
    refuses_answers("time", &pulse_times, 8, 8, pulses);
    refuses_answers("beam", &pulse_beams, 4, 4, pulses);
    refuses_answers("azimuth", &pulse_azimuths, 8, 8, pulses);
    pulse_azimuths.data = times;
    REFUSES(pulses(), "azimuth");
    pulse_times.data = NULL, pulse_beams.data = NULL;
    PASSES(pulses());
    CHECK_INT(numbers[1], 1);
    lanecast_maker_free(scanner);
    lanecast_maker_free(camera);
}

static void of_footprint(void)
{
    lanecast_maker *camera = pinhole();
    REFUSES(MADE(lanecast_footprint(NULL, 1, 3, &made)), "beams");
    REFUSES(lanecast_footprint(camera, 1, 3, NULL), "maker");
    FAILS(MADE(lanecast_footprint(camera, NAN, 3, &made)), LANECAST_INVALID_INPUT, "divergence");
    FAILS(MADE(lanecast_footprint(camera, 1, 0, &made)), LANECAST_INVALID_INPUT, "rays");
    PASSES(MADE(lanecast_footprint(camera, 1, 3, &made)));
    lanecast_maker_free(camera);
}

static void of_footprint_weights(void)
{
    lanecast_maker *camera = pinhole(), *cones = NULL;
    double weights[3] = {0};
    PASSES(lanecast_footprint(camera, 1, 3, &cones));
    REFUSES(lanecast_footprint_weights(NULL, 3, weights), "maker");
    REFUSES(lanecast_footprint_weights(camera, 3, weights), "maker");
    REFUSES(lanecast_footprint_weights(cones, 2, weights), "count");
    REFUSES(lanecast_footprint_weights(cones, 3, NULL), "weights");
    REFUSES(lanecast_footprint_weights(cones, 3, ASKEW), "weights");
    PASSES(lanecast_footprint_weights(cones, 3, weights));
    lanecast_maker_free(camera);
    lanecast_maker_free(cones);
}

static lanecast_rows of_points_rows, of_normals_rows;

static lanecast_result hemisphere(void)
{
    return MADE(lanecast_hemisphere(LANECAST_F32, of_points_rows, of_normals_rows, 2, LANECAST_SPREAD_UNIFORM, 1, &made));
}

static void of_hemisphere(void)
{
    static const float normals[ROWS][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    of_points_rows = ROWS_OF(positions), of_normals_rows = ROWS_OF(normals);
    refuses_rows("points", &of_points_rows, 12, hemisphere);
    refuses_rows("normals", &of_normals_rows, 12, hemisphere);
    of_normals_rows.count = 3;
    REFUSES(hemisphere(), "normals");
    of_normals_rows.count = ROWS;
    REFUSES(MADE(lanecast_hemisphere(0, of_points_rows, of_normals_rows, 2, 0, 1, &made)), "precision");
    REFUSES(MADE(lanecast_hemisphere(LANECAST_F32, of_points_rows, of_normals_rows, 2, 2, 1, &made)), "spread");
    REFUSES(lanecast_hemisphere(LANECAST_F32, of_points_rows, of_normals_rows, 2, 0, 1, NULL), "maker");
    FAILS(MADE(lanecast_hemisphere(LANECAST_F32, of_points_rows, of_normals_rows, 0, 0, 1, &made)), LANECAST_INVALID_INPUT,
          "directions");
}

static lanecast_result sunlight(void)
{
    return MADE(lanecast_sunlight(LANECAST_F32, of_points_rows, of_normals_rows, &made));
}

static void of_sunlight(void)
{
    static const double directions[2][3] = {{0, 0, 1}, {0, 1, 1}}, none[1][3] = {{0, 0, 0}};
    of_points_rows = ROWS_OF(positions), of_normals_rows = ROWS_OF(directions);
    refuses_rows("points", &of_points_rows, 12, sunlight);
    of_normals_rows.data = NULL;
    REFUSES(sunlight(), "directions");
    of_normals_rows = ROWS_OF(directions), of_normals_rows.stride = 20;
    REFUSES(sunlight(), "directions");
    of_normals_rows = ROWS_OF(none);
    FAILS(sunlight(), LANECAST_INVALID_INPUT, "directions");
    of_normals_rows = ROWS_OF(directions);
    REFUSES(MADE(lanecast_sunlight(9, of_points_rows, of_normals_rows, &made)), "precision");
    REFUSES(lanecast_sunlight(LANECAST_F32, of_points_rows, of_normals_rows, NULL), "maker");
    /* Points have one precision. */
    lanecast_maker *of_f32 = NULL;
    PASSES(lanecast_sunlight(LANECAST_F32, of_points_rows, of_normals_rows, &of_f32));
    lanecast_rays rays = {.size = sizeof rays, .precision = LANECAST_F64, .count = 8, .maker = of_f32};
    uint8_t status[8];
    REFUSES(lanecast_any_hit(scene64, &rays, NULL, 8, PLACE(status)), "maker");
    rays.precision = LANECAST_F32, rays.count = 7;
    REFUSES(lanecast_any_hit(scene, &rays, NULL, 7, PLACE(status)), "rays.count");
    rays.count = 8;
    PASSES(lanecast_any_hit(scene, &rays, NULL, 8, PLACE(status)));
    lanecast_maker_free(of_f32);
}

static void of_sun_direction(void)
{
    const lanecast_utc noon = {2026, 6, 21, 12, 0, 0}, never = {2026, 13, 21, 12, 0, 0};
    double direction[3];
    REFUSES(lanecast_sun_direction(NULL, 50, 10, direction), "time");
    REFUSES(lanecast_sun_direction(&noon, 50, 10, NULL), "direction");
    REFUSES(lanecast_sun_direction(&noon, 50, 10, ASKEW), "direction");
    FAILS(lanecast_sun_direction(&never, 50, 10, direction), LANECAST_INVALID_INPUT, "month");
    FAILS(lanecast_sun_direction(&noon, 91, 10, direction), LANECAST_INVALID_INPUT, "latitude");
    FAILS(lanecast_sun_direction(&noon, 50, NAN, direction), LANECAST_INVALID_INPUT, "longitude");
    PASSES(lanecast_sun_direction(&noon, 50, 10, direction));
    CHECK(direction[2] > 0.8);
}

static void of_maker_count(void)
{
    lanecast_maker *camera = pinhole();
    size_t found = 0;
    REFUSES(lanecast_maker_count(NULL, &found), "maker");
    REFUSES(lanecast_maker_count(camera, NULL), "count");
    REFUSES(lanecast_maker_count(camera, ASKEW), "count");
    PASSES(lanecast_maker_count(camera, &found));
    CHECK_INT(found, 4);
    lanecast_maker_free(camera);
}

static lanecast_maker *to_make;
static lanecast_answers made_origins, made_directions;

static lanecast_result make(void)
{
    return lanecast_make_rays(to_make, LANECAST_F32, 0, 4, made_origins, made_directions);
}

static void of_make_rays(void)
{
    float origins[4][3], directions[4][3];
    to_make = pinhole();
    made_origins = PLACE(origins), made_directions = PLACE(directions);
    REFUSES(lanecast_make_rays(NULL, LANECAST_F32, 0, 4, made_origins, made_directions), "maker");
    REFUSES(lanecast_make_rays(to_make, 0, 0, 4, made_origins, made_directions), "precision");
    REFUSES(lanecast_make_rays(to_make, LANECAST_F32, 1, 4, made_origins, made_directions), "count");
    REFUSES(lanecast_make_rays(to_make, LANECAST_F32, SIZE_MAX, 4, made_origins, made_directions), "count");
    refuses_answers("origin", &made_origins, 12, 4, make);
    refuses_answers("direction", &made_directions, 12, 4, make);
    made_directions.data = origins[1];
    REFUSES(make(), "direction");
    lanecast_maker_free(to_make);
}
