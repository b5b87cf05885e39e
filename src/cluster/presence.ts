/**
 * Whether Patchbay was there all the time. Every process writes a heartbeat on the clock; one that finds the newest of all
 * too old was away, or suspended with all others. What follows from that is part of the same transaction, so that one of
 * several processes that wake up at once does it, before anything of a rollout is claimed.
 */
import { ageOf, type Clock, type Instant, later, MINUTE, type Timer, wallNow } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store, StoreTables } from '../store/port/store.ts';

export type Presence = Readonly<ReturnType<typeof createPresence>>;

export type PresenceOptions = {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  /** From this age on nobody expects a change any more. */
  readonly maxAgeMs: number;
  /** Joins the transaction that finds that nothing was alive from `from` until `at`. */
  readonly onAbsence: (
    tables: StoreTables,
    absence: { readonly from: Instant; readonly at: Instant },
  ) => Promise<void>;
};

/** Between two heartbeats, and never more than this part of the longest pause. */
const HEARTBEAT_MS = MINUTE;
const LEAST_HEARTBEATS = 4;

export function createPresence({ store, clock, log, maxAgeMs, onAbsence }: PresenceOptions) {
  const everyMs = Math.min(HEARTBEAT_MS, maxAgeMs / LEAST_HEARTBEATS);
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  /** By {@link Clock.elapsed}. */
  let beatAt: number | null = null;
  /** False: this process may have been away, and the next heartbeat finds out. */
  const isAwake = () => beatAt !== null && clock.elapsed() - beatAt < maxAgeMs;

  const beat = async (): Promise<void> => {
    const [began, beganAt, wasAwake] = [clock.now(), clock.elapsed(), isAwake()];
    const absence = await store.transaction(async (tables) => {
      const { last, now } = await tables.replicas.alive(began, began - wallNow());
      if (last === null || wasAwake || ageOf(last, now) < maxAgeMs) return null;
      const found = { from: last, at: began };
      await onAbsence(tables, found);
      return found;
    });
    beatAt = beganAt;
    if (absence !== null) log.warn({ event: 'presence.away', ...absence }, 'Patchbay was away');
  };

  const tick = (): Promise<void> => {
    running = beat()
      .catch((error: unknown) => {
        log.warn({ event: 'presence.no-beat', err: error }, 'could not record that Patchbay is running');
      })
      .finally(schedule);
    return running;
  };
  const schedule = (): void => {
    if (!isStopped) timer = clock.at(later(clock.now(), everyMs), tick);
  };

  return {
    /** Writes the first heartbeat; throws when the database refuses it. */
    async start(): Promise<void> {
      await beat();
      schedule();
    },
    async stop(): Promise<void> {
      isStopped = true;
      timer?.cancel();
      await running;
    },
    isAwake,
  };
}
