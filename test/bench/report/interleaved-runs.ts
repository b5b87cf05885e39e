/** Measures several things in turns, so that other load on the machine affects all of them alike. */
import type { BenchStages } from '../stages.ts';

export type Rounds = {
  readonly rounds: number;
  /** Rounds before the first that counts: caches fill, code is compiled. */
  readonly warmUp: number;
};
/** Does something once and returns its figure. */
export type Sampler = () => Promise<number>;
/** The figures of each sampler, in the samplers' order. */
export type Samples = readonly (readonly number[])[];

/** A, B, A, B, …, never both at once. */
export async function runInterleaved(
  { rounds, warmUp }: Rounds,
  takes: readonly Sampler[],
): Promise<Samples> {
  const samples = takes.map((take): { take: Sampler; figures: number[] } => ({ take, figures: [] }));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const { take, figures } of samples) figures.push(await take());
  }
  return samples.map(({ figures }) => figures.slice(warmUp));
}

/**
 * Two processes of the same program differ by a few hundredths for as long as they live, so this many of each are
 * combined (measured: bare Bolt against bare Bolt).
 */
const PROCESS_RUNS = 4;

/** The same with new processes after each part of the rounds. */
export async function runInterleavedProcesses(
  { ours, bare }: BenchStages,
  rounds: Rounds,
  takes: readonly Sampler[],
): Promise<Samples> {
  const lives: Samples[] = [];
  while (lives.length < PROCESS_RUNS) {
    await ours.restart();
    await bare.restart();
    lives.push(await runInterleaved(rounds, takes));
  }
  return takes.map((_, index) => lives.flatMap((life) => life[index] ?? []));
}
