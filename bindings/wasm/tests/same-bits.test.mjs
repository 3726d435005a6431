// Answers have the bits of native ones. The example `same_bits` writes scenes, rays and points to a folder, and prints a hash
// of each query: LANECAST_SAME_BITS is the folder, which has what it printed as well, as `hashes`.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lanecast } from "./cube.mjs";

/** FNV-1a of 64 bits, in four limbs of 16. */
class Hash {
  #limbs = [0x2325, 0x8422, 0x9ce4, 0xcbf2];

  column(values) {
    let [a, b, c, d] = this.#limbs;
    for (const byte of new Uint8Array(values.buffer, values.byteOffset, values.byteLength)) {
      a ^= byte;
      // Times 2⁴⁰ + 0x1b3.
      const p = a * 0x1b3;
      const q = b * 0x1b3 + (p >>> 16);
      const r = c * 0x1b3 + (q >>> 16) + (a << 8 & 0xffff00);
      const s = d * 0x1b3 + (r >>> 16) + (b << 8 & 0xffff00);
      [a, b, c, d] = [p & 0xffff, q & 0xffff, r & 0xffff, s & 0xffff];
    }
    this.#limbs = [a, b, c, d];
    return this;
  }

  /** A row of each column after the other. */
  rows(...columns) {
    const count = columns[0][0].length / columns[0][1];
    const bytes = columns.map(([values, width]) => [
      new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
      width * values.BYTES_PER_ELEMENT,
    ]);
    const size = bytes.reduce((sum, [, bytes]) => sum + bytes, 0);
    const all = new Uint8Array(count * size);
    let place = 0;
    for (const [column, width] of bytes) {
      for (let row = 0; row < count; row += 1) {
        for (let byte = 0; byte < width; byte += 1) all[row * size + place + byte] = column[row * width + byte];
      }
      place += width;
    }
    return this.column(all);
  }

  hits({ status, t, u, v, primitiveId, geometryId, instanceId, normal }) {
    for (const values of [status, t, u, v, primitiveId, geometryId, instanceId]) this.column(values);
    return normal ? this.column(normal) : this;
  }

  lists({ t, u, v, primitiveId, geometryId, instanceId }) {
    return this.rows(...[t, u, v, primitiveId, geometryId, instanceId].map((values) => [values, 1]));
  }

  toString() {
    return this.#limbs.toReversed().map((limb) => limb.toString(16).padStart(4, "0")).join("");
  }
}

const translation = ([x, y, z]) => [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z];

const folder = process.env.LANECAST_SAME_BITS;
const column = async (name, Type) => {
  const { buffer, byteOffset, byteLength } = await readFile(join(folder, name));
  return new Type(buffer.slice(byteOffset, byteOffset + byteLength));
};

test("answers have the bits of native ones", { skip: folder ? false : "LANECAST_SAME_BITS is not set" }, async (context) => {
  const expected = (await readFile(join(folder, "hashes"), "utf8")).trimEnd().split("\n");
  const narrow = {};
  for (const name of ["ground.vertices", "solid.vertices", "origins", "directions", "around"]) {
    narrow[name] = await column(name, Float32Array);
  }
  const [ofGround, ofSolid] = [await column("ground.triangles", Uint32Array), await column("solid.triangles", Uint32Array)];
  const rows = narrow.origins.length / 3;
  const found = [];
  for (const [precision, Numbers] of [["f32", Float32Array], ["f64", Float64Array]]) {
    const wide = Object.fromEntries(Object.entries(narrow).map(([name, values]) => [name, Numbers.from(values)]));
    const solid = lanecast.scene(wide["solid.vertices"], ofSolid);
    const scene = lanecast.build([
      { kind: "triangles", vertices: wide["ground.vertices"], triangles: ofGround },
      { kind: "instance", scene: solid, transform: translation([20, 15, 3]) },
      { kind: "instance", scene: solid, transform: translation([41.5, 38.25, 2]) },
    ]);
    const { origins, directions, around } = wide;
    const rays = { origins, directions };
    const hits = scene.closestHit(rays, { normals: true });
    // As rays, which begin at 0; lines are of any t by themselves.
    const { ahead, behind } = scene.lineHits({ ...rays, tMin: 0 });
    const surface = scene.surface(rays, hits, { unitNormals: true });
    const near = solid.nearestPoints(around, 3, { radius: 0.5 });
    const closest = solid.closestPoint(around, { radius: 0.5 });
    const hashes = {
      closest: new Hash().hits(hits),
      farthest: new Hash().hits(scene.farthestHit(rays)),
      any: new Hash().column(scene.anyHit(rays)),
      count: new Hash().column(scene.countHits(rays).hits),
      "count of touches": new Hash().column(scene.countHits(rays, { contact: "touch" }).hits),
      "signed count": new Hash().column(scene.signedCount(rays).value),
      all: new Hash().lists(scene.allHits(rays)),
      nearest: new Hash().lists(scene.nearestHits(rays, 2)),
      sight: new Hash().column(scene.sight(origins.subarray(0, 24), origins).words),
      distance: new Hash().column(solid.distance(around).value),
      "signed distance": new Hash().column(solid.signedDistance(around).value),
      inside: new Hash().column(solid.contains(around).value),
      "winding number": new Hash().column(solid.windingNumber(around).value),
      "line hits": new Hash().hits(ahead).hits(behind),
      surface: new Hash().column(surface.point).column(surface.geometricNormal),
      "closest point": [closest.status, closest.primitiveId, closest.point, closest.u, closest.v, closest.distance].reduce(
        (hash, values) => hash.column(values),
        new Hash(),
      ),
      "near points": new Hash().rows([near.point, 3], [near.distance, 1], [near.primitiveId, 1]),
    };
    for (const [query, hash] of Object.entries(hashes)) found.push(`${rows} ${precision} ${hash} ${query}`);
  }
  assert.deepEqual(found, expected);
  context.diagnostic(`${found.length} hashes of ${rows} rows are equal`);
});
