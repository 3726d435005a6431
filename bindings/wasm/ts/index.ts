/**
 * lanecast: millions of rays and points against scenes of triangle meshes and other shapes.
 *
 *     const lanecast = await load();
 *     const scene = lanecast.scene(vertices, triangles);
 *     const hits = scene.closestHit({ origins, directions });
 *
 * @module
 */

import { codeOf, geometry, type Geometry, instances, type Instance, precisionOf, type Precision } from "./content.js";
import { Engine } from "./engine.js";
import { type ArrayType, Block, compile, id, inScratch, type Numbers, type Source, type TypedArray } from "./module.js";
import { type BuildOptions, buildOptions, watch } from "./options.js";
import { countOf, maker, type MadeRays, makeRays, type Maker, sunDirection, type Time } from "./rays.js";
import { Scene } from "./scene.js";

export type * from "./answers.js";
export { SightMatrix } from "./answers.js";
export type { Geometry, Instance, Precision, Vector } from "./content.js";
export { Block, LanecastError } from "./module.js";
export type { Numbers, Reason, Source, TypedArray } from "./module.js";
export type * from "./options.js";
export type { MadeRays, Maker, RayArrays, Rays, Time } from "./rays.js";
export { Scene } from "./scene.js";
export type * from "./scene.js";
export {
  DIRECTION_OUT_OF_RANGE,
  EMPTY_INTERVAL,
  HIT,
  INVALID_DIRECTION,
  INVALID_ID,
  INVALID_INTERVAL,
  INVALID_ORIGIN,
  MISS,
  ZERO_DIRECTION,
} from "./abi.js";

export interface SceneOptions extends BuildOptions {
  /** `f64` if any array of the content is a `Float64Array`, else `f32`. */
  readonly precision?: Precision;
  /** Joins vertices of all meshes that lie within this distance of each other. */
  readonly weld?: number;
}

/** The engine, with memory of its own. Scenes of one are not for another. */
export class Lanecast {
  readonly #engine: Engine;

  /** @internal */
  constructor(
    engine: Engine,
    /** For `load` in a worker, to which it may be sent. */
    readonly module: WebAssembly.Module,
  ) {
    this.#engine = engine;
  }

  /** The version, such as "0.1.0". */
  get version(): string {
    return this.#engine.module.text(this.#engine.functions.lanecast_version());
  }

  /** A scene of one mesh: vertices, three numbers each, and three of their numbers for each triangle. */
  scene(vertices: Numbers, triangles: Numbers, options: SceneOptions = {}): Scene {
    return this.build([{ kind: "triangles", vertices, triangles }], options);
  }

  /** A scene of geometries, which get ids, and of instances, which get numbers, in their order. */
  build(content: readonly (Geometry | Instance)[], options: SceneOptions = {}): Scene {
    const engine = this.#engine;
    const placed = content.filter((item): item is Instance => item.kind === "instance");
    const geometries = content.filter((item): item is Geometry => item.kind !== "instance");
    const precision = options.precision ?? precisionOf(geometries, placed);
    const kept: number[] = [];
    try {
      const pointer = inScratch(engine.module, (scratch) => {
        const name = (item: Geometry) => `content[${content.indexOf(item)}]`;
        const handles = geometries.map((item) => geometry(engine, scratch, name(item), item, precision, kept));
        const all = scratch.numbers(handles, Uint32Array);
        const rows = instances(scratch, "instances", placed);
        const how = buildOptions(engine, scratch, options);
        return engine.made(scratch, (place) =>
          engine.functions.lanecast_build(codeOf(precision), all, handles.length, rows, placed.length, how, place),
        );
      });
      const scene = new Scene(engine, pointer, kept, placed);
      scene.label(geometries, geometries.map((_, index) => index));
      scene.labelInstances(placed, placed.map((_, index) => index));
      return scene;
    } catch (error) {
      if (!engine.module.isEnded) kept.forEach((call) => engine.callbacks.remove(call));
      throw error;
    }
  }

  /** A scene of the bytes of a scene file: of `Scene.toBytes`, or saved by the program or another library. */
  open(bytes: Uint8Array | ArrayBuffer, options: Pick<BuildOptions, "progress"> = {}): Scene {
    const [engine, file] = [this.#engine, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)];
    const pointer = inScratch(engine.module, (scratch) => {
      const at = scratch.numbers(file, Uint8Array);
      const hears = watch(engine, scratch, options.progress);
      return engine.made(scratch, (place) => engine.functions.lanecast_from_bytes(at, file.length, hears, 0, place));
    });
    return new Scene(engine, pointer, []);
  }

  /** Memory for so many numbers that calls use without a copy. */
  block<A extends TypedArray>(type: ArrayType<A>, length: number): Block<A> {
    return new Block(this.#engine.module, type, id("length", length));
  }

  /** The rays of a maker: `count` of them, or all, from number `first` on. */
  makeRays(maker: Maker, { precision = "f32" as Precision, first = 0, count = undefined as number | undefined } = {}): MadeRays {
    return makeRays(this.#engine, maker, precision, first, count);
  }

  /** The number of rays of a maker. */
  countRays(given: Maker, precision: Precision = "f32"): number {
    const engine = this.#engine;
    return inScratch(engine.module, (scratch) => countOf(engine, scratch, maker(engine, scratch, given, precision)));
  }

  /** Where the sun is: a vector of length 1, x to the east, y to the north, z up. Latitude and longitude in degrees. */
  sunDirection(time: Time | Date, latitude: number, longitude: number): [number, number, number] {
    return sunDirection(this.#engine, time, latitude, longitude);
  }
}

/** Loads the engine: by default from `lanecast.wasm` beside this file. */
export async function load(source: Source = new URL("./lanecast.wasm", import.meta.url)): Promise<Lanecast> {
  const module = await compile(source);
  return new Lanecast(new Engine(await WebAssembly.instantiate(module, {})), module);
}

