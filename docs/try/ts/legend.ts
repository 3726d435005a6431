// The legend on the canvas: a scale with its numbers, or colours with their names.

import type { Scale } from "./colours.js";
import { element } from "./controls.js";

export type Legend =
  | {
      readonly kind: "scale";
      readonly title: string;
      readonly scale: Scale;
      /** At equal distances, from the first colour to the last. */
      readonly numbers: readonly string[];
    }
  | { readonly kind: "colours"; readonly title: string; readonly colours: readonly (readonly [string, string])[] };

export function showLegend(place: HTMLElement, legend: Legend | undefined): void {
  place.hidden = legend === undefined;
  if (!legend) return;
  const caption = element("figcaption", {}, legend.title);
  if (legend.kind === "colours") {
    const named = legend.colours.map(([colour, name]) => element("li", {}, swatch(colour), name));
    place.replaceChildren(caption, element("ul", {}, ...named));
    return;
  }
  const ramp = element("div", { class: "ramp" });
  ramp.style.background = `linear-gradient(to right, ${legend.scale.stops.join(", ")})`;
  const numbers = element("div", { class: "numbers" }, ...legend.numbers.map((number) => element("span", {}, number)));
  place.replaceChildren(caption, ramp, numbers);
}

function swatch(colour: string): HTMLElement {
  const made = element("span", { class: "swatch" });
  made.style.background = colour;
  return made;
}
