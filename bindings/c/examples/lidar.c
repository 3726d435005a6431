/* A laser scanner that is driven along a street, and its returns as a point cloud.
 *
 *     cc -std=c11 -O2 bindings/c/examples/lidar.c $(pkg-config --cflags --libs lanecast) -lm -o lidar
 *     ./lidar street.pcd 10 1024
 *
 * Ten turns of 1024 firings, each of 32 beams. The scanner moves all the while, and each beam starts from where it is at that
 * moment. Points are in the frame of the street, so that turns fit together; beams that hit nothing have none. The street is a
 * ground and instances of four scenes: a car, a house, a tree and a lamp. x goes along the street, z is up, a unit is a metre. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lanecast.h"

#define BEAMS 32
#define SECONDS_A_TURN 0.1
#define SPEED 12.0
#define POSES 64

static const double PI = 3.14159265358979;

static void check(lanecast_result result)
{
    if (result != LANECAST_OK) {
        fprintf(stderr, "%s\n", lanecast_last_error());
        exit(1);
    }
}

static void *room_for(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* The street. */

/* What a return comes from, and the part of the light that it throws back. */
enum kind { CAR, HOUSE, TREE, LAMP, KINDS };
static const float REFLECTANCE[KINDS] = {0.5f, 0.65f, 0.35f, 0.8f};
static const float REFLECTANCE_OF_GROUND = 0.2f;

/* Rows of `width` numbers in an array of such. */
#define ROWS(array, width) ((lanecast_rows){array, sizeof(array) / (width) / sizeof(array)[0], (width) * sizeof(array)[0]})

/* Builds a scene and frees its geometries. */
static lanecast_scene *scene_of(lanecast_geometry **geometries, size_t count, const lanecast_instance *instances,
                                size_t instance_count)
{
    lanecast_scene *scene;
    const lanecast_geometry *const *content = (const lanecast_geometry *const *)geometries;
    check(lanecast_build(LANECAST_F32, content, count, instances, instance_count, NULL, &scene));
    for (size_t i = 0; i < count; i++)
        lanecast_geometry_free(geometries[i]);
    return scene;
}

/* A car that looks along x, its middle on the ground at the origin. */
static lanecast_scene *car(void)
{
    const float boxes[] = {-2.15f, -0.9f, 0.25f, 2.15f, 0.9f, 0.85f};
    const float cabin[] = {-1.9f, -0.85f, 0.85f, 1.0f, -0.85f, 0.85f, 1.0f, 0.85f, 0.85f, -1.9f, 0.85f, 0.85f,
                           -1.4f, -0.65f, 1.45f, 0.3f, -0.65f, 1.45f, 0.3f, 0.65f, 1.45f, -1.4f, 0.65f, 1.45f};
    const uint32_t sides[] = {0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7, 4, 5, 6, 7};
    const float wheels[] = {-1.35f, -0.95f, 0.33f, -1.35f, -0.7f, 0.33f, 0.33f, 1.35f, -0.95f, 0.33f, 1.35f, -0.7f, 0.33f, 0.33f,
                            -1.35f, 0.7f, 0.33f, -1.35f, 0.95f, 0.33f, 0.33f, 1.35f, 0.7f, 0.33f, 1.35f, 0.95f, 0.33f, 0.33f};
    lanecast_geometry *geometries[3];
    check(lanecast_boxes(LANECAST_F32, ROWS(boxes, 6), &geometries[0]));
    check(lanecast_quads(LANECAST_F32, ROWS(cabin, 3), ROWS(sides, 4), &geometries[1]));
    check(lanecast_cylinders(LANECAST_F32, ROWS(wheels, 7), &geometries[2]));
    return scene_of(geometries, 3, NULL, 0);
}

/* A house with bays and a door step, whose front is at y = 0 and looks against y. */
static lanecast_scene *house(void)
{
    const float boxes[] = {-5, 0, 0, 5, 8, 6.5f, -3.6f, -0.5f, 1, -1.8f, 0, 6, 1.8f, -0.5f, 1, 3.6f, 0, 6,
                           -0.8f, -0.9f, 0, 0.8f, 0, 0.3f, -1, -0.8f, 2.6f, 1, 0, 2.8f, 3, 5, 6.5f, 3.8f, 5.8f, 10.5f};
    const float corners[] = {-5.3f, -0.4f, 6.4f, 5.3f, -0.4f, 6.4f, 5.3f, 8.4f, 6.4f, -5.3f, 8.4f, 6.4f,
                             -5.3f, 4, 9.6f, 5.3f, 4, 9.6f};
    const uint32_t slopes[] = {0, 1, 5, 4, 2, 3, 4, 5};
    const uint32_t gables[] = {1, 2, 5, 3, 0, 4};
    lanecast_geometry *geometries[3];
    check(lanecast_boxes(LANECAST_F32, ROWS(boxes, 6), &geometries[0]));
    check(lanecast_quads(LANECAST_F32, ROWS(corners, 3), ROWS(slopes, 4), &geometries[1]));
    check(lanecast_triangles(LANECAST_F32, ROWS(corners, 3), ROWS(gables, 3), &geometries[2]));
    return scene_of(geometries, 3, NULL, 0);
}

static lanecast_scene *tree(void)
{
    const float trunk[] = {0, 0, 0, 0, 0, 2.6f, 0.2f, 0.14f, 0, 0, 2.5f, 0.7f, 0.3f, 3.7f, 0.1f, 0.06f};
    const float crown[] = {0, 0, 3.9f, 1.1f, 0.8f, 0.3f, 3.6f, 0.75f, -0.7f, 0.4f, 3.5f, 0.8f, 0.1f, -0.8f, 3.6f, 0.8f,
                           0.1f, 0.2f, 4.8f, 0.7f};
    lanecast_geometry *geometries[2];
    check(lanecast_round_cones(LANECAST_F32, ROWS(trunk, 8), &geometries[0]));
    check(lanecast_spheres(LANECAST_F32, ROWS(crown, 4), &geometries[1]));
    return scene_of(geometries, 2, NULL, 0);
}

/* A lamp whose arm reaches along y. */
static lanecast_scene *lamp(void)
{
    const float poles[] = {0, 0, 0, 0, 0, 6, 0.07f, 0, 0, 5.95f, 0, 1.5f, 6.1f, 0.05f};
    const float head[] = {-0.15f, 1.2f, 5.95f, 0.15f, 1.9f, 6.1f};
    lanecast_geometry *geometries[2];
    check(lanecast_cylinders(LANECAST_F32, ROWS(poles, 7), &geometries[0]));
    check(lanecast_boxes(LANECAST_F32, ROWS(head, 6), &geometries[1]));
    return scene_of(geometries, 2, NULL, 0);
}

#define MOST_INSTANCES 128

struct street {
    lanecast_scene *scene;
    /* By the number of the instance. */
    enum kind kinds[MOST_INSTANCES];
    lanecast_instance instances[MOST_INSTANCES];
    size_t count;
};

/* Places a scene, turned about z by so many degrees and stretched in height. */
static void place(struct street *street, lanecast_scene *const *scenes, enum kind kind, double x, double y, double degrees,
                  double stretch)
{
    double cosine = cos(degrees * PI / 180), sine = sin(degrees * PI / 180);
    street->kinds[street->count] = kind;
    street->instances[street->count++] =
        (lanecast_instance){scenes[kind], {cosine, -sine, 0, x, sine, cosine, 0, y, 0, 0, stretch, 0}};
}

static void build_street(struct street *street)
{
    lanecast_scene *scenes[KINDS] = {[CAR] = car(), [HOUSE] = house(), [TREE] = tree(), [LAMP] = lamp()};
    for (int side = -1; side <= 1; side += 2) {
        double facing = side > 0 ? 0 : 180; /* houses on either side look at the street */
        for (int i = 0; i < 10; i++) {
            double x = -56 + 12.5 * i + (side > 0 ? 0 : 5);
            place(street, scenes, HOUSE, x, side * 8.5, facing, 0.8 + 0.13 * ((i * 5 + side) % 4));
            place(street, scenes, TREE, x + 6, side * 5.8, 77 * i, 0.9 + 0.1 * (i % 3));
            if (i % 2 == 0)
                place(street, scenes, LAMP, x - 1.5, side * 5.0, facing + 180, 1);
            if ((i * 7 + side) % 4 != 0)
                place(street, scenes, CAR, x + 1, side * 3.7, (side > 0 ? 180 : 0) + 2 * (i % 3) - 2, 1 + 0.12 * (i % 3));
        }
    }
    place(street, scenes, CAR, 22, -1.2, 4, 1);
    place(street, scenes, CAR, 9, 1.4, 178, 1.1);

    /* The ground, and a pavement on either side. */
    const float corners[] = {-90, -40, 0, 90, -40, 0, 90, 40, 0, -90, 40, 0};
    const uint32_t square[] = {0, 1, 2, 3};
    const float pavements[] = {-90, 4.7f, 0, 90, 8.5f, 0.15f, -90, -8.5f, 0, 90, -4.7f, 0.15f};
    lanecast_geometry *geometries[2];
    check(lanecast_quads(LANECAST_F32, ROWS(corners, 3), ROWS(square, 4), &geometries[0]));
    check(lanecast_boxes(LANECAST_F32, ROWS(pavements, 6), &geometries[1]));
    street->scene = scene_of(geometries, 2, street->instances, street->count);
    for (int kind = 0; kind < KINDS; kind++)
        lanecast_scene_free(scenes[kind]); /* instances keep what they need */
}

/* The scanner. */

/* Makes the rays of a scanner on a car that changes its lane while it drives along x. */
static lanecast_maker *make_scanner(uint32_t turns, uint32_t steps)
{
    double beams[BEAMS][3], poses[POSES][8], seconds = turns * SECONDS_A_TURN;
    for (int beam = 0; beam < BEAMS; beam++) {
        beams[beam][0] = -25 + 40.0 * beam / (BEAMS - 1); /* elevation */
        beams[beam][1] = 0;                               /* azimuth */
        beams[beam][2] = 1e-6 * beam;                     /* one after the other, within 31 microseconds */
    }
    /* To a little after the last turn: poses must cover the last beam as well. */
    for (int i = 0; i < POSES; i++) {
        double part = (double)i / (POSES - 1), time = part * (seconds + 0.001);
        double y = -1.6 + 1.4 * part * part * (3 - 2 * part), slope = 1.4 * 6 * part * (1 - part) / (SPEED * seconds);
        /* The scanner's y looks ahead, where azimuth 0 is, so it is turned from y to the way of the car. */
        double half_turn = (atan(slope) - PI / 2) / 2;
        double pose[8] = {time, -20 + SPEED * time, y, 1.9, 0, 0, sin(half_turn), cos(half_turn)};
        memcpy(poses[i], pose, sizeof pose);
    }
    lanecast_lidar_pattern pattern = {.size = sizeof pattern, .steps = steps, .turns = turns, .seconds = SECONDS_A_TURN};
    pattern.beams = (lanecast_rows){beams, BEAMS, sizeof beams[0]};
    pattern.poses = (lanecast_rows){poses, POSES, sizeof poses[0]};
    lanecast_maker *scanner;
    check(lanecast_lidar(&pattern, &scanner));
    return scanner;
}

/* A pulse of the scanner, with what came back. */
struct pulse {
    float origin[3], direction[3];
    double time;
    uint32_t ring;
    uint8_t status;
    float t, normal[3];
    uint32_t instance;
};

static void scan(const struct street *street, const lanecast_maker *scanner, struct pulse *pulses, size_t count)
{
    const size_t stride = sizeof pulses[0];
    const float nearest = 0.5f, farthest = 80;
    lanecast_rays rays = {.size = sizeof rays, .precision = LANECAST_F32, .count = count, .maker = scanner};
    rays.t_min.data = &nearest; /* a stride of 0: for all */
    rays.t_max.data = &farthest;
    lanecast_hits hits = {.size = sizeof hits, .count = count};
    hits.status = lanecast_answers_at(&pulses->status, stride);
    hits.t = lanecast_answers_at(&pulses->t, stride);
    hits.normal = lanecast_answers_at(pulses->normal, stride);
    hits.instance_id = lanecast_answers_at(&pulses->instance, stride);
    check(lanecast_closest_hit(street->scene, &rays, NULL, &hits));

    check(lanecast_make_rays(scanner, LANECAST_F32, 0, count, lanecast_answers_at(pulses->origin, stride),
                             lanecast_answers_at(pulses->direction, stride)));
    check(lanecast_lidar_pulses(scanner, count, lanecast_answers_at(&pulses->time, stride),
                                lanecast_answers_at(&pulses->ring, stride), (lanecast_answers){NULL, 0}));
}

/* How strong a return is, from 0 to 255, as scanners report it that allow for the distance. */
static float intensity(const struct street *street, const struct pulse *pulse)
{
    const float *n = pulse->normal, *d = pulse->direction; /* the direction has length 1, the normal has not */
    float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    float cosine = fabsf(n[0] * d[0] + n[1] * d[1] + n[2] * d[2]) / length;
    bool is_ground = pulse->instance == LANECAST_INVALID_ID;
    return 255 * cosine * (is_ground ? REFLECTANCE_OF_GROUND : REFLECTANCE[street->kinds[pulse->instance]]);
}

/* Writes the returns as a file of the Point Cloud Library, version 0.7, in binary rows of 22 bytes. Returns their number. */
static size_t write_pcd(const char *path, const struct street *street, const struct pulse *pulses, size_t count)
{
    size_t points = 0;
    for (size_t i = 0; i < count; i++)
        points += pulses[i].status == LANECAST_HIT;
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(file, "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n");
    fprintf(file, "FIELDS x y z intensity ring time\nSIZE 4 4 4 4 2 4\nTYPE F F F F U F\nCOUNT 1 1 1 1 1 1\n");
    fprintf(file, "WIDTH %zu\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS %zu\nDATA binary\n", points, points);
    for (size_t i = 0; i < count; i++) {
        const struct pulse *pulse = &pulses[i];
        if (pulse->status != LANECAST_HIT)
            continue;
        float start[4], time = (float)pulse->time;
        uint16_t ring = (uint16_t)pulse->ring;
        for (int axis = 0; axis < 3; axis++)
            start[axis] = pulse->origin[axis] + pulse->t * pulse->direction[axis];
        start[3] = intensity(street, pulse);
        char row[22];
        memcpy(row, start, 16);
        memcpy(row + 16, &ring, 2);
        memcpy(row + 18, &time, 4);
        fwrite(row, sizeof row, 1, file);
    }
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        perror(path);
        exit(1);
    }
    return points;
}

int main(int count, char **arguments)
{
    uint32_t turns = 0, steps = 0;
    if (count == 4) {
        turns = (uint32_t)strtoul(arguments[2], NULL, 10);
        steps = (uint32_t)strtoul(arguments[3], NULL, 10);
    }
    if (turns < 1 || turns > 50 || steps < 1 || steps > 4096) {
        fprintf(stderr, "usage: %s FILE.pcd TURNS STEPS (1 to 50, 1 to 4096)\n", arguments[0]);
        return 2;
    }
    struct street street = {0};
    build_street(&street);
    lanecast_maker *scanner = make_scanner(turns, steps);
    size_t pulse_count;
    check(lanecast_maker_count(scanner, &pulse_count));
    struct pulse *pulses = room_for(pulse_count, sizeof pulses[0]);
    scan(&street, scanner, pulses, pulse_count);
    size_t points = write_pcd(arguments[1], &street, pulses, pulse_count);
    printf("%zu instances, %zu pulses, %zu returns\n", street.count, pulse_count, points);
    free(pulses);
    lanecast_maker_free(scanner);
    lanecast_scene_free(street.scene);
    return 0;
}
