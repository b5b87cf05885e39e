/** Cards that share one read of their channel or thread. */
import { describe, expect, it } from 'vitest';
import { createManualClock, type Instant, instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import { createCardFinder } from '../../../src/slack/cards/card-outbox.ts';
import { windowsOfAttempts } from '../../../src/slack/cards/history-reader.ts';
import type { HistoryPage } from '../../../src/slack/web-api/paged-reads.ts';
import type { CardCall } from '../../../src/store/port/card-call-records.ts';
import type { CardKey } from '../../../src/store/port/records.ts';

const CHANNEL = channelId('C0ALERTS');
const clock = createManualClock(instant(1_700_000_000_000));

const lostPost = (card: CardKey): CardCall => ({
  id: `call of ${card}`,
  card,
  kind: 'post',
  channel: CHANNEL,
  attemptedAt: later(clock.now(), -60_000),
  settledAt: clock.now(),
  settlesInMs: 0,
  watched: false,
});

it('are looked for in their own thread, of which a read of the channel says nothing', async () => {
  const card: CardKey = 'line:r_1';
  const thread = messageTs('5.000001');
  const read: (string | undefined)[] = [];
  const found = { user: personId('U0BOT'), botId: null, hasRepliesOrReactions: false };
  const finder = createCardFinder({
    web: {
      cardsInHistory: async (_channel, part) => {
        read.push(part.thread);
        const cards = part.thread === thread ? [{ ...found, key: card, ts: messageTs('6.000001') }] : [];
        return { kind: 'ok', value: { cards, cursor: null } };
      },
      openDirect: async () => ({ kind: 'ok', value: CHANNEL }),
    },
    calls: { postsIn: async () => [lostPost(card)] },
    clock,
    identity: { botUserId: personId('U0BOT'), botId: null },
  });
  expect(await finder.find(card, [lostPost(card)], null)).toMatchObject({ copies: [] });
  expect(await finder.find(card, [lostPost(card)], thread)).toMatchObject({
    copies: [{ channel: CHANNEL, ts: '6.000001' }],
  });
  expect(read).toEqual([undefined, thread]);
});

it('block no more than three deliveries while it takes long, and the others retry', async () => {
  const page = Promise.withResolvers<HistoryPage>();
  const cards: readonly CardKey[] = ['notice:n1', 'notice:n2', 'notice:n3', 'notice:n4'];
  const posts = cards.map(lostPost);
  const finder = createCardFinder({
    web: {
      cardsInHistory: async () => ({ kind: 'ok', value: await page.promise }),
      openDirect: async () => ({ kind: 'ok', value: CHANNEL }),
    },
    calls: { postsIn: async () => posts },
    clock,
    identity: { botUserId: personId('U0BOT'), botId: null },
  });
  const [first, second, third, fourth] = posts.map((call) => finder.find(call.card, [call], null));
  expect(await fourth).toEqual({ kind: 'pending' });
  page.resolve({ cards: [], cursor: null });
  expect(await Promise.all([first, second, third])).toMatchObject([
    { kind: 'read' },
    { kind: 'read' },
    { kind: 'read' },
  ]);
});

const NOW = instant(1_000 * MINUTE);
const at = (minutes: number): Instant => instant(minutes * MINUTE);
const attempt = (from: number, to: number | null) => ({
  attemptedAt: at(from),
  settledAt: to === null ? null : at(to),
});

describe('the windows around attempts', () => {
  it('leave room for two clocks that are apart', () => {
    expect(windowsOfAttempts([attempt(100, 101)], NOW)).toEqual([{ oldest: at(90), latest: at(111) }]);
  });

  it('reach until now where a call has not settled', () => {
    expect(windowsOfAttempts([attempt(100, null)], NOW)).toEqual([{ oldest: at(90), latest: at(1_010) }]);
  });

  it('are one where they meet and several where they do not, the newest first', () => {
    const attempts = [attempt(100, 101), attempt(500, 501), attempt(115, 116), attempt(99, 130)];
    expect(windowsOfAttempts(attempts, NOW)).toEqual([
      { oldest: at(490), latest: at(511) },
      { oldest: at(89), latest: at(140) },
    ]);
  });

  it('are none without attempts', () => {
    expect(windowsOfAttempts([], NOW)).toEqual([]);
  });
});
