/** Resolves posts with an unknown outcome: records the message that was found and removes duplicates. */
import { SECOND } from '../../lib/clock.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardStepResult } from './card-edit.ts';
import { type CardFinderOptions, createCardFinder } from './card-finder.ts';
import { planDuplicates, resolveDuplicates } from './duplicate-messages.ts';
import type { RetryPolicy, WaitCounter } from './retry-policy.ts';
import { concludeCalls } from './tracked-calls.ts';

export type PostSearchOptions = Pick<RetryPolicy, 'retryIn' | 'backOff'> &
  Omit<CardFinderOptions, 'calls'> & {
    readonly store: Store;
    readonly web: SlackWeb;
    readonly waits: WaitCounter;
  };

/** Between checks for a post that may still take effect. */
const RECHECK_MS = 10 * SECOND;
/** Until the next check of a channel whose history is being read. */
const PENDING_READ_MS = 2 * SECOND;

export function createPostSearch(options: PostSearchOptions) {
  const { store, web, waits, retryIn, backOff } = options;
  const finder = createCardFinder({ ...options, calls: store.cardCalls });

  /** `thread`: the message to which the card is a reply; null: it is none. */
  return async (
    card: CardRecord,
    work: ClaimedWork,
    { posts, thread }: { readonly posts: readonly CardCall[]; readonly thread: MessageRef | null },
  ): Promise<CardStepResult> => {
    const search = await finder.find(card.key, posts, thread?.ts ?? null);
    if (search.kind === 'pending')
      return retryIn(Math.min(PENDING_READ_MS * 2 ** waits.count(card.key), RECHECK_MS));
    waits.forget(card.key);
    if (search.kind === 'failed') return backOff(card, work, search.fault);
    // The search takes time: a message that another holder recorded meanwhile is not a duplicate.
    const current = await store.cards.get(card.key);
    if (current === null || current.ts !== card.ts) return 'next';
    const recorded = postedMessageOf(card);
    const plan = planDuplicates(recorded, search.copies);
    if (recorded === null && plan.keep !== null) {
      // The content of the found message is unknown; revision 0 makes the next step edit it.
      if (!(await store.cards.recordPosted(card.key, { ...plan.keep, revision: 0 }))) return 'next';
    }
    const fault = await resolveDuplicates(web, plan);
    if (fault !== null) return backOff(card, work, fault);
    const foundCount =
      search.copies.length - (recorded === null ? 0 : countMessages(search.copies, recorded));
    const covered = posts.filter(search.isCovered);
    const allFound = foundCount >= posts.length;
    if (allFound) await store.cardCalls.end(posts.map(({ id }) => id));
    else await concludeCalls(store.cardCalls, covered);
    if (allFound || covered.length > 0 || (recorded === null && plan.keep !== null)) return 'next';
    return retryIn(Math.min(RECHECK_MS, ...posts.map(({ settlesInMs }) => Math.max(settlesInMs, SECOND))));
  };
}

/** Null: the card has no message. */
export function postedMessageOf({ postedChannel, ts }: CardRecord): MessageRef | null {
  return postedChannel === null || ts === null ? null : { channel: postedChannel, ts };
}

function countMessages(places: readonly MessageRef[], { channel, ts }: MessageRef): number {
  return places.filter((place) => place.channel === channel && place.ts === ts).length;
}
