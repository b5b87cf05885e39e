/** The last look at claims before their call: whether they still are ours, and whether they may still be sent. */
import { ageOf, type Clock, type Instant, monotonicNow, wallNow } from '../../lib/clock.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import { hasExpired, type Rollout } from '../../rollout/progress.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { WORK_LEASE_MS } from '../../store/port/work-records.ts';
import { pausedBy } from '../decide/pause-switch.ts';
import type { DueSince } from '../target-transitions.ts';

export type SendDecision =
  /** Without those that another process took over. */
  | { readonly kind: 'send'; readonly claims: readonly RequestTarget[] }
  /** They end: a pause began since the claim, or it is too late by now. */
  | { readonly kind: 'end'; readonly why: Evidence }
  /** Not now: their claims are given back, and may be claimed again. */
  | { readonly kind: 'give-back'; readonly why: Evidence };

export type SendCheckOptions = {
  readonly store: {
    readonly pause: Pick<Store['pause'], 'currentOrEndedSince'>;
    readonly targets: Pick<Store['targets'], 'stillClaimed'>;
  };
  readonly clock: Pick<Clock, 'now'>;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
  readonly log?: Log | undefined;
};

/** For claims of one request, which is `due` since, or of a rollout. */
export function createSendCheck(
  options: SendCheckOptions,
  due: DueSince | null,
  rollout: Rollout | null = null,
) {
  const { store, clock, maxAgeMs, log = silentLog } = options;
  const lateReason = (issuedAt: Instant): Evidence | null => {
    const now = clock.now();
    const late = tooLate(due, maxAgeMs, now);
    if (rollout !== null && hasExpired(rollout, now)) return { kind: 'delayed' };
    // By the claim, too: what it is due since may have been written by a clock that ran ahead.
    return late ?? (ageOf(issuedAt, now) < maxAgeMs ? null : { kind: 'delayed' });
  };
  // Of one call, whose claims have one time. Never throws.
  return async (claims: readonly RequestTarget[], age: ClaimAge): Promise<SendDecision> => {
    const [first] = claims;
    if (first === undefined) return { kind: 'send', claims };
    const late = lateReason(first.issuedAt);
    if (late !== null) return { kind: 'end', why: late };
    try {
      const pause = await store.pause.currentOrEndedSince(first.issuedAt);
      if (pause !== null) return { kind: 'end', why: pausedBy(pause) };
      const ours = await store.targets.stillClaimed(claims);
      return age.isSafe() ? { kind: 'send', claims: ours } : { kind: 'give-back', why: HELD_UP };
    } catch (error) {
      // Nothing was called yet, and whoever records that tries for longer.
      log.warn({ event: 'operation.unchecked', err: error }, 'could not check whether changes are paused');
      return { kind: 'give-back', why: { kind: 'pause-unread' } };
    }
  };
}

export type ClaimAge = Readonly<ReturnType<typeof startClaimAge>>;

/** Its work was leased when it began, and the lease is renewed at a third of its time. */
const SAFE_AGE_MS = WORK_LEASE_MS / 2;

/**
 * Begins before the claim is written, so that a stop inside its transaction counts, too. The time of day counts beside
 * the time that nobody sets, because that one stands still while the machine sleeps.
 */
export function startClaimAge(monotonic: () => number = monotonicNow, wall: () => number = wallNow) {
  const begun = { monotonic: monotonic(), wall: wall() };
  return {
    /** Whether no other process can have taken the claim over, and begun to look for what it sent. */
    isSafe: (): boolean => Math.max(monotonic() - begun.monotonic, wall() - begun.wall) <= SAFE_AGE_MS,
  };
}

/** The process was suspended, or its database or the service was slow. */
const HELD_UP: Evidence = {
  kind: 'unsent',
  error: { kind: 'timeout', status: null, detail: '', held: { kind: 'delayed' } },
};

/** Why a change is not sent any more; null while it still may be. Pure. */
export function tooLate(due: DueSince | null, maxAgeMs: number, now: Instant): Evidence | null {
  if (due === null) return null;
  const { since, how } = due;
  return ageOf(since, now) < maxAgeMs ? null : { kind: 'too-late', since, how, maxAgeMs };
}
