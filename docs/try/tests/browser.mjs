// Chromium, and the page in it. CHROMIUM is the path of the program; without it the usual places are looked at.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { serve } from "../serve.mjs";

export const folder = fileURLToPath(new URL("../../../target/try", import.meta.url));

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

function program() {
  const found = process.env.CHROMIUM ?? places.find(existsSync);
  if (!found)
    throw new Error("no Chromium was found: install it, such as Debian's package chromium, or set CHROMIUM to its path");
  if (!existsSync(found)) throw new Error(`CHROMIUM is ${found}, which is not there`);
  return found;
}

/** Without a graphics card, and without what calls home. */
const flags = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-quic",
  "--disable-sync",
  "--disable-background-networking",
  "--disable-component-update",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
];

export async function start() {
  if (!existsSync(`${folder}/try.js`)) throw new Error("target/try is not there: run docs/try/build.sh first");
  const browser = await chromium.launch({ executablePath: program(), args: flags });
  const server = await serve(folder, 0);
  const address = `http://localhost:${server.address().port}/`;
  return {
    /** Opens a page, and keeps the names of what it loads, what its console says, and what it cannot load. */
    async open(path, options) {
      const context = await browser.newContext(options);
      const page = await context.newPage();
      const said = [];
      page.on("console", (message) => said.push(`${message.type()}: ${message.text()}`));
      page.on("pageerror", (error) => said.push(String(error)));
      const loaded = [];
      page.on("response", (response) => {
        loaded.push(new URL(response.url()).pathname.slice(1) || "index.html");
        if (!response.ok()) said.push(`${response.status()}: ${response.url()}`);
      });
      page.on("requestfailed", (request) => said.push(`failed: ${request.url()}`));
      await page.goto(address + path);
      return { page, said, loaded, close: () => context.close() };
    },
    async end() {
      await browser.close();
      server.close();
    },
  };
}

export const state = (page) => page.evaluate(() => window.lanecastTry.state());

export async function isReady(page) {
  await page.waitForFunction(() => window.lanecastTry);
  await page.evaluate(() => window.lanecastTry.ready);
}

/** Drops a file on the page. */
export async function drop(page, name, bytes) {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], name));
      return transfer;
    },
    [name, [...bytes]],
  );
  await page.dispatchEvent("#canvas", "drop", { dataTransfer: transfer });
}
