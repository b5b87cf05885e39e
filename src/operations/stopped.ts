/** What was claimed, and is not sent because changes are paused meanwhile, or because it was held up for too long. */
import { ageOf, type Clock, MINUTE } from '../clock.ts';
import type { TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { unsent } from './target.ts';
import { pausedText } from './words.ts';

export type Stopped = {
  /** The target as it ends where a pause began since its claim, or that is too long ago; null: it may be sent. */
  readonly since: (claimed: TargetRecord) => Promise<TargetRecord | null>;
  /** The same of one that the client withheld at the last moment. */
  readonly withheld: (claimed: TargetRecord) => Promise<TargetRecord>;
};

export type StoppedOptions = {
  readonly store: { readonly pause: Pick<Store['pause'], 'since'> };
  readonly clock: Pick<Clock, 'now'>;
  /** From this age on a claim is not sent any more: its process was stopped in between, or its machine slept. */
  readonly maxAgeMs?: number;
};

/** The default of the configuration file (`changes.maxAge`). */
const MAX_AGE_MS = 15 * MINUTE;

export function createStopped({ store, clock, maxAgeMs = MAX_AGE_MS }: StoppedOptions): Stopped {
  const since: Stopped['since'] = async (claimed) => {
    if (ageOf(claimed.issuedAt, clock.now()) >= maxAgeMs) return unsent(claimed, HELD_UP, clock.now());
    const pause = await store.pause.since(claimed.issuedAt);
    return pause === null ? null : unsent(claimed, pausedText(pause), clock.now());
  };
  return {
    since,
    withheld: async (claimed) => (await since(claimed)) ?? unsent(claimed, UNREAD, clock.now()),
  };
}

const HELD_UP = 'too late. Patchbay itself was held up right before it sent this';
const UNREAD = 'whether changes are paused could not be read at that moment';
