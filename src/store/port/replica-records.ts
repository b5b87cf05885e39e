/**
 * What replicas share through the store: the types, the port to it, and the decisions of a heartbeat (the leader, each
 * replica's part of the request budget, when a token is free), which are pure.
 */
import type { Instant } from '../../lib/clock.ts';

export type EventLogStatus = { readonly lastReadAt: Instant | null; readonly failures: number };

export type Heartbeat = {
  readonly replica: string;
  /** The most of the budget, in thousandths, that this replica may have used recently. */
  readonly used: number;
  /** Stored when this replica leads. */
  readonly eventLog: EventLogStatus;
  readonly connections: number;
  /** The digest of the configuration file in force. */
  readonly configuration: string;
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
  readonly otherConnections: number;
  /** Another replica has another file in force. */
  readonly configurationDiffers: boolean;
};

type TokenGrant = { readonly kind: 'taken' } | { readonly kind: 'wait'; readonly ms: number };

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
  /** Until then (wall time); forgets older ones. False: it is remembered already, by whichever replica. */
  readonly rememberSignature: (signature: string, now: Instant, until: Instant) => Promise<boolean>;
};

/** How long a silent leader stays the leader. Renewed at a third of it. */
export const LEADER_LEASE_MS = 6_000;
/** How long a silent replica keeps its part of the budget. */
export const SHARE_LEASE_MS = 15_000;
/** Recent use still counts for this long: longer than the window of any limit that is divided into shares. */
export const SHARE_HOLD_MS = 5_000;
/** Shares of a budget are counted in thousandths. */
export const BUDGET_UNITS = 1_000;

export type Leadership = { readonly holder: string | null; readonly token: number; readonly until: number };

/** The leadership after a heartbeat of `id` at `now`: kept, taken over when it has expired, or another replica's. */
export function nextLeadership(lead: Leadership, id: string, now: number): Leadership {
  const isOver = lead.holder === null || lead.until <= now;
  if (lead.holder !== id && !isOver) return lead;
  return { holder: id, token: isOver ? lead.token + 1 : lead.token, until: now + LEADER_LEASE_MS };
}

/** A replica's part of the budget. It counts as used until {@link SHARE_HOLD_MS} after `until`. */
export type ReplicaShare = { readonly id: string; readonly claim: number; readonly until: number };

type BudgetShare = {
  /** The part that counts as ours from now on. */
  readonly claim: number;
  /** The part that we may use. */
  readonly share: number;
};

/**
 * Our part among `others`, where `used` is the most that we may have used in the last {@link SHARE_HOLD_MS}. A
 * lowered share is used less at once, but claimed until the hold is over; a raised share only takes what nobody
 * claims. So all claims together never exceed the whole, and nobody uses more than its claim. Room for one more
 * replica is left, so that one that starts, or restarts after a crash, need not wait for the others.
 */
export function nextBudgetShare(others: readonly ReplicaShare[], used: number, now: number): BudgetShare {
  const living = others.filter(({ until }) => until > now).length + 1;
  const fair = Math.floor(BUDGET_UNITS / (living + 1));
  const claimed = others
    .filter(({ until }) => until + SHARE_HOLD_MS > now)
    .reduce((sum, { claim }) => sum + claim, 0);
  const free = Math.max(BUDGET_UNITS - claimed, 0);
  // Takes half of the free part at a time, so that the next replica finds some too.
  const claim = Math.max(used, Math.min(fair, used + Math.ceil((free - used) / 2)));
  return { claim, share: Math.min(fair, claim) };
}

type TokenLimit = {
  readonly capacity: number;
  readonly windowMs: number;
  /** How many tokens are left for others. */
  readonly reserve: number;
  /** Not for calls to the service: taken also while those are paused. */
  readonly ignoresPause?: true;
};
type TokenResult =
  | { readonly kind: 'taken'; readonly taken: readonly number[] }
  | { readonly kind: 'wait'; readonly ms: number };

/** Takes one more token at `now`, in addition to `taken` (in any order). */
export function takeTokenAt(
  taken: readonly number[],
  { capacity, windowMs, reserve }: TokenLimit,
  now: number,
): TokenResult {
  // A token from the future was taken by a clock that was set back since: it counts for one window at most.
  const out = taken
    .map((at) => Math.min(at, now))
    .filter((at) => at + windowMs > now)
    .toSorted((a, b) => a - b);
  const over = out.length + 1 + reserve - capacity;
  if (over <= 0) return { kind: 'taken', taken: [...out, now] };
  const back = out[over - 1];
  return { kind: 'wait', ms: back === undefined ? windowMs : back + windowMs - now };
}
