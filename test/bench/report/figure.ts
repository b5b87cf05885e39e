/** One figure of the bench: ours beside a bare baseline, both measured in the same run. Pure. */

export type Measurement = {
  readonly name: string;
  readonly unit: 'ms' | 'MiB' | 'requests' | 'files' | '/s';
  readonly ours: number;
  readonly baseline: number;
  /** What `baseline` was measured on. */
  readonly against: string;
};
/** Machines differ: the ratio is what can be compared. */
export type Figure = Measurement & { readonly ratio: number };

export function figure(measured: Measurement): Figure {
  return { ...measured, ratio: measured.ours / measured.baseline };
}

export function median(values: readonly number[]): number {
  return quantile(values, 1 / 2);
}

/**
 * For times under a few milliseconds: these cluster around two values, depending on whether the other process had to
 * be woken on another core. The median falls between the two and varies by a quarter from run to run; this quartile
 * varies by a few hundredths (measured: bare Bolt against bare Bolt).
 */
export function lowerQuartile(values: readonly number[]): number {
  return quantile(values, 1 / 4);
}

/** Interpolates between two samples. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) throw new Error('nothing was measured');
  return below + (above - below) * (place - Math.floor(place));
}
