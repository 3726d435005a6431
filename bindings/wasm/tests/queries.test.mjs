// Every query at a cube, in both precisions, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HIT, INVALID_DIRECTION, INVALID_ID, MISS } from "../dist/index.js";
import { alongX, cube, fails, lanecast } from "./cube.mjs";

const array = (numbers) => Array.from(numbers);

for (const Numbers of [Float32Array, Float64Array]) {
  const precision = Numbers === Float32Array ? "f32" : "f64";
  const scene = cube(Numbers);

  test(`rays meet the cube first and last, in ${precision}`, () => {
    const rays = alongX([0.25, 0.5], [2, 0.5], [0.5, 0.25]);
    const first = scene.closestHit(rays);
    assert(first.t instanceof Numbers && first.status instanceof Uint8Array && first.primitiveId instanceof Uint32Array);
    assert.deepEqual(array(first.status), [HIT, MISS, HIT]);
    assert.deepEqual(array(first.t), [1, Infinity, 1]);
    assert.deepEqual(array(first.geometryId), [0, INVALID_ID, 0]);
    assert.deepEqual(array(first.instanceId), [INVALID_ID, INVALID_ID, INVALID_ID]);
    assert([8, 9].includes(first.primitiveId[0]) && first.normal === undefined);
    const last = scene.farthestHit(rays, { normals: true });
    assert.deepEqual(array(last.t), [2, Infinity, 2]);
    assert.deepEqual(array(last.normal.slice(0, 3)), [1, 0, 0]);
    assert.deepEqual(array(scene.anyHit(rays)), [HIT, MISS, HIT]);
    assert.deepEqual(array(scene.countHits(rays).hits), [2, 0, 2]);
    assert.deepEqual(array(scene.signedCount({ ...rays, tMax: 1.5 }).value), [1, 0, 1]);
    const costs = scene.cost(rays);
    assert(costs.leaves[0] > 0 && costs.primitives[0] >= costs.leaves[0] && costs.nodes.length === 3);
  });

  test(`lists have all hits, in ${precision}`, () => {
    const all = scene.allHits(alongX([0.25, 0.5], [2, 0.5], [0.5, 0.25]));
    assert.deepEqual(array(all.offsets), [0, 2, 2, 4]);
    assert.deepEqual(array(all.t), [1, 2, 1, 2]);
    assert(all.t instanceof Numbers && all.primitiveId.length === 4);
    const nearest = scene.nearestHits(alongX([0.25, 0.5]), 1);
    assert.deepEqual([array(nearest.offsets), array(nearest.t)], [[0, 1], [1]]);
    // Through the edge of two triangles: one crossing, two touches.
    assert.deepEqual(array(scene.countHits(alongX([0.5, 0.5])).hits), [2]);
    assert.deepEqual(array(scene.countHits(alongX([0.5, 0.5]), { contact: "touch" }).hits), [4]);
    const none = scene.allHits({ origins: [], directions: [] });
    assert.deepEqual([array(none.offsets), none.t.length, none.status.length], [[0], 0, 0]);
  });

  test(`lines meet on both sides, in ${precision}`, () => {
    const { ahead, behind } = scene.lineHits({ origins: [0.5, 0.25, 0.5], directions: [1, 0, 0] });
    assert.deepEqual([ahead.t[0], behind.t[0]], [0.5, -0.5]);
  });

  test(`picks have points and the way to them, in ${precision}`, () => {
    const ray = { origins: [-1, 0.25, 0.5], directions: [1, 0, 0] };
    const picks = scene.pick(ray);
    assert.deepEqual(picks.map(({ t, point }) => [t, point[0]]), [[1, 0], [2, 1]]);
    assert.deepEqual([picks[0].normal, picks[0].localNormal, picks[0].instancePath], [[-1, 0, 0], [-1, 0, 0], []]);
    assert.equal(scene.pick(ray, { limit: "onePerGeometry" }).length, 1);
    assert.equal(scene.pick(ray, { limit: "nearest", culling: ["front"] })[0].t, 2);
    const outer = lanecast.build([{ kind: "instance", scene, transform: [1, 0, 0, 9, 0, 1, 0, 0, 0, 0, 1, 0] }]);
    const [placed] = outer.pick(ray, { limit: "nearest" });
    assert.deepEqual([placed.point[0], placed.localPoint[0], placed.instancePath], [9, 0, [0]]);
    fails(() => scene.pick(ray, { limit: "any" }), "invalid-argument", /limit/);
    fails(() => scene.pick({ ...ray, origins: [0, 0, 0, 1, 1, 1] }), "invalid-argument", /rays\.count/);
  });

  test(`returns of pulses, in ${precision}`, () => {
    const returns = scene.lidarReturns(alongX([0.25, 0.5], [2, 0.5], [0.5, 0.25]));
    assert.deepEqual([array(returns.offsets), array(returns.distance)], [[0, 1, 1, 2], [1, 1]]);
    assert.deepEqual([array(returns.status), array(returns.point.slice(0, 3))], [[HIT, MISS, HIT], [0, 0.25, 0.5]]);
    assert.deepEqual([array(returns.number), array(returns.count), returns.geometryId[0]], [[1, 1], [1, 1], 0]);
    // Beams at the edge of the cube, whose cones are partly beside it.
    const grid = { kind: "grid", corner: [-1, 0.5, 0.4], edges: [0, 0, 0.2, 0, 1, 0], direction: [1, 0, 0], width: 1, height: 4 };
    const cones = { kind: "footprint", beams: grid, divergence: 50, rays: 19 };
    const receiver = { seed: 3n, rangeNoise: [0.01, 0], resolution: 0.1, keep: "all" };
    const noisy = scene.lidarReturns(cones, receiver);
    assert.deepEqual([noisy.offsets.length, noisy.status.length], [5, 76]);
    assert(noisy.distance.length > 1 && noisy.distance.every((distance) => distance !== 1 && Math.abs(distance - 1) < 0.06));
    assert.deepEqual(scene.lidarReturns(cones, receiver), noisy);
    assert.notDeepEqual(scene.lidarReturns(cones, { ...receiver, seed: 4n }).distance, noisy.distance);
    assert.equal(scene.lidarReturns(cones, { referenceRange: 1e-6 }).distance.length, 0);
    fails(() => scene.lidarReturns(cones, { weights: [1, 1, 1] }), "invalid-argument", /rays\.count/);
    fails(() => scene.lidarReturns(cones, { referenceRange: 0 }), "invalid-argument", /referenceRange/);
    fails(() => scene.lidarReturns(alongX([0.25, 0.5]), { keep: "none" }), "invalid-argument", /keep/);
  });

  test(`points of hits, in ${precision}`, () => {
    const rays = { origins: [-1, 0.25, 0.5], directions: [2, 0, 0] };
    const surface = scene.surface(rays, scene.closestHit(rays), { unitNormals: true });
    assert.deepEqual(array(surface.point), [0, 0.25, 0.5]);
    assert.deepEqual(array(surface.geometricNormal), [-1, 0, 0]);
  });

  test(`points and the cube, in ${precision}`, () => {
    const points = [0.5, 0.25, 0.5, 3, 0.5, 0.5];
    const closest = scene.closestPoint(points, { radius: 1 });
    assert.deepEqual(array(closest.status), [HIT, MISS]);
    assert.deepEqual([closest.distance[0], ...closest.point.slice(0, 3)], [0.25, 0.5, 0, 0.5]);
    assert.deepEqual(array(scene.closestPoint(points, { radius: [1, 4] }).status), [HIT, HIT]);
    assert.deepEqual(array(scene.distance(points).value), [0.25, 2]);
    assert.deepEqual(array(scene.signedDistance(points).value), [-0.25, 2]);
    const inside = scene.contains(points);
    assert.deepEqual([array(inside.status), array(inside.value)], [[HIT, MISS], [1, 0]]);
    const winding = scene.windingNumber(points, { accuracy: 4 }).value;
    assert(Math.abs(winding[0] - 1) < 1e-3 && Math.abs(winding[1]) < 1e-3);
    const near = scene.nearestPoints(points, 2);
    assert.deepEqual(array(near.offsets), [0, 2, 4]);
    assert.equal(near.point.length, 12);
    const within = scene.pointsWithin(points, 0.3);
    assert(within.offsets[1] > 0 && within.offsets[2] === within.offsets[1]);
    const cells = scene.occupancy({ origin: [-0.5, 0.5, 0.5], spacing: [1, 1, 1], counts: [3, 1, 1] });
    assert.deepEqual(array(cells), [0, 1, 0]);
  });

  test(`sight and regions, in ${precision}`, () => {
    const targets = Array.from({ length: 70 }, (_, index) => [index < 69 ? -2 : 2, 0.5, 0.5]).flat();
    const sight = scene.sight([-1, 0.5, 0.5, 2, 0.4, 0.5], targets);
    assert.deepEqual([sight.count(0), sight.count(1)], [69, 1]);
    assert.deepEqual([sight.sees(0, 68), sight.sees(0, 69), sight.sees(1, 69)], [true, false, true]);
    const [from, to] = [[-1, 0.5, 0.25, 2, 0.4, 0.5], [-2, 0.5, 0.5, 3, 0.5, 0.25]];
    const wall = scene.firstObstacle(from, to, 0, 1);
    assert.deepEqual([wall.t, wall.geometryId, wall.instanceId], [0.25, 0, INVALID_ID]);
    assert.equal(scene.firstObstacle(from, to, 0, 0), undefined);
    fails(() => scene.firstObstacle(from, to, 2, 0), "invalid-input", /observer/);
    const found = scene.overlap({ kind: "box", min: [-1, -1, -1], max: [0.1, 2, 2] });
    assert(found.primitiveId.includes(8) && !found.primitiveId.includes(10));
    assert(scene.overlapsAny({ kind: "sphere", center: [1.5, 0.5, 0.5], radius: 0.5 }));
    assert(!scene.overlapsAny({ kind: "planes", planes: [1, 0, 0, -2] }));
  });

  test(`options, in ${precision}`, () => {
    const rays = alongX([0.25, 0.5], [0.5, 0.25]);
    assert.deepEqual(array(scene.closestHit(rays, { culling: "back" }).t), [1, 1]);
    assert.deepEqual(array(scene.closestHit(rays, { culling: "front" }).t), [2, 2]);
    assert.deepEqual(array(scene.closestHit(rays, { culling: ["none", "front"] }).t), [1, 2]);
    fails(() => scene.closestHit(rays, { culling: ["none"] }), "invalid-argument", /culling/);
    assert.deepEqual(array(scene.anyHit(rays, { mask: 0 })), [MISS, MISS]);
    assert.deepEqual(array(scene.anyHit(rays, { mask: [0, 1] })), [MISS, HIT]);
    const { primitiveId } = scene.closestHit(rays);
    assert.deepEqual(array(scene.closestHit(rays, { skip: { geometryId: 0, primitiveId } }).t), [2, 2]);
    assert.deepEqual(array(scene.closestHit({ ...rays, tMin: [0, 1.5] }).t), [1, 2]);
    assert.deepEqual(array(scene.closestHit({ ...rays, tMax: 0.5 }).status), [MISS, MISS]);
    const plain = scene.closestHit(rays);
    assert.deepEqual(scene.closestHit(rays, { bruteForce: true, coherence: "incoherent" }), plain);
    assert.deepEqual(Object.keys(scene.closestHit(rays, { columns: ["t", "normal"] })), ["t", "normal"]);
  });

  test(`functions of the page are called, and what they throw arrives, in ${precision}`, () => {
    const rays = alongX([0.25, 0.5], [0.5, 0.25]);
    const seen = [];
    const filter = (row, hit, side) => {
      seen.push([row, hit.t, side]);
      return row === 1 || side === "back";
    };
    assert.deepEqual(array(scene.closestHit(rays, { filter }).t), [2, 1]);
    assert(seen.some(([row, t, side]) => row === 0 && t === 1 && side === "front"));
    class Mine extends Error {}
    const thrown = () => {
      throw new Mine("thrown by the page");
    };
    assert.throws(() => scene.closestHit(rays, { filter: thrown }), Mine);
    assert.throws(() => scene.closestHit(rays, { progress: thrown }), Mine);
    assert.deepEqual(array(scene.closestHit(rays).t), [1, 1], "and nothing is left of it");
    const many = { origins: new Numbers(300_000), directions: [1, 0, 0] };
    let last = [0, 0];
    scene.anyHit(many, { progress: (done, total) => void (last = [done, total]) });
    assert.deepEqual(last, [100_000, 100_000]);
    fails(() => scene.anyHit(many, { progress: () => false }), "stopped", /stopped when \d+ of 100000 were done/);
  });

  test(`blocks are read and written where they lie, in ${precision}`, () => {
    const [origins, t, ids] = [lanecast.block(Numbers, 6), lanecast.block(Numbers, 2), lanecast.block(Uint32Array, 2)];
    origins.array.set([-1, 0.25, 0.5, -2, 0.5, 0.25]);
    const hits = scene.closestHit({ origins, directions: [1, 0, 0] }, { into: { t, primitiveId: ids } });
    assert.deepEqual(Object.keys(hits), ["t", "primitiveId"]);
    assert.deepEqual([array(t.array), array(hits.t)], [[1, 2], [1, 2]]);
    assert.equal(hits.t.buffer, t.array.buffer);
    fails(() => scene.closestHit({ origins, directions: [1, 0, 0] }, { into: { u: ids } }), "invalid-argument", /^into\.u: .*expected/);
    for (const block of [origins, t, ids]) block.free();
    fails(() => origins.array, "invalid-argument", /freed/);
  });
}

test("a ray that cannot be cast has a status, and others are answered", () => {
  const hits = cube().closestHit({ origins: [-1, 0.25, 0.5, -1, 0.25, 0.5], directions: [NaN, 0, 0, 1, 0, 0] });
  assert.deepEqual(array(hits.status), [INVALID_DIRECTION, HIT]);
});

test("bad arguments are named", () => {
  const scene = cube();
  const bad = [
    [() => scene.closestHit({ origins: [0, 0], directions: [1, 0, 0] }), /^origins: it has 2 numbers; 3 each row/],
    [() => scene.closestHit({ origins: [0, 0, 0, 0, 0, 0], directions: new Float32Array(9) }), /^directions: there are 3, and 2 origins/],
    [() => scene.closestHit(alongX([0, 0]), { culing: "back" }), /^culing: there is no such option, but .*culling/],
    [() => scene.anyHit(alongX([0, 0]), { normals: true }), /^normals: there is no such option/],
    [() => scene.distance([0, 0, 0], { culling: "back" }), /^options: lanecast_distance takes no culling/],
    [() => scene.anyHit(alongX([0, 0]), { contact: "touch" }), /^options: lanecast_any_hit takes no contact/],
    [() => scene.closestHit(alongX([0, 0]), { culling: "both" }), /^culling: it is "both"; one of none, back, front/],
    [() => scene.closestHit(alongX([0, 0]), { mask: [1, 2] }), /^mask: it has 2 numbers; one for each of 1 rows/],
    [() => scene.closestHit(alongX([0, 0]), { mask: -1 }), /^mask: it is -1; a whole number/],
    [() => scene.closestHit({ ...alongX([0, 0]), tMax: [1, 2] }), /^tMax: it has 2 numbers/],
    [() => scene.closestHit(alongX([0, 0]), { columns: ["tt"] }), /^columns: tt is none of status, t/],
    [() => lanecast.scene([0, 0, 0], [0, 0, -1]), /^content\[0\]\.triangles\[2\]: it is -1/],
    [() => lanecast.scene([0, 0], [0, 0, 0]), /^content\[0\]\.vertices: it has 2 numbers/],
    [() => lanecast.build([{ kind: "cube" }]), /^content\[0\]\.kind: it is "cube"/],
    [() => lanecast.sunDirection({ year: 2026, month: 257, day: 1 }, 0, 0), /^time\.month: it is 257/],
  ];
  for (const [call, words] of bad) fails(call, "invalid-argument", words);
  fails(() => lanecast.scene([0, 0, 0], [0, 0, 7]), "invalid-input", /7/);
  fails(() => lanecast.scene([0, 0, NaN], [0, 0, 0]), "invalid-input", /NaN/);
  fails(() => scene.setMask(5, 1), "unknown-id", /5/);
  const open = lanecast.scene([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]);
  fails(() => open.signedDistance([0, 0, 1]), "unanswerable", /it has no inside/);
  assert(Math.abs(open.signedDistance([0, 0, 1], { generalisedWinding: 2 }).value[0]) === 1);
});
