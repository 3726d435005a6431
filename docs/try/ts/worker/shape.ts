// What is drawn of a mesh: its bounds, its vertices about their center, and normals.

import type { Point, Surface } from "../protocol.js";

export type Vertices = Float32Array | Float64Array;

/** A mesh may be drawn with rounded edges if less than this share of its area turns away from the normals of its corners. */
const FACETED_SHARE = 0.25;
/** The cosine of 25 degrees. */
const TURNED_AWAY = 0.9;

export function surfaceOf(
  name: string,
  vertices: Vertices,
  triangles: Uint32Array,
  grid: Surface["grid"],
  remarks: readonly string[],
): Surface {
  const { min, max } = bounds(vertices);
  const center = min.map((low, axis) => (low + max[axis]!) / 2) as [number, number, number];
  const positions = new Float32Array(vertices.length);
  for (let at = 0; at < positions.length; at += 1) positions[at] = vertices[at]! - center[at % 3]!;
  const areas = doubledAreas(positions, triangles);
  const normals = normalsOf(positions, triangles, areas);
  const radius = Math.hypot(max[0]! - min[0]!, max[1]! - min[1]!, max[2]! - min[2]!) / 2 || 1;
  const isFaceted = grid === undefined && facetedShare(triangles, areas, normals) > FACETED_SHARE;
  return {
    name,
    positions,
    normals,
    triangles,
    center,
    min: pointOf(min, 0),
    max: pointOf(max, 0),
    radius,
    grid,
    isFaceted,
    remarks,
  };
}

export function pointOf(numbers: ArrayLike<number>, row: number): Point {
  return [numbers[3 * row]!, numbers[3 * row + 1]!, numbers[3 * row + 2]!];
}

function bounds(vertices: Vertices): { min: number[]; max: number[] } {
  const [min, max] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let at = 0; at < vertices.length; at += 1) {
    const [axis, value] = [at % 3, vertices[at]!];
    if (value < min[axis]!) min[axis] = value;
    if (value > max[axis]!) max[axis] = value;
  }
  return { min, max };
}

/** For each triangle its normal, as long as twice its area. */
function doubledAreas(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const areas = new Float32Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at]!, 3 * triangles[at + 1]!, 3 * triangles[at + 2]!];
    const [ux, uy, uz] = [
      positions[b]! - positions[a]!,
      positions[b + 1]! - positions[a + 1]!,
      positions[b + 2]! - positions[a + 2]!,
    ];
    const [vx, vy, vz] = [
      positions[c]! - positions[a]!,
      positions[c + 1]! - positions[a + 1]!,
      positions[c + 2]! - positions[a + 2]!,
    ];
    areas[at] = uy * vz - uz * vy;
    areas[at + 1] = uz * vx - ux * vz;
    areas[at + 2] = ux * vy - uy * vx;
  }
  return areas;
}

/** Of each vertex the mean of its triangles', by area; straight up where it has none. */
function normalsOf(positions: Float32Array, triangles: Uint32Array, areas: Float32Array): Float32Array {
  const normals = new Float32Array(positions.length);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const [vertex, triangle] = [3 * triangles[corner]!, corner - (corner % 3)];
    for (let axis = 0; axis < 3; axis += 1) normals[vertex + axis]! += areas[triangle + axis]!;
  }
  for (let at = 0; at < normals.length; at += 3) {
    const length = Math.hypot(normals[at]!, normals[at + 1]!, normals[at + 2]!);
    if (length > 0) for (let axis = 0; axis < 3; axis += 1) normals[at + axis]! /= length;
    else normals[at + 2] = 1;
  }
  return normals;
}

function facetedShare(triangles: Uint32Array, areas: Float32Array, normals: Float32Array): number {
  let [all, turned] = [0, 0];
  for (let at = 0; at < triangles.length; at += 3) {
    const [x, y, z] = [areas[at]!, areas[at + 1]!, areas[at + 2]!];
    const area = Math.hypot(x, y, z);
    all += area;
    for (let corner = at; corner < at + 3; corner += 1) {
      const vertex = 3 * triangles[corner]!;
      const along = x * normals[vertex]! + y * normals[vertex + 1]! + z * normals[vertex + 2]!;
      if (along < TURNED_AWAY * area) {
        turned += area;
        break;
      }
    }
  }
  return turned / all;
}
