/** What the bench says of one thing: ours beside a bare baseline, both measured in the same run. Pure. */

export type Measured = {
  readonly name: string;
  readonly unit: 'ms' | 'MiB' | 'requests';
  readonly ours: number;
  readonly baseline: number;
  /** What `baseline` was measured on. */
  readonly against: string;
};
/** Machines differ: the ratio is what can be compared. */
export type Figure = Measured & { readonly ratio: number };

export function figure(measured: Measured): Figure {
  return { ...measured, ratio: measured.ours / measured.baseline };
}

/** The value in the middle; between the two in the middle of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('nothing was measured');
  return (lower + upper) / 2;
}
