// Questions about the scene that is open. Only the engine's own work is timed.

import { HIT, LanecastError, type Maker, MISS, type Scene } from "../../../../bindings/wasm/dist/index.js";
import type { Argument, Cost, Met, Picked, Point, Ray, Scan, Seen, Sight, Slice, Sunlight, Thickness } from "../protocol.js";
import { pointOf, type Vertices } from "./shape.js";
import type { World } from "./world.js";

function timed<R>(count: number, of: Cost["of"], call: () => R): [R, Cost] {
  const start = performance.now();
  const result = call();
  return [result, { count, of, milliseconds: performance.now() - start }];
}

const plus = (a: Point, b: Point, times: number): Point => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];

const between = (from: Point, to: Point): Point => plus(to, from, -1);

export function pick(world: World, { origin, direction }: Ray): Picked {
  const [hits, cost] = timed(1, "rays", () =>
    world.scene.closestHit({ origins: origin, directions: direction }, { normals: true }),
  );
  if (hits.status[0] !== HIT) return { cost };
  const { triangles } = world.surface;
  const triangle = hits.primitiveId[0]!;
  const [a, b, c] = [0, 1, 2].map((corner) => pointOf(world.vertices, triangles[3 * triangle + corner]!)) as [
    Point,
    Point,
    Point,
  ];
  // In double precision, so that the point lies in the triangle.
  const point = plus(plus(a, between(a, b), hits.u[0]!), between(a, c), hits.v[0]!);
  const [x, y, z] = pointOf(hits.normal!, 0);
  const length = Math.hypot(x, y, z);
  return { cost, met: { triangle, point, normal: [x / length, y / length, z / length], corners: [a, b, c] } };
}

/** Which way is up: by the terrain, or away from other surfaces. */
const upOf = (world: World, met: Met): Point => (world.surface.grid ? [0, 0, 1] : met.normal);

export function viewshed(world: World, { ray, height, step }: Argument<"viewshed">): Seen {
  const { met, cost: ofPick } = pick(world, ray);
  if (!met) return { cost: ofPick };
  const observer = plus(met.point, upOf(world, met), height);
  const directions = world.directions(observer, step);
  const rays = { origins: observer, directions, tMax: 1 };
  const [status, cost] = timed(directions.length / 3, "rays", () => world.scene.anyHit(rays));
  return { cost, ground: met.point, observer, isSeen: status.map((hit) => Number(hit === MISS)) };
}

/** At the very ends of a line what it touches hides nothing. */
const END = 1e-6;

export function sight(world: World, { from, to }: Argument<"sight">): Sight {
  const directions = between(from.point, to.point);
  const line = { origins: from.point, directions, tMin: END, tMax: 1 - END };
  const skip = { geometryId: 0, primitiveId: from.triangle };
  const [hits, cost] = timed(1, "rays", () => world.scene.closestHit(line, { skip, columns: ["status", "t", "primitiveId"] }));
  if (hits.status[0] !== HIT || hits.primitiveId[0] === to.triangle) return { cost };
  return { cost, obstacle: plus(from.point, directions, hits.t[0]!) };
}

/** Elevations in degrees of the lowest and the highest beam. */
const FAN = { terrain: [-15, 15], mesh: [-75, 15] } as const;

/** The rotation that turns z to a vector of length 1, as a quaternion. */
function tilt([x, y, z]: Point): [number, number, number, number] {
  if (z < -0.999999) return [1, 0, 0, 0];
  const w = Math.sqrt((1 + z) / 2);
  return [-y / (2 * w), x / (2 * w), 0, w];
}

export function lidar(world: World, { ray, height, beams, firings }: Argument<"lidar">): Scan {
  const { met, cost: ofPick } = pick(world, ray);
  if (!met) return { cost: ofPick };
  const up = upOf(world, met);
  const scanner = plus(met.point, up, height);
  const [lowest, highest] = FAN[world.surface.grid ? "terrain" : "mesh"];
  const maker: Maker = {
    kind: "lidar",
    beams: Array.from({ length: beams }, (_, beam) => [lowest + ((highest - lowest) * beam) / (beams - 1), 0, 0]).flat(),
    steps: firings,
    seconds: 0.1,
    poses: [0, ...scanner, ...tilt(up)],
  };
  const [hits, cost] = timed(beams * firings, "rays", () => world.scene.closestHit(maker, { columns: ["status", "t"] }));
  const directions = world.lanecast.makeRays(maker, { precision: world.scene.precision }).directions as ArrayLike<number>;
  const from = between(world.surface.center, scanner);
  const rows = Array.from(hits.status.keys()).filter((row) => hits.status[row] === HIT);
  const points = new Float32Array(3 * rows.length);
  const distances = new Float32Array(rows.length);
  rows.forEach((row, index) => {
    points.set(plus(from, pointOf(directions, row), hits.t[row]!), 3 * index);
    distances[index] = hits.t[row]!;
  });
  return { cost, ground: met.point, scanner, points, distances };
}

export function sun(world: World, { time, latitude, longitude, up }: Argument<"sun">): Sunlight {
  const toSun = world.lanecast.sunDirection(new Date(time), latitude, longitude);
  const [east, north, height] = toSun;
  const direction: Point = up === "z" ? toSun : [east, height, -north];
  const origins = world.targets(1);
  const isLit = new Uint8Array(origins.length / 3);
  if (height <= 0) return { cost: { count: 0, of: "rays", milliseconds: 0 }, toSun, direction, isLit };
  const [status, cost] = timed(isLit.length, "rays", () => world.scene.anyHit({ origins, directions: direction }));
  const { normals } = world.surface;
  for (let vertex = 0; vertex < isLit.length; vertex += 1) {
    const [x, y, z] = pointOf(normals, vertex);
    const facing = x * direction[0] + y * direction[1] + z * direction[2];
    isLit[vertex] = Number(status[vertex] === MISS && facing > 0);
  }
  return { cost, toSun, direction, isLit };
}

/** Of generalised winding numbers, as lanecast advises. */
const WINDING_ACCURACY = 2;

export function slice(world: World, { corner, right, up, columns, rows }: Argument<"slice">): Slice {
  const { scene } = world;
  const points = new (world.vertices instanceof Float64Array ? Float64Array : Float32Array)(3 * columns * rows);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      points.set(plus(plus(corner, right, column), up, row), 3 * (row * columns + column));
    }
  }
  const asked = (ask: () => ArrayLike<number>) => {
    const [distances, cost] = timed(columns * rows, "points", ask);
    return { cost, distances: Float32Array.from(distances) };
  };
  if (world.surface.grid) return asked(() => aboveGround(scene, points));
  try {
    return asked(() => scene.signedDistance(points).value);
  } catch (error) {
    if (!(error instanceof LanecastError && error.reason === "unanswerable")) throw error;
    return {
      ...asked(() => scene.signedDistance(points, { generalisedWinding: WINDING_ACCURACY }).value),
      open: error.message,
    };
  }
}

/** Distances from a terrain, which has no inside: negative where a ray down meets no ground. */
function aboveGround(scene: Scene, points: Vertices): ArrayLike<number> {
  const status = scene.anyHit({ origins: points, directions: [0, 0, -1] });
  return scene.distance(points).value.map((distance, row) => (status[row] === HIT ? distance : -distance));
}

export function thickness(world: World): Thickness {
  const { normals } = world.surface;
  const rays = { origins: world.vertices, directions: normals.map((part) => -part) };
  // Rays start on the fronts of their own triangles, and end at the back of the far side.
  const [hits, cost] = timed(normals.length / 3, "rays", () =>
    world.scene.closestHit(rays, { culling: "front", columns: ["t"] }),
  );
  return { cost, thickness: Float32Array.from(hits.t) };
}
