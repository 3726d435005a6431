/* lanecast: SIMD-batched ray queries, millions of rays against scenes of triangle meshes and other shapes, exact, the same
 * bits on every CPU. Made by cbindgen from bindings/c/src: change it there.
 *
 * A scene is built of geometries by lanecast_build and asked by functions that take rays or points, options and places for
 * answers. Rays and points are read, and answers written, where they lie: columns with strides, so that structs of the
 * caller serve as well as arrays.
 *
 * Precision. A scene, its content, rays, points and answers are all of `float` or all of `double`; structs say which, and a
 * call refuses a mixture.
 *
 * Handles. What a function makes is freed by the function of the same name that ends in `_free`, once. Freeing null does
 * nothing. A function with `const` before a handle may be called by any number of threads at once.
 *
 * Results. Functions return LANECAST_OK or a negative result, and then lanecast_last_error has a message that names the
 * argument and the place. Bad rays are no failure: their rows have a status. No panic and no exception crosses the border,
 * and callbacks must not throw.
 *
 * Structs that may grow begin with their size. Fill them with zeros, which are the defaults, and set the size:
 * `lanecast_options options = {.size = sizeof options};` does both.
 *
 * What cannot be checked: that as much memory lies behind a pointer as counts and strides say, that nobody writes input or
 * reads answers during a call, that handles were not freed, and that a scene that is changed is used by no other thread.
 */

#ifndef LANECAST_H
#define LANECAST_H


#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>


// A number that is no id: of a ray without a hit, and to skip nothing.
#define LANECAST_INVALID_ID UINT32_MAX

// The status of a row, as `uint8_t`.
#define LANECAST_MISS 0

#define LANECAST_HIT 1

// The ray or point was not cast: an origin or a point is NaN, infinite or beyond 2^100 (2^300 of
// `double`).
#define LANECAST_INVALID_ORIGIN 2

// A direction is NaN or infinite.
#define LANECAST_INVALID_DIRECTION 3

// A direction is zero.
#define LANECAST_ZERO_DIRECTION 4

// The largest component of a direction is not from 2^-100 to 2^100 (2^-300 to 2^300 of `double`).
#define LANECAST_DIRECTION_OUT_OF_RANGE 5

// `t_min` or `t_max`, or a radius, is NaN.
#define LANECAST_INVALID_INTERVAL 6

// `t_min` is greater than `t_max`, or a radius is negative.
#define LANECAST_EMPTY_INTERVAL 7

// The bytes of a scene file.
typedef struct lanecast_bytes lanecast_bytes;

// Content for scenes, of one precision: it is given to `lanecast_build`, `lanecast_add` and
// `lanecast_replace`, any number of times.
typedef struct lanecast_geometry lanecast_geometry;

// A list of hits for each ray.
typedef struct lanecast_hit_lists lanecast_hit_lists;

// Rays that are made while they are cast, of either precision unless it was made of points, which
// have one: a query takes it as `lanecast_rays.maker`. A footprint keeps its beams.
typedef struct lanecast_maker lanecast_maker;

// Picks of a ray.
typedef struct lanecast_picks lanecast_picks;

// A list of points of surfaces for each point.
typedef struct lanecast_point_lists lanecast_point_lists;

// Primitives that a query found.
typedef struct lanecast_primitive_list lanecast_primitive_list;

// Returns of pulses.
typedef struct lanecast_return_lists lanecast_return_lists;

// A scene. Any number of threads may ask one at once. A function that changes it, which has no
// `const` before it, must be the only one that uses it meanwhile.
typedef struct lanecast_scene lanecast_scene;

// The threads of a call. Any number of calls may use the same ones at once.
typedef struct lanecast_threads lanecast_threads;

// What a call came to: `LANECAST_OK`, or a negative number for why it failed. The message of the
// last failure is `lanecast_last_error`.
typedef int32_t lanecast_result;

// Hears of progress, and says whether to go on. It is called by all threads at once, a few times a
// second at least, and must not unwind or throw. What is counted are rays, points or primitives; of
// files, bytes. Of builds, changes, copies and checks `done` is the share of the work that is done,
// of the primitives or bytes in all.
typedef bool (*lanecast_watch)(void *user, size_t done, size_t total);

// The effort of building trees.
typedef int32_t lanecast_quality;

// The instructions that are used. No answer depends on it.
typedef int32_t lanecast_backend;

// How scenes are built, changed and copied. All zeros but the size are the defaults, and a null pointer
// stands for them.
typedef struct lanecast_build_options {
  // `sizeof(lanecast_build_options)`.
  size_t size;
  // Null for all cores.
  const struct lanecast_threads *threads;
  // Hears of the progress, of the primitives that the scene has afterwards; of a refit, of its
  // triangles. A change that it stops has not been made.
  lanecast_watch watch;
  // Passed to `watch`.
  void *watch_user;
  lanecast_quality quality;
  // That of queries which name none. `lanecast_build` only.
  lanecast_backend backend;
  // Whether vertices of all meshes that lie within `weld_tolerance` of each other become one.
  // `lanecast_build` only.
  bool weld;
  double weld_tolerance;
} lanecast_build_options;

// Rows of numbers that lie side by side: the first number of the first row, the number of rows, and
// how many bytes on the next row begins.
typedef struct lanecast_rows {
  const void *data;
  size_t count;
  size_t stride;
} lanecast_rows;

// New vertices of a mesh that was added by `lanecast_deformable_triangles`.
typedef struct lanecast_moved_mesh {
  uint32_t geometry_id;
  // All of its vertices, in the order in which they were given, of the scene's precision.
  struct lanecast_rows vertices;
} lanecast_moved_mesh;

// A scene that is placed in another: by three rows of four numbers, a map from the placed scene's
// frame to the other's. An instance keeps its scene, which may be freed but no longer changed.
typedef struct lanecast_instance {
  const struct lanecast_scene *scene;
  double transform[12];
} lanecast_instance;

// Bytes as they lie in memory; valid until they are freed.
typedef struct lanecast_bytes_view {
  const uint8_t *data;
  size_t count;
} lanecast_bytes_view;

// The precision of a scene, and of the numbers of its content, rays, points and answers.
typedef int32_t lanecast_precision;

// The distance of a point from a surface, negative inside.
typedef double (*lanecast_distance_function)(void *user, const double *point);

// A point of a surface, in `double` whatever the precision of the scene.
typedef struct lanecast_surface_point {
  // The ray parameter; nothing to closest points.
  double t;
  double u;
  double v;
  // Points to the front, of any length.
  double normal[3];
  // Where it is; nothing to rays.
  double point[3];
} lanecast_surface_point;

// Takes a point in which a line meets a primitive. `context` is that of the call.
typedef void (*lanecast_meet)(void *context, const struct lanecast_surface_point *point);

// Primitives of your own. All numbers are `double`; those of a scene of `float` are converted, and
// boxes are rounded outwards. The callbacks are called by all threads at once, must give the same
// answer each time, and must not unwind or throw. `user` is passed to each.
typedef struct lanecast_primitives {
  // `sizeof(lanecast_primitives)`.
  size_t size;
  size_t count;
  void *user;
  // Writes six numbers: the least and the greatest corner of a box that holds the primitive.
  void (*bounds)(void *user, uint32_t primitive_id, double *bounds);
  // Calls `meet` with each point in which the line of a ray meets the primitive, in any order.
  // The ray is eight numbers: origin, direction, t_min, t_max. Points outside of the interval do
  // not count.
  void (*intersect)(void *user,
                    uint32_t primitive_id,
                    const double *ray,
                    lanecast_meet meet,
                    void *context);
  // Writes the closest point of the primitive to `point`, with its normal. `placed` is twelve
  // numbers, three rows of an affine map that carries the primitive to the frame of the point and of
  // the answer. Returns whether there is one. Null: the primitives cannot be asked for closest
  // points.
  bool (*nearest)(void *user,
                  uint32_t primitive_id,
                  const double *point,
                  const double *placed,
                  struct lanecast_surface_point *nearest);
  // Whether every line meets each primitive as often from its front as from its back, so that
  // points can be inside.
  bool is_closed;
} lanecast_primitives;

// One number of each row: the first, and how many bytes on the next one lies. With a stride of 0
// the number is that of all rows.
typedef struct lanecast_column {
  const void *data;
  size_t stride;
} lanecast_column;

// Lists of hits as they lie in memory. Those of ray r are numbers `offsets[r]` to `offsets[r + 1]`,
// the latter excluded, in the columns, nearest first. All stays valid until the lists are freed.
typedef struct lanecast_hit_lists_view {
  // The number of rays: one less than that of offsets.
  size_t rows;
  const uint8_t *status;
  const size_t *offsets;
  // The number of hits of all rays.
  size_t hits;
  // In the scene's precision.
  struct lanecast_column t;
  struct lanecast_column u;
  struct lanecast_column v;
  // `uint32_t`.
  struct lanecast_column primitive_id;
  struct lanecast_column geometry_id;
  struct lanecast_column instance_id;
} lanecast_hit_lists_view;

// Lists of points as they lie in memory, in the manner of `lanecast_hit_lists_view`.
typedef struct lanecast_point_lists_view {
  size_t rows;
  const uint8_t *status;
  const size_t *offsets;
  // The number of points of all lists.
  size_t points;
  // In the scene's precision; `point` is three such numbers.
  struct lanecast_column distance;
  struct lanecast_column point;
  struct lanecast_column u;
  struct lanecast_column v;
  // `uint32_t`.
  struct lanecast_column primitive_id;
  struct lanecast_column geometry_id;
  struct lanecast_column instance_id;
} lanecast_point_lists_view;

// A scanner that spins about its z axis and may be carried along a path.
typedef struct lanecast_lidar_pattern {
  // `sizeof(lanecast_lidar_pattern)`.
  size_t size;
  // Rows of three `double`: elevation and azimuth in degrees, and how many seconds after the
  // first beam this one fires.
  struct lanecast_rows beams;
  // Firings of all beams in a turn.
  uint32_t steps;
  uint32_t turns;
  // The seconds of a turn.
  double seconds;
  // When the first turn begins.
  double start;
  // Degrees between which all firings lie; 0 and 0 stand for a full turn.
  double sector[2];
  // Rows of eight `double`: a time in seconds, a position, and a rotation as a quaternion x, y, z,
  // w. Between them the scanner moves evenly. One row: it stands there.
  struct lanecast_rows poses;
} lanecast_lidar_pattern;

// Where a column of answers is written: the first place, and how many bytes on the next one lies.
// A column that is null is not wanted.
typedef struct lanecast_answers {
  void *data;
  size_t stride;
} lanecast_answers;

// How rays spread over a hemisphere.
typedef int32_t lanecast_spread;

// A time of the civil calendar, in UTC.
typedef struct lanecast_utc {
  // From 1583 to 9999.
  uint16_t year;
  // From 1.
  uint8_t month;
  uint8_t day;
  uint8_t hour;
  uint8_t minute;
  double second;
} lanecast_utc;

// A vector of each row: the first x, y and z, and how many bytes on the next ones lie. Structs and
// arrays of three have z two numbers after x; columns may lie anywhere. With a stride of 0 the
// vector is that of all rows.
typedef struct lanecast_vectors {
  const void *x;
  const void *y;
  const void *z;
  size_t stride;
} lanecast_vectors;

// Any number of rays, read where they lie. The point at t is origin + t · direction, and hits count
// from t_min to t_max, both included. Where `t_min.data` or `t_max.data` is null they are 0 and
// infinity.
typedef struct lanecast_rays {
  // `sizeof(lanecast_rays)`.
  size_t size;
  // That of the scene.
  lanecast_precision precision;
  size_t count;
  struct lanecast_vectors origin;
  struct lanecast_vectors direction;
  struct lanecast_column t_min;
  struct lanecast_column t_max;
  // Makes the rays while they are cast, in place of origins and directions, which are then not
  // looked at. `count` is its number of rays.
  const struct lanecast_maker *maker;
} lanecast_rays;

// Which hits of a ray are picked.
typedef int32_t lanecast_pick_limit;

// What is known of the order of rays. No answer depends on it.
typedef int32_t lanecast_coherence;

// The sides of primitives that rays do not meet.
typedef int32_t lanecast_culling;

// A hit of `double`.
typedef struct lanecast_hit_f64 {
  double t;
  // Weights of the second and the third vertex.
  double u;
  double v;
  uint32_t primitive_id;
  uint32_t geometry_id;
  // `LANECAST_INVALID_ID` of what is in no instance.
  uint32_t instance_id;
} lanecast_hit_f64;

// The side from which a ray meets a primitive.
typedef int32_t lanecast_side;

// Says whether a hit of the ray in `row` counts. It is called for each hit, by all threads at once,
// with the same answer each time, and must not unwind or throw. A hit of `float` is converted,
// which is exact.
typedef bool (*lanecast_filter)(void *user,
                                size_t row,
                                const struct lanecast_hit_f64 *hit,
                                lanecast_side side);

// Which triangles that a ray touches count, to `lanecast_count_hits`, `lanecast_all_hits` and
// `lanecast_nearest_hits`.
typedef int32_t lanecast_contact;

// The options of a query. All zeros but the size are the defaults, and a null pointer to options
// stands for them. A query refuses options that it does not take.
typedef struct lanecast_options {
  // `sizeof(lanecast_options)`.
  size_t size;
  // Null for all cores.
  const struct lanecast_threads *threads;
  lanecast_watch watch;
  // Passed to `watch`.
  void *watch_user;
  lanecast_backend backend;
  // Every primitive is tested, without the tree. No answer depends on it.
  bool brute_force;
  // Rays only.
  lanecast_coherence coherence;
  // That of all rays where `cullings` is null.
  lanecast_culling culling;
  // One a ray, or null.
  const lanecast_culling *cullings;
  // One a ray: a ray meets geometries and instances that have a bit of it in common. Null: that of
  // `mask`. A region has one.
  const uint32_t *masks;
  // The mask of all rays where `masks` is null; 0 stands for all bits.
  uint32_t mask;
  // One a ray each, or null both: the primitive that the ray does not meet.
  const uint32_t *skip_geometry_ids;
  const uint32_t *skip_primitive_ids;
  // One a ray, or null: the instance in which it is skipped, `LANECAST_INVALID_ID` for none.
  const uint32_t *skip_instance_ids;
  lanecast_filter filter;
  // Passed to `filter`.
  void *filter_user;
  // `lanecast_count_hits`, `lanecast_all_hits` and `lanecast_nearest_hits` only.
  lanecast_contact contact;
  // Points only, where an inside is asked for: a number from 1 on, such as 2, answers it by
  // generalised winding numbers of that accuracy also at surfaces that are not closed. 0: not.
  double generalised_winding;
} lanecast_options;

// A hit with points and normals of `double`, whatever the scene. Normals have length 1, or are zero
// where a primitive has none.
typedef struct lanecast_pick {
  // Of `float` it is converted, which is exact.
  struct lanecast_hit_f64 hit;
  // In the frame of the scene that was asked.
  double point[3];
  double normal[3];
  // In the frame of the scene that holds the primitive.
  double local_point[3];
  double local_normal[3];
  // The numbers of the instances around it, outermost first, each in the scene of the one before;
  // not to be read where there are none.
  const uint32_t *instance_path;
  size_t depth;
} lanecast_pick;

// Picks as they lie in memory, valid until they are freed.
typedef struct lanecast_picks_view {
  size_t count;
  const struct lanecast_pick *picks;
} lanecast_picks_view;

// Any number of points, read where they lie.
typedef struct lanecast_points {
  // `sizeof(lanecast_points)`.
  size_t size;
  // That of the scene.
  lanecast_precision precision;
  size_t count;
  struct lanecast_vectors position;
} lanecast_points;

// Where closest points are written, a row a point: as `lanecast_hits`, with `distance` in the
// scene's precision and `point` and `normal` as three such numbers. A row without any within the
// radius has the status `LANECAST_MISS`.
typedef struct lanecast_closest_points {
  // `sizeof(lanecast_closest_points)`.
  size_t size;
  // The number of rows, which is that of points.
  size_t count;
  struct lanecast_answers status;
  struct lanecast_answers distance;
  struct lanecast_answers point;
  struct lanecast_answers primitive_id;
  struct lanecast_answers geometry_id;
  struct lanecast_answers instance_id;
  struct lanecast_answers u;
  struct lanecast_answers v;
  struct lanecast_answers normal;
} lanecast_closest_points;

// Where one number a point is written: `status` as `uint8_t`, and `value` as the query says.
typedef struct lanecast_values {
  // `sizeof(lanecast_values)`.
  size_t size;
  // The number of rows, which is that of points.
  size_t count;
  struct lanecast_answers status;
  struct lanecast_answers value;
} lanecast_values;

// The points of a regular grid: point (x, y, z) is origin + (x, y, z) · spacing, for x from 0 to
// counts[0] - 1 and so on.
typedef struct lanecast_grid {
  double origin[3];
  double spacing[3];
  size_t counts[3];
} lanecast_grid;

// Where the hits of rays are written, a row a ray: `status` as `uint8_t`, ids as `uint32_t`, `t`,
// `u` and `v` in the scene's precision, and `normal` as three such numbers. Columns that are null
// are not written. Rows of rays that hit nothing have the status `LANECAST_MISS`, infinite `t` and
// `LANECAST_INVALID_ID`.
typedef struct lanecast_hits {
  // `sizeof(lanecast_hits)`.
  size_t size;
  // The number of rows, which is that of rays.
  size_t count;
  struct lanecast_answers status;
  struct lanecast_answers t;
  struct lanecast_answers primitive_id;
  struct lanecast_answers geometry_id;
  // `LANECAST_INVALID_ID` of what is in no instance.
  struct lanecast_answers instance_id;
  struct lanecast_answers u;
  struct lanecast_answers v;
  // (v1 - v0) x (v2 - v0) of triangles, not of unit length; costs nothing if it is null.
  struct lanecast_answers normal;
} lanecast_hits;

// Where the numbers of hits are written, a row a ray: `status` as `uint8_t`, `hits` as `uint32_t`.
typedef struct lanecast_counts {
  // `sizeof(lanecast_counts)`.
  size_t size;
  // The number of rows, which is that of rays.
  size_t count;
  struct lanecast_answers status;
  struct lanecast_answers hits;
} lanecast_counts;

// Where the costs of rays are written, a row a ray: `status` as `uint8_t`, others as `uint32_t`.
typedef struct lanecast_costs {
  // `sizeof(lanecast_costs)`.
  size_t size;
  // The number of rows, which is that of rays.
  size_t count;
  struct lanecast_answers status;
  // Tests of nodes, and boxes in those.
  struct lanecast_answers nodes;
  struct lanecast_answers boxes;
  // Tests of leaves, and primitives in those.
  struct lanecast_answers leaves;
  struct lanecast_answers primitives;
} lanecast_costs;

// The kind of a region.
typedef int32_t lanecast_region;

// Primitives as they lie in memory, by ascending ids; valid until the list is freed.
typedef struct lanecast_primitive_list_view {
  size_t count;
  // `uint32_t` all.
  struct lanecast_column primitive_id;
  struct lanecast_column geometry_id;
  struct lanecast_column instance_id;
} lanecast_primitive_list_view;

// Which returns of a pulse are kept.
typedef int32_t lanecast_keep;

// The receiver of a scanner: it gathers the hits of the rays of a pulse to returns, loses weak ones,
// and measures their distances with noise, by the models of `lanecast_makers::Receiver`. All zeros
// but the size are one without errors that keeps the strongest return.
typedef struct lanecast_receiver {
  // `sizeof(lanecast_receiver)`.
  size_t size;
  // Of the random numbers, which depend on it, on the number of the pulse and on nothing else.
  uint64_t seed;
  // The standard deviation of distances: constant, and for each unit of distance.
  double range_noise[2];
  // What meets a surface head-on up to this range is surely received, and beyond that, or aslant,
  // less and less. 0 stands for infinity, where nothing is lost.
  double reference_range;
  // Returns of a pulse are at least so far apart.
  double resolution;
  lanecast_keep keep;
  // The number of the first pulse, where a scan is cast in parts.
  size_t first_pulse;
  // The shares of its energy of the rays of a pulse, and how many it has: those of
  // `lanecast_footprint_weights`. Null and 0: what made the rays knows, or each is a pulse.
  const double *weights;
  size_t weight_count;
} lanecast_receiver;

// Returns as they lie in memory, all valid until the lists are freed. Those of pulse p are numbers
// `offsets[p]` to `offsets[p + 1]`, the latter excluded, in the columns, nearest first before noise.
typedef struct lanecast_return_lists_view {
  // The number of rays, and their statuses.
  size_t rays;
  const uint8_t *status;
  // The number of pulses: one less than that of offsets.
  size_t rows;
  const size_t *offsets;
  // The number of returns of all pulses.
  size_t returns;
  // What is measured along the axis of the pulse, in the scene's precision, and the point there, as
  // three such numbers.
  struct lanecast_column distance;
  struct lanecast_column point;
  // `uint32_t`: which of the returns of the pulse that are received it is, from 1, and how many
  // these are: more than are kept, perhaps.
  struct lanecast_column number;
  struct lanecast_column count;
  // `uint32_t`: what the hit with the greatest part in it met.
  struct lanecast_column primitive_id;
  struct lanecast_column geometry_id;
  struct lanecast_column instance_id;
} lanecast_return_lists_view;

// What a scene is made of.
typedef struct lanecast_scene_facts {
  // `sizeof(lanecast_scene_facts)`, set by the caller.
  size_t size;
  lanecast_precision precision;
  // Geometries that are there; ids of those that were removed are free.
  size_t geometry_count;
  // Triangles, and primitives of all kinds, of the scene itself.
  size_t triangle_count;
  size_t primitive_count;
  size_t instance_count;
  // Instances, and instances in instances again for each: ids in answers are below.
  uint32_t instance_id_count;
  // The box around all: the least corner, then the greatest; infinite the other way round if
  // there is nothing.
  double bounds[6];
} lanecast_scene_facts;

// Lines from each observer to each target, both rows of three coordinates, which are copied.
typedef struct lanecast_sight_lines {
  // `sizeof(lanecast_sight_lines)`.
  size_t size;
  // That of the scene.
  lanecast_precision precision;
  struct lanecast_rows observers;
  struct lanecast_rows targets;
  // The part of each line that is left out at both ends: from 0 to below 0.5.
  double shortened;
  // The primitives on which observers and targets lie, which hide nothing; one each, or null.
  const uint32_t *observer_geometry_ids;
  const uint32_t *observer_primitive_ids;
  const uint32_t *target_geometry_ids;
  const uint32_t *target_primitive_ids;
} lanecast_sight_lines;

// A ray of `float`.
typedef struct lanecast_ray_f32 {
  float origin[3];
  float direction[3];
  float t_min;
  float t_max;
} lanecast_ray_f32;

// A hit of `float`.
typedef struct lanecast_hit_f32 {
  float t;
  // Weights of the second and the third vertex.
  float u;
  float v;
  uint32_t primitive_id;
  uint32_t geometry_id;
  // `LANECAST_INVALID_ID` of what is in no instance.
  uint32_t instance_id;
} lanecast_hit_f32;

// A ray of `double`.
typedef struct lanecast_ray_f64 {
  double origin[3];
  double direction[3];
  double t_min;
  double t_max;
} lanecast_ray_f64;

// The normals at the vertices of a mesh.
typedef struct lanecast_vertex_normals {
  // The scene that has the mesh: that of the call if null, or one that is placed in it.
  const struct lanecast_scene *scene;
  uint32_t geometry_id;
  // The triangles with which the mesh was given.
  struct lanecast_rows triangles;
  // A normal for each vertex, of any length, of the scene's precision.
  struct lanecast_rows normals;
} lanecast_vertex_normals;

// Where points and normals are written, a row a ray: `status` as `uint8_t`, others as three numbers
// of the scene's precision.
typedef struct lanecast_surface {
  // `sizeof(lanecast_surface)`.
  size_t size;
  // The number of rows, which is that of rays.
  size_t count;
  struct lanecast_answers status;
  struct lanecast_answers point;
  struct lanecast_answers geometric_normal;
  // Interpolated between the normals of vertices; geometric where there are none.
  struct lanecast_answers shading_normal;
} lanecast_surface;

// A task of the library's: it is called with `context` and a number.
typedef void (*lanecast_task)(void *context, size_t number);

// Calls `task` with `context` and each number from 0 to below `tasks`, on any threads, at once or one
// after the other, and returns when all calls have returned. Builds call it from within tasks too, so
// it must not wait for a thread that waits for it. It must not unwind or throw.
typedef void (*lanecast_run_tasks)(void *user, size_t tasks, lanecast_task task, void *context);

// The call did what it says.
#define LANECAST_OK 0

// An argument cannot be: null, of another precision than the scene, not aligned, of another length
// than there are rays, or an unknown constant.
#define LANECAST_INVALID_ARGUMENT -1

// Content, a number or a region cannot be used: NaN, out of range, an index without vertex.
#define LANECAST_INVALID_INPUT -2

// The scene has no such geometry, primitive or instance.
#define LANECAST_UNKNOWN_ID -3

// The scene cannot be asked that: the inside of an open surface, the closest points of primitives
// that have none.
#define LANECAST_UNANSWERABLE -4

// A watcher stopped the call.
#define LANECAST_STOPPED -5

// A file cannot be read, written or used.
#define LANECAST_FILE_ERROR -6

// Memory or threads are not to be had.
#define LANECAST_OUT_OF_RESOURCES -7

// A scene that is to be changed is placed in another, or used by a call.
#define LANECAST_IN_USE -8

// A defect of lanecast, or a panic in a callback of Rust. The call had no effect that can be
// relied on, and what it was to change should be freed.
#define LANECAST_PANIC -9

// `float`.
#define LANECAST_F32 1

// `double`.
#define LANECAST_F64 2

// As many per solid angle as the cosine of the angle to the normal, as light of a matt surface.
#define LANECAST_SPREAD_COSINE 0

// As many per solid angle everywhere.
#define LANECAST_SPREAD_UNIFORM 1

#define LANECAST_CULL_NONE 0

// Only fronts are met: where vertices run counter-clockwise as seen from the origin.
#define LANECAST_CULL_BACK 1

// Only backs are met.
#define LANECAST_CULL_FRONT 2

// Each crossing of a surface once, also through edges and vertices that triangles share.
#define LANECAST_CONTACT_CROSSING 0

// Every triangle that is touched.
#define LANECAST_CONTACT_TOUCH 1

#define LANECAST_COHERENCE_DETECT 0

// Neighbours start and go alike.
#define LANECAST_COHERENT 1

#define LANECAST_INCOHERENT 2

// The best that the processor has.
#define LANECAST_BACKEND_BEST 0

#define LANECAST_BACKEND_PORTABLE 1

#define LANECAST_BACKEND_AVX2 2

#define LANECAST_BACKEND_AVX512 3

#define LANECAST_FRONT 0

#define LANECAST_BACK 1

#define LANECAST_PICK_ALL 0

// The first of each geometry, in each instance by itself.
#define LANECAST_PICK_ONE_PER_GEOMETRY 1

// The first.
#define LANECAST_PICK_NEAREST 2

// Six numbers: the least and the greatest corner.
#define LANECAST_REGION_BOX 1

// Four numbers: the center and the radius.
#define LANECAST_REGION_SPHERE 2

// Four numbers a plane: what is a·x + b·y + c·z + d >= 0 for all planes.
#define LANECAST_REGION_PLANES 3

// The one of most power; of equals the first.
#define LANECAST_KEEP_STRONGEST 0

#define LANECAST_KEEP_FIRST 1

#define LANECAST_KEEP_LAST 2

#define LANECAST_KEEP_ALL 3

#define LANECAST_QUALITY_BALANCED 0

// Half the time; rays are up to a tenth slower.
#define LANECAST_QUALITY_FAST 1

// Twice the time; rays are 5 to 15% faster in interiors.
#define LANECAST_QUALITY_HIGH 2

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The message of the last call that failed on this thread, in UTF-8, and an empty text before any
// did. It names the input and the place, and stays valid until the next call that fails on this
// thread, or the thread's end. Nobody frees it.
const char *lanecast_last_error(void);

// The version of the library, such as "0.1.0".
const char *lanecast_version(void);

// Adds geometries to a scene. Each gets the lowest id that is free; the ids are written to `ids`,
// which may be null. Builds trees anew.
//
// # Safety
// As many handles as are counted lie there, and so many ids may be written; `scene` is a scene that
// nobody else uses; `options` is null or points to options.
lanecast_result lanecast_add(struct lanecast_scene *scene,
                             const struct lanecast_geometry *const *geometries,
                             size_t count,
                             const struct lanecast_build_options *options,
                             uint32_t *ids);

// Replaces geometries of a scene by others of any kind. Ids, masks and user data stay. Of one id that
// is given twice the last counts.
//
// # Safety
// As many ids and handles as are counted lie there; else as for `lanecast_add`.
lanecast_result lanecast_replace(struct lanecast_scene *scene,
                                 const uint32_t *geometry_ids,
                                 const struct lanecast_geometry *const *geometries,
                                 size_t count,
                                 const struct lanecast_build_options *options);

// Removes geometries from a scene. The ids of all others stay.
//
// # Safety
// As many ids as are counted lie there; else as for `lanecast_add`.
lanecast_result lanecast_remove(struct lanecast_scene *scene,
                                const uint32_t *geometry_ids,
                                size_t count,
                                const struct lanecast_build_options *options);

// Moves the vertices of deformable meshes. The tree keeps its structure: rays get slower the
// farther neighbours part, until `lanecast_rebuild`. Of one id that is given twice the last counts.
//
// # Safety
// As many meshes as are counted lie there, with all of their vertices; else as for `lanecast_add`.
lanecast_result lanecast_refit(struct lanecast_scene *scene,
                               const struct lanecast_moved_mesh *meshes,
                               size_t count,
                               const struct lanecast_build_options *options);

// Builds the tree over the triangles of a scene anew.
//
// # Safety
// As for `lanecast_add`.
lanecast_result lanecast_rebuild(struct lanecast_scene *scene,
                                 const struct lanecast_build_options *options);

// Copies a scene, so that one can be changed while the other is asked. Of the options the threads
// and the watcher count.
//
// # Safety
// `scene` is a scene, `options` is null or points to options, `copy` may be written.
lanecast_result lanecast_copy(const struct lanecast_scene *scene,
                              const struct lanecast_build_options *options,
                              struct lanecast_scene **copy);

// Places scenes in a scene. Each instance gets the lowest number that fits; the numbers are written
// to `numbers`, which may be null.
//
// # Safety
// As many instances as are counted lie there, and so many numbers may be written; `scene` is a
// scene that nobody else uses.
lanecast_result lanecast_add_instances(struct lanecast_scene *scene,
                                       const struct lanecast_instance *instances,
                                       size_t count,
                                       uint32_t *numbers);

// Removes instances from a scene. The numbers of all others stay.
//
// # Safety
// As many numbers as are counted lie there; `scene` is a scene that nobody else uses.
lanecast_result lanecast_remove_instances(struct lanecast_scene *scene,
                                          const uint32_t *instances,
                                          size_t count);

// Saves a scene to a file, which replaces one of that name as a whole. `watch` may be null and
// hears of bytes; `user` is passed to it.
//
// # Safety
// `scene` is a scene, `path` a text in UTF-8.
lanecast_result lanecast_save(const struct lanecast_scene *scene,
                              const char *path,
                              lanecast_watch watch,
                              void *user);

// Opens a scene file of either precision by mapping it into memory. The file must not be changed in
// its place while the scene exists; to replace it by renaming is safe. `watch` may be null and hears
// of bytes; `user` is passed to it.
//
// # Safety
// `path` is a text in UTF-8, `scene` may be written.
lanecast_result lanecast_open(const char *path,
                              lanecast_watch watch,
                              void *user,
                              struct lanecast_scene **scene);

// Makes the bytes of the file that `lanecast_save` writes: to keep a scene where there are no files,
// or to send it. Free them by `lanecast_bytes_free`. `watch` may be null and hears of bytes; `user`
// is passed to it.
//
// # Safety
// `scene` is a scene, `bytes` may be written.
lanecast_result lanecast_to_bytes(const struct lanecast_scene *scene,
                                  lanecast_watch watch,
                                  void *user,
                                  struct lanecast_bytes **bytes);

// Shows bytes.
//
// # Safety
// `bytes` are bytes, and `view` may be written.
lanecast_result lanecast_bytes_get(const struct lanecast_bytes *bytes,
                                   struct lanecast_bytes_view *view);

// Frees bytes; nothing if null.
//
// # Safety
// They are null, or were made by this library, and neither they nor a view of them is used
// afterwards.
void lanecast_bytes_free(struct lanecast_bytes *bytes);

// Makes a scene of the `count` bytes of a scene file of either precision, which are copied and may
// lie anywhere. `watch` may be null and hears of bytes; `user` is passed to it.
//
// # Safety
// So many bytes lie there, `scene` may be written.
lanecast_result lanecast_from_bytes(const uint8_t *bytes,
                                    size_t count,
                                    lanecast_watch watch,
                                    void *user,
                                    struct lanecast_scene **scene);

// Reads a scene through, and fails if anything in it is not what was built: of scenes that were
// opened from files. `watch` may be null and hears of bytes; `user` is passed to it.
//
// # Safety
// `scene` is a scene.
lanecast_result lanecast_check(const struct lanecast_scene *scene,
                               lanecast_watch watch,
                               void *user);

// A mesh of triangles: rows of three coordinates, and rows of three indices of vertices, as
// `uint32_t`. The front of a triangle is where its vertices run counter-clockwise.
//
// Vertices and indices are read where they lie, whenever the geometry is given to a scene, and must
// stay as they are until the last such call has returned.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_triangles(lanecast_precision precision,
                                   struct lanecast_rows vertices,
                                   struct lanecast_rows triangles,
                                   struct lanecast_geometry **geometry);

// The same for a mesh whose vertices `lanecast_refit` moves: the scene keeps a copy of its indices.
//
// # Safety
// As for `lanecast_triangles`.
lanecast_result lanecast_deformable_triangles(lanecast_precision precision,
                                              struct lanecast_rows vertices,
                                              struct lanecast_rows triangles,
                                              struct lanecast_geometry **geometry);

// A mesh of quads: as `lanecast_triangles`, with rows of four indices. Quad number q of vertices a,
// b, c, d has the primitive ids 2q (a, b, d) and 2q + 1 (c, d, b).
//
// # Safety
// As for `lanecast_triangles`.
lanecast_result lanecast_quads(lanecast_precision precision,
                               struct lanecast_rows vertices,
                               struct lanecast_rows quads,
                               struct lanecast_geometry **geometry);

// Boxes: rows of the least and the greatest corner, six numbers, which are copied.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_boxes(lanecast_precision precision,
                               struct lanecast_rows boxes,
                               struct lanecast_geometry **geometry);

// Oriented boxes: rows of the center, three orthonormal axes, and half extents, fifteen numbers, which
// are copied.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_oriented_boxes(lanecast_precision precision,
                                        struct lanecast_rows oriented_boxes,
                                        struct lanecast_geometry **geometry);

// Spheres: rows of the center and the radius, four numbers, which are copied.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_spheres(lanecast_precision precision,
                                 struct lanecast_rows spheres,
                                 struct lanecast_geometry **geometry);

// Round cones, the hulls of two balls: rows of both centers and both radii, eight numbers, which are
// copied.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_round_cones(lanecast_precision precision,
                                     struct lanecast_rows round_cones,
                                     struct lanecast_geometry **geometry);

// Capped cylinders: rows of the centers of both caps and the radius, seven numbers, which are copied.
//
// # Safety
// All rows that are counted lie there; `geometry` may be written.
lanecast_result lanecast_cylinders(lanecast_precision precision,
                                   struct lanecast_rows cylinders,
                                   struct lanecast_geometry **geometry);

// A field of heights over a regular grid of `rows` times `columns` vertices, row by row along x:
// vertex (row, column) is (x0 + column * step_x, y0 + row * step_y, height). A height that is NaN is
// a hole. Each cell is two triangles. All is copied.
//
// # Safety
// `rows` times `columns` heights lie there, of the precision; `geometry` may be written.
lanecast_result lanecast_height_field(lanecast_precision precision,
                                      const void *heights,
                                      size_t rows,
                                      size_t columns,
                                      const double *origin,
                                      const double *spacing,
                                      struct lanecast_geometry **geometry);

// The solid where a function is negative, within a box of six numbers (least corner, greatest
// corner), met by sphere tracing. The function changes by at most `lipschitz` times the way between
// two points, and a line meets the surface where it is below `tolerance`. It is called by all
// threads at once, with the same answer each time, and must not unwind; `user` is passed to it.
//
// # Safety
// `bounds` has six numbers; the function may be called for as long as the geometry or a scene with
// it exists; `geometry` may be written.
lanecast_result lanecast_signed_distance_field(lanecast_precision precision,
                                               lanecast_distance_function function,
                                               void *user,
                                               const double *bounds,
                                               double lipschitz,
                                               double tolerance,
                                               struct lanecast_geometry **geometry);

// Primitives of your own, by callbacks: see `lanecast_primitives`, which is copied.
//
// # Safety
// The callbacks may be called for as long as the geometry or a scene with it exists; `geometry` may
// be written.
lanecast_result lanecast_own_primitives(lanecast_precision precision,
                                        const struct lanecast_primitives *primitives,
                                        struct lanecast_geometry **geometry);

// Frees a geometry; nothing if null. Scenes that were built with it stay as they are.
//
// # Safety
// It is null, or was made by this library, and is not used afterwards.
void lanecast_geometry_free(struct lanecast_geometry *geometry);

// Shows lists of hits.
//
// # Safety
// `lists` are lists, and `view` may be written.
lanecast_result lanecast_hit_lists_get(const struct lanecast_hit_lists *lists,
                                       struct lanecast_hit_lists_view *view);

// Frees lists of hits; nothing if null.
//
// # Safety
// They are null, or were made by this library, and neither they nor a view of them is used
// afterwards.
void lanecast_hit_lists_free(struct lanecast_hit_lists *lists);

// Shows lists of points.
//
// # Safety
// `lists` are lists, and `view` may be written.
lanecast_result lanecast_point_lists_get(const struct lanecast_point_lists *lists,
                                         struct lanecast_point_lists_view *view);

// Frees lists of points; nothing if null.
//
// # Safety
// As for `lanecast_hit_lists_free`.
void lanecast_point_lists_free(struct lanecast_point_lists *lists);

// The rays of a camera through the middles of pixels, row by row from the upper left: vectors of
// three numbers, the field of view from the lower to the upper edge in degrees, and the size in
// pixels. Each t is the distance along the line of sight.
//
// # Safety
// Vectors have three numbers; `maker` may be written.
lanecast_result lanecast_pinhole(const double *eye,
                                 const double *target,
                                 const double *up,
                                 double field_of_view,
                                 uint32_t width,
                                 uint32_t height,
                                 struct lanecast_maker **maker);

// The rays of a camera of computer vision: three rows of three numbers (fx, skew, cx; 0, fy, cy; 0,
// 0, 1) and four rows of four numbers, which carry points of the world to the camera's frame, where z
// goes along the line of sight.
//
// # Safety
// `intrinsic` has nine numbers, `extrinsic` sixteen; `maker` may be written.
lanecast_result lanecast_pinhole_of_matrices(const double *intrinsic,
                                             const double *extrinsic,
                                             uint32_t width,
                                             uint32_t height,
                                             struct lanecast_maker **maker);

// The rays of a picture all around: columns go around `up` from the back by the left and the front,
// rows from straight up to straight down. Directions have length 1.
//
// # Safety
// Vectors have three numbers; `maker` may be written.
lanecast_result lanecast_panorama(const double *eye,
                                  const double *forward,
                                  const double *up,
                                  uint32_t width,
                                  uint32_t height,
                                  struct lanecast_maker **maker);

// The parallel rays of a camera whose picture is so high, in the scene's units.
//
// # Safety
// Vectors have three numbers; `maker` may be written.
lanecast_result lanecast_orthographic(const double *eye,
                                      const double *target,
                                      const double *up,
                                      double picture_height,
                                      uint32_t width,
                                      uint32_t height,
                                      struct lanecast_maker **maker);

// Parallel rays from the middles of the cells of a grid: its corner, its two edges (six numbers),
// and the direction.
//
// # Safety
// `edges` has six numbers, other vectors three; `maker` may be written.
lanecast_result lanecast_ray_grid(const double *corner,
                                  const double *edges,
                                  const double *direction,
                                  uint32_t width,
                                  uint32_t height,
                                  struct lanecast_maker **maker);

// The rays of a scanner: turn by turn, firing by firing, beam by beam, each t in the scene's units.
//
// # Safety
// `pattern` is as its type says; `maker` may be written.
lanecast_result lanecast_lidar(const struct lanecast_lidar_pattern *pattern,
                               struct lanecast_maker **maker);

// When each ray of a scanner is fired (`double`, seconds), by which beam (`uint32_t`) and at which
// azimuth (`double`, degrees), for `count` rays, which is the maker's number. Columns that are null
// are not written.
//
// # Safety
// `maker` is a maker; columns are null or may be written.
lanecast_result lanecast_lidar_pulses(const struct lanecast_maker *maker,
                                      size_t count,
                                      struct lanecast_answers time,
                                      struct lanecast_answers beam,
                                      struct lanecast_answers azimuth);

// So many rays in the cone of each ray of another maker, whose divergence is in milliradians: the
// first along it, others around it. It keeps its beams, whose handle may be freed.
//
// # Safety
// `beams` is a maker; `maker` may be written.
lanecast_result lanecast_footprint(const struct lanecast_maker *beams,
                                   double divergence,
                                   uint32_t rays,
                                   struct lanecast_maker **maker);

// Writes the shares of a beam's energy of the rays of its cone, whose sum is 1: `count` numbers, which
// is that of rays of a beam.
//
// # Safety
// `maker` is a maker, and so many numbers may be written.
lanecast_result lanecast_footprint_weights(const struct lanecast_maker *maker,
                                           size_t count,
                                           double *weights);

// So many rays from each point into the hemisphere about its normal, point by point within each
// direction. Points and normals, rows of three numbers of the precision, are copied.
//
// # Safety
// As many rows as are counted lie there; `maker` may be written.
lanecast_result lanecast_hemisphere(lanecast_precision precision,
                                    struct lanecast_rows points,
                                    struct lanecast_rows normals,
                                    uint32_t directions,
                                    lanecast_spread spread,
                                    uint64_t seed,
                                    struct lanecast_maker **maker);

// Rays from points towards distant lights, such as the sun hour by hour: light by light, each with
// all points. Points are rows of three numbers of the precision, directions rows of three `double`;
// both are copied.
//
// # Safety
// As many rows as are counted lie there; `maker` may be written.
lanecast_result lanecast_sunlight(lanecast_precision precision,
                                  struct lanecast_rows points,
                                  struct lanecast_rows directions,
                                  struct lanecast_maker **maker);

// Where the sun is: latitude in degrees to the north, longitude in degrees to the east. Writes
// three numbers: a vector of length 1 to it, x to the east, y to the north, z up.
//
// # Safety
// `time` is a time, and three numbers may be written to `direction`.
lanecast_result lanecast_sun_direction(const struct lanecast_utc *time,
                                       double latitude,
                                       double longitude,
                                       double *direction);

// Tells the number of rays of a maker.
//
// # Safety
// `maker` is a maker; `count` may be written.
lanecast_result lanecast_maker_count(const struct lanecast_maker *maker, size_t *count);

// Writes rays of a maker: `count` from number `first` on, origins and directions as three numbers
// of the precision each.
//
// # Safety
// `maker` is a maker; columns are null or may be written.
lanecast_result lanecast_make_rays(const struct lanecast_maker *maker,
                                   lanecast_precision precision,
                                   size_t first,
                                   size_t count,
                                   struct lanecast_answers origin,
                                   struct lanecast_answers direction);

// Frees a maker; nothing if null.
//
// # Safety
// It is null, or was made by this library, and is not used afterwards.
void lanecast_maker_free(struct lanecast_maker *maker);

// The hits of one ray, nearest first, each with points and normals: crossings, unless the options ask
// for touches. A ray that cannot be cast is a failure. Free the picks by `lanecast_picks_free`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_pick_hits(const struct lanecast_scene *scene,
                                   const struct lanecast_rays *ray,
                                   lanecast_pick_limit limit,
                                   const struct lanecast_options *options,
                                   struct lanecast_picks **picks);

// Shows picks.
//
// # Safety
// `picks` are picks, and `view` may be written.
lanecast_result lanecast_picks_get(const struct lanecast_picks *picks,
                                   struct lanecast_picks_view *view);

// Frees picks; nothing if null.
//
// # Safety
// They are null, or were made by this library, and neither they nor a view of them is used
// afterwards.
void lanecast_picks_free(struct lanecast_picks *picks);

// The point of all surfaces that is closest to each point, within a radius: null for any, stride 0
// for one of all.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_closest_point(const struct lanecast_scene *scene,
                                       const struct lanecast_points *points,
                                       struct lanecast_column radius,
                                       const struct lanecast_options *options,
                                       const struct lanecast_closest_points *closest);

// The distance of each point from the nearest surface, in the scene's precision.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_distance(const struct lanecast_scene *scene,
                                  const struct lanecast_points *points,
                                  const struct lanecast_options *options,
                                  const struct lanecast_values *values);

// The same, negative inside. The surfaces must be closed, or the options ask for generalised
// winding numbers.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_signed_distance(const struct lanecast_scene *scene,
                                         const struct lanecast_points *points,
                                         const struct lanecast_options *options,
                                         const struct lanecast_values *values);

// Whether each point is inside: the status is `LANECAST_HIT`, and the value, as `int32_t`, how often
// surfaces go around it. The surfaces must be closed, or the options ask for generalised winding
// numbers.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_contains(const struct lanecast_scene *scene,
                                  const struct lanecast_points *points,
                                  const struct lanecast_options *options,
                                  const struct lanecast_values *values);

// The generalised winding number of each point, as `float`; 2 is a good accuracy.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_winding_number(const struct lanecast_scene *scene,
                                        const struct lanecast_points *points,
                                        double accuracy,
                                        const struct lanecast_options *options,
                                        const struct lanecast_values *values);

// The nearest `count` primitives of each point, one point of each, nearest first, within a radius:
// null for any, stride 0 for one of all. Free the lists by `lanecast_point_lists_free`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_nearest_points(const struct lanecast_scene *scene,
                                        const struct lanecast_points *points,
                                        uint32_t count,
                                        struct lanecast_column radius,
                                        const struct lanecast_options *options,
                                        struct lanecast_point_lists **lists);

// All primitives within a radius of each point: as `lanecast_nearest_points`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_points_within(const struct lanecast_scene *scene,
                                       const struct lanecast_points *points,
                                       struct lanecast_column radius,
                                       const struct lanecast_options *options,
                                       struct lanecast_point_lists **lists);

// Whether each point of a grid is inside, one byte each, 0 or 1; x changes fastest, then y. `cells`
// is the number of bytes, which is that of points.
//
// # Safety
// All pointers are null or as the types say, and `cells` bytes may be written.
lanecast_result lanecast_occupancy(const struct lanecast_scene *scene,
                                   const struct lanecast_grid *grid,
                                   const struct lanecast_options *options,
                                   uint8_t *occupied,
                                   size_t cells);

// The first hit of each ray. At equal t the lowest ids win.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_closest_hit(const struct lanecast_scene *scene,
                                     const struct lanecast_rays *rays,
                                     const struct lanecast_options *options,
                                     const struct lanecast_hits *hits);

// The last hit of each ray.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_farthest_hit(const struct lanecast_scene *scene,
                                      const struct lanecast_rays *rays,
                                      const struct lanecast_options *options,
                                      const struct lanecast_hits *hits);

// The hits nearest to the origin of each line on either side: of the least t from 0 on, and of the
// greatest t up to 0, both within the interval, whose default is here all of the line.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_line_hits(const struct lanecast_scene *scene,
                                   const struct lanecast_rays *lines,
                                   const struct lanecast_options *options,
                                   const struct lanecast_hits *ahead,
                                   const struct lanecast_hits *behind);

// Whether each ray hits anything: `LANECAST_HIT`, `LANECAST_MISS` or why it was not cast, for
// `count` rays.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_any_hit(const struct lanecast_scene *scene,
                                 const struct lanecast_rays *rays,
                                 const struct lanecast_options *options,
                                 size_t count,
                                 struct lanecast_answers status);

// The number of hits of each ray: of crossings, unless the options ask for touches.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_count_hits(const struct lanecast_scene *scene,
                                    const struct lanecast_rays *rays,
                                    const struct lanecast_options *options,
                                    const struct lanecast_counts *counts);

// How much deeper each ray is inside at its end than at its start, as `int32_t`: hits at fronts,
// where it enters, less those at backs, where it leaves, each counted as by `lanecast_count_hits`.
// At closed surfaces that face outwards this is the difference of the winding numbers of both ends.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_signed_count(const struct lanecast_scene *scene,
                                      const struct lanecast_rays *rays,
                                      const struct lanecast_options *options,
                                      const struct lanecast_values *values);

// What the search for the closest hit of each ray costs.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_cost(const struct lanecast_scene *scene,
                              const struct lanecast_rays *rays,
                              const struct lanecast_options *options,
                              const struct lanecast_costs *costs);

// All hits of each ray, nearest first: crossings, unless the options ask for touches. Free the
// lists by `lanecast_hit_lists_free`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_all_hits(const struct lanecast_scene *scene,
                                  const struct lanecast_rays *rays,
                                  const struct lanecast_options *options,
                                  struct lanecast_hit_lists **lists);

// The nearest `limit` hits of each ray, nearest first: as `lanecast_all_hits`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_nearest_hits(const struct lanecast_scene *scene,
                                      const struct lanecast_rays *rays,
                                      uint32_t limit,
                                      const struct lanecast_options *options,
                                      struct lanecast_hit_lists **lists);

// Whether anything overlaps with a region: 1 or 0, or a negative result.
//
// # Safety
// All pointers are null or as the types say, and so many numbers are there.
int32_t lanecast_overlaps_any(const struct lanecast_scene *scene,
                              lanecast_region kind,
                              const double *numbers,
                              size_t count,
                              const struct lanecast_options *options);

// The primitives that overlap with a region. Free the list by `lanecast_primitive_list_free`.
//
// # Safety
// All pointers are null or as the types say, and so many numbers are there.
lanecast_result lanecast_overlap(const struct lanecast_scene *scene,
                                 lanecast_region kind,
                                 const double *numbers,
                                 size_t count,
                                 const struct lanecast_options *options,
                                 struct lanecast_primitive_list **list);

// Shows a list of primitives.
//
// # Safety
// `list` is a list, and `view` may be written.
lanecast_result lanecast_primitive_list_get(const struct lanecast_primitive_list *list,
                                            struct lanecast_primitive_list_view *view);

// Frees a list of primitives; nothing if null.
//
// # Safety
// It is null, or was made by this library, and neither it nor a view of it is used afterwards.
void lanecast_primitive_list_free(struct lanecast_primitive_list *list);

// What a scanner measures of a scene: the returns of the pulses of rays, of which directions have
// length 1, so that t is the distance; `t_min` and `t_max` are the nearest and the farthest that is
// measured. Rays of a footprint are pulses of so many as each of its beams has. A null receiver is
// one without errors, which keeps the strongest return. The hits of all rays are held meanwhile, and
// returns are gathered of them on one thread, unwatched: cast long scans in parts, each with its
// `first_pulse`, which measure the same. Free the lists by
// `lanecast_return_lists_free`.
//
// # Safety
// All pointers are null or as the types say.
lanecast_result lanecast_lidar_returns(const struct lanecast_scene *scene,
                                       const struct lanecast_rays *rays,
                                       const struct lanecast_receiver *receiver,
                                       const struct lanecast_options *options,
                                       struct lanecast_return_lists **lists);

// Shows returns.
//
// # Safety
// `lists` are lists, and `view` may be written.
lanecast_result lanecast_return_lists_get(const struct lanecast_return_lists *lists,
                                          struct lanecast_return_lists_view *view);

// Frees returns; nothing if null.
//
// # Safety
// As for `lanecast_hit_lists_free`.
void lanecast_return_lists_free(struct lanecast_return_lists *lists);

// Builds a scene. Geometries get ids 0, 1 and so on in their order, and instances numbers in
// theirs. Either may be none at all. On failure `*scene` stays as it is.
//
// # Safety
// As many handles and instances as are counted lie there, and the buffers of geometries are as they
// were given; `options` is null or points to options; `scene` may be written.
lanecast_result lanecast_build(lanecast_precision precision,
                               const struct lanecast_geometry *const *geometries,
                               size_t geometry_count,
                               const struct lanecast_instance *instances,
                               size_t instance_count,
                               const struct lanecast_build_options *options,
                               struct lanecast_scene **scene);

// Frees a scene; nothing if null. Scenes in which it is placed keep what they need of it.
//
// # Safety
// It is null, or was made by this library, and is not used afterwards.
void lanecast_scene_free(struct lanecast_scene *scene);

// Tells what a scene is made of.
//
// # Safety
// `scene` is a scene, and `facts` begins with its size and may be written.
lanecast_result lanecast_scene_get_facts(const struct lanecast_scene *scene,
                                         struct lanecast_scene_facts *facts);

// Sets the mask of a geometry; 0 hides it from all queries.
//
// # Safety
// `scene` is a scene that nobody else uses meanwhile.
lanecast_result lanecast_scene_set_mask(struct lanecast_scene *scene,
                                        uint32_t geometry_id,
                                        uint32_t mask);

// Sets the mask of an instance; 0 hides it.
//
// # Safety
// As for `lanecast_scene_set_mask`.
lanecast_result lanecast_scene_set_instance_mask(struct lanecast_scene *scene,
                                                 uint32_t instance,
                                                 uint32_t mask);

// Sets a number that a geometry carries for the caller, 0 before.
//
// # Safety
// As for `lanecast_scene_set_mask`.
lanecast_result lanecast_scene_set_user_data(struct lanecast_scene *scene,
                                             uint32_t geometry_id,
                                             uint64_t user_data);

// Tells the mask of a geometry and the number that it carries; either place may be null.
//
// # Safety
// `scene` is a scene; the places are null or may be written.
lanecast_result lanecast_scene_get_geometry(const struct lanecast_scene *scene,
                                            uint32_t geometry_id,
                                            uint32_t *mask,
                                            uint64_t *user_data);

// Tells the map by which an instance is placed: twelve numbers.
//
// # Safety
// `scene` is a scene; twelve numbers may be written to `transform`.
lanecast_result lanecast_scene_get_transform(const struct lanecast_scene *scene,
                                             uint32_t instance,
                                             double *transform);

// Tells through which instances a hit with this instance id went: their numbers, outermost first,
// each in the scene of the one before. Writes at most `room` numbers, and always how many there are.
//
// # Safety
// `scene` is a scene, `room` numbers may be written to `path`, and `depth` may be written.
lanecast_result lanecast_scene_get_instance_path(const struct lanecast_scene *scene,
                                                 uint32_t instance_id,
                                                 uint32_t *path,
                                                 size_t room,
                                                 size_t *depth);

// Moves instances: numbers, and twelve numbers for each.
//
// # Safety
// As many numbers and maps as are counted lie there; `scene` is a scene that nobody else uses.
lanecast_result lanecast_set_transforms(struct lanecast_scene *scene,
                                        const uint32_t *instances,
                                        const double *transforms,
                                        size_t count);

// Which targets each observer sees: target t of observer o is bit t % 64 of word
// o · ((targets + 63) / 64) + t / 64. What a line touches at its very ends hides nothing. Options are
// those of rays, of which line o · targets + t is one: masks, skips and filters take its number.
//
// # Safety
// All pointers are null or as the types say, and so many words may be written.
lanecast_result lanecast_sight(const struct lanecast_scene *scene,
                               const struct lanecast_sight_lines *lines,
                               const struct lanecast_options *options,
                               uint64_t *words,
                               size_t word_count);

// What hides a target from an observer: 1 and the first hit of the line between them, whose t is the
// part of the line's length, 0 if nothing does, or a negative result. Lines and options are as of
// `lanecast_sight`. A hit of `float` is converted, which is exact. All points are copied: of many
// lines cast the rays.
//
// # Safety
// All pointers are null or as the types say, and `hit` may be written.
int32_t lanecast_first_obstacle(const struct lanecast_scene *scene,
                                const struct lanecast_sight_lines *lines,
                                size_t observer,
                                size_t target,
                                const struct lanecast_options *options,
                                struct lanecast_hit_f64 *hit);

// The first hit of one ray, at a scene of `float`. Returns the status of the ray, `LANECAST_HIT` or
// `LANECAST_MISS` or why it was not cast, or a negative result if the call failed. `hit` is written
// if there is one.
//
// # Safety
// All pointers but `options` are as the types say, and that may be null.
int32_t lanecast_closest1_f32(const struct lanecast_scene *scene,
                              const struct lanecast_ray_f32 *ray,
                              const struct lanecast_options *options,
                              struct lanecast_hit_f32 *hit);

// The same at a scene of `double`.
//
// # Safety
// As for `lanecast_closest1_f32`.
int32_t lanecast_closest1_f64(const struct lanecast_scene *scene,
                              const struct lanecast_ray_f64 *ray,
                              const struct lanecast_options *options,
                              struct lanecast_hit_f64 *hit);

// The same with the normal of the hit, three numbers as in `lanecast_hits.normal`; it takes longer.
//
// # Safety
// As for `lanecast_closest1_f32`, and three numbers may be written to `normal`.
int32_t lanecast_closest1_with_normal_f32(const struct lanecast_scene *scene,
                                          const struct lanecast_ray_f32 *ray,
                                          const struct lanecast_options *options,
                                          struct lanecast_hit_f32 *hit,
                                          float *normal);

// The same at a scene of `double`.
//
// # Safety
// As for `lanecast_closest1_with_normal_f32`.
int32_t lanecast_closest1_with_normal_f64(const struct lanecast_scene *scene,
                                          const struct lanecast_ray_f64 *ray,
                                          const struct lanecast_options *options,
                                          struct lanecast_hit_f64 *hit,
                                          double *normal);

// Whether one ray hits anything, at a scene of `float`: as `lanecast_closest1_f32`.
//
// # Safety
// As for `lanecast_closest1_f32`.
int32_t lanecast_any1_f32(const struct lanecast_scene *scene,
                          const struct lanecast_ray_f32 *ray,
                          const struct lanecast_options *options);

// The same at a scene of `double`.
//
// # Safety
// As for `lanecast_closest1_f32`.
int32_t lanecast_any1_f64(const struct lanecast_scene *scene,
                          const struct lanecast_ray_f64 *ray,
                          const struct lanecast_options *options);

// The points and normals of the hits of rays: of `lanecast_closest_hit`, whose columns are read,
// all but `normal`; `instance_id` may be null if the scene has no instances. With `unit_normals`
// normals have length 1. `normals` lists meshes with normals at vertices, or is null.
//
// # Safety
// All pointers are null or as the types say, and the columns of `hits` were written.
lanecast_result lanecast_locate(const struct lanecast_scene *scene,
                                const struct lanecast_rays *rays,
                                const struct lanecast_hits *hits,
                                bool unit_normals,
                                const struct lanecast_vertex_normals *normals,
                                size_t normal_count,
                                const struct lanecast_options *options,
                                const struct lanecast_surface *surface);

// Makes so many threads, 1 to 1024; 1 is the calling thread itself. A call without threads uses all
// cores, by a pool that all such calls share.
//
// # Safety
// `threads` may be written.
lanecast_result lanecast_threads_new(size_t count, struct lanecast_threads **threads);

// Threads of the caller's own system of tasks, of which about `count` run at once: 1 to 1024. No
// thread is started. `user` is passed to `run`.
//
// # Safety
// `run` may be called by any thread, with `user`, until these threads are freed and no call uses
// them; `threads` may be written.
lanecast_result lanecast_threads_of_tasks(size_t count,
                                          lanecast_run_tasks run,
                                          void *user,
                                          struct lanecast_threads **threads);

// Frees threads, which end when no call uses them any more; nothing if null.
//
// # Safety
// They are null, or were made by `lanecast_threads_new` or `lanecast_threads_of_tasks`, and no call uses them afterwards.
void lanecast_threads_free(struct lanecast_threads *threads);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/* Vectors of three numbers that lie side by side, `stride` bytes from row to row: 12 or 24 where rows are such vectors and
 * nothing else, 0 for one vector for all rows. */
static inline lanecast_vectors lanecast_vectors_f32(const float *first, size_t stride) {
  lanecast_vectors vectors = {first, first + 1, first + 2, stride};
  return vectors;
}

static inline lanecast_vectors lanecast_vectors_f64(const double *first, size_t stride) {
  lanecast_vectors vectors = {first, first + 1, first + 2, stride};
  return vectors;
}

/* Rays that lie side by side. */
static inline lanecast_rays lanecast_rays_f32(const lanecast_ray_f32 *rays, size_t count) {
  size_t stride = sizeof(lanecast_ray_f32);
  lanecast_rays batch = {sizeof(lanecast_rays), LANECAST_F32, count, {NULL, NULL, NULL, 0}, {NULL, NULL, NULL, 0},
                         {NULL, 0}, {NULL, 0}, NULL};
  if (count > 0) {
    batch.origin = lanecast_vectors_f32(rays->origin, stride);
    batch.direction = lanecast_vectors_f32(rays->direction, stride);
    batch.t_min.data = &rays->t_min, batch.t_min.stride = stride;
    batch.t_max.data = &rays->t_max, batch.t_max.stride = stride;
  }
  return batch;
}

static inline lanecast_rays lanecast_rays_f64(const lanecast_ray_f64 *rays, size_t count) {
  size_t stride = sizeof(lanecast_ray_f64);
  lanecast_rays batch = {sizeof(lanecast_rays), LANECAST_F64, count, {NULL, NULL, NULL, 0}, {NULL, NULL, NULL, 0},
                         {NULL, 0}, {NULL, 0}, NULL};
  if (count > 0) {
    batch.origin = lanecast_vectors_f64(rays->origin, stride);
    batch.direction = lanecast_vectors_f64(rays->direction, stride);
    batch.t_min.data = &rays->t_min, batch.t_min.stride = stride;
    batch.t_max.data = &rays->t_max, batch.t_max.stride = stride;
  }
  return batch;
}

/* A place for answers that lie `stride` bytes from row to row. */
static inline lanecast_answers lanecast_answers_at(void *first, size_t stride) {
  lanecast_answers answers = {first, stride};
  return answers;
}

#endif
