/* A path tracer with two drivers on the same shading: ray by ray on Embree, and batch by batch on lanecast.
 *
 *     cc -std=c11 -O2 bindings/c/examples/path_tracer.c $(pkg-config --cflags --libs lanecast) -lm -ldl -o path_tracer
 *     ./path_tracer court 480 320 64 libembree4.so.4
 *
 * Writes court-lanecast.ppm and court-embree.ppm, and prints rays per second of both, each on one thread, shading included.
 * Without a path to Embree only lanecast draws. With `robust` after the path no ray slips through between two triangles in
 * Embree either; its default is faster and does not promise that, lanecast always does.
 *
 * Surfaces are matt. Light comes from the sun, by a shadow ray at each hit, and from the sky, by rays that hit nothing. */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "court.h"
#include "embree_api.h"
#include "lanecast.h"

enum {
    BOUNCES = 4,
    /* The paths that lanecast gets together: a few ten thousand, whose arrays stay in the caches. */
    BATCH = 32768
};

/* How far off a surface the next rays start, in metres: above the rounding of points some ten metres from the origin, which is
 * 1e-6, and below anything that can be seen. */
static const float OFFSET = 1e-3f;

/* The greatest mean difference of the two pictures, in steps of 255. Hits differ by rounding, so that a few paths in a hundred
 * thousand go another way at an edge: 0.0002 to 0.0007 were measured. A driver that loses the shadow rays of one pixel in a
 * hundred comes to 0.7, one that loses a bounce to 1.2. */
static const double MOST_DIFFERENCE = 0.05;

static vec plus(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec times(vec a, float s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static vec each(vec a, vec b) { return (vec){a.x * b.x, a.y * b.y, a.z * b.z}; }
static float dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static vec unit(vec a) { return times(a, 1 / sqrtf(dot(a, a))); }

/* Shading: what both drivers share. */

/* A path on its way: its next ray, and the part of the light from there that reaches the eye. */
struct path {
    vec origin, direction, weight;
    uint32_t pixel;
};

/* A ray towards the sun, and the light that the pixel gets if nothing is hit. */
struct shadow {
    vec origin, direction, light;
    uint32_t pixel;
};

struct hit {
    float t;
    uint32_t triangle;
    vec normal;
};

struct picture {
    uint32_t width, height;
    vec *light; /* the sum of all samples */
    uint64_t rays;
    double seconds;
};

/* Spreads a change of any bit over all bits, by the constants "lowbias32" of C. Wellons. */
static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* A random number from 0 to 1, 1 excluded. The same arguments give the same number, in whatever order paths are cast. */
static float uniform(uint32_t pixel, uint32_t sample, uint32_t bounce, uint32_t dimension)
{
    uint32_t bits = mixed(pixel ^ mixed(sample << 6 ^ bounce << 3 ^ dimension));
    return (float)(bits >> 8) * 0x1p-24f;
}

/* A direction about `axis`, which has length 1, from its cosine and the angle around as a part of a turn. */
static vec about(vec axis, float cosine, float turn)
{
    vec other = fabsf(axis.x) < 0.5f ? (vec){1, 0, 0} : (vec){0, 1, 0};
    vec side = unit(cross(axis, other)), up = cross(axis, side);
    float sine = sqrtf(fmaxf(0, 1 - cosine * cosine));
    vec across = plus(times(side, cosf(TAU * turn)), times(up, sinf(TAU * turn)));
    return plus(times(axis, cosine), times(across, sine));
}

static struct path camera_path(const struct picture *picture, uint32_t pixel, uint32_t sample)
{
    const vec eye = {5.6f, -7.4f, 1.9f}, target = {-1.1f, 1.0f, 1.95f};
    const float half_height = 0.44f;
    vec ahead = unit(plus(target, times(eye, -1))), right = unit(cross(ahead, (vec){0, 0, 1})), up = cross(right, ahead);
    float column = (float)(pixel % picture->width) + uniform(pixel, sample, 0, 0);
    float row = (float)(pixel / picture->width) + uniform(pixel, sample, 0, 1);
    float x = (2 * column - (float)picture->width) / (float)picture->height, y = 1 - 2 * row / (float)picture->height;
    vec direction = plus(ahead, plus(times(right, half_height * x), times(up, half_height * y)));
    return (struct path){eye, unit(direction), {1, 1, 1}, pixel};
}

static vec sky(vec direction)
{
    float up = fmaxf(direction.z, 0);
    return plus(times((vec){0.62f, 0.74f, 0.9f}, 1 - up), times((vec){0.12f, 0.28f, 0.72f}, up));
}

static vec albedo(enum material material, vec point)
{
    switch (material) {
    case FLOOR: {
        bool even = ((int)floorf(point.x / 1.3f) + (int)floorf(point.y / 1.3f)) % 2 == 0;
        return even ? (vec){0.55f, 0.47f, 0.38f} : (vec){0.36f, 0.28f, 0.22f};
    }
    case PLASTER: return (vec){0.78f, 0.66f, 0.5f};
    case STONE: return (vec){0.72f, 0.7f, 0.66f};
    case BRONZE: return (vec){0.72f, 0.42f, 0.18f};
    case RED: return (vec){0.75f, 0.13f, 0.1f};
    case BLUE: return (vec){0.12f, 0.25f, 0.6f};
    default: return (vec){0.85f, 0.85f, 0.85f};
    }
}

/* Shades a hit: sends the path on, and makes the shadow ray. Returns whether there is one, which is not so where the surface is
 * turned away from the sun. */
static bool shade(const struct mesh *mesh, struct path *path, const struct hit *hit, uint32_t sample, uint32_t bounce,
                  struct shadow *shadow)
{
    const vec to_sun = unit((vec){0.8f, -0.3f, 0.6f}), sunlight = {2.9f, 2.5f, 1.9f};
    const float sun_cosine = 0.99985f; /* of the angle from the middle to the edge: three times that of the real sun */
    uint32_t pixel = path->pixel;

    vec normal = unit(hit->normal);
    if (dot(normal, path->direction) > 0)
        normal = times(normal, -1);
    vec point = plus(path->origin, times(path->direction, hit->t));
    path->weight = each(path->weight, albedo(mesh->materials[hit->triangle], point));
    path->origin = plus(point, times(normal, OFFSET));

    float from_middle = uniform(pixel, sample, bounce, 2);
    shadow->origin = path->origin;
    shadow->direction = about(to_sun, 1 - from_middle * (1 - sun_cosine), uniform(pixel, sample, bounce, 3));
    float cosine = dot(normal, shadow->direction);
    shadow->light = times(each(path->weight, sunlight), cosine);
    shadow->pixel = pixel;

    /* In proportion to the cosine, which the weight then need not contain. */
    float height = sqrtf(1 - uniform(pixel, sample, bounce, 4));
    path->direction = about(normal, height, uniform(pixel, sample, bounce, 5));
    return cosine > 0;
}

static void add_light(struct picture *picture, uint32_t pixel, vec light)
{
    picture->light[pixel] = plus(picture->light[pixel], light);
}

/* The driver on Embree: path after path, each to its end. */

struct embree {
    struct embree_api api;
    RTCDevice device;
    RTCScene scene;
};

static bool embree_build(struct embree *embree, const char *path, bool robust, const struct mesh *mesh)
{
    struct embree_api *api = &embree->api;
    if (!embree_load(path, api))
        return false;
    embree->device = api->rtcNewDevice("threads=1");
    embree->scene = api->rtcNewScene(embree->device);
    api->rtcSetSceneFlags(embree->scene, robust ? RTC_SCENE_FLAG_ROBUST : RTC_SCENE_FLAG_NONE);
    RTCGeometry geometry = api->rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    api->rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh->vertices, 0,
                                    sizeof mesh->vertices[0], mesh->vertex_count);
    api->rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->triangles, 0,
                                    sizeof mesh->triangles[0], mesh->triangle_count);
    api->rtcCommitGeometry(geometry);
    api->rtcAttachGeometry(embree->scene, geometry);
    api->rtcReleaseGeometry(geometry);
    api->rtcCommitScene(embree->scene);
    int error = api->rtcGetDeviceError(embree->device);
    if (error != 0)
        fprintf(stderr, "Embree reports error %d\n", error);
    return error == 0;
}

static struct RTCRay embree_ray(vec origin, vec direction)
{
    return (struct RTCRay){
        .org_x = origin.x, .org_y = origin.y, .org_z = origin.z, .tnear = 0,
        .dir_x = direction.x, .dir_y = direction.y, .dir_z = direction.z, .tfar = INFINITY, .mask = ~0u,
    };
}

static void draw_with_embree(const struct embree *embree, const struct mesh *mesh, struct picture *picture, uint32_t sample)
{
    for (uint32_t pixel = 0; pixel < picture->width * picture->height; pixel++) {
        struct path path = camera_path(picture, pixel, sample);
        for (uint32_t bounce = 0; bounce <= BOUNCES; bounce++) {
            struct RTCRayHit cast = {.ray = embree_ray(path.origin, path.direction)};
            cast.hit.geomID = cast.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
            embree->api.rtcIntersect1(embree->scene, &cast, NULL);
            picture->rays++;
            if (cast.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
                add_light(picture, pixel, each(path.weight, sky(path.direction)));
                break;
            }
            struct hit hit = {cast.ray.tfar, cast.hit.primID, {cast.hit.Ng_x, cast.hit.Ng_y, cast.hit.Ng_z}};
            struct shadow shadow;
            if (!shade(mesh, &path, &hit, sample, bounce, &shadow))
                continue;
            struct RTCRay to_sun = embree_ray(shadow.origin, shadow.direction);
            embree->api.rtcOccluded1(embree->scene, &to_sun, NULL);
            picture->rays++;
            if (to_sun.tfar >= 0) /* else -infinity */
                add_light(picture, pixel, shadow.light);
        }
    }
}

/* The driver on lanecast: the paths of many pixels together, bounce after bounce. */

struct lanecast {
    lanecast_scene *scene;
    lanecast_threads *threads;
    /* BATCH of each. */
    struct path *paths;
    struct hit *hits;
    struct shadow *shadows;
    uint8_t *status;
};

static void check(lanecast_result result)
{
    if (result != LANECAST_OK) {
        fprintf(stderr, "%s\n", lanecast_last_error());
        exit(1);
    }
}

static struct lanecast lanecast_prepare(const struct mesh *mesh)
{
    struct lanecast lanecast;
    check(lanecast_threads_new(1, &lanecast.threads));
    lanecast_rows vertices = {mesh->vertices, mesh->vertex_count, sizeof mesh->vertices[0]};
    lanecast_rows triangles = {mesh->triangles, mesh->triangle_count, sizeof mesh->triangles[0]};
    lanecast_build_options options = {.size = sizeof options, .threads = lanecast.threads};
    lanecast_geometry *geometry;
    check(lanecast_triangles(LANECAST_F32, vertices, triangles, &geometry));
    const lanecast_geometry *geometries[] = {geometry};
    check(lanecast_build(LANECAST_F32, geometries, 1, NULL, 0, &options, &lanecast.scene));
    lanecast_geometry_free(geometry);
    lanecast.paths = grown(NULL, BATCH * sizeof lanecast.paths[0]);
    lanecast.hits = grown(NULL, BATCH * sizeof lanecast.hits[0]);
    lanecast.shadows = grown(NULL, BATCH * sizeof lanecast.shadows[0]);
    lanecast.status = grown(NULL, BATCH);
    return lanecast;
}

static void lanecast_release(struct lanecast *lanecast)
{
    lanecast_scene_free(lanecast->scene);
    lanecast_threads_free(lanecast->threads);
    free(lanecast->paths);
    free(lanecast->hits);
    free(lanecast->shadows);
    free(lanecast->status);
}

/* Draws pixels that follow each other in rows, at most BATCH. */
static void draw_with_lanecast(const struct lanecast *lanecast, const struct mesh *mesh, struct picture *picture,
                               uint32_t sample, uint32_t first, uint32_t pixels)
{
    lanecast_options options = {.size = sizeof options, .threads = lanecast->threads};
    struct path *paths = lanecast->paths;
    struct hit *hits = lanecast->hits;
    struct shadow *shadows = lanecast->shadows;
    size_t path_count = pixels;
    for (uint32_t i = 0; i < pixels; i++)
        paths[i] = camera_path(picture, first + i, sample);

    for (uint32_t bounce = 0; bounce <= BOUNCES && path_count > 0; bounce++) {
        lanecast_rays rays = {.size = sizeof rays, .precision = LANECAST_F32, .count = path_count};
        rays.origin = lanecast_vectors_f32(&paths->origin.x, sizeof paths[0]);
        rays.direction = lanecast_vectors_f32(&paths->direction.x, sizeof paths[0]);
        lanecast_hits places = {.size = sizeof places, .count = path_count};
        places.t = lanecast_answers_at(&hits->t, sizeof hits[0]);
        places.primitive_id = lanecast_answers_at(&hits->triangle, sizeof hits[0]);
        places.normal = lanecast_answers_at(&hits->normal, sizeof hits[0]);
        check(lanecast_closest_hit(lanecast->scene, &rays, &options, &places));

        /* Paths that go on move to the front of the array. */
        size_t kept = 0, shadow_count = 0;
        for (size_t i = 0; i < path_count; i++) {
            struct path path = paths[i];
            if (hits[i].triangle == LANECAST_INVALID_ID) {
                add_light(picture, path.pixel, each(path.weight, sky(path.direction)));
                continue;
            }
            if (shade(mesh, &path, &hits[i], sample, bounce, &shadows[shadow_count]))
                shadow_count++;
            paths[kept++] = path;
        }
        picture->rays += path_count + shadow_count;
        path_count = kept;

        lanecast_rays to_sun = {.size = sizeof to_sun, .precision = LANECAST_F32, .count = shadow_count};
        to_sun.origin = lanecast_vectors_f32(&shadows->origin.x, sizeof shadows[0]);
        to_sun.direction = lanecast_vectors_f32(&shadows->direction.x, sizeof shadows[0]);
        check(lanecast_any_hit(lanecast->scene, &to_sun, &options, shadow_count, lanecast_answers_at(lanecast->status, 1)));
        for (size_t i = 0; i < shadow_count; i++)
            if (lanecast->status[i] == LANECAST_MISS)
                add_light(picture, shadows[i].pixel, shadows[i].light);
    }
}

/* The program. */

static struct picture new_picture(uint32_t width, uint32_t height)
{
    struct picture picture = {.width = width, .height = height};
    size_t bytes = (size_t)width * height * sizeof picture.light[0];
    picture.light = grown(NULL, bytes);
    memset(picture.light, 0, bytes);
    return picture;
}

/* The step from 0 to 255 of a sum of light: exposed as on film, then as sRGB. */
static uint8_t step(float light, uint32_t samples)
{
    float exposed = 1 - expf(-0.75f * light / (float)samples);
    float encoded = exposed < 0.0031308f ? 12.92f * exposed : 1.055f * powf(exposed, 1 / 2.4f) - 0.055f;
    return (uint8_t)(255 * encoded + 0.5f);
}

static uint8_t *steps(const struct picture *picture, uint32_t samples)
{
    size_t pixels = (size_t)picture->width * picture->height;
    uint8_t *steps = grown(NULL, 3 * pixels);
    for (size_t i = 0; i < pixels; i++) {
        steps[3 * i] = step(picture->light[i].x, samples);
        steps[3 * i + 1] = step(picture->light[i].y, samples);
        steps[3 * i + 2] = step(picture->light[i].z, samples);
    }
    return steps;
}

static void write_ppm(const char *prefix, const char *suffix, const struct picture *picture, const uint8_t *steps)
{
    char path[4096];
    snprintf(path, sizeof path, "%s-%s.ppm", prefix, suffix);
    size_t bytes = 3 * (size_t)picture->width * picture->height;
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fprintf(file, "P6\n%u %u\n255\n", picture->width, picture->height) > 0;
    good = good && fwrite(steps, 1, bytes, file) == bytes;
    if (file == NULL || fclose(file) != 0 || !good) {
        perror(path);
        exit(1);
    }
}

static void report(const char *name, const struct picture *picture)
{
    printf("%s: %.2f million rays in %.2f s, %.3f million a second\n", name, (double)picture->rays / 1e6, picture->seconds,
           (double)picture->rays / picture->seconds / 1e6);
}

/* Processor time: both drivers run on one thread. */
static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

int main(int count, char **arguments)
{
    uint32_t width = 0, height = 0, samples = 0;
    bool compare = count >= 6, robust = count == 7 && strcmp(arguments[6], "robust") == 0;
    if (count == 5 || count == 6 || robust) {
        width = (uint32_t)strtoul(arguments[2], NULL, 10);
        height = (uint32_t)strtoul(arguments[3], NULL, 10);
        samples = (uint32_t)strtoul(arguments[4], NULL, 10);
    }
    if (width < 1 || width > 8192 || height < 1 || height > 8192 || samples < 1) {
        fprintf(stderr, "usage: %s PREFIX WIDTH HEIGHT SAMPLES [EMBREE [robust]]\n", arguments[0]);
        return 2;
    }
    struct mesh mesh = make_court();
    printf("%zu triangles, %u x %u pixels, %u samples\n", mesh.triangle_count, width, height, samples);
    struct lanecast lanecast = lanecast_prepare(&mesh);
    struct embree embree;
    if (compare && !embree_build(&embree, arguments[5], robust, &mesh))
        return 1;

    /* Sample by sample in turns, so that both have the same share of a machine that is slow for a while. */
    struct picture ours = new_picture(width, height), theirs = new_picture(width, height);
    for (uint32_t sample = 0; sample < samples; sample++) {
        double start = now();
        for (uint32_t first = 0, pixels = width * height; first < pixels; first += BATCH)
            draw_with_lanecast(&lanecast, &mesh, &ours, sample, first, pixels - first < BATCH ? pixels - first : BATCH);
        ours.seconds += now() - start;
        if (!compare)
            continue;
        start = now();
        draw_with_embree(&embree, &mesh, &theirs, sample);
        theirs.seconds += now() - start;
    }

    bool good = true;
    uint8_t *our_steps = steps(&ours, samples);
    write_ppm(arguments[1], "lanecast", &ours, our_steps);
    report("lanecast", &ours);
    if (compare) {
        uint8_t *their_steps = steps(&theirs, samples);
        write_ppm(arguments[1], "embree", &theirs, their_steps);
        report("Embree", &theirs);
        printf("lanecast / Embree: %.2f\n", ours.rays / ours.seconds / (theirs.rays / theirs.seconds));
        size_t pixels = (size_t)width * height, equal = 0, sum = 0;
        for (size_t i = 0; i < pixels; i++) {
            const uint8_t *a = our_steps + 3 * i, *b = their_steps + 3 * i;
            equal += memcmp(a, b, 3) == 0;
            sum += (size_t)(abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]));
        }
        double mean = (double)sum / (double)(3 * pixels);
        good = mean <= MOST_DIFFERENCE;
        printf("equal pixels: %.2f%%, mean difference: %.5f of 255, %s\n", 100.0 * (double)equal / (double)pixels, mean,
               good ? "as rounding makes it" : "MORE THAN ROUNDING MAKES");
        free(their_steps);
        embree.api.rtcReleaseScene(embree.scene);
        embree.api.rtcReleaseDevice(embree.device);
    }
    free(our_steps);
    free(ours.light);
    free(theirs.light);
    lanecast_release(&lanecast);
    free(mesh.vertices);
    free(mesh.triangles);
    free(mesh.materials);
    return good ? 0 : 1;
}
