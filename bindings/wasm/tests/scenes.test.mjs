// Scenes of all content, instances, changes, bytes, makers, meshes of files, and pools.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { HIT, MISS } from "../dist/index.js";
import { loadMeshes } from "../dist/meshes.js";
import { Pool } from "../dist/pool.js";
import { alongX, cube, fails, lanecast, triangles, vertices } from "./cube.mjs";

const array = (numbers) => Array.from(numbers);
const t = (scene, ...points) => array(scene.closestHit(alongX(...points)).t);
const at = (x) => [1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0];

test("content of every kind is met", () => {
  const square = [0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1];
  const content = [
    [{ kind: "triangles", vertices: vertices(), triangles, deformable: true }, [1]],
    [{ kind: "quads", vertices: square, quads: [0, 1, 2, 3] }, [1]],
    [{ kind: "boxes", boxes: [0, 0, 0, 1, 1, 1] }, [1]],
    [{ kind: "orientedBoxes", boxes: [0.5, 0.5, 0.5, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.5, 0.5] }, [1]],
    [{ kind: "spheres", spheres: [1, 0.5, 0.5, 0.5] }, [1.5]],
    [{ kind: "roundCones", cones: [1, 0.5, -1, 1, 0.5, 1, 0.5, 0.5] }, [1.5]],
    [{ kind: "cylinders", cylinders: [1, 0.5, -1, 1, 0.5, 1, 0.5] }, [1.5]],
  ];
  for (const [geometry, expected] of content) {
    for (const precision of ["f32", "f64"]) {
      const scene = lanecast.build([geometry], { precision });
      assert.deepEqual(t(scene, [0.5, 0.5]).map((t) => Math.round(1e5 * t) / 1e5), expected, geometry.kind);
      assert.equal(scene.precision, precision);
    }
  }
  const field = { kind: "heightField", heights: [0, 0, 0, 1, 1, 1], rows: 2, columns: 3, origin: [0, 0], spacing: [2, 1] };
  const down = { origins: [1, 0.5, 5], directions: [0, 0, -1] };
  assert.deepEqual(array(lanecast.build([field]).closestHit(down).t), [4.5]);
  fails(() => lanecast.build([{ ...field, rows: 3 }]), "invalid-argument", /heights: it has 6 numbers; 3 rows of 3/);
});

test("a solid of signed distances lives as long as the scenes that have it", () => {
  let calls = 0;
  const ball = {
    kind: "signedDistances",
    distance: (x, y, z) => {
      calls += 1;
      return Math.hypot(x, y, z) - 1;
    },
    bounds: [-1, -1, -1, 1, 1, 1],
    lipschitz: 1,
    tolerance: 1e-6,
  };
  const inner = lanecast.build([ball], { precision: "f64" });
  assert(Math.abs(t(inner, [0, 0])[0] - 0) < 1e-5 && calls > 0);
  const outer = lanecast.build([{ kind: "instance", scene: inner, transform: at(2) }]);
  inner.free();
  // Another function takes the first place that is free.
  const other = lanecast.build([{ ...ball, distance: () => 1 }], { precision: "f64" });
  assert(Math.abs(t(outer, [0, 0])[0] - 2) < 1e-5);
  assert.deepEqual(t(other, [0, 0]), [Infinity]);
  outer.free();
  const broken = { ...ball, distance: () => { throw new RangeError("of the page"); } };
  const scene = lanecast.build([broken], { precision: "f64" });
  assert.throws(() => t(scene, [0, 0]), RangeError);
});

test("scenes change and keep other ids", () => {
  const scene = lanecast.build([
    { kind: "triangles", vertices: vertices(Float32Array, 5), triangles, deformable: true, mask: 2, userData: 2n ** 63n },
  ]);
  assert.deepEqual(scene.geometry(0), { mask: 2, userData: 2n ** 63n });
  assert.deepEqual(array(scene.add({ kind: "boxes", boxes: [2, 0, 0, 3, 1, 1], mask: 4 })), [1]);
  assert.deepEqual(t(scene, [0.25, 0.5]), [3]);
  assert.deepEqual(array(scene.closestHit(alongX([0.25, 0.5]), { mask: 2 }).t), [6]);
  scene.refit([{ geometryId: 0, vertices: vertices(Float32Array, 1) }]);
  scene.rebuild({ quality: "high" });
  assert.deepEqual(t(scene, [0.25, 0.5]), [2]);
  scene.remove([0]);
  assert.deepEqual(t(scene, [0.25, 0.5]), [3]);
  scene.replace([1], [{ kind: "boxes", boxes: [4, 0, 0, 5, 1, 1] }]);
  assert.deepEqual([t(scene, [0.25, 0.5]), scene.geometry(1).mask], [[5], 4]);
  assert.deepEqual([scene.facts.geometryCount, scene.facts.triangleCount, scene.facts.primitiveCount], [1, 0, 1]);
  scene.setMask(1, 0);
  assert.deepEqual(t(scene, [0.25, 0.5]), [Infinity]);
});

test("instances are placed, moved and removed", () => {
  const inner = cube(Float64Array);
  const scene = lanecast.build([{ kind: "instance", scene: inner, transform: at(2), mask: 1 }]);
  assert.deepEqual([scene.precision, scene.facts.instanceCount], ["f64", 1]);
  assert.deepEqual(array(scene.addInstances([{ kind: "instance", scene: inner, transform: at(4), mask: 2 }])), [1]);
  assert.deepEqual(array(scene.closestHit(alongX([0.25, 0.5]), { mask: 2 }).instanceId), [1]);
  fails(() => inner.setMask(0, 1), "in-use", /./);
  inner.free();
  scene.setTransforms([0], at(6));
  assert.deepEqual(t(scene, [0.25, 0.5]), [5]);
  scene.setInstanceMask(1, 0);
  assert.deepEqual(t(scene, [0.25, 0.5]), [7]);
  scene.removeInstances([0]);
  assert.deepEqual(t(scene, [0.25, 0.5]), [Infinity]);
  fails(() => lanecast.build([{ kind: "instance", scene: inner, transform: at(0) }]), "invalid-argument", /freed/);
});

test("bytes of a scene are a scene", () => {
  for (const Numbers of [Float32Array, Float64Array]) {
    const bytes = cube(Numbers).toBytes();
    const again = lanecast.open(bytes);
    assert.deepEqual(t(again, [0.25, 0.5]), [1]);
    again.check();
    assert.deepEqual(again.toBytes(), bytes);
    fails(() => lanecast.open(bytes.slice(0, -1)), "file", /^the bytes of a scene: truncated/);
    fails(() => lanecast.open(new Uint8Array(100)), "file", /not a scene file/);
    fails(() => cube(Numbers).toBytes({ progress: () => false }), "stopped", /stopped/);
  }
  assert.equal(lanecast.version, "0.1.0");
});

test("makers make rays", () => {
  const camera = { kind: "pinhole", eye: [-2, 0.5, 0.5], target: [0, 0.5, 0.5], up: [0, 0, 1], fieldOfView: 15, width: 4, height: 2 };
  const { origins, directions } = lanecast.makeRays(camera);
  assert.deepEqual([origins.length, directions.length, lanecast.countRays(camera)], [24, 24, 8]);
  const [made, columns] = [cube().closestHit(camera), cube().closestHit({ origins, directions })];
  assert.deepEqual(made, columns);
  assert(made.status.every((status) => status === HIT));
  const some = lanecast.makeRays(camera, { first: 3, count: 2 });
  assert.deepEqual(array(some.directions), array(directions.slice(9, 15)));
  const counts = [
    [{ kind: "panorama", eye: [0, 0, 0], forward: [1, 0, 0], up: [0, 0, 1], width: 4, height: 3 }, 12],
    [{ kind: "orthographic", eye: [0, 0, 9], target: [0, 0, 0], up: [0, 1, 0], pictureHeight: 2, width: 3, height: 3 }, 9],
    [{ kind: "grid", corner: [0, 0, 9], edges: [1, 0, 0, 0, 1, 0], direction: [0, 0, -1], width: 5, height: 2 }, 10],
    [{ kind: "lidar", beams: [0, 0, 0, -10, 0, 1e-4], steps: 6, seconds: 0.1, poses: [0, 0, 0, 0, 0, 0, 0, 1] }, 12],
    [{ kind: "footprint", beams: camera, divergence: 2, rays: 3 }, 24],
    [{ kind: "hemisphere", points: [0, 0, 2], normals: [0, 0, 1], directions: 7, spread: "uniform" }, 7],
    [{ kind: "sunlight", points: [0, 0, 2, 1, 1, 2], directions: [0, 0, 1] }, 2],
  ];
  for (const [maker, count] of counts) assert.equal(lanecast.countRays(maker), count, maker.kind);
  const [x, y, z] = lanecast.sunDirection(new Date("2026-06-21T12:00:00Z"), 0, 0);
  assert(Math.abs(Math.hypot(x, y, z) - 1) < 1e-12 && z > 0.9 && y > 0.35);
  fails(() => cube().closestHit({ ...camera, width: 0 }), "invalid-input", /size is 0 x 2/);
});

test("files have meshes, and broken ones are refused by name and place", async () => {
  const { readMeshes } = await loadMeshes(await readFile(new URL("../dist/meshes.wasm", import.meta.url)));
  const text = (text) => new TextEncoder().encode(text);
  const obj = readMeshes(text("o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "a.obj");
  assert.deepEqual([obj.meshes[0].name, array(obj.meshes[0].triangles), obj.needsF64], ["a", [0, 1, 2], false]);
  assert.deepEqual(array(obj.meshes[0].vertices), [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
  assert.equal(readMeshes(text(stl), "s.STL").meshes[0].triangles.length, 3);
  const gyroid = await readFile(new URL("../../../data/gyroid.ply", import.meta.url));
  const [mesh] = readMeshes(gyroid, "gyroid.ply").meshes;
  assert.equal(mesh.triangles.length, 3 * 47_808);
  fails(() => readMeshes(text("v 0 0 0\nf 1 2 3\n"), "a.obj"), "invalid-input", /^a\.obj.*2/);
  fails(() => readMeshes(gyroid.subarray(0, 100_000), "gyroid.ply"), "invalid-input", /^gyroid\.ply/);
  fails(() => readMeshes(gyroid, "gyroid.xyz"), "invalid-input", /xyz/);
  assert.equal(readMeshes(gyroid, "gyroid.ply").meshes.length, 1, "and go on");
});

test("a pool answers as one thread does", async () => {
  const pool = await Pool.start(lanecast, 2);
  const scene = cube();
  const pooled = await pool.open(scene);
  const rows = 50_001;
  const random = (seed) => () => ((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32) * 4 - 2;
  const next = random(7);
  const points = Float32Array.from({ length: 3 * rows }, next);
  const rays = { origins: points, directions: Float32Array.from({ length: 3 * rows }, next), tMax: new Float32Array(rows).fill(3) };
  const options = { mask: Uint32Array.from({ length: rows }, (_, row) => row % 2), normals: true };
  assert.deepEqual(await pooled.closestHit(rays, options), scene.closestHit(rays, options));
  assert.deepEqual(await pooled.anyHit({ ...rays, directions: [1, 0, 0] }), scene.anyHit({ ...rays, directions: [1, 0, 0] }));
  assert.deepEqual(await pooled.signedDistance(points), scene.signedDistance(points));
  const near = { radius: 0.5 };
  assert.deepEqual(await pooled.closestPoint(points, near), scene.closestPoint(points, near));
  const camera = { kind: "panorama", eye: [-2, 0.5, 0.5], forward: [1, 0, 0], up: [0, 0, 1], width: 200, height: 100 };
  assert.deepEqual(await pooled.closestHit(camera), scene.closestHit(camera));
  assert.deepEqual(await pooled.countHits({ origins: [], directions: [] }), scene.countHits({ origins: [], directions: [] }));
  await assert.rejects(pooled.closestHit(rays, { culling: "both" }), /^LanecastError: culling: it is "both"/);
  await assert.rejects(pooled.closestHit(rays, { progress: () => false }), /stopped when/);
  await assert.rejects(pooled.closestHit(rays, { filter: () => true }), /^LanecastError: filter/);
  await pooled.free();
  pool.end();
  await assert.rejects(pooled.anyHit(rays), /ended/);
  assert.deepEqual(array(scene.anyHit(alongX([0.5, 0.5], [9, 9]))), [HIT, MISS]);
});
