/** Measuring several things in turns, so that whatever else the machine does meets all of them alike. */
import type { Stages } from './stages.ts';

export type Rounds = {
  readonly rounds: number;
  /** Rounds before the first that counts: caches fill, code is compiled. */
  readonly warmUp: number;
};
/** Does something once and gives the figure of it. */
export type Take = () => Promise<number>;
/** The figures of each take, in the order of the takes. */
export type Samples = readonly (readonly number[])[];

/** A, B, A, B, …, never both at once. */
export async function takeTurns({ rounds, warmUp }: Rounds, takes: readonly Take[]): Promise<Samples> {
  const samples = takes.map((take): { take: Take; figures: number[] } => ({ take, figures: [] }));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const { take, figures } of samples) figures.push(await take());
  }
  return samples.map(({ figures }) => figures.slice(warmUp));
}

/**
 * Two processes of one program differ by some hundredths for as long as they live: so many of each are put
 * together (measured: bare Bolt against bare Bolt).
 */
const LIVES = 4;

/** The same with new processes after each part of the rounds. */
export async function takeTurnsInLives(
  { ours, bare }: Stages,
  rounds: Rounds,
  takes: readonly Take[],
): Promise<Samples> {
  const lives: Samples[] = [];
  while (lives.length < LIVES) {
    await ours.restart();
    await bare.restart();
    lives.push(await takeTurns(rounds, takes));
  }
  return takes.map((_, index) => lives.flatMap((life) => life[index] ?? []));
}
