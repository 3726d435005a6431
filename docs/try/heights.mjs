// Writes the heights of a terrain that is a regular grid: `node heights.mjs TERRAIN.ply FOLDER`. They are 16-bit numbers, the
// least byte first, row by row from the south, each row from the west; a JSON file beside them has the rest.

import { readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";

const [, , file, folder] = process.argv;
const bytes = await readFile(file);
const end = "end_header\n";
const header = bytes.subarray(0, bytes.indexOf(end) + end.length).toString("latin1");
const count = Number(/element vertex (\d+)\nproperty float x\nproperty float y\nproperty float z\nelement/.exec(header)?.[1]);
if (!(header.includes("format binary_little_endian 1.0") && count > 0)) throw new Error(`${file}: not as data/README.md says`);

const vertex = (row) => [0, 4, 8].map((at) => bytes.readFloatLE(header.length + 12 * row + at));
let columns = 1;
while (columns < count && vertex(columns)[1] === vertex(0)[1]) columns += 1;
const rows = count / columns;
const [east, north] = [vertex(columns - 1)[0] / (columns - 1), vertex(count - 1)[1] / (rows - 1)];

const heights = Buffer.alloc(2 * count);
for (let at = 0; at < count; at += 1) {
  const [x, y, z] = vertex(at);
  const isInPlace = Math.abs(x - (at % columns) * east) < 0.01 && Math.abs(y - Math.floor(at / columns) * north) < 0.01;
  if (!(Number.isInteger(rows) && isInPlace && Number.isInteger(z)))
    throw new Error(`${file}: vertex ${at} is not of a grid of whole heights`);
  heights.writeUInt16LE(z, 2 * at);
}
const { name } = parse(file);
await writeFile(join(folder, `${name}.heights`), heights);
await writeFile(
  join(folder, `${name}.json`),
  `${JSON.stringify({ name: "Jacksboro, Tennessee", rows, columns, spacing: [east, north] })}\n`,
);
