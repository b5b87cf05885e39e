/** Reads the history of one channel, once for all cards whose posts there have an unknown outcome. */
import { type Clock, later } from '../../clock.ts';
import { type CardKey, type ChannelId, isPersonsDirect, personId } from '../../ids.ts';
import type { CardCall, CardCallStore } from '../../store/card-calls.ts';
import { placeRefuses, type SlackFault } from '../faults.ts';
import type { CardMessageFound, HistoryPage, HistoryPart, Identity, Place, SlackWeb } from '../web.ts';
import { type HistoryWindow, windowsAround } from './history-windows.ts';

export type CardCopy = Place & Pick<CardMessageFound, 'talkedAbout'>;

/** What one reading of a channel showed. */
export type Reading = {
  /** Our own messages, by card. */
  readonly copies: ReadonlyMap<CardKey, readonly CardCopy[]>;
  /** Looks that this reading was: the messages of these calls, if any, are among these, since they had settled before. */
  readonly covered: ReadonlySet<string>;
  /** Looks for all calls there were. */
  readonly known: ReadonlySet<string>;
};

export type ReadingOptions = {
  readonly web: Pick<SlackWeb, 'cardsInHistory' | 'openDirect'>;
  readonly calls: Pick<CardCallStore, 'postsIn'>;
  readonly clock: Clock;
  readonly identity: Pick<Identity, 'botUserId' | 'botId'>;
};

type Read = (channel: ChannelId) => Promise<Reading | SlackFault>;

/**
 * Reads only the windows around the attempts, to their ends: as many pages as they have. Where Slack asks to wait it goes
 * on from the same page, so it always ends. A channel that cannot be read because we are no member holds no card of ours.
 */
export function createReading({ web, calls, clock, identity }: ReadingOptions): Read {
  const isOurs = ({ user, botId }: CardMessageFound): boolean =>
    user === identity.botUserId || (botId !== null && botId === identity.botId);

  const page = async (channel: ChannelId, part: HistoryPart): Promise<HistoryPage | SlackFault> => {
    for (;;) {
      const answer = await web.cardsInHistory(channel, part);
      if (answer.kind === 'ok') return answer.value;
      if (answer.kind === 'refused' && placeRefuses(answer.error)) return { cards: [], cursor: null };
      if (answer.kind !== 'throttled') return answer;
      await pause(clock, answer.retryAfterMs);
    }
  };

  const cardsIn = async (
    channel: ChannelId,
    window: HistoryWindow,
  ): Promise<readonly CardMessageFound[] | SlackFault> => {
    const found: CardMessageFound[] = [];
    for (let cursor: string | null = null; ; ) {
      const answer: HistoryPage | SlackFault = await page(channel, { ...window, cursor });
      if ('kind' in answer) return answer;
      found.push(...answer.cards.filter(isOurs));
      if (answer.cursor === null) return found;
      cursor = answer.cursor;
    }
  };

  return async (channel) => {
    const posts = await calls.postsIn(channel, clock.now());
    const direct = isPersonsDirect(channel) ? await web.openDirect(personId(channel)) : null;
    if (direct !== null && direct.kind !== 'ok') return direct;
    const place = direct === null ? channel : direct.value;
    const copies = new Map<CardKey, CardCopy[]>();
    for (const window of windowsAround(posts, clock.now())) {
      const found = await cardsIn(place, window);
      if ('kind' in found) return found;
      for (const { key, ts, talkedAbout } of found)
        copies.set(key, [...(copies.get(key) ?? []), { channel: place, ts, talkedAbout }]);
    }
    const settled = posts.filter(({ settledAt }) => settledAt !== null);
    return { copies, covered: new Set(settled.map(lookOf)), known: new Set(posts.map(lookOf)) };
  };
}

/** Names one look for a call: once it is watched, it is looked for once more. */
export function lookOf({ id, watched }: Pick<CardCall, 'id' | 'watched'>): string {
  return watched ? `${id} watched` : id;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.at(later(clock.now(), ms), resolve);
  });
}
