// Distances from the surface in a plane, negative inside.

import { vik } from "../colours.js";
import { choice, type Choice, facts, slider, type Slider } from "../controls.js";
import { newest } from "../engine.js";
import { digits, inUnit, length, orMore, percent, roundStep } from "../format.js";
import type { Point, Slice as Answer } from "../protocol.js";
import { SlicePlane } from "../slice-plane.js";
import { type Context, drawnAt, type Tool } from "./tool.js";

/** Points along the longer side while the slider moves, and at rest. */
const [MOVING, RESTING] = [128, 400];
const REST = 140;
/** Around a mesh, in its radius. */
const MARGIN = 0.15;
/** Isolines from the surface to the last colour. */
const LINES = 8;
/** The last colour is at so many times the greatest depth, if the greatest distance is not less. */
const DEPTHS = 2.5;

const AXES = { x: 0, y: 1, z: 2 } as const;

export class Slice implements Tool {
  readonly title = "Slice of distances";
  readonly key = "5";
  readonly #plane = new SlicePlane();
  readonly marks = [this.#plane];
  #axis: Choice<keyof typeof AXES> | undefined;
  #place: Slider | undefined;
  #rest = 0;

  constructor(readonly context: Context) {}

  hint(): string {
    return this.context.surface.grid
      ? "Distances from the ground in a plane, blue below it. Move the plane; lines join equal distances."
      : "Distances from the surface in a plane, blue inside. Move the plane; lines join equal distances.";
  }

  controls(): readonly HTMLElement[] {
    const change = () => this.#change();
    const { unit, surface } = this.context;
    const names = surface.grid ? { x: "N\u2013S", y: "W\u2013E", z: "level" } : { x: "x", y: "y", z: "z" };
    this.#axis = choice(surface.grid ? "Plane" : "Plane across", names, surface.grid ? "z" : "y", () => {
      this.#place!.value = 50;
      this.#change();
    });
    this.#place = slider("Place", [0, 100, 0.5], surface.grid ? 35 : 50, (value) => length(this.#at(value), unit), change);
    return [this.#axis.element, this.#place.element];
  }

  activate(): void {
    this.#plane.visible = false;
    this.context.paint({ kind: "plain" });
    this.#change();
  }

  deactivate(): void {
    clearTimeout(this.#rest);
    this.context.stage.cut(undefined);
  }

  #change(): void {
    clearTimeout(this.#rest);
    this.#rest = window.setTimeout(() => void this.#cut(RESTING), REST);
    void this.#cut(MOVING);
  }

  get #across(): 0 | 1 | 2 {
    return AXES[this.#axis!.value];
  }

  /** Where the plane is, along the axis that it is across. */
  #at(place: number): number {
    const { min, max } = this.context.surface;
    const axis = this.#across;
    return min[axis] + ((max[axis] - min[axis]) * place) / 100;
  }

  /** A corner of the plane and its sides: what the surface spans, and something around it. */
  #sides(): { corner: Point; right: Point; up: Point } {
    const { min, max, grid, radius } = this.context.surface;
    const across = this.#across;
    const [rightAxis, upAxis] = ([0, 1, 2] as const).filter((axis) => axis !== across) as [0 | 1 | 2, 0 | 1 | 2];
    const extent = (axis: 0 | 1 | 2): [number, number] => {
      const size = max[axis] - min[axis];
      // Above a terrain there is more to see than below.
      if (grid) return axis === 2 ? [min[2] - 0.5 * size, max[2] + 2 * size] : [min[axis], max[axis]];
      return [min[axis] - MARGIN * radius, max[axis] + MARGIN * radius];
    };
    const [[left, rightEnd], [low, high]] = [extent(rightAxis), extent(upAxis)];
    const along = (axis: number, size: number) => [0, 1, 2].map((of) => (of === axis ? size : 0)) as unknown as Point;
    const at = this.#at(this.#place!.value);
    const corner = [0, 1, 2].map((of) => (of === across ? at : of === rightAxis ? left : low)) as unknown as Point;
    return { corner, right: along(rightAxis, rightEnd - left), up: along(upAxis, high - low) };
  }

  readonly #cut = newest(async (most: number): Promise<void> => {
    const { surface, stage } = this.context;
    const { corner, right, up } = this.#sides();
    const [width, height] = [Math.hypot(...right), Math.hypot(...up)];
    const points = (side: number) => Math.max(Math.round((most * side) / Math.max(width, height)), most / 4);
    const [columns, rows] = [points(width), points(height)];
    const parted = (side: Point, parts: number) => side.map((part) => part / (parts - 1)) as unknown as Point;
    const asked = { corner, right: parted(right, columns), up: parted(up, rows), columns, rows };
    const [across, at] = [this.#across, corner[this.#across]];
    const slice = await this.context.ask("slice", asked);
    if (!slice) return;
    const farthest = slice.distances.reduce((most, distance) => Math.max(most, Math.abs(distance)), 0);
    const deepest = -slice.distances.reduce((least, distance) => Math.min(least, distance), 0);
    // Of a plane in which a flat mesh lies there is none.
    const reach = (deepest > 0 ? Math.min(farthest, DEPTHS * deepest) : farthest) || surface.radius;
    const interval = roundStep(reach / LINES);
    this.#plane.show(slice.distances, columns, rows, { corner: drawnAt(surface, corner), right, up }, reach, interval);
    stage.cut({ axis: across, at: at - surface.center[across] });
    this.#report(slice, deepest, reach, interval);
  });

  #report({ distances, open }: Answer, deepest: number, reach: number, interval: number): void {
    const { unit, surface } = this.context;
    const isInside = distances.reduce((sum, distance) => sum + Number(distance < 0), 0) / distances.length;
    const inside = surface.grid ? "Below the ground" : "Inside";
    const said = open ? [`The surface is not closed (${open}): inside is where generalised winding numbers say so.`] : [];
    this.context.result(
      facts([
        ["Between lines", length(interval, unit)],
        [inside, percent(isInside)],
        ["Deepest", length(deepest, unit)],
      ]),
      ...said,
    );
    const numbers = [-1, -0.5, 0, 0.5].map((share) => digits(share * reach));
    this.context.legend({
      kind: "scale",
      title: inUnit("Signed distance", unit),
      scale: vik,
      numbers: [...numbers, orMore(reach)],
    });
    this.context.say(`${open ? "not closed; " : ""}distances up to ${length(reach, unit)}`);
  }
}
