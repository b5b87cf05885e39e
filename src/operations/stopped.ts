/** What was claimed, and is not sent because changes are paused meanwhile, or because it was held up for too long. */
import { ageOf, type Clock } from '../clock.ts';
import type { TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { unsent } from './target.ts';
import { type Due, tooLate } from './too-late.ts';
import { pausedText } from './words.ts';

export type Stopped = {
  /** The target as it ends where a pause began since its claim, or where it is too late by now; null: it may be sent. */
  readonly since: (claimed: TargetRecord) => Promise<TargetRecord | null>;
  /** The same of one that the client withheld at the last moment. */
  readonly withheld: (claimed: TargetRecord) => Promise<TargetRecord>;
};

export type StoppedOptions = {
  readonly store: { readonly pause: Pick<Store['pause'], 'since'> };
  readonly clock: Pick<Clock, 'now'>;
  /** From this age on a change is not sent any more. */
  readonly maxAgeMs: number;
};

/** For claims of one operation, which is `due` since. */
export function createStopped({ store, clock, maxAgeMs }: StoppedOptions, due: Due): Stopped {
  const late = ({ issuedAt }: TargetRecord): string | null => {
    const now = clock.now();
    // By the claim, too: what it is due since may have been written by a clock that ran ahead.
    return tooLate(due, maxAgeMs, now) ?? (ageOf(issuedAt, now) < maxAgeMs ? null : HELD_UP);
  };
  const since: Stopped['since'] = async (claimed) => {
    const why = late(claimed);
    if (why !== null) return unsent(claimed, why, clock.now());
    const pause = await store.pause.since(claimed.issuedAt);
    return pause === null ? null : unsent(claimed, pausedText(pause), clock.now());
  };
  return {
    since,
    withheld: async (claimed) => (await since(claimed)) ?? unsent(claimed, UNREAD, clock.now()),
  };
}

const HELD_UP = 'too late. Patchbay was delayed just before sending it';
const UNREAD = 'Patchbay could not check whether changes are paused';
