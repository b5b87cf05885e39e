/** Several messages of one card, and presses on them. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { messageTs } from '../../../src/lib/ids.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import type { FakeSlackMessage } from '../harness/fake-slack-web.ts';
import {
  CHANNEL,
  enqueueCard,
  enqueueUpdate,
  KEY,
  outboxWorld,
  settleCalls,
  texts,
} from './outbox-harness.ts';

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;

/** Adds a message with the card's key to the channel. */
function copy(ts: string, over: Partial<FakeSlackMessage> = {}): void {
  const message = {
    ...outboxWorld().drawn(),
    channel: CHANNEL,
    ts: messageTs(ts),
    at: outboxWorld().clock.now(),
    edits: 0,
  };
  outboxWorld().web.messages.push({ ...message, ...over });
}
const stamps = () => outboxWorld().web.messages.map(({ ts }) => ts);
const pressed = () => createPressedCards({ ...outboxWorld(), wakeWorker: () => outboxWorld().worker.wake() });

describe('several messages of one card', () => {
  it('become the oldest one where none is recorded', async () => {
    outboxWorld().web.next('post', LOST);
    copy('5.000001');
    copy('3.000001');
    await enqueueCard();
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['3.000001']);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: '3.000001' });
  });

  it('become the recorded one where one is', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009');
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('stay where people talked about them, and say where the card is', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009', { talkedAbout: true });
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(MINUTE);
    expect(stamps()).toEqual(['1.000001', '1700000000.000009']);
    const [, moved] = outboxWorld().web.messages;
    expect(moved?.text).toBe('This message moved.');
    expect(JSON.stringify(moved?.blocks)).toContain('https://slack.example/C0ALERTS/1.000001');
    expect(moved?.metadata.event_payload).toEqual({ state: 'moved' });
  });

  it('whose removal had no answer are removed again', async () => {
    await enqueueCard();
    await settleCalls();
    copy('1700000000.000009');
    outboxWorld().web.next('remove', LOST);
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['1.000001']);
  });

  it('do not include the one that was recorded in place of a deleted one meanwhile', async () => {
    await enqueueCard();
    await settleCalls();
    const { store, web } = outboxWorld();
    const [first] = web.messages;
    if (first === undefined) throw new Error('no card');
    const { cardsInHistory } = web;
    const meanwhile: Partial<typeof web> = {
      cardsInHistory: async (...asked) => {
        web.messages.splice(0, 1);
        await store.cards.recordRemoved(KEY, first);
        await store.cards.recordPosted(KEY, {
          channel: CHANNEL,
          ts: messageTs('1700000000.000009'),
          revision: 9,
        });
        Object.assign(web, { cardsInHistory });
        return cardsInHistory(...asked);
      },
    };
    copy('1700000000.000009');
    Object.assign(web, meanwhile);
    await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1700000000.000009') });
    await settleCalls(10 * MINUTE);
    expect(stamps()).toEqual(['1700000000.000009']);
  });

  it('are not counted where another app posted them', async () => {
    outboxWorld().web.next('post', LOST);
    copy('3.000001', { botId: 'B0OTHER' });
    await enqueueCard();
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    await settleCalls(5 * MINUTE);
    expect(stamps()).toEqual(['3.000001', '1.000001']);
    expect(await outboxWorld().store.cards.get(KEY)).toMatchObject({ ts: '1.000001' });
  });
});

describe('a press', () => {
  it('on the card itself is a press', async () => {
    await enqueueCard();
    await settleCalls();
    const [card] = outboxWorld().web.messages;
    if (card === undefined) throw new Error('no card');
    expect(await pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: card.ts })).toBeNull();
  });

  it('on a duplicate links to the card', async () => {
    await enqueueCard();
    await settleCalls();
    const answer = await pressed().answerForCopy({
      card: KEY,
      channel: CHANNEL,
      ts: messageTs('1700000000.000009'),
    });
    expect(answer).toEqual({ kind: 'card-moved', link: 'https://slack.example/C0ALERTS/1.000001' });
  });

  it('on a message whose post had no answer shows that the card is there', async () => {
    outboxWorld().web.late('post').carryOut();
    await enqueueCard();
    const [, press] = await Promise.all([
      settleCalls(0),
      pressed().answerForCopy({ card: KEY, channel: CHANNEL, ts: messageTs('1.000001') }),
    ]);
    expect(press).toBeNull();
    outboxWorld().shown = 'second';
    await enqueueUpdate();
    await settleCalls(5 * MINUTE);
    expect(texts()).toEqual(['second']);
    expect(outboxWorld().web.posts()).toBe(1);
  });

  it('on an unknown card is left to the handler', async () => {
    const unknown = { card: 'approval:a_9', channel: CHANNEL, ts: messageTs('1.000001') } as const;
    expect(await pressed().answerForCopy(unknown)).toBeNull();
  });
});
