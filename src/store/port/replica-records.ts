/** What replicas tell each other through the store, as types, and the port to it. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type { TokenLimit } from './replica-decisions.ts';

/** How the reading of the event log goes. */
export type EventLogStatus = { readonly lastReadAt: Instant | null; readonly failures: number };

export type Heartbeat = {
  readonly replica: string;
  /** The most of the budget, in thousandths, that this one may have used of late. */
  readonly used: number;
  /** Kept where this one leads. */
  readonly eventLog: EventLogStatus;
  /** How far the clock is ahead of wall time: pauses live on the clock. */
  readonly clockOffsetMs: number;
};

export type HeartbeatResult = {
  readonly leads: boolean;
  /** Of the leader. */
  readonly eventLog: EventLogStatus;
  /** What may be used of the budget, in thousandths. */
  readonly share: number;
  /** How long nobody may call; 0 where everybody may. */
  readonly pausedMs: number;
};

export type TokenGrant = { readonly kind: 'taken' } | { readonly kind: 'wait'; readonly ms: number };

export type ReplicaStore = {
  /** Says that this process lives, and takes or keeps the lead and a part of the request budget. */
  readonly heartbeat: (beat: Heartbeat) => Promise<HeartbeatResult>;
  /** Gives up the lead, and the part of the budget as soon as what was used of it no longer counts. */
  readonly leave: (replica: string) => Promise<void>;
  /** One request that all replicas count together; while they are paused nobody takes one. */
  readonly takeToken: (name: string, limit: TokenLimit, clockOffsetMs: number) => Promise<TokenGrant>;
  /** Nobody calls for so long; a longer pause stays. */
  readonly pause: (ms: number, clockOffsetMs: number) => Promise<void>;
};
