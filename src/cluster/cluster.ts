/**
 * The replicas of one database: a heartbeat each, one leader among them, and the request budget that they share. On
 * wall time, which no clock moves. A SQLite file is one process's: it always leads and has all of the budget.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, monotonicNow, wallNow } from '../clock.ts';
import type { RequestBudget } from '../fleet/budget.ts';
import type { Log } from '../log.ts';
import { LEAD_MS } from '../store/replica-decisions.ts';
import type { Beaten, Reading, ReplicaStore } from '../store/replica-records.ts';
import { createBudget } from './budget.ts';

export type Cluster = {
  /** The first heartbeat; throws where the database does not take it. */
  readonly start: () => Promise<void>;
  /** Lets another replica lead at once. */
  readonly stop: () => Promise<void>;
  /** Whether this process certainly leads now. */
  readonly leads: () => boolean;
  /** Called whenever this process becomes the leader. */
  readonly onLead: (take: () => void) => void;
  /** Called after each heartbeat: time to look at what the others wrote. */
  readonly onBeat: (look: () => void) => void;
  /** How the leader's reading of the event log goes; its own report, a heartbeat old. */
  readonly reading: () => Reading;
  /** Null: all of it is this process's. */
  readonly budget: RequestBudget | null;
};

export type ClusterOptions = {
  readonly store: ReplicaStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How this process's own reading of the event log goes. */
  readonly ownReading: () => Reading;
  /** Wall time between two heartbeats. */
  readonly everyMs?: number;
};

const BEAT_MS = LEAD_MS / 3;

export const NOT_READ: Reading = { lastReadAt: null, failures: 0 };

/** The only process of its database. */
export const alone: Cluster = {
  start: async () => undefined,
  stop: async () => undefined,
  leads: () => true,
  onLead: () => undefined,
  onBeat: () => undefined,
  reading: () => NOT_READ,
  budget: null,
};

export function createCluster({ store, clock, log, ownReading, everyMs = BEAT_MS }: ClusterOptions): Cluster {
  const replica = randomUUID();
  const listeners: { readonly lead: (() => void)[]; readonly beat: (() => void)[] } = { lead: [], beat: [] };
  const clockOffsetMs = () => clock.now() - wallNow();
  const budget = createBudget({ store, log, clockOffsetMs });
  let reading = NOT_READ;
  let leadsUntil = Number.NEGATIVE_INFINITY;
  let beating: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const leads = (): boolean => monotonicNow() < leadsUntil;

  const beat = async (): Promise<void> => {
    // From before the question: the database counts from later on, so what we believe ends first.
    const began = monotonicNow();
    const beaten: Beaten = await store.beat({
      replica,
      used: budget.used(),
      reading: ownReading(),
      clockOffsetMs: clockOffsetMs(),
    });
    const led = leads();
    leadsUntil = beaten.leads ? began + LEAD_MS : Number.NEGATIVE_INFINITY;
    reading = beaten.reading;
    budget.set(beaten, began);
    if (led !== leads()) log.info({ event: 'cluster.lead', leads: leads() }, 'leadership changed');
    if (!led && leads()) for (const take of listeners.lead) take();
    for (const look of listeners.beat) look();
  };
  const tick = (): void => {
    beating ??= beat()
      .catch((error: unknown) => {
        log.warn({ event: 'cluster.no-beat', err: error }, 'heartbeat failed');
      })
      .finally(() => {
        beating = null;
      });
  };

  return {
    async start() {
      await beat();
      timer = setInterval(tick, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await beating;
      leadsUntil = Number.NEGATIVE_INFINITY;
      try {
        await store.leave(replica);
      } catch (error) {
        log.warn(
          { event: 'cluster.not-left', err: error },
          'could not release leadership: it expires in seconds',
        );
      }
    },
    leads,
    onLead: (take) => listeners.lead.push(take),
    onBeat: (look) => listeners.beat.push(look),
    reading: () => reading,
    budget: budget.port,
  };
}
