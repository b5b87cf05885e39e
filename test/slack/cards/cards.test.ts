import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant, MINUTE, type MovableClock, SECOND } from '../../../src/clock.ts';
import { channelId, organizationId, personId } from '../../../src/ids.ts';
import { silentLog } from '../../../src/log.ts';
import { createCards } from '../../../src/slack/cards/cards.ts';
import type { CardMessage } from '../../../src/slack/web.ts';
import { openStore } from '../../../src/store/open.ts';
import type { CardKey } from '../../../src/store/records.ts';
import type { Store } from '../../../src/store/store.ts';
import { createWorker, type Worker } from '../../../src/store/worker.ts';
import { createFakeWeb, type FakeWeb } from '../fake-web.ts';

const KEY: CardKey = 'notice:n1';
const CHANNEL = channelId('C0ALERTS');

let store: Store;
let clock: MovableClock;
let web: FakeWeb;
let worker: Worker;
let cards: ReturnType<typeof createCards>;
let shown: string;
let refused: string[];

let state: string;
let wall: number;
/** Happens once a card was drawn and before Slack has it. */
let meanwhile: (() => Promise<void>) | null;

function message(key: string, text: string): CardMessage {
  const blocks = [{ type: 'section', text: { type: 'plain_text', text } }];
  return {
    text,
    blocks,
    metadata: { event_type: 'patchbay_card', event_payload: { key, state } },
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
  state = 'waiting';
  wall = 0;
  meanwhile = null;
  refused = [];
  const done = async () => ({ kind: 'done' }) as const;
  cards = createCards({
    store,
    web,
    clock,
    log: silentLog,
    content: async (key) => {
      const drawn = message(key, shown);
      await meanwhile?.();
      return drawn;
    },
    wall: () => wall,
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
    web.next('post', { kind: 'uncertain', detail: 'reset', inFlight: false });
    await want();
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(web.posts()).toBe(2);
  });

  it('is not posted while Slack cannot say whether it stands already', async () => {
    web.next('post', { kind: 'lost' });
    web.next(
      'findCard',
      { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
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

  it('of a request is given up when the channel will never take it, and that is told', async () => {
    const key = 'approval:a1';
    web.next('post', { kind: 'refused', error: 'is_archived' });
    await store.cards.want({ key, channel: CHANNEL, fallbackPerson: null, dueAt: clock.now() });
    await settle();
    expect(refused).toEqual([`${key} is_archived`]);
    expect(await store.cards.get(key)).toMatchObject({ failure: 'is_archived', ts: null });
    await settle(20 * MINUTE);
    expect(web.posts()).toBe(1);
  });

  it('with news waits until its channel takes it again', async () => {
    web.next(
      'post',
      { kind: 'refused', error: 'not_in_channel' },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await want();
    await settle(9 * MINUTE);
    expect(web.messages).toEqual([]);
    await settle(30 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(refused).toEqual([]);
  });

  it('with news is asked for by few while its channel is closed, and all of them come when it opens', async () => {
    const news = Array.from({ length: 40 }, (_, at): CardKey => `notice:n${at}`);
    const closed = { kind: 'refused', error: 'is_archived' } as const;
    web.next('post', ...news.map(() => closed));
    for (const key of news)
      await store.cards.want({ key, channel: CHANNEL, fallbackPerson: null, dueAt: clock.now() });
    await settle(MINUTE);
    expect(web.posts()).toBeLessThan(10);
    await settle(12 * HOUR);
    expect(web.messages).toHaveLength(40);
    expect(web.posts()).toBe(80);
  });

  it('whose post may still be under way is looked for, and not posted again for a minute', async () => {
    web.next('post', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    await want();
    await settle(5 * MINUTE);
    expect(web.posts()).toBe(1);
    wall += MINUTE;
    await settle(MINUTE);
    expect(web.posts()).toBe(2);
    expect(texts()).toEqual(['first']);
  });

  it('whose edit may still be under way is edited once more when that has settled', async () => {
    await want();
    await settle();
    web.next('update', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true });
    shown = 'second';
    await store.cards.refresh(KEY, clock.now());
    await settle(5 * MINUTE);
    const edits = web.messages[0]?.edits ?? 0;
    expect(texts()).toEqual(['second']);
    wall += MINUTE;
    await settle(2 * MINUTE);
    expect(web.messages[0]?.edits).toBe(edits + 1);
    await settle(10 * MINUTE);
    expect(web.messages[0]?.edits).toBe(edits + 1);
  });

  it('that was throttled is posted without a look, because it certainly does not stand', async () => {
    web.next('post', { kind: 'throttled', retryAfterMs: SECOND });
    web.next('findCard', { kind: 'refused', error: 'a look would fail' });
    await want();
    await settle(10 * SECOND);
    expect(texts()).toEqual(['first']);
  });

  it('of another channel is not held up by one that Slack throttles', async () => {
    web.next('post', { kind: 'throttled', retryAfterMs: 30 * SECOND });
    await want();
    await settle();
    const other = channelId('C0APPROVALS');
    await store.cards.want({ key: 'approval:a1', channel: other, fallbackPerson: null, dueAt: clock.now() });
    worker.kick();
    await settle(SECOND);
    expect(web.messages).toMatchObject([{ channel: other }]);
  });

  it('that waits to be decided is posted anew when somebody deleted it', async () => {
    await want();
    await settle();
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    await store.cards.refresh(KEY, clock.now());
    await settle(MINUTE);
    expect(web.posts()).toBe(2);
    expect(await store.cards.get(KEY)).toMatchObject({ failure: null });
  });

  it('to which alerts were added waits for its channel where that was archived meanwhile', async () => {
    state = 'storm';
    await want();
    await settle();
    web.next('update', { kind: 'refused', error: 'is_archived' }, { kind: 'refused', error: 'is_archived' });
    shown = 'two of them';
    await store.cards.refresh(KEY, clock.now());
    await settle(9 * MINUTE);
    expect(texts()).toEqual(['first']);
    await settle(30 * MINUTE);
    expect(texts()).toEqual(['two of them']);
    expect(web.posts()).toBe(1);
  });

  it('is not given up where alerts were added while its edit was refused', async () => {
    state = 'posted';
    await want();
    await settle();
    web.next('update', { kind: 'refused', error: 'message_not_found' });
    meanwhile = async () => {
      meanwhile = null;
      [state, shown] = ['storm', 'two of them'];
      await store.cards.refresh(KEY, clock.now());
    };
    await store.cards.refresh(KEY, clock.now());
    await settle(MINUTE);
    expect(await store.cards.get(KEY)).toMatchObject({ failure: null });
    expect(texts().at(-1)).toBe('two of them');
  });

  it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
    'to which alerts were added is posted anew on %s',
    async (error) => {
      state = 'storm';
      await want();
      await settle();
      web.next('update', { kind: 'refused', error });
      shown = 'two of them';
      await store.cards.refresh(KEY, clock.now());
      await settle(MINUTE);
      expect(texts()).toEqual(['first', 'two of them']);
    },
  );

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

  it('that tells how something ended is tried for a day, and then stands in the audit as untold', async () => {
    const key: CardKey = 'told:operation:o_1';
    const ann = personId('U0ANN');
    const unknown = { kind: 'refused', error: 'fatal_error' } as const;
    web.next('post', ...Array.from({ length: 400 }, () => unknown));
    await store.cards.want({ key, channel: channelId('U0ANN'), fallbackPerson: ann, dueAt: clock.now() });
    for (let hours = 0; hours < 22; hours += 1) await clock.advance(HOUR);
    expect(await store.cards.get(key)).toMatchObject({ failure: null });
    for (let hours = 0; hours < 4; hours += 1) await clock.advance(HOUR);
    expect(await store.cards.get(key)).toMatchObject({ failure: 'fatal_error' });
    expect(await store.work.nextDue(clock.now())).toBeNull();
    const [line] = await store.audit.list(0, 10);
    expect(line).toMatchObject({
      actor: 'patchbay',
      action: 'outcome.untold',
      subject: 'operation:o_1',
      detail: { person: 'U0ANN', error: 'fatal_error' },
    });
    expect(web.messages).toEqual([]);
  });

  it('that nobody has to decide any more is not posted again when somebody deleted it', async () => {
    state = 'verified';
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
    const waited = cards.whenPosted('approval:a1', 5_000);
    await store.cards.want({
      key: 'approval:a1',
      channel: CHANNEL,
      fallbackPerson: null,
      dueAt: clock.now(),
    });
    await settle();
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when nothing comes of it in time', async () => {
    expect(await cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
