// What the tests share: the engine, and a cube from 0 to 1.

import { readFile } from "node:fs/promises";
import assert from "node:assert/strict";
import { LanecastError, load } from "../dist/index.js";

export const lanecast = await load(await readFile(new URL("../dist/lanecast.wasm", import.meta.url)));

const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) => [corner & 1, (corner >> 1) & 1, corner >> 2]);
export const triangles = [
  [0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6],
  [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3],
  [0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5],
].flat();

/** The vertices of the cube, moved along x. */
export const vertices = (Numbers = Float32Array, x = 0) => Numbers.from(corners, (part, at) => part + (at % 3 === 0 ? x : 0));

export const cube = (Numbers = Float32Array, x = 0) => lanecast.scene(vertices(Numbers, x), triangles);

/** Rays along +x from x = −1, through (y, z) each. */
export const alongX = (...points) => ({ origins: points.flatMap(([y, z]) => [-1, y, z]), directions: [1, 0, 0] });

/** A call fails for this reason, and says so. */
export function fails(call, reason, words) {
  assert.throws(call, (error) => {
    assert(error instanceof LanecastError, String(error.stack));
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, words);
    return true;
  });
}
