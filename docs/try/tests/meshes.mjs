// The shipped meshes, and what a ray meets in them by testing every triangle: no code of the page or of the engine.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { folder } from "./browser.mjs";

/** Vertices, rounded as the engine has them, and numbers of three for each triangle. */
export async function terrain() {
  const { rows, columns, spacing } = JSON.parse(await readFile(join(folder, "jacksboro.json"), "utf8"));
  const bytes = await readFile(join(folder, "jacksboro.heights"));
  const vertices = [];
  const triangles = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      vertices.push([Math.fround(column * spacing[0]), Math.fround(row * spacing[1]), bytes.readUInt16LE(2 * at)]);
      if (row + 1 === rows || column + 1 === columns) continue;
      triangles.push([at, at + 1, at + columns + 1], [at, at + columns + 1, at + columns]);
    }
  }
  return { vertices, triangles };
}

/** A PLY as data/README.md says that they are: vertices of three floats, faces of a byte and three numbers. */
export async function ply(name) {
  const bytes = await readFile(new URL(`../../../data/${name}`, import.meta.url));
  const head = bytes.subarray(0, bytes.indexOf("end_header\n") + 11).toString("latin1");
  const [vertexCount, faceCount] = ["vertex", "face"].map((of) => Number(new RegExp(`element ${of} (\\d+)`).exec(head)[1]));
  const of = (count, read) => Array.from({ length: count }, (_, index) => [0, 4, 8].map((at) => read(index, at)));
  const faces = head.length + 12 * vertexCount;
  return {
    vertices: of(vertexCount, (index, at) => bytes.readFloatLE(head.length + 12 * index + at)),
    triangles: of(faceCount, (index, at) => bytes.readUInt32LE(faces + 13 * index + 1 + at)),
  };
}

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** The first triangle that a ray meets, and where, by Möller and Trumbore (1997) in double precision. */
export function firstHit({ vertices, triangles }, { origin, direction }) {
  let first = { triangle: -1, t: Infinity };
  triangles.forEach(([i, j, k], triangle) => {
    const [a, b, c] = [vertices[i], vertices[j], vertices[k]];
    const [ab, ac] = [minus(b, a), minus(c, a)];
    const across = cross(direction, ac);
    const determinant = dot(ab, across);
    const from = minus(origin, a);
    const u = dot(from, across) / determinant;
    const side = cross(from, ab);
    const v = dot(direction, side) / determinant;
    const t = dot(ac, side) / determinant;
    if (u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t < first.t) first = { triangle, t };
  });
  return { ...first, point: origin.map((part, axis) => part + first.t * direction[axis]) };
}
