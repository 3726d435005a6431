// Answers: columns, a row a ray or a point, as arrays of the caller's.

import { type Precision, typeOf } from "./content.js";
import type { Hit } from "./options.js";
import { type ArrayType, Block, type Module, type BaseExports, refuse, type Scratch, type TypedArray } from "./module.js";

/** A number of the scene's precision. */
export type Floats = Float32Array | Float64Array;

/** The status of each row: `MISS`, `HIT`, or why the ray or the point was not cast. */
interface WithStatus {
  readonly status: Uint8Array;
}

/** What was hit: without a hit `INVALID_ID`. */
interface WithIds {
  readonly primitiveId: Uint32Array;
  readonly geometryId: Uint32Array;
  /** `INVALID_ID` of what is in no instance. */
  readonly instanceId: Uint32Array;
}

/** A hit of each ray; without one t is infinite. */
export interface Hits extends WithStatus, WithIds {
  readonly t: Floats;
  /** Weights of the second and the third vertex. */
  readonly u: Floats;
  readonly v: Floats;
  /** Three numbers each, not of unit length: (v1 − v0) × (v2 − v0) of triangles. With the option `normals`. */
  readonly normal?: Floats;
}

export interface ClosestPoints extends WithStatus, WithIds {
  readonly distance: Floats;
  /** Three numbers each. */
  readonly point: Floats;
  readonly u: Floats;
  readonly v: Floats;
  readonly normal?: Floats;
}

export interface Counts extends WithStatus {
  readonly hits: Uint32Array;
}

export interface Costs extends WithStatus {
  /** Tests of nodes, and boxes in those. */
  readonly nodes: Uint32Array;
  readonly boxes: Uint32Array;
  /** Tests of leaves, and primitives in those. */
  readonly leaves: Uint32Array;
  readonly primitives: Uint32Array;
}

export interface Values<A> extends WithStatus {
  readonly value: A;
}

/** Lists of all rows: those of row r are numbers `offsets[r]` to `offsets[r + 1]`, the latter excluded. */
interface Lists extends WithStatus, WithIds {
  readonly offsets: Uint32Array;
  readonly u: Floats;
  readonly v: Floats;
}

/** Nearest first. */
export interface HitLists extends Lists {
  readonly t: Floats;
}

/** Nearest first, three numbers a point. */
export interface PointLists extends Lists {
  readonly distance: Floats;
  readonly point: Floats;
}

/**
 * What a scanner measures: the returns of pulse p are numbers `offsets[p]` to `offsets[p + 1]`, the latter excluded, nearest
 * first before noise. `status` has a row for each ray, of which a pulse has one or many.
 */
export interface Returns extends WithStatus, WithIds {
  readonly offsets: Uint32Array;
  /** Along the axis of the pulse. */
  readonly distance: Floats;
  /** The point there, three numbers each. */
  readonly point: Floats;
  /** Which of the returns that are received each is, from 1, and how many these are: more than are kept, perhaps. */
  readonly number: Uint32Array;
  readonly count: Uint32Array;
}

/** A hit with points and normals in both frames. Normals have length 1, or are zero where a primitive has none. */
export interface PickedHit extends Hit {
  readonly point: readonly number[];
  readonly normal: readonly number[];
  /** In the frame of the scene that holds the primitive. */
  readonly localPoint: readonly number[];
  readonly localNormal: readonly number[];
  /** The numbers of the instances around it, outermost first, each in the scene of the one before. */
  readonly instancePath: readonly number[];
}

/** Which of a number of targets each observer sees. */
export class SightMatrix {
  constructor(
    readonly observers: number,
    readonly targets: number,
    /** Target t of observer o is bit t % 32 of word o · `stride` + ⌊t / 32⌋. */
    readonly words: Uint32Array,
    readonly stride: number,
  ) {}

  sees(observer: number, target: number): boolean {
    return ((this.words[observer * this.stride + (target >>> 5)]! >>> (target & 31)) & 1) === 1;
  }

  /** The number of targets that an observer sees. */
  count(observer: number): number {
    let count = 0;
    for (let target = 0; target < this.targets; target += 1) count += Number(this.sees(observer, target));
    return count;
  }
}

/** What a row of a column is: `number` of the scene's precision, `vector` three such, `float` of `f32` whatever the scene. */
export type Kind = "status" | "number" | "vector" | "count" | "signed" | "float";

/** Where on a surface. */
const place = {
  primitiveId: "count",
  geometryId: "count",
  instanceId: "count",
  u: "number",
  v: "number",
  normal: "vector",
} as const;

export const columns = {
  hits: { status: "status", t: "number", ...place },
  closestPoints: { status: "status", distance: "number", point: "vector", ...place },
  counts: { status: "status", hits: "count" },
  costs: { status: "status", nodes: "count", boxes: "count", leaves: "count", primitives: "count" },
  distances: { status: "status", value: "number" },
  signed: { status: "status", value: "signed" },
  floats: { status: "status", value: "float" },
  surface: { status: "status", point: "vector", geometricNormal: "vector", shadingNormal: "vector" },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

export type Columns = Readonly<Record<string, Kind>>;

/** Which columns are wanted, and where they go. */
export interface ColumnOptions<C extends string> {
  /** Those that are wanted; else all but `normal`. */
  readonly columns?: readonly C[];
  readonly normals?: boolean;
  /** Blocks for columns: these are written, without a copy, and no others. */
  readonly into?: Readonly<Partial<Record<C, Block>>>;
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const arrayOf = (kind: Kind, precision: Precision): ArrayType =>
  kind === "status" ? Uint8Array
  : kind === "count" ? Uint32Array
  : kind === "signed" ? Int32Array
  : kind === "float" ? Float32Array
  : typeOf(precision);

const widthOf = (kind: Kind): number => (kind === "vector" ? 3 : 1);

interface Place {
  readonly name: string;
  readonly type: ArrayType;
  readonly at: number;
  readonly length: number;
  readonly block: Block | undefined;
}

/** Places for the columns of a call, and what was written to them. */
export class Places {
  readonly #all: Place[] = [];

  constructor(
    readonly module: Module<BaseExports>,
    scratch: Scratch,
    columns: Columns,
    precision: Precision,
    readonly rows: number,
    { columns: wanted, normals = false, into }: ColumnOptions<string> = {},
  ) {
    for (const name of [...(wanted ?? []), ...Object.keys(into ?? {})]) {
      if (!Object.hasOwn(columns, name)) refuse(into ? "into" : "columns", `${name} is none of ${Object.keys(columns).join(", ")}`);
    }
    for (const [name, kind] of Object.entries(columns)) {
      const isWanted = into ? into[name] !== undefined : wanted ? wanted.includes(name) : name !== "normal" || normals;
      if (!isWanted && !(name === "normal" && normals)) continue;
      const [type, length] = [arrayOf(kind, precision), rows * widthOf(kind)];
      const block = into?.[name];
      if (block && (block.type !== type || block.length !== length || block.module !== module)) {
        refuse(`into.${name}`, `it is a block of ${block.length} in ${block.type.name}; ${length} in ${type.name} were expected`);
      }
      this.#all.push({ name, type, at: block?.at ?? scratch.room(length * type.BYTES_PER_ELEMENT), length, block });
    }
  }

  /** As C has them. */
  get values(): Record<string, { data: number; stride: number }> {
    const of = ({ name, type, at, length }: Place) => {
      const stride = (this.rows === 0 ? 1 : length / this.rows) * type.BYTES_PER_ELEMENT;
      return [snake(name), { data: at, stride }];
    };
    return Object.fromEntries(this.#all.map(of));
  }

  /** What was written: copies, and the arrays of blocks. */
  taken(): Record<string, TypedArray> {
    const { buffer } = this.module;
    const of = ({ name, type, at, length, block }: Place) =>
      [name, block ? block.array : new type(buffer, at, length).slice()] as const;
    return Object.fromEntries(this.#all.map(of));
  }
}

/** A column of lists, whose rows lie a stride of bytes apart. */
export function strided(
  module: Module<BaseExports>,
  { data, stride }: { data: number; stride: number },
  rows: number,
  kind: Kind,
  precision: Precision,
): TypedArray {
  const [type, width] = [arrayOf(kind, precision), widthOf(kind)];
  const step = stride / type.BYTES_PER_ELEMENT;
  const taken = new type(new ArrayBuffer(rows * width * type.BYTES_PER_ELEMENT), 0, rows * width);
  if (rows === 0) return taken;
  const all = new type(module.buffer, data, (rows - 1) * step + width);
  for (let row = 0; row < rows; row += 1) {
    for (let part = 0; part < width; part += 1) taken[row * width + part] = all[row * step + part]!;
  }
  return taken;
}

