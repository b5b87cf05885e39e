/** Resolves posts with an unknown outcome: records the message that was found and removes duplicates. */
import { monotonicNow, SECOND } from '../../lib/clock.ts';
import type { CardKey, MessageTs } from '../../lib/ids.ts';
import { setNewest } from '../../lib/newest.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { SlackError } from '../web-api/slack-errors.ts';
import type { MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardStepResult } from './card-edit.ts';
import { planDuplicates, resolveDuplicates } from './duplicate-messages.ts';
import {
  type CardMessageCopy,
  type CardPlace,
  callLookKey,
  createHistoryReader,
  type HistoryRead,
  type HistoryReaderOptions,
} from './history-reader.ts';
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

type CardSearchResult =
  | {
      readonly kind: 'read';
      readonly copies: readonly CardMessageCopy[];
      /** Whether this read would have found the message of the call, if there is one. */
      readonly isCovered: (call: CardCall) => boolean;
    }
  /** The channel is still being read. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly fault: SlackError };

type CardFinder = {
  /** `thread`: the message to which the card is a reply; null: it is none. */
  readonly find: (
    card: CardKey,
    posts: readonly CardCall[],
    thread: MessageTs | null,
  ) => Promise<CardSearchResult>;
};

type CardFinderOptions = HistoryReaderOptions & {
  /** Monotonic milliseconds. */
  readonly time?: () => number;
};

/** Real time between two reads of a channel for a call that is still in flight. */
const READ_INTERVAL_MS = 5 * SECOND;
/** Real time that one card waits for the read of its channel before it makes room for other cards. */
const MAX_READ_MS = 2 * SECOND;
/** Of six deliveries at once, so that a slow channel does not hold up cards elsewhere. */
const MAX_WAITING = 3;
/** Channels and threads whose last history read is cached. */
const MAX_REMEMBERED = 200;

export function createCardFinder({ time = monotonicNow, ...options }: CardFinderOptions): CardFinder {
  const read = createHistoryReader(options);
  const last = new Map<string, HistoryRead & { readonly endedAt: number }>();
  const running = new Map<string, Promise<HistoryRead | SlackError>>();
  let waiting = 0;

  const remember = (place: string, reading: HistoryRead): void =>
    setNewest(last, place, { ...reading, endedAt: time() }, MAX_REMEMBERED);
  const begin = (place: CardPlace): Promise<HistoryRead | SlackError> => {
    const name = nameOf(place);
    const reading = read(place)
      .then((answer) => {
        if (!('kind' in answer)) remember(name, answer);
        return answer;
      })
      .finally(() => running.delete(name));
    running.set(name, reading);
    return reading;
  };
  /** Null where there is no answer in time or enough cards wait already; the read continues. */
  const wait = async (
    reading: Promise<HistoryRead | SlackError>,
  ): Promise<HistoryRead | SlackError | null> => {
    if (waiting >= MAX_WAITING) return null;
    waiting += 1;
    return withinPatience(reading).finally(() => {
      waiting -= 1;
    });
  };
  /** The last read, if a new one could not show more about these posts. */
  const known = (place: string, card: CardKey, posts: readonly CardCall[]): HistoryRead | null => {
    const reading = last.get(place);
    if (reading === undefined) return null;
    const isRecent = time() - reading.endedAt < READ_INTERVAL_MS;
    const found =
      (reading.copies.get(card)?.length ?? 0) > 0 &&
      posts.every((call) => reading.knownCalls.has(callLookKey(call)));
    const says = (call: CardCall) =>
      reading.coveredCalls.has(callLookKey(call)) ||
      (isRecent && call.settledAt === null && reading.knownCalls.has(callLookKey(call)));
    return (found && isRecent) || posts.every(says) ? reading : null;
  };
  const readingOf = async (
    place: CardPlace,
    card: CardKey,
    posts: readonly CardCall[],
  ): Promise<HistoryRead | SlackError | 'pending'> => {
    const name = nameOf(place);
    const under = running.get(name);
    if (under !== undefined && (await wait(under)) === null) return 'pending';
    const before = known(name, card, posts);
    if (before !== null) return before;
    return (await wait(running.get(name) ?? begin(place))) ?? 'pending';
  };

  return {
    async find(card, posts, thread) {
      const copies: CardMessageCopy[] = [];
      const covered = new Set<string>();
      for (const [channel, there] of Map.groupBy(posts, (call) => call.channel)) {
        const reading = await readingOf({ channel, thread }, card, there);
        if (reading === 'pending') return { kind: 'pending' };
        if ('kind' in reading) return { kind: 'failed', fault: reading };
        copies.push(...(reading.copies.get(card) ?? []));
        for (const call of there)
          if (reading.coveredCalls.has(callLookKey(call))) covered.add(callLookKey(call));
      }
      return { kind: 'read', copies, isCovered: (call) => covered.has(callLookKey(call)) };
    },
  };
}

function nameOf({ channel, thread }: CardPlace): string {
  return thread === null ? channel : `${channel}/${thread}`;
}

/** The answer, or null where there is none in time; the read continues. */
async function withinPatience<T>(reading: Promise<T>): Promise<T | null> {
  const { promise: tooLong, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, MAX_READ_MS, null);
  try {
    return await Promise.race([reading, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
