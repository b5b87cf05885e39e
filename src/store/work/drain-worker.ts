/** How the cards’ worker ends, and how failed work is logged. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Worker, WorkerOptions } from './worker.ts';

/** How long a stop waits (wall time) for the cards of what it let end. */
const DRAIN_CARDS_MS = 2 * SECOND;

/** Cards that are due are shown, as far as that is a matter of moments; the others after the next start. */
export async function drainCards(cardWorker: Worker): Promise<void> {
  const enough = new AbortController();
  await Promise.race([
    cardWorker.settled(),
    sleep(DRAIN_CARDS_MS, undefined, { signal: enough.signal }).catch(() => undefined),
  ]);
  enough.abort();
  await cardWorker.stop();
}

export function logWorkFailure(log: Log): WorkerOptions['onError'] {
  return (error, work) => {
    log.error({ event: 'work.failed', kind: work?.kind, key: work?.key, err: error }, 'work failed');
  };
}
