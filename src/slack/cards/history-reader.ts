/** Reads the history of a channel or thread once for all cards whose posts there have an unknown outcome. */
import { type Clock, type Instant, later, MINUTE, waitOn } from '../../lib/clock.ts';
import { type CardKey, type ChannelId, isPersonAddress, type MessageTs, personId } from '../../lib/ids.ts';
import type { CardCall, CardCallStore } from '../../store/port/card-records.ts';
import type { FoundCardMessage, HistoryPage, HistoryPart } from '../web-api/paged-reads.ts';
import { isChannelRefused, type SlackError } from '../web-api/slack-errors.ts';
import type { Identity, MessageRef, SlackWeb } from '../web-api/slack-web.ts';

export type CardMessageCopy = MessageRef & Pick<FoundCardMessage, 'hasRepliesOrReactions'>;

/** Where a card's message is looked for: a channel, or a thread in it, which no channel's history contains. */
export type CardPlace = { readonly channel: ChannelId; readonly thread: MessageTs | null };

export type HistoryRead = {
  readonly copies: ReadonlyMap<CardKey, readonly CardMessageCopy[]>;
  /** Call keys that this read settles: these calls had settled before it began, so their messages, if any, are among the copies. */
  readonly coveredCalls: ReadonlySet<string>;
  /** Call keys of all calls that were recorded when the read began. */
  readonly knownCalls: ReadonlySet<string>;
};

export type HistoryReaderOptions = {
  readonly web: Pick<SlackWeb, 'cardsInHistory' | 'openDirect'>;
  readonly calls: Pick<CardCallStore, 'postsIn'>;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'botUserId' | 'botId'>;
};

/** On a 429 it continues with the same page. A channel without the bot and a thread that is gone have no cards. */
export function createHistoryReader({ web, calls, clock, identity }: HistoryReaderOptions) {
  const isOurs = ({ user, botId }: FoundCardMessage): boolean =>
    user === identity.botUserId || (botId !== null && botId === identity.botId);

  const page = async (channel: ChannelId, part: HistoryPart): Promise<HistoryPage | SlackError> => {
    for (;;) {
      const answer = await web.cardsInHistory(channel, part);
      if (answer.kind === 'ok') return answer.value;
      const isGone =
        answer.kind === 'refused' && (isChannelRefused(answer.error) || answer.error === 'thread_not_found');
      if (isGone) return { cards: [], cursor: null };
      if (answer.kind !== 'throttled') return answer;
      await waitOn(clock, answer.retryAfterMs);
    }
  };

  const cardsIn = async (
    channel: ChannelId,
    window: Omit<HistoryPart, 'cursor'>,
  ): Promise<readonly FoundCardMessage[] | SlackError> => {
    const found: FoundCardMessage[] = [];
    for (let cursor: string | null = null; ; ) {
      const answer: HistoryPage | SlackError = await page(channel, { ...window, cursor });
      if ('kind' in answer) return answer;
      found.push(...answer.cards.filter(isOurs));
      if (answer.cursor === null) return found;
      cursor = answer.cursor;
    }
  };

  return async ({ channel, thread }: CardPlace): Promise<HistoryRead | SlackError> => {
    const posts = await calls.postsIn(channel, clock.now());
    const direct = isPersonAddress(channel) ? await web.openDirect(personId(channel)) : null;
    if (direct !== null && direct.kind !== 'ok') return direct;
    const place = direct === null ? channel : direct.value;
    const copies = new Map<CardKey, CardMessageCopy[]>();
    for (const window of windowsOfAttempts(posts, clock.now())) {
      const found = await cardsIn(place, thread === null ? window : { ...window, thread });
      if ('kind' in found) return found;
      for (const { key, ts, hasRepliesOrReactions } of found)
        copies.set(key, [...(copies.get(key) ?? []), { channel: place, ts, hasRepliesOrReactions }]);
    }
    const settled = posts.filter(({ settledAt }) => settledAt !== null);
    return {
      copies,
      coveredCalls: new Set(settled.map(callLookKey)),
      knownCalls: new Set(posts.map(callLookKey)),
    };
  };
}

/** The key of one search for a call: a watched call is searched for once more. */
export function callLookKey({ id, watched }: Pick<CardCall, 'id' | 'watched'>): string {
  return watched ? `${id} watched` : id;
}

/** How far our clock and Slack's may differ. */
const MAX_CLOCK_SKEW_MS = 10 * MINUTE;

type HistoryWindow = { readonly oldest: Instant; readonly latest: Instant };

type CallAttempt = Pick<CardCall, 'attemptedAt' | 'settledAt'>;

/** One window from each attempt until its call settled, or until now. Overlapping windows are merged; newest first. */
export function windowsOfAttempts(attempts: readonly CallAttempt[], now: Instant): readonly HistoryWindow[] {
  const windows = attempts
    .map(({ attemptedAt, settledAt }) => ({
      oldest: later(attemptedAt, -MAX_CLOCK_SKEW_MS),
      latest: later(settledAt ?? now, MAX_CLOCK_SKEW_MS),
    }))
    .toSorted((a, b) => b.oldest - a.oldest);
  const merged: HistoryWindow[] = [];
  for (const window of windows) {
    const last = merged.at(-1);
    if (last === undefined || window.latest < last.oldest) merged.push(window);
    else
      merged[merged.length - 1] = {
        oldest: window.oldest,
        latest: last.latest > window.latest ? last.latest : window.latest,
      };
  }
  return merged;
}
