// How much faster the second of two modules casts than the first, in turn; after `docs/try/build.sh`:
//
//     node bindings/wasm/benches/modules.mjs bindings/wasm/dist/lanecast.wasm target/try/lanecast.wasm

import { readFile } from "node:fs/promises";
import { load } from "../dist/index.js";

const SIDE = 370;
const RAYS = 100_000;
const ROUNDS = 24;

let seed = 7;
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const height = (x, y) => 20 * Math.sin(x / 31) * Math.cos(y / 23) + 4 * Math.sin(x / 5 + y / 7) + random();
const corners = Array.from({ length: SIDE + 1 }, (_, at) => at);
const vertices = Float32Array.from(corners.flatMap((y) => corners.flatMap((x) => [x, y, height(x, y)])));
const cells = corners.slice(1).flatMap((y) => corners.slice(1).map((x) => (y - 1) * (SIDE + 1) + x - 1));
const triangles = Uint32Array.from(cells.flatMap((at) => [at, at + 1, at + SIDE + 2, at, at + SIDE + 2, at + SIDE + 1]));

const mast = [SIDE / 2, SIDE / 2, 40];
const sight = { origins: mast, directions: vertices.map((part, index) => part - mast[index % 3]), tMax: 1 };
const anywhere = {
  origins: Float32Array.from({ length: 3 * RAYS }, (_, index) => (index % 3 === 2 ? 60 : SIDE) * random()),
  directions: Float32Array.from({ length: 3 * RAYS }, () => random() - 0.5),
};
const queries = {
  "sight of a terrain": (scene) => scene.anyHit(sight),
  "any hits, random": (scene) => scene.anyHit(anywhere),
  "closest hits, random": (scene) => scene.closestHit(anywhere),
};

const modules = process.argv.slice(2, 4);
const scenes = [];
for (const module of modules) scenes.push((await load(await readFile(module))).scene(vertices, triangles));
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
for (const [name, query] of Object.entries(queries)) {
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [first, second] = scenes.map((scene) => {
      const before = process.cpuUsage();
      query(scene);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    ratios.push(first / second);
  }
  console.log(`${name}: ${median(ratios).toFixed(2)} times as fast`);
}
