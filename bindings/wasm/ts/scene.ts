// Scenes: what they are asked, and how they change.

import * as abi from "./abi.js";
import {
  type ClosestPoints,
  type ColumnOptions,
  type Columns,
  columns,
  type Costs,
  type Counts,
  type Floats,
  type HitLists,
  type Hits,
  type PickedHit,
  Places,
  type PointLists,
  type Returns,
  SightMatrix,
  strided,
  type Values,
} from "./answers.js";
import { codeOf, expectLength, geometry, type Geometry, instances, type Instance, type Precision, rowsOf, typeOf, type Vector } from "./content.js";
import type { Engine } from "./engine.js";
import { freed, id, inScratch, type Numbers, refuse, type Scratch } from "./module.js";
import {
  type BuildOptions,
  buildOptions,
  type CallOptions,
  type CountOptions,
  type Hit,
  hitOf,
  type InsideOptions,
  options as optionsOf,
  type PointOptions,
  type RayOptions,
  watch,
} from "./options.js";
import { column, oneOf, type Rays, rays as raysOf, vectors } from "./rays.js";

export type HitColumn = keyof typeof columns.hits;
export type HitOptions = RayOptions & ColumnOptions<HitColumn>;
export type ClosestPointOptions = PointOptions & ColumnOptions<keyof typeof columns.closestPoints> & Radius;

interface Radius {
  /** Of all points, or one for each. */
  readonly radius?: number | Numbers;
}

/** The points of a regular grid: (x, y, z) is origin + (x, y, z) · spacing, x from 0 to below `counts[0]` and so on. */
export interface Grid {
  readonly origin: Vector;
  readonly spacing: Vector;
  readonly counts: readonly [number, number, number];
}

/** What overlaps a box, a ball or the inside of planes, of which a·x + b·y + c·z + d ≥ 0 is inside. */
export type Region =
  | { readonly kind: "box"; readonly min: Vector; readonly max: Vector }
  | { readonly kind: "sphere"; readonly center: Vector; readonly radius: number }
  | { readonly kind: "planes"; readonly planes: ArrayLike<number> };

export interface RegionOptions {
  readonly bruteForce?: boolean;
  readonly mask?: number;
}

/** Primitives, by ascending ids. */
export interface Primitives {
  readonly primitiveId: Uint32Array;
  readonly geometryId: Uint32Array;
  readonly instanceId: Uint32Array;
}

export interface SightOptions extends RayOptions {
  /** The part of each line that is left out at both ends, from 0 to below 0.5. */
  readonly shorten?: number;
  /** The primitives on which they lie, which hide nothing. */
  readonly observersOn?: { readonly geometryId: Numbers; readonly primitiveId: Numbers };
  readonly targetsOn?: { readonly geometryId: Numbers; readonly primitiveId: Numbers };
}

/** What loses and blurs the measurements of a scanner; as it is described in the package `lanecast-makers`. */
export interface Receiver {
  /** Of the random numbers, which depend on it, on the number of the pulse and on nothing else. */
  readonly seed?: bigint;
  /** The standard deviation of distances: constant, and for each unit of distance. */
  readonly rangeNoise?: readonly [number, number];
  /** What meets a surface head-on up to this range is surely received, and beyond that, or aslant, less and less. */
  readonly referenceRange?: number;
  /** Returns of a pulse are at least so far apart. */
  readonly resolution?: number;
  readonly keep?: "strongest" | "first" | "last" | "all";
  /** The number of the first pulse, where a scan is cast in parts. */
  readonly firstPulse?: number;
  /** The shares of its energy of the rays of a pulse. A `footprint` knows them; else each ray is a pulse. */
  readonly weights?: Numbers;
}

const limits = { all: abi.PICK_ALL, onePerGeometry: abi.PICK_ONE_PER_GEOMETRY, nearest: abi.PICK_NEAREST };
const keeps = { strongest: abi.KEEP_STRONGEST, first: abi.KEEP_FIRST, last: abi.KEEP_LAST, all: abi.KEEP_ALL };

/** Options of answers in columns, which are none of C. */
const ofColumns = ["normals", "columns", "into"];

/** What a scene is made of. */
export interface Facts {
  readonly precision: Precision;
  readonly geometryCount: number;
  readonly triangleCount: number;
  readonly primitiveCount: number;
  readonly instanceCount: number;
  readonly bounds: { readonly min: [number, number, number]; readonly max: [number, number, number] };
}

/** New vertices of a deformable mesh. */
export interface Moved {
  readonly geometryId: number;
  readonly vertices: Numbers;
}

/**
 * Triangles, other shapes and instances of other scenes, with a tree for queries. `free` gives its memory back; else that is
 * done some time after nobody has it.
 */
export class Scene {
  /** Functions of signed distances, also of placed scenes. */
  readonly #kept: number[];
  #pointer: number;
  #facts: Facts | undefined;

  /** @internal */
  constructor(
    readonly engine: Engine,
    pointer: number,
    kept: number[],
    placed: readonly Instance[] = [],
  ) {
    [this.#pointer, this.#kept] = [pointer, kept];
    this.#keep(placed);
    freed.register(this, () => end(engine, pointer, kept), this);
  }

  /** @internal */
  get pointer(): number {
    if (this.#pointer === 0) refuse("scene", "it was freed");
    return this.#pointer;
  }

  free(): void {
    if (this.#pointer !== 0) end(this.engine, this.#pointer, this.#kept);
    this.#pointer = 0;
    freed.unregister(this);
  }

  get facts(): Facts {
    return (this.#facts ??= inScratch(this.engine.module, (scratch) => {
      const place = scratch.struct(abi.scene_facts, {});
      this.engine.call((functions) => functions.lanecast_scene_get_facts(this.pointer, place));
      const { precision, geometry_count, triangle_count, primitive_count, instance_count, bounds } = scratch.read(abi.scene_facts, place);
      const corner = (first: number) => bounds.slice(first, first + 3) as [number, number, number];
      return {
        precision: precision === abi.F64 ? "f64" : "f32",
        geometryCount: geometry_count,
        triangleCount: triangle_count,
        primitiveCount: primitive_count,
        instanceCount: instance_count,
        bounds: { min: corner(0), max: corner(3) },
      };
    }));
  }

  get precision(): Precision {
    return this.facts.precision;
  }

  // --- Rays ---

  /** The first hit of each ray. At equal t the lowest ids win. */
  closestHit(rays: Rays, options: HitOptions = {}): Hits {
    return this.#hits("lanecast_closest_hit", rays, options);
  }

  /** The last hit of each ray. */
  farthestHit(rays: Rays, options: HitOptions = {}): Hits {
    return this.#hits("lanecast_farthest_hit", rays, options);
  }

  /** The hits nearest to the origin of each line on either side, within the interval, which is here all of the line. */
  lineHits(lines: Rays, options: RayOptions & { readonly normals?: boolean } = {}): { ahead: Hits; behind: Hits } {
    const ask = (scratch: Scratch, pointer: number, count: number, given: number) => {
      const side = () => this.#places(scratch, columns.hits, count, options);
      const [ahead, behind] = [side(), side()];
      const [to, back] = [ahead, behind].map((places) => scratch.struct(abi.hits, { count, ...places.values }));
      this.engine.call((functions) => functions.lanecast_line_hits(this.pointer, pointer, given, to!, back!));
      return { ahead: ahead.taken() as unknown as Hits, behind: behind.taken() as unknown as Hits };
    };
    return this.#ofRays(lines, options, ask, ["normals"]);
  }

  /** Whether each ray hits anything: `HIT`, `MISS` or why it was not cast. */
  anyHit(rays: Rays, options: RayOptions = {}): Uint8Array {
    return this.#ofRays(rays, options, (scratch, pointer, count, given) => {
      const places = this.#places(scratch, { status: "status" }, count);
      const place = scratch.struct(abi.answers, places.values["status"]!);
      this.engine.call((functions) => functions.lanecast_any_hit(this.pointer, pointer, given, count, place));
      return places.taken()["status"] as Uint8Array;
    });
  }

  /** The number of hits of each ray. */
  countHits(rays: Rays, options: CountOptions = {}): Counts {
    return this.#ofRays(rays, options, (scratch, pointer, count, given) =>
      this.#written<Counts>(scratch, columns.counts, abi.counts, count, (functions, to) =>
        functions.lanecast_count_hits(this.pointer, pointer, given, to),
      ),
    );
  }

  /** How much deeper each ray is inside at its end than at its start: hits at fronts less those at backs. */
  signedCount(rays: Rays, options: CountOptions = {}): Values<Int32Array> {
    return this.#ofRays(rays, options, (scratch, pointer, count, given) =>
      this.#written<Values<Int32Array>>(scratch, columns.signed, abi.values, count, (functions, to) =>
        functions.lanecast_signed_count(this.pointer, pointer, given, to),
      ),
    );
  }

  /** What the search for the closest hit of each ray costs. */
  cost(rays: Rays, options: RayOptions = {}): Costs {
    return this.#ofRays(rays, options, (scratch, pointer, count, given) =>
      this.#written<Costs>(scratch, columns.costs, abi.costs, count, (functions, to) =>
        functions.lanecast_cost(this.pointer, pointer, given, to),
      ),
    );
  }

  /** All hits of each ray, nearest first. */
  allHits(rays: Rays, options: CountOptions = {}): HitLists {
    return this.#ofRays(rays, options, (scratch, pointer, _count, given) =>
      this.#hitLists(scratch, (functions, place) => functions.lanecast_all_hits(this.pointer, pointer, given, place)),
    );
  }

  /** The nearest `limit` hits of each ray, nearest first. */
  nearestHits(rays: Rays, limit: number, options: CountOptions = {}): HitLists {
    return this.#ofRays(rays, options, (scratch, pointer, _count, given) =>
      this.#hitLists(scratch, (functions, place) =>
        functions.lanecast_nearest_hits(this.pointer, pointer, id("limit", limit), given, place),
      ),
    );
  }

  /** The hits of one ray, nearest first, each with points and normals. A ray that cannot be cast is an error. */
  pick(ray: Rays, options: CountOptions & { readonly limit?: "all" | "onePerGeometry" | "nearest" } = {}): PickedHit[] {
    const { limit = "all", ...others } = options;
    return this.#ofRays(ray, others, (scratch, pointer, _count, given) => {
      const { engine } = this;
      const picks = engine.lent(scratch, engine.functions.lanecast_picks_free, (place) =>
        engine.functions.lanecast_pick_hits(this.pointer, pointer, oneOf("limit", limit, limits), given, place),
      );
      const place = scratch.struct(abi.picks_view, {});
      engine.call((functions) => functions.lanecast_picks_get(picks, place));
      const { count, picks: first } = scratch.read(abi.picks_view, place);
      return Array.from({ length: count }, (_, index): PickedHit => {
        const pick = scratch.read(abi.pick, first + index * abi.pick.size);
        return {
          ...hitOf(pick.hit),
          point: pick.point,
          normal: pick.normal,
          localPoint: pick.local_point,
          localNormal: pick.local_normal,
          // Where there is none the address means nothing.
          instancePath: pick.depth === 0 ? [] : [...new Uint32Array(engine.module.buffer, pick.instance_path, pick.depth)],
        };
      });
    });
  }

  /** What a scanner measures: the returns of pulses, whose rays have directions of length 1. */
  lidarReturns(rays: Rays, receiver: Receiver = {}, options: RayOptions = {}): Returns {
    return this.#ofRays(rays, options, (scratch, pointer, _count, given) => {
      const { engine, precision } = this;
      const { weights = [], referenceRange = Infinity } = receiver;
      // To C 0 stands for infinity.
      if (referenceRange === 0) refuse("referenceRange", "it is 0; it must be above 0");
      const by = scratch.struct(abi.receiver, {
        seed: receiver.seed ?? 0n,
        range_noise: expectLength("rangeNoise", receiver.rangeNoise ?? [0, 0], 2),
        reference_range: referenceRange,
        resolution: receiver.resolution ?? 0,
        keep: oneOf("keep", receiver.keep ?? "strongest", keeps),
        first_pulse: id("firstPulse", receiver.firstPulse ?? 0),
        weights: weights.length === 0 ? 0 : scratch.numbers(weights, Float64Array),
        weight_count: weights.length,
      });
      const lists = engine.lent(scratch, engine.functions.lanecast_return_lists_free, (place) =>
        engine.functions.lanecast_lidar_returns(this.pointer, pointer, by, given, place),
      );
      const place = scratch.struct(abi.return_lists_view, {});
      engine.call((functions) => functions.lanecast_return_lists_get(lists, place));
      const view = scratch.read(abi.return_lists_view, place);
      const of = <A>(column: { data: number; stride: number }, kind: "number" | "vector" | "count" = "number") =>
        strided(engine.module, column, view.returns, kind, precision) as A;
      const { status, offsets } = view;
      return {
        ...this.#listed({ rows: view.rows, statuses: view.rays, status, offsets }),
        distance: of<Floats>(view.distance),
        point: of<Floats>(view.point, "vector"),
        number: of<Uint32Array>(view.number, "count"),
        count: of<Uint32Array>(view.count, "count"),
        ...this.#ids(view, view.returns),
      };
    });
  }

  /** Points and geometric normals of the hits of rays. With `unitNormals` normals have length 1. */
  surface(
    rays: Rays,
    hits: Hits,
    options: CallOptions & { readonly unitNormals?: boolean } = {},
  ): { status: Uint8Array; point: Floats; geometricNormal: Floats } {
    const { unitNormals = false, ...others } = options;
    return this.#ofRays(rays, others, (scratch, pointer, count, given) => {
      const type = typeOf(this.precision);
      const answered = (name: keyof Hits, numbers: Numbers, of: typeof Uint8Array | typeof Uint32Array | typeof type) => {
        if (numbers.length !== count) refuse(`hits.${name}`, `it has ${numbers.length} rows, and there are ${count} rays`);
        return { data: scratch.numbers(numbers, of), stride: of.BYTES_PER_ELEMENT };
      };
      const of = scratch.struct(abi.hits, {
        count,
        status: answered("status", hits.status, Uint8Array),
        t: answered("t", hits.t, type),
        primitive_id: answered("primitiveId", hits.primitiveId, Uint32Array),
        geometry_id: answered("geometryId", hits.geometryId, Uint32Array),
        instance_id: answered("instanceId", hits.instanceId, Uint32Array),
        u: answered("u", hits.u, type),
        v: answered("v", hits.v, type),
      });
      const { shadingNormal: _, ...wanted } = columns.surface;
      return this.#written(scratch, wanted, abi.surface, count, (functions, to) =>
        functions.lanecast_locate(this.pointer, pointer, of, Number(unitNormals), 0, 0, given, to),
      );
    });
  }

  // --- Points ---

  /** The point of all surfaces that is closest to each point, within a radius. */
  closestPoint(points: Numbers, options: ClosestPointOptions = {}): ClosestPoints {
    const ask = (scratch: Scratch, pointer: number, count: number, given: number) => {
      const radius = this.#radius(scratch, options.radius, count);
      const call = (functions: abi.Functions, to: number) =>
        functions.lanecast_closest_point(this.pointer, pointer, radius, given, to);
      return this.#written<ClosestPoints>(scratch, columns.closestPoints, abi.closest_points, count, call, options);
    };
    return this.#ofPoints(points, options, ask, [...ofColumns, "radius"]);
  }

  /** The nearest `count` primitives of each point, one point of each, nearest first, within a radius. */
  nearestPoints(points: Numbers, count: number, options: PointOptions & Radius = {}): PointLists {
    const ask = (scratch: Scratch, pointer: number, rows: number, given: number) => {
      const radius = this.#radius(scratch, options.radius, rows);
      return this.#pointLists(scratch, (functions, place) =>
        functions.lanecast_nearest_points(this.pointer, pointer, id("count", count), radius, given, place),
      );
    };
    return this.#ofPoints(points, options, ask, ["radius"]);
  }

  /** All primitives within a radius of each point, nearest first. */
  pointsWithin(points: Numbers, radius: number | Numbers, options: PointOptions = {}): PointLists {
    return this.#ofPoints(points, options, (scratch, pointer, rows, given) => {
      const within = this.#radius(scratch, radius, rows);
      return this.#pointLists(scratch, (functions, place) =>
        functions.lanecast_points_within(this.pointer, pointer, within, given, place),
      );
    });
  }

  /** The distance of each point from the nearest surface. */
  distance(points: Numbers, options: PointOptions = {}): Values<Floats> {
    return this.#ofPoints(points, options, (scratch, pointer, count, given) =>
      this.#written<Values<Floats>>(scratch, columns.distances, abi.values, count, (functions, to) =>
        functions.lanecast_distance(this.pointer, pointer, given, to),
      ),
    );
  }

  /** The same, negative inside. The surfaces must be closed, or `generalisedWinding` is asked for. */
  signedDistance(points: Numbers, options: InsideOptions = {}): Values<Floats> {
    return this.#ofPoints(points, options, (scratch, pointer, count, given) =>
      this.#written<Values<Floats>>(scratch, columns.distances, abi.values, count, (functions, to) =>
        functions.lanecast_signed_distance(this.pointer, pointer, given, to),
      ),
    );
  }

  /** Whether each point is inside: its status is `HIT`, and the value how often surfaces go around it. */
  contains(points: Numbers, options: InsideOptions = {}): Values<Int32Array> {
    return this.#ofPoints(points, options, (scratch, pointer, count, given) =>
      this.#written<Values<Int32Array>>(scratch, columns.signed, abi.values, count, (functions, to) =>
        functions.lanecast_contains(this.pointer, pointer, given, to),
      ),
    );
  }

  /** The generalised winding number of each point; an accuracy of 2 is good. */
  windingNumber(points: Numbers, options: PointOptions & { readonly accuracy?: number } = {}): Values<Float32Array> {
    const { accuracy = 2, ...others } = options;
    return this.#ofPoints(points, others, (scratch, pointer, count, given) =>
      this.#written<Values<Float32Array>>(scratch, columns.floats, abi.values, count, (functions, to) =>
        functions.lanecast_winding_number(this.pointer, pointer, accuracy, given, to),
      ),
    );
  }

  /** Whether each point of a grid is inside, 0 or 1; x changes fastest, then y. */
  occupancy({ origin, spacing, counts }: Grid, options: InsideOptions = {}): Uint8Array {
    return inScratch(this.engine.module, (scratch) => {
      counts.forEach((count, axis) => id(`counts[${axis}]`, count));
      const cells = counts.reduce((product, count) => product * count, 1);
      const grid = scratch.struct(abi.grid, { origin, spacing, counts });
      const given = optionsOf(this.engine, scratch, options, 0);
      const place = scratch.room(cells);
      this.engine.call((functions) => functions.lanecast_occupancy(this.pointer, grid, given, place, cells));
      return new Uint8Array(this.engine.module.buffer, place, cells).slice();
    });
  }

  // --- Lines and regions ---

  /** Which targets each observer sees. What a line touches at its very ends hides nothing. */
  sight(observers: Numbers, targets: Numbers, options: SightOptions = {}): SightMatrix {
    return this.#ofLines(observers, targets, options, (scratch, lines, [from, to], given) => {
      const each = Math.ceil(to / 64);
      const place = scratch.room(8 * from * each);
      this.engine.call((functions) => functions.lanecast_sight(this.pointer, lines, given, place, from * each));
      const words = new Uint32Array(this.engine.module.buffer, place, 2 * from * each).slice();
      return new SightMatrix(from, to, words, 2 * each);
    });
  }

  /** What hides a target from an observer, with the part of the line's length as t; `undefined` if it is seen. */
  firstObstacle(
    observers: Numbers,
    targets: Numbers,
    observer: number,
    target: number,
    options: SightOptions = {},
  ): Hit | undefined {
    return this.#ofLines(observers, targets, options, (scratch, lines, _counts, given) => {
      const [row, column] = [id("observer", observer), id("target", target)];
      const place = scratch.struct(abi.hit_f64, {});
      const isHit = this.engine.call((functions) =>
        functions.lanecast_first_obstacle(this.pointer, lines, row, column, given, place),
      );
      return isHit === abi.HIT ? hitOf(scratch.read(abi.hit_f64, place)) : undefined;
    });
  }

  /** The primitives that overlap with a region. */
  overlap(region: Region, options: RegionOptions = {}): Primitives {
    return this.#ofRegion(region, options, (scratch, kind, numbers, count, given) => {
      const list = this.engine.lent(scratch, this.engine.functions.lanecast_primitive_list_free, (place) =>
        this.engine.functions.lanecast_overlap(this.pointer, kind, numbers, count, given, place),
      );
      const place = scratch.struct(abi.primitive_list_view, {});
      this.engine.call((functions) => functions.lanecast_primitive_list_get(list, place));
      const view = scratch.read(abi.primitive_list_view, place);
      return this.#ids(view, view.count);
    });
  }

  /** Whether anything overlaps with a region. */
  overlapsAny(region: Region, options: RegionOptions = {}): boolean {
    return this.#ofRegion(
      region,
      options,
      (_, kind, numbers, count, given) =>
        this.engine.call((functions) => functions.lanecast_overlaps_any(this.pointer, kind, numbers, count, given)) === 1,
    );
  }

  // --- Changes, which keep all other ids ---

  /** Adds geometries; their ids. */
  add(geometries: Geometry | readonly Geometry[], options: BuildOptions = {}): Uint32Array {
    const all = Array.isArray(geometries) ? (geometries as readonly Geometry[]) : [geometries as Geometry];
    return this.#change((scratch) => {
      const handles = this.#geometries(scratch, all);
      const place = scratch.room(4 * all.length);
      const how = buildOptions(this.engine, scratch, options);
      this.engine.call((functions) => functions.lanecast_add(this.pointer, handles, all.length, how, place));
      const ids = new Uint32Array(this.engine.module.buffer, place, all.length).slice();
      this.label(all, ids);
      return ids;
    });
  }

  /** Replaces geometries by others of any kind. Ids stay, and masks and user data where none are given. */
  replace(geometryIds: Numbers, geometries: readonly Geometry[], options: BuildOptions = {}): void {
    this.#change((scratch) => {
      if (geometryIds.length !== geometries.length) refuse("geometryIds", `there are ${geometryIds.length} for ${geometries.length} geometries`);
      const [ids, handles] = [scratch.ids("geometryIds", geometryIds), this.#geometries(scratch, geometries)];
      const how = buildOptions(this.engine, scratch, options);
      this.engine.call((functions) => functions.lanecast_replace(this.pointer, ids, handles, geometries.length, how));
      this.label(geometries, new Uint32Array(this.engine.module.buffer, ids, geometries.length).slice());
    });
  }

  /** Removes geometries. */
  remove(geometryIds: Numbers, options: BuildOptions = {}): void {
    this.#change((scratch) => {
      const [ids, how] = [scratch.ids("geometryIds", geometryIds), buildOptions(this.engine, scratch, options)];
      this.engine.call((functions) => functions.lanecast_remove(this.pointer, ids, geometryIds.length, how));
    });
  }

  /** Moves the vertices of deformable meshes. Rays get slower the farther neighbours part, until `rebuild`. */
  refit(meshes: readonly Moved[], options: BuildOptions = {}): void {
    this.#change((scratch) => {
      const [type, stride] = [typeOf(this.precision), 3 * typeOf(this.precision).BYTES_PER_ELEMENT];
      const rows = meshes.map(({ geometryId, vertices }, index) => ({
        geometry_id: id(`meshes[${index}].geometryId`, geometryId),
        vertices: { data: scratch.numbers(vertices, type), count: rowsOf(`meshes[${index}].vertices`, vertices, 3), stride },
      }));
      const [moved, how] = [scratch.structs(abi.moved_mesh, rows), buildOptions(this.engine, scratch, options)];
      this.engine.call((functions) => functions.lanecast_refit(this.pointer, moved, rows.length, how));
    });
  }

  /** Builds the tree over the triangles anew. */
  rebuild(options: BuildOptions = {}): void {
    this.#change((scratch) => {
      const how = buildOptions(this.engine, scratch, options);
      this.engine.call((functions) => functions.lanecast_rebuild(this.pointer, how));
    });
  }

  /** Places scenes in the scene; their numbers. */
  addInstances(placed: readonly Instance[]): Uint32Array {
    return this.#change((scratch) => {
      const [rows, place] = [instances(scratch, "instances", placed), scratch.room(4 * placed.length)];
      this.engine.call((functions) => functions.lanecast_add_instances(this.pointer, rows, placed.length, place));
      this.#keep(placed);
      const numbers = new Uint32Array(this.engine.module.buffer, place, placed.length).slice();
      this.labelInstances(placed, numbers);
      return numbers;
    });
  }

  removeInstances(numbers: Numbers): void {
    this.#change((scratch) => {
      const ids = scratch.ids("instances", numbers);
      this.engine.call((functions) => functions.lanecast_remove_instances(this.pointer, ids, numbers.length));
    });
  }

  /** Moves instances: numbers, and twelve numbers for each. */
  setTransforms(numbers: Numbers, transforms: ArrayLike<number>): void {
    this.#change((scratch) => {
      expectLength("transforms", transforms, 12 * numbers.length);
      const [ids, maps] = [scratch.ids("instances", numbers), scratch.numbers(transforms, Float64Array)];
      this.engine.call((functions) => functions.lanecast_set_transforms(this.pointer, ids, maps, numbers.length));
    });
  }

  /** Sets the mask of a geometry; 0 hides it. */
  setMask(geometryId: number, mask: number): void {
    this.engine.call((functions) => functions.lanecast_scene_set_mask(this.pointer, id("geometryId", geometryId), id("mask", mask)));
  }

  setInstanceMask(instance: number, mask: number): void {
    this.engine.call((functions) => functions.lanecast_scene_set_instance_mask(this.pointer, id("instance", instance), id("mask", mask)));
  }

  setUserData(geometryId: number, userData: bigint): void {
    if (BigInt.asUintN(64, userData) !== userData) refuse("userData", `it is ${userData}; 64 bits were expected`);
    this.engine.call((functions) => functions.lanecast_scene_set_user_data(this.pointer, id("geometryId", geometryId), userData));
  }

  /** The mask and the user data of a geometry. */
  geometry(geometryId: number): { mask: number; userData: bigint } {
    return inScratch(this.engine.module, (scratch) => {
      const place = scratch.room(16);
      this.engine.call((functions) => functions.lanecast_scene_get_geometry(this.pointer, id("geometryId", geometryId), place + 8, place));
      const view = new DataView(this.engine.module.buffer);
      return { mask: view.getUint32(place + 8, true), userData: view.getBigUint64(place, true) };
    });
  }

  // --- As bytes ---

  /** The bytes of a scene file with the tree, for `Lanecast.open`: to keep, or to send to a worker. */
  toBytes(options: Pick<BuildOptions, "progress"> = {}): Uint8Array {
    return inScratch(this.engine.module, (scratch) => {
      const hears = watch(this.engine, scratch, options.progress);
      const { functions } = this.engine;
      const bytes = this.engine.lent(scratch, functions.lanecast_bytes_free, (place) =>
        functions.lanecast_to_bytes(this.pointer, hears, 0, place),
      );
      const place = scratch.struct(abi.bytes_view, {});
      this.engine.call((functions) => functions.lanecast_bytes_get(bytes, place));
      const { data, count } = scratch.read(abi.bytes_view, place);
      return new Uint8Array(this.engine.module.buffer, data, count).slice();
    });
  }

  /** Reads a scene of bytes through, and fails if anything in it is not what was built. */
  check(options: Pick<BuildOptions, "progress"> = {}): void {
    inScratch(this.engine.module, (scratch) => {
      const hears = watch(this.engine, scratch, options.progress);
      this.engine.call((functions) => functions.lanecast_check(this.pointer, hears, 0));
    });
  }

  // --- What the calls above share ---

  /** @internal */
  label(geometries: readonly Geometry[], ids: ArrayLike<number>): void {
    geometries.forEach(({ mask, userData }, index) => {
      if (mask !== undefined) this.setMask(ids[index]!, mask);
      if (userData !== undefined) this.setUserData(ids[index]!, userData);
    });
  }

  /** @internal */
  labelInstances(placed: readonly Instance[], numbers: ArrayLike<number>): void {
    placed.forEach(({ mask }, index) => mask !== undefined && this.setInstanceMask(numbers[index]!, mask));
  }

  #keep(placed: readonly Instance[]): void {
    placed.forEach(({ scene }) => this.#kept.push(...scene.#kept.map((call) => this.engine.callbacks.hold(call))));
  }

  #change<R>(change: (scratch: Scratch) => R): R {
    this.#facts = undefined;
    return inScratch(this.engine.module, change);
  }

  #geometries(scratch: Scratch, all: readonly Geometry[]): number {
    const handles = all.map((given, index) => geometry(this.engine, scratch, `geometries[${index}]`, given, this.precision, this.#kept));
    return scratch.numbers(handles, Uint32Array);
  }

  #places(scratch: Scratch, of: Columns, count: number, options: ColumnOptions<string> = {}): Places {
    return new Places(this.engine.module, scratch, of, this.precision, count, options);
  }

  /** Calls a function that writes columns. */
  #written<A>(
    scratch: Scratch,
    of: Columns,
    layout: abi.Layout,
    count: number,
    call: (functions: abi.Functions, to: number) => number,
    options: ColumnOptions<string> = {},
  ): A {
    const places = this.#places(scratch, of, count, options);
    const to = scratch.struct(layout, { count, ...places.values });
    this.engine.call((functions) => call(functions, to));
    return places.taken() as unknown as A;
  }

  #hits(name: "lanecast_closest_hit" | "lanecast_farthest_hit", rays: Rays, options: HitOptions): Hits {
    const ask = (scratch: Scratch, pointer: number, count: number, given: number) => {
      const call = (functions: abi.Functions, to: number) => functions[name](this.pointer, pointer, given, to);
      return this.#written<Hits>(scratch, columns.hits, abi.hits, count, call, options);
    };
    return this.#ofRays(rays, options, ask, ofColumns);
  }

  #ofRays<R>(
    rays: Rays,
    options: RayOptions,
    ask: (scratch: Scratch, pointer: number, count: number, given: number) => R,
    own: readonly string[] = [],
  ): R {
    return inScratch(this.engine.module, (scratch) => {
      const { pointer, count } = raysOf(this.engine, scratch, rays, this.precision);
      return ask(scratch, pointer, count, optionsOf(this.engine, scratch, options, count, own));
    });
  }

  #ofLines<R>(
    observers: Numbers,
    targets: Numbers,
    options: SightOptions,
    ask: (scratch: Scratch, lines: number, counts: [number, number], given: number) => R,
  ): R {
    const { shorten = 0, observersOn, targetsOn, ...others } = options;
    return inScratch(this.engine.module, (scratch) => {
      const [type, stride] = [typeOf(this.precision), 3 * typeOf(this.precision).BYTES_PER_ELEMENT];
      const [from, to] = [rowsOf("observers", observers, 3), rowsOf("targets", targets, 3)];
      const ids = (name: string, given: Numbers | undefined, count: number) => {
        if (!given) return 0;
        if (given.length !== count) refuse(name, `it has ${given.length} numbers; ${count} were expected`);
        return scratch.ids(name, given);
      };
      const lines = scratch.struct(abi.sight_lines, {
        precision: codeOf(this.precision),
        observers: { data: scratch.numbers(observers, type), count: from, stride },
        targets: { data: scratch.numbers(targets, type), count: to, stride },
        shortened: shorten,
        observer_geometry_ids: ids("observersOn.geometryId", observersOn?.geometryId, from),
        observer_primitive_ids: ids("observersOn.primitiveId", observersOn?.primitiveId, from),
        target_geometry_ids: ids("targetsOn.geometryId", targetsOn?.geometryId, to),
        target_primitive_ids: ids("targetsOn.primitiveId", targetsOn?.primitiveId, to),
      });
      return ask(scratch, lines, [from, to], optionsOf(this.engine, scratch, others, from * to));
    });
  }

  #ofPoints<R>(
    points: Numbers,
    options: InsideOptions,
    ask: (scratch: Scratch, pointer: number, count: number, given: number) => R,
    own: readonly string[] = [],
  ): R {
    return inScratch(this.engine.module, (scratch) => {
      const count = rowsOf("points", points, 3);
      const position = vectors(scratch, points, this.precision, count);
      const pointer = scratch.struct(abi.points, { precision: codeOf(this.precision), count, position });
      return ask(scratch, pointer, count, optionsOf(this.engine, scratch, options, count, own));
    });
  }

  #radius(scratch: Scratch, given: number | Numbers | undefined, count: number): number {
    return scratch.struct(abi.column, column(scratch, "radius", given, this.precision, count));
  }

  #ofRegion<R>(
    region: Region,
    options: RegionOptions,
    ask: (scratch: Scratch, kind: number, numbers: number, count: number, given: number) => R,
  ): R {
    return inScratch(this.engine.module, (scratch) => {
      const [kind, numbers] = ((): [number, number[]] => {
        switch (region.kind) {
          case "box":
            return [abi.REGION_BOX, [...expect3("min", region.min), ...expect3("max", region.max)]];
          case "sphere":
            return [abi.REGION_SPHERE, [...expect3("center", region.center), region.radius]];
          case "planes":
            return [abi.REGION_PLANES, Array.from(region.planes)];
          default:
            return refuse("region.kind", `it is ${JSON.stringify((region as Region).kind)}; box, sphere or planes was expected`);
        }
      })();
      // A region has one mask.
      const given = optionsOf(this.engine, scratch, options, 1);
      return ask(scratch, kind, scratch.numbers(numbers, Float64Array), numbers.length, given);
    });
  }

  #ids(
    view: Record<"primitive_id" | "geometry_id" | "instance_id", { data: number; stride: number }>,
    rows: number,
  ): Primitives {
    const of = (column: { data: number; stride: number }) =>
      strided(this.engine.module, column, rows, "count", this.precision) as Uint32Array;
    return { primitiveId: of(view.primitive_id), geometryId: of(view.geometry_id), instanceId: of(view.instance_id) };
  }

  #hitLists(scratch: Scratch, ask: (functions: abi.Functions, place: number) => number): HitLists {
    const { engine, precision } = this;
    const lists = engine.lent(scratch, engine.functions.lanecast_hit_lists_free, (place) => ask(engine.functions, place));
    const place = scratch.struct(abi.hit_lists_view, {});
    engine.call((functions) => functions.lanecast_hit_lists_get(lists, place));
    const view = scratch.read(abi.hit_lists_view, place);
    const of = (column: { data: number; stride: number }) => strided(engine.module, column, view.hits, "number", precision) as Floats;
    return { ...this.#listed(view), t: of(view.t), u: of(view.u), v: of(view.v), ...this.#ids(view, view.hits) };
  }

  #pointLists(scratch: Scratch, ask: (functions: abi.Functions, place: number) => number): PointLists {
    const { engine, precision } = this;
    const lists = engine.lent(scratch, engine.functions.lanecast_point_lists_free, (place) => ask(engine.functions, place));
    const place = scratch.struct(abi.point_lists_view, {});
    engine.call((functions) => functions.lanecast_point_lists_get(lists, place));
    const view = scratch.read(abi.point_lists_view, place);
    const of = (column: { data: number; stride: number }, kind: "number" | "vector" = "number") =>
      strided(engine.module, column, view.points, kind, precision) as Floats;
    return {
      ...this.#listed(view),
      distance: of(view.distance),
      point: of(view.point, "vector"),
      u: of(view.u),
      v: of(view.v),
      ...this.#ids(view, view.points),
    };
  }

  #listed({ rows, statuses = rows, status, offsets }: { rows: number; statuses?: number; status: number; offsets: number }): {
    status: Uint8Array;
    offsets: Uint32Array;
  } {
    const { buffer } = this.engine.module;
    return {
      status: statuses === 0 ? new Uint8Array() : new Uint8Array(buffer, status, statuses).slice(),
      offsets: new Uint32Array(buffer, offsets, rows + 1).slice(),
    };
  }
}

const expect3 = (name: string, given: Vector) => Array.from(expectLength(name, given, 3));

function end(engine: Engine, pointer: number, kept: readonly number[]): void {
  if (engine.module.isEnded) return;
  engine.functions.lanecast_scene_free(pointer);
  kept.forEach((call) => engine.callbacks.remove(call));
}
