// What a worker of a pool does: it has an engine with a copy of each scene, and answers for parts of batches.

import { type Lanecast, load } from "./index.js";
import { LanecastError, type Reason } from "./module.js";
import type { Maker, Rays } from "./rays.js";
import type { Scene } from "./scene.js";

/** The queries that answer row by row. */
export type Query =
  | "closestHit"
  | "farthestHit"
  | "anyHit"
  | "countHits"
  | "signedCount"
  | "cost"
  | "closestPoint"
  | "distance"
  | "signedDistance"
  | "contains"
  | "windingNumber";

/** A part of a batch: rays or points, or some rays of a maker. */
export type Part = Rays | ArrayLike<number> | { readonly maker: Maker; readonly first: number; readonly count: number };

export type Request =
  | { readonly kind: "load"; readonly module: WebAssembly.Module }
  | { readonly kind: "open"; readonly scene: number; readonly bytes: Uint8Array }
  | { readonly kind: "ask"; readonly scene: number; readonly query: Query; readonly part: Part; readonly options: object }
  | { readonly kind: "free"; readonly scene: number };

/** Columns, or why there are none. */
export type Answer = { readonly answers: unknown } | { readonly message: string; readonly reason: Reason };

interface Port {
  postMessage(answer: Answer & { id: number }, transfer: ArrayBuffer[]): void;
}

let lanecast: Lanecast;
const scenes = new Map<number, Scene>();

async function answer(request: Request): Promise<unknown> {
  if (request.kind === "load") {
    lanecast = await load(request.module);
    return undefined;
  }
  if (request.kind === "open") {
    scenes.set(request.scene, lanecast.open(request.bytes));
    return undefined;
  }
  const scene = scenes.get(request.scene)!;
  if (request.kind === "free") {
    scene.free();
    scenes.delete(request.scene);
    return undefined;
  }
  const { query, options } = request;
  let part: unknown = request.part;
  if ("maker" in request.part) {
    const { maker, first, count } = request.part;
    part = lanecast.makeRays(maker, { precision: scene.precision, first, count });
  }
  return (scene[query] as (part: unknown, options: object) => unknown)(part, options);
}

async function receive(port: Port, { id, ...request }: Request & { id: number }): Promise<void> {
  try {
    const answers = await answer(request as Request);
    const columns = answers instanceof Uint8Array ? [answers] : Object.values((answers ?? {}) as Record<string, Uint8Array>);
    port.postMessage({ id, answers }, columns.map(({ buffer }) => buffer as ArrayBuffer));
  } catch (error) {
    const reason = error instanceof LanecastError ? error.reason : "defect";
    port.postMessage({ id, message: error instanceof Error ? error.message : String(error), reason }, []);
  }
}

// Of Node or of a page.
if ((globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node) {
  const { parentPort } = await import(/* webpackIgnore: true */ "node:worker_threads" as string);
  parentPort?.on("message", (request: Request & { id: number }) => receive(parentPort, request));
} else if (typeof document === "undefined") {
  const port = self as unknown as Port;
  self.addEventListener("message", ({ data }) => receive(port, data));
}
