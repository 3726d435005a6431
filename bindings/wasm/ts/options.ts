// Options of queries, of builds and of changes.

import * as abi from "./abi.js";
import type { Engine } from "./engine.js";
import { id, type Numbers, type Read, refuse, type Scratch } from "./module.js";
import { oneOf } from "./rays.js";

/** A hit, as a filter gets it. */
export interface Hit {
  readonly t: number;
  readonly u: number;
  readonly v: number;
  readonly primitiveId: number;
  readonly geometryId: number;
  /** `INVALID_ID` of what is in no instance. */
  readonly instanceId: number;
}

/** Hears how much is done, and stops the call by `false`. It runs between the parts of the call, on its thread. */
export type Progress = (done: number, total: number) => boolean | void;

export interface CallOptions {
  readonly progress?: Progress;
  /** Tests every primitive, without the tree. No answer depends on it. */
  readonly bruteForce?: boolean;
}

/** The primitive that a ray does not meet: ids of all rays or one for each. */
export interface Skip {
  readonly geometryId: number | Numbers;
  readonly primitiveId: number | Numbers;
  readonly instanceId?: number | Numbers;
}

export type Culling = "none" | "back" | "front";

export interface RayOptions extends CallOptions {
  /** Sides that rays do not meet, of all or of each. The front of a triangle is where its vertices run counter-clockwise. */
  readonly culling?: Culling | readonly Culling[];
  /** Rays meet what has a bit of it in common: of all rays, or one for each. */
  readonly mask?: number | Numbers;
  readonly skip?: Skip;
  /** Whether neighbours start and go alike. No answer depends on it. */
  readonly coherence?: "detect" | "coherent" | "incoherent";
  /** Says whether a hit of the ray in a row counts. Called for each hit, in any order. */
  readonly filter?: (row: number, hit: Hit, side: "front" | "back") => boolean;
}

export interface CountOptions extends RayOptions {
  /** Each crossing of a surface once, or every primitive that is touched. */
  readonly contact?: "crossing" | "touch";
}

export interface PointOptions extends CallOptions {}

export interface InsideOptions extends PointOptions {
  /** From 1 on, such as 2: answers by generalised winding numbers of this accuracy, also where surfaces are not closed. */
  readonly generalisedWinding?: number;
}

type AllOptions = CountOptions & InsideOptions;

const cullings = { none: abi.CULL_NONE, back: abi.CULL_BACK, front: abi.CULL_FRONT };
const coherences = { detect: abi.COHERENCE_DETECT, coherent: abi.COHERENT, incoherent: abi.INCOHERENT };
const contacts = { crossing: abi.CONTACT_CROSSING, touch: abi.CONTACT_TOUCH };

/** The names of all options of C; which query takes which is known there. */
const names = ["progress", "bruteForce", "culling", "mask", "skip", "coherence", "filter", "contact", "generalisedWinding"];

function expectKnown(given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) refuse(name, `there is no such option, but ${known.join(", ")}`);
  }
}

/** A function that hears of progress, as C has it. */
export function watch(engine: Engine, scratch: Scratch, progress: Progress | undefined): number {
  if (!progress) return 0;
  const call = engine.callbacks.add(
    ["i32", "i32", "i32"],
    "i32",
    0,
    (_user, done, total) => progress(done >>> 0, total >>> 0) !== false,
  );
  scratch.atEnd(() => engine.callbacks.remove(call));
  return call;
}

/** A hit as C has it. */
export function hitOf(hit: Read<typeof abi.hit_f64>): Hit {
  const { t, u, v, primitive_id: primitiveId, geometry_id: geometryId, instance_id: instanceId } = hit;
  return { t, u, v, primitiveId, geometryId, instanceId };
}

function filter(engine: Engine, scratch: Scratch, counts: RayOptions["filter"]): number {
  if (!counts) return 0;
  const call = engine.callbacks.add(["i32", "i32", "i32", "i32"], "i32", 0, (_user, row, at, side) => {
    return counts(row >>> 0, hitOf(scratch.read(abi.hit_f64, at >>> 0)), side === abi.FRONT ? "front" : "back");
  });
  scratch.atEnd(() => engine.callbacks.remove(call));
  return call;
}

/** Options of a call over so many rays or points, as C has them; the call itself takes those that are `own`. */
export function options(engine: Engine, scratch: Scratch, given: Partial<AllOptions>, rows: number, own: readonly string[] = []): number {
  expectKnown(given, [...names, ...own]);
  const { mask, skip, culling = "none" } = given;
  const each = (name: string, ids: number | Numbers | undefined): number => {
    if (ids === undefined) return 0;
    if (typeof ids === "number") ids = new Uint32Array(rows).fill(id(name, ids));
    if (ids.length !== rows) refuse(name, `it has ${ids.length} numbers; one for each of ${rows} rows was expected`);
    return scratch.ids(name, ids);
  };
  const eachCulling = (all: readonly Culling[]): number => {
    if (all.length !== rows) refuse("culling", `there are ${all.length}; one for each of ${rows} rows was expected`);
    return scratch.numbers(all.map((one, row) => oneOf(`culling[${row}]`, one, cullings)), Int32Array);
  };
  // 0 stands for all bits, so that no bit is told by a column.
  const isOne = typeof mask === "number" && id("mask", mask) !== 0;
  return scratch.struct(abi.options, {
    watch: watch(engine, scratch, given.progress),
    brute_force: given.bruteForce ?? false,
    coherence: oneOf("coherence", given.coherence ?? "detect", coherences),
    culling: typeof culling === "string" ? oneOf("culling", culling, cullings) : abi.CULL_NONE,
    cullings: typeof culling === "string" ? 0 : eachCulling(culling),
    masks: isOne ? 0 : each("mask", mask),
    mask: isOne ? mask : 0,
    skip_geometry_ids: each("skip.geometryId", skip?.geometryId),
    skip_primitive_ids: each("skip.primitiveId", skip?.primitiveId),
    skip_instance_ids: each("skip.instanceId", skip?.instanceId),
    filter: filter(engine, scratch, given.filter),
    contact: oneOf("contact", given.contact ?? "crossing", contacts),
    generalised_winding: given.generalisedWinding ?? 0,
  });
}

export interface BuildOptions {
  /** `fast` builds in half the time, `high` takes twice the time for rays that are 5 to 15% faster in interiors. */
  readonly quality?: "balanced" | "fast" | "high";
  /** Hears how much of the work is done, and stops it by `false`: a change that is stopped has not been made. */
  readonly progress?: Progress;
}

const qualities = { balanced: abi.QUALITY_BALANCED, fast: abi.QUALITY_FAST, high: abi.QUALITY_HIGH };

/** Options of a build or a change, as C has them. */
export function buildOptions(engine: Engine, scratch: Scratch, given: BuildOptions & { weld?: number }): number {
  return scratch.struct(abi.build_options, {
    watch: watch(engine, scratch, given.progress),
    quality: oneOf("quality", given.quality ?? "balanced", qualities),
    weld: given.weld !== undefined,
    weld_tolerance: given.weld ?? 0,
  });
}
