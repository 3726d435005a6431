/** The number that such a share of the finite numbers does not exceed; 0 if there are none. */
export function quantile(numbers: Float32Array, share: number): number {
  const sorted = numbers.filter(Number.isFinite).sort();
  return sorted[Math.round(share * (sorted.length - 1))] ?? 0;
}
