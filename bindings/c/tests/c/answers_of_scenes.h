/* Scenes, and one ray or many at them, of one precision: included by `answers.c` for each. */

/* The scene of geometries, which are freed. */
static lanecast_scene *OF(scene_of)(lanecast_geometry **geometries, size_t count)
{
    const lanecast_geometry *given[4] = {NULL};
    lanecast_scene *scene = NULL;
    for (size_t k = 0; k < count; k++) {
        given[k] = geometries[k];
    }
    PASSES(lanecast_build(PRECISION, given, count, NULL, 0, NULL, &scene));
    for (size_t k = 0; k < count; k++) {
        lanecast_geometry_free(geometries[k]);
    }
    return scene;
}

/* A triangle in the plane of a z, whose front is above. */
static lanecast_geometry *OF(triangle)(REAL z, bool deformable)
{
    const uint32_t triangle[1][3] = {{0, 1, 2}};
    /* Buffers stay until the scene is built. */
    static REAL vertices[4][3][3];
    static uint32_t kept[1][3];
    static size_t next;
    REAL(*corners)[3] = vertices[next++ % 4];
    memcpy(corners, ((REAL[3][3]){{0, 0, z}, {4, 0, z}, {0, 4, z}}), sizeof vertices[0]);
    memcpy(kept, triangle, sizeof kept);
    lanecast_geometry *geometry = NULL;
    lanecast_rows rows = {corners, 3, sizeof corners[0]};
    if (deformable) {
        PASSES(lanecast_deformable_triangles(PRECISION, rows, ROWS_OF(kept), &geometry));
    } else {
        PASSES(lanecast_triangles(PRECISION, rows, ROWS_OF(kept), &geometry));
    }
    return geometry;
}

/* Triangles at z = 0 and, as another geometry, at z = 1. */
static lanecast_scene *OF(two_triangles)(void)
{
    lanecast_geometry *geometries[2] = {OF(triangle)(0, false), OF(triangle)(1, false)};
    return OF(scene_of)(geometries, 2);
}

static const REAL OF(corners)[4][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 4}};
static const uint32_t OF(faces)[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* The solid between the axes and the plane x + y + z = 4; face 0 is in the plane of z, 1 of y, 2 of x. */
static lanecast_scene *OF(tetrahedron)(void)
{
    lanecast_geometry *geometry = NULL;
    PASSES(lanecast_triangles(PRECISION, ROWS_OF(OF(corners)), ROWS_OF(OF(faces)), &geometry));
    return OF(scene_of)(&geometry, 1);
}

struct OF(hit) {
    uint8_t status;
    REAL t, u, v, normal[3];
    uint32_t primitive_id, geometry_id, instance_id;
};

static lanecast_hits OF(hits_of)(struct OF(hit) *hits, size_t count)
{
    lanecast_hits places = {.size = sizeof places};
    const size_t stride = sizeof *hits;
    places.count = count;
    places.status = (lanecast_answers){&hits->status, stride};
    places.t = (lanecast_answers){&hits->t, stride};
    places.u = (lanecast_answers){&hits->u, stride};
    places.v = (lanecast_answers){&hits->v, stride};
    places.normal = (lanecast_answers){hits->normal, stride};
    places.primitive_id = (lanecast_answers){&hits->primitive_id, stride};
    places.geometry_id = (lanecast_answers){&hits->geometry_id, stride};
    places.instance_id = (lanecast_answers){&hits->instance_id, stride};
    return places;
}

/* Vectors of an array of three numbers a row. */
static lanecast_vectors OF(vectors)(const REAL (*rows)[3], size_t stride)
{
    return (lanecast_vectors){&rows[0][0], &rows[0][1], &rows[0][2], stride};
}

/* Rays of that many origins and one direction. */
static lanecast_rays OF(rays)(const REAL (*origins)[3], const REAL (*direction)[3], size_t count)
{
    lanecast_rays rays = {.size = sizeof rays};
    rays.precision = PRECISION, rays.count = count;
    rays.origin = OF(vectors)(origins, sizeof origins[0]);
    rays.direction = OF(vectors)(direction, 0);
    return rays;
}

/* The first or the last hit of one ray. */
static struct OF(hit) OF(hit_by)(const lanecast_scene *scene, bool last, const REAL *ray)
{
    const REAL origin[1][3] = {{ray[0], ray[1], ray[2]}}, direction[1][3] = {{ray[3], ray[4], ray[5]}};
    const lanecast_rays rays = OF(rays)(origin, direction, 1);
    struct OF(hit) hit;
    memset(&hit, 0xA5, sizeof hit);
    const lanecast_hits hits = OF(hits_of)(&hit, 1);
    PASSES((last ? lanecast_farthest_hit : lanecast_closest_hit)(scene, &rays, NULL, &hits));
    return hit;
}

#undef RAY
#define RAY(...) ((const REAL[6]){__VA_ARGS__})

/* Checks at which t a ray meets a scene first and last, and which primitive it meets first. */
static void OF(check_line)(const lanecast_scene *scene, const REAL *ray, double first, double last, uint32_t primitive_id, double tolerance, int line)
{
    const struct OF(hit) near = OF(hit_by)(scene, false, ray), far = OF(hit_by)(scene, true, ray);
    check_int(near.status, LANECAST_HIT, "the status", __FILE__, line);
    check_near((double)near.t, first, tolerance, "the first t", __FILE__, line);
    check_int(near.primitive_id, primitive_id, "the primitive", __FILE__, line);
    check_int(near.geometry_id, 0, "the geometry", __FILE__, line);
    check_int(near.instance_id, LANECAST_INVALID_ID, "the instance", __FILE__, line);
    check_int(far.status, LANECAST_HIT, "the status of the last hit", __FILE__, line);
    check_near((double)far.t, last, tolerance, "the last t", __FILE__, line);
}

static void OF(check_miss)(const lanecast_scene *scene, const REAL *ray, int line)
{
    const struct OF(hit) hit = OF(hit_by)(scene, false, ray);
    check_int(hit.status, LANECAST_MISS, "the status", __FILE__, line);
    check_near((double)hit.t, INFINITY, 0, "t", __FILE__, line);
    check_int(hit.primitive_id, LANECAST_INVALID_ID, "the primitive", __FILE__, line);
    check_int(hit.geometry_id, LANECAST_INVALID_ID, "the geometry", __FILE__, line);
    check_int(hit.instance_id, LANECAST_INVALID_ID, "the instance", __FILE__, line);
}

#undef MEETS
#undef MISSES
#define MEETS(scene, ray, first, last, primitive_id, tolerance) OF(check_line)(scene, ray, first, last, primitive_id, tolerance, __LINE__)
#define MISSES(scene, ray) OF(check_miss)(scene, ray, __LINE__)
