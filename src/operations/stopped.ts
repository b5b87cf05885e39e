/** What was claimed, and is not sent because changes are paused meanwhile. */
import type { Clock } from '../clock.ts';
import type { TargetRecord } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { unsent } from './target.ts';
import { pausedText } from './words.ts';

export type Stopped = {
  /** The target as it ends where a pause began since its claim; null where none did: then it may be sent. */
  readonly since: (claimed: TargetRecord) => Promise<TargetRecord | null>;
  /** The same of one that the client withheld at the last moment. */
  readonly withheld: (claimed: TargetRecord) => Promise<TargetRecord>;
};

export type StoppedOptions = {
  readonly store: { readonly pause: Pick<Store['pause'], 'since'> };
  readonly clock: Pick<Clock, 'now'>;
};

export function createStopped({ store, clock }: StoppedOptions): Stopped {
  const since: Stopped['since'] = async (claimed) => {
    const pause = await store.pause.since(claimed.issuedAt);
    return pause === null ? null : unsent(claimed, pausedText(pause), clock.now());
  };
  return {
    since,
    withheld: async (claimed) => (await since(claimed)) ?? unsent(claimed, UNREAD, clock.now()),
  };
}

const UNREAD = 'whether changes are paused could not be read at that moment';
