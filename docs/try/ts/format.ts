// Numbers as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** With the sign that is as wide as a digit. */
export const minus = (text: string): string => text.replace("-", "\u2212");

export const count = (value: number): string => whole.format(value);

/** Three digits, or as many as the whole part has. */
export function digits(value: number): string {
  return minus((Math.abs(value) >= 1000 ? whole : three).format(value));
}

export const milliseconds = (value: number): string => (value < 0.1 ? "less than 0.1 ms" : `${digits(value)} ms`);

/** A rate in its unit: millions, thousands or ones a second. */
export function rate(perSecond: number): { value: string; unit: string } {
  if (perSecond >= 1e6) return { value: digits(perSecond / 1e6), unit: "million " };
  if (perSecond >= 1e3) return { value: digits(perSecond / 1e3), unit: "thousand " };
  return { value: digits(perSecond), unit: "" };
}

/** A length in the unit of the scene; metres become kilometres where they are many. */
export function length(value: number, unit: string): string {
  if (unit === "m" && Math.abs(value) >= 10_000) return `${digits(value / 1000)} km`;
  return unit === "" ? digits(value) : `${digits(value)} ${unit}`;
}

/** What the numbers of a legend are. */
export const inUnit = (title: string, unit: string): string => (unit === "" ? title : `${title}, ${unit}`);

/** The last number of a legend whose last colour also stands for greater ones. */
export const orMore = (value: number): string => `\u2265 ${digits(value)}`;

export const percent = (share: number): string => `${digits(100 * share)} %`;

/** The nearest of 1, 2 and 5 times a power of ten that is not below; 1 for 0. */
export function roundStep(least: number): number {
  if (least === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((step) => step * power >= least * 0.999) ?? 10);
}
