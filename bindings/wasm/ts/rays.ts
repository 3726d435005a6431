// Rays, and what makes them: descriptions, which may be sent to workers.

import * as abi from "./abi.js";
import { codeOf, expectLength, type Precision, rowsOf, typeOf, type Vector } from "./content.js";
import type { Engine } from "./engine.js";
import { type ArrayType, id, inScratch, type Numbers, refuse, type Scratch } from "./module.js";

/**
 * Rays: origins and directions, three numbers each, of which either may be one for all rays. The point at t is origin + t ·
 * direction, and hits count from `tMin` to `tMax`, both included: 0 and infinity, a number, or one for each ray.
 */
export interface RayArrays {
  readonly origins: Numbers;
  readonly directions: Numbers;
  readonly tMin?: number | Numbers;
  readonly tMax?: number | Numbers;
}

/** A time in UTC. */
export interface Time {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour?: number;
  readonly minute?: number;
  readonly second?: number;
}

/**
 * What makes rays while they are cast.
 *
 * - `pinhole`: through the middles of pixels, row by row from the upper left; the field of view from the lower to the upper
 *   edge in degrees. Each t is the distance along the line of sight.
 * - `panorama`: all around; columns go around `up` from the back by the left and the front, rows from straight up to straight
 *   down.
 * - `orthographic`: parallel rays of a picture that is so high, in the scene's units.
 * - `grid`: parallel rays from the middles of the cells of a grid, of its corner and its two edges, six numbers.
 * - `lidar`: turn by turn, firing by firing, beam by beam. `beams` are rows of elevation and azimuth in degrees, and how many
 *   seconds after the first beam this one fires; `poses` rows of a time in seconds, a position, and a quaternion x, y, z, w.
 * - `footprint`: so many rays in the cone of each ray of `beams`, whose divergence is in milliradians.
 * - `hemisphere`: so many directions from each point into the hemisphere about its normal, direction by direction.
 * - `sunlight`: from points towards distant lights, light by light.
 */
export type Maker =
  | {
      readonly kind: "pinhole";
      readonly eye: Vector;
      readonly target: Vector;
      readonly up: Vector;
      readonly fieldOfView: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: "panorama";
      readonly eye: Vector;
      readonly forward: Vector;
      readonly up: Vector;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: "orthographic";
      readonly eye: Vector;
      readonly target: Vector;
      readonly up: Vector;
      readonly pictureHeight: number;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: "grid";
      readonly corner: Vector;
      readonly edges: ArrayLike<number>;
      readonly direction: Vector;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: "lidar";
      readonly beams: Numbers;
      readonly steps: number;
      readonly turns?: number;
      readonly seconds: number;
      readonly start?: number;
      readonly sector?: readonly [number, number];
      readonly poses: Numbers;
    }
  | { readonly kind: "footprint"; readonly beams: Maker; readonly divergence: number; readonly rays: number }
  | {
      readonly kind: "hemisphere";
      readonly points: Numbers;
      readonly normals: Numbers;
      readonly directions: number;
      readonly spread?: "cosine" | "uniform";
      readonly seed?: bigint;
    }
  | { readonly kind: "sunlight"; readonly points: Numbers; readonly directions: Numbers };

export type Rays = RayArrays | Maker;

/** Rays that a maker made, three numbers each. */
export interface MadeRays {
  readonly origins: Float32Array | Float64Array;
  readonly directions: Float32Array | Float64Array;
}

/** The handle of a maker, freed when the call has ended. */
export function maker(engine: Engine, scratch: Scratch, given: Maker, precision: Precision): number {
  const { functions } = engine;
  const doubles = (of: string, numbers: ArrayLike<number>, length: number) =>
    scratch.numbers(expectLength(of, numbers, length), Float64Array);
  const vector = (of: string, numbers: Vector) => doubles(of, numbers, 3);
  const rows = (of: string, numbers: Numbers, width: number, type: ArrayType) => {
    const count = rowsOf(of, numbers, width);
    const stride = width * type.BYTES_PER_ELEMENT;
    return { data: scratch.numbers(numbers, type), count, stride };
  };
  const passed = (...row: Parameters<typeof rows>) => scratch.struct(abi.rows, rows(...row));
  const [code, type] = [codeOf(precision), typeOf(precision)];
  const made = engine.made(scratch, (place) => {
    switch (given.kind) {
      case "pinhole": {
        const [eye, target, up] = [vector("eye", given.eye), vector("target", given.target), vector("up", given.up)];
        const { fieldOfView, width, height } = given;
        return functions.lanecast_pinhole(eye, target, up, fieldOfView, id("width", width), id("height", height), place);
      }
      case "panorama": {
        const [eye, forward, up] = [vector("eye", given.eye), vector("forward", given.forward), vector("up", given.up)];
        return functions.lanecast_panorama(eye, forward, up, id("width", given.width), id("height", given.height), place);
      }
      case "orthographic": {
        const [eye, target, up] = [vector("eye", given.eye), vector("target", given.target), vector("up", given.up)];
        const { pictureHeight, width, height } = given;
        return functions.lanecast_orthographic(eye, target, up, pictureHeight, id("width", width), id("height", height), place);
      }
      case "grid": {
        const [corner, edges] = [vector("corner", given.corner), doubles("edges", given.edges, 6)];
        const direction = vector("direction", given.direction);
        return functions.lanecast_ray_grid(corner, edges, direction, id("width", given.width), id("height", given.height), place);
      }
      case "lidar": {
        const { steps, turns = 1, seconds, start = 0, sector = [0, 0] } = given;
        const pattern = scratch.struct(abi.lidar_pattern, {
          beams: rows("beams", given.beams, 3, Float64Array),
          steps: id("steps", steps),
          turns: id("turns", turns),
          seconds,
          start,
          sector: expectLength("sector", sector, 2),
          poses: rows("poses", given.poses, 8, Float64Array),
        });
        return functions.lanecast_lidar(pattern, place);
      }
      case "footprint":
        return functions.lanecast_footprint(maker(engine, scratch, given.beams, precision), given.divergence, id("rays", given.rays), place);
      case "hemisphere": {
        const [points, normals] = [passed("points", given.points, 3, type), passed("normals", given.normals, 3, type)];
        const { directions, spread = "cosine", seed = 0n } = given;
        const spreads = { cosine: abi.SPREAD_COSINE, uniform: abi.SPREAD_UNIFORM };
        return functions.lanecast_hemisphere(code, points, normals, id("directions", directions), oneOf("spread", spread, spreads), seed, place);
      }
      case "sunlight": {
        const [points, directions] = [passed("points", given.points, 3, type), passed("directions", given.directions, 3, Float64Array)];
        return functions.lanecast_sunlight(code, points, directions, place);
      }
      default:
        return refuse("rays.kind", `it is ${JSON.stringify((given as Maker).kind)}, which makes no rays`);
    }
  });
  scratch.atEnd(() => engine.module.isEnded || functions.lanecast_maker_free(made));
  return made;
}

/** A constant by its name. */
export function oneOf(name: string, given: string, known: Readonly<Record<string, number>>): number {
  const found = Object.hasOwn(known, given) ? known[given] : undefined;
  return found ?? refuse(name, `it is ${JSON.stringify(given)}; one of ${Object.keys(known).join(", ")} was expected`);
}

/** The number of rays of a maker. */
export function countOf(engine: Engine, scratch: Scratch, made: number): number {
  const place = scratch.numbers([0], Uint32Array);
  engine.call((functions) => functions.lanecast_maker_count(made, place));
  return new Uint32Array(engine.module.buffer, place, 1)[0]!;
}

/** The rays of a maker, `count` of them from `first` on. */
export function makeRays(engine: Engine, given: Maker, precision: Precision, first = 0, count?: number): MadeRays {
  return inScratch(engine.module, (scratch) => {
    const made = maker(engine, scratch, given, precision);
    const type = typeOf(precision);
    const rows = count ?? Math.max(countOf(engine, scratch, made) - first, 0);
    const stride = 3 * type.BYTES_PER_ELEMENT;
    const place = () => {
      const data = scratch.room(rows * stride);
      return { data, pointer: scratch.struct(abi.answers, { data, stride }) };
    };
    const [origin, direction] = [place(), place()];
    engine.call((functions) =>
      functions.lanecast_make_rays(made, codeOf(precision), id("first", first), id("count", rows), origin.pointer, direction.pointer),
    );
    const taken = ({ data }: { data: number }) => new type(engine.module.buffer, data, 3 * rows).slice();
    return { origins: taken(origin), directions: taken(direction) };
  });
}

/** Three columns of vectors that lie side by side; one vector stands for all rows. */
export function vectors(scratch: Scratch, numbers: Numbers, precision: Precision, rows: number) {
  const type = typeOf(precision);
  const x = scratch.numbers(numbers, type);
  const [bytes, isOne] = [type.BYTES_PER_ELEMENT, numbers.length === 3 && rows !== 1];
  return { x, y: x + bytes, z: x + 2 * bytes, stride: isOne ? 0 : 3 * bytes };
}

/** A column of one number for all rows, or one for each; none if it is not given. */
export function column(scratch: Scratch, name: string, given: number | Numbers | undefined, precision: Precision, rows: number) {
  if (given === undefined) return { data: 0, stride: 0 };
  const type = typeOf(precision);
  if (typeof given === "number") return { data: scratch.numbers([given], type), stride: 0 };
  if (given.length !== rows) refuse(name, `it has ${given.length} numbers; one for each of ${rows} rows was expected`);
  return { data: scratch.numbers(given, type), stride: type.BYTES_PER_ELEMENT };
}

/** Rays as C has them, and their number. */
export function rays(engine: Engine, scratch: Scratch, given: Rays, precision: Precision): { pointer: number; count: number } {
  if ("kind" in given) {
    const made = maker(engine, scratch, given, precision);
    const count = countOf(engine, scratch, made);
    return { pointer: scratch.struct(abi.rays, { precision: codeOf(precision), count, maker: made }), count };
  }
  const { origins, directions, tMin, tMax } = given;
  const [starts, ways] = [rowsOf("origins", origins, 3), rowsOf("directions", directions, 3)];
  const count = starts === 1 ? ways : starts;
  if (ways !== count && ways !== 1) refuse("directions", `there are ${ways}, and ${starts} origins`);
  const pointer = scratch.struct(abi.rays, {
    precision: codeOf(precision),
    count,
    origin: vectors(scratch, origins, precision, count),
    direction: vectors(scratch, directions, precision, count),
    t_min: column(scratch, "tMin", tMin, precision, count),
    t_max: column(scratch, "tMax", tMax, precision, count),
  });
  return { pointer, count };
}

/** Where the sun is: a vector of length 1, x to the east, y to the north, z up. Latitude and longitude in degrees. */
export function sunDirection(engine: Engine, time: Time | Date, latitude: number, longitude: number): [number, number, number] {
  const utc =
    time instanceof Date
      ? {
          year: time.getUTCFullYear(),
          month: time.getUTCMonth() + 1,
          day: time.getUTCDate(),
          hour: time.getUTCHours(),
          minute: time.getUTCMinutes(),
          second: time.getUTCSeconds() + time.getUTCMilliseconds() / 1000,
        }
      : { hour: 0, minute: 0, second: 0, ...time };
  for (const name of ["year", "month", "day", "hour", "minute"] as const) {
    if (!(Number.isInteger(utc[name]) && utc[name] >= 0 && utc[name] <= (name === "year" ? 9999 : 59))) {
      refuse(`time.${name}`, `it is ${utc[name]}`);
    }
  }
  return inScratch(engine.module, (scratch) => {
    const place = scratch.room(24);
    const pointer = scratch.struct(abi.utc, utc);
    engine.call((functions) => functions.lanecast_sun_direction(pointer, latitude, longitude, place));
    const [x, y, z] = new Float64Array(engine.module.buffer, place, 3);
    return [x!, y!, z!];
  });
}
