import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE, type MovableClock, SECOND } from '../../src/clock.ts';
import { channelId, organizationId, personId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createCards } from '../../src/slack/cards.ts';
import type { CardMessage } from '../../src/slack/web.ts';
import { openStore } from '../../src/store/open.ts';
import type { CardKey } from '../../src/store/records.ts';
import type { Store } from '../../src/store/store.ts';
import { createWorker, type Worker } from '../../src/store/worker.ts';
import { createFakeWeb, type FakeWeb } from './fake-web.ts';

const KEY: CardKey = 'notice:n1';
const CHANNEL = channelId('C0ALERTS');

let store: Store;
let clock: MovableClock;
let web: FakeWeb;
let worker: Worker;
let cards: ReturnType<typeof createCards>;
let shown: string;
let refused: string[];

function message(key: string, text: string): CardMessage {
  const blocks = [{ type: 'section', text: { type: 'plain_text', text } }];
  return {
    text,
    blocks,
    metadata: { event_type: 'patchbay_card', event_payload: { key, state: 'waiting' } },
  };
}

beforeEach(async () => {
  clock = createManualClock(instant(1_700_000_000_000));
  store = await openStore({
    database: { kind: 'sqlite', path: ':memory:' },
    organizationId: organizationId(1),
  });
  web = createFakeWeb(clock.now);
  shown = 'first';
  refused = [];
  const done = async () => ({ kind: 'done' }) as const;
  cards = createCards({
    store,
    web,
    clock,
    log: silentLog,
    content: async (key) => message(key, shown),
    onRefused: async (key, error) => void refused.push(`${key} ${error}`),
  });
  const handlers = { card: cards.deliver, click: done, act: done, follow: done, expire: done };
  worker = createWorker({
    store,
    clock,
    handlers,
    log: silentLog,
    onError: (error) => {
      throw error;
    },
  });
  worker.start();
});
afterEach(async () => {
  await worker.stop();
  await store.close();
});

const want = (fallbackPerson: string | null = null) =>
  store.cards.want({
    key: KEY,
    channel: CHANNEL,
    fallbackPerson: fallbackPerson === null ? null : personId(fallbackPerson),
    dueAt: clock.now(),
  });
/** Lets what is due now, and within `ms`, happen. */
const settle = (ms = SECOND) => clock.advance(ms);
const texts = () => web.messages.map(({ text }) => text);

describe('a card', () => {
  it('is posted once and then edited in place', async () => {
    await want();
    await settle();
    shown = 'second';
    await store.cards.refresh(KEY, clock.now());
    await settle(MINUTE);
    expect(web.messages).toMatchObject([{ text: 'second', channel: CHANNEL, edits: 1 }]);
    expect(web.posts()).toBe(1);
  });

  it('is not posted twice when the answer to the post was lost', async () => {
    web.next('post', { kind: 'lost' });
    await want();
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(web.posts()).toBe(1);
    expect(await store.cards.get(KEY)).toMatchObject({ ts: web.messages[0]?.ts, failure: null });
  });

  it('shows the newest state when it was found again after a lost answer', async () => {
    web.next('post', { kind: 'lost' });
    await want();
    await settle(0);
    shown = 'second';
    await store.cards.refresh(KEY, clock.now());
    await settle(5 * MINUTE);
    expect(web.messages).toMatchObject([{ text: 'second' }]);
  });

  it('is posted again when the look-up does not find it', async () => {
    web.next('post', { kind: 'uncertain', detail: 'reset' });
    await want();
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(web.posts()).toBe(2);
  });

  it('is not posted while Slack cannot say whether it stands already', async () => {
    web.next('post', { kind: 'lost' });
    web.next(
      'findCard',
      { kind: 'uncertain', detail: 'HTTP 500' },
      { kind: 'refused', error: 'fatal_error' },
    );
    await want();
    await settle(10 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(web.posts()).toBe(1);
  });

  it('waits as long as Slack asks, and so do the others', async () => {
    web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await want();
    await settle();
    await store.cards.want({ key: 'notice:n2', channel: CHANNEL, fallbackPerson: null, dueAt: clock.now() });
    await settle(20 * SECOND);
    expect(web.posts()).toBe(1);
    await settle(20 * SECOND);
    expect(web.messages).toHaveLength(2);
  });

  it('goes to its person’s direct message where the bot is no member of the channel', async () => {
    web.next('post', { kind: 'refused', error: 'not_in_channel' });
    await want('U0OPERATOR');
    await settle();
    expect(web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
    shown = 'second';
    await store.cards.refresh(KEY, clock.now());
    await settle(MINUTE);
    expect(web.messages).toMatchObject([{ channel: 'DU0OPERATOR', text: 'second' }]);
  });

  it('that was lost on its way to the direct message is found there', async () => {
    web.next('post', { kind: 'refused', error: 'not_in_channel' }, { kind: 'lost' });
    web.next('findCard', { kind: 'refused', error: 'not_in_channel' });
    await want('U0OPERATOR');
    await settle(5 * MINUTE);
    expect(web.messages).toMatchObject([{ channel: 'DU0OPERATOR' }]);
  });

  it('is given up when the channel will never take it, and that is told', async () => {
    web.next('post', { kind: 'refused', error: 'is_archived' });
    await want();
    await settle();
    expect(refused).toEqual([`${KEY} is_archived`]);
    expect(await store.cards.get(KEY)).toMatchObject({ failure: 'is_archived', ts: null });
    await settle(10 * MINUTE);
    expect(web.posts()).toBe(1);
  });

  it('is posted as text when Slack does not take its blocks', async () => {
    web.next('post', { kind: 'refused', error: 'invalid_blocks' });
    await want();
    await settle();
    expect(web.messages).toMatchObject([{ text: 'first', blocks: [] }]);
  });

  it('is kept while the token is refused, and posted when it works again', async () => {
    web.next(
      'post',
      { kind: 'refused', error: 'token_revoked' },
      { kind: 'refused', error: 'token_revoked' },
    );
    await want();
    await settle(10 * MINUTE);
    expect(texts()).toEqual(['first']);
  });

  it('whose message somebody deleted is not posted again', async () => {
    await want();
    await settle();
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    await store.cards.refresh(KEY, clock.now());
    await settle(10 * MINUTE);
    expect(web.posts()).toBe(1);
    expect(await store.cards.get(KEY)).toMatchObject({ failure: 'message_not_found' });
  });
});

describe('waiting for a card', () => {
  it('ends where it was posted', async () => {
    const waited = cards.whenPosted(KEY, 5_000);
    await want();
    await settle();
    expect(await waited).toEqual({ kind: 'posted', place: { channel: CHANNEL, ts: '1.000001' } });
    expect(await cards.whenPosted(KEY, 5_000)).toMatchObject({ kind: 'posted' });
  });

  it('ends when it was refused', async () => {
    web.next('post', { kind: 'refused', error: 'is_archived' });
    const waited = cards.whenPosted(KEY, 5_000);
    await want();
    await settle();
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when nothing comes of it in time', async () => {
    expect(await cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
