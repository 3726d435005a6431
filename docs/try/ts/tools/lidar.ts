// The points that a spinning laser scanner measures in one turn.

import { lightBatlow, MARK } from "../colours.js";
import { choice, type Choice, facts, slider, type Slider } from "../controls.js";
import { newest } from "../engine.js";
import { count, length, percent } from "../format.js";
import { Cloud, Dots, Lines } from "../marks.js";
import type { Ray, Scan } from "../protocol.js";
import { quantile } from "../quantile.js";
import { type Context, drawnAt, ontoSummit, type Tool, UP_AXES } from "./tool.js";

/** Firings of all beams in a turn. */
const FIRINGS = 1800;
/** How long the points of a turn take to appear, in milliseconds. */
const TURN = 1200;

export class Lidar implements Tool {
  readonly title = "Lidar scan";
  readonly key = "3";
  readonly #cloud = new Cloud();
  readonly #mast = new Lines(MARK);
  readonly #head = new Dots(MARK);
  readonly marks = [this.#cloud, this.#mast, this.#head];
  #beams: Choice<"16" | "32" | "64"> | undefined;
  #colour: Choice<"distance" | "height"> | undefined;
  #height: Slider | undefined;
  #ray: Ray | undefined;
  #scan: Scan | undefined;
  #turn = 0;

  constructor(readonly context: Context) {}

  hint(): string {
    const fan = this.context.surface.grid ? "from 15° below to 15° above the horizon" : "about the normal of the surface";
    return `Click to set up a scanner: one turn of ${count(FIRINGS)} firings, its beams ${fan}.`;
  }

  controls(): readonly HTMLElement[] {
    const { surface, unit } = this.context;
    const again = () => void this.#fire(undefined);
    this.#beams = choice("Beams", { "16": "16", "32": "32", "64": "64" }, "64", again);
    this.#height = surface.grid
      ? slider("Height of the scanner", [2, 200, 1], 60, (value) => length(value, unit), again)
      : slider("Height above the surface", [1, 100, 1], 30, (value) => length(this.#inUnits(value), unit), again);
    this.#colour = choice("Colour", { distance: "by distance", height: "by height" }, "distance", () => this.#draw());
    return [this.#beams.element, this.#height.element, this.#colour.element];
  }

  activate(): void {
    this.context.paint({ kind: "muted" });
    this.#ray = ontoSummit(this.context);
    void this.#fire(undefined);
  }

  deactivate(): void {
    this.#turn += 1;
    this.#scan = undefined;
    this.#cloud.visible = false;
    this.#mast.set([]);
    this.#head.set([]);
  }

  tap(ray: Ray): void {
    this.#ray = ray;
    void this.#fire(undefined);
  }

  #inUnits(value: number): number {
    const { grid, radius } = this.context.surface;
    return grid ? value : (value / 100) * radius;
  }

  readonly #fire = newest(async (): Promise<void> => {
    const height = this.#inUnits(this.#height!.value);
    const scan = await this.context.ask("lidar", {
      ray: this.#ray!,
      height,
      beams: Number(this.#beams!.value),
      firings: FIRINGS,
    });
    if (!scan?.points) return;
    this.#scan = scan;
    this.#draw();
    this.#sweep();
  });

  #draw(): void {
    if (!this.#scan) return;
    const { surface, unit, up } = this.context;
    const axis = UP_AXES[up];
    const [points, distances] = [this.#scan.points!, this.#scan.distances!];
    const isByHeight = this.#colour!.value === "height";
    const values = isByHeight ? distances.map((_, index) => points[3 * index + axis]! + surface.center[axis]) : distances;
    const [from, to] = [isByHeight ? quantile(values, 0.01) : 0, quantile(values, 0.98)];
    this.#cloud.set(points, values, [from, to]);
    this.#mast.set([drawnAt(surface, this.#scan.ground!), drawnAt(surface, this.#scan.scanner!)]);
    this.#head.set([drawnAt(surface, this.#scan.scanner!)]);
    this.context.stage.invalidate();
    const numbers = [0, 0.5, 1].map((share) => length(from + share * (to - from), unit));
    this.context.legend({
      kind: "scale",
      title: isByHeight ? "Height" : "Distance from the scanner",
      scale: lightBatlow,
      numbers,
    });
    this.#report(distances);
  }

  #report(distances: Float32Array): void {
    const { cost } = this.#scan!;
    const farthest = distances.reduce((most, distance) => Math.max(most, distance), 0);
    this.context.result(
      facts([
        ["Points", count(distances.length)],
        ["Pulses that come back", percent(distances.length / cost.count)],
        ["Farthest", length(farthest, this.context.unit)],
      ]),
    );
    this.context.say(`${count(distances.length)} points of ${count(cost.count)} pulses`);
  }

  /** Lets the points appear in the order in which they are measured. */
  #sweep(): void {
    const turn = (this.#turn += 1);
    if (this.context.isStill()) return;
    const start = performance.now();
    const step = () => {
      if (turn !== this.#turn) return;
      const share = Math.min((performance.now() - start) / TURN, 1);
      this.#cloud.show(share);
      this.context.stage.invalidate();
      if (share < 1) requestAnimationFrame(step);
    };
    step();
  }
}
