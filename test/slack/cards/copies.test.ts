/** Several messages of one card, and presses on them. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/clock.ts';
import { messageTs } from '../../../src/ids.ts';
import { createPressedCards } from '../../../src/slack/cards/pressed-cards.ts';
import type { FakeMessage } from '../fake-web.ts';
import { CHANNEL, KEY, refresh, settle, texts, want, world } from './carded.ts';

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

/** A message with the key of the card, as it may stand in the channel. */
function copy(ts: string, over: Partial<FakeMessage> = {}): void {
  const message = {
    ...world().drawn(),
    channel: CHANNEL,
    ts: messageTs(ts),
    at: world().clock.now(),
    edits: 0,
  };
  world().web.messages.push({ ...message, ...over });
}
const stamps = () => world().web.messages.map(({ ts }) => ts);
const pressed = () => createPressedCards({ ...world(), kick: () => world().worker.kick() });

describe('several messages of one card', () => {
  it('become the oldest one where none is recorded', async () => {
    world().web.next('post', LOST);
    copy('5.000001');
    copy('3.000001');
    await want();
    await settle(MINUTE);
    expect(stamps()).toEqual(['3.000001']);
    expect(await world().store.cards.get(KEY)).toMatchObject({ ts: '3.000001' });
  });

  it('become the recorded one where one is', async () => {
    await want();
    await settle();
    copy('1700000000.000009');
    await pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settle(MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('stay where people talked about them, and say where the card is', async () => {
    await want();
    await settle();
    copy('1700000000.000009', { talkedAbout: true });
    await pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settle(MINUTE);
    expect(stamps()).toEqual(['1.000001', '1700000000.000009']);
    const [, moved] = world().web.messages;
    expect(moved?.text).toBe('This card moved.');
    expect(JSON.stringify(moved?.blocks)).toContain('https://slack.example/C0ALERTS/1.000001');
    expect(moved?.metadata.event_payload).toEqual({ state: 'moved' });
  });

  it('whose removal had no answer are removed again', async () => {
    await want();
    await settle();
    copy('1700000000.000009');
    world().web.next('remove', LOST);
    await pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settle(5 * MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('do not include the one that was recorded in place of a deleted one meanwhile', async () => {
    await want();
    await settle();
    const { store, web } = world();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const { cardsInHistory } = web;
    const meanwhile: Partial<typeof web> = {
      cardsInHistory: async (...asked) => {
        web.messages.splice(0, 1);
        await store.cards.unposted(KEY, first);
        await store.cards.posted(KEY, { channel: CHANNEL, ts: messageTs('1700000000.000009'), revision: 9 });
        Object.assign(web, { cardsInHistory });
        return cardsInHistory(...asked);
      },
    };
    copy('1700000000.000009');
    Object.assign(web, meanwhile);
    await pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settle(10 * MINUTE);
    expect(stamps()).toEqual(['1700000000.000009']);
  });

  it('are not counted where another app posted them', async () => {
    world().web.next('post', LOST);
    copy('3.000001', { botId: 'B0OTHER' });
    await want();
    await settle(MINUTE);
    world().passed += MINUTE;
    await settle(5 * MINUTE);
    expect(stamps()).toEqual(['3.000001', '1.000001']);
    expect(await world().store.cards.get(KEY)).toMatchObject({ ts: '1.000001' });
  });
});

describe('a press', () => {
  it('on the card itself is a press', async () => {
    await want();
    await settle();
    const [card] = world().web.messages;
    if (card === undefined) throw new Error('no card');
    expect(await pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: card.ts })).toBeNull();
  });

  it('on a copy shows where the card is', async () => {
    await want();
    await settle();
    const answer = await pressed().copyAnswer({
      card: KEY,
      channel: CHANNEL,
      ts: messageTs('1700000000.000009'),
    });
    expect(answer).toEqual({ kind: 'card-moved', link: 'https://slack.example/C0ALERTS/1.000001' });
  });

  it('on a message whose post had no answer shows that the card is there', async () => {
    world().web.late('post').carryOut();
    await want();
    const [, press] = await Promise.all([
      settle(0),
      pressed().copyAnswer({ card: KEY, channel: CHANNEL, ts: messageTs('1.000001') }),
    ]);
    expect(press).toBeNull();
    world().shown = 'second';
    await refresh();
    await settle(5 * MINUTE);
    expect(texts()).toEqual(['second']);
    expect(world().web.posts()).toBe(1);
  });

  it('of which nothing is known is left to who acts on it', async () => {
    const unknown = { card: 'approval:a_9', channel: CHANNEL, ts: messageTs('1.000001') } as const;
    expect(await pressed().copyAnswer(unknown)).toBeNull();
  });
});
