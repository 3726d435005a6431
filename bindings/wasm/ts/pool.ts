/**
 * Batches spread over workers, each of which has an engine with a copy of the scene. Pages need not be cross-origin isolated,
 * as no memory is shared.
 *
 *     const pool = await Pool.start(lanecast);
 *     const scene = await pool.open(lanecast.scene(vertices, triangles));
 *     const hits = await scene.closestHit({ origins, directions });
 *
 * @module
 */

import type { ClosestPoints, Costs, Counts, Floats, Hits, Values } from "./answers.js";
import { type Precision, rowsOf } from "./content.js";
import type { Lanecast } from "./index.js";
import { Block, LanecastError, type Numbers, refuse, type TypedArray } from "./module.js";
import type { CountOptions, InsideOptions, PointOptions, Progress, RayOptions } from "./options.js";
import type { Maker, RayArrays, Rays } from "./rays.js";
import type { ClosestPointOptions, HitOptions, Scene } from "./scene.js";
import type { Answer, Part, Query, Request } from "./worker.js";

/** Options but for those of one thread: functions of hits, and blocks. */
type Sent<O> = Omit<O, "filter" | "into">;

/** Rows of a part: enough to be worth a message. */
const LEAST = 4096;
/** Parts for each worker, so that one with dear rays does not keep the others waiting. */
const PARTS = 4;

interface Waiting {
  readonly resolve: (answers: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Port {
  postMessage(request: Request & { id: number }): void;
  /** Of Node: whether the worker keeps the process alive. */
  ref?(): void;
  unref?(): void;
  terminate(): unknown;
}

/** A worker, and what is asked of it. */
class Helper {
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;
  #ended: Error | undefined;

  private constructor(
    start: (receive: (answer: Answer & { id: number }) => void, fail: (error: Error) => void) => Port,
    readonly port = start(
      ({ id, ...answer }) => this.#settle(id, answer as Answer),
      (error) => this.#end(error),
    ),
  ) {}

  static async start(): Promise<Helper> {
    const address = new URL("./worker.js", import.meta.url);
    if (typeof Worker === "undefined") {
      const threads = await import(/* webpackIgnore: true */ "node:worker_threads" as string);
      return new Helper((receive, fail) => {
        const worker = new threads.Worker(address);
        worker.on("message", receive);
        worker.on("error", fail);
        return worker;
      });
    }
    return new Helper((receive, fail) => {
      const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      worker.addEventListener("message", ({ data }) => receive(data));
      worker.addEventListener("error", ({ message }) => fail(new Error(message || `${address} does not load`)));
      return worker;
    });
  }

  ask(request: Request): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.port.ref?.();
      this.port.postMessage({ id, ...request });
    });
  }

  end(): void {
    this.#end(new LanecastError("pool: it was ended", "stopped"));
    this.port.terminate();
  }

  #settle(id: number, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.port.unref?.();
    if ("answers" in answer) waiting?.resolve(answer.answers);
    else waiting?.reject(new LanecastError(answer.message, answer.reason));
  }

  #end(error: Error): void {
    this.#ended = error;
    this.#waiting.forEach(({ reject }) => reject(error));
    this.#waiting.clear();
  }
}

export class Pool {
  #next = 0;

  private constructor(
    /** @internal */
    readonly lanecast: Lanecast,
    readonly workers: readonly Helper[],
  ) {}

  /** Starts workers: as many as there are cores, less one for the page. */
  static async start(lanecast: Lanecast, count = Math.max((globalThis.navigator?.hardwareConcurrency ?? 2) - 1, 1)): Promise<Pool> {
    const workers = await Promise.all(Array.from({ length: count }, () => Helper.start()));
    const pool = new Pool(lanecast, workers);
    await Promise.all(workers.map((worker) => worker.ask({ kind: "load", module: lanecast.module })));
    return pool;
  }

  /** Copies a scene to all workers. It may be freed or changed afterwards; the copies stay as they are. */
  async open(scene: Scene): Promise<PooledScene> {
    const [bytes, number] = [scene.toBytes(), this.#next++];
    await Promise.all(this.workers.map((worker) => worker.ask({ kind: "open", scene: number, bytes })));
    return new PooledScene(this, number, scene.precision);
  }

  /** Ends all workers; what is under way fails. */
  end(): void {
    this.workers.forEach((worker) => worker.end());
  }
}

/** Some rows of an argument that may be one for all. */
function some<N extends number | Numbers | undefined>(given: N, first: number, count: number, width = 1, rows = Infinity): N {
  if (given === undefined || typeof given === "number") return given;
  const numbers: ArrayLike<number> = given instanceof Block ? given.array : given;
  if (numbers.length === width && rows !== 1) return numbers as N;
  const [from, to] = [first * width, (first + count) * width];
  return (Array.isArray(numbers) ? numbers.slice(from, to) : (numbers as TypedArray).slice(from, to)) as unknown as N;
}

/** A scene that all workers of a pool have. */
export class PooledScene {
  /** @internal */
  constructor(
    readonly pool: Pool,
    readonly number: number,
    readonly precision: Precision,
  ) {}

  closestHit(rays: Rays, options: Sent<HitOptions> = {}): Promise<Hits> {
    return this.#ofRays("closestHit", rays, options);
  }

  farthestHit(rays: Rays, options: Sent<HitOptions> = {}): Promise<Hits> {
    return this.#ofRays("farthestHit", rays, options);
  }

  anyHit(rays: Rays, options: Sent<RayOptions> = {}): Promise<Uint8Array> {
    return this.#ofRays("anyHit", rays, options);
  }

  countHits(rays: Rays, options: Sent<CountOptions> = {}): Promise<Counts> {
    return this.#ofRays("countHits", rays, options);
  }

  signedCount(rays: Rays, options: Sent<CountOptions> = {}): Promise<Values<Int32Array>> {
    return this.#ofRays("signedCount", rays, options);
  }

  cost(rays: Rays, options: Sent<RayOptions> = {}): Promise<Costs> {
    return this.#ofRays("cost", rays, options);
  }

  closestPoint(points: Numbers, options: Sent<ClosestPointOptions> = {}): Promise<ClosestPoints> {
    return this.#ofPoints("closestPoint", points, options);
  }

  distance(points: Numbers, options: PointOptions = {}): Promise<Values<Floats>> {
    return this.#ofPoints("distance", points, options);
  }

  signedDistance(points: Numbers, options: InsideOptions = {}): Promise<Values<Floats>> {
    return this.#ofPoints("signedDistance", points, options);
  }

  contains(points: Numbers, options: InsideOptions = {}): Promise<Values<Int32Array>> {
    return this.#ofPoints("contains", points, options);
  }

  windingNumber(points: Numbers, options: PointOptions & { readonly accuracy?: number } = {}): Promise<Values<Float32Array>> {
    return this.#ofPoints("windingNumber", points, options);
  }

  /** Frees the copies of all workers. */
  async free(): Promise<void> {
    await Promise.all(this.pool.workers.map((worker) => worker.ask({ kind: "free", scene: this.number })));
  }

  #ofRays<A>(query: Query, rays: Rays, options: Sent<CountOptions>): Promise<A> {
    if ("kind" in rays) {
      const count = this.pool.lanecast.countRays(rays, this.precision);
      return this.#ask(query, count, options, (first, rows) => ({ maker: rays as Maker, first, count: rows }));
    }
    const [starts, ways] = [rowsOf("origins", rays.origins, 3), rowsOf("directions", rays.directions, 3)];
    const count = starts === 1 ? ways : starts;
    if (ways !== count && ways !== 1) refuse("directions", `there are ${ways}, and ${starts} origins`);
    return this.#ask(query, count, options, (first, rows): RayArrays => {
      const of = (numbers: Numbers) => some(numbers, first, rows, 3, count);
      const [tMin, tMax] = [some(rays.tMin, first, rows), some(rays.tMax, first, rows)];
      return {
        origins: of(rays.origins),
        directions: of(rays.directions),
        ...(tMin !== undefined && { tMin }),
        ...(tMax !== undefined && { tMax }),
      };
    });
  }

  #ofPoints<A>(query: Query, points: Numbers, options: PointOptions): Promise<A> {
    const count = rowsOf("points", points, 3);
    return this.#ask(query, count, options, (first, rows) => some(points, first, rows, 3, 1) as ArrayLike<number>);
  }

  /** Cuts a batch into parts, asks the workers, and joins the columns of their answers. */
  async #ask<A>(
    query: Query,
    count: number,
    { progress, ...options }: { progress?: Progress; culling?: unknown; mask?: number | Numbers; skip?: object; radius?: number | Numbers },
    part: (first: number, rows: number) => Part,
  ): Promise<A> {
    for (const name of ["filter", "into"]) {
      if (name in options) refuse(name, "a pool does not take it, as workers have memory of their own");
    }
    if (Array.isArray(options.culling) && options.culling.length !== count) {
      refuse("culling", `there are ${options.culling.length}; one for each of ${count} rows was expected`);
    }
    const { workers } = this.pool;
    const rows = Math.max(Math.ceil(count / (workers.length * PARTS)), LEAST);
    const firsts = Array.from({ length: Math.max(Math.ceil(count / rows), 1) }, (_, index) => index * rows);
    let [done, isStopped] = [0, false];
    const answers = new Array<unknown>(firsts.length);
    const cut = (value: unknown, first: number, rows: number) =>
      value === undefined || typeof value === "number" ? value : some(value as Numbers, first, rows, 1, 1);
    const queue = firsts.entries();
    await Promise.all(
      workers.map(async (worker) => {
        for (const [index, first] of queue) {
          if (isStopped) return;
          const here = Math.min(rows, count - first);
          const of = {
            ...options,
            ...(Array.isArray(options.culling) && { culling: options.culling.slice(first, first + here) }),
            ...("mask" in options && { mask: cut(options.mask, first, here) }),
            ...("radius" in options && { radius: cut(options.radius, first, here) }),
            ...("skip" in options && {
              skip: Object.fromEntries(Object.entries(options.skip ?? {}).map(([name, ids]) => [name, cut(ids, first, here)])),
            }),
          };
          answers[index] = await worker.ask({ kind: "ask", scene: this.number, query, part: part(first, here), options: of });
          done += here;
          if (progress?.(done, count) === false) isStopped = true;
        }
      }),
    );
    if (isStopped && done < count) throw new LanecastError(`stopped when ${done} of ${count} were done`, "stopped");
    return joined(answers) as A;
  }
}

/** Columns, or one, of all parts. */
function joined(parts: readonly unknown[]): unknown {
  const [first] = parts;
  if (ArrayBuffer.isView(first)) return concatenated(parts as TypedArray[]);
  const names = Object.keys(first as object);
  return Object.fromEntries(names.map((name) => [name, concatenated(parts.map((part) => (part as Record<string, TypedArray>)[name]!))]));
}

function concatenated(parts: readonly TypedArray[]): TypedArray {
  const [first] = parts;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const all = new (first!.constructor as new (length: number) => TypedArray)(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
