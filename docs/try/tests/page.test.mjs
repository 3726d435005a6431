// The page in Chromium without a window. Pictures of all tools go to target/try-pictures, to be looked at.

import assert from "node:assert/strict";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { drop, folder, isReady, start, state } from "./browser.mjs";
import { firstHit, ply, terrain } from "./meshes.mjs";

const pictures = fileURLToPath(new URL("../../../target/try-pictures", import.meta.url));
const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const tools = {
  terrain: ["viewshed", "pick", "lidar", "sun", "slice"],
  gyroid: ["viewshed", "pick", "lidar", "sun", "slice", "thickness"],
};
/** Milliseconds for a call on a slow machine that draws without a graphics card. */
const LONG = { timeout: 60_000 };

let browser;
before(async () => {
  browser = await start();
  await mkdir(pictures, { recursive: true });
});
after(() => browser?.end());

const hasCast = (page) => page.waitForFunction(() => window.lanecastTry.state().rays > 0, null, LONG);

/** Clicks or taps at a share of the canvas's width and height. */
async function press(page, across = 0.5, down = 0.5) {
  const { x, y, width, height } = await page.locator("#canvas").boundingBox();
  const at = [x + across * width, y + down * height];
  await (page.viewportSize().width < 720 ? page.touchscreen.tap(...at) : page.mouse.click(...at));
}

/** What is picked next. */
async function pickAt(page, across, down) {
  const last = (await state(page)).pick?.point;
  await press(page, across, down);
  const isNew = (last) => String(window.lanecastTry.state().pick?.point ?? last) !== String(last);
  await page.waitForFunction(isNew, last, LONG);
  return (await state(page)).pick;
}

/** Waits until the last answer is drawn: that of a cursor or a slider that rests comes a while later. */
const rest = (page) => page.waitForTimeout(2000);

for (const [size, options] of Object.entries({ 1280: desktop, 390: phone })) {
  for (const [scene, names] of Object.entries(tools)) {
    test(`every tool casts at the ${scene}, ${size} pixels wide, and the console is silent`, async () => {
      const { page, said, close } = await browser.open(`#${scene}/viewshed`, options);
      await isReady(page);
      for (const tool of names) {
        await page.locator(`label:has(#tool-${tool})`).click();
        assert.equal((await state(page)).tool, tool);
        if (tool === "pick") {
          const [first] = [await pickAt(page, 0.4, 0.62), await pickAt(page, 0.52, 0.35)];
          assert.ok(first.triangle >= 0);
        }
        await hasCast(page);
        await rest(page);
        await page.screenshot({ path: join(pictures, `${scene}-${tool}-${size}.png`) });
        const { rays, error } = await state(page);
        assert.ok(rays > 0);
        assert.equal(error, "");
        const name = await page.locator("#scene-facts").textContent();
        assert.match(name, scene === "terrain" ? /^275,772 triangles/ : /^47,808 triangles/);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} pixels are beside the page`);
      assert.deepEqual(said, []);
      await close();
    });
  }
}

for (const [scene, read, extent] of [
  ["terrain", terrain, 30_000],
  ["gyroid", () => ply("gyroid.ply"), 72],
]) {
  test(`the triangle that is picked of the ${scene} is that of testing every one`, async () => {
    const mesh = await read();
    const { page, said, close } = await browser.open(`#${scene}/pick`, desktop);
    await isReady(page);
    let met = 0;
    // Not in the middle, where the ray runs along a column of the terrain's vertices.
    for (const [across, down] of [
      [0.51, 0.5],
      [0.42, 0.6],
      [0.55, 0.42],
      [0.47, 0.37],
      [0.6, 0.55],
    ]) {
      await press(page, across, down);
      await page.waitForTimeout(1000);
      const { pick } = await state(page);
      if (!pick) continue;
      met += 1;
      const { triangle, point } = firstHit(mesh, pick.ray);
      assert.equal(pick.triangle, triangle);
      const apart = Math.hypot(...point.map((part, axis) => part - pick.point[axis]));
      assert.ok(apart < 1e-5 * extent, `the points are ${apart} apart`);
    }
    assert.ok(met >= 3, `${met} of 5 clicks met anything`);
    assert.deepEqual(said, []);
    await close();
  });
}

test("the observer of the viewshed follows the cursor, until a click holds it", async () => {
  const { page, said, close } = await browser.open("#terrain/viewshed", desktop);
  await isReady(page);
  await hasCast(page);
  const seen = () => page.locator("#result").textContent();
  const [atSummit, times] = [await seen(), []];
  for (let move = 0; move < 30; move += 1) {
    await page.mouse.move(600 + 10 * move, 420 + 60 * Math.sin(move / 3));
    times.push(await page.locator("#work").textContent());
  }
  // Drawing without a graphics card takes longer than casting.
  console.log(`while the cursor moves: ${times.at(-1)}`);
  await rest(page);
  const followed = await seen();
  assert.notEqual(followed, atSummit);
  console.log(`at rest: ${await page.locator("#work").textContent()}`);
  await page.mouse.click(800, 400);
  await rest(page);
  const held = await seen();
  assert.notEqual(held, followed);
  await page.mouse.move(700, 500, { steps: 3 });
  await rest(page);
  assert.equal(await seen(), held);
  assert.deepEqual(said, []);
  await close();
});

test("sun hours of a day are summed, at once where motion is unwelcome", async () => {
  const { page, said, close } = await browser.open("#terrain/sun", {
    ...desktop,
    colorScheme: "dark",
    reducedMotion: "reduce",
  });
  await isReady(page);
  await hasCast(page);
  await page.getByRole("button", { name: "Sun hours of the day" }).click();
  await page.getByText("From sunrise to sunset").waitFor(LONG);
  assert.match(await page.locator("#legend").textContent(), /Hours of sun/);
  await page.screenshot({ path: join(pictures, "terrain-sun-hours-dark-1280.png") });
  assert.deepEqual(said, []);
  await close();
});

test("a broken file is refused with the reason, and the scene stays", async () => {
  const { page, said, close } = await browser.open("#terrain/viewshed", desktop);
  await isReady(page);
  const name = "ply-8-of-80-faces.ply";
  await drop(page, name, await readFile(new URL(`../../../data/regress/${name}`, import.meta.url)));
  await page.locator("#alert").waitFor(LONG);
  const { error, scene, triangles } = await state(page);
  console.log(error);
  assert.ok(error.startsWith(name) && error.length > name.length + 10, error);
  assert.deepEqual([scene, triangles], ["Jacksboro, Tennessee", 275_772]);
  await page.screenshot({ path: join(pictures, "broken-1280.png") });
  await page.getByRole("button", { name: "Dismiss" }).click();
  assert.equal((await state(page)).error, "");
  assert.deepEqual(said, []);
  await close();
});

const cube = `${[0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => `v ${x} ${y} ${z}`))).join("\n")}
f 1 2 4 3
f 5 7 8 6
f 1 5 6 2
f 3 4 8 7
f 1 3 7 5
f 2 6 8 4
`;

test("a dropped cube replaces the scene, and every tool casts at it", async () => {
  const { page, said, close } = await browser.open("#terrain/viewshed", desktop);
  await isReady(page);
  await drop(page, "cube.obj", Buffer.from(cube));
  await page.waitForFunction(() => window.lanecastTry.state().scene === "cube.obj", null, LONG);
  assert.equal((await state(page)).triangles, 12);
  for (const tool of tools.gyroid) {
    await page.keyboard.press(String(1 + tools.gyroid.indexOf(tool)));
    assert.equal((await state(page)).tool, tool);
    if (tool === "pick") await press(page);
    await hasCast(page);
  }
  await page.keyboard.press("5");
  await page.locator("#up label").filter({ hasText: "y up" }).click();
  await rest(page);
  await page.screenshot({ path: join(pictures, "cube-slice-1280.png") });
  assert.doesNotMatch(await page.locator("#result").textContent(), /not closed/);
  assert.deepEqual(said, []);
  await close();
});

test("a mesh in survey coordinates is picked to a thousandth of a millimetre", async () => {
  const { page, said, close } = await browser.open("#terrain/pick", desktop);
  await isReady(page);
  const moved = cube.replace(
    /^v (\d) (\d) (\d)$/gm,
    (_, x, y, z) => `v ${4_000_000.01 + 0.5 * x} ${5_000_000.02 + 0.5 * y} ${0.5 * z}`,
  );
  await drop(page, "survey.obj", Buffer.from(moved));
  await page.waitForFunction(() => window.lanecastTry.state().scene === "survey.obj", null, LONG);
  const { point } = await pickAt(page, 0.5, 0.5);
  const faces = [4_000_000.01, 4_000_000.51, 5_000_000.02, 5_000_000.52, 0, 0.5];
  const apart = faces.map((face, index) => Math.abs(point[index >> 1] - face));
  assert.ok(Math.min(...apart) < 1e-6, `${point} is on no face`);
  assert.deepEqual(said, []);
  await close();
});

test("a surface that is not closed is said to be so, and has distances by winding numbers", async () => {
  const { page, said, close } = await browser.open("#terrain/slice", desktop);
  await isReady(page);
  await drop(page, "open.obj", Buffer.from(cube.replace("f 2 6 8 4\n", "")));
  await page.getByText("The surface is not closed").waitFor(LONG);
  assert.equal((await state(page)).error, "");
  assert.deepEqual(said, []);
  await close();
});

test("keys choose tools, turn and zoom the scene, move the cursor and show help", async () => {
  const { page, said, close } = await browser.open("#gyroid/thickness", desktop);
  await isReady(page);
  const names = ["viewshed", "pick", "lidar", "sun", "slice", "thickness"];
  for (const [index, name] of names.entries()) {
    await page.keyboard.press(String(index + 1));
    assert.equal((await state(page)).tool, name);
    assert.ok(page.url().endsWith(`#gyroid/${name}`));
  }
  await page.keyboard.press("2");
  await page.locator("#canvas").focus();
  await page.keyboard.press("Shift+ArrowUp");
  const before = await pickByKey(page);
  for (const key of ["ArrowLeft", "d", "d", "w", "+", "+"]) await page.keyboard.press(key);
  assert.notDeepEqual((await pickByKey(page)).ray, before.ray);
  await page.keyboard.press("?");
  assert.ok(await page.getByRole("dialog").isVisible());
  await page.screenshot({ path: join(pictures, "help-1280.png") });
  await page.keyboard.press("Escape");
  assert.ok(!(await page.getByRole("dialog").isVisible()));
  assert.deepEqual(said, []);
  await close();
});

/** Moves the cursor up until Enter picks something. */
async function pickByKey(page) {
  const last = JSON.stringify((await state(page)).pick?.ray);
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press("Enter");
    await page.waitForTimeout(500);
    const { pick } = await state(page);
    if (pick && JSON.stringify(pick.ray) !== last) return pick;
    await page.keyboard.press("Shift+ArrowUp");
  }
  throw new Error("nothing was picked");
}

test("every control is reached by Tab, and shows that it has the focus", async () => {
  const { page, close } = await browser.open("#terrain/lidar", desktop);
  await isReady(page);
  await hasCast(page);
  const reached = new Set();
  await page.locator("body").focus();
  for (let step = 0; step < 24; step += 1) {
    await page.keyboard.press("Tab");
    const { name, outline } = await page.evaluate(() => {
      const { activeElement } = document;
      // Past the last one.
      if (activeElement === document.body) return { name: "" };
      const shown = activeElement.closest("label:has([type=radio])") ?? activeElement;
      return {
        name: activeElement.id || activeElement.name || activeElement.type,
        outline: getComputedStyle(shown).outlineStyle,
      };
    });
    reached.add(name);
    if (name !== "") assert.notEqual(outline, "none", `${name} does not show its focus`);
  }
  for (const id of ["scene-terrain", "open", "tool-lidar", "range", "show-help", "canvas"])
    assert.ok(reached.has(id), `${id} of ${[...reached]}`);
  await close();
});

test("the page is small", async () => {
  const [first, opened] = [await loadedBy("#terrain/viewshed"), await loadedBy("#gyroid/viewshed")];
  const codes = (await readdir(folder)).filter((name) => /\.(html|css|js|wasm)$/.test(name));
  const size = async (name) => gzipSync(await readFile(join(folder, name)), { level: 9 }).length;
  let total = 0;
  for (const name of codes) {
    const isFirst = first.includes(name);
    if (!isFirst && !opened.includes(name)) continue;
    total += isFirst ? await size(name) : 0;
    console.log(`${String(await size(name)).padStart(9)}  ${name}${isFirst ? "" : " (when a file is opened)"}`);
  }
  console.log(`${String(total).padStart(9)}  in all at first, in bytes of gzip`);
  assert.ok(total < 500_000, `${total} bytes`);
});

/** The files that the page loads for a scene. */
async function loadedBy(hash) {
  const { page, loaded, close } = await browser.open(hash, desktop);
  await isReady(page);
  await close();
  return loaded;
}

test("both engines of the benchmark meet the same triangles", async () => {
  const { page, said, close } = await browser.open("bench.html?rays=5000", desktop);
  await page.getByText("Done.").waitFor({ timeout: 120_000 });
  const rows = await page
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map(({ dataset, cells }) => ({ ...dataset, name: `${cells[0].textContent}, ${cells[1].textContent}` })),
    );
  assert.equal(rows.length, 4);
  for (const { name, rays, lanecast, bvh, equal, ties } of rows) {
    console.log(`${name}: lanecast ${Math.round(lanecast)}, three-mesh-bvh ${Math.round(bvh)} rays a second; ${ties} ties`);
    assert.equal(Number(equal) + Number(ties), Number(rays), name);
  }
  await page.screenshot({ path: join(pictures, "bench-1280.png") });
  assert.deepEqual(said, []);
  await close();
});
