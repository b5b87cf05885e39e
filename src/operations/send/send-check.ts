/** The last check before sending: a claim ends unsent while changes are paused, or when it waited too long. */

import type { FleetError } from '../../fleet/fleet.ts';
import { ageOf, type Clock, type Instant } from '../../lib/clock.ts';
import { durationText } from '../../lib/text.ts';
import type { TargetRecord } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { targetNotSent } from '../claim/target.ts';
import { errorText, pausedText, timePlaceholder } from '../evidence-text.ts';

export type SendCheck = {
  /** The target as it ends where a pause began since its claim, or where it is too late by now; null: it may be sent. */
  readonly unsentTarget: (claimed: TargetRecord) => Promise<TargetRecord | null>;
  /** The same of one that the client withheld at the last moment. */
  readonly withheldTarget: (claimed: TargetRecord) => Promise<TargetRecord>;
};

export type SendCheckOptions = {
  readonly store: { readonly pause: Pick<Store['pause'], 'currentOrEndedSince'> };
  readonly clock: Pick<Clock, 'now'>;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
};

/** For claims of one operation, which is `due` since. */
export function createSendCheck({ store, clock, maxAgeMs }: SendCheckOptions, due: DueSince): SendCheck {
  const lateReason = ({ issuedAt }: TargetRecord): string | null => {
    const now = clock.now();
    // By the claim, too: what it is due since may have been written by a clock that ran ahead.
    return tooLateReason(due, maxAgeMs, now) ?? (ageOf(issuedAt, now) < maxAgeMs ? null : HELD_UP_TEXT);
  };
  const unsentTarget: SendCheck['unsentTarget'] = async (claimed) => {
    const why = lateReason(claimed);
    if (why !== null) return targetNotSent(claimed, why, clock.now());
    const pause = await store.pause.currentOrEndedSince(claimed.issuedAt);
    return pause === null ? null : targetNotSent(claimed, pausedText(pause), clock.now());
  };
  return {
    unsentTarget,
    withheldTarget: async (claimed) =>
      (await unsentTarget(claimed)) ?? targetNotSent(claimed, PAUSE_UNREAD_TEXT, clock.now()),
  };
}

const HELD_UP_TEXT = 'too late. Patchbay was delayed just before sending it';
const PAUSE_UNREAD_TEXT = 'Patchbay could not check whether changes are paused';

/** Since when a change is due: when it was requested or, where somebody had to agree, approved. */
export type DueSince = { readonly since: Instant; readonly how: 'requested' | 'approved' };

/** Why the change is not sent any more, as the end of a sentence; null while it still may be. */
export function tooLateReason({ since, how }: DueSince, maxAgeMs: number, now: Instant): string | null {
  if (ageOf(since, now) < maxAgeMs) return null;
  return `too late. It was ${how} ${timePlaceholder(since)}. Changes older than ${durationText(maxAgeMs)} are not sent`;
}

/** The same where the service could not be read before sending. */
export function unreadUntilTooLateText(error: FleetError): string {
  return `too late. It could not be checked in time, because ${errorText(error)}`;
}
