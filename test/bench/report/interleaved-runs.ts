/** Measuring several things in turns, so that whatever else the machine does meets all of them alike. */
import type { BenchStages } from '../stages.ts';

export type Rounds = {
  readonly rounds: number;
  /** Rounds before the first that counts: caches fill, code is compiled. */
  readonly warmUp: number;
};
/** Does something once and gives the figure of it. */
export type Sampler = () => Promise<number>;
/** The figures of each take, in the order of the takes. */
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
 * Two processes of one program differ by some hundredths for as long as they live: so many of each are put
 * together (measured: bare Bolt against bare Bolt).
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
