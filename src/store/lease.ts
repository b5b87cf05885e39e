/** Keeps the lease of claimed work while its handler runs. */
import type { Log } from '../log.ts';
import type { ClaimedWork } from './records.ts';
import type { WorkStore } from './store.ts';

export type LeaseOptions = {
  readonly work: Pick<WorkStore, 'renew'>;
  readonly leaseMs: number;
  readonly log: Log;
};

/** Renews at a third of the lease, so that one failed attempt costs nothing. Returns what stops it. */
export function keepLease({ work, leaseMs, log }: LeaseOptions, claimed: ClaimedWork): () => void {
  const about = { kind: claimed.kind, key: claimed.key };
  const renew = async () => {
    try {
      if (await work.renew(claimed, leaseMs)) return;
      clearInterval(timer);
      log.warn({ event: 'work.lease-lost', ...about }, 'work lease lost');
    } catch (error) {
      log.warn({ event: 'work.lease-not-renewed', ...about, err: error }, 'could not renew the work lease');
    }
  };
  const timer = setInterval(() => void renew(), Math.max(leaseMs / 3, 1));
  timer.unref();
  return () => clearInterval(timer);
}
