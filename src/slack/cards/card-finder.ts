/** Finds the messages of a card by the key in their metadata, with as few readings of channels as all cards need. */
import { monotonicNow, SECOND } from '../../clock.ts';
import type { CardKey, ChannelId } from '../../ids.ts';
import type { CardCall } from '../../store/card-calls.ts';
import type { SlackFault } from '../faults.ts';
import {
  type CardCopy,
  createReading,
  lookOf,
  type Reading,
  type ReadingOptions,
} from './channel-reading.ts';

export type Found =
  | {
      readonly kind: 'read';
      readonly copies: readonly CardCopy[];
      /** Whether the message of this call, if there is one, is among the copies. */
      readonly isCovered: (call: CardCall) => boolean;
    }
  /** The channel is being read. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly fault: SlackFault };

export type CardFinder = {
  readonly find: (card: CardKey, posts: readonly CardCall[]) => Promise<Found>;
};

export type CardFinderOptions = ReadingOptions & {
  /** Monotonic milliseconds. */
  readonly time?: () => number;
};

/** A channel is read again for a call that is still under way no sooner than this, in real time. */
const LOOK_EVERY_MS = 5 * SECOND;
/** How long one card keeps its place among those that are delivered while its channel is read, in real time. */
const PATIENCE_MS = 2 * SECOND;
/** Of six that are delivered at once: a channel that takes minutes to read holds up no card elsewhere. */
const MOST_WAITING = 3;
/** Channels whose last reading is kept. */
const REMEMBERED = 200;

type Last = Reading & { readonly endedAt: number };

export function createCardFinder({ time = monotonicNow, ...options }: CardFinderOptions): CardFinder {
  const read = createReading(options);
  const last = new Map<ChannelId, Last>();
  const running = new Map<ChannelId, Promise<Reading | SlackFault>>();
  let waiting = 0;

  const remember = (channel: ChannelId, reading: Reading): void => {
    last.delete(channel);
    last.set(channel, { ...reading, endedAt: time() });
    const [oldest] = last.keys();
    if (last.size > REMEMBERED && oldest !== undefined) last.delete(oldest);
  };
  const begin = (channel: ChannelId): Promise<Reading | SlackFault> => {
    const reading = read(channel)
      .then((answer) => {
        if (!('kind' in answer)) remember(channel, answer);
        return answer;
      })
      .finally(() => running.delete(channel));
    running.set(channel, reading);
    return reading;
  };
  /** Null where there is no answer in time, or enough cards wait already; the reading goes on. */
  const wait = async (reading: Promise<Reading | SlackFault>): Promise<Reading | SlackFault | null> => {
    if (waiting >= MOST_WAITING) return null;
    waiting += 1;
    return atMost(reading).finally(() => {
      waiting -= 1;
    });
  };
  /** The last reading, where it says as much of these posts as a new one would. */
  const known = (channel: ChannelId, card: CardKey, posts: readonly CardCall[]): Reading | null => {
    const reading = last.get(channel);
    if (reading === undefined) return null;
    const isRecent = time() - reading.endedAt < LOOK_EVERY_MS;
    const found =
      (reading.copies.get(card)?.length ?? 0) > 0 && posts.every((call) => reading.known.has(lookOf(call)));
    const says = (call: CardCall) =>
      reading.covered.has(lookOf(call)) ||
      (isRecent && call.settledAt === null && reading.known.has(lookOf(call)));
    return (found && isRecent) || posts.every(says) ? reading : null;
  };
  const readingOf = async (
    channel: ChannelId,
    card: CardKey,
    posts: readonly CardCall[],
  ): Promise<Reading | SlackFault | 'pending'> => {
    const under = running.get(channel);
    if (under !== undefined && (await wait(under)) === null) return 'pending';
    const before = known(channel, card, posts);
    if (before !== null) return before;
    return (await wait(running.get(channel) ?? begin(channel))) ?? 'pending';
  };

  return {
    async find(card, posts) {
      const copies: CardCopy[] = [];
      const covered = new Set<string>();
      for (const [channel, there] of Map.groupBy(posts, (call) => call.channel)) {
        const reading = await readingOf(channel, card, there);
        if (reading === 'pending') return { kind: 'pending' };
        if ('kind' in reading) return { kind: 'failed', fault: reading };
        copies.push(...(reading.copies.get(card) ?? []));
        for (const call of there) if (reading.covered.has(lookOf(call))) covered.add(lookOf(call));
      }
      return { kind: 'read', copies, isCovered: (call) => covered.has(lookOf(call)) };
    },
  };
}

/** The answer, or null where there is none in time; the reading goes on. */
async function atMost<T>(reading: Promise<T>): Promise<T | null> {
  const { promise: tooLong, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, PATIENCE_MS, null);
  try {
    return await Promise.race([reading, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
