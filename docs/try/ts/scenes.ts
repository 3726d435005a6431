// The scenes that are served beside the page, and files.

import type { Engine } from "./engine.js";
import type { MeshFile, Progress, Surface, Terrain, Up } from "./protocol.js";

export const shippedScenes = ["terrain", "gyroid"] as const;
export type Shipped = (typeof shippedScenes)[number];

export interface Opened {
  readonly surface: Surface;
  /** Of its lengths. */
  readonly unit: string;
  readonly up: Up;
}

async function fetched(file: string): Promise<Response> {
  const response = await fetch(new URL(file, document.baseURI));
  if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
  return response;
}

/** The terrain that is served beside the page. */
export async function fetchTerrain(): Promise<Terrain> {
  const [facts, heights] = await Promise.all([
    fetched("jacksboro.json").then((response) => response.json() as Promise<Omit<Terrain, "heights">>),
    fetched("jacksboro.heights").then((response) => response.arrayBuffer()),
  ]);
  return { ...facts, heights: new Uint16Array(heights) };
}

export async function fetchGyroid(): Promise<MeshFile> {
  const name = "gyroid.ply.gz";
  return { name, bytes: await (await fetched(name)).arrayBuffer() };
}

export async function openShipped(engine: Engine, scene: Shipped, hear: (progress: Progress) => void): Promise<Opened> {
  if (scene === "terrain") {
    hear({ text: "loading the terrain" });
    return { surface: await engine.ask("openTerrain", await fetchTerrain(), hear), unit: "m", up: "z" };
  }
  hear({ text: "loading the gyroid" });
  const file = await fetchGyroid();
  const surface = await engine.ask("openFile", file, hear, [file.bytes]);
  return { surface: { ...surface, name: "Gyroid" }, unit: "mm", up: "z" };
}

export async function openFile(engine: Engine, file: File, hear: (progress: Progress) => void): Promise<Opened> {
  const bytes = await file.arrayBuffer();
  const surface = await engine.ask("openFile", { name: file.name, bytes }, hear, [bytes]);
  // Of all the formats only glTF says.
  return { surface, unit: "", up: /\.(glb|gltf)(\.gz)?$/i.test(file.name) ? "y" : "z" };
}
