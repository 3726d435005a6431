// How thick a solid is: from each vertex a ray inwards, to the far side.

import { batlow } from "../colours.js";
import { facts } from "../controls.js";
import { digits, inUnit, length, orMore, percent } from "../format.js";
import { quantile } from "../quantile.js";
import { type Context, type Tool } from "./tool.js";

export class Thickness implements Tool {
  readonly title = "Thickness";
  readonly key = "6";
  readonly marks = [];

  constructor(readonly context: Context) {}

  hint(): string {
    return "From every vertex a ray goes inwards, against the normal; the colour is how far the other side is.";
  }

  controls(): readonly HTMLElement[] {
    return [];
  }

  activate(): void {
    void this.#measure();
  }

  deactivate(): void {}

  async #measure(): Promise<void> {
    const answer = await this.context.ask("thickness", null);
    if (!answer) return;
    const { thickness } = answer;
    const ended = thickness.reduce((sum, value) => sum + Number(Number.isFinite(value)), 0);
    if (ended === 0) {
      this.context.paint({ kind: "plain" });
      this.context.result("Nothing lies behind this surface, so that it has no thickness. The gyroid has one.");
      this.context.say("nothing lies behind this surface");
      return;
    }
    const { unit } = this.context;
    const [thin, median] = [quantile(thickness, 0.01), quantile(thickness, 0.5)];
    // Along a wall, such as at its rim, rays go far: walls have the most colours.
    const to = 2 * median;
    this.context.paint({ kind: "scale", values: thickness, scale: batlow, from: 0, to });
    const numbers = [0, 0.25, 0.5, 0.75].map((share) => digits(share * to));
    this.context.legend({ kind: "scale", title: inUnit("Thickness", unit), scale: batlow, numbers: [...numbers, orMore(to)] });
    const rows = [
      ["Median", length(median, unit)],
      ["Thinnest hundredth, below", length(thin, unit)],
    ] as const;
    const open = ended < thickness.length ? ([["Rays that leave", percent(1 - ended / thickness.length)]] as const) : [];
    this.context.result(facts([...rows, ...open]));
    this.context.say(`thickness is ${length(median, unit)} at the median`);
  }
}
