/* What functions refuse: for each function every argument that cannot be, the result that the header names for it, and a
 * message that names the argument. The tests are in `faults_of_*.h`.
 *
 * The table at the end has a line for each function of the header; `c.rs` fails if one is missing. */

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "faults_common.h"
#include "faults_of_geometries.h"
#include "faults_of_makers.h"
#include "faults_of_points.h"
#include "faults_of_rays.h"
#include "faults_of_scenes.h"

static const struct {
    const char *function;
    void (*test)(void);
} tests[] = {
    {"lanecast_last_error", of_last_error},
    {"lanecast_version", of_version},
    {"lanecast_add", of_add},
    {"lanecast_replace", of_replace},
    {"lanecast_remove", of_remove},
    {"lanecast_refit", of_refit},
    {"lanecast_rebuild", of_rebuild},
    {"lanecast_copy", of_copy},
    {"lanecast_add_instances", of_add_instances},
    {"lanecast_remove_instances", of_remove_instances},
    {"lanecast_save", of_save},
    {"lanecast_open", of_open},
    {"lanecast_to_bytes", of_bytes},
    {"lanecast_bytes_get", of_bytes},
    {"lanecast_bytes_free", of_bytes},
    {"lanecast_from_bytes", of_bytes},
    {"lanecast_check", of_check},
    {"lanecast_triangles", of_triangles},
    {"lanecast_deformable_triangles", of_deformable_triangles},
    {"lanecast_quads", of_quads},
    {"lanecast_boxes", of_boxes},
    {"lanecast_oriented_boxes", of_oriented_boxes},
    {"lanecast_spheres", of_spheres},
    {"lanecast_round_cones", of_round_cones},
    {"lanecast_cylinders", of_cylinders},
    {"lanecast_height_field", of_height_field},
    {"lanecast_signed_distance_field", of_signed_distance_field},
    {"lanecast_own_primitives", of_own_primitives},
    {"lanecast_geometry_free", of_frees},
    {"lanecast_all_hits", of_all_hits},
    {"lanecast_nearest_hits", of_nearest_hits},
    {"lanecast_hit_lists_get", of_hit_lists_get},
    {"lanecast_hit_lists_free", of_frees},
    {"lanecast_pick_hits", of_pick_hits},
    {"lanecast_picks_get", of_picks_get},
    {"lanecast_picks_free", of_frees},
    {"lanecast_lidar_returns", of_lidar_returns},
    {"lanecast_return_lists_get", of_return_lists_get},
    {"lanecast_return_lists_free", of_frees},
    {"lanecast_nearest_points", of_nearest_points},
    {"lanecast_points_within", of_points_within},
    {"lanecast_point_lists_get", of_point_lists_get},
    {"lanecast_point_lists_free", of_frees},
    {"lanecast_closest_point", of_closest_point},
    {"lanecast_distance", of_distance},
    {"lanecast_signed_distance", of_signed_distance},
    {"lanecast_contains", of_contains},
    {"lanecast_winding_number", of_winding_number},
    {"lanecast_occupancy", of_occupancy},
    {"lanecast_closest_hit", of_closest_hit},
    {"lanecast_farthest_hit", of_farthest_hit},
    {"lanecast_any_hit", of_any_hit},
    {"lanecast_count_hits", of_count_hits},
    {"lanecast_signed_count", of_signed_count},
    {"lanecast_cost", of_cost},
    {"lanecast_overlaps_any", of_overlaps_any},
    {"lanecast_overlap", of_overlap},
    {"lanecast_primitive_list_get", of_primitive_list_get},
    {"lanecast_primitive_list_free", of_frees},
    {"lanecast_build", of_build},
    {"lanecast_scene_free", of_frees},
    {"lanecast_scene_get_facts", of_scene_get_facts},
    {"lanecast_scene_set_mask", of_scene_set_mask},
    {"lanecast_scene_set_instance_mask", of_scene_set_instance_mask},
    {"lanecast_scene_set_user_data", of_scene_set_user_data},
    {"lanecast_scene_get_geometry", of_scene_get_geometry},
    {"lanecast_scene_get_transform", of_scene_get_transform},
    {"lanecast_set_transforms", of_set_transforms},
    {"lanecast_sight", of_sight},
    {"lanecast_first_obstacle", of_first_obstacle},
    {"lanecast_closest1_f32", of_closest1_f32},
    {"lanecast_closest1_f64", of_closest1_f64},
    {"lanecast_any1_f32", of_any1_f32},
    {"lanecast_any1_f64", of_any1_f64},
    {"lanecast_closest1_with_normal_f32", of_closest1_with_normal_f32},
    {"lanecast_closest1_with_normal_f64", of_closest1_with_normal_f64},
    {"lanecast_line_hits", of_line_hits},
    {"lanecast_locate", of_locate},
    {"lanecast_scene_get_instance_path", of_scene_get_instance_path},
    {"lanecast_pinhole", of_pinhole},
    {"lanecast_pinhole_of_matrices", of_pinhole_of_matrices},
    {"lanecast_panorama", of_panorama},
    {"lanecast_orthographic", of_orthographic},
    {"lanecast_ray_grid", of_ray_grid},
    {"lanecast_lidar", of_lidar},
    {"lanecast_lidar_pulses", of_lidar_pulses},
    {"lanecast_footprint", of_footprint},
    {"lanecast_footprint_weights", of_footprint_weights},
    {"lanecast_hemisphere", of_hemisphere},
    {"lanecast_sunlight", of_sunlight},
    {"lanecast_sun_direction", of_sun_direction},
    {"lanecast_maker_count", of_maker_count},
    {"lanecast_make_rays", of_make_rays},
    {"lanecast_maker_free", of_frees},
    {"lanecast_threads_new", of_threads_new},
    {"lanecast_threads_of_tasks", of_threads_of_tasks},
    {"lanecast_threads_free", of_frees},
};

int main(void)
{
    /* No call has failed yet. */
    CHECK_INT(strlen(lanecast_last_error()), 0);
    set_up();
    for (size_t k = 0; k < LENGTH(tests); k++) {
        const int before = atomic_load(&check_failures);
        tests[k].test();
        if (atomic_load(&check_failures) != before) {
            fprintf(stderr, "^ %s\n", tests[k].function);
        }
    }
    counts_beyond_memory();
    tear_down();
    return check_result();
}
