/**
 * Finds a card's messages by the key in their metadata. One history read of a channel serves all cards that wait for
 * it. Replies in a thread are in no channel's history, so each thread is read on its own.
 */

import { monotonicNow, SECOND } from '../../lib/clock.ts';
import type { CardKey, MessageTs } from '../../lib/ids.ts';
import { setNewest } from '../../lib/newest.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { SlackError } from '../web-api/slack-errors.ts';
import {
  type CardMessageCopy,
  type CardPlace,
  callLookKey,
  createHistoryReader,
  type HistoryRead,
  type HistoryReaderOptions,
} from './history-reader.ts';

export type CardSearchResult =
  | {
      readonly kind: 'read';
      readonly copies: readonly CardMessageCopy[];
      /** Whether this read would have found the message of the call, if there is one. */
      readonly isCovered: (call: CardCall) => boolean;
    }
  /** The channel is still being read. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly fault: SlackError };

export type CardFinder = {
  /** `thread`: the message to which the card is a reply; null: it is none. */
  readonly find: (
    card: CardKey,
    posts: readonly CardCall[],
    thread: MessageTs | null,
  ) => Promise<CardSearchResult>;
};

export type CardFinderOptions = HistoryReaderOptions & {
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

type LastRead = HistoryRead & { readonly endedAt: number };

export function createCardFinder({ time = monotonicNow, ...options }: CardFinderOptions): CardFinder {
  const read = createHistoryReader(options);
  const last = new Map<string, LastRead>();
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
