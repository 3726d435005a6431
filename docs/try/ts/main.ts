// The page: it opens scenes, gives the tools what they need, and shows what the engine did.

import { dark, light, type Palette } from "./colours.js";
import { choice } from "./controls.js";
import { Engine } from "./engine.js";
import { count, milliseconds, rate } from "./format.js";
import type { State } from "./hook.js";
import { listenToKeys } from "./keys.js";
import { type Legend, showLegend } from "./legend.js";
import { type Place, Pointer } from "./pointer.js";
import type { Answer, Argument, Call, Cost, Progress, Surface, Up } from "./protocol.js";
import { type Opened, openFile, openShipped, type Shipped, shippedScenes } from "./scenes.js";
import { Stage } from "./stage.js";
import { EXAGGERATION, type Paint } from "./surface.js";
import { Lidar } from "./tools/lidar.js";
import { Pick } from "./tools/pick.js";
import { Slice } from "./tools/slice.js";
import { Sun } from "./tools/sun.js";
import { Thickness } from "./tools/thickness.js";
import { type Context, type Tool, type ToolName, toolNames } from "./tools/tool.js";
import { Viewshed } from "./tools/viewshed.js";

const stillness = matchMedia("(prefers-reduced-motion: reduce)");
const darkness = matchMedia("(prefers-color-scheme: dark)");
const palette = (): Palette => (darkness.matches ? dark : light);

const at = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;

/** Texts for those who hear the page wait so many milliseconds for newer ones. */
const PAUSE = 400;

class Page implements Context {
  readonly canvas = at<HTMLCanvasElement>("canvas");
  readonly stage = new Stage(this.canvas, palette(), () => stillness.matches);
  readonly engine = new Engine();
  readonly tools: Readonly<Record<ToolName, Tool>> = {
    viewshed: new Viewshed(this),
    pick: new Pick(this),
    lidar: new Lidar(this),
    sun: new Sun(this),
    slice: new Slice(this),
    thickness: new Thickness(this),
  };
  #opened: Opened | undefined;
  /** Which it is, if it is no file. */
  #shipped: Shipped | undefined;
  #tool: ToolName = "viewshed";
  /** Of the tool and the scene that are chosen: answers to earlier ones are let go. */
  #era = 0;
  #rays = 0;
  #pick: State["pick"];
  #saying = 0;

  get surface(): Surface {
    return this.#opened!.surface;
  }

  get unit(): string {
    return this.#opened!.unit;
  }

  get up(): Up {
    return this.#opened!.up;
  }

  get state(): State {
    return {
      tool: this.#tool,
      scene: this.#opened?.surface.name ?? "",
      triangles: (this.#opened?.surface.triangles.length ?? 0) / 3,
      pick: this.#pick,
      rays: this.#rays,
      error: at("alert").hidden ? "" : at("alert-text").textContent,
    };
  }

  // --- What tools use ---

  async ask<C extends Call>(call: C, argument: Argument<C>): Promise<Answer<C> | undefined> {
    const era = this.#era;
    try {
      const answer = await this.engine.ask(call, argument);
      if (era !== this.#era) return undefined;
      if ("cost" in answer && answer.cost.count > 0) this.#showCost(answer.cost);
      return answer;
    } catch (error) {
      if (era === this.#era) this.fail(error);
      return undefined;
    }
  }

  paint(paint: Paint): void {
    this.stage.paint(paint);
  }

  result(...content: (Node | string)[]): void {
    at("result").replaceChildren(...content);
  }

  legend(legend: Legend | undefined): void {
    showLegend(at("legend"), legend);
  }

  say(text: string): void {
    clearTimeout(this.#saying);
    this.#saying = window.setTimeout(() => (at("status").textContent = text), PAUSE);
  }

  picked(pick: State["pick"]): void {
    this.#pick = pick;
  }

  isStill(): boolean {
    return stillness.matches;
  }

  // --- Tools and scenes ---

  choose(tool: ToolName): void {
    this.tools[this.#tool].deactivate();
    this.#tool = tool;
    at<HTMLInputElement>(`tool-${tool}`).checked = true;
    this.#start();
  }

  /** Opens a scene. One that fails leaves the other as it is. */
  async open(scene: Shipped | File): Promise<void> {
    this.dismiss();
    const hear = (progress: Progress) => this.#showProgress(progress);
    const [file, shipped] = scene instanceof File ? [scene, undefined] : [undefined, scene];
    try {
      const opened = file ? await openFile(this.engine, file, hear) : await openShipped(this.engine, shipped!, hear);
      this.tools[this.#tool].deactivate();
      [this.#opened, this.#shipped] = [opened, shipped];
      this.stage.show(opened.surface, opened.up);
      this.#describe();
      this.#offerUp(file !== undefined);
      this.#start();
    } catch (error) {
      this.fail(error);
      this.say(this.#opened ? `${this.surface.name} stays open` : "no scene is open");
    } finally {
      at("progress").hidden = true;
      for (const name of shippedScenes) at<HTMLInputElement>(`scene-${name}`).checked = name === this.#shipped;
    }
  }

  hover([x, y]: Place): void {
    if (this.#opened) this.tools[this.#tool].hover?.(this.stage.rayThrough(x, y));
  }

  tap([x, y]: Place): void {
    if (this.#opened) this.tools[this.#tool].tap?.(this.stage.rayThrough(x, y));
  }

  fail(error: unknown): void {
    at("alert-text").textContent = error instanceof Error ? error.message : String(error);
    at("alert").hidden = false;
  }

  dismiss(): void {
    at("alert").hidden = true;
  }

  #start(): void {
    this.#era += 1;
    this.#rays = 0;
    this.#pick = undefined;
    if (!this.#opened) return;
    this.#address();
    const tool = this.tools[this.#tool];
    this.legend(undefined);
    this.result();
    at("tool-title").textContent = tool.title;
    at("hint").textContent = tool.hint();
    at("controls").replaceChildren(...tool.controls());
    this.stage.mark(tool.marks);
    tool.activate();
  }

  /** What is open, in the address, so that it can be sent to others. */
  #address(): void {
    const { pathname, search } = location;
    const hash = this.#shipped ? `#${this.#shipped}/${this.#tool}` : "";
    history.replaceState(null, "", pathname + search + hash);
  }

  #describe(): void {
    const { name, triangles, grid, remarks } = this.surface;
    const stretched = grid ? [`heights × ${EXAGGERATION}`] : [];
    at("scene-name").textContent = name;
    const counted = `${count(triangles.length / 3)} triangles`;
    at("scene-facts").textContent = [counted, ...stretched, ...remarks].join(" · ");
    this.say(`${name}, ${counted}`);
  }

  /** Lets people say which axis of their file points up. */
  #offerUp(isFile: boolean): void {
    const axes = choice("Up", { y: "y up", z: "z up" }, this.up, () => {
      this.tools[this.#tool].deactivate();
      this.#opened = { ...this.#opened!, up: axes.value };
      this.stage.turn(axes.value);
      this.#start();
    });
    at("up").replaceChildren(...(isFile ? [axes.element] : []));
  }

  #showCost({ count: done, of, milliseconds: time }: Cost): void {
    this.#rays = done;
    at("figures").hidden = false;
    // One ray tells no rate.
    const { value, unit } = done === 1 ? { value: "1", unit: "" } : rate((1000 * done) / time);
    at("rate").textContent = value;
    at("rate-unit").textContent = done === 1 ? of.slice(0, -1) : `${unit}${of} a second`;
    at("work").textContent = `${done === 1 ? "" : `${count(done)} ${of} `}in ${milliseconds(time)}`;
  }

  #showProgress({ text, share }: Progress): void {
    const bar = at<HTMLProgressElement>("progress-bar");
    at("progress").hidden = false;
    at("progress-text").textContent = text;
    if (share === undefined) bar.removeAttribute("value");
    else bar.value = share;
    this.say(text);
  }
}

/** Files that are dropped anywhere, or chosen. */
function listenToFiles(page: Page): void {
  const input = at<HTMLInputElement>("file");
  at("open").addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) void page.open(file);
    // So that the same file can be chosen again.
    input.value = "";
  });
  const isFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    void page.open(file);
  });
}

function listenToPanel(page: Page): void {
  for (const name of toolNames) at(`tool-${name}`).addEventListener("change", () => page.choose(name));
  for (const scene of shippedScenes) at(`scene-${scene}`).addEventListener("change", () => void page.open(scene));
  at("dismiss").addEventListener("click", () => page.dismiss());
  const help = at<HTMLDialogElement>("help");
  at("show-help").addEventListener("click", () => help.showModal());
  const handle = at("handle");
  handle.addEventListener("click", () => {
    const isOpen = handle.getAttribute("aria-expanded") !== "true";
    handle.setAttribute("aria-expanded", String(isOpen));
    at("panel").classList.toggle("folded", !isOpen);
  });
  darkness.addEventListener("change", () => page.stage.colour(palette()));
}

function start(): Promise<void> {
  const page = new Page();
  const pointer = new Pointer(
    page.canvas,
    at("cross"),
    (place) => page.hover(place),
    (place) => page.tap(place),
  );
  listenToKeys(page.canvas, {
    orbit: (around, over) => page.stage.orbit(around, over),
    zoom: (factor) => page.stage.zoom(factor),
    home: () => page.stage.home(),
    move: (right, up) => pointer.move(right, up),
    press: () => pointer.press(),
    choose: (key) => toolNames.filter((name) => page.tools[name].key === key).forEach((name) => page.choose(name)),
    help: () => at<HTMLDialogElement>("help").showModal(),
  });
  listenToFiles(page);
  listenToPanel(page);
  const [scene, tool] = location.hash.slice(1).split("/");
  page.choose(toolNames.find((name) => name === tool) ?? "viewshed");
  const ready = page.open(shippedScenes.find((name) => name === scene) ?? "terrain");
  window.lanecastTry = { ready, state: () => page.state };
  return ready;
}

try {
  await start();
} catch (error) {
  at("alert-text").textContent = `This page needs WebGL 2 and WebAssembly: ${error instanceof Error ? error.message : error}`;
  at("alert").hidden = false;
}
