// What the border costs: CPU time of casts of arrays, which are copied, beside casts of blocks. After `build.sh`:
//
//     node bindings/wasm/benches/border.mjs

import { readFile } from "node:fs/promises";
import { load } from "../dist/index.js";

const SIDE = 300;
const CASTS = 25;

const lanecast = await load(await readFile(new URL("../dist/lanecast.wasm", import.meta.url)));
let seed = 7;
const random = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const corners = Array.from({ length: SIDE + 1 }, (_, at) => at);
const vertices = Float32Array.from(corners.flatMap((y) => corners.flatMap((x) => [x, y, 3 * random()])));
const cells = corners.slice(1).flatMap((y) => corners.slice(1).map((x) => (y - 1) * (SIDE + 1) + x - 1));
const triangles = cells.flatMap((at) => [at, at + 1, at + SIDE + 2, at, at + SIDE + 2, at + SIDE + 1]);
const scene = lanecast.scene(vertices, triangles);

const eye = { eye: [-40, -40, 80], target: [150, 150, 0], up: [0, 0, 1] };
const arrays = lanecast.makeRays({ kind: "pinhole", ...eye, fieldOfView: 40, width: 500, height: 500 });
const rows = arrays.origins.length / 3;
const block = (numbers) => {
  const made = lanecast.block(numbers.constructor, numbers.length);
  made.array.set(numbers);
  return made;
};
const blocks = { origins: block(arrays.origins), directions: block(arrays.directions) };
const into = { t: block(new Float32Array(rows)), primitiveId: block(new Uint32Array(rows)), status: block(new Uint8Array(rows)) };

const ways = {
  arrays: () => scene.closestHit(arrays, { columns: ["t", "primitiveId", "status"] }),
  blocks: () => scene.closestHit(blocks, { into }),
};
const times = { arrays: [], blocks: [] };
for (let cast = 0; cast < CASTS; cast += 1) {
  for (const [way, run] of Object.entries(ways)) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    times[way].push((user + system) / 1000);
  }
}
const median = (numbers) => numbers.sort((a, b) => a - b)[CASTS >> 1];
const [ofArrays, ofBlocks] = [median(times.arrays), median(times.blocks)];
console.log(`${rows} rays at ${triangles.length / 3} triangles, median of ${CASTS} casts in turn, CPU time`);
console.log(`arrays ${ofArrays.toFixed(1)} ms, blocks ${ofBlocks.toFixed(1)} ms, ratio ${(ofArrays / ofBlocks).toFixed(3)}`);
