/**
 * Meshes of files: OBJ, PLY, STL, OFF, glTF and GLB, also compressed by gzip. A module of its own, so that pages without
 * files need not load it.
 *
 *     const { readMeshes } = await loadMeshes();
 *     const { meshes } = readMeshes(await file.arrayBuffer(), file.name);
 *
 * @module
 */

import type { Layout } from "./abi.js";
import { type BaseExports, compile, inScratch, LanecastError, Module, type Source } from "./module.js";

export interface Mesh {
  /** The name in the file; empty if it has none. */
  readonly name: string;
  /** Three numbers a vertex. */
  readonly vertices: Float64Array;
  /** Three numbers of vertices a triangle. */
  readonly triangles: Uint32Array;
  /** Three numbers a vertex, of any length, if the file has them. */
  readonly normals?: Float32Array;
}

export interface MeshFile {
  /** Every mesh in every place where it stands. */
  readonly meshes: readonly Mesh[];
  /** What of the file is not in the meshes, or is there in another form. */
  readonly remarks: readonly string[];
  /** Whether `f32` is too coarse for the meshes. */
  readonly needsF64: boolean;
}

interface Exports extends BaseExports {
  lanecast_meshes_read(file: number, bytes: number, name: number, nameBytes: number): number;
  lanecast_meshes_refused(): number;
  lanecast_meshes_count(file: number): number;
  lanecast_meshes_remarks(file: number): number;
  lanecast_meshes_need_f64(file: number): number;
  lanecast_meshes_get(file: number, index: number, shown: number): void;
  lanecast_meshes_free(file: number): void;
}

const shown = {
  size: 24,
  fields: {
    name: [0, "u32"],
    vertex_count: [4, "u32"],
    vertices: [8, "u32"],
    triangle_count: [12, "u32"],
    triangles: [16, "u32"],
    normals: [20, "u32"],
  },
} as const satisfies Layout;

export class Meshes {
  readonly #module: Module<Exports>;

  /** @internal */
  constructor(instance: WebAssembly.Instance) {
    this.#module = new Module(instance.exports as unknown as Exports);
  }

  /** The meshes of a file, whose name says its format. `LanecastError` names the line or element that is wrong. */
  readonly readMeshes = (file: Uint8Array | ArrayBuffer, name: string): MeshFile => {
    const [module, { exports }] = [this.#module, this.#module];
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
    const named = new TextEncoder().encode(name);
    return inScratch(module, (scratch) => {
      const [at, nameAt] = [scratch.numbers(bytes, Uint8Array), scratch.numbers(named, Uint8Array)];
      const read = module.guard(() => exports.lanecast_meshes_read(at, bytes.length, nameAt, named.length)) >>> 0;
      if (read === 0) throw new LanecastError(module.text(exports.lanecast_meshes_refused()), "invalid-input");
      scratch.atEnd(() => exports.lanecast_meshes_free(read));
      const place = scratch.room(shown.size);
      const { buffer } = module;
      const meshes = Array.from({ length: exports.lanecast_meshes_count(read) }, (_, number): Mesh => {
        exports.lanecast_meshes_get(read, number, place);
        const { name, vertex_count, vertices, triangle_count, triangles, normals } = scratch.read(shown, place);
        return {
          name: module.text(name),
          vertices: new Float64Array(buffer, vertices, 3 * vertex_count).slice(),
          triangles: new Uint32Array(buffer, triangles, 3 * triangle_count).slice(),
          ...(normals !== 0 && { normals: new Float32Array(buffer, normals, 3 * vertex_count).slice() }),
        };
      });
      const remarks = module.text(exports.lanecast_meshes_remarks(read));
      return {
        meshes,
        remarks: remarks === "" ? [] : remarks.split("\n"),
        needsF64: exports.lanecast_meshes_need_f64(read) !== 0,
      };
    });
  };
}

/** Loads the readers: by default from `meshes.wasm` beside this file. */
export async function loadMeshes(source: Source = new URL("./meshes.wasm", import.meta.url)): Promise<Meshes> {
  return new Meshes(await WebAssembly.instantiate(await compile(source), {}));
}
