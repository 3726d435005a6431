// What lanecast.h declares, as it lies in memory of 32 bits. Made of it by
// `LANECAST_WRITE_ABI=1 cargo test -p lanecast-wasm`: change it there.

export const INVALID_ID = 0xffffffff;
export const MISS = 0;
export const HIT = 1;
export const INVALID_ORIGIN = 2;
export const INVALID_DIRECTION = 3;
export const ZERO_DIRECTION = 4;
export const DIRECTION_OUT_OF_RANGE = 5;
export const INVALID_INTERVAL = 6;
export const EMPTY_INTERVAL = 7;
export const OK = 0;
export const INVALID_ARGUMENT = -1;
export const INVALID_INPUT = -2;
export const UNKNOWN_ID = -3;
export const UNANSWERABLE = -4;
export const STOPPED = -5;
export const FILE_ERROR = -6;
export const OUT_OF_RESOURCES = -7;
export const IN_USE = -8;
export const PANIC = -9;
export const F32 = 1;
export const F64 = 2;
export const SPREAD_COSINE = 0;
export const SPREAD_UNIFORM = 1;
export const CULL_NONE = 0;
export const CULL_BACK = 1;
export const CULL_FRONT = 2;
export const CONTACT_CROSSING = 0;
export const CONTACT_TOUCH = 1;
export const COHERENCE_DETECT = 0;
export const COHERENT = 1;
export const INCOHERENT = 2;
export const BACKEND_BEST = 0;
export const BACKEND_PORTABLE = 1;
export const BACKEND_AVX2 = 2;
export const BACKEND_AVX512 = 3;
export const FRONT = 0;
export const BACK = 1;
export const PICK_ALL = 0;
export const PICK_ONE_PER_GEOMETRY = 1;
export const PICK_NEAREST = 2;
export const REGION_BOX = 1;
export const REGION_SPHERE = 2;
export const REGION_PLANES = 3;
export const KEEP_STRONGEST = 0;
export const KEEP_FIRST = 1;
export const KEEP_LAST = 2;
export const KEEP_ALL = 3;
export const QUALITY_BALANCED = 0;
export const QUALITY_FAST = 1;
export const QUALITY_HIGH = 2;

/** A number, a struct, or so many of either: at an offset in bytes. */
export type Field = "u8" | "u16" | "i32" | "u32" | "u64" | "f32" | "f64" | Layout | readonly [Field, number];
export interface Layout {
  readonly size: number;
  readonly fields: Readonly<Record<string, readonly [number, Field]>>;
}

export const build_options = {
  size: 40,
  fields: {
    size: [0, "u32"],
    threads: [4, "u32"],
    watch: [8, "u32"],
    watch_user: [12, "u32"],
    quality: [16, "i32"],
    backend: [20, "i32"],
    weld: [24, "u8"],
    weld_tolerance: [32, "f64"],
  },
} as const satisfies Layout;

export const rows = {
  size: 12,
  fields: {
    data: [0, "u32"],
    count: [4, "u32"],
    stride: [8, "u32"],
  },
} as const satisfies Layout;

export const moved_mesh = {
  size: 16,
  fields: {
    geometry_id: [0, "u32"],
    vertices: [4, rows],
  },
} as const satisfies Layout;

export const instance = {
  size: 104,
  fields: {
    scene: [0, "u32"],
    transform: [8, ["f64", 12]],
  },
} as const satisfies Layout;

export const bytes_view = {
  size: 8,
  fields: {
    data: [0, "u32"],
    count: [4, "u32"],
  },
} as const satisfies Layout;

export const surface_point = {
  size: 72,
  fields: {
    t: [0, "f64"],
    u: [8, "f64"],
    v: [16, "f64"],
    normal: [24, ["f64", 3]],
    point: [48, ["f64", 3]],
  },
} as const satisfies Layout;

export const primitives = {
  size: 28,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    user: [8, "u32"],
    bounds: [12, "u32"],
    intersect: [16, "u32"],
    nearest: [20, "u32"],
    is_closed: [24, "u8"],
  },
} as const satisfies Layout;

export const column = {
  size: 8,
  fields: {
    data: [0, "u32"],
    stride: [4, "u32"],
  },
} as const satisfies Layout;

export const hit_lists_view = {
  size: 64,
  fields: {
    rows: [0, "u32"],
    status: [4, "u32"],
    offsets: [8, "u32"],
    hits: [12, "u32"],
    t: [16, column],
    u: [24, column],
    v: [32, column],
    primitive_id: [40, column],
    geometry_id: [48, column],
    instance_id: [56, column],
  },
} as const satisfies Layout;

export const point_lists_view = {
  size: 72,
  fields: {
    rows: [0, "u32"],
    status: [4, "u32"],
    offsets: [8, "u32"],
    points: [12, "u32"],
    distance: [16, column],
    point: [24, column],
    u: [32, column],
    v: [40, column],
    primitive_id: [48, column],
    geometry_id: [56, column],
    instance_id: [64, column],
  },
} as const satisfies Layout;

export const lidar_pattern = {
  size: 72,
  fields: {
    size: [0, "u32"],
    beams: [4, rows],
    steps: [16, "u32"],
    turns: [20, "u32"],
    seconds: [24, "f64"],
    start: [32, "f64"],
    sector: [40, ["f64", 2]],
    poses: [56, rows],
  },
} as const satisfies Layout;

export const answers = {
  size: 8,
  fields: {
    data: [0, "u32"],
    stride: [4, "u32"],
  },
} as const satisfies Layout;

export const utc = {
  size: 16,
  fields: {
    year: [0, "u16"],
    month: [2, "u8"],
    day: [3, "u8"],
    hour: [4, "u8"],
    minute: [5, "u8"],
    second: [8, "f64"],
  },
} as const satisfies Layout;

export const vectors = {
  size: 16,
  fields: {
    x: [0, "u32"],
    y: [4, "u32"],
    z: [8, "u32"],
    stride: [12, "u32"],
  },
} as const satisfies Layout;

export const rays = {
  size: 64,
  fields: {
    size: [0, "u32"],
    precision: [4, "i32"],
    count: [8, "u32"],
    origin: [12, vectors],
    direction: [28, vectors],
    t_min: [44, column],
    t_max: [52, column],
    maker: [60, "u32"],
  },
} as const satisfies Layout;

export const hit_f64 = {
  size: 40,
  fields: {
    t: [0, "f64"],
    u: [8, "f64"],
    v: [16, "f64"],
    primitive_id: [24, "u32"],
    geometry_id: [28, "u32"],
    instance_id: [32, "u32"],
  },
} as const satisfies Layout;

export const options = {
  size: 80,
  fields: {
    size: [0, "u32"],
    threads: [4, "u32"],
    watch: [8, "u32"],
    watch_user: [12, "u32"],
    backend: [16, "i32"],
    brute_force: [20, "u8"],
    coherence: [24, "i32"],
    culling: [28, "i32"],
    cullings: [32, "u32"],
    masks: [36, "u32"],
    mask: [40, "u32"],
    skip_geometry_ids: [44, "u32"],
    skip_primitive_ids: [48, "u32"],
    skip_instance_ids: [52, "u32"],
    filter: [56, "u32"],
    filter_user: [60, "u32"],
    contact: [64, "i32"],
    generalised_winding: [72, "f64"],
  },
} as const satisfies Layout;

export const pick = {
  size: 144,
  fields: {
    hit: [0, hit_f64],
    point: [40, ["f64", 3]],
    normal: [64, ["f64", 3]],
    local_point: [88, ["f64", 3]],
    local_normal: [112, ["f64", 3]],
    instance_path: [136, "u32"],
    depth: [140, "u32"],
  },
} as const satisfies Layout;

export const picks_view = {
  size: 8,
  fields: {
    count: [0, "u32"],
    picks: [4, "u32"],
  },
} as const satisfies Layout;

export const points = {
  size: 28,
  fields: {
    size: [0, "u32"],
    precision: [4, "i32"],
    count: [8, "u32"],
    position: [12, vectors],
  },
} as const satisfies Layout;

export const closest_points = {
  size: 80,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    distance: [16, answers],
    point: [24, answers],
    primitive_id: [32, answers],
    geometry_id: [40, answers],
    instance_id: [48, answers],
    u: [56, answers],
    v: [64, answers],
    normal: [72, answers],
  },
} as const satisfies Layout;

export const values = {
  size: 24,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    value: [16, answers],
  },
} as const satisfies Layout;

export const grid = {
  size: 64,
  fields: {
    origin: [0, ["f64", 3]],
    spacing: [24, ["f64", 3]],
    counts: [48, ["u32", 3]],
  },
} as const satisfies Layout;

export const hits = {
  size: 72,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    t: [16, answers],
    primitive_id: [24, answers],
    geometry_id: [32, answers],
    instance_id: [40, answers],
    u: [48, answers],
    v: [56, answers],
    normal: [64, answers],
  },
} as const satisfies Layout;

export const counts = {
  size: 24,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    hits: [16, answers],
  },
} as const satisfies Layout;

export const costs = {
  size: 48,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    nodes: [16, answers],
    boxes: [24, answers],
    leaves: [32, answers],
    primitives: [40, answers],
  },
} as const satisfies Layout;

export const primitive_list_view = {
  size: 28,
  fields: {
    count: [0, "u32"],
    primitive_id: [4, column],
    geometry_id: [12, column],
    instance_id: [20, column],
  },
} as const satisfies Layout;

export const receiver = {
  size: 64,
  fields: {
    size: [0, "u32"],
    seed: [8, "u64"],
    range_noise: [16, ["f64", 2]],
    reference_range: [32, "f64"],
    resolution: [40, "f64"],
    keep: [48, "i32"],
    first_pulse: [52, "u32"],
    weights: [56, "u32"],
    weight_count: [60, "u32"],
  },
} as const satisfies Layout;

export const return_lists_view = {
  size: 76,
  fields: {
    rays: [0, "u32"],
    status: [4, "u32"],
    rows: [8, "u32"],
    offsets: [12, "u32"],
    returns: [16, "u32"],
    distance: [20, column],
    point: [28, column],
    number: [36, column],
    count: [44, column],
    primitive_id: [52, column],
    geometry_id: [60, column],
    instance_id: [68, column],
  },
} as const satisfies Layout;

export const scene_facts = {
  size: 80,
  fields: {
    size: [0, "u32"],
    precision: [4, "i32"],
    geometry_count: [8, "u32"],
    triangle_count: [12, "u32"],
    primitive_count: [16, "u32"],
    instance_count: [20, "u32"],
    instance_id_count: [24, "u32"],
    bounds: [32, ["f64", 6]],
  },
} as const satisfies Layout;

export const sight_lines = {
  size: 56,
  fields: {
    size: [0, "u32"],
    precision: [4, "i32"],
    observers: [8, rows],
    targets: [20, rows],
    shortened: [32, "f64"],
    observer_geometry_ids: [40, "u32"],
    observer_primitive_ids: [44, "u32"],
    target_geometry_ids: [48, "u32"],
    target_primitive_ids: [52, "u32"],
  },
} as const satisfies Layout;

export const ray_f32 = {
  size: 32,
  fields: {
    origin: [0, ["f32", 3]],
    direction: [12, ["f32", 3]],
    t_min: [24, "f32"],
    t_max: [28, "f32"],
  },
} as const satisfies Layout;

export const hit_f32 = {
  size: 24,
  fields: {
    t: [0, "f32"],
    u: [4, "f32"],
    v: [8, "f32"],
    primitive_id: [12, "u32"],
    geometry_id: [16, "u32"],
    instance_id: [20, "u32"],
  },
} as const satisfies Layout;

export const ray_f64 = {
  size: 64,
  fields: {
    origin: [0, ["f64", 3]],
    direction: [24, ["f64", 3]],
    t_min: [48, "f64"],
    t_max: [56, "f64"],
  },
} as const satisfies Layout;

export const vertex_normals = {
  size: 32,
  fields: {
    scene: [0, "u32"],
    geometry_id: [4, "u32"],
    triangles: [8, rows],
    normals: [20, rows],
  },
} as const satisfies Layout;

export const surface = {
  size: 40,
  fields: {
    size: [0, "u32"],
    count: [4, "u32"],
    status: [8, answers],
    point: [16, answers],
    geometric_normal: [24, answers],
    shading_normal: [32, answers],
  },
} as const satisfies Layout;

/** Structs are passed by a pointer to them. */
export interface Functions {
  lanecast_last_error(): number;
  lanecast_version(): number;
  lanecast_add(scene: number, geometries: number, count: number, options: number, ids: number): number;
  lanecast_replace(scene: number, geometry_ids: number, geometries: number, count: number, options: number): number;
  lanecast_remove(scene: number, geometry_ids: number, count: number, options: number): number;
  lanecast_refit(scene: number, meshes: number, count: number, options: number): number;
  lanecast_rebuild(scene: number, options: number): number;
  lanecast_copy(scene: number, options: number, copy: number): number;
  lanecast_add_instances(scene: number, instances: number, count: number, numbers: number): number;
  lanecast_remove_instances(scene: number, instances: number, count: number): number;
  lanecast_save(scene: number, path: number, watch: number, user: number): number;
  lanecast_open(path: number, watch: number, user: number, scene: number): number;
  lanecast_to_bytes(scene: number, watch: number, user: number, bytes: number): number;
  lanecast_bytes_get(bytes: number, view: number): number;
  lanecast_bytes_free(bytes: number): void;
  lanecast_from_bytes(bytes: number, count: number, watch: number, user: number, scene: number): number;
  lanecast_check(scene: number, watch: number, user: number): number;
  lanecast_triangles(precision: number, vertices: number, triangles: number, geometry: number): number;
  lanecast_deformable_triangles(precision: number, vertices: number, triangles: number, geometry: number): number;
  lanecast_quads(precision: number, vertices: number, quads: number, geometry: number): number;
  lanecast_boxes(precision: number, boxes: number, geometry: number): number;
  lanecast_oriented_boxes(precision: number, oriented_boxes: number, geometry: number): number;
  lanecast_spheres(precision: number, spheres: number, geometry: number): number;
  lanecast_round_cones(precision: number, round_cones: number, geometry: number): number;
  lanecast_cylinders(precision: number, cylinders: number, geometry: number): number;
  lanecast_height_field(precision: number, heights: number, rows: number, columns: number, origin: number, spacing: number, geometry: number): number;
  lanecast_signed_distance_field(precision: number, callback: number, user: number, bounds: number, lipschitz: number, tolerance: number, geometry: number): number;
  lanecast_own_primitives(precision: number, primitives: number, geometry: number): number;
  lanecast_geometry_free(geometry: number): void;
  lanecast_hit_lists_get(lists: number, view: number): number;
  lanecast_hit_lists_free(lists: number): void;
  lanecast_point_lists_get(lists: number, view: number): number;
  lanecast_point_lists_free(lists: number): void;
  lanecast_pinhole(eye: number, target: number, up: number, field_of_view: number, width: number, height: number, maker: number): number;
  lanecast_pinhole_of_matrices(intrinsic: number, extrinsic: number, width: number, height: number, maker: number): number;
  lanecast_panorama(eye: number, forward: number, up: number, width: number, height: number, maker: number): number;
  lanecast_orthographic(eye: number, target: number, up: number, picture_height: number, width: number, height: number, maker: number): number;
  lanecast_ray_grid(corner: number, edges: number, direction: number, width: number, height: number, maker: number): number;
  lanecast_lidar(pattern: number, maker: number): number;
  lanecast_lidar_pulses(maker: number, count: number, time: number, beam: number, azimuth: number): number;
  lanecast_footprint(beams: number, divergence: number, rays: number, maker: number): number;
  lanecast_footprint_weights(maker: number, count: number, weights: number): number;
  lanecast_hemisphere(precision: number, points: number, normals: number, directions: number, spread: number, seed: bigint, maker: number): number;
  lanecast_sunlight(precision: number, points: number, directions: number, maker: number): number;
  lanecast_sun_direction(time: number, latitude: number, longitude: number, direction: number): number;
  lanecast_maker_count(maker: number, count: number): number;
  lanecast_make_rays(maker: number, precision: number, first: number, count: number, origin: number, direction: number): number;
  lanecast_maker_free(maker: number): void;
  lanecast_pick_hits(scene: number, ray: number, limit: number, options: number, picks: number): number;
  lanecast_picks_get(picks: number, view: number): number;
  lanecast_picks_free(picks: number): void;
  lanecast_closest_point(scene: number, points: number, radius: number, options: number, closest: number): number;
  lanecast_distance(scene: number, points: number, options: number, values: number): number;
  lanecast_signed_distance(scene: number, points: number, options: number, values: number): number;
  lanecast_contains(scene: number, points: number, options: number, values: number): number;
  lanecast_winding_number(scene: number, points: number, accuracy: number, options: number, values: number): number;
  lanecast_nearest_points(scene: number, points: number, count: number, radius: number, options: number, lists: number): number;
  lanecast_points_within(scene: number, points: number, radius: number, options: number, lists: number): number;
  lanecast_occupancy(scene: number, grid: number, options: number, occupied: number, cells: number): number;
  lanecast_closest_hit(scene: number, rays: number, options: number, hits: number): number;
  lanecast_farthest_hit(scene: number, rays: number, options: number, hits: number): number;
  lanecast_line_hits(scene: number, lines: number, options: number, ahead: number, behind: number): number;
  lanecast_any_hit(scene: number, rays: number, options: number, count: number, status: number): number;
  lanecast_count_hits(scene: number, rays: number, options: number, counts: number): number;
  lanecast_signed_count(scene: number, rays: number, options: number, values: number): number;
  lanecast_cost(scene: number, rays: number, options: number, costs: number): number;
  lanecast_all_hits(scene: number, rays: number, options: number, lists: number): number;
  lanecast_nearest_hits(scene: number, rays: number, limit: number, options: number, lists: number): number;
  lanecast_overlaps_any(scene: number, kind: number, numbers: number, count: number, options: number): number;
  lanecast_overlap(scene: number, kind: number, numbers: number, count: number, options: number, list: number): number;
  lanecast_primitive_list_get(list: number, view: number): number;
  lanecast_primitive_list_free(list: number): void;
  lanecast_lidar_returns(scene: number, rays: number, receiver: number, options: number, lists: number): number;
  lanecast_return_lists_get(lists: number, view: number): number;
  lanecast_return_lists_free(lists: number): void;
  lanecast_build(precision: number, geometries: number, geometry_count: number, instances: number, instance_count: number, options: number, scene: number): number;
  lanecast_scene_free(scene: number): void;
  lanecast_scene_get_facts(scene: number, facts: number): number;
  lanecast_scene_set_mask(scene: number, geometry_id: number, mask: number): number;
  lanecast_scene_set_instance_mask(scene: number, instance: number, mask: number): number;
  lanecast_scene_set_user_data(scene: number, geometry_id: number, user_data: bigint): number;
  lanecast_scene_get_geometry(scene: number, geometry_id: number, mask: number, user_data: number): number;
  lanecast_scene_get_transform(scene: number, instance: number, transform: number): number;
  lanecast_scene_get_instance_path(scene: number, instance_id: number, path: number, room: number, depth: number): number;
  lanecast_set_transforms(scene: number, instances: number, transforms: number, count: number): number;
  lanecast_sight(scene: number, lines: number, options: number, words: number, word_count: number): number;
  lanecast_first_obstacle(scene: number, lines: number, observer: number, target: number, options: number, hit: number): number;
  lanecast_closest1_f32(scene: number, ray: number, options: number, hit: number): number;
  lanecast_closest1_f64(scene: number, ray: number, options: number, hit: number): number;
  lanecast_closest1_with_normal_f32(scene: number, ray: number, options: number, hit: number, normal: number): number;
  lanecast_closest1_with_normal_f64(scene: number, ray: number, options: number, hit: number, normal: number): number;
  lanecast_any1_f32(scene: number, ray: number, options: number): number;
  lanecast_any1_f64(scene: number, ray: number, options: number): number;
  lanecast_locate(scene: number, rays: number, hits: number, unit_normals: number, normals: number, normal_count: number, options: number, surface: number): number;
  lanecast_threads_new(count: number, threads: number): number;
  lanecast_threads_of_tasks(count: number, run: number, user: number, threads: number): number;
  lanecast_threads_free(threads: number): void;
}
