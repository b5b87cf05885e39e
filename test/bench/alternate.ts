/** Measuring two things in turns, so that whatever else the machine does meets both alike. */

export type Rounds = {
  readonly rounds: number;
  /** Rounds before the first that counts: caches fill, code is compiled. */
  readonly warmUp: number;
};
export type Samples = { readonly ours: readonly number[]; readonly baseline: readonly number[] };

/** Ours, baseline, ours, baseline, …, never both at once. */
export async function alternate(
  { rounds, warmUp }: Rounds,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Samples> {
  const samples: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair = [await ours(), await baseline()] as const;
    if (round < warmUp) continue;
    samples.ours.push(pair[0]);
    samples.baseline.push(pair[1]);
  }
  return samples;
}
