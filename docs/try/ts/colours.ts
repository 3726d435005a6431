// Colours of what is drawn, by CSS hexadecimals.

import { Color, ColorManagement } from "three";

// They are mixed and written to the screen as they are given.
ColorManagement.enabled = false;

export interface Scale {
  /** At equal distances from 0 to 1. */
  readonly stops: readonly string[];
}

/**
 * Perceptually even scales: nine rows each, at equal distances, of batlow and vik by Fabio Crameri (Scientific colour maps,
 * doi:10.5281/zenodo.1243862, MIT).
 */
export const batlow: Scale = {
  stops: ["#011959", "#114360", "#226061", "#4d734d", "#828231", "#be9035", "#f19d6b", "#fdb4b4", "#faccfa"],
};
export const vik: Scale = {
  stops: ["#001261", "#034481", "#307da6", "#94bed2", "#ece5e0", "#dcac90", "#c37243", "#942f06", "#590008"],
};

/** The lighter part of batlow, for what is drawn on dark ground. */
export const lightBatlow: Scale = {
  stops: batlow.stops.map((_, stop) => `#${at(batlow, 0.25 + (0.75 * stop) / 8).getHexString()}`),
};

function at({ stops }: Scale, share: number): Color {
  const [whole, part] = [Math.floor(share * 8), (share * 8) % 1];
  return new Color(stops[whole]).lerp(new Color(stops[whole + 1] ?? stops[whole]), part);
}

/** Marks: the colours of the README's picture. */
export const SEEN = "#e8741a";
export const MARK = "#c2188b";

/** From the lowest ground to the highest. */
const HYPSOMETRIC = ["#b9c4ad", "#cfd0b5", "#dfd6bd", "#e6dccb", "#f1ede6"];

export interface Palette {
  readonly ground: string;
  readonly relief: readonly string[];
  readonly mesh: string;
  readonly contour: string;
  /** What lidar points lie on. */
  readonly muted: string;
}

export const light: Palette = {
  ground: "#eeedea",
  relief: HYPSOMETRIC,
  mesh: "#d3d0c8",
  contour: "#5c4a33",
  muted: "#4a4c50",
};
export const dark: Palette = {
  ground: "#131416",
  relief: ["#7f8b76", "#949782", "#a39c8a", "#aba396", "#b8b4ad"],
  mesh: "#a9a69f",
  contour: "#1d150a",
  muted: "#34363a",
};

export const rgb = (colour: string): Color => new Color(colour);
export const rgbs = (colours: readonly string[]): Color[] => colours.map(rgb);
