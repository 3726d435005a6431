/* The mesh that path_tracer.c draws: a court with arcades on two sides, a knot on a pedestal, and spheres. z is up, and a unit
 * is a metre. */

#ifndef COURT_H
#define COURT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TAU 6.2831853f

typedef struct vec {
    float x, y, z;
} vec;

enum material { FLOOR, PLASTER, STONE, BRONZE, RED, BLUE, WHITE };

struct mesh {
    vec *vertices;
    uint32_t (*triangles)[3];
    uint8_t *materials; /* one a triangle */
    size_t vertex_count, triangle_count;
};

/* Where shapes are placed: turned about z, then moved. */
struct frame {
    vec origin;
    float cosine, sine;
};

/* A surface: the point of u and v, both from 0 to 1, from a few sizes. */
typedef vec surface(const float *sizes, float u, float v);

static inline void *grown(void *array, size_t bytes)
{
    array = realloc(array, bytes);
    if (array == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return array;
}

/* Adds a surface as columns times rows of cells with two triangles each. */
static inline void add(struct mesh *mesh, struct frame at, enum material material, surface *point, const float *sizes,
                       uint32_t columns, uint32_t rows)
{
    uint32_t first = (uint32_t)mesh->vertex_count;
    size_t vertices = mesh->vertex_count + (size_t)(columns + 1) * (rows + 1);
    size_t triangles = mesh->triangle_count + (size_t)columns * rows * 2;
    /* One more vertex, since Embree reads beyond the last. */
    mesh->vertices = grown(mesh->vertices, (vertices + 1) * sizeof mesh->vertices[0]);
    mesh->triangles = grown(mesh->triangles, triangles * sizeof mesh->triangles[0]);
    mesh->materials = grown(mesh->materials, triangles);
    for (size_t i = mesh->vertex_count; i < vertices; i++) {
        uint32_t place = (uint32_t)i - first;
        float u = (float)(place % (columns + 1)) / (float)columns, v = (float)(place / (columns + 1)) / (float)rows;
        vec p = point(sizes, u, v);
        mesh->vertices[i] = (vec){at.origin.x + at.cosine * p.x - at.sine * p.y, at.origin.y + at.sine * p.x + at.cosine * p.y,
                                  at.origin.z + p.z};
    }
    mesh->vertices[vertices] = (vec){0, 0, 0};
    mesh->vertex_count = vertices;
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            uint32_t a = first + row * (columns + 1) + column, b = a + 1, c = a + columns + 1, d = c + 1;
            uint32_t cell[2][3] = {{a, b, d}, {a, d, c}};
            for (int half = 0; half < 2; half++) {
                for (int corner = 0; corner < 3; corner++)
                    mesh->triangles[mesh->triangle_count][corner] = cell[half][corner];
                mesh->materials[mesh->triangle_count++] = (uint8_t)material;
            }
        }
    }
}

/* A corner and two edges, nine numbers. */
static inline vec parallelogram(const float *s, float u, float v)
{
    return (vec){s[0] + u * s[3] + v * s[6], s[1] + u * s[4] + v * s[7], s[2] + u * s[5] + v * s[8]};
}

/* A radius. */
static inline vec sphere(const float *s, float u, float v)
{
    float around = TAU * u, up = TAU * (v - 0.5f) / 2;
    return (vec){s[0] * cosf(up) * cosf(around), s[0] * cosf(up) * sinf(around), s[0] * sinf(up)};
}

/* No sizes. A round column, 3.2 high: a foot of two rings, a shaft that becomes thinner, and a head that opens. */
static inline vec column(const float *s, float u, float v)
{
    (void)s;
    float height = 3.2f * v, radius = 0.27f - 0.012f * height;
    if (height < 0.3f)
        radius += 0.1f * fabsf(sinf(TAU * height / 0.3f)) * (1.3f - 2 * height);
    if (height > 2.8f)
        radius += 0.9f * (height - 2.8f) * (height - 2.8f);
    return (vec){radius * cosf(TAU * u), radius * sinf(TAU * u), height};
}

/* The radius of the tube. A tube along a trefoil knot. */
static inline vec knot(const float *s, float u, float v)
{
    float t = TAU * u, around = TAU * v, ring = 0.75f + 0.32f * cosf(3 * t);
    vec middle = {ring * cosf(2 * t), 0.45f * sinf(3 * t), ring * sinf(2 * t)};
    /* The tangent, a vector across it, and one across both span the tube. */
    float change = -0.96f * sinf(3 * t);
    vec along = {change * cosf(2 * t) - 2 * ring * sinf(2 * t), 1.35f * cosf(3 * t),
                 change * sinf(2 * t) + 2 * ring * cosf(2 * t)};
    vec out = {cosf(2 * t), 0, sinf(2 * t)};
    vec side = {along.y * out.z - along.z * out.y, along.z * out.x - along.x * out.z, along.x * out.y - along.y * out.x};
    float to_unit = 1 / sqrtf(side.x * side.x + side.y * side.y + side.z * side.z);
    side = (vec){side.x * to_unit, side.y * to_unit, side.z * to_unit};
    vec up = {side.y * along.z - side.z * along.y, side.z * along.x - side.x * along.z, side.x * along.y - side.y * along.x};
    to_unit = 1 / sqrtf(up.x * up.x + up.y * up.y + up.z * up.z);
    float across = s[0] * cosf(around), along_up = s[0] * sinf(around) * to_unit;
    return (vec){middle.x + across * side.x + along_up * up.x, middle.y + across * side.y + along_up * up.y,
                 middle.z + across * side.z + along_up * up.z};
}

/* The radius of a round arch, the height at which it starts, the height of the wall above, and y. The wall over the arch. */
static inline vec arch_face(const float *s, float u, float v)
{
    float low = s[1] + s[0] * sinf(TAU * u / 2);
    return (vec){-s[0] * cosf(TAU * u / 2), s[3], low + v * (s[2] - low)};
}

/* The same, with the depth of the wall in place of y. The underside of the arch. */
static inline vec arch_underside(const float *s, float u, float v)
{
    return (vec){-s[0] * cosf(TAU * u / 2), s[3] * (v - 0.5f), s[1] + s[0] * sinf(TAU * u / 2)};
}

/* Adds a box with its lower corner at (x, y, z). */
static inline void add_box(struct mesh *mesh, struct frame at, enum material material, vec low, vec size)
{
    float x = low.x, y = low.y, z = low.z, a = size.x, b = size.y, c = size.z;
    const float faces[6][9] = {{x, y, z, a, 0, 0, 0, b, 0}, {x, y, z + c, a, 0, 0, 0, b, 0}, {x, y, z, a, 0, 0, 0, 0, c},
                               {x, y + b, z, a, 0, 0, 0, 0, c}, {x, y, z, 0, b, 0, 0, 0, c}, {x + a, y, z, 0, b, 0, 0, 0, c}};
    for (int face = 0; face < 6; face++)
        add(mesh, at, material, parallelogram, faces[face], 1, 1);
}

/* Adds an arcade along x from the frame's origin, with its back wall 3 m behind the columns. */
static inline void add_arcade(struct mesh *mesh, struct frame at, int bays)
{
    const float bay = 2.6f, radius = 1.02f, spring = 3.52f, top = 5.1f, depth = 0.5f;
    const float front[4] = {radius, spring, top, -depth / 2}, back[4] = {radius, spring, top, depth / 2};
    const float underside[4] = {radius, spring, top, depth};
    const float length = bay * (float)bays;
    for (int i = 0; i <= bays; i++) {
        struct frame foot = at;
        float half = bay / 2 - radius;
        foot.origin.x += at.cosine * bay * (float)i;
        foot.origin.y += at.sine * bay * (float)i;
        add_box(mesh, foot, STONE, (vec){-0.4f, -0.4f, 0}, (vec){0.8f, 0.8f, 0.2f});
        foot.origin.z += 0.2f;
        add(mesh, foot, STONE, column, NULL, 48, 40);
        foot.origin.z -= 0.2f;
        add_box(mesh, foot, STONE, (vec){-0.36f, -0.36f, 3.4f}, (vec){0.72f, 0.72f, 0.12f});
        add_box(mesh, foot, PLASTER, (vec){-half, -depth / 2, spring}, (vec){2 * half, depth, top - spring});
        if (i == bays)
            break;
        struct frame middle = foot;
        middle.origin.x += at.cosine * bay / 2;
        middle.origin.y += at.sine * bay / 2;
        add(mesh, middle, PLASTER, arch_face, front, 64, 1);
        add(mesh, middle, PLASTER, arch_face, back, 64, 1);
        add(mesh, middle, STONE, arch_underside, underside, 64, 1);
    }
    add_box(mesh, at, STONE, (vec){-0.4f, -0.4f, top}, (vec){length + 3.7f, 3.8f, 0.18f});
    add_box(mesh, at, PLASTER, (vec){-0.4f, -0.3f, top + 0.18f}, (vec){length + 0.8f, 0.3f, 0.7f});
    add_box(mesh, at, PLASTER, (vec){-3.3f, 3, 0}, (vec){length + 6.6f, 0.3f, top});
}

/* Makes the court. The caller frees its three arrays. */
static inline struct mesh make_court(void)
{
    struct mesh mesh = {0};
    const struct frame ground = {{0, 0, 0}, 1, 0};
    const float floor[9] = {-40, -40, 0, 80, 0, 0, 0, 80, 0};
    add(&mesh, ground, FLOOR, parallelogram, floor, 1, 1);
    add_arcade(&mesh, (struct frame){{-7.2f, 5, 0}, 1, 0}, 6);
    add_arcade(&mesh, (struct frame){{-7.2f, -8, 0}, 0, 1}, 5);

    add_box(&mesh, ground, STONE, (vec){-1.2f, -0.7f, 0}, (vec){2.4f, 2.4f, 0.25f});
    add_box(&mesh, ground, STONE, (vec){-0.7f, -0.2f, 0.25f}, (vec){1.4f, 1.4f, 0.75f});
    const float tube = 0.2f;
    add(&mesh, (struct frame){{0, 0.5f, 2.22f}, 0.92f, -0.39f}, BRONZE, knot, &tube, 512, 48);

    const float radii[3] = {0.6f, 0.4f, 0.85f};
    add(&mesh, (struct frame){{2.4f, -1.6f, radii[0]}, 1, 0}, RED, sphere, &radii[0], 128, 64);
    add(&mesh, (struct frame){{1.3f, -2.6f, radii[1]}, 1, 0}, WHITE, sphere, &radii[1], 128, 64);
    add(&mesh, (struct frame){{-3.0f, -0.8f, radii[2]}, 1, 0}, BLUE, sphere, &radii[2], 128, 64);
    return mesh;
}

#endif
