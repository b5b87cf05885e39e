/**
 * The replicas of one database: a heartbeat each, one leader, and a shared request budget. Uses wall time, which does
 * not move with the clock. A SQLite file belongs to one process, which always leads and has the whole budget.
 */

import { randomUUID } from 'node:crypto';
import type { RequestBudget } from '../fleet/limits/rate-limits.ts';
import {
  ageOf,
  type Clock,
  type Instant,
  later,
  MINUTE,
  monotonicNow,
  type Timer,
  wallNow,
} from '../lib/clock.ts';
import { oneAtATime } from '../lib/lists.ts';
import type { Log } from '../lib/log.ts';
import type { EventLogStatus, HeartbeatResult, ReplicaStore } from '../store/port/replica-records.ts';
import {
  BUDGET_UNITS,
  LEADER_LEASE_MS,
  SHARE_HOLD_MS,
  SHARE_LEASE_MS,
} from '../store/port/replica-records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';

export type Cluster = {
  /** Sends the first heartbeat; throws when the database refuses it. */
  readonly start: () => Promise<void>;
  /** Gives up the leadership, so that another replica can take over at once. */
  readonly stop: () => Promise<void>;
  readonly leads: () => boolean;
  /** Called whenever this process becomes the leader. */
  readonly onLead: (take: () => void) => void;
  /** Called after each heartbeat, to read what other replicas wrote. */
  readonly onHeartbeat: (listener: () => void) => void;
  /** How the leader's reading of the event log goes: its own report, up to one heartbeat old. */
  readonly eventLogStatus: () => EventLogStatus;
  /** Connections with Slack that other replicas hold, as of the last heartbeat. */
  readonly otherConnections: () => number;
  /** Whether another replica has another configuration file in force, as of the last heartbeat. */
  readonly configurationDiffers: () => boolean;
  /** Null: this process has the whole budget. */
  readonly budget: RequestBudget | null;
};

type ClusterOptions = {
  readonly store: ReplicaStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly ownEventLogStatus: () => EventLogStatus;
  readonly ownConnections?: () => number;
  /** The digest of the configuration file in force. */
  readonly ownConfiguration?: () => string;
  /** Wall time between two heartbeats. */
  readonly everyMs?: number;
};

const HEARTBEAT_MS = LEADER_LEASE_MS / 3;

export const NEVER_READ: EventLogStatus = { lastReadAt: null, failures: 0 };

/** For the only process of its database. */
export const singleProcess: Cluster = {
  start: async () => undefined,
  stop: async () => undefined,
  leads: () => true,
  onLead: () => undefined,
  onHeartbeat: () => undefined,
  eventLogStatus: () => NEVER_READ,
  otherConnections: () => 0,
  configurationDiffers: () => false,
  budget: null,
};

/** A replica's membership in its cluster; it begins with `start`. */
export function createCluster({
  store,
  clock,
  log,
  ownEventLogStatus,
  ownConnections = () => 0,
  ownConfiguration = () => '',
  everyMs = HEARTBEAT_MS,
}: ClusterOptions): Cluster {
  const replica = randomUUID();
  const listeners: { readonly lead: (() => void)[]; readonly heartbeat: (() => void)[] } = {
    lead: [],
    heartbeat: [],
  };
  const clockOffsetMs = () => clock.now() - wallNow();
  const budget = createReplicaBudget({ store, log, clockOffsetMs });
  let eventLogStatus = NEVER_READ;
  let otherConnections = 0;
  let configurationDiffers = false;
  let leadsUntil = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const leads = (): boolean => monotonicNow() < leadsUntil;

  const heartbeat = async (): Promise<void> => {
    // Taken before the request: the database counts from a later time, so our own belief expires first.
    const began = monotonicNow();
    const result: HeartbeatResult = await store.heartbeat({
      replica,
      used: budget.used(),
      eventLog: ownEventLogStatus(),
      connections: ownConnections(),
      configuration: ownConfiguration(),
      clockOffsetMs: clockOffsetMs(),
    });
    const led = leads();
    leadsUntil = result.leads ? began + LEADER_LEASE_MS : Number.NEGATIVE_INFINITY;
    eventLogStatus = result.eventLog;
    otherConnections = result.otherConnections;
    configurationDiffers = result.configurationDiffers;
    budget.set(result, began);
    if (led !== leads()) log.info({ event: 'cluster.lead', leads: leads() }, 'leadership changed');
    if (!led && leads()) for (const take of listeners.lead) take();
    for (const listener of listeners.heartbeat) listener();
  };
  const tick = oneAtATime(() =>
    heartbeat().catch((error: unknown) => {
      log.warn({ event: 'cluster.no-beat', err: error }, 'heartbeat failed');
    }),
  );

  return {
    async start() {
      await heartbeat();
      timer = setInterval(() => void tick(), everyMs);
    },
    async stop() {
      clearInterval(timer);
      await tick.running();
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
    onHeartbeat: (listener) => listeners.heartbeat.push(listener),
    eventLogStatus: () => eventLogStatus,
    otherConnections: () => otherConnections,
    configurationDiffers: () => configurationDiffers,
    budget: budget.port,
  };
}

type ReplicaBudgetOptions = {
  readonly store: Pick<ReplicaStore, 'takeToken' | 'pause'>;
  readonly log: Log;
  readonly clockOffsetMs: () => number;
};

const DEVICE_LIST_BUDGET = 'lists';
/** A slower grant is not used: the budget's window is longer by this time, in which a request may leave. */
const GRANT_VALID_MS = 3_000;
/** Wait before asking a database again that did not answer. */
const RETRY_MS = 2_000;

type ShareSpan = { readonly share: number; until: number };

/** The budget of one replica; without a heartbeat its share is 0. */
function createReplicaBudget({ store, log, clockOffsetMs }: ReplicaBudgetOptions) {
  /** Shares that were allowed, newest last; each was valid until `until`. */
  let spans: ShareSpan[] = [];
  let pause: (ms: number) => void = () => undefined;

  const current = (): ShareSpan | undefined => {
    const last = spans.at(-1);
    return last !== undefined && monotonicNow() < last.until ? last : undefined;
  };

  const takeList: RequestBudget['takeList'] = async ({ capacity, windowMs, lane }) => {
    const reserve = lane === 'person' ? 0 : Math.floor(capacity / 3);
    const limit = { capacity, windowMs: windowMs + GRANT_VALID_MS, reserve };
    for (;;) {
      const requestedAt = monotonicNow();
      try {
        const grant = await store.takeToken(DEVICE_LIST_BUDGET, limit, clockOffsetMs());
        if (grant.kind === 'wait') return grant.ms;
        if (monotonicNow() - requestedAt <= GRANT_VALID_MS) return null;
      } catch (error) {
        log.warn({ event: 'cluster.no-budget', err: error }, 'could not read the shared request budget');
        return RETRY_MS;
      }
    }
  };

  const port: RequestBudget = {
    share: () => (current()?.share ?? 0) / BUDGET_UNITS,
    takeList,
    pauseEverybody(ms) {
      store.pause(ms, clockOffsetMs()).catch((error: unknown) => {
        log.warn(
          { event: 'cluster.no-pause', err: error },
          'could not share a rate limit with other replicas',
        );
      });
    },
    onPause(listener) {
      pause = listener;
    },
  };
  return {
    port,
    /** The most that may have been used recently, in thousandths. */
    used(): number {
      const since = monotonicNow() - SHARE_HOLD_MS;
      return spans.filter(({ until }) => until > since).reduce((most, { share }) => Math.max(most, share), 0);
    },
    /** Applies the result of a heartbeat that was sent at `began` (monotonic). */
    set({ share, pausedMs }: Pick<HeartbeatResult, 'share' | 'pausedMs'>, began: number): void {
      const last = current();
      const now = monotonicNow();
      if (last !== undefined && last.share === share) last.until = began + SHARE_LEASE_MS;
      else {
        if (last !== undefined) last.until = now;
        spans = [
          ...spans.filter(({ until }) => until > now - SHARE_HOLD_MS),
          { share, until: began + SHARE_LEASE_MS },
        ];
      }
      if (pausedMs > 0) pause(pausedMs);
    },
  };
}

export type Presence = Readonly<ReturnType<typeof createPresence>>;

type PresenceOptions = {
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
const ALIVE_EVERY_MS = MINUTE;
const LEAST_HEARTBEATS = 4;

/**
 * Whether Patchbay was there all the time. Every process writes a heartbeat on the clock; one that finds the newest of all
 * too old was away, or suspended with all others. What follows from that is part of the same transaction, so that one of
 * several processes that wake up at once does it, before anything of a rollout is claimed.
 */
export function createPresence({ store, clock, log, maxAgeMs, onAbsence }: PresenceOptions) {
  const everyMs = Math.min(ALIVE_EVERY_MS, maxAgeMs / LEAST_HEARTBEATS);
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
