/** Stops the worker for cards, and logs failed work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Worker, WorkerOptions } from './worker.ts';

/** How long a shutdown waits (wall time) for the cards of work that just finished. */
const DRAIN_CARDS_MS = 2 * SECOND;

/** Shows the cards that are due, as far as that takes only moments; the others follow after the next start. */
export async function drainCards(cardWorker: Worker): Promise<void> {
  const enough = new AbortController();
  await Promise.race([
    cardWorker.settled(),
    sleep(DRAIN_CARDS_MS, undefined, { signal: enough.signal }).catch(() => undefined),
  ]);
  enough.abort();
  await cardWorker.stop();
}

/** Logs failed work with its kind and key. */
export function logWorkFailure(log: Log): WorkerOptions['onError'] {
  return (error, work) => {
    log.error({ event: 'work.failed', kind: work?.kind, key: work?.key, err: error }, 'work failed');
  };
}
