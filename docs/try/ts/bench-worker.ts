// Casts the same rays by lanecast and by three-mesh-bvh, one thread each, and compares the answers.

import { BufferAttribute, BufferGeometry, DoubleSide, Ray, Vector3 } from "three";
import { MeshBVH, SAH } from "three-mesh-bvh";

import { INVALID_ID, type RayArrays } from "../../../bindings/wasm/dist/index.js";
import type { MeshFile, Terrain } from "./protocol.js";
import { openFile, openTerrain, type World } from "./worker/world.js";

export interface Asked {
  readonly scene: string;
  readonly content: Terrain | MeshFile;
  /** The number of rays in each set. */
  readonly rays: number;
}

export interface Row {
  readonly scene: string;
  readonly set: string;
  readonly rays: number;
  /** Rays a second. */
  readonly lanecast: number;
  readonly bvh: number;
  /** Rays to which both answer with the same triangle, or with different ones at equal distances. */
  readonly equal: number;
  readonly ties: number;
}

export type Told = Row | { readonly wrong: string };

interface Answers {
  /** `INVALID_ID` of a miss. */
  readonly triangles: Uint32Array;
  readonly distances: Float32Array;
}

type Cast = () => Answers;

const ROUNDS = 5;
/** Of the size of the scene: both engines round, three-mesh-bvh in double precision. */
const EQUAL = 1e-5;

function threeMeshBvh({ surface, vertices }: World): { bvh: MeshBVH; triangleOf: (face: number) => number } {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(vertices), 3));
  geometry.setIndex(new BufferAttribute(surface.triangles.slice(), 1));
  const bvh = new MeshBVH(geometry, { strategy: SAH });
  // It puts triangles in its own order. Each directed edge of these surfaces belongs to one triangle.
  const edge = (triangles: ArrayLike<number>, at: number) => triangles[3 * at]! * vertices.length + triangles[3 * at + 1]!;
  const numbers = new Map<number, number>();
  for (let at = 0; at < surface.triangles.length / 3; at += 1) numbers.set(edge(surface.triangles, at), at);
  const ordered = geometry.index!.array;
  return { bvh, triangleOf: (face) => numbers.get(edge(ordered, face))! };
}

function castByBvh(bvh: MeshBVH, triangleOf: (face: number) => number, rays: RayArrays, count: number): Cast {
  const [origins, directions] = [rays.origins as Float32Array, rays.directions as Float32Array];
  const faces = new Int32Array(count);
  const distances = new Float32Array(count);
  const ray = new Ray();
  return () => {
    for (let row = 0; row < count; row += 1) {
      ray.origin.fromArray(origins, 3 * row);
      ray.direction.fromArray(directions, 3 * row);
      const hit = bvh.raycastFirst(ray, DoubleSide);
      faces[row] = hit?.faceIndex ?? -1;
      distances[row] = hit?.distance ?? Infinity;
    }
    return {
      // Asked for when no clock runs.
      get triangles() {
        return Uint32Array.from(faces, (face) => (face < 0 ? INVALID_ID : triangleOf(face)));
      },
      distances,
    };
  };
}

function castByLanecast({ scene }: World, rays: RayArrays): Cast {
  return () => {
    const { primitiveId, t } = scene.closestHit(rays, { columns: ["primitiveId", "t"] });
    return { triangles: primitiveId, distances: t as Float32Array };
  };
}

/** Numbers from 0 to 1, the same in every run. */
function random(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** As a camera sees the scene, row by row: neighbours go alike. */
function cameraRays({ surface: { center, radius } }: World, count: number): RayArrays {
  const eye = new Vector3(-0.9, -1.3, 0.9).multiplyScalar(radius);
  const right = new Vector3().crossVectors(eye, new Vector3(0, 0, -1)).normalize();
  const up = new Vector3().crossVectors(eye, right).normalize();
  const width = Math.ceil(Math.sqrt(count));
  const [origins, directions] = [new Float32Array(3 * count), new Float32Array(3 * count)];
  const ray = new Vector3();
  for (let row = 0; row < count; row += 1) {
    const [x, y] = [(row % width) + 0.5, Math.floor(row / width) + 0.5].map((pixel) => (2 * pixel) / width - 1) as [
      number,
      number,
    ];
    ray
      .copy(eye)
      .negate()
      .addScaledVector(right, x * radius * 0.9)
      .addScaledVector(up, -y * radius * 0.9)
      .normalize();
    ray.toArray(directions, 3 * row);
    origins.set([eye.x + center[0], eye.y + center[1], eye.z + center[2]], 3 * row);
  }
  return { origins, directions };
}

/** From everywhere around the scene to everywhere in its bounds, in no order. */
function randomRays({ surface: { center, radius, min, max } }: World, count: number): RayArrays {
  const next = random();
  const [origins, directions] = [new Float32Array(3 * count), new Float32Array(3 * count)];
  const [from, to] = [new Vector3(), new Vector3()];
  for (let row = 0; row < count; row += 1) {
    from.setFromSphericalCoords(radius, Math.acos(2 * next() - 1), 2 * Math.PI * next()).add(new Vector3(...center));
    to.set(...(min.map((low, axis) => low + (max[axis]! - low) * next()) as [number, number, number]));
    from.toArray(origins, 3 * row);
    to.sub(from)
      .normalize()
      .toArray(directions, 3 * row);
  }
  return { origins, directions };
}

/** How many rays have the same triangle, and how many another one at an equal distance. */
function compared(a: Answers, b: Answers, radius: number): { equal: number; ties: number } {
  const [left, right] = [a.triangles, b.triangles];
  let [equal, ties] = [0, 0];
  left.forEach((triangle, row) => {
    if (triangle === right[row]) equal += 1;
    else if (Math.abs(a.distances[row]! - b.distances[row]!) <= EQUAL * radius) ties += 1;
  });
  return { equal, ties };
}

/** Rays a second of each, by the median of rounds in turn. */
function rates(casts: readonly Cast[], count: number): number[] {
  const times = casts.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round += 1) {
    casts.forEach((cast, index) => {
      const start = performance.now();
      cast();
      times[index]!.push(performance.now() - start);
    });
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[ROUNDS >> 1]!;
  return times.map((all) => (1000 * count) / median(all));
}

async function run({ scene, content, rays: count }: Asked): Promise<void> {
  const tell = (told: Told) => self.postMessage(told);
  const silent = () => {};
  const world = await ("heights" in content ? openTerrain(content, silent) : openFile(content, silent));
  const { bvh, triangleOf } = threeMeshBvh(world);
  for (const [set, rays] of [
    ["camera", cameraRays(world, count)],
    ["random", randomRays(world, count)],
  ] as const) {
    const casts = [castByLanecast(world, rays), castByBvh(bvh, triangleOf, rays, count)] as const;
    // Before the clock starts, and so that both are compiled.
    const found = compared(casts[0](), casts[1](), world.surface.radius);
    const [lanecast, byBvh] = rates(casts, count) as [number, number];
    tell({ scene, set, rays: count, lanecast, bvh: byBvh, ...found });
  }
}

let last = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  last = last.then(() => run(data)).catch((error: unknown) => self.postMessage({ wrong: String(error) } satisfies Told));
});
