// The page that shows the rates of both engines. `?rays=` says how many rays each set has.

import type { Asked, Row, Told } from "./bench-worker.js";
import { element } from "./controls.js";
import { count, digits, rate } from "./format.js";
import { fetchGyroid, fetchTerrain } from "./scenes.js";

const RAYS = 200_000;
/** Of both scenes. */
const SETS = 4;

const table = document.querySelector("tbody")!;
const status = document.getElementById("status")!;

const asked = Number(new URLSearchParams(location.search).get("rays"));
const rays = Number.isInteger(asked) && asked > 0 ? asked : RAYS;

function speed(perSecond: number): string {
  const { value, unit } = rate(perSecond);
  return `${value} ${unit}`.trim();
}

function show({ scene, set, rays, lanecast, bvh, equal, ties }: Row): void {
  const different = rays - equal - ties;
  const same = different > 0 ? `${count(different)} differ` : ties > 0 ? `all, ${count(ties)} of them ties` : "all";
  const cells = [scene, set, speed(lanecast), speed(bvh), digits(lanecast / bvh), same];
  const row = element("tr", {}, ...cells.map((cell) => element("td", {}, cell)));
  // For tests.
  Object.entries({ lanecast, bvh, equal, ties, rays }).forEach(([name, value]) => (row.dataset[name] = String(value)));
  table.append(row);
}

const worker = new Worker(new URL("bench-worker.js", document.baseURI), { type: "module" });
worker.addEventListener("message", ({ data }: MessageEvent<Told>) => {
  if ("wrong" in data) {
    status.textContent = data.wrong;
    return;
  }
  show(data);
  status.textContent = table.childElementCount === SETS ? "Done." : `${table.childElementCount} of ${SETS} are measured.`;
});

document.getElementById("count")!.textContent = count(rays);
const [terrain, gyroid] = await Promise.all([fetchTerrain(), fetchGyroid()]);
for (const question of [
  { scene: "Terrain", content: terrain, rays },
  { scene: "Gyroid", content: gyroid, rays },
] satisfies Asked[]) {
  worker.postMessage(question);
}
