/** The product's requests to both services while nothing happens. */
import { MINUTE, SECOND } from '../../src/lib/clock.ts';
import type { JournalEntry } from '../../src/sandbox/contracts/services.ts';
import { type Figure, figure } from './report/figure.ts';
import type { BenchStages } from './stages.ts';

/** Clock time: over forty polls. */
const IDLE_MS = 11 * MINUTE;
/** Half of the interval between polls: requests closer together belong to one poll. */
const LOOK_INTERVAL_MS = 7.5 * SECOND;

export async function idlePolls({ ours }: BenchStages): Promise<readonly Figure[]> {
  // Earlier requests to the product may still be running on the clock.
  await ours.advanceClock(MINUTE);
  const before = ours.journal().length;
  await ours.advanceClock(IDLE_MS);
  return [
    figure({
      name: 'requests per idle poll',
      unit: 'requests',
      ours: requestsPerPoll(ours.journal().slice(before)),
      baseline: 1,
      against: 'the least that can see a new event',
    }),
  ];
}

/** All requests, divided by the number of polls among them. */
export function requestsPerPoll(requests: readonly Pick<JournalEntry, 'at' | 'path'>[]): number {
  const reads = requests.filter(({ path }) => path === '/events').map(({ at }) => at);
  const polls = reads.filter(
    (at, index) => at - (reads[index - 1] ?? Number.NEGATIVE_INFINITY) > LOOK_INTERVAL_MS,
  );
  return requests.length / polls.length;
}
