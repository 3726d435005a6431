// What scenes are made of: descriptions, which may be sent to workers but for functions.

import * as abi from "./abi.js";
import type { Engine } from "./engine.js";
import { type ArrayType, Block, type Numbers, refuse, type Scratch } from "./module.js";
import type { Scene } from "./scene.js";

/** The precision of a scene, of its rays and of its answers. */
export type Precision = "f32" | "f64";

/** A vector, a point or an extent. */
export type Vector = readonly [number, number, number] | Float32Array | Float64Array;

interface Kept {
  /** Rays meet what has a bit of their mask in common; all bits by default. */
  readonly mask?: number;
  /** A number of yours, of 64 bits. */
  readonly userData?: bigint;
}

/**
 * Content of a scene, which gets the ids 0, 1 and so on in its order.
 *
 * - `triangles`: vertices, three numbers each, and three of their numbers for each triangle, whose front is where they run
 *   counter-clockwise. The vertices of what is `deformable` are moved by `Scene.refit`.
 * - `quads`: four numbers of vertices each; quad q of a, b, c, d has the primitives 2q (a, b, d) and 2q + 1 (c, d, b).
 * - `heightField`: heights row by row along x: vertex (row, column) is at (x0 + column · step x, y0 + row · step y). A height
 *   that is NaN is a hole. A cell is two triangles.
 * - `boxes`: least and greatest corner, six numbers each; `orientedBoxes`: center, three axes, half extents, fifteen;
 *   `spheres`: center and radius, four; `roundCones`: both centers, both radii, eight; `cylinders`: both centers, radius, seven.
 * - `signedDistances`: the solid where a function is negative, within a box of six numbers. It changes by at most `lipschitz`
 *   times the way between two points, and a line meets the surface where it is below `tolerance`.
 */
export type Geometry = Kept &
  (
    | { readonly kind: "triangles"; readonly vertices: Numbers; readonly triangles: Numbers; readonly deformable?: boolean }
    | { readonly kind: "quads"; readonly vertices: Numbers; readonly quads: Numbers }
    | {
        readonly kind: "heightField";
        readonly heights: Numbers;
        readonly rows: number;
        readonly columns: number;
        readonly origin: readonly [number, number];
        readonly spacing: readonly [number, number];
      }
    | { readonly kind: "boxes"; readonly boxes: Numbers }
    | { readonly kind: "orientedBoxes"; readonly boxes: Numbers }
    | { readonly kind: "spheres"; readonly spheres: Numbers }
    | { readonly kind: "roundCones"; readonly cones: Numbers }
    | { readonly kind: "cylinders"; readonly cylinders: Numbers }
    | {
        readonly kind: "signedDistances";
        readonly distance: (x: number, y: number, z: number) => number;
        readonly bounds: ArrayLike<number>;
        readonly lipschitz: number;
        readonly tolerance: number;
      }
  );

/** A scene that is placed in another, by three rows of four numbers; the scene may no longer be changed then. */
export interface Instance {
  readonly kind: "instance";
  readonly scene: Scene;
  readonly transform: ArrayLike<number>;
  readonly mask?: number;
}

const numbersOf = (geometry: Geometry): Numbers => {
  switch (geometry.kind) {
    case "triangles":
    case "quads":
      return geometry.vertices;
    case "heightField":
      return geometry.heights;
    case "boxes":
    case "orientedBoxes":
      return geometry.boxes;
    case "spheres":
      return geometry.spheres;
    case "roundCones":
      return geometry.cones;
    case "cylinders":
      return geometry.cylinders;
    case "signedDistances":
      return geometry.bounds;
  }
};

/** `f64` if anything is given in it. */
export function precisionOf(geometries: readonly Geometry[], instances: readonly Instance[]): Precision {
  const isWide = (geometry: Geometry) => {
    const numbers = numbersOf(geometry);
    return numbers instanceof Float64Array || (numbers instanceof Block && numbers.type === Float64Array);
  };
  return geometries.some(isWide) || instances.some(({ scene }) => scene.precision === "f64") ? "f64" : "f32";
}

export const codeOf = (precision: Precision): number => (precision === "f64" ? abi.F64 : abi.F32);
export const typeOf = (precision: Precision): ArrayType<Float32Array | Float64Array> =>
  precision === "f64" ? Float64Array : Float32Array;

/** The number of rows of so many numbers. */
export function rowsOf(name: string, given: Numbers, width: number): number {
  if (given.length % width !== 0) refuse(name, `it has ${given.length} numbers; ${width} each row were expected`);
  return given.length / width;
}

/** Exactly so many numbers. */
export function expectLength(name: string, given: ArrayLike<number>, length: number): ArrayLike<number> {
  if (given.length !== length) refuse(name, `it has ${given.length} numbers; ${length} were expected`);
  return given;
}

/** A geometry of C, freed when the call has ended; scenes keep what they need, but for the functions in `kept`. */
export function geometry(engine: Engine, scratch: Scratch, name: string, given: Geometry, precision: Precision, kept: number[]): number {
  const { functions } = engine;
  const [code, type] = [codeOf(precision), typeOf(precision)];
  const number = scratch.numbers;
  const rows = (of: string, numbers: Numbers, width: number) => {
    const count = rowsOf(`${name}.${of}`, numbers, width);
    const stride = width * type.BYTES_PER_ELEMENT;
    return scratch.struct(abi.rows, { data: number.call(scratch, numbers, type), count, stride });
  };
  const faces = (of: string, numbers: Numbers, width: number) => {
    const count = rowsOf(`${name}.${of}`, numbers, width);
    return scratch.struct(abi.rows, { data: scratch.ids(`${name}.${of}`, numbers), count, stride: 4 * width });
  };
  const doubles = (of: string, numbers: ArrayLike<number>, length: number) =>
    scratch.numbers(expectLength(`${name}.${of}`, numbers, length), Float64Array);
  const made = engine.made(scratch, (place) => {
    switch (given.kind) {
      case "triangles": {
        const make = given.deformable ? functions.lanecast_deformable_triangles : functions.lanecast_triangles;
        return make(code, rows("vertices", given.vertices, 3), faces("triangles", given.triangles, 3), place);
      }
      case "quads":
        return functions.lanecast_quads(code, rows("vertices", given.vertices, 3), faces("quads", given.quads, 4), place);
      case "heightField": {
        const { heights, origin, spacing } = given;
        if (heights.length !== given.rows * given.columns) {
          refuse(`${name}.heights`, `it has ${heights.length} numbers; ${given.rows} rows of ${given.columns} were expected`);
        }
        const [at, apart] = [doubles("origin", origin, 2), doubles("spacing", spacing, 2)];
        return functions.lanecast_height_field(code, scratch.numbers(heights, type), given.rows, given.columns, at, apart, place);
      }
      case "boxes":
        return functions.lanecast_boxes(code, rows("boxes", given.boxes, 6), place);
      case "orientedBoxes":
        return functions.lanecast_oriented_boxes(code, rows("boxes", given.boxes, 15), place);
      case "spheres":
        return functions.lanecast_spheres(code, rows("spheres", given.spheres, 4), place);
      case "roundCones":
        return functions.lanecast_round_cones(code, rows("cones", given.cones, 8), place);
      case "cylinders":
        return functions.lanecast_cylinders(code, rows("cylinders", given.cylinders, 7), place);
      case "signedDistances": {
        const { distance, lipschitz, tolerance } = given;
        const call = engine.callbacks.add(["i32", "i32"], "f64", NaN, (_user, at) => {
          const [x, y, z] = new Float64Array(engine.module.buffer, at >>> 0, 3);
          return distance(x!, y!, z!);
        });
        kept.push(call);
        const bounds = doubles("bounds", given.bounds, 6);
        return functions.lanecast_signed_distance_field(code, call, 0, bounds, lipschitz, tolerance, place);
      }
      default:
        return refuse(`${name}.kind`, `it is ${JSON.stringify((given as Geometry).kind)}, which is no kind of geometry`);
    }
  });
  scratch.atEnd(() => engine.module.isEnded || functions.lanecast_geometry_free(made));
  return made;
}

/** Instances in a row, as C has them. */
export function instances(scratch: Scratch, name: string, given: readonly Instance[]): number {
  const rows = given.map(({ scene, transform }, index) => ({
    scene: scene.pointer,
    transform: expectLength(`${name}[${index}].transform`, transform, 12),
  }));
  return scratch.structs(abi.instance, rows);
}
