// What an observer sees that stands where the cursor is.

import { SEEN } from "../colours.js";
import { facts, slider, type Slider } from "../controls.js";
import { newest } from "../engine.js";
import { count, digits, length, percent } from "../format.js";
import { Dots, Lines } from "../marks.js";
import type { Cost, Point, Ray, Seen } from "../protocol.js";
import { type Context, drawnAt, ontoSummit, type Tool } from "./tool.js";

/** Milliseconds of the engine for a view that follows the cursor, of the 33 that 30 views a second leave. */
const BUDGET = 22;
const COARSEST = 8;
/** The cursor rests when it has not moved for so many milliseconds: then all vertices are looked at. */
const REST = 140;

export class Viewshed implements Tool {
  readonly title = "Viewshed";
  readonly key = "1";
  readonly #mast = new Lines(SEEN);
  readonly #eye = new Dots(SEEN);
  readonly marks = [this.#mast, this.#eye];
  #height: Slider | undefined;
  #ray: Ray | undefined;
  #isHeld = false;
  #step = 2;
  #rest = 0;
  #values = new Uint8Array();
  /** When the last views came. */
  #times: number[] = [];

  constructor(readonly context: Context) {}

  hint(): string {
    const { grid } = this.context.surface;
    const where = grid ? "Orange is in sight of a mast at the cursor." : "Orange is in sight of a point above the cursor.";
    return `${where} Click to hold it there, click again to let it follow.`;
  }

  controls(): readonly HTMLElement[] {
    const { surface, unit } = this.context;
    const change = () => this.#follow();
    this.#height = surface.grid
      ? slider("Height of the mast", [2, 100, 1], 20, (value) => length(value, unit), change)
      : slider("Height above the surface", [1, 100, 1], 25, (value) => length(this.#inUnits(value), unit), change);
    return [this.#height.element];
  }

  activate(): void {
    const { surface } = this.context;
    this.#values = new Uint8Array(surface.positions.length / 3);
    [this.#isHeld, this.#ray, this.#times] = [false, ontoSummit(this.context), []];
    this.context.legend({ kind: "colours", title: "From the mast", colours: [[SEEN, "in sight"]] });
    void this.#look(1);
  }

  deactivate(): void {
    clearTimeout(this.#rest);
    this.#mast.set([]);
    this.#eye.set([]);
  }

  hover(ray: Ray): void {
    if (this.#isHeld) return;
    this.#ray = ray;
    this.#follow();
  }

  tap(ray: Ray): void {
    this.#isHeld = !this.#isHeld;
    this.#ray = ray;
    this.#follow();
  }

  /** Of a mesh the slider has hundredths of the radius. */
  #inUnits(value: number): number {
    const { grid, radius } = this.context.surface;
    return grid ? value : (value / 100) * radius;
  }

  #follow(): void {
    clearTimeout(this.#rest);
    this.#rest = window.setTimeout(() => void this.#look(1), REST);
    void this.#look(this.context.surface.grid ? this.#step : 1);
  }

  readonly #look = newest(async (step: number): Promise<void> => {
    const height = this.#inUnits(this.#height!.value);
    const seen = await this.context.ask("viewshed", { ray: this.#ray!, height, step });
    if (!seen?.isSeen) return;
    this.#adapt(seen.cost);
    const share = this.#draw(seen.isSeen, step);
    this.#mast.set([drawnAt(this.context.surface, seen.ground!), drawnAt(this.context.surface, seen.observer!)]);
    this.#eye.set([drawnAt(this.context.surface, seen.observer!)]);
    this.#report(seen, share);
    // Of what is drawn, so that views do not outrun the screen.
    await new Promise(requestAnimationFrame);
  });

  /** Of a terrain as many rows and columns are looked at as the engine has time for while the cursor moves. */
  #adapt({ count: rays, milliseconds }: Cost): void {
    const affordable = (rays / Math.max(milliseconds, 0.1)) * BUDGET;
    this.#step = Math.min(Math.ceil(Math.sqrt(this.#values.length / affordable)), COARSEST);
  }

  /** Paints what is seen; its share. */
  #draw(isSeen: Uint8Array, step: number): number {
    const { grid } = this.context.surface;
    this.context.paint({ kind: "seen", values: grid ? this.#spread(isSeen, grid, step) : isSeen });
    return isSeen.reduce((sum, seen) => sum + seen, 0) / isSeen.length;
  }

  /** Gives all vertices what is known of every other one. */
  #spread(isSeen: Uint8Array, [rows, columns]: readonly [number, number], step: number): Uint8Array {
    if (step === 1) return isSeen;
    const [lastRow, lastColumn] = [rows, columns].map((all) => Math.ceil(all / step) - 1) as [number, number];
    for (let row = 0; row < rows; row += 1) {
      const first = Math.min(Math.round(row / step), lastRow) * (lastColumn + 1);
      for (let column = 0; column < columns; column += 1) {
        this.#values[row * columns + column] = isSeen[first + Math.min(Math.round(column / step), lastColumn)]!;
      }
    }
    return this.#values;
  }

  #report({ observer, cost }: Seen, share: number): void {
    const { surface, unit } = this.context;
    const [width, depth] = [0, 1].map((axis) => (surface.max[axis]! - surface.min[axis]!) / 1000) as [number, number];
    const now = performance.now();
    this.#times = [...this.#times.filter((time) => now - time < 1000), now];
    const views = this.#times.length > 2 ? ([["Views", `${count(this.#times.length)} a second`]] as const) : [];
    const area = surface.grid ? ([["Area in sight", `${digits(share * width * depth)} km²`]] as const) : [];
    const height = surface.grid ? ([["Eye above the sea", length((observer as Point)[2], unit)]] as const) : [];
    this.context.result(facts([["In sight", percent(share)], ...area, ...height, ...views]));
    this.context.say(`${percent(share)} in sight, by ${count(cost.count)} rays`);
  }
}
