// The triangle under the cursor; from one to the next the distance, and whether they see each other.

import { MARK } from "../colours.js";
import { button, element, facts } from "../controls.js";
import { newest } from "../engine.js";
import { count, digits, length, minus } from "../format.js";
import { Dots, Lines } from "../marks.js";
import type { Met, Point, Ray, Sight } from "../protocol.js";
import { type Context, drawnAt, type Tool } from "./tool.js";

export class Pick implements Tool {
  readonly title = "Pick and measure";
  readonly key = "2";
  readonly #outline = new Lines(MARK);
  readonly #free = new Lines(MARK, 2.5);
  readonly #hidden = new Lines(MARK, 2.5, 7);
  readonly #dots = new Dots(MARK);
  readonly #obstacle = new Dots("#1c1d1f", 9);
  readonly marks = [this.#outline, this.#free, this.#hidden, this.#dots, this.#obstacle];
  #met: readonly Met[] = [];

  constructor(readonly context: Context) {}

  hint(): string {
    return "Click for the triangle and the point. A second click measures from the first: dashed where the line is hidden.";
  }

  controls(): readonly HTMLElement[] {
    return [];
  }

  activate(): void {
    this.context.paint({ kind: "plain" });
    this.#clear();
  }

  deactivate(): void {
    this.#clear();
  }

  tap(ray: Ray): void {
    void this.#pick(ray);
  }

  readonly #pick = newest(async (ray: Ray): Promise<void> => {
    const picked = await this.context.ask("pick", ray);
    if (!picked) return;
    const { met } = picked;
    if (!met) {
      this.#clear();
      this.context.say("nothing is there");
      return;
    }
    this.context.picked({ triangle: met.triangle, point: met.point, ray });
    const [from] = this.#met;
    this.#met = from && this.#met.length === 1 ? [from, met] : [met];
    const isSecond = this.#met.length === 2;
    const sight = isSecond ? await this.context.ask("sight", { from: from!, to: met }) : undefined;
    // Cleared meanwhile, or another tool is chosen.
    if (isSecond !== (sight !== undefined) || this.#met.at(-1) !== met) return;
    this.#draw(sight);
    this.#report(sight);
  });

  #clear(): void {
    this.#met = [];
    this.context.picked(undefined);
    this.#draw(undefined);
    this.context.result();
  }

  #draw(sight: Sight | undefined): void {
    const at = (point: Point) => drawnAt(this.context.surface, point);
    this.#outline.set(this.#met.flatMap(({ corners: [a, b, c] }) => [a, b, b, c, c, a].map(at)));
    this.#dots.set(this.#met.map(({ point }) => at(point)));
    const line = sight ? this.#met.map(({ point }) => at(point)) : [];
    const obstacle = sight?.obstacle;
    this.#free.set(obstacle ? [] : line);
    this.#hidden.set(obstacle ? line : []);
    this.#obstacle.set(obstacle ? [at(obstacle)] : []);
    this.context.stage.invalidate();
  }

  #report(sight: Sight | undefined): void {
    const { surface, stage } = this.context;
    const last = this.#met.at(-1)!;
    const near = surface.grid ? 1200 : 0.3 * surface.radius;
    const buttons = element(
      "p",
      { class: "buttons" },
      button("Go there", () => stage.approach(last.point, near)),
      button("Whole scene", () => stage.home()),
      button("Clear", () => this.#clear()),
    );
    this.context.result(facts([...this.#measured(sight), ...this.#described(last)]), buttons);
    const between = sight
      ? `, ${this.#measured(sight)[0]![1]} from the first, ${sight.obstacle ? "not in" : "in"} its sight`
      : "";
    this.context.say(`triangle ${count(last.triangle)}${between}`);
  }

  #described({ triangle, point, normal }: Met): (readonly [string, string])[] {
    const { surface, unit } = this.context;
    const slope = (Math.acos(Math.min(Math.abs(normal[2]), 1)) * 180) / Math.PI;
    const list = (parts: readonly number[], text: (part: number) => string) => parts.map(text).join(", ");
    const where: (readonly [string, string])[] = surface.grid
      ? [
          ["East, north", `${list(point.slice(0, 2), count)} ${unit}`],
          ["Height", length(point[2], unit)],
          ["Slope", `${digits(slope)}°`],
        ]
      : [["Point", list(point, digits)]];
    return [["Triangle", count(triangle)], ...where, ["Normal", list(normal, (part) => minus(part.toFixed(3)))]];
  }

  #measured(sight: Sight | undefined): (readonly [string, string])[] {
    const [from, to] = this.#met;
    if (!sight || !from || !to) return [];
    const { surface, unit } = this.context;
    const [x, y, z] = [0, 1, 2].map((axis) => to.point[axis]! - from.point[axis]!) as [number, number, number];
    const rise: (readonly [string, string])[] = surface.grid ? [["Rise", length(z, unit)]] : [];
    return [["Distance", length(Math.hypot(x, y, z), unit)], ...rise, ["They see each other", sight.obstacle ? "no" : "yes"]];
  }
}
