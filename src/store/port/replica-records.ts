/** What replicas share through the store: the types, and the port to it. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type { TokenLimit } from './replica-decisions.ts';

/** How reading the event log goes. */
export type EventLogStatus = { readonly lastReadAt: Instant | null; readonly failures: number };

export type Heartbeat = {
  readonly replica: string;
  /** The most of the budget, in thousandths, that this replica may have used recently. */
  readonly used: number;
  /** Stored when this replica leads. */
  readonly eventLog: EventLogStatus;
  /** Connections with Slack that this replica holds. */
  readonly connections: number;
  /** How far the clock is ahead of wall time, in milliseconds: pauses use the clock. */
  readonly clockOffsetMs: number;
};

export type HeartbeatResult = {
  readonly leads: boolean;
  /** The leader's report. */
  readonly eventLog: EventLogStatus;
  /** The part of the budget that may be used, in thousandths. */
  readonly share: number;
  /** Milliseconds until calls are allowed again; 0 when they are. */
  readonly pausedMs: number;
  /** Connections with Slack that the other live replicas hold. */
  readonly otherConnections: number;
};

export type TokenGrant = { readonly kind: 'taken' } | { readonly kind: 'wait'; readonly ms: number };

/** When a process was alive, and when one was before that. */
export type Presence = { readonly last: Instant | null; readonly now: Instant };

export type ReplicaStore = {
  /** Reports that this process is alive, and takes or keeps the leadership and a part of the request budget. */
  readonly heartbeat: (heartbeat: Heartbeat) => Promise<HeartbeatResult>;
  /**
   * Reports that a process is alive at `now` (clock), and gives when one was last: null, never. On PostgreSQL both are
   * times of the database, moved by the offset, so that clocks of replicas that differ show no absence. Holds the row
   * until the transaction ends.
   */
  readonly alive: (now: Instant, clockOffsetMs: number) => Promise<Presence>;
  /** Gives up the leadership, and the part of the budget as soon as its recent use no longer counts. */
  readonly leave: (replica: string) => Promise<void>;
  /** Takes one from the count that all replicas share; during a pause of the service nobody gets a request. */
  readonly takeToken: (name: string, limit: TokenLimit, clockOffsetMs: number) => Promise<TokenGrant>;
  /** Pauses all calls for `ms`; a longer pause stays. */
  readonly pause: (ms: number, clockOffsetMs: number) => Promise<void>;
  /**
   * Remembers the signature of a request until then (wall time), and forgets older ones. False: it is remembered already,
   * whichever replica had it.
   */
  readonly rememberSignature: (signature: string, now: Instant, until: Instant) => Promise<boolean>;
};
