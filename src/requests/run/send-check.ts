/** What was claimed, and is not sent because changes are paused meanwhile, or because it was held up for too long. */

import { ageOf, type Clock, type Instant } from '../../lib/clock.ts';
import type { Evidence } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { type DueSince, notSent } from '../target.ts';

export type SendCheck = {
  /** The target as it ends where a pause began since its claim, or where it is too late by now; null: it may be sent. */
  readonly unsentTarget: (claimed: RequestTarget) => Promise<RequestTarget | null>;
  /** The same of one that the client withheld at the last moment. */
  readonly withheldTarget: (claimed: RequestTarget) => Promise<RequestTarget>;
};

export type SendCheckOptions = {
  readonly store: { readonly pause: Pick<Store['pause'], 'currentOrEndedSince'> };
  readonly clock: Pick<Clock, 'now'>;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
};

/** For claims of one request, which is `due` since. */
export function createSendCheck({ store, clock, maxAgeMs }: SendCheckOptions, due: DueSince): SendCheck {
  const lateReason = ({ issuedAt }: RequestTarget): Evidence | null => {
    const now = clock.now();
    const late = tooLate(due, maxAgeMs, now);
    // By the claim, too: what it is due since may have been written by a clock that ran ahead.
    return late ?? (ageOf(issuedAt, now) < maxAgeMs ? null : { kind: 'delayed' });
  };
  const unsentTarget: SendCheck['unsentTarget'] = async (claimed) => {
    const late = lateReason(claimed);
    if (late !== null) return notSent(claimed, late, clock.now());
    const pause = await store.pause.currentOrEndedSince(claimed.issuedAt);
    if (pause === null) return null;
    const { since, endedAt, reason } = pause;
    return notSent(claimed, { kind: 'paused', since, endedAt, reason }, clock.now());
  };
  return {
    unsentTarget,
    withheldTarget: async (claimed) =>
      (await unsentTarget(claimed)) ?? notSent(claimed, { kind: 'pause-unread' }, clock.now()),
  };
}

/** Why a change is not sent any more; null while it still may be. Pure. */
export function tooLate({ since, how }: DueSince, maxAgeMs: number, now: Instant): Evidence | null {
  return ageOf(since, now) < maxAgeMs ? null : { kind: 'too-late', since, how, maxAgeMs };
}
