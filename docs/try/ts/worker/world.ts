// The scene that is open: as the engine has it, and as it is drawn.

import {
  type Block,
  type Lanecast,
  LanecastError,
  load,
  type Precision,
  type Scene,
} from "../../../../bindings/wasm/dist/index.js";
import type { MeshFile, Point, Progress, Surface, Terrain } from "../protocol.js";
import { surfaceOf, type Vertices } from "./shape.js";

/** How far above a surface what stands on it is seen, as a share of the scene's radius. */
const LIFT = 2e-4;
/** The same on a terrain, in metres. */
const TERRAIN_LIFT = 1;

type Targets = Block<Float32Array | Float64Array>;

export class World {
  readonly #targets = new Map<number, Targets>();
  /** Room for directions to targets. */
  readonly #directions = new Map<number, Targets>();

  constructor(
    readonly lanecast: Lanecast,
    readonly scene: Scene,
    readonly vertices: Vertices,
    readonly surface: Surface,
  ) {}

  /** Points just above the vertices; of a terrain those of every `step`-th row and column. They stay in the engine's memory. */
  targets(step: number): Targets {
    return kept(this.#targets, step, () => {
      const { grid } = this.surface;
      const numbers = grid ? everyOther(this.#lifted(), grid, step) : this.#lifted();
      const block = this.#block(numbers.length);
      block.array.set(numbers);
      return block;
    });
  }

  /** From a point to all targets. */
  directions(from: Point, step: number): Targets {
    const targets = this.targets(step);
    const directions = kept(this.#directions, step, () => this.#block(targets.length));
    const [to, written] = [targets.array, directions.array];
    for (let at = 0; at < to.length; at += 3) {
      written[at] = to[at]! - from[0];
      written[at + 1] = to[at + 1]! - from[1];
      written[at + 2] = to[at + 2]! - from[2];
    }
    return directions;
  }

  #block(length: number): Targets {
    return this.lanecast.block<Float32Array | Float64Array>(
      this.vertices instanceof Float64Array ? Float64Array : Float32Array,
      length,
    );
  }

  #lifted(): Vertices {
    const { grid, normals, radius } = this.surface;
    const lifted = this.vertices.slice();
    if (grid) for (let at = 2; at < lifted.length; at += 3) lifted[at]! += TERRAIN_LIFT;
    else for (let at = 0; at < lifted.length; at += 1) lifted[at]! += LIFT * radius * normals[at]!;
    return lifted;
  }
}

function kept<V>(all: Map<number, V>, key: number, make: () => V): V {
  const value = all.get(key) ?? make();
  all.set(key, value);
  return value;
}

function everyOther(points: Vertices, [rows, columns]: readonly [number, number], step: number): number[] {
  const taken: number[] = [];
  for (let row = 0; row < rows; row += step) {
    for (let column = 0; column < columns; column += step) {
      const at = 3 * (row * columns + column);
      taken.push(points[at]!, points[at + 1]!, points[at + 2]!);
    }
  }
  return taken;
}

const addressOf = (file: string) => new URL(file, self.location.href);

/** Of each precision; that of `f64` is larger, and loaded when a file needs it. */
const modules = { f32: "lanecast.wasm", f64: "lanecast-f64.wasm" } as const;
const compiled = new Map<Precision, WebAssembly.Module>();

/**
 * Builds a scene in an engine of its own: memory of WebAssembly never shrinks, and what uses it up must not take the scene
 * that is open along.
 */
async function build(
  vertices: Vertices,
  triangles: Uint32Array,
  surface: Surface,
  tell: (progress: Progress) => void,
): Promise<World> {
  const precision = vertices instanceof Float64Array ? "f64" : "f32";
  const lanecast = await load(compiled.get(precision) ?? addressOf(modules[precision]));
  compiled.set(precision, lanecast.module);
  const text = `${(triangles.length / 3).toLocaleString("en")} triangles: building the tree`;
  tell({ text, share: 0 });
  const progress = (done: number, total: number) => tell({ text, share: done / total });
  return new World(lanecast, lanecast.scene(vertices, triangles, { progress }), vertices, surface);
}

export function openTerrain(
  { name, rows, columns, spacing, heights }: Terrain,
  tell: (progress: Progress) => void,
): Promise<World> {
  const vertices = new Float32Array(3 * rows * columns);
  for (let vertex = 0; vertex < rows * columns; vertex += 1) {
    const [row, column] = [Math.floor(vertex / columns), vertex % columns];
    vertices.set([column * spacing[0], row * spacing[1], heights[vertex]!], 3 * vertex);
  }
  const triangles = gridTriangles(rows, columns);
  return build(vertices, triangles, surfaceOf(name, vertices, triangles, [rows, columns], []), tell);
}

/** Two triangles a cell, cut from south-west to north-east, counter-clockwise from above: as in data/jacksboro.ply. */
function gridTriangles(rows: number, columns: number): Uint32Array {
  const triangles = new Uint32Array(6 * (rows - 1) * (columns - 1));
  let at = 0;
  for (let row = 0; row + 1 < rows; row += 1) {
    for (let column = 0; column + 1 < columns; column += 1) {
      const southWest = row * columns + column;
      const [southEast, northWest, northEast] = [southWest + 1, southWest + columns, southWest + columns + 1];
      triangles.set([southWest, southEast, northEast, southWest, northEast, northWest], at);
      at += 6;
    }
  }
  return triangles;
}

/** All meshes of a file as one, whose triangles are numbered on from mesh to mesh. */
export async function openFile({ name, bytes }: MeshFile, tell: (progress: Progress) => void): Promise<World> {
  tell({ text: `reading ${name}` });
  const { loadMeshes } = await import("../../../../bindings/wasm/dist/meshes.js");
  const { readMeshes } = await loadMeshes(addressOf("meshes.wasm"));
  const { meshes, remarks, needsF64 } = readMeshes(bytes, name);
  const count = (length: (mesh: (typeof meshes)[number]) => number) => meshes.reduce((sum, mesh) => sum + length(mesh), 0);
  const vertices = new (needsF64 ? Float64Array : Float32Array)(count((mesh) => mesh.vertices.length));
  const triangles = new Uint32Array(count((mesh) => mesh.triangles.length));
  if (triangles.length === 0) throw new LanecastError(`${name}: it has no triangles`, "invalid-input");
  let [vertexAt, triangleAt] = [0, 0];
  for (const mesh of meshes) {
    const first = vertexAt / 3;
    vertices.set(mesh.vertices, vertexAt);
    triangles.set(first === 0 ? mesh.triangles : mesh.triangles.map((vertex) => vertex + first), triangleAt);
    vertexAt += mesh.vertices.length;
    triangleAt += mesh.triangles.length;
  }
  return build(vertices, triangles, surfaceOf(name, vertices, triangles, undefined, remarks), tell);
}
