/** What a heartbeat decides, pure: who leads, which part of the request budget is whose, and when a token is free. */

/** How long a leader that says nothing stays the leader. Renewed at a third. */
export const LEADER_LEASE_MS = 6_000;
/** How long a replica that says nothing keeps its part of the budget. */
export const SHARE_LEASE_MS = 15_000;
/** What was used shortly before counts as used: longer than the window of any limit that is kept by shares. */
export const SHARE_HOLD_MS = 5_000;
/** Parts of a budget are counted in thousandths. */
export const BUDGET_UNITS = 1_000;

export type Leadership = { readonly holder: string | null; readonly token: number; readonly until: number };

/** The lead as it is after `id` spoke at `now`: kept, taken over where it ran out, or somebody else's. */
export function nextLeadership(lead: Leadership, id: string, now: number): Leadership {
  const isOver = lead.holder === null || lead.until <= now;
  if (lead.holder !== id && !isOver) return lead;
  return { holder: id, token: isOver ? lead.token + 1 : lead.token, until: now + LEADER_LEASE_MS };
}

/** A replica's part. It counts as used until {@link SHARE_HOLD_MS} after `until`. */
export type ReplicaShare = { readonly id: string; readonly claim: number; readonly until: number };

export type BudgetShare = {
  /** What counts as ours from now on. */
  readonly claim: number;
  /** What we may use. */
  readonly share: number;
};

/**
 * Our part among `others`, where `used` is the most that we may have used in the last {@link SHARE_HOLD_MS}. A lowered share
 * is used less at once, but claimed until the hold is over; a raised one only takes what nobody claims. So the claims
 * never come to more than the whole, and nobody ever uses more than its claim. Room for one more is left, so that a
 * replica that starts, or starts again after a crash, need not wait for the others.
 */
export function nextBudgetShare(others: readonly ReplicaShare[], used: number, now: number): BudgetShare {
  const living = others.filter(({ until }) => until > now).length + 1;
  const fair = Math.floor(BUDGET_UNITS / (living + 1));
  const claimed = others
    .filter(({ until }) => until + SHARE_HOLD_MS > now)
    .reduce((sum, { claim }) => sum + claim, 0);
  const free = Math.max(BUDGET_UNITS - claimed, 0);
  // Half of what is free at a time: whoever comes next finds some too.
  const claim = Math.max(used, Math.min(fair, used + Math.ceil((free - used) / 2)));
  return { claim, share: Math.min(fair, claim) };
}

export type TokenLimit = {
  readonly capacity: number;
  readonly windowMs: number;
  /** So many are left for others. */
  readonly reserve: number;
};
export type TokenResult =
  | { readonly kind: 'taken'; readonly taken: readonly number[] }
  | { readonly kind: 'wait'; readonly ms: number };

/** One more token at `now`, beside those that were taken within the window, in whatever order. */
export function takeTokenAt(
  taken: readonly number[],
  { capacity, windowMs, reserve }: TokenLimit,
  now: number,
): TokenResult {
  // One of the future was taken by a clock that was moved back since: it counts for a window at the most.
  const out = taken
    .map((at) => Math.min(at, now))
    .filter((at) => at + windowMs > now)
    .toSorted((a, b) => a - b);
  const over = out.length + 1 + reserve - capacity;
  if (over <= 0) return { kind: 'taken', taken: [...out, now] };
  const back = out[over - 1];
  return { kind: 'wait', ms: back === undefined ? windowMs : back + windowMs - now };
}
