// Shadows at a time of a day, and how long the sun shines on that day.

import { batlow } from "../colours.js";
import { button, dateInput, facts, slider, type Slider } from "../controls.js";
import { newest } from "../engine.js";
import { digits } from "../format.js";
import { quantile } from "../quantile.js";
import { type Context, type Tool } from "./tool.js";

/** Where the terrain lies, in degrees; meshes stand there too, with x to the east. */
const [LATITUDE, LONGITUDE] = [36.3, -84.2];
/** Hours from universal time: Eastern Standard Time, all year. */
const ZONE = -5;
const QUARTER = 0.25;
const HOUR = 3_600_000;

const clock = (hour: number): string => {
  const minutes = Math.round(hour * 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
};

export class Sun implements Tool {
  readonly title = "Sun";
  readonly key = "4";
  readonly marks = [];
  readonly #date = dateInput("Day", `${new Date().getFullYear()}-03-20`, () => this.#change());
  #hour: Slider | undefined;
  /** Which sum of a day is under way: a later one ends it. */
  #sum = 0;

  constructor(readonly context: Context) {}

  hint(): string {
    return "Shadows of the sun at 36.3° north, 84.2° west: a ray from every vertex. Hours are of Eastern Standard Time.";
  }

  controls(): readonly HTMLElement[] {
    this.#hour = slider("Hour", [0, 24, QUARTER], 8, clock, () => this.#change());
    return [this.#date.element, this.#hour.element, button("Sun hours of the day", () => void this.#sumDay())];
  }

  activate(): void {
    this.#change();
  }

  deactivate(): void {
    this.#sum += 1;
    this.context.stage.lightFrom(undefined);
  }

  #change(): void {
    this.#sum += 1;
    void this.#shine(this.#hour!.value);
  }

  #ask(hour: number) {
    const time = Date.parse(`${this.#date.value}T00:00:00Z`) + (hour - ZONE) * HOUR;
    return this.context.ask("sun", { time, latitude: LATITUDE, longitude: LONGITUDE, up: this.context.up });
  }

  readonly #shine = newest(async (hour: number): Promise<void> => {
    const sum = this.#sum;
    const light = await this.#ask(hour);
    if (!light || sum !== this.#sum) return;
    const { toSun, direction, isLit } = light;
    const elevation = (Math.asin(toSun[2]) * 180) / Math.PI;
    this.context.stage.lightFrom(direction);
    this.context.paint({ kind: "lit", values: isLit });
    this.context.legend(undefined);
    if (elevation <= 0) {
      this.context.result("The sun is below the horizon.");
      this.context.say(`at ${clock(hour)} the sun is below the horizon`);
      return;
    }
    const azimuth = ((Math.atan2(toSun[0], toSun[1]) * 180) / Math.PI + 360) % 360;
    const share = isLit.reduce((sum, lit) => sum + lit, 0) / isLit.length;
    const rows = [
      ["Elevation", `${digits(elevation)}°`],
      ["Azimuth", `${digits(azimuth)}°`],
      ["In the sun", `${digits(100 * share)} %`],
    ] as const;
    this.context.result(facts(rows));
    this.context.say(`at ${clock(hour)} the sun shines on ${digits(100 * share)} %`);
  });

  async #sumDay(): Promise<void> {
    const sum = (this.#sum += 1);
    const hours = new Float32Array(this.context.surface.positions.length / 3);
    let day = 0;
    for (let hour = 0; hour < 24; hour += QUARTER) {
      const light = await this.#ask(hour);
      if (!light || sum !== this.#sum) return;
      if (light.toSun[2] <= 0) continue;
      day += QUARTER;
      for (let vertex = 0; vertex < hours.length; vertex += 1) hours[vertex]! += QUARTER * light.isLit[vertex]!;
      this.context.result(`${clock(hour)}, and on …`);
      if (!this.context.isStill()) this.#drawHours(hours, day);
    }
    this.#drawHours(hours, day);
    const mean = hours.reduce((all, hour) => all + hour, 0) / hours.length;
    this.context.result(
      facts([
        ["From sunrise to sunset", `${digits(day)} h`],
        ["Sun, on average", `${digits(mean)} h`],
      ]),
    );
    this.context.say(`the sun shines for ${digits(mean)} of ${digits(day)} hours on average`);
  }

  /** Of the day so far, from what all but a hundredth have. */
  #drawHours(values: Float32Array, day: number): void {
    const from = Math.min(Math.floor(quantile(values, 0.01)), day - QUARTER);
    this.context.stage.lightFrom(undefined);
    this.context.paint({ kind: "scale", values, scale: batlow, from, to: day });
    const numbers = [0, 0.25, 0.5, 0.75, 1].map((share) => digits(from + share * (day - from)));
    this.context.legend({ kind: "scale", title: "Hours of sun", scale: batlow, numbers });
  }
}
